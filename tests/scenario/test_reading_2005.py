"""Scenario files of the 2005 edition: what is read, and the one line for each mistake."""

from functools import partial
from typing import Any

import pytest

from roborally_env.scenario import differences, load

from .mistakes import answer, change, raises_message

SCENE: dict[str, Any] = {
    "edition": "2005",
    "map": {
        "width": 6,
        "height": 3,
        "elements": [{"kind": "pit", "x": 5, "y": 2}, {"kind": "repair", "x": 0, "y": 2, "level": 1}],
        "checkpoints": [{"number": 1, "x": 4, "y": 1}],
    },
    "robots": [{"x": 1, "y": 0, "facing": "E", "registers": ["turn_left:70"]}, {"x": 2, "y": 1, "facing": "N"}],
    "play": {"from": 1, "to": 1},
}
changed = partial(change, SCENE)

NUMBERS_OF_MOVE_1 = "expected a priority number of move_1, 490, 500, .. 660, got"
ROBOT_MISTAKES = {
    "damage": (10, "robots[0].damage: expected a whole number from 0 to 9, got 10"),
    "lives": (9, "robots[0].lives: expected a whole number from 0 to 8, got 9"),
    "lives text": ("3", 'robots[0].lives: expected a whole number from 0 to 8, got "3"'),
    "x": (6, "robots[0].x: expected a whole number from 0 to 5, got 6"),
    "y": (None, "robots[0].y: expected a whole number from 0 to 2, got null"),
    "facing": ("Q", 'robots[0].facing: expected N, E, S or W, got "Q"'),
    "registers": ("move_1", "robots[0].registers: expected a list of at most 5 cards"),
    "registers six": ([None] * 6, "robots[0].registers: expected a list of at most 5 cards"),
    "registers type": (["again"], "robots[0].registers[0]: expected a card's name, one of move_1, move_2"),
    "registers close": ([None, "turn_rigth"], "robots[0].registers[1]: expected a card's name"),
    "registers number": (["move_1:700"], f'robots[0].registers[0]: {NUMBERS_OF_MOVE_1} "move_1:700"'),
    "registers word": (["move_1:x"], f'robots[0].registers[0]: {NUMBERS_OF_MOVE_1} "move_1:x"'),
    "registers odd": (["turn_right:90"], "robots[0].registers[0]: expected a priority number of turn_right, 80, 100,"),
    "registers 5": ([5], 'robots[0].registers[0]: expected a card\'s name such as "move_1" or "move_1:650", got 5'),
    "registers moves": (["move_1+move_2"], "robots[0].registers[0]: expected a move card and a rotation in one"),
    "registers turns": (["u_turn+turn_left"], "robots[0].registers[0]: expected a move card and a rotation"),
    "registers three": (["move_1+u_turn+turn_left"], "robots[0].registers[0]: expected a move card and a rotation"),
    "registers half": (["move_1+"], "robots[0].registers[0]: expected a card's name"),
    "hand": (7, "robots[0].hand: expected a list of card names, got 7"),
    "hand pair": (["move_1+turn_left"], 'robots[0].hand[0]: expected one card, got "move_1+turn_left"'),
    "hand null": ([None], "robots[0].hand[0]: expected a card's name"),
    "hand twelve": (["move_1"] * 12, "robots[0].hand: expected at most 11 cards, got 12"),
    "hand again": (["turn_left:70"], "robots[0].hand[0]: expected each numbered card once, got that of"),
    "draw": ("move_1", "robots[0].draw: expected a list of card names"),
    "draw again": (["move_1:500", "move_1:500"], "robots[0].draw[1]: expected each numbered card once, got that of"),
    "draw 85": (["move_1"] * 85, "robots[0].draw: expected at most 84 cards, got 85"),
    "discard": (["spam"], "robots[0].discard[0]: expected a card's name"),
    "discard again": (["turn_left:70"], "robots[0].discard[0]: expected each numbered card once"),
    "energy": (6, "robots[0].energy: expected 5 in edition 2005, got 6"),
    "upgrades": (["hack"], 'robots[0].upgrades: expected [] in edition 2005, got ["hack"]'),
    "level": (1, "robots[0].level: expected 0 in edition 2005, got 1"),
    "checkpoint": (2, "robots[0].checkpoint: expected a whole number from 0 to 1, got 2"),
    "archive": ([1, 2], "robots[0].archive: expected an object, got [1, 2]"),
    "archive x": ({"x": 6, "y": 0}, "robots[0].archive.x: expected a whole number from 0 to 5, got 6"),
    "archive y": ({"x": 0}, "robots[0].archive.y: missing; expected a whole number from 0 to 2"),
    "archive z": ({"x": 0, "y": 0, "z": 0}, "robots[0].archive.z: unknown key"),
    "archive pit": ({"x": 5, "y": 2}, "robots[0].archive: expected a cell to stand on, got (5, 2), which is a pit"),
    "locked": (5, "robots[0].locked: expected a list of register numbers, got 5"),
    "locked 6": ([5, 6], "robots[0].locked[1]: expected a whole number from 1 to 5, got 6"),
    "locked again": ([5, 5], "robots[0].locked[1]: expected each register once, got 5 again"),
    "powered_down": (0, "robots[0].powered_down: expected true or false, got 0"),
    "options": ("brakes", 'robots[0].options: expected a list of option names, got "brakes"'),
    "options name": (["brake"], 'robots[0].options[0]: expected an option\'s name, got "brake"'),
    "options again": (["brakes", "brakes"], "robots[0].options[1]: expected each option once, got 'brakes' of"),
    "team": (1, "robots[0].team: expected 0 in edition 2005 on a course without teams, got 1"),
    "colour": (1, "robots[0].colour: unknown key"),
}  # fmt: skip


