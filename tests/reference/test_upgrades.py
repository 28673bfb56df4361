"""The reference itself, against the cards and the rulings: upgrades, energy and special programming cards."""

import pytest

from .race2016 import BadScenario, NeedsChance, Race
from .scenes import asked, cells, column, facings, game, pit, robot, says, spam, token, wall
from .upgrades import COST, PERMANENT, ROUTINES, TEMPORARY


def taken(outcome, index=0):
    """The damage cards that a robot took, kinds that it took none of left out."""
    return {kind: count for kind, count in outcome["robots"][index]["taken"].items() if count}


def bare(x, y, facing="E", *upgrades, **more):
    """A robot with upgrades and five empty registers."""
    return robot(x, y, facing, upgrades=list(upgrades), **more)


def mover(x, y, facing, card, *upgrades, **more):
    """A robot with upgrades and one card."""
    return robot(x, y, facing, card, upgrades=list(upgrades), **more)


DRAW_PILE = ["move_1", "turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_2", "move_3", "again", "again"]

WHOLE_DECK = [
    *["turn_left"] * 3,
    *["turn_right"] * 3,
    *["u_turn", "power_up", "back_up"],
    *["move_1"] * 5,
    *["move_2"] * 3,
    *["move_3", "again", "again"],
]


def at_hand(*upgrades, draw=WHOLE_DECK, **more):
    """A robot that draws a hand."""
    return {"x": 4, "y": 3, "facing": "E", "draw": list(draw), "upgrades": list(upgrades), **more}


# ---- The box and scenario files -----------------------------------------------------------------------------------


def test_the_box_holds_forty_upgrades():
    assert (len(PERMANENT), len(TEMPORARY), len(COST), len(ROUTINES)) == (24, 16, 40, 6)
    assert list(PERMANENT) == sorted(PERMANENT)
    assert list(TEMPORARY) == sorted(TEMPORARY)


@pytest.mark.parametrize(
    "upgrades",
    [
        ["laser_of_doom"],
        ["brakes", "brakes"],
        ["brakes", "firewall", "rail_gun", "scrambler"],
        ["boink", "hack", "zoop", "refresh"],
    ],
)
def test_upgrades_that_cannot_be_are_refused(upgrades):
    with pytest.raises(BadScenario):
        game([bare(1, 1, "E", *upgrades)])


def test_a_game_without_upgrades_refuses_them():
    for more in ({"shop": []}, {"start": 1}, {}):
        entry = bare(1, 1) if not more else robot(1, 1)
        scene = {
            "map": {"width": 5, "height": 5},
            "robots": [entry],
            "play": {"rounds": 1, **({"start": "upgrade"} if "start" in more else {})},
            "rules": {"upgrades": False},
            **({"shop": []} if "shop" in more else {}),
        }
        with pytest.raises(BadScenario):
            Race(scene)
    with pytest.raises(BadScenario):
        game([robot(1, 1, "E", "energy_routine")], rules={"upgrades": False})


def test_an_illegal_answer_and_one_never_asked_for_are_errors():
    with pytest.raises(BadScenario, match="boink"):
        game([bare(1, 1, "E", "boink")], answers=says(0, "boink", "left"))
    with pytest.raises(BadScenario, match="zoop"):
        game([bare(1, 1, "E", "boink")], answers=says(0, "zoop", "N"))


def test_a_routine_among_the_upgrades_lies_in_the_discard_pile():
    outcome = game([at_hand("spam_folder_routine", "brakes")], span=None)
    mat = outcome["robots"][0]
    assert (mat["upgrades"], mat["discard"].count("spam_folder")) == (["brakes"], 1)


# ---- Upgrade phase ------------------------------------------------------------------------------------------------


def shopping(entries, shop, answers=(), **more):
    """A round on a large floor that begins with the upgrade phase."""
    return game(entries, span=None, shop=shop, answers=answers, **more)


def test_upgrades_are_bought_in_priority_order():
    entries = [at_hand(energy=3), at_hand(energy=3, x=6)]
    answers = says(0, "buy_upgrade", "no") + says(1, "buy_upgrade", "brakes")
    outcome = shopping(entries, ["brakes", "zoop"], answers, order=[1, 0])
    assert asked(outcome)[:2] == [(1, "buy_upgrade", "brakes"), (0, "buy_upgrade", "no")]
    assert (column(outcome, "upgrades"), column(outcome, "energy")) == ([[], ["brakes"]], [3, 0])
    assert outcome["shop"] == ["zoop"]


