"""The reference of 2005 itself, against the rulebook and the rulings. Maps are 10 by 6 unless they say otherwise."""

import pytest

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.scenes import asked, belt, cells, facings, gear, pit, robot, says

from .cards import OPTIONS
from .scenes import damage, race, repair, turn


def test_two_cards_need_an_option():
    with pytest.raises(BadScenario):
        race([robot(3, 3, "N", "move_1:650+turn_left:70")])


def test_gyroscopic_stabilizer_stops_turns_by_belts_and_gears_for_the_turn():
    belts = [belt(2, 2, "E"), belt(3, 2, "S", "W"), gear(3, 3, "cw")]
    gyro = robot(2, 2, "E", options=["gyroscopic_stabilizer"])
    yes = says(0, "gyroscopic_stabilizer", "yes")
    assert facings(race([gyro], belts, span=(1, 2))) == "W"
    assert facings(race([gyro], belts, span=(1, 2), answers=yes)) == "E"
    with pytest.raises(BadScenario):  # asked before register 1 only
        race([gyro], belts, span=(2, 2), answers=yes)


def test_fire_control_destroys_an_option_or_locks_a_register():
    shooter = robot(1, 1, "E", options=["fire_control"])
    target = robot(3, 1, "N", damage=5, options=["brakes"])
    outcome = race([shooter, target], answers=says(0, "fire_control", "brakes"))
    assert (damage(outcome), asked(outcome)) == ([0, 5], [(0, "fire_control", "brakes")])
    with pytest.raises(BadScenario):  # register 5 is locked already
        race([shooter, target], answers=says(0, "fire_control", "register_5"))


def test_scrambler_is_not_offered_in_register_five_nor_at_a_locked_or_empty_register():
    shooter = robot(1, 1, "E", options=["scrambler"])
    cards = ["turn_left"] * 5
    assert asked(race([shooter, robot(4, 1, "S", *cards)], span=(5, 5))) == []
    assert asked(race([shooter, robot(4, 1, "S", *cards, damage=5)], span=(4, 4))) == []
    assert asked(race([shooter, robot(4, 1, "S", "turn_left")])) == []
    with pytest.raises(NeedsChance):
        race([shooter, robot(4, 1, "S", *cards)], answers=says(0, "scrambler", "yes"))


SPINS = ["turn_left:70", "turn_right:80", "turn_left:90", "turn_right:100", "u_turn:10"]
MORE = ["turn_left:110", "turn_left:130", "turn_left:150", "turn_left:170"]


def program(index, *cards):
    return says(index, "program", list(cards))


def test_the_hand_is_filled_from_the_deck():
    outcome = turn([robot(2, 1, "N", damage=3, hand=SPINS[:4], draw=[SPINS[4], *MORE])], answers=program(0, *SPINS))
    assert MORE[0] in outcome["robots"][0]["discard"]  # six cards were dealt
    assert MORE[1] in outcome["robots"][0]["draw"]
    with pytest.raises(NeedsChance):
        turn([robot(2, 1, "N", damage=3, hand=SPINS)])


def test_crossed_wrench_and_hammer_give_an_option_too():
    names = [name for name in OPTIONS if name != "brakes"]
    sites = [repair(2, 1, 2)]
    outcome = turn([robot(2, 1, "N", powered_down=True, options=names)], sites)
    assert outcome["robots"][0]["options"] == sorted(OPTIONS)
    with pytest.raises(NeedsChance):
        turn([robot(2, 1, "N", powered_down=True)], sites)


LEAVE = ["move_3:790", "move_3:800", "move_3:810", "u_turn:10", "u_turn:20"]


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