@pytest.mark.parametrize("key", ROBOT_MISTAKES)
def test_a_mistake_of_a_robot_is_one_line_with_its_key(key: str) -> None:
    value, message = ROBOT_MISTAKES[key]
    raises_message(changed({key.split()[0]: value}), message)


MISTAKES = {
    "robots": (changed(robots=[]), "robots: expected a list of 1 to 8 robots, got []"),
    "nine": (changed(robots=[{"x": 0, "y": 0}] * 9), "robots: expected a list of 1 to 8 robots"),
    "same cell": (changed({"x": 2, "y": 1}), "robots[1]: expected a cell of its own, got that of robots[0]"),
    "in a pit": (changed({"x": 5, "y": 2}), "robots[0]: expected a cell to stand on, got (5, 2), which is a pit"),
    "same card": (
        changed(second={"hand": ["turn_left:70"]}),
        "robots[1].hand[0]: expected each numbered card once, got that of robots[0].registers[0] again",
    ),
    "second of a pair": (
        changed({"registers": ["move_1+turn_left:70"]}, {"hand": ["turn_left:70"]}),
        "robots[1].hand[0]: expected each numbered card once, got that of robots[0].registers[0] (the second card)",
    ),
    "other draw": (
        changed({"draw": ["move_1"]}, {"draw": ["move_2"]}),
        "robots[1].draw: expected the list of robots[0] again, as there is one deck for all",
    ),
    "same option": (
        changed({"options": ["brakes"]}, {"options": ["brakes"]}),
        "robots[1].options[0]: expected each option once, got 'brakes' of robots[0].options[0] again",
    ),
    "no options": (
        changed({"options": ["brakes"]}, rules={"options": False}),
        'robots[0].options: expected [] in the game without options, got ["brakes"]',
    ),
    "rules": (changed(rules={"upgrades": False}), "rules: unknown option 'upgrades'"),
    "lives": (changed(rules={"lives": 5}), "rules.lives: expected 3 or 4, got 5"),
    "shop": (changed(shop=["hack"]), 'shop: expected [] in edition 2005, got ["hack"]'),
    "start": (changed(play={"rounds": 1, "start": "upgrade"}), "play.start: expected nothing here"),
    "order": (changed(play={"from": 1, "order": [0]}), "play.order: expected each of [0, 1] once, got [0]"),
    "rounds": (changed(play={"rounds": 0}), "play.rounds: expected a whole number from 1 to 10000, got 0"),
    "both": (changed(play={"rounds": 1, "to": 2}), 'play: expected either "rounds" or "from" and "to", not both'),
    "antenna": (changed(map={"antenna": {"x": 0, "y": 0, "facing": "E"}}), "map.antenna: edition 2005 has none"),
    "kind": (changed(map={"elements": [{"kind": "energy", "x": 0, "y": 0}]}), "map.elements[0].kind: kind energy is"),
    "special": (changed(map={"special_rules": ["double_laser"]}), "map.special_rules[0]: unknown special rule"),
    "team": (
        changed({"team": 2}, map={"special_rules": ["two_teams"]}),
        "robots[0].team: expected a whole number from 0 to 1, got 2",
    ),
    "pair team": (
        changed({"team": 4}, map={"special_rules": ["shared_flags"]}),
        "robots[0].team: expected a whole number from 0 to 3, got 4",
    ),
    "course": ({**{k: v for k, v in changed().items() if k != "map"}, "course": "nowhere"}, "course: "),
    "decision": (changed(answers=answer("hack", "yes")), "answers[0].decision: expected one of program, reboot_facing"),
    "row": (changed(answers=answer("reentry_row", "1")), "answers[0].decision: expected one of"),
    "robot": (changed(answers=answer("brakes", "yes", 2)), "answers[0].robot: expected a whole number from 0 to 1,"),
    "yes or no": (changed(answers=answer("brakes", "maybe")), 'answers[0].choice: expected one of no, yes, got'),
    "facing": (changed(answers=answer("reboot_facing", "Q")), 'answers[0].choice: expected one of N, E, S, W, got "Q"'),
    "cell": (changed(answers=answer("reentry_cell", "1 2")), 'answers[0].choice: expected a cell as "x,y", got "1 2"'),
    "an option": (changed(answers=answer("option_lost", "brake")), "answers[0].choice: expected one of no,"),
    "fire": (changed(answers=answer("fire_control", "register_6")), "answers[0].choice: expected one of no,"),
    "flywheel": (changed(answers=answer("flywheel", "move_4")), "answers[0].choice: expected a card's name"),
    "program": (changed(answers=answer("program", "move_1")), "answers[0].choice: expected a list of at most five"),
    "program card": (changed(answers=answer("program", ["no"])), "answers[0].choice[0]: expected a card's name"),
    "no choice": (changed(answers=[{"robot": 0, "decision": "brakes"}]), "answers[0].choice: missing"),
}  # fmt: skip


