"""What scenarios say about mistakes: short lines that name what is missing, what is known and what was asked."""

import copy
from typing import Any

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario import differences, load

SCENE: dict[str, Any] = {
    "edition": "2016",
    "rules": {"upgrades": False},
    "map": {"width": 4, "height": 2, "elements": []},
    "robots": [{"x": 0, "y": 0, "facing": "E", "registers": ["move_1"]}, {"x": 0, "y": 1, "facing": "E"}],
    "play": {"from": 1, "to": 1},
}


def message(**changes: Any) -> str:
    with pytest.raises(ScenarioError) as error:
        load({**copy.deepcopy(SCENE), **changes}).run()
    assert "\n" not in str(error.value)
    assert len(str(error.value)) <= 300
    return str(error.value)


def test_a_missing_key_is_missing_and_not_null() -> None:
    assert message(robots=[{"y": 0}]) == "robots[0].x: missing; expected a whole number from 0 to 3"
    assert message(robots=[{"x": None, "y": 0}]) == "robots[0].x: expected a whole number from 0 to 3, got null"
    assert message(answers=[{"robot": 0}]).startswith("answers[0].decision: missing; expected one of program, ")
    assert message(answers=[{"decision": "program"}]).startswith("answers[0].robot: missing; expected a whole number")
    scene = {key: value for key, value in SCENE.items() if key != "robots"}
    with pytest.raises(ScenarioError, match=r"robots.*1.*6"):
        load(scene)


def test_a_key_that_is_no_text_is_unknown() -> None:
    with pytest.raises(ScenarioError, match="1: unknown key"):
        load({**SCENE, 1: 2})  # type: ignore[dict-item]


def test_decisions_and_kinds_are_those_of_the_edition() -> None:
    found = message(answers=[{"robot": 0, "decision": "buy_upgrades", "choice": "no"}])
    assert found == ('answers[0].decision: expected one of program, reboot_facing, damage_kind, got "buy_upgrades"')
    scene = {"width": 4, "height": 2, "elements": [{"kind": "repairs", "x": 0, "y": 0}]}
    found = message(map=scene)
    assert found.startswith("map.elements[0].kind: unknown kind 'repairs'")
    assert "repair," not in found
    assert "ramp" not in found.partition("known:")[2]


def test_an_answer_that_nobody_was_asked_for_says_what_was_asked() -> None:
    answer = {"robot": 1, "decision": "program", "choice": ["move_1"] * 5}
    assert message(answers=[answer]).endswith("was never asked of robot 1; it was asked nothing")


def test_an_answer_too_many_says_what_was_chosen_before() -> None:
    answer = {"robot": 0, "decision": "reboot_facing", "choice": "S"}
    found = message(robots=[{"x": 0, "y": 0, "facing": "W", "registers": ["move_1"]}], answers=[answer, answer])
    assert found.startswith("answers[1]: reboot_facing")
    assert "never asked" not in found
    assert found.endswith("chose S")


def test_differences_are_short_lines() -> None:
    robots = load(SCENE).run()["robots"]
    deep = {"robots": [{**robot, "draw": ["move_1"] * 90} for robot in robots]}
    for expected in ({"robots": [{}]}, {"robots": {"x": 1}}, {"robots": "x" * 1000}, {"robots": [{"draw": []}, {}]}):
        for line in differences(expected, deep):
            assert len(line) <= 300


def test_a_message_about_a_long_value_is_short() -> None:
    message(robots=[{"x": "9" * 5000, "y": 0}])
    message(**{"a" * 5000: 1})
    message(map={"width": 4, "height": 2, "elements": [{"kind": "a" * 5000, "x": 0, "y": 0}]})
    message(map={"width": 4, "height": 2, "elements": [["a"] * 5000]})


@pytest.mark.parametrize("more", [0, 19])
def test_a_robot_that_comes_to_own_more_cards_than_there_is_room_for_is_an_error(more: int) -> None:
    """Twelve beams hit it in each of five registers. Cards beyond the room took the places of others once."""
    beams = [("E", 0, 1), ("W", 2, 1), ("S", 1, 0), ("N", 1, 2)]
    lasers = [{"kind": "laser", "x": x, "y": y, "fires": fires, "beams": 3} for fires, x, y in beams]
    robot = {"x": 1, "y": 1, "facing": "E", "registers": ["u_turn"] + ["turn_left"] * 3 + ["turn_right"]}
    scene = {**SCENE, "map": {"width": 3, "height": 3, "elements": lasers}, "play": {"rounds": 1}}
    scene["robots"] = [{**robot, "draw": ["move_3"] * (1 + more)}]
    played = load(scene).run()["robots"][0]
    assert len(played["draw"]) + len(played["discard"]) == 80 + more
    scene["robots"] = [{**robot, "draw": ["move_3"] * 22}]
    with pytest.raises(ScenarioError, match=r"^robots\[0\]: expected at most 100 cards in all, got 101$"):
        load(scene).run()


def test_the_cards_of_routines_count_too() -> None:
    robot = {"x": 0, "y": 0, "facing": "E", "upgrades": ["energy_routine"]}
    assert load({**SCENE, "rules": {}, "robots": [{**robot, "draw": ["move_3"] * 80}]})
    found = message(rules={}, robots=[{**robot, "draw": ["move_3"] * 81}])
    assert found == "robots[0]: expected at most 100 cards in all, got 101"