def test_what_costs_too_much_is_not_offered():
    with pytest.raises(BadScenario, match="buy_upgrade"):
        shopping([at_hand(energy=2)], ["brakes"], says(0, "buy_upgrade", "brakes"))
    assert asked(shopping([at_hand(energy=2)], ["brakes"]))[0][1] == "program"


def test_at_three_of_a_type_one_is_replaced():
    owned = ["memory_stick", "firewall", "crab_legs"]
    entry = at_hand(*owned, draw=DRAW_PILE)
    buys = says(0, "buy_upgrade", "virus_module")
    outcome = shopping([entry], ["virus_module"], buys)
    assert asked(outcome)[:2] == [(0, "buy_upgrade", "virus_module"), (0, "replace_upgrade", "firewall")]
    assert outcome["robots"][0]["upgrades"] == ["crab_legs", "memory_stick", "virus_module"]
    outcome = shopping([entry], ["virus_module"], buys + says(0, "replace_upgrade", "memory_stick"))
    assert outcome["robots"][0]["upgrades"] == ["crab_legs", "firewall", "virus_module"]
    outcome = shopping([entry], ["zoop"], says(0, "buy_upgrade", "zoop"))
    assert "replace_upgrade" not in [entry[1] for entry in asked(outcome)]


def test_a_routine_that_is_bought_goes_to_the_discard_pile():
    for upgrade, card in ROUTINES.items():
        outcome = shopping([at_hand()], [upgrade], says(0, "buy_upgrade", upgrade))
        mat = outcome["robots"][0]
        assert (mat["upgrades"], mat["discard"].count(card), outcome["shop"]) == ([], 1, [])
        assert mat["energy"] == 5 - COST[upgrade]


def test_the_shop_is_filled_from_a_deck_that_only_a_shuffle_can_tell():
    with pytest.raises(NeedsChance):
        shopping([at_hand()], [])
    with pytest.raises(BadScenario):
        shopping([at_hand()], ["brakes", "zoop"])


def whole_box_but(*left):
    """Five robots with all upgrades but these."""
    permanent = [name for name in PERMANENT if name not in left]
    temporary = [name for name in TEMPORARY if name not in left and name not in ROUTINES]
    entries = [at_hand(x=x, energy=0) for x in (0, 1, 2, 3, 5, 6, 7, 8)]
    for place, name in enumerate(permanent + temporary):
        entries[place % 8]["upgrades"].append(name)
    entries[0]["upgrades"] += [name for name in ROUTINES if name not in left]
    return entries


def test_the_last_cards_of_the_deck_all_come():
    outcome = shopping(whole_box_but("recharge", "zoop"), ["zoop"])
    assert asked(outcome)[0] == (0, "buy_upgrade", "no")
    assert outcome["shop"] == ["recharge", "zoop"]


def test_a_row_that_nobody_bought_from_leaves_the_game():
    for buys, left in (([], []), (says(0, "buy_upgrade", "hack"), ["brakes", "zoop"])):
        race = Race({"map": {"width": 9, "height": 9}, "robots": [bare(1, 1), bare(2, 1), bare(3, 1)],
                     "play": {"rounds": 1}, "shop": ["brakes", "hack", "zoop"], "answers": buys})  # fmt: skip
        race.shop.deck = []
        race.upgrade_phase()
        race.upgrade_phase()
        assert sorted(race.shop.row) == left


# ---- Programming phase --------------------------------------------------------------------------------------------


def test_two_rounds_are_played():
    play = {"rounds": 2}
    entry = {"x": 4, "y": 3, "facing": "E", "draw": WHOLE_DECK}
    scene = {"map": {"width": 10, "height": 6}, "robots": [entry], "play": play, "rules": {"upgrades": False}}
    race = Race(scene)
    race.run()
    assert race.outcome()["round"] == 2
    assert [entry[1] for entry in asked(race.outcome())].count("program") == 2
    with pytest.raises(NeedsChance):
        Race({**scene, "rules": {}}).run()  # the second shop


def test_memory_stick_draws_ten():
    outcome = game([at_hand("memory_stick"), at_hand(x=1, y=0)], span=None)
    assert [len(mat["discard"]) for mat in outcome["robots"]] == [10, 9]


def test_cache_memory_lays_cards_on_the_deck_before_and_after_programming():
    answers = says(0, "cache_memory", ["u_turn", "turn_left"], "no", ["power_up"])
    outcome = game([at_hand("cache_memory")], span=None, answers=answers)
    said = [entry for entry in asked(outcome) if entry[1] == "cache_memory"]
    assert [choice for _, _, choice in said] == [["u_turn", "turn_left"], "no", ["power_up"]]
    assert len(outcome["robots"][0]["discard"]) == 6
    with pytest.raises(BadScenario, match="cache_memory"):
        game([at_hand("cache_memory")], span=None, answers=says(0, "cache_memory", WHOLE_DECK[:5]))


