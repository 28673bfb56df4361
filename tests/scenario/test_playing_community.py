"""Scenarios of the community edition: the game plays what the file says, and the outcome reports it."""

from typing import Any

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario import load

STAND = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
HAND = ["move_1", "move_2", "move_3", "back_up", "turn_left", "turn_right", "u_turn", "power_up", "again"]


def play(
    robots: list[dict[str, Any]], elements: tuple[dict[str, Any], ...] = (), answers: tuple[str, ...] = (), **top: Any
) -> dict[str, Any]:
    """The outcome on a map of 8 x 4. Each robot stands in a row of its own, if it does not say where; answers are
    "0 power_down yes"."""
    places = [{"x": 1 + 2 * i, "y": i, "facing": "E", **robot} for i, robot in enumerate(robots)]
    parts = [text.split(maxsplit=2) for text in answers]
    listed = {"program": lambda words: [None if word == "-" else word for word in words.split()]}
    data = {
        "edition": "community",
        "map": {"width": 8, "height": 4, "elements": list(elements), **top.pop("map", {})},
        "robots": places,
        "answers": [
            {"robot": int(robot), "decision": kind, "choice": listed.get(kind, str)(choice)}
            for robot, kind, choice in parts
        ],
        **top,
    }
    return load(data).run()


def round_of(*robots: dict[str, Any], answers: tuple[str, ...] = (), rounds: int = 1, **top: Any) -> dict[str, Any]:
    return play(list(robots), answers=answers, play={"rounds": rounds, **top.pop("play", {})}, **top)


def test_registers_from_to_and_nothing_of_the_clean_up() -> None:
    robot = {"registers": ["move_1", "again", "again", "u_turn", "back_up"], "damage": 3}
    outcome = play([robot], play={"from": 2, "to": 4}, map={"checkpoints": [{"number": 1, "x": 7, "y": 1}]})
    found = outcome["robots"][0]
    assert (found["x"], found["facing"], found["damage"], outcome["register"]) == (3, "W", 3, 4)
    assert found["registers"] == robot["registers"]
    assert found["taken"] == {"spam": 0, "worm": 0, "virus": 0, "trojan_horse": 0}


def test_cards_stay_in_locked_registers_and_only_there() -> None:
    found = round_of({"damage": 6, "registers": STAND})["robots"][0]
    assert found["registers"] == [None, None, None, "turn_right", "u_turn"]
    assert len(found["hand"]) == 0
    assert len(found["draw"]) + len(found["discard"]) == 18


def test_a_hand_is_smaller_by_the_damage_and_empty_locked_registers_are_dealt_to_first() -> None:
    robot = {"damage": 6, "draw": ["u_turn", "turn_left", "move_1", "turn_right", "again"]}
    outcome = round_of(robot, map={"antenna": {"x": 7, "y": 1, "facing": "W"}})
    assert outcome["decisions"][0] == {
        "robot": 0, "decision": "program", "choice": ["move_1", "turn_right", "again", None, None],
    }  # fmt: skip
    assert outcome["robots"][0]["registers"] == [None, None, None, "u_turn", "turn_left"]


def test_a_program_that_lies_there_is_not_asked_for() -> None:
    outcome = round_of({"damage": 7, "registers": ["turn_left", "u_turn", None, "u_turn", "again"]})
    assert [each["decision"] for each in outcome["decisions"]] == ["power_down"]


@pytest.mark.parametrize(
    "choice",
    ["turn_left u_turn again - -", "turn_left u_turn again", "turn_left u_turn again turn_right power_up"],
)
def test_a_program_names_five_cards_or_one_for_each_open_register(choice: str) -> None:
    robot = {
        "damage": 6,
        "hand": ["again", "turn_left", "u_turn"],
        "registers": [None] * 3 + ["turn_right", "power_up"],
    }
    outcome = round_of(robot, answers=(f"0 program {choice}",))
    assert outcome["decisions"][0]["choice"] == ["turn_left", "u_turn", "again", None, None]
    assert outcome["robots"][0]["energy"] == 6


