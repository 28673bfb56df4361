"""The reference of 2005 itself, against the rulebook and the rulings. Maps are 10 by 6 unless they say otherwise."""

import pytest

from .cards import DECK, OPTIONS
from .errors import BadScenario, Undetermined
from .scenes import (
    archives,
    asked,
    belt,
    cells,
    column,
    damage,
    facings,
    flag,
    gear,
    laser,
    panel,
    pit,
    race,
    repair,
    robot,
    says,
    turn,
    wall,
)

# ---- B. Robots move -----------------------------------------------------------------------------------------------


def test_cards_move_and_turn():
    cards = ["move_3", "turn_right", "move_2", "turn_left", "u_turn"]
    outcome = race([robot(1, 1, "E", *cards)], span=(1, 5))
    assert (cells(outcome), facings(outcome)) == ([(4, 3)], "W")
    assert outcome["robots"][0]["registers"] == cards


def test_back_up_keeps_the_facing():
    outcome = race([robot(4, 1, "E", "back_up:430")])
    assert (cells(outcome), facings(outcome)) == ([(3, 1)], "E")


def test_the_example_of_the_rulebook_the_higher_number_pushes_first():
    # Twonky (330) pushes Zoom Bot (290) one space on, then Zoom Bot moves.
    twonky = robot(2, 2, "E", "move_1:660")
    zoom_bot = robot(3, 2, "N", "move_1:490")
    assert cells(race([twonky, zoom_bot])) == [(3, 2), (4, 1)]
    assert cells(race([robot(2, 2, "E", "move_1:490"), robot(3, 2, "N", "move_1:660")])) == [(3, 2), (3, 1)]


def test_cards_without_a_number_come_last_in_list_order():
    robots = [robot(2, 1, "E", "move_1"), robot(4, 1, "W", "move_1")]
    assert cells(race(robots)) == [(2, 1), (3, 1)]  # the second pushes the first back
    robots = [robot(2, 1, "E", "move_1"), robot(4, 1, "W", "move_1:490")]
    assert cells(race(robots)) == [(3, 1), (4, 1)]


def test_a_given_order_stands_for_priority():
    robots = [robot(2, 1, "E", "move_1:490"), robot(4, 1, "W", "move_1:660")]
    assert cells(race(robots, order=[0, 1])) == [(2, 1), (3, 1)]


def test_a_chain_is_pushed_and_a_wall_stops_all_of_it():
    robots = [robot(1, 1, "E", "move_2"), robot(2, 1), robot(3, 1)]
    assert cells(race(robots)) == [(3, 1), (4, 1), (5, 1)]
    assert cells(race(robots, [wall(5, 1, "W")])) == [(2, 1), (3, 1), (4, 1)]


def test_a_pit_destroys_in_mid_move_and_the_pushed_robot_first():
    outcome = race([robot(1, 1, "E", "move_3"), robot(2, 1)], [pit(4, 1)])
    assert cells(outcome) == [None, None]  # the pusher follows into the pit
    assert (column(outcome, "lives"), column(outcome, "destroyed")) == ([2, 2], [True, True])
    assert facings(outcome) == "--"


def test_off_the_edge_is_destruction_and_damage_stays_as_it_was():
    outcome = race([robot(0, 0, "N", "move_1", damage=3, lives=1)])
    assert (cells(outcome), damage(outcome), column(outcome, "lives")) == ([None], [3], [0])
    assert (column(outcome, "active"), column(outcome, "destroyed")) == ([False], [True])


def test_a_destroyed_robot_is_off_the_board_at_once_and_its_later_registers_do_nothing():
    outcome = race([robot(1, 0, "N", "move_1:660", "move_1"), robot(0, 0, "E", "move_2:670", "turn_left")], span=(1, 2))
    # The second has the higher number and pushes the first ahead; then the first leaves the board.
    assert cells(outcome) == [None, (2, 0)]
    outcome = race(
        [robot(1, 0, "N", "move_1:660", "move_1"), robot(0, 0, "E", "move_2:670")], span=(1, 2), order=[0, 1]
    )
    assert cells(outcome) == [None, (2, 0)]


def test_a_powered_down_robot_executes_nothing_and_is_pushed():
    robots = [robot(1, 1, "E", "move_1"), robot(2, 1, "W", "move_1", powered_down=True)]
    assert cells(race(robots)) == [(2, 1), (3, 1)]


# ---- Options of movement ------------------------------------------------------------------------------------------


def test_brakes_fourth_gear_and_reverse_gear():
    cards = ["move_1", "move_3", "back_up"]
    names = ["brakes", "fourth_gear", "reverse_gear"]
    yes = [answer for name in names for answer in says(0, name, "yes")]
    outcome = race([robot(1, 1, "E", *cards, options=names)], span=(1, 3), answers=yes)
    assert cells(outcome) == [(3, 1)]  # 1, then 5, then 3
    outcome = race([robot(1, 1, "E", *cards, options=names)], span=(1, 3))
    assert cells(outcome) == [(4, 1)]
    assert asked(outcome) == [(0, name, "no") for name in names]


def test_brakes_keep_the_priority_of_the_card():
    robots = [robot(1, 1, "E", "move_1:660", options=["brakes"]), robot(2, 0, "S", "move_1:490")]
    assert cells(race(robots, answers=says(0, "brakes", "yes"))) == [(1, 1), (2, 1)]


def test_crab_legs_step_aside_with_the_facing_kept():
    outcome = race([robot(3, 3, "N", "move_1:650+turn_left:70", options=["crab_legs"])])
    assert (cells(outcome), facings(outcome), asked(outcome)) == ([(2, 3)], "N", [])