def test_cache_memory_decides_what_is_drawn():
    entry = robot(1, 1, "E", "spam", upgrades=["cache_memory"], hand=["move_1", "move_3"], draw=["move_2"])
    outcome = game([entry], span=None, answers=says(0, "cache_memory", ["move_3", "move_1"]))
    assert cells(outcome) == [(4, 1)]


def test_defrag_gizmo_replaces_one_damage_card_a_round():
    entry = at_hand("defrag_gizmo", hand=["worm", "spam"])
    outcome = game([entry], span=None, answers=says(0, "defrag_gizmo", "worm"))
    said = [entry for entry in asked(outcome) if entry[1] == "defrag_gizmo"]
    assert said == [(0, "defrag_gizmo", "worm")]
    assert outcome["robots"][0]["discard"].count("worm") == 0
    assert len(outcome["robots"][0]["draw"]) == len(WHOLE_DECK) - 7 - 1 - 1  # hand, Worm, SPAM


def test_memory_swap_draws_three_and_puts_three_on_top():
    entry = robot(1, 1, "E", "spam", upgrades=["memory_swap"], draw=["move_1", "move_2", "move_3"])
    outcome = game([entry], span=None, answers=says(0, "memory_swap", ["move_3", "move_1", "move_2"]))
    assert (cells(outcome), outcome["robots"][0]["upgrades"]) == ([(4, 1)], [])
    with pytest.raises(BadScenario, match="memory_swap"):
        game([entry], span=None, answers=says(0, "memory_swap", ["move_3", "move_1"]))


def test_recompile_draws_a_new_hand():
    program = ["power_up", "back_up", "u_turn", "turn_right", "turn_right"]
    entry = at_hand("recompile", hand=["move_1"] * 5, draw=[card for card in WHOLE_DECK if card != "move_1"])
    outcome = game([entry], span=None, answers=says(0, "recompile", "yes") + says(0, "program", program))
    assert outcome["robots"][0]["energy"] == 6


def test_spam_blocker_replaces_all_spam():
    entry = at_hand("spam_blocker", hand=["spam"] * 3, draw=[*DRAW_PILE[:6], "spam", *DRAW_PILE[6:]])
    outcome = game([entry], span=None, answers=says(0, "spam_blocker", "yes"))
    mat = outcome["robots"][0]
    assert (mat["discard"].count("spam"), len(mat["discard"])) == (1, 9)
    assert [entry for entry in asked(outcome) if entry[1] == "spam_blocker"] == [(0, "spam_blocker", "yes")]


def test_recharge_gives_three_energy():
    outcome = game([bare(1, 1, "E", "recharge", energy=0)], answers=says(0, "recharge", "no", "yes"))
    assert column(outcome, "energy") == [3]


def test_hand_upgrades_are_asked_in_passes_until_one_was_idle():
    entry = at_hand("recharge", "memory_swap", "spam_blocker", hand=["spam"])
    outcome = game([entry], span=None, answers=says(0, "recharge", "yes"))
    names = ["memory_swap", "recharge", "spam_blocker", "memory_swap", "spam_blocker", "program"]
    assert [entry[1] for entry in asked(outcome)][:6] == names


# ---- The turn order -----------------------------------------------------------------------------------------------


def racers(*upgrades):
    """Three robots that want one cell; the upgrades of the second and third."""
    return [
        robot(3, 1, "E", "move_1"),
        robot(5, 1, "W", "move_1", upgrades=list(upgrades[0])),
        robot(4, 2, "N", "move_1", upgrades=list(upgrades[1])),
    ]


def test_admin_privilege_and_manual_sort_come_first():
    assert cells(game(racers([], []), [wall(4, 1, "N")])) == [(3, 1), (4, 1), (4, 2)]
    answers = says(1, "admin_privilege", "yes") + says(2, "manual_sort", "yes")
    outcome = game(racers(["admin_privilege"], ["manual_sort"]), [wall(4, 1, "N")], answers=answers)
    assert asked(outcome) == [(1, "admin_privilege", "yes"), (2, "manual_sort", "yes")]
    # The third steps up, the second pushes it and the first to the left, the first pushes all to the right.
    assert cells(outcome) == [(3, 1), (5, 1), (4, 1)]