WRONG_PROGRAMS = {
    "turn_left u_turn": "expected five entries, or 3 cards for the open registers",
    "turn_left u_turn again move_2 -": 'expected null or "turn_right", as the register is locked, got "move_2"',
    "turn_left u_turn move_3": "'move_3' is not (or no longer) in the hand of robot 0: again, turn_left, u_turn",
    "turn_left turn_left again": "'turn_left' is not (or no longer) in the hand of robot 0",
    "again u_turn turn_left": "'again' cannot be programmed in register one",
    "turn_left - again": "expected a card of the hand, as register 2 is open",
}


@pytest.mark.parametrize("choice", WRONG_PROGRAMS)
def test_a_wrong_program_is_one_line(choice: str) -> None:
    robot = {
        "damage": 6,
        "hand": ["again", "turn_left", "u_turn"],
        "registers": [None] * 3 + ["turn_right", "power_up"],
    }
    with pytest.raises(ScenarioError) as error:
        round_of(robot, answers=(f"0 program {choice}",))
    assert WRONG_PROGRAMS[choice] in str(error.value)
    assert str(error.value).startswith("answers[0].choice")


def test_registers_that_the_timer_caught_are_filled_from_the_hand() -> None:
    robot = {"damage": 4, "hand": ["turn_left", "turn_right", "u_turn", "turn_left", "turn_right"]}
    outcome = round_of(robot, answers=("0 program u_turn - - - -",), rules={"timer": True})
    assert outcome["decisions"][0]["choice"] == ["u_turn", None, None, None, None]
    played = [event["card"] for event in outcome["events"] if event["kind"] == "program"]
    assert sorted(played) == sorted(robot["hand"])


def test_an_announced_power_down_is_for_the_next_round() -> None:
    robot = {"registers": STAND, "damage": 3}
    first = round_of(robot, answers=("0 power_down yes",))["robots"][0]
    assert (first["damage"], first["powered_down"], first["active"]) == (3, True, True)
    both = round_of(robot, rounds=2, answers=("0 power_down yes", "0 power_down no"))
    second = both["robots"][0]
    assert (second["damage"], second["powered_down"], second["active"]) == (0, False, False)
    assert [each["decision"] for each in both["decisions"]].count("program") == 0


def test_a_robot_with_a_card_in_an_open_register_is_programmed() -> None:
    """An answer is for the next round. Once it replaced the cards in this one, which were lost."""
    robot = {"registers": ["u_turn"], "draw": ["turn_left"] * 9}
    outcome = round_of(robot, rounds=2, answers=("0 program " + "turn_left " * 4 + "turn_left",))
    at = [event["kind"] for event in outcome["events"]]
    assert at.index("draw") > at.index("round", 1)
    played = outcome["robots"][0]
    assert len(played["draw"]) + len(played["discard"]) == 20 + 6  # six turns to the left beyond the three of the deck


def test_a_robot_that_is_powered_down_has_no_turn_and_is_not_programmed() -> None:
    outcome = round_of({"registers": STAND}, {"powered_down": True, "damage": 2})
    assert {"robot": 1, "decision": "power_down", "choice": "no"} in outcome["decisions"]
    assert outcome["robots"][1]["damage"] == 2  # the round has started
    assert not outcome["robots"][1]["active"]
    started = round_of({"registers": STAND}, {"powered_down": True, "damage": 2}, play={"start": "upgrade"})
    assert started["robots"][1]["damage"] == 0
    moved = play([{"registers": ["move_1"], "powered_down": True}], play={"from": 1, "to": 1})["robots"][0]
    assert (moved["x"], moved["powered_down"], moved["active"]) == (1, True, False)


def test_a_destroyed_robot_has_no_place_until_it_is_back() -> None:
    robot = {"registers": ["back_up", "back_up", *STAND[:3]], "damage": 5}
    gone = play([robot], play={"from": 1, "to": 3})["robots"][0]
    assert [gone[key] for key in ("x", "y", "facing", "level")] == [None] * 4
    assert (gone["destroyed"], gone["rebooted"], gone["active"]) == (True, True, False)
    assert gone["registers"] == [None] * 5
    back = round_of(robot, answers=("0 power_down yes", "0 reboot_facing S"))["robots"][0]
    assert [back[key] for key in ("x", "y", "facing", "level", "damage")] == [1, 0, "S", 0, 2]
    assert (back["destroyed"], back["rebooted"], back["powered_down"]) == (True, True, False)


