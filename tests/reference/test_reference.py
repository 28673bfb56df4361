"""The reference itself, against the rulebook's examples and the rulings: the game without upgrades."""

import pytest

from .race2016 import BadScenario, NeedsChance, Race
from .scenes import belt, cells, column, facings, laser, panel, pit, race, robot, spam, token, wall

# ---- Moving and pushing -------------------------------------------------------------------------------------------


def test_a_robot_moves_and_turns():
    cards = ["move_3", "turn_right", "move_2", "turn_left", "power_up"]
    outcome = race([robot(1, 1, "E", *cards)], span=(1, 5))
    assert (cells(outcome), facings(outcome), column(outcome, "energy")) == ([(4, 3)], "E", [6])
    assert outcome["robots"][0]["registers"] == cards


def test_back_up_and_u_turn():
    outcome = race([robot(4, 1, "E", "back_up", "u_turn", "move_1")], span=(1, 3))
    assert (cells(outcome), facings(outcome)) == ([(2, 1)], "W")


def test_a_robot_pushes_another_two_spaces():
    assert cells(race([robot(1, 1, "E", "move_2"), robot(2, 1, "N")])) == [(3, 1), (4, 1)]


def test_three_in_a_row_move_as_one():
    assert cells(race([robot(1, 1, "E", "move_1"), robot(2, 1), robot(3, 1)])) == [(2, 1), (3, 1), (4, 1)]


def test_a_wall_ends_the_move_of_pusher_and_pushed():
    outcome = race([robot(1, 1, "E", "move_3"), robot(2, 1, "N")], [wall(4, 1, "W")])
    assert cells(outcome) == [(2, 1), (3, 1)]


def test_a_robot_pushed_into_a_pit_reboots_and_the_pusher_follows_into_it():
    outcome = race([robot(1, 1, "E", "move_3"), robot(2, 1, "N")], [pit(3, 1)], reboots=[token(8, 5, "N")])
    assert column(outcome, "rebooted") == [True, True]
    assert cells(outcome) == [(8, 5), (8, 4)]
    assert [d["robot"] for d in outcome["decisions"]] == [1, 0]


def test_a_pit_catches_in_mid_move():
    outcome = race([robot(1, 1, "E", "move_3")], [pit(3, 1)], reboots=[token(8, 5, "N")])
    assert (cells(outcome), facings(outcome), spam(outcome)) == ([(8, 5)], "N", [2])


def test_the_antenna_acts_as_a_wall():
    outcome = race([robot(1, 1, "E", "move_3"), robot(2, 1)], antenna={"x": 4, "y": 1, "facing": "E"})
    assert cells(outcome) == [(2, 1), (3, 1)]


def test_a_robot_that_was_pushed_off_is_met_again_by_the_same_card():
    outcome = race([robot(7, 1, "E", "move_3"), robot(9, 1, "N")], reboots=[token(9, 1, "W")])
    # Step one is free, step two pushes the other off and onto the token, step three does it again.
    # Each time the one put down pushes the mover back along the arrow, and the mover goes on from there.
    assert (cells(outcome), spam(outcome)) == ([(8, 1), (9, 1)], [0, 5])  # and a laser


# ---- Priority -----------------------------------------------------------------------------------------------------


def test_ties_are_broken_clockwise_from_the_dish():
    antenna = {"x": 4, "y": 3, "facing": "E"}
    around = [(4, 1), (3, 2), (2, 3), (3, 4), (4, 5), (5, 4), (6, 3), (5, 2)]
    drawing = {"width": 10, "height": 6, "antenna": antenna}
    entries = [robot(x, y) for x, y in around]
    game = Race({"map": drawing, "robots": entries, "play": {"from": 1, "to": 1}})
    order = game.in_priority_order({entry: entry.cell for entry in game.robots})
    clockwise = [(6, 3), (5, 4), (4, 5), (3, 4), (2, 3), (3, 2), (4, 1), (5, 2)]
    assert [entry.cell for entry in order] == clockwise


def test_a_given_order_stands_for_priority():
    robots = [robot(1, 1, "E", "move_1"), robot(3, 1, "W", "move_1")]
    assert cells(race(robots)) == [(1, 1), (2, 1)]
    assert cells(race(robots, order=[1, 0])) == [(2, 1), (3, 1)]


# ---- Belts --------------------------------------------------------------------------------------------------------