def test_the_order_of_the_register_is_manual_sort_then_admin_privilege_then_the_rest():
    race = Race({"map": {"width": 9, "height": 9}, "robots": racers(["admin_privilege"], ["manual_sort"]),
                 "play": {"from": 1, "to": 1},
                 "answers": says(1, "admin_privilege", "yes") + says(2, "manual_sort", "yes")})  # fmt: skip
    assert [entry.index for entry in race.settle_turn_order()] == [2, 1, 0]
    assert [entry.index for entry in race.settle_turn_order()] == [0, 1, 2]  # once a round; out of play


def test_the_first_robot_is_not_asked_unless_another_can_overtake_it():
    robots = [bare(1, 1, "N", "admin_privilege"), bare(5, 5, "N")]
    assert asked(game(robots)) == []
    robots[1]["upgrades"] = ["manual_sort"]
    assert [entry[:2] for entry in asked(game(robots))] == [(0, "admin_privilege"), (1, "manual_sort")]


def test_deflector_shield_stops_shots_for_one_energy():
    robots = [bare(1, 1, "E"), bare(4, 1, "N", "deflector_shield", energy=1)]
    assert spam(game(robots)) == [0, 1]
    outcome = game(robots, answers=says(1, "deflector_shield", "yes"), span=(1, 2))
    assert (spam(outcome), column(outcome, "energy")) == ([0, 1], [5, 0])
    assert asked(outcome) == [(1, "deflector_shield", "yes")]
    assert asked(game(robots[1:])) == []


# ---- Temporary upgrades in a turn ---------------------------------------------------------------------------------


def test_boink_steps_in_any_direction_and_pushes():
    robots = [bare(1, 1, "E", "boink"), bare(1, 2, "E")]
    outcome = game(robots, answers=says(0, "boink", "S"))
    assert (cells(outcome), facings(outcome)) == ([(1, 2), (1, 3)], "EE")
    with pytest.raises(BadScenario, match="boink"):
        game(robots, [wall(1, 2, "S")], answers=says(0, "boink", "S"))


def test_boink_off_the_board_before_the_card_loses_the_card():
    entry = mover(0, 1, "E", "power_up", "boink")
    outcome = game([entry], answers=says(0, "boink", "W"), reboots=[token(5, 3, "N")])
    assert (cells(outcome), column(outcome, "energy")) == ([(5, 3)], [5])
    assert outcome["robots"][0]["registers"][0] is None


def test_hack_carries_out_the_action_again():
    outcome = game([mover(1, 1, "E", "move_2", "hack")], answers=says(0, "hack", "yes"))
    assert cells(outcome) == [(5, 1)]
    assert asked(game([bare(1, 1, "E", "hack")])) == []


def test_an_again_repeats_the_card_not_its_hack():
    entry = robot(1, 1, "E", "move_2", "again", upgrades=["hack"])
    outcome = game([entry], span=(1, 2), answers=says(0, "hack", "yes"))
    assert cells(outcome) == [(7, 1)]
    outcome = game([entry], span=(1, 2), answers=says(0, "hack", "no", "yes"))
    assert cells(outcome) == [(7, 1)]


def test_zoop_turns_before_or_after_the_card():
    entry = mover(2, 2, "E", "move_1", "zoop")
    assert cells(game([entry], answers=says(0, "zoop", "S"))) == [(2, 3)]
    outcome = game([entry], answers=says(0, "zoop", "no", "S"))
    assert (cells(outcome), facings(outcome)) == ([(3, 2)], "S")


def test_reboot_takes_no_spam():
    entry = robot(1, 1, "E", "move_1", "move_1", upgrades=["reboot", "zoop"])
    outcome = game([entry], span=(1, 2), answers=says(0, "reboot", "no", "yes"), reboots=[token(5, 3, "S")])
    assert (cells(outcome), spam(outcome)) == ([(5, 3)], [0])
    assert outcome["robots"][0]["registers"] == ["move_1", None, None, None, None]
    outcome = game([entry], answers=says(0, "reboot", "yes"), reboots=[token(5, 3, "S")])
    assert outcome["robots"][0]["registers"] == [None] * 5
    assert [entry[1] for entry in asked(outcome)] == ["reboot", "reboot_facing"]


def test_refresh_changes_what_the_card_does():
    outcome = game([mover(1, 1, "E", "turn_left", "refresh")], answers=says(0, "refresh", "move_3"))
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(4, 1)], "turn_left")
    with pytest.raises(BadScenario, match="refresh"):
        game([mover(1, 1, "E", "turn_left", "refresh")], answers=says(0, "refresh", "again"))
    assert asked(game([bare(1, 1, "E", "refresh")])) == []