@pytest.mark.parametrize("key", MISTAKES)
def test_a_mistake_is_one_line_with_its_place(key: str) -> None:
    raises_message(*MISTAKES[key])


def test_what_is_left_out_is_what_a_game_starts_with() -> None:
    robot = load(changed()).robots[1]
    wanted = {"damage": 0, "lives": 3, "archive": (2, 1), "locked": 0, "powered_down": False, "options": [], "hand": []}
    assert {key: robot[key] for key in wanted} == wanted
    assert load(changed(rules={"lives": 4})).robots[0]["lives"] == 4
    assert load(changed(map={"special_rules": ["start_damage"]})).robots[0]["damage"] == 2


def test_defaults_of_other_editions_may_stand_there() -> None:
    plain = changed()
    robot = {"energy": 5, "upgrades": [], "level": 0, "team": 0, "draw": [], "discard": [], "locked": [], "options": []}
    assert load(changed(robot, robot, shop=[])).run() == load(plain).run()


def test_pairs_are_written_in_either_order() -> None:
    first = load(changed({"registers": ["move_1:650+turn_left:70"]})).robots[0]["registers"]
    second = load(changed({"registers": ["turn_left:70+move_1:650"]})).robots[0]["registers"]
    assert first == second == [(65, 7)]


def test_a_robot_that_is_out_of_the_game_needs_no_cell() -> None:
    for place in ({"x": None, "y": None}, {"x": 2, "y": 1}, {"x": 99, "y": 99}):
        robot = load(changed({**place, "lives": 0, "archive": None, "facing": None})).run()["robots"][0]
        assert (robot["x"], robot["y"], robot["facing"], robot["lives"]) == (None, None, None, 0)
        assert (robot["destroyed"], robot["active"]) == (True, False)