def test_blue_belts_carry_two_spaces_green_belts_one():
    elements = [belt(x, 1, "E", speed=2) for x in (1, 2, 3)] + [belt(x, 3, "E") for x in (1, 2, 3)]
    assert cells(race([robot(1, 1), robot(1, 3)], elements)) == [(3, 1), (2, 3)]


def test_a_robot_off_the_belt_is_carried_no_more():
    assert cells(race([robot(1, 1)], [belt(1, 1, "E", speed=2)])) == [(2, 1)]


def test_blue_then_green_in_one_register():
    assert cells(race([robot(1, 1)], [belt(1, 1, "E", speed=2), belt(2, 1, "E")])) == [(3, 1)]


def test_belts_do_not_push_and_a_block_runs_back():
    elements = [belt(1, 1, "E"), belt(2, 1, "E")]
    assert cells(race([robot(1, 1), robot(2, 1), robot(3, 1)], elements)) == [(1, 1), (2, 1), (3, 1)]


def test_two_robots_for_one_cell_stay():
    elements = [belt(1, 1, "E"), belt(3, 1, "W"), belt(2, 1, "N", "E", "W")]
    assert cells(race([robot(1, 1, "N"), robot(3, 1, "N")], elements)) == [(1, 1), (3, 1)]
    # With a robot on the merge itself, which leaves it, they stay too.
    assert cells(race([robot(1, 1), robot(3, 1), robot(2, 1)], elements)) == [(1, 1), (3, 1), (2, 0)]


def test_a_full_ring_advances_and_turns_its_robots():
    ring = [belt(1, 1, "E", "S"), belt(2, 1, "S", "W"), belt(2, 2, "W", "N"), belt(1, 2, "N", "E")]
    outcome = race([robot(1, 1, "N"), robot(2, 1, "N"), robot(2, 2, "N"), robot(1, 2, "N")], ring)
    assert cells(outcome) == [(2, 1), (2, 2), (1, 2), (1, 1)]
    assert facings(outcome) == "EEEE"


def test_belts_that_face_each_other_do_not_exchange_robots():
    elements = [belt(1, 1, "E"), belt(2, 1, "W"), belt(0, 1, "E")]
    assert cells(race([robot(1, 1), robot(2, 1), robot(0, 1)], elements)) == [(1, 1), (2, 1), (0, 1)]


def test_a_robot_turns_when_carried_through_a_side_feed_only():
    curve = belt(2, 1, "N", "W", "S")
    assert facings(race([robot(1, 1, "E")], [belt(1, 1, "E"), curve])) == "N"
    assert facings(race([robot(2, 2, "E")], [belt(2, 2, "N"), curve])) == "E"
    assert facings(race([robot(3, 1, "E")], [belt(3, 1, "W"), curve])) == "E"  # the east side is no feed
    moved = race([robot(1, 1, "E", "move_1")], [curve])
    assert (cells(moved), facings(moved)) == ([(2, 0)], "E")


def test_a_blue_belt_turns_onto_a_green_curve():
    outcome = race([robot(1, 1, "S")], [belt(1, 1, "E", speed=2), belt(2, 1, "S", "W")])
    assert (cells(outcome), facings(outcome)) == ([(2, 2)], "W")


def test_a_belt_into_a_wall_does_nothing_even_at_the_edge():
    assert cells(race([robot(0, 1)], [belt(0, 1, "W"), wall(0, 1, "W")])) == [(0, 1)]
    outcome = race([robot(1, 1)], [belt(1, 1, "E"), pit(2, 1), wall(2, 1, "W")])
    assert column(outcome, "rebooted") == [False]


def test_a_fall_by_belt_frees_the_cell_for_the_follower():
    outcome = race([robot(0, 1), robot(1, 1)], [belt(0, 1, "W"), belt(1, 1, "W")], reboots=[token(8, 4, "N")])
    assert cells(outcome) == [(8, 4), (0, 1)]


def test_several_falls_are_taken_in_priority_order_of_the_cells_left():
    robots = [robot(9, 1), robot(0, 1)]
    outcome = race(
        robots,
        [belt(9, 1, "E"), belt(0, 1, "W")],
        antenna={"x": 0, "y": 0, "facing": "E"},
        reboots=[token(5, 4, "N")],
    )
    assert cells(outcome) == [(5, 4), (5, 3)]


# ---- Panels and gears ---------------------------------------------------------------------------------------------