def test_a_refreshed_damage_card_goes_back_and_is_no_damage_register():
    entry = robot(1, 1, "E", "worm", "again", upgrades=["refresh"])
    outcome = game([entry], span=(1, 2), answers=says(0, "refresh", "move_2"))
    assert (cells(outcome), outcome["robots"][0]["registers"][:2]) == ([(5, 1)], [None, "again"])


def test_refresh_to_again_repeats():
    entry = robot(1, 1, "E", "move_2", "spam", upgrades=["refresh"])
    assert cells(game([entry], span=(1, 2), answers=says(0, "refresh", "no", "again"))) == [(5, 1)]


def test_a_rebooted_robot_is_asked_nothing():
    entry = robot(9, 1, "E", "move_1", "move_1", upgrades=["hack", "zoop", "brakes"])
    outcome = game([entry], span=(1, 2), reboots=[token(5, 3, "S")])
    assert [entry[1] for entry in asked(outcome)] == ["zoop", "brakes", "reboot_facing"]


# ---- Special programming cards ------------------------------------------------------------------------------------


def test_energy_and_speed_routine():
    outcome = game([robot(1, 1, "E", "energy_routine", "speed_routine")], span=(1, 2))
    assert (cells(outcome), column(outcome, "energy")) == ([(4, 1)], [6])


def test_repeat_routine_is_an_again():
    outcome = game([robot(1, 1, "E", "move_2", "repeat_routine", "again")], span=(1, 3))
    assert cells(outcome) == [(7, 1)]
    outcome = game([robot(1, 1, "E", "repeat_routine", draw=["repeat_routine", "move_2"])])
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(3, 1)], "move_2")
    hand = ["repeat_routine", *["move_1"] * 4]
    with pytest.raises(BadScenario, match="program"):
        game([at_hand(hand=hand, draw=DRAW_PILE[1:])], span=None, answers=says(0, "program", hand))


def test_weasel_and_sandbox_routine_ask_anew_when_repeated():
    answers = says(0, "weasel_routine", "turn_left", "u_turn")
    outcome = game([robot(1, 1, "E", "weasel_routine", "again")], span=(1, 2), answers=answers)
    assert facings(outcome) == "S"
    answers = says(0, "sandbox_routine", "move_3", "turn_left")
    outcome = game([robot(1, 1, "E", "sandbox_routine", "again")], span=(1, 2), answers=answers)
    assert (cells(outcome), facings(outcome)) == ([(4, 1)], "N")
    with pytest.raises(NeedsChance):
        game([robot(1, 1, "E", "sandbox_routine")])
    with pytest.raises(BadScenario, match="weasel"):
        game([robot(1, 1, "E", "weasel_routine")], answers=says(0, "weasel_routine", "move_1"))


def test_spam_folder_puts_one_spam_back():
    outcome = game([robot(1, 1, "E", "spam_folder", discard=["spam", "spam"])], span=None)
    assert outcome["robots"][0]["discard"] == ["spam", "spam_folder"]
    outcome = game([robot(1, 1, "E", "spam_folder")], span=None)
    assert outcome["robots"][0]["discard"] == ["spam_folder"]


# ---- Moves --------------------------------------------------------------------------------------------------------


def test_brakes_hold_a_move_1():
    entry = mover(1, 1, "E", "move_1", "brakes")
    assert cells(game([entry], answers=says(0, "brakes", "yes"))) == [(1, 1)]
    assert cells(game([entry])) == [(2, 1)]
    assert asked(game([entry], [wall(1, 1, "E")])) == []
    answers = says(0, "sandbox_routine", "move_1") + says(0, "brakes", "yes")
    assert cells(game([mover(1, 1, "E", "sandbox_routine", "brakes")], answers=answers)) == [(1, 1)]


def test_crab_legs_step_ahead_aside_ahead():
    entry = mover(2, 2, "E", "move_1", "crab_legs")
    assert cells(game([entry], answers=says(0, "crab_legs", "left"))) == [(4, 1)]
    assert cells(game([entry], answers=says(0, "crab_legs", "right"))) == [(4, 3)]
    assert cells(game([entry], [wall(3, 2, "S")], answers=says(0, "crab_legs", "right"))) == [(3, 2)]
    both = mover(2, 2, "E", "move_1", "crab_legs", "brakes")
    assert [entry[1] for entry in asked(game([both]))] == ["brakes", "crab_legs"]