def test_dual_processor_moves_one_less_and_turns():
    dual = {"options": ["dual_processor"]}
    outcome = race([robot(3, 3, "E", "move_3:800+turn_left:70", **dual)])
    assert (cells(outcome), facings(outcome)) == ([(5, 3)], "N")
    outcome = race([robot(3, 3, "E", "move_3:800+u_turn:10", **dual)])
    assert (cells(outcome), facings(outcome)) == ([(4, 3)], "W")
    outcome = race([robot(3, 3, "E", "back_up:430+u_turn:10", **dual)])
    assert (cells(outcome), facings(outcome)) == ([(3, 3)], "W")


def test_with_both_options_the_player_says_which():
    both = robot(3, 3, "N", "move_1:650+turn_left:70", options=["crab_legs", "dual_processor"])
    assert facings(race([both])) == "W"
    assert cells(race([both], answers=says(0, "crab_legs", "yes"))) == [(2, 3)]


def test_two_cards_count_with_the_number_of_the_move_card():
    pair = robot(2, 1, "E", "move_2:780+turn_left:70", options=["dual_processor"])
    assert cells(race([pair, robot(4, 1, "W", "move_1:650")])) == [(2, 1), (3, 1)]  # pushed back afterwards
    assert facings(race([pair, robot(4, 1, "W", "move_1:650")])) == "NW"


def test_two_cards_need_an_option():
    with pytest.raises(BadScenario):
        race([robot(3, 3, "N", "move_1:650+turn_left:70")])


def test_ramming_gear_once_a_card_moved_or_not():
    # The rammed robot is against a wall: it takes a token for each card although it does not move, and the lasers.
    rammer = robot(1, 1, "E", "move_3", "move_1", options=["ramming_gear"])
    outcome = race([rammer, robot(3, 1)], [wall(3, 1, "E")])
    assert (cells(outcome), damage(outcome)) == ([(2, 1), (3, 1)], [0, 2])
    outcome = race([rammer, robot(3, 1)], [wall(3, 1, "E")], span=(1, 2))
    assert damage(outcome) == [0, 4]
    # Pushed over three spaces it is touched once.
    outcome = race([robot(1, 1, "E", "move_3", options=["ramming_gear"]), robot(2, 1)])
    assert (cells(outcome), damage(outcome)) == ([(4, 1), (5, 1)], [0, 2])


def test_ramming_gear_does_not_touch_the_others_of_a_chain():
    outcome = race([robot(1, 1, "E", "move_1", options=["ramming_gear"]), robot(2, 1), robot(3, 1)])
    assert damage(outcome) == [0, 2, 0]  # the token of the gear, the laser


def test_the_tenth_token_by_ramming_destroys_after_the_step_and_the_way_is_free():
    robots = [robot(1, 1, "E", "move_2", options=["ramming_gear"]), robot(2, 1, damage=9), robot(3, 1)]
    outcome = race(robots)
    assert cells(outcome) == [(3, 1), None, (4, 1)]
    assert damage(outcome) == [0, 10, 1]  # the chain was pushed; then only the laser reaches the last of it


# ---- C. Board elements --------------------------------------------------------------------------------------------


def test_express_belts_move_twice_and_normal_belts_once():
    belts = [belt(2, 1, "E", speed=2), belt(3, 1, "E", speed=2), belt(2, 3, "E"), belt(3, 3, "E")]
    assert cells(race([robot(2, 1), robot(2, 3)], belts)) == [(4, 1), (3, 3)]


def test_an_express_belt_hands_over_to_a_normal_one_which_moves_too():
    # 2005: in the second step express and normal belts move together, unlike later editions' colours one by one.
    belts = [belt(2, 1, "E", speed=2), belt(3, 1, "E", speed=1)]
    assert cells(race([robot(2, 1)], belts)) == [(4, 1)]


def test_in_the_second_step_a_merge_of_express_and_normal_belts_moves_neither():
    belts = [belt(1, 1, "E", speed=2), belt(2, 1, "E", speed=2), belt(4, 1, "W", speed=1)]
    # The express robot comes to (2, 1) in the first step; both want (3, 1) in the second.
    assert cells(race([robot(1, 1, "N"), robot(4, 1, "S")], belts)) == [(2, 1), (4, 1)]


def test_a_normal_belt_does_not_act_in_the_first_step_and_blocks():
    belts = [belt(1, 1, "E", speed=2), belt(2, 1, "E", speed=1)]
    # Step 1: the normal belt's robot stands, so the express robot waits. Step 2: both move together.
    assert cells(race([robot(1, 1), robot(2, 1)], belts)) == [(2, 1), (3, 1)]


def test_a_curve_turns_who_comes_by_belt_only():
    belts = [belt(2, 2, "E"), belt(3, 2, "S", "W")]
    assert facings(race([robot(2, 2, "E")], belts)) == "S"
    assert facings(race([robot(2, 2, "E", "move_1")], belts)) == "E"  # the card moved it onto the curve
    assert cells(race([robot(2, 2, "E", "move_1")], belts)) == [(3, 3)]


def test_gyroscopic_stabilizer_stops_turns_by_belts_and_gears_for_the_turn():
    belts = [belt(2, 2, "E"), belt(3, 2, "S", "W"), gear(3, 3, "cw")]
    gyro = robot(2, 2, "E", options=["gyroscopic_stabilizer"])
    yes = says(0, "gyroscopic_stabilizer", "yes")
    assert facings(race([gyro], belts, span=(1, 2))) == "W"
    assert facings(race([gyro], belts, span=(1, 2), answers=yes)) == "E"
    with pytest.raises(BadScenario):  # asked before register 1 only
        race([gyro], belts, span=(2, 2), answers=yes)


def test_belts_that_face_each_other_and_a_ring():
    belts = [belt(2, 1, "E"), belt(3, 1, "W")]
    assert cells(race([robot(2, 1), robot(3, 1)], belts)) == [(2, 1), (3, 1)]
    ring = [belt(1, 1, "E", "S"), belt(2, 1, "S", "W"), belt(2, 2, "W", "N"), belt(1, 2, "N", "E")]
    robots = [robot(1, 1), robot(2, 1), robot(2, 2), robot(1, 2)]
    assert cells(race(robots, ring)) == [(2, 1), (2, 2), (1, 2), (1, 1)]