def test_a_panel_pushes_only_in_its_registers():
    elements = [panel(2, 1, "E", 2, 4)]
    assert cells(race([robot(2, 1)], elements, span=(2, 2))) == [(3, 1)]
    assert cells(race([robot(2, 1)], elements, span=(3, 3))) == [(2, 1)]


def test_panels_push_chains_and_nobody_twice():
    elements = [panel(1, 1, "E", 1), panel(2, 1, "S", 1)]
    # The first pushes the second off its panel, and is itself on that panel, but not pushed again.
    assert cells(race([robot(1, 1), robot(2, 1)], elements)) == [(2, 1), (3, 1)]
    assert cells(race([robot(1, 1), robot(2, 1)], elements, order=[1, 0])) == [(2, 1), (2, 2)]


def test_a_panel_against_a_wall_pushes_nobody():
    assert cells(race([robot(1, 1), robot(2, 1)], [panel(1, 1, "E", 1), wall(2, 1, "E")])) == [(1, 1), (2, 1)]


def test_gears_turn():
    gears = [{"kind": "gear", "x": 1, "y": 1, "turn": "cw"}, {"kind": "gear", "x": 3, "y": 1, "turn": "ccw"}]
    assert facings(race([robot(1, 1, "N"), robot(3, 1, "N")], gears)) == "EW"


# ---- Lasers -------------------------------------------------------------------------------------------------------


def test_a_board_laser_hits_the_first_robot_once_for_each_beam():
    outcome = race([robot(3, 1, "N"), robot(5, 1, "N")], [laser(1, 1, "E", 3)])
    assert spam(outcome) == [3, 0]


def test_a_beam_begins_in_the_emitters_cell_and_stops_at_a_wall():
    elements = [laser(1, 1, "E"), wall(2, 1, "W"), laser(4, 1, "E"), wall(4, 1, "E")]
    assert spam(race([robot(3, 1, "N"), robot(4, 1, "N"), robot(5, 1, "N")], elements)) == [0, 1, 0]


def test_the_antenna_stops_a_beam():
    antenna = {"x": 2, "y": 1, "facing": "E"}
    assert spam(race([robot(3, 1, "N")], [laser(1, 1, "E")], antenna=antenna)) == [0]


@pytest.mark.parametrize(("switch", "alone"), [("once", 1), ("both", 2)])
def test_a_laser_with_two_ends_hits_a_robot_nearest_to_both_once(switch, alone):
    elements = [laser(1, 1, "E", two_ended=True), laser(6, 1, "W", two_ended=True)]
    rules = {"two_ended_lasers": switch}
    assert spam(race([robot(3, 1, "N")], elements, rules=rules)) == [alone]
    assert spam(race([robot(2, 1, "N"), robot(4, 1, "N"), robot(5, 1, "N")], elements, rules=rules)) == [1, 0, 1]


def test_robot_lasers_reach_far_over_pits_but_not_through_robots_or_walls():
    robots = [robot(0, 1, "E"), robot(5, 1, "N"), robot(7, 1, "W"), robot(0, 3, "E"), robot(4, 3, "N")]
    assert spam(race(robots, [pit(3, 1), wall(2, 3, "E")])) == [0, 2, 0, 0, 0]


def test_a_rebooted_robot_does_not_fire_but_can_be_shot():
    outcome = race([robot(9, 1, "E", "move_1"), robot(5, 4, "W")], reboots=[token(3, 4, "E")])
    assert spam(outcome) == [3, 0]


# ---- Energy and checkpoints ---------------------------------------------------------------------------------------


def test_energy_spaces_give_their_cube_once_and_the_bank_pays_in_register_five():
    elements = [{"kind": "energy", "x": 1, "y": 1}, {"kind": "energy", "x": 3, "y": 1}]
    cube = [{"x": 1, "y": 1}]
    robots = [robot(1, 1), robot(3, 1)]
    assert column(race(robots, elements, span=(1, 1), energy=cube), "energy") == [6, 5]
    assert column(race(robots, elements, span=(1, 4), energy=cube), "energy") == [6, 5]
    assert column(race(robots, elements, span=(4, 5), energy=cube), "energy") == [7, 6]
    assert column(race(robots, elements, span=(5, 5), energy=cube), "energy") == [6, 6]