def test_teleporter_passes_everything_and_swaps():
    entry = mover(1, 1, "E", "move_3", "teleporter", energy=2)
    elements = [wall(1, 1, "E"), pit(2, 1)]
    outcome = game([entry, bare(4, 1, "N")], elements, answers=says(0, "teleporter", "yes"))
    assert (cells(outcome), column(outcome, "energy"), spam(outcome)) == ([(4, 1), (1, 1)], [1, 5], [0, 0])
    assert asked(game([entry], [pit(4, 1), wall(1, 1, "E")])) == []
    assert asked(game([{**entry, "energy": 0}])) == []
    assert asked(game([mover(0, 1, "E", "back_up", "teleporter")], [wall(0, 1, "W")])) == []


def test_hover_unit_passes_pits_and_falls_when_it_ends_on_one():
    entry = mover(1, 1, "E", "move_3", "hover_unit")
    assert column(game([entry], [pit(2, 1), pit(3, 1)]), "rebooted") == [False]
    assert column(game([entry], [pit(4, 1)]), "rebooted") == [True]
    crossed = game([mover(1, 1, "E", "move_2"), bare(2, 1, "N", "hover_unit")], [pit(3, 1)])
    assert (column(crossed, "rebooted"), cells(crossed)) == ([True, False], [(1, 1), (4, 1)])


def test_hover_unit_does_not_help_off_the_board():
    assert column(game([mover(8, 1, "E", "move_2", "hover_unit")]), "rebooted") == [True]


def test_a_line_with_a_hovering_robot_may_lose_two_by_one_step():
    robots = [mover(1, 1, "E", "move_3"), bare(2, 1, "N"), bare(3, 1, "N", "hover_unit")]
    elements = [pit(4, 1), pit(5, 1)]
    # Step one: the third hovers over the first pit. Step two: the second falls, the third hovers over the next pit.
    # Step three: the first falls. The card ends, and so does the hovering.
    outcome = game(robots, elements, reboots=[token(8, 4, "N")])
    assert [entry[0] for entry in asked(outcome)] == [1, 0, 2]
    assert spam(outcome)[2] >= 2


def test_firewall_takes_no_spam_the_first_time():
    outcome = game([mover(9, 1, "E", "move_1", "firewall")])
    assert spam(outcome) == [0]
    robots = [mover(1, 1, "E", "worm", "firewall"), robot(8, 4, "E", "move_1")]
    assert spam(game(robots, reboots=[token(9, 4, "N")])) == [2, 0]  # pushed off the token


# ---- Pushes -------------------------------------------------------------------------------------------------------


def pushing(*upgrades, card="move_2", others=(), pushed=(), answers=(), elements=(), **more):
    """A robot that pushes another; lasers hit nobody."""
    first = mover(1, 1, "E", card, *upgrades)
    return game([first, bare(2, 1, "N", *pushed, **more), *others], [wall(9, 1, "W"), *elements], answers=answers)


def test_push_cards_deal_once_a_card_and_robot():
    outcome = pushing("ramming_gear", "virus_module")
    assert taken(outcome, 1) == {"spam": 2, "virus": 1}  # one SPAM of them by the laser
    outcome = pushing("ramming_gear", others=[bare(3, 1, "N")])
    assert spam(outcome) == [0, 2, 0]  # the robot touched, not the one behind it


def test_a_robot_that_is_blocked_is_not_pushed():
    assert taken(pushing("virus_module", card="move_1", elements=[wall(2, 1, "E")]), 1) == {"spam": 1}


def test_hack_and_boink_are_cards_of_their_own():
    answers = says(0, "hack", "yes")
    assert taken(pushing("virus_module", "hack", card="move_1", answers=answers), 1)["virus"] == 2
    answers = says(0, "boink", "E")
    assert taken(pushing("virus_module", "boink", card="move_1", answers=answers), 1)["virus"] == 2


def test_trojan_needler_takes_the_place_of_ramming_gears_spam():
    outcome = pushing("ramming_gear", "trojan_needler", "rear_laser", card="move_1")
    assert taken(outcome, 1) == {"trojan_horse": 2}  # push and shot
    answers = says(0, "blue_screen_of_death", "yes", "yes")
    outcome = pushing("ramming_gear", "trojan_needler", "blue_screen_of_death", card="move_1", answers=answers)
    assert taken(outcome, 1) == {"worm": 2, "spam": 1}