@pytest.mark.parametrize("course", ["risky_exchange", "2005/risky_exchange"])
def test_a_printed_course(course: str) -> None:
    data = {**changed({"x": 3, "y": 5}, {"x": 4, "y": 5}), "course": course}
    del data["map"]
    assert load(data).run()["robots"][0]["facing"] == "N"


# -- flags in robots' hands, the SuperBot, the option deck


def special(tags: str, robot: dict[str, Any], second: dict[str, Any] | None = None, **top: Any) -> dict[str, Any]:
    """The scene with special rules, three flags, and other keys."""
    flags = [{"number": n, "x": n, "y": 2} for n in (1, 2, 3)]
    return changed(robot, second, map={"special_rules": tags.split(), "checkpoints": flags}, **top)


def carriers(robot: dict[str, Any], second: dict[str, Any] | None = None) -> dict[str, Any]:
    """The two robots on the course of Capture the Flag."""
    data = {**changed(robot, second), "course": "capture_the_flag"}
    data["robots"][0].update(x=1, y=1)
    data["robots"][1].update(x=2, y=1, **({"lives": 0} if second == {"lives": 0} else {}))
    del data["map"]
    return data


CLAIMS = "two_teams claims"
IN_HAND = {
    "carries": (
        changed({"carries": 2}),
        "robots[0].carries: expected null in edition 2005 on a course without capture",
    ),
    "carries 3": (carriers({"carries": 3}), "robots[0].carries: expected a whole number from 1 to 2, got 3"),
    "carries its own": (
        carriers({}, {"carries": 2}),
        "robots[1].carries: expected 1, the flag of the other team, got 2",
    ),
    "carried twice": (
        carriers({"carries": 2}, {"carries": 2, "team": 0}),
        "robots[1].carries: expected null, as robots[0] carries that flag, got 2",
    ),
    "carried by nobody": (
        carriers({}, {"carries": 1, "lives": 0}),
        "robots[1].carries: expected null, as the robot is out of the game, got 1",
    ),
    "capture on a map": (
        special("two_teams capture_the_flag", {}),
        "map.special_rules: expected no capture_the_flag, wh",
    ),
    "holds": (
        changed({"holds": [1]}),
        "robots[0].holds: expected [] in edition 2005 on a course without claims, got [1]",
    ),
    "holds 1": (special(CLAIMS, {"holds": 1}), "robots[0].holds: expected a list of numbers of flags, got 1"),
    "holds 4": (special(CLAIMS, {"holds": [4]}), "robots[0].holds[0]: expected each flag once, one of 1, 2, 3, got 4"),
    "holds twice": (special(CLAIMS, {"holds": [1, 1]}), "robots[0].holds[1]: expected each flag once, one of 1, 2, 3"),
    "held by both": (
        special(CLAIMS, {"holds": [1]}, {"holds": [1]}),
        "robots[1].holds: expected a flag that robots[0] does not hold, got 1",
    ),
    "holds all": (
        special(CLAIMS, {"holds": [1, 2, 3]}),
        "robots[0].holds: expected at most 2 flags, got all, with which",
    ),
    "holds and checkpoint": (
        special(CLAIMS, {"holds": [1], "checkpoint": 2}),
        "robots[0].checkpoint: expected 1, the number of flags that the robot's team holds, got 2",
    ),
    "superbot": (
        changed({"superbot": True}),
        "robots[0].superbot: expected false in edition 2005 on a course without superbot, got true",
    ),
    "superbot 1": (special("superbot", {"superbot": 1}), "robots[0].superbot: expected true or false, got 1"),
    "two superbots": (
        special("superbot", {"superbot": True}, {"superbot": True}),
        "robots: expected one robot with superb",
    ),
    "no superbot": (
        special("superbot", {"superbot": False}),
        "robots: expected one robot with superbot true, got none",
    ),
    "option_deck": (changed(option_deck="brakes"), 'option_deck: expected a list of option names, got "brakes"'),
    "option_deck name": (changed(option_deck=["brake"]), 'option_deck[0]: expected an option\'s name, got "brake"'),
    "option_deck twice": (
        changed(option_deck=["brakes", "brakes"]),
        "option_deck[1]: expected each option once, got 'brakes' of option_deck again",
    ),
    "option_deck of a robot": (
        changed({}, {"options": ["brakes"]}, option_deck=["brakes"]),
        "option_deck[0]: expected each option once, got 'brakes' of robots[1].options again",
    ),
    "option_deck without options": (
        changed(option_deck=["brakes"], rules={"options": False}),
        'option_deck: expected [] in the game without options, got ["brakes"]',
    ),
}