def test_checkpoints_count_in_order_at_the_end_of_a_register():
    spots = [{"number": 1, "x": 2, "y": 1}, {"number": 2, "x": 3, "y": 1}]
    robots = [robot(1, 1, "E", "move_1", "move_1", "u_turn"), robot(3, 3, "N", "move_2"), robot(1, 2, "E", "move_3")]
    assert column(race(robots, checkpoints=spots), "checkpoint") == [1, 0, 0]
    outcome = race(robots[:1], span=(1, 5), checkpoints=spots)
    assert (outcome["winner"], outcome["register"], facings(outcome)) == (0, 2, "E")


def test_a_moving_checkpoint_is_carried_and_reset_by_a_pit():
    spots = [{"number": 1, "x": 1, "y": 1}, {"number": 2, "x": 8, "y": 5}]
    elements = [belt(1, 1, "E"), belt(2, 1, "E"), pit(3, 1)]
    drawing = {"checkpoints": spots, "moving_checkpoints": True, "reboots": [token(8, 3, "N")]}
    assert column(race([robot(1, 1)], elements, **drawing), "checkpoint") == [1]
    outcome = race([robot(1, 1, "N", "turn_left", "turn_left"), robot(1, 4, "N")], elements, span=(1, 2), **drawing)
    assert column(outcome, "rebooted") == [True, False]
    back_home = race([robot(2, 1), robot(1, 2, "N", "power_up", "u_turn", "back_up")], elements, span=(1, 3), **drawing)
    # Register one: to (2, 1); two: into the pit and back to (1, 1); three: to (2, 1) again, where the second meets it.
    assert column(back_home, "checkpoint") == [0, 1]


def test_a_reset_checkpoint_rests_for_both_blue_steps():
    drawing = {
        "checkpoints": [{"number": 1, "x": 0, "y": 1}, {"number": 2, "x": 8, "y": 5}],
        "moving_checkpoints": True,
    }
    # Off the board in the first blue step, back to (0, 1), where it rests although the belt would take it off again.
    game = Race(
        {
            "map": {"width": 10, "height": 6, "elements": [belt(0, 1, "E", speed=2), pit(1, 1)], **drawing},
            "robots": [robot(5, 5)],
            "play": {"from": 1, "to": 1},
        }
    )
    at_rest = set()
    game.carry_checkpoints(2, at_rest)
    assert (game.board.checkpoints[1], at_rest) == ((0, 1), {1})
    game.board.pits.clear()
    game.carry_checkpoints(2, at_rest)
    assert game.board.checkpoints[1] == (0, 1)


# ---- Reboot -------------------------------------------------------------------------------------------------------


def test_a_reboot_takes_two_spam_and_cancels_the_rest():
    outcome = race([robot(9, 1, "E", "move_1", "move_2", "spam"), robot(0, 5)], reboots=[token(5, 3, "S")])
    rebooted = outcome["robots"][0]
    assert (rebooted["x"], rebooted["y"], rebooted["facing"], rebooted["rebooted"]) == (5, 3, "S", True)
    assert rebooted["registers"] == ["move_1", None, None, None, None]
    assert outcome["decisions"] == [{"robot": 0, "decision": "reboot_facing", "choice": "S"}]


def test_a_robot_pushed_off_before_its_turn_loses_that_register_too():
    outcome = race([robot(8, 1, "E", "move_1"), robot(9, 1, "E", "power_up", "move_2")], reboots=[token(5, 3, "S")])
    assert column(outcome, "energy") == [5, 5]
    assert outcome["robots"][1]["registers"] == [None] * 5


def test_the_player_chooses_the_facing():
    answers = [{"robot": 0, "decision": "reboot_facing", "choice": "W"}]
    assert facings(race([robot(9, 1, "E", "move_1")], answers=answers)) == "W"


def test_without_a_token_a_robot_returns_to_its_start_space():
    outcome = race([robot(8, 1, "E", "move_2")], antenna={"x": 0, "y": 0, "facing": "S"})
    assert (cells(outcome), facings(outcome)) == ([(8, 1)], "S")
    assert facings(race([robot(8, 1, "S", "turn_left", "move_2")], span=(1, 2))) == "E"


def test_the_occupant_of_the_token_is_pushed_along_the_arrow_or_clockwise_of_it():
    robots = [robot(9, 1, "E", "move_1"), robot(5, 3)]
    assert cells(race(robots, reboots=[token(5, 3, "N")])) == [(5, 3), (5, 2)]
    assert cells(race(robots, [wall(5, 3, "N", "E")], reboots=[token(5, 3, "N")])) == [(5, 3), (5, 4)]
    assert cells(race(robots, [wall(5, 3, "N", "E", "S", "W")], reboots=[token(5, 3, "N")])) == [(9, 1), (5, 3)]