def test_a_belt_destroys_and_the_follower_moves_up():
    belts = [belt(1, 0, "W"), belt(0, 0, "W")]
    outcome = race([robot(1, 0), robot(0, 0)], belts)
    assert cells(outcome) == [(0, 0), None]


def test_pushers_push_in_their_registers_after_the_belts():
    elements = [panel(3, 2, "E", 2, 4), belt(2, 2, "E")]
    assert cells(race([robot(3, 2)], elements)) == [(3, 2)]
    assert cells(race([robot(2, 2)], elements, span=(2, 2))) == [(4, 2)]
    assert cells(race([robot(3, 2), robot(4, 2)], elements, span=(4, 4))) == [(4, 2), (5, 2)]


def test_gears_turn_after_the_pushers():
    elements = [panel(3, 2, "E", 1), gear(4, 2, "ccw")]
    outcome = race([robot(3, 2, "N")], elements)
    assert (cells(outcome), facings(outcome)) == ([(4, 2)], "W")


# ---- D. Lasers fire -----------------------------------------------------------------------------------------------


def test_board_lasers_hit_the_nearest_robot_once_for_each_beam():
    outcome = race([robot(4, 1, "N"), robot(2, 1, "N")], [laser(0, 1, "E", 3)])
    assert damage(outcome) == [0, 3]


def test_a_wall_stops_a_laser_and_the_emitters_own_cell_is_in_the_beam():
    assert damage(race([robot(0, 1), robot(4, 1)], [laser(0, 1, "E")])) == [1, 0]
    assert damage(race([robot(4, 1)], [laser(0, 1, "E"), wall(3, 1, "E")])) == [0]


def test_robots_shoot_ahead_with_no_limit_but_not_powered_down():
    assert damage(race([robot(0, 1, "E"), robot(9, 1, "N")])) == [0, 1]
    assert damage(race([robot(0, 1, "E", powered_down=True), robot(9, 1, "N")])) == [0, 0]


def test_a_robot_shot_dead_still_fires():
    outcome = race([robot(2, 1, "E", damage=9), robot(5, 1, "W", damage=9)])
    assert (cells(outcome), damage(outcome)) == ([None, None], [10, 10])


def test_lasers_fire_together_before_anybody_is_removed():
    # The robot in the middle dies by the board laser and still shields the one behind it.
    outcome = race([robot(2, 1, damage=9), robot(3, 1)], [laser(0, 1, "E", 2)])
    assert damage(outcome) == [10, 0]


def test_double_barreled_and_rear_firing_lasers():
    robots = [robot(4, 1, "E", options=["double_barreled_laser", "rear_firing_laser"]), robot(6, 1), robot(2, 1)]
    assert damage(race(robots)) == [0, 2, 1]


def test_high_power_laser_passes_one_robot_or_one_wall():
    shooter = robot(1, 1, "E", options=["high_power_laser"])
    robots = [shooter, robot(3, 1), robot(5, 1), robot(7, 1)]
    assert damage(race(robots)) == [0, 1, 1, 0]
    assert damage(race(robots, [wall(2, 1, "E")])) == [0, 1, 0, 0]
    assert damage(race(robots, [wall(4, 1, "E")])) == [0, 1, 0, 0]
    assert damage(race([shooter, robot(3, 1)], [wall(1, 1, "E"), wall(2, 1, "E")])) == [0, 0]


def test_fire_control_destroys_an_option_or_locks_a_register():
    shooter = robot(1, 1, "E", options=["fire_control"])
    target = robot(3, 1, "N", damage=5, options=["brakes"])
    outcome = race([shooter, target], answers=says(0, "fire_control", "brakes"))
    assert (damage(outcome), asked(outcome)) == ([0, 5], [(0, "fire_control", "brakes")])
    with pytest.raises(BadScenario):  # register 5 is locked already
        race([shooter, target], answers=says(0, "fire_control", "register_5"))


def test_a_register_that_fire_control_locked_is_left_alone_by_abort_switch():
    shooter = robot(1, 1, "E", options=["fire_control"])
    target = robot(3, 1, "N", "turn_left", "turn_left", options=["abort_switch"], draw=["u_turn:10"])
    lock = says(0, "fire_control", "register_2", "no")
    outcome = race([shooter, target], span=(1, 2), answers=lock)
    assert [entry[1] for entry in asked(outcome)].count("abort_switch") == 1  # in register 1 only


def test_fire_control_is_asked_for_each_shot_of_a_double_barreled_laser():
    shooter = robot(1, 1, "E", options=["double_barreled_laser", "fire_control", "pressor_beam"])
    outcome = race([shooter, robot(3, 1)], answers=says(0, "fire_control", "register_1"))
    assert damage(outcome) == [0, 1]
    assert asked(outcome) == [(0, "fire_control", "register_1"), (0, "fire_control", "no")]
    outcome = race([shooter, robot(3, 1)])
    assert [entry[1] for entry in asked(outcome)] == ["fire_control", "fire_control", "pressor_beam"]


def test_pressor_beam_pushes_and_deals_nothing():
    robots = [robot(1, 1, "E", options=["pressor_beam"]), robot(3, 1), robot(4, 1)]
    outcome = race(robots, answers=says(0, "pressor_beam", "yes"))
    assert (cells(outcome), damage(outcome)) == ([(1, 1), (4, 1), (5, 1)], [0, 0, 0])


def test_mini_howitzer_pushes_damages_and_lasts_five_uses():
    robots = [robot(1, 1, "E", options=["mini_howitzer"]), robot(2, 1)]
    answers = says(0, "mini_howitzer", *["yes"] * 5)
    outcome = race(robots, [wall(9, 1, "E")], span=(1, 5), answers=answers)
    assert (cells(outcome), damage(outcome)) == ([(1, 1), (7, 1)], [0, 5])
    outcome = race(robots, [wall(2, 1, "E")], answers=answers[:1])
    assert (cells(outcome), damage(outcome)) == ([(1, 1), (2, 1)], [0, 1])


