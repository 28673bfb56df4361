"""Scenario files of the community edition: what is read, and the one line for each mistake."""

from functools import partial
from typing import Any

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario import load

from .mistakes import answer, change, raises_message

SCENE: dict[str, Any] = {
    "edition": "community",
    "map": {
        "width": 6,
        "height": 3,
        "elements": [
            {"kind": "level", "x": 3, "y": 0, "level": 2},
            {"kind": "ramp", "x": 2, "y": 0, "up": "E", "level": 1},
            {"kind": "level", "x": 1, "y": 0, "level": 1},
            {"kind": "button", "x": 0, "y": 2, "ramps": [[2, 0]]},
            {"kind": "pit", "x": 5, "y": 2},
        ],
        "checkpoints": [{"number": 1, "x": 4, "y": 1}],
    },
    "robots": [{"x": 1, "y": 0, "facing": "E", "registers": ["turn_left"]}, {"x": 2, "y": 1, "facing": "N"}],
    "play": {"from": 1, "to": 1},
}
changed = partial(change, SCENE)

MISTAKES = {
    "damage": (changed({"damage": 10}), "robots[0].damage: expected a whole number from 0 to 9, got 10"),
    "damage word": (changed({"damage": "2"}), 'robots[0].damage: expected a whole number from 0 to 9, got "2"'),
    "locked": (changed({"locked": 5}), "robots[0].locked: expected a list of register numbers, got 5"),
    "locked 6": (changed({"locked": [6]}), "robots[0].locked[0]: expected a whole number from 1 to 5, got 6"),
    "locked unhurt": (changed({"locked": [5]}), "robots[0].locked: expected [], which 0 damage locks, got [5]"),
    "too few": (changed({"damage": 6, "locked": [5]}), "robots[0].locked: expected [4, 5], which 6 damage locks"),
    "first": (changed({"damage": 5, "locked": [1]}), "robots[0].locked: expected [5], which 5 damage locks, got [1]"),
    "down": (changed({"powered_down": 1}), "robots[0].powered_down: expected true or false, got 1"),
    "virtual": (changed({"virtual": "yes"}), 'robots[0].virtual: expected true or false, got "yes"'),
    "alone": (changed({"virtual": True}), "robots[0].virtual: expected false, as no other robot is on its cell"),
    "together": (changed({"x": 2, "y": 1}), "robots[1]: expected a cell of its own, or virtual mode, got the cell of"),
    "level": (changed({"level": 0}), "robots[0].level: expected 1, the level of (1, 0), got 0"),
    "level 4": (changed({"level": 4}), "robots[0].level: expected a whole number from 0 to 3, got 4"),
    "of a ramp": (changed({"x": 2, "level": 2}), "robots[0].level: expected 1, the level of (2, 0), got 2"),
    "lives": (changed({"lives": 2}), "robots[0].lives: expected 3 in edition community, got 2"),
    "options": (changed({"options": ["brakes"]}), "robots[0].options: expected [] in edition community, got"),
    "a pit": (changed({"x": 5, "y": 2}), "robots[0]: expected a cell to stand on, got (5, 2), which is a pit"),
    "spam": (changed({"hand": ["spam"]}), "robots[0].hand[0]: expected a card of edition community, which has no spam"),
    "folder": (changed({"registers": ["spam_folder"]}), "robots[0].registers[0]: expected a card of edition community"),
    "close": (changed({"draw": ["heal_rutine"]}), "robots[0].draw[0]: expected a card's name, got \"heal_rutine\""),
    "virus": (changed({"upgrades": ["virus_module"]}), "robots[0].upgrades[0]: expected an upgrade of edition commun"),
    "shop": (changed(shop=["spam_blocker"]), "shop[0]: expected an upgrade of edition community, which has no spam_b"),
    "twice": (changed({"upgrades": ["hack"]}, shop=["hack"]), "shop[0]: robots[0] has 'hack'; there is one of each"),
    "no upgrades": (
        changed({"upgrades": ["hack"]}, rules={"upgrades": False}),
        'robots[0].upgrades: expected [] in the game without upgrades, got ["hack"]',
    ),
    "no phase": (
        changed(rules={"upgrades": False}, play={"rounds": 1, "start": "upgrade"}),
        "play.start: expected nothing here: the game is played without an upgrade phase",
    ),
    "rule": (changed(rules={"advanced": True}), "rules: unknown option 'advanced'"),
    "race on": (changed(rules={"race_on": 1}), "rules.race_on: expected false or true, got 1"),
    "damage kind": (changed(answers=answer("damage_kind", "worm")), "answers[0].decision: expected one of program,"),
    "worm wave": (changed(answers=answer("corruption_wave", "yes")), "answers[0].decision: expected one of program,"),
    "an option": (changed(answers=answer("option_lost", "no")), "answers[0].decision: expected one of program,"),
    "power down": (changed(answers=answer("power_down", "later")), 'answers[0].choice: expected one of no, yes, got'),
    "buying": (changed(answers=answer("buy_upgrade", "virus_module")), "answers[0].choice: expected one of no, admin"),
    "program": (changed(answers=answer("program", ["again"] * 6)), "answers[0].choice: expected a list of at most"),
    "worm": (changed(answers=answer("program", [None, "worm"])), "answers[0].choice[1]: expected a card of edition"),
    "crusher": (
        changed(map={"elements": [{"kind": "crusher", "x": 0, "y": 0, "registers": [1]}]}),
        "map.elements[0].kind: kind crusher is not in edition community",
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", MISTAKES)
def test_a_mistake_is_one_line_with_its_place(key: str) -> None:
    raises_message(*MISTAKES[key])


def test_what_is_left_out_is_what_a_game_starts_with() -> None:
    scenario = load(changed())
    wanted = {"damage": 0, "energy": 5, "powered_down": False, "virtual": False, "upgrades": [], "hand": []}
    assert {key: scenario.robots[1][key] for key in wanted} == wanted
    assert scenario.rules["upgrades"]
    assert not scenario.rules["race_on"]


def test_defaults_of_other_editions_may_stand_there() -> None:
    robot = {"lives": 3, "options": [], "team": 0, "locked": [], "archive": {"x": 1, "y": 0}, "level": 1, "damage": 0}
    assert load(changed(robot)).robots == load(changed()).robots


def test_virtual_robots_share_a_cell_with_at_most_one_that_is_real() -> None:
    both = load(changed({"x": 2, "y": 1}, {"virtual": True})).robots
    assert [robot["virtual"] for robot in both] == [False, True]
    assert load(changed({"x": 2, "y": 1, "virtual": True}, {"virtual": True}))


def test_an_empty_list_of_locked_registers_is_as_none() -> None:
    """As in the example of the scenario files, with some damage put in."""
    assert load(changed({"damage": 6, "locked": []})).robots[0]["damage"] == 6


def test_all_locked_registers_may_be_named_in_any_order() -> None:
    assert load(changed({"damage": 9, "locked": [5, 1, 4, 2, 3]})).robots[0]["damage"] == 9


@pytest.mark.parametrize("edition", ["2005", "2016"])
def test_the_other_editions_know_the_key_virtual_with_its_only_value(edition: str) -> None:
    data = {"edition": edition, "map": {"width": 2, "height": 1}, "robots": [{"x": 0, "y": 0, "virtual": False}]}
    assert load(data)
    data["robots"][0]["virtual"] = True  # type: ignore[index]
    with pytest.raises(ScenarioError, match=rf"virtual.*edition {edition}"):
        load(data)