def test_corruption_wave_lays_spam_on_the_deck():
    answers = says(0, "corruption_wave", "yes", "yes")
    first = mover(1, 1, "E", "move_1", "ramming_gear", "corruption_wave")
    race = Race({"map": {"width": 9, "height": 4}, "robots": [first, bare(2, 1, "N", draw=["move_1"])],
                 "play": {"from": 1, "to": 1}, "answers": answers})  # fmt: skip
    race.run()
    assert race.robots[1].draw_pile == ["spam", "spam", "move_1"]
    full = bare(2, 1, "N", discard=["spam"] * 38)
    assert asked(game([first, full])) == [(1, "damage_kind", "trojan_horse")] * 2


def test_side_arms_push_aside():
    answers = says(0, "side_arms", "left")
    outcome = pushing("side_arms", answers=answers)
    assert cells(outcome) == [(3, 1), (2, 0)]
    outcome = pushing("side_arms", "virus_module", answers=answers, elements=[wall(2, 1, "E")], card="move_1")
    assert (cells(outcome), taken(outcome, 1)) == ([(2, 1), (2, 0)], {"virus": 1})
    with pytest.raises(BadScenario, match="side_arms"):
        pushing("side_arms", answers=answers, elements=[wall(2, 1, "N")])
    assert asked(pushing("side_arms")) == [(0, "side_arms", "no")]
    answers = says(0, "side_arms", "right")
    behind = pushing("side_arms", card="back_up", others=[bare(0, 1, "N")], answers=answers)
    assert cells(behind) == [(0, 1), (2, 1), (0, 2)]


def test_side_arms_make_a_blocked_move_1_possible():
    elements = [wall(2, 1, "E")]
    assert asked(pushing("brakes", card="move_1", elements=elements)) == []
    assert asked(pushing("brakes", "side_arms", card="move_1", elements=elements))[0] == (0, "brakes", "no")


def test_modular_chassis_is_exchanged():
    answers = says(0, "modular_chassis", "firewall")
    outcome = pushing("modular_chassis", pushed=["firewall", "zoop"], answers=answers)
    race = Race({"map": {"width": 9, "height": 4}, "play": {"from": 1, "to": 1}, "answers": answers,
                 "robots": [mover(1, 1, "E", "move_2", "modular_chassis"),
                            bare(2, 1, "N", "firewall", "zoop")]})  # fmt: skip
    race.run()
    assert [entry.upgrades for entry in race.robots] == [["firewall"], ["zoop", "modular_chassis"]]
    assert asked(outcome)[0] == (0, "modular_chassis", "firewall")
    assert asked(pushing("modular_chassis")) == []


def test_modular_chassis_respects_the_limits_and_takes_the_mark_along():
    full = ["brakes", "firewall", "admin_privilege", "zoop"]
    with pytest.raises(BadScenario, match="modular_chassis"):
        pushing("modular_chassis", pushed=full, answers=says(0, "modular_chassis", "zoop"))
    robots = [mover(1, 1, "E", "move_1", "modular_chassis"), bare(2, 1, "N", *full[2:])]
    answers = says(1, "admin_privilege", "yes") + says(0, "modular_chassis", "admin_privilege")
    outcome = game(robots, answers=answers, span=(1, 2), order=[0, 1])
    assert [entry[1] for entry in asked(outcome)].count("admin_privilege") == 1


# ---- Weapons ------------------------------------------------------------------------------------------------------


def shooting(*upgrades, answers=(), elements=(), others=(), distance=2, **more):
    """A robot that shoots another."""
    energy = more.pop("energy", 5)
    first = bare(3, 1, "E", *upgrades, energy=energy)
    return game([first, bare(3 + distance, 1, "N", **more), *others], elements, answers=answers)


def test_double_barrel_laser_deals_one_more():
    assert spam(shooting("double_barrel_laser")) == [0, 2]


def test_trojan_needler_replaces_the_first_spam_of_a_hit():
    assert taken(shooting("trojan_needler", "double_barrel_laser"), 1) == {"trojan_horse": 1, "spam": 1}


def test_blue_screen_of_death_replaces_it_at_distance_one():
    answers = says(0, "blue_screen_of_death", "yes")
    outcome = shooting("blue_screen_of_death", "trojan_needler", "double_barrel_laser", distance=1, answers=answers)
    assert taken(outcome, 1) == {"worm": 1, "spam": 1}
    assert asked(shooting("blue_screen_of_death")) == []