def test_mini_howitzer_is_gone_after_the_fifth_use():
    targets = [robot(3, 1), robot(4, 1)]
    shooter = robot(1, 1, "E", options=["high_power_laser", "mini_howitzer"])
    outcome = race([shooter, *targets], [wall(4, 1, "E")], span=(1, 3), answers=says(0, "mini_howitzer", *["yes"] * 5))
    assert [entry[1] for entry in asked(outcome)] == ["mini_howitzer"] * 5  # six hits
    assert damage(outcome) == [0, 3, 3]


def test_tractor_beam_pulls_from_afar_only():
    shooter = robot(1, 1, "E", options=["tractor_beam"])
    outcome = race([shooter, robot(4, 1)], answers=says(0, "tractor_beam", "yes"))
    assert (cells(outcome), damage(outcome)) == ([(1, 1), (3, 1)], [0, 0])
    outcome = race([shooter, robot(2, 1)])
    assert (asked(outcome), damage(outcome)) == ([], [0, 1])


def test_a_tractor_beam_pulls_into_a_pit():
    outcome = race(
        [robot(1, 1, "E", options=["tractor_beam"]), robot(4, 1)], [pit(3, 1)], answers=says(0, "tractor_beam", "yes")
    )
    assert cells(outcome) == [(1, 1), None]


def test_scrambler_replaces_the_next_card_which_keeps_the_old_number():
    shooter = robot(1, 1, "W", "u_turn:30", "move_3:790", options=["scrambler"], draw=["move_3:840"])
    target = robot(4, 1, "N", "turn_right:80", "u_turn:10", draw=["move_3:840"])
    outcome = race([shooter, target], span=(1, 2), answers=says(0, "scrambler", "yes"))
    assert outcome["robots"][1]["registers"][1] == "move_3:840"
    # With the number 10 it acts after the shooter, which has pushed it to (5, 1).
    assert cells(outcome) == [(4, 1), (8, 1)]


def test_scrambler_is_not_offered_in_register_five_nor_at_a_locked_or_empty_register():
    shooter = robot(1, 1, "E", options=["scrambler"])
    cards = ["turn_left"] * 5
    assert asked(race([shooter, robot(4, 1, "S", *cards)], span=(5, 5))) == []
    assert asked(race([shooter, robot(4, 1, "S", *cards, damage=5)], span=(4, 4))) == []
    assert asked(race([shooter, robot(4, 1, "S", "turn_left")])) == []
    with pytest.raises(Undetermined):
        race([shooter, robot(4, 1, "S", *cards)], answers=says(0, "scrambler", "yes"))


def test_radio_control_makes_the_target_play_the_shooters_cards_right_after_it():
    shooter = robot(1, 1, "W", "u_turn:20", "move_1:500", options=["radio_control"])
    target = robot(4, 1, "S", "turn_left:70", "move_3:840")
    yes = says(0, "radio_control", "yes")
    outcome = race([shooter, target], span=(1, 2), answers=yes)
    # In register 2 both play Move 1; the second shot is a plain one.
    assert (cells(outcome), damage(outcome)) == ([(2, 1), (5, 1)], [0, 1])
    # A third robot, with a number below the shooter's, moves after both and pushes the target.
    third = robot(5, 2, "W", "turn_right:80", "move_1:490")
    outcome = race([shooter, target, third], span=(1, 2), answers=yes)
    assert cells(outcome) == [(2, 1), (5, 0), (5, 1)]


def test_radio_control_takes_no_account_of_locks_and_own_options():
    shooter = robot(1, 1, "W", "u_turn:20", "move_1:500", options=["radio_control"])
    target = robot(4, 1, "S", *["turn_left"] * 5, damage=8, options=["brakes", "ablative_coat"])
    outcome = race([shooter, target], span=(1, 2), answers=says(0, "radio_control", "yes"))
    assert cells(outcome) == [(2, 1), (5, 1)]
    assert "brakes" not in [entry[1] for entry in asked(outcome)]


def test_radio_control_ends_with_the_shooter():
    # The shooter falls into a pit in register 2; the target then plays its own card: if its place in the order has gone
    # by, at once, which is before the third robot; else there, pushed by the third robot before.
    shooter = robot(1, 1, "W", "u_turn:20", "move_1:520", "turn_left:90", options=["radio_control"])
    third = robot(5, 2, "W", "turn_right:80", "move_1:500")
    for card, place in (("move_2:780", (6, 1)), ("move_1:490", (5, 1))):
        target = robot(4, 1, "S", "turn_left:70", card)
        outcome = race([shooter, target, third], [pit(2, 1)], span=(1, 2), answers=says(0, "radio_control", "yes"))
        assert cells(outcome)[:2] == [None, place]


def test_radio_control_comes_before_a_given_order():
    shooter = robot(1, 1, "E", None, "move_1:500", options=["radio_control"])
    target = robot(2, 1, "E", None, "turn_left:70")
    yes = says(0, "radio_control", "yes")
    for order in ([0, 1], [1, 0]):
        assert cells(race([shooter, target], span=(1, 2), order=order, answers=yes)) == [(2, 1), (4, 1)]


def test_weapons_are_asked_in_order_until_one_is_used():
    names = ["mini_howitzer", "pressor_beam", "radio_control", "scrambler", "tractor_beam"]
    shooter = robot(1, 1, "E", options=["fire_control", *reversed(names)])
    target = robot(4, 1, "S", "turn_left", "turn_left")
    outcome = race([shooter, target], answers=says(0, "radio_control", "yes"))
    assert [entry[1] for entry in asked(outcome)] == ["fire_control", *names[:3]]
    assert [entry[1] for entry in asked(race([shooter, target]))] == ["fire_control", *names]


# ---- Damage -------------------------------------------------------------------------------------------------------