def test_robots_that_share_a_cell() -> None:
    ghost = {"x": 1, "y": 0, "virtual": True, "registers": ["turn_left", "move_1"]}
    outcome = play([{"registers": ["turn_left"]}, ghost], play={"from": 1, "to": 1})
    assert [robot["virtual"] for robot in outcome["robots"]] == [False, True]
    real = play([{"registers": ["turn_left", "move_1"]}, {**ghost, "registers": []}], play={"from": 2, "to": 2})
    assert [robot["virtual"] for robot in real["robots"]] == [False, False]


def test_levels_and_ramps_of_the_map() -> None:
    ramps = ({"kind": "ramp", "x": 2, "y": 0, "up": "E", "level": 1}, {"kind": "level", "x": 1, "y": 0, "level": 1},
             {"kind": "level", "x": 3, "y": 0, "level": 2})  # fmt: skip
    up = play([{"registers": ["move_2"], "level": 1}], ramps, play={"from": 1, "to": 1})["robots"][0]
    assert (up["x"], up["level"]) == (3, 2)
    off = ({**ramps[0], "enabled": False}, *ramps[1:])
    stopped = play([{"registers": ["move_2"]}], off, play={"from": 1, "to": 1})["robots"][0]
    assert (stopped["x"], stopped["level"]) == (2, 1)


def test_a_race_that_goes_on_tells_places() -> None:
    goal = {"checkpoints": [{"number": 1, "x": 2, "y": 0}]}
    robots = [{"registers": ["move_1"]}, {"y": 0, "registers": ["u_turn"]}, {"registers": ["u_turn"]}]
    ends = play(robots, map=goal, play={"from": 1, "to": 2})
    assert (ends["winner"], ends["register"]) == (0, 1)
    assert "place" not in ends["robots"][0]
    robots[1]["registers"] = ["turn_left", "turn_right", "back_up"]
    goes_on = play(robots, map=goal, play={"from": 1, "to": 4}, rules={"race_on": True})
    assert [robot["place"] for robot in goes_on["robots"]] == [1, 2, None]
    assert [robot["x"] for robot in goes_on["robots"]] == [None, None, 5]
    assert (goes_on["winner"], goes_on["register"]) == (0, 3)
    assert not goes_on["robots"][0]["destroyed"]


def test_heal_routine_lies_in_the_discard_pile_of_who_lists_it_and_heals() -> None:
    found = round_of({"registers": STAND, "upgrades": ["heal_routine", "firewall"]})["robots"][0]
    assert "heal_routine" in found["discard"]
    assert found["upgrades"] == ["firewall"]
    healed = play([{"registers": ["heal_routine", "again"], "damage": 3}], play={"from": 1, "to": 2})
    assert healed["robots"][0]["damage"] == 1


def test_the_upgrade_phase_and_the_game_without_it() -> None:
    robot = {"registers": STAND, "energy": 3}
    answers = ("0 buy_upgrade heal_routine",)
    bought = round_of(robot, answers=answers, shop=["heal_routine"], play={"start": "upgrade"})
    assert (bought["robots"][0]["energy"], bought["shop"]) == (0, [])
    assert "heal_routine" in bought["robots"][0]["discard"]
    plain = round_of(robot, rounds=1, rules={"upgrades": False})
    assert {each["decision"] for each in plain["decisions"]} == {"power_down"}
    assert plain["shop"] == []


def test_an_answer_that_is_never_asked_for_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"answers\[0\]: reboot_facing 'N'.*robot 0"):
        round_of({"registers": STAND}, answers=("0 reboot_facing N",))


def test_a_course_of_2016_by_community_rules() -> None:
    data = {"edition": "community", "course": "dizzy_highway", "play": {"from": 1, "to": 1}}
    outcome = load({**data, "robots": [{"x": 5, "y": 5, "registers": ["move_1"], "damage": 2}]}).run()
    assert outcome["robots"][0]["damage"] == 2