def test_a_chain_of_reboots_does_not_push_its_own_robots_off_again():
    # The token's arrow points off the board. The occupant falls, comes back, and may not push the newcomer off again.
    outcome = race([robot(8, 4, "E", "move_2"), robot(5, 0)], reboots=[token(5, 0, "N")])
    assert cells(outcome) == [(6, 0), (5, 0)]
    assert [d["robot"] for d in outcome["decisions"]] == [0, 1]
    assert spam(outcome) == [2, 2]


def test_all_blocked_at_the_start_space_too_the_nearest_free_cell_is_taken():
    closed = wall(5, 2, "N", "E", "S", "W")
    robots = [robot(5, 2), robot(9, 1)]
    game = Race(
        {
            "map": {"width": 10, "height": 6, "elements": [closed]},
            "robots": robots,
            "play": {"from": 1, "to": 1},
        }
    )
    first, second = game.robots
    first.cell, second.cell = (9, 3), (5, 2)
    game.reboot(first, [])
    assert (first.cell, first.facing) == ((6, 2), "E")


# ---- Damage cards -------------------------------------------------------------------------------------------------


def test_spam_is_replaced_by_the_top_card():
    outcome = race([robot(1, 1, "E", "spam", draw=["move_2"])])
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(3, 1)], "move_2")


def test_damage_drawn_for_damage_is_played_too():
    assert cells(race([robot(1, 1, "E", "spam", draw=["trojan_horse", "spam", "move_3"])])) == [(4, 1)]


def test_a_trojan_horse_gives_two_spam():
    outcome = race([robot(1, 1, "E", "trojan_horse", draw=["move_1"])])
    assert (spam(outcome), cells(outcome)) == ([2], [(2, 1)])


def test_a_virus_reaches_six_spaces():
    robots = [robot(0, 0, "N", "virus", draw=["power_up"]), robot(5, 1, "S"), robot(5, 2, "S"), robot(3, 3, "S")]
    taken = [entry["virus"] for entry in column(race(robots), "taken")]
    assert taken == [0, 1, 0, 1]


def test_a_worm_reboots_at_once_and_is_not_replaced():
    outcome = race([robot(1, 1, "E", "worm", "move_1", draw=["move_3"])], span=(1, 2), reboots=[token(5, 3, "S")])
    assert (cells(outcome), spam(outcome)) == ([(5, 3)], [2])
    assert outcome["robots"][0]["registers"] == [None] * 5


def test_an_exhausted_pile_leaves_the_choice_among_the_others():
    hoard = ["spam"] * 37
    shooter = robot(1, 1, "E")
    target = robot(3, 1, "N", "trojan_horse", draw=["power_up"], discard=hoard)
    outcome = race([shooter, target])
    # One SPAM was left. The Trojan Horse's second becomes a Trojan Horse, and so does the laser's.
    assert outcome["robots"][1]["taken"] == {"spam": 1, "worm": 0, "virus": 0, "trojan_horse": 2}
    answers = [{"robot": 1, "decision": "damage_kind", "choice": kind} for kind in ("worm", "virus")]
    outcome = race([shooter, target], answers=answers)
    assert outcome["robots"][1]["taken"] == {"spam": 1, "worm": 1, "virus": 1, "trojan_horse": 0}


def test_one_pile_left_asks_nothing_and_none_left_deals_nothing():
    hoard = ["spam"] * 38 + ["trojan_horse"] * 12 + ["virus"] * 18 + ["worm"] * 5
    outcome = race([robot(1, 1, "E"), robot(3, 1, "W", discard=hoard)])
    assert [entry["worm"] for entry in column(outcome, "taken")] == [1, 0]
    assert outcome["decisions"] == []


# ---- Again --------------------------------------------------------------------------------------------------------


def test_again_repeats_the_register_before_and_again_repeats_again():
    assert cells(race([robot(1, 1, "E", "move_2", "again", "again")], span=(1, 3))) == [(7, 1)]


def test_registers_before_the_play_count_as_carried_out():
    assert cells(race([robot(1, 1, "E", "move_2", "again", "again")], span=(3, 3))) == [(3, 1)]
    drawn = race([robot(1, 1, "E", "spam", "again", draw=["move_1"])], span=(2, 2))
    assert cells(drawn) == [(2, 1)]