def test_ablative_coat_takes_three_tokens():
    outcome = race([robot(2, 1, "N", options=["ablative_coat"])], [laser(0, 1, "E", 2)], span=(1, 2))
    assert (damage(outcome), asked(outcome)) == ([1], [])


def test_an_option_may_take_each_token():
    target = robot(2, 1, "N", options=["brakes", "flywheel"])
    outcome = race([target], [laser(0, 1, "E", 3)], answers=says(0, "option_for_damage", "no", "flywheel"))
    assert damage(outcome) == [2]
    assert [entry[2] for entry in asked(outcome)] == ["no", "flywheel", "no"]


def test_power_down_shield_stops_one_token_from_each_direction_in_a_phase():
    shield = robot(2, 1, "N", options=["power_down_shield"], powered_down=True)
    lasers = [laser(0, 1, "E", 2), laser(2, 5, "N", 1)]
    assert damage(race([shield], lasers)) == [1]
    assert damage(race([shield], lasers, span=(1, 2))) == [2]
    assert damage(race([{**shield, "powered_down": False}], lasers)) == [3]


def test_a_destroyed_robot_loses_an_option_of_its_choice():
    falling = robot(0, 0, "N", "move_1", options=["flywheel", "brakes"])
    assert asked(race([falling], answers=[])) == [(0, "brakes", "no"), (0, "option_lost", "brakes")]
    assert asked(race([robot(0, 0, "N", "move_2", options=["brakes"])])) == []


def test_a_robot_locked_in_power_down_is_programmed_from_the_deck():
    down = robot(2, 1, "N", powered_down=True, damage=4, draw=["u_turn:10", "u_turn:20"])
    outcome = race([down], [laser(0, 1, "E", 2)])
    assert outcome["robots"][0]["registers"] == [None, None, None, "u_turn:20", "u_turn:10"]


# ---- A. Reveal ----------------------------------------------------------------------------------------------------


def test_abort_switch_replaces_this_card_and_all_later_ones_but_locked_ones():
    draw = ["turn_left:70", "turn_left:90", "turn_left:110", "turn_left:130"]
    cards = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
    aborter = robot(2, 1, "N", *cards, damage=5, options=["abort_switch"], draw=draw)
    outcome = race([aborter], span=(1, 5), answers=says(0, "abort_switch", "no", "yes"))
    assert outcome["robots"][0]["registers"] == [cards[0], *draw[:3], cards[4]]
    assert asked(outcome) == [(0, "abort_switch", "no"), (0, "abort_switch", "yes")]


def test_the_drawn_card_does_not_change_the_order():
    draw = ["move_3:840"]
    aborter = robot(1, 1, "E", "u_turn:10", options=["abort_switch"], draw=draw)
    outcome = race([aborter, robot(2, 1, "N", "move_1:490", draw=draw)], answers=says(0, "abort_switch", "yes"))
    assert cells(outcome) == [(4, 1), (2, 0)]  # the other has left before


# ---- E. Touch -----------------------------------------------------------------------------------------------------


def test_any_flag_and_repair_site_moves_the_archive_but_only_the_next_flag_counts():
    flags = [flag(1, 2, 1), flag(2, 4, 1)]
    outcome = race([robot(2, 1), robot(4, 1), robot(6, 1), robot(8, 1)], [repair(6, 1)], checkpoints=flags)
    assert column(outcome, "checkpoint") == [1, 0, 0, 0]
    assert archives(outcome) == [(2, 1), (4, 1), (6, 1), (8, 1)]
    outcome = race([robot(3, 1, "E", "move_1")], checkpoints=flags)
    assert archives(outcome) == [(4, 1)]


def test_the_last_flag_wins_and_of_two_the_higher_number():
    flags = [flag(1, 2, 1), flag(2, 4, 1)]
    outcome = race([robot(3, 1, "E", "move_1", checkpoint=1)], span=(1, 5), checkpoints=flags)
    assert (outcome["winner"], outcome["register"], column(outcome, "checkpoint")) == (0, 1, [2])
    arms = [
        robot(3, 1, "N", "turn_left:70", checkpoint=1, options=["mechanical_arm"]),
        robot(4, 1, "N", "turn_left:90", checkpoint=1),
    ]
    assert race(arms, checkpoints=flags)["winner"] == 1


def test_mechanical_arm_reaches_the_next_flag_before_a_site_and_not_through_walls():
    arm = robot(3, 3, "N", options=["mechanical_arm"])
    flags = [flag(1, 2, 2), flag(2, 9, 5)]
    outcome = race([arm], [repair(4, 3, 2)], checkpoints=flags)
    assert (archives(outcome), column(outcome, "checkpoint")) == ([(2, 2)], [1])
    outcome = race([arm], [repair(4, 3, 2), repair(3, 3)])
    assert archives(outcome) == [(4, 3)]
    outcome = race([arm], [repair(4, 3, 2), wall(4, 3, "W")])
    assert archives(outcome) == [(3, 3)]
    # A diagonal space: out of reach only if both ways round the corner are barred.
    outcome = race([arm], [repair(4, 4), wall(3, 3, "E")])
    assert archives(outcome) == [(4, 4)]
    outcome = race([arm], [repair(4, 4), wall(3, 3, "E", "S")])
    assert archives(outcome) == [(3, 3)]


def test_a_destroyed_robot_touches_nothing():
    outcome = race([robot(2, 1, "N", damage=9), robot(2, 3, "N")], checkpoints=[flag(1, 2, 1), flag(2, 4, 1)])
    assert column(outcome, "checkpoint") == [0, 0]


# ---- Whole turns --------------------------------------------------------------------------------------------------

SPINS = ["turn_left:70", "turn_right:80", "turn_left:90", "turn_right:100", "u_turn:10"]
MORE = ["turn_left:110", "turn_left:130", "turn_left:150", "turn_left:170"]


def program(index, *cards):
    return says(index, "program", list(cards))