def test_rail_gun_shoots_through_walls_and_robots():
    others = [bare(8, 1, "N")]
    elements = [wall(3, 1, "E"), wall(6, 1, "W")]
    outcome = shooting("rail_gun", elements=elements, others=others, answers=says(0, "rail_gun", "yes"))
    assert spam(outcome) == [0, 1, 1]
    assert spam(shooting("rail_gun", elements=elements, others=others)) == [0, 0, 0]
    assert asked(shooting("rail_gun")) == []  # it would change nothing
    behind = game([bare(3, 1, "E", "rail_gun"), bare(5, 1, "N")], antenna=token(4, 1, "E"))
    assert asked(behind) == []


def test_rear_laser_shoots_backward_too():
    others = [bare(1, 1, "N")]
    assert spam(shooting("rear_laser", others=others, answers=says(0, "rear_laser", "yes"))) == [0, 1, 1]
    assert spam(shooting("rear_laser", others=others)) == [0, 1, 0]
    assert asked(shooting("rear_laser")) == []
    others.append(bare(0, 1, "N"))
    answers = says(0, "rail_gun", "yes") + says(0, "rear_laser", "yes")
    outcome = shooting("rear_laser", "rail_gun", others=others, answers=answers)
    assert (spam(outcome), asked(outcome)[0][1]) == ([0, 1, 1, 1], "rail_gun")


def test_mini_howitzer_deals_two_more_and_pushes_for_one_energy():
    outcome = shooting("mini_howitzer", answers=says(0, "mini_howitzer", "yes"))
    assert (spam(outcome), cells(outcome), column(outcome, "energy")) == ([0, 3], [(3, 1), (6, 1)], [4, 5])
    assert asked(shooting("mini_howitzer", energy=0)) == []
    behind = shooting("mini_howitzer", "rear_laser", others=[bare(1, 1, "N")],
                      answers=says(0, "mini_howitzer", "yes") + says(0, "rear_laser", "yes"))  # fmt: skip
    assert [entry[1] for entry in asked(behind)] == ["rear_laser", "mini_howitzer"]  # once a register


def test_pressor_beam_pushes_and_tractor_beam_pulls():
    assert cells(shooting("pressor_beam", answers=says(0, "pressor_beam", "yes")))[1] == (6, 1)
    assert cells(shooting("tractor_beam", answers=says(0, "tractor_beam", "yes")))[1] == (4, 1)
    assert asked(shooting("tractor_beam", distance=1)) == []
    assert asked(shooting("pressor_beam", elements=[wall(5, 1, "E")])) == []
    both = shooting("pressor_beam", "tractor_beam", "mini_howitzer")
    assert [entry[1] for entry in asked(both)] == ["mini_howitzer", "pressor_beam", "tractor_beam"]
    outcome = shooting("tractor_beam", elements=[pit(4, 1)], answers=says(0, "tractor_beam", "yes"))
    assert column(outcome, "rebooted") == [False, True]


def test_weapons_push_chains_and_deal_nothing_for_it():
    others = [bare(6, 1, "N")]
    outcome = shooting("pressor_beam", "virus_module", others=others, answers=says(0, "pressor_beam", "yes"))
    assert (cells(outcome)[1:], taken(outcome, 1)) == ([(6, 1), (7, 1)], {"spam": 1})


def test_a_robot_that_a_weapon_made_reboot_does_not_use_its_own():
    robots = [bare(8, 1, "E", "pressor_beam"), bare(9, 1, "W", "pressor_beam")]
    outcome = game(robots, answers=says(0, "pressor_beam", "yes"), reboots=[token(4, 4, "N")])
    assert [entry[:2] for entry in asked(outcome)] == [(0, "pressor_beam"), (1, "reboot_facing")]
    assert cells(outcome) == [(8, 1), (4, 4)]


def test_scrambler_replaces_the_next_card():
    target = {"registers": [None, "move_1", "move_2", None, None], "draw": ["u_turn", "back_up"]}
    first = bare(3, 1, "E", "scrambler")
    entry = {"x": 5, "y": 1, "facing": "N", **target}
    assert game([first, entry])["robots"][1]["registers"][1:3] == ["u_turn", "move_2"]
    assert game([first, entry], span=(5, 5))["robots"][1]["registers"] == target["registers"]
    assert game([first, entry], span=(3, 3))["robots"][1]["registers"][3] is None


def test_scrambler_draws_the_spam_of_corruption_wave():
    entry = robot(5, 1, "N", "power_up", "move_1", draw=["u_turn"])
    outcome = game([bare(3, 1, "E", "scrambler", "corruption_wave"), entry], answers=says(0, "corruption_wave", "yes"))
    assert outcome["robots"][1]["registers"][1] == "spam"