def test_again_in_register_one_is_discarded_for_the_next_card():
    outcome = race([robot(1, 1, "E", "again", "again", draw=["move_1"])], span=(1, 2))
    assert cells(outcome) == [(3, 1)]
    assert outcome["robots"][0]["registers"][:2] == ["move_1", "again"]


@pytest.mark.parametrize(("switch", "cell"), [("draw", (5, 1)), ("repeat", (3, 1))])
def test_again_after_a_damage_card(switch, cell):
    entry = robot(1, 1, "E", "spam", "again", draw=["move_1", "move_3"])
    outcome = race([entry], span=(1, 2), rules={"again_after_damage": switch})
    assert cells(outcome) == [cell]
    assert outcome["robots"][0]["registers"][:2] == ["move_1", "again"]


def test_again_drawn_for_again_after_damage_is_discarded():
    entry = robot(1, 1, "E", "spam", "again", "again", draw=["move_1", "again", "spam", "move_3"])
    with pytest.raises(BadScenario):
        race([entry])  # three Again
    entry = robot(1, 1, "E", "spam", "again", draw=["move_1", "again", "spam", "move_3"])
    assert cells(race([entry], span=(1, 2))) == [(5, 1)]


def test_again_drawn_for_damage_acts_as_again():
    assert cells(race([robot(1, 1, "E", "move_2", "spam", draw=["again"])], span=(1, 2))) == [(5, 1)]


def test_again_after_an_empty_register_does_nothing():
    outcome = race([{**robot(1, 1), "registers": [None, "again"]}], span=(1, 2))
    assert cells(outcome) == [(1, 1)]


# ---- A whole round, chance, answers -------------------------------------------------------------------------------

DRAW_PILE = ["again", "move_1", "turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_2", "move_3", "again"]


def test_a_round_draws_nine_programs_five_and_cleans_up():
    entry = {"x": 4, "y": 3, "facing": "E", "draw": DRAW_PILE}
    outcome = race([entry], span=None)
    mat = outcome["robots"][0]
    assert outcome["decisions"][0]["choice"] == ["move_1", "turn_left", "turn_right", "u_turn", "power_up"]
    assert (mat["hand"], mat["registers"], len(mat["discard"]), len(mat["draw"])) == ([], [None] * 5, 9, 11)
    assert (cells(outcome), facings(outcome), outcome["register"]) == ([(5, 3)], "W", 5)


def test_the_advanced_game_keeps_the_hand():
    entry = {"x": 1, "y": 3, "facing": "E", "hand": ["spam", "move_2"], "draw": DRAW_PILE}
    outcome = race([entry], span=None, rules={"advanced": True})
    assert outcome["robots"][0]["hand"] == ["back_up", "power_up", "turn_right", "u_turn"]


def test_an_answered_program_is_played_and_an_illegal_one_is_an_error():
    entry = {"x": 4, "y": 3, "facing": "E", "draw": DRAW_PILE}
    program = ["power_up", "again", "again", "move_1", "move_2"]
    bad = [["again", *program[:1], *program[2:]], [*program[:4], "move_3"]]
    outcome = race(
        [{**entry, "hand": ["move_2"], "draw": ["again", "again", *DRAW_PILE[1:7]]}], span=None, **said(program)
    )
    assert (cells(outcome), column(outcome, "energy")) == ([(7, 3)], [8])
    for choice in bad:
        with pytest.raises(BadScenario, match="program"):
            race([entry], span=None, **said(choice))


def said(choice):
    return {"answers": [{"robot": 0, "decision": "program", "choice": choice}]}


def test_an_answer_never_asked_for_is_an_error():
    with pytest.raises(BadScenario, match="reboot_facing"):
        race([robot(1, 1)], answers=[{"robot": 0, "decision": "reboot_facing", "choice": "N"}])


def test_a_card_that_only_a_shuffle_can_tell_is_not_played():
    with pytest.raises(NeedsChance):
        race([robot(1, 1, "E", "spam")])


def test_a_draw_without_chance_is_played():
    hand = ["move_2"] * 3 + ["move_3"] + ["turn_right"] * 3 + ["turn_left"] * 3
    hand += ["u_turn", "back_up", "power_up"] + ["again"] * 2
    assert cells(race([robot(1, 1, "E", "spam", hand=hand)])) == [(2, 1)]
    all_in_hand = [*hand, *["move_1"] * 5]
    outcome = race([robot(1, 1, "E", "spam", hand=all_in_hand)])
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(1, 1)], None)