@pytest.mark.parametrize("key", IN_HAND)
def test_a_mistake_about_flags_the_superbot_or_the_option_deck_is_one_line(key: str) -> None:
    raises_message(*IN_HAND[key])


@pytest.mark.parametrize("edition", ["2016", "2023", "community"])
@pytest.mark.parametrize(
    ("key", "wrong", "right"), [("carries", 1, "null"), ("holds", [1], "[]"), ("superbot", True, "false")]
)
def test_other_editions_have_none_of_these_keys(edition: str, key: str, wrong: Any, right: str) -> None:
    board = {"edition": edition, "map": {"width": 2, "height": 1}, "play": {"to": 1}}
    raises_message(
        {**board, "robots": [{"x": 0, "y": 0, key: wrong}]}, f"robots[0].{key}: expected {right} in edition {edition}"
    )
    raises_message(
        {**board, "robots": [{"x": 0, "y": 0}], "option_deck": ["brakes"]},
        f"option_deck: expected [] in edition {edition}",
    )


def test_the_outcome_of_a_scenario_can_be_its_beginning() -> None:
    for data in (special(CLAIMS, {"holds": [1]}, {"holds": [2]}), special("superbot", {}, {"superbot": True})):
        outcome = load(data).run()
        keys = ("checkpoint", "holds", "superbot")
        known = [{key: robot[key] for key in keys if key in robot} for robot in outcome["robots"]]
        again = load(changed(*known, map=data["map"])).run()
        assert again["robots"] == outcome["robots"]
    outcome = load(carriers({"carries": 2})).run()
    assert [robot["carries"] for robot in outcome["robots"]] == [2, None]


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ("move_1", "move_1:650", True),
        ("move_1:650", "move_1:650", True),
        ("move_1:650", "move_1:640", False),
        ("move_1:650", "move_1", False),
        ("move_1", "move_2:700", False),
        ("turn_left+move_1", "move_1:650+turn_left:70", True),
        ("move_1:650+turn_left", "move_1:650+turn_left:70", True),
        ("move_1", "move_1:650+turn_left:70", False),
        ("move_1+turn_left", "move_1:650", False),
        ("move_1", "move_1", True),
    ],
)
def test_an_expected_card_without_a_number_is_any_of_its_type(expected: str, got: str, same: bool) -> None:
    assert (not differences({"registers": [expected]}, {"registers": [got]})) == same