def test_a_turn_wipes_registers_and_discards_what_is_left():
    outcome = turn([robot(2, 1, "N", hand=SPINS + MORE)], answers=program(0, *SPINS))
    entry = outcome["robots"][0]
    assert (entry["registers"], entry["hand"]) == ([None] * 5, [])
    assert entry["discard"] == sorted(SPINS + MORE)
    assert entry["draw"] == sorted(set(DECK) - set(SPINS + MORE))
    assert (entry["facing"], outcome["register"], outcome["round"]) == ("S", 5, 1)


def test_the_hand_is_filled_from_the_deck():
    outcome = turn([robot(2, 1, "N", damage=3, hand=SPINS[:4], draw=[SPINS[4], *MORE])], answers=program(0, *SPINS))
    assert MORE[0] in outcome["robots"][0]["discard"]  # six cards were dealt
    assert MORE[1] in outcome["robots"][0]["draw"]
    with pytest.raises(Undetermined):
        turn([robot(2, 1, "N", damage=3, hand=SPINS)])


def test_locked_registers_are_not_programmed_and_stay():
    locked = robot(2, 1, "N", None, None, None, "u_turn:20", "u_turn:30", damage=6, hand=SPINS[:3])
    outcome = turn([locked], answers=program(0, *SPINS[:3], None, None) + says(0, "power_down", "no"))
    assert outcome["robots"][0]["registers"] == [None, None, None, "u_turn:20", "u_turn:30"]
    assert outcome["robots"][0]["facing"] == "W"  # left, right, left, back and back again


def test_a_repair_unlocks_a_register():
    locked = robot(2, 1, "N", None, None, None, "u_turn:20", "u_turn:30", damage=6, hand=SPINS[:3])
    outcome = turn([locked], [repair(2, 1)], answers=program(0, *SPINS[:3], None, None))
    assert outcome["robots"][0]["registers"] == [None, None, None, None, "u_turn:30"]
    assert damage(outcome) == [5]


def test_with_nine_damage_all_registers_are_locked_and_played_again():
    outcome = turn([robot(2, 1, "N", *SPINS, damage=9)])
    assert (facings(outcome), outcome["robots"][0]["registers"]) == ("S", SPINS)
    assert asked(outcome) == [(0, "power_down", "no")]


def test_a_flag_repairs_as_a_single_wrench():
    outcome = turn([robot(2, 1, "N", damage=2, hand=SPINS + MORE[:2])], checkpoints=[flag(1, 9, 5), flag(2, 2, 1)])
    assert damage(outcome) == [1]


def test_crossed_wrench_and_hammer_give_an_option_too():
    names = [name for name in OPTIONS if name != "brakes"]
    sites = [repair(2, 1, 2)]
    outcome = turn([robot(2, 1, "N", powered_down=True, options=names)], sites)
    assert outcome["robots"][0]["options"] == sorted(OPTIONS)
    with pytest.raises(Undetermined):
        turn([robot(2, 1, "N", powered_down=True)], sites)


def test_power_down_is_asked_of_damaged_robots_and_damage_goes_when_the_turn_begins():
    robots = [robot(2, 1, "N", hand=SPINS + MORE), robot(5, 5, "N", damage=7, powered_down=True)]
    outcome = turn(robots, answers=program(0, *SPINS))
    assert damage(outcome) == [0, 0]
    assert [entry[:2] for entry in asked(outcome)] == [(0, "program"), (1, "stay_down")]


def test_extra_memory_and_recompile():
    old = [*SPINS, *MORE]
    new = ["move_1:490", "move_1:500", "move_1:510", "back_up:430", "back_up:440"]
    new += ["back_up:450", "back_up:460", "back_up:470", "back_up:480", "u_turn:60"]
    memory = robot(2, 5, "E", hand=[*old, "u_turn:20"], options=["extra_memory", "recompile"], draw=new)
    outcome = turn([memory], answers=says(0, "recompile", "yes") + program(0, *new[:5]))
    assert cells(outcome) == [(3, 5)]
    assert damage(outcome) == [1]
    assert [entry[1] for entry in asked(outcome)] == ["recompile", "option_for_damage", "program", "power_down"]


def test_extra_memory_deals_a_card_to_a_robot_with_all_registers_locked():
    locked = robot(2, 1, "N", *SPINS, damage=9, options=["extra_memory", "flywheel"], draw=["turn_left:190"])
    outcome = turn([locked])
    assert asked(outcome) == [(0, "flywheel", "no"), (0, "power_down", "no")]
    assert outcome["robots"][0]["discard"] == ["turn_left:190"]


def test_recompile_with_a_register_that_its_damage_locks():
    locked = robot(2, 1, "N", None, *SPINS[1:], damage=8, hand=["turn_left:110"], draw=["turn_left:130"])
    locked["options"] = ["recompile"]
    outcome = turn([locked], answers=says(0, "recompile", "yes"))
    assert outcome["robots"][0]["registers"] == ["turn_left:130", *SPINS[1:]]


def test_recompile_by_the_tenth_token_destroys():
    locked = robot(2, 1, "N", *SPINS, damage=9, hand=["turn_left:110"], draw=["turn_left:130"], lives=2)
    locked["options"] = ["extra_memory", "recompile"]
    outcome = turn([locked, robot(8, 4, powered_down=True)], answers=says(0, "recompile", "yes"))
    assert (damage(outcome), column(outcome, "lives")) == ([2, 0], [1, 3])


def test_conditional_program_replaces_a_card_with_its_own_number():
    hand = [*SPINS, "move_1:490", *MORE[:3]]
    conditional = robot(2, 1, "E", hand=hand, options=["conditional_program"])
    answers = program(0, *SPINS) + says(0, "conditional_program", "move_1:490", "no", "yes")
    outcome = turn([conditional], answers=answers)
    # Left, then Move 1 in place of the right turn, left, right, u-turn.
    assert (cells(outcome), facings(outcome)) == ([(2, 0)], "S")
    assert "turn_right:80" in outcome["robots"][0]["discard"]


def test_an_unused_conditional_program_is_discarded_and_a_flywheel_keeps_its_card():
    both = robot(2, 1, "E", hand=SPINS + MORE, options=["conditional_program", "flywheel"])
    answers = program(0, *SPINS) + says(0, "conditional_program", MORE[0]) + says(0, "flywheel", MORE[1])
    entry = turn([both], answers=answers)["robots"][0]
    assert MORE[0] in entry["discard"]
    assert MORE[1] not in entry["discard"] + entry["draw"]


def test_circuit_breaker_looks_after_repairs():
    # Nobody sees who is powered down, but that stay_down is not asked any more.
    down = {"powered_down": True, "options": ["circuit_breaker"]}
    answers = says(0, "option_for_damage", *["no"] * 15)
    outcome = turn([robot(2, 1, "N", draw=DECK, **down)], [laser(0, 1, "E", 1)], answers=answers[:5])
    assert (damage(outcome), [entry[1] for entry in asked(outcome)]) == ([5], ["option_for_damage"] * 5)
    outcome = turn([robot(2, 1, "N", **down)], [])
    assert [entry[1] for entry in asked(outcome)] == ["stay_down"]


# ---- Re-entry -----------------------------------------------------------------------------------------------------

LEAVE = ["move_3:790", "move_3:800", "move_3:810", "u_turn:10", "u_turn:20"]


def test_a_destroyed_robot_comes_back_on_its_archive_with_two_damage():
    leaver = robot(2, 1, "N", hand=LEAVE + MORE, archive={"x": 7, "y": 4})
    outcome = turn([leaver], answers=program(0, *LEAVE) + says(0, "reboot_facing", "W"))
    assert (cells(outcome), facings(outcome), damage(outcome)) == ([(7, 4)], "W", [2])
    assert (column(outcome, "lives"), column(outcome, "destroyed")) == ([2], [True])  # in this turn
    assert [entry[1] for entry in asked(outcome)] == ["program", "reboot_facing", "reenter_powered_down"]


def test_superior_archive_saves_the_two_damage_and_the_last_life_is_the_end():
    leaver = robot(2, 1, "N", hand=LEAVE + MORE, options=["superior_archive", "brakes"])
    answers = program(0, *LEAVE) + says(0, "option_lost", "brakes")
    assert damage(turn([leaver], answers=answers)) == [0]
    outcome = turn([robot(2, 1, "N", hand=LEAVE + MORE, lives=1)], answers=program(0, *LEAVE))
    assert (cells(outcome), column(outcome, "active")) == ([None], [False])


def test_an_occupied_archive_space_leaves_the_choice_of_an_adjacent_one():
    robots = [
        robot(2, 1, "N", hand=LEAVE + MORE, archive={"x": 0, "y": 5}),
        robot(0, 5, "E", powered_down=True),
    ]
    answers = program(0, *LEAVE)
    outcome = turn(robots, [pit(0, 4)], answers=answers + says(0, "reentry_cell", "1,5"))
    assert cells(outcome) == [(1, 5), (0, 5)]
    with pytest.raises(BadScenario):  # the robot would look at the other one
        turn(robots, answers=answers + says(0, "reentry_cell", "1,5") + says(0, "reboot_facing", "W"))
    with pytest.raises(BadScenario):  # a pit
        turn(robots, [pit(0, 4)], answers=answers + says(0, "reentry_cell", "0,4"))


def test_no_adjacent_space_left_the_nearest_free_one():
    robots = [robot(5, 1, "N", hand=LEAVE + MORE, archive={"x": 0, "y": 5}), robot(0, 5, "E", powered_down=True)]
    outcome = turn(robots, [pit(0, 4), pit(1, 4), pit(1, 5)], answers=program(0, *LEAVE))
    assert cells(outcome) == [(0, 3), (0, 5)]


def test_re_entry_in_the_order_of_destruction():
    archive = {"x": 7, "y": 4}
    other = ["turn_left:190", "move_3:820", "move_3:830", "move_3:840", "u_turn:30"]
    more = ["turn_left:210", "turn_left:230", "turn_left:250", "turn_left:270"]
    robots = [
        robot(2, 1, "E", hand=other + more, archive=archive),  # leaves in register 2
        robot(5, 1, "N", hand=LEAVE + MORE, archive=archive),  # leaves in register 1
    ]
    outcome = turn(robots, answers=program(0, *other) + program(1, *LEAVE))
    assert cells(outcome) == [(6, 3), (7, 4)]  # the first by rows


# ---- Special rules ------------------------------------------------------------------------------------------------


def test_moving_flags_are_carried_and_come_back_after_a_fall():
    drawing = {"special_rules": ["moving_flags"], "checkpoints": [flag(1, 2, 1), flag(2, 9, 5)]}
    outcome = race([robot(3, 1)], [belt(2, 1, "E")], **drawing)
    assert (column(outcome, "checkpoint"), archives(outcome)) == ([1], [(3, 1)])
    # Register 1: to (3, 1); register 2: into the pit; register 3: back at (2, 1), then to (3, 1) again.
    elements = [belt(2, 1, "E"), belt(3, 1, "E"), pit(4, 1)]
    arm = {"options": ["mechanical_arm"]}
    in_time = robot(3, 5, "N", None, None, "move_3", **arm)
    too_late = robot(3, 5, "N", None, "move_3", **arm)
    assert column(race([in_time], elements, span=(1, 3), **drawing), "checkpoint") == [1]
    assert column(race([too_late], elements, span=(1, 2), **drawing), "checkpoint") == [0]
    assert column(race([too_late], elements, span=(1, 3), **drawing), "checkpoint") == [1]


def test_a_fallen_flag_cannot_be_touched_in_its_phase():
    drawing = {"special_rules": ["moving_flags"], "checkpoints": [flag(1, 0, 1), flag(2, 9, 5)]}
    arm = robot(0, 2, "E", options=["mechanical_arm"])
    outcome = race([arm], [belt(0, 1, "W")], **drawing)
    assert (column(outcome, "checkpoint"), archives(outcome)) == ([0], [(0, 2)])
    outcome = race([arm], [belt(0, 1, "W"), wall(0, 1, "W")], **drawing)
    assert column(outcome, "checkpoint") == [1]


def test_double_lasers():
    robots = [robot(4, 1, "E", options=["double_barreled_laser", "rear_firing_laser"]), robot(6, 1), robot(2, 1)]
    assert damage(race(robots, special_rules=["double_lasers"])) == [0, 4, 2]


def test_the_superbot_fires_double_and_alone_gets_credit():
    robots = [robot(4, 1, "E"), robot(6, 1), robot(4, 3, "W"), robot(2, 3)]
    flags = [flag(1, 6, 1), flag(2, 4, 1)]
    outcome = race(robots, special_rules=["superbot"], checkpoints=flags)
    assert damage(outcome) == [0, 2, 0, 1]
    assert column(outcome, "checkpoint") == [0, 0, 0, 0]
    assert archives(outcome)[1] == (6, 1)


def test_the_superbot_passes_to_the_robot_that_pushed_it_off():
    robots = [robot(1, 0, "N"), robot(1, 1, "N", "move_1"), robot(9, 5, "N")]
    flags = [flag(1, 1, 0), flag(2, 9, 0)]
    outcome = race(robots, special_rules=["superbot"], checkpoints=flags)
    assert (cells(outcome)[:2], column(outcome, "checkpoint")) == ([None, (1, 0)], [0, 1, 0])


def test_of_several_shooters_the_lowest_number_becomes_the_superbot():
    robots = [
        robot(4, 1, "S", damage=9),
        robot(2, 1, "S", "turn_left:110"),  # then it looks east
        robot(6, 1, "S", "turn_right:80"),  # then it looks west
    ]
    flags = [flag(1, 6, 1), flag(2, 2, 1)]
    outcome = race(robots, special_rules=["superbot"], checkpoints=flags)
    assert cells(outcome)[0] is None
    assert column(outcome, "checkpoint") == [0, 0, 1]
    flags = [flag(1, 2, 1), flag(2, 6, 1)]
    assert column(race(robots, special_rules=["superbot"], checkpoints=flags), "checkpoint") == [0, 0, 0]


def test_the_superbot_is_repaired_each_turn():
    cards = robot(2, 1, "N", hand=SPINS, damage=4)
    assert damage(turn([cards], answers=program(0, *SPINS), special_rules=["superbot"])) == [0]


def test_shared_flags_count_for_the_team():
    robots = [robot(2, 1, team=0), robot(4, 1, team=1), robot(6, 1, team=0)]
    flags = [flag(1, 2, 1), flag(2, 6, 1)]
    outcome = race(robots, special_rules=["shared_flags"], checkpoints=flags)
    assert column(outcome, "checkpoint") == [1, 0, 1]  # flag 2 does not count in the same phase
    outcome = race(robots, span=(1, 2), special_rules=["shared_flags"], checkpoints=flags)
    assert (column(outcome, "checkpoint"), outcome["winner"], outcome["register"]) == ([2, 0, 2], 2, 2)


def test_claims_in_any_order():
    robots = [robot(2, 1, team=0), robot(4, 1, team=1), robot(6, 1, team=0)]
    flags = [flag(1, 6, 1), flag(2, 2, 1)]
    outcome = race(robots, special_rules=["claims"], checkpoints=flags)
    assert (outcome["winner"], column(outcome, "checkpoint")) == (0, [2, 0, 2])
    flags = [flag(1, 6, 1), flag(2, 4, 1)]
    assert race(robots, special_rules=["claims"], checkpoints=flags)["winner"] is None


def test_the_last_team_standing_wins():
    robots = [robot(0, 0, "N", "move_1", lives=1, team=0), robot(4, 1, team=1), robot(6, 1, team=1)]
    assert race(robots, special_rules=["last_team_standing"], span=(1, 5))["winner"] == 1
    robots[0]["lives"] = 2
    assert race(robots, special_rules=["last_team_standing"], span=(1, 5))["winner"] is None


def test_sit_out_and_no_power_down():
    leaver = robot(2, 1, "N", hand=LEAVE + MORE)
    outcome = turn([leaver], answers=program(0, *LEAVE), special_rules=["sit_out"])
    assert (cells(outcome), column(outcome, "destroyed")) == ([None], [True])
    damaged = robot(2, 1, "N", hand=SPINS, damage=4)
    assert [entry[1] for entry in asked(turn([damaged], special_rules=["no_power_down"]))] == ["program"]


def test_options_for_repairs():
    names = [name for name in OPTIONS if name not in ("brakes", "flywheel")]
    outcome = turn(
        [robot(2, 1, "N", damage=0, powered_down=True, options=names)],
        [repair(2, 1, 2)],
        special_rules=["options_for_repairs"],
    )
    assert outcome["robots"][0]["options"] == sorted(OPTIONS)


def test_start_damage_is_the_damage_of_a_robot_that_names_none():
    assert damage(race([robot(2, 1), robot(4, 3, damage=0)], special_rules=["start_damage"])) == [2, 0]


# ---- What is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"robots": [robot(1, 1, "N", "again")]},
        {"robots": [robot(1, 1, "N", "move_1:700")]},
        {"robots": [robot(1, 1, "N", "move_1:490", "move_1:490")]},
        {"robots": [robot(1, 1, "N", options=["rail_gun"])]},
        {"robots": [robot(1, 1, options=["brakes"]), robot(2, 2, options=["brakes"])]},
        {"robots": [robot(1, 1)], "elements": [{"kind": "energy", "x": 0, "y": 0}]},
        {"robots": [robot(1, 1)], "special_rules": ["no_rules"]},
        {"robots": [robot(1, 1)], "answers": says(0, "brakes", "yes")},
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(BadScenario):
        race(**wrong)
