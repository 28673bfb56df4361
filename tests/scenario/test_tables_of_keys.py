"""Scenarios are read and played by tables of keys, to which an edition from outside adds its own."""

import dataclasses
from typing import Any

import pytest

from roborally_env import editions
from roborally_env.base.errors import ScenarioError
from roborally_env.editions.e2016.scenario import SCENARIO
from roborally_env.scenario import load
from roborally_env.scenario.keys import Key, number
from roborally_env.scenario.runner import Runner
from tests.editions.geyser import GEYSERS

SCENE: dict[str, Any] = {
    "edition": "geysers",
    "map": {"width": 4, "height": 1, "elements": []},
    "robots": [{"x": 0, "y": 0, "facing": "E", "fuel": 3}],
}


@pytest.fixture
def geysers_with_keys():
    rows = {"fuel": number("energy", 0, 9, 5), "marks": Key(show=lambda runner, r: 7)}
    weather = {"weather": Key(lambda scenario, given, where: str(given))}
    scenario = dataclasses.replace(SCENARIO, robot={**SCENARIO.robot, **rows}, table={**SCENARIO.table, **weather})
    editions.register(dataclasses.replace(GEYSERS, scenario=scenario))
    yield
    editions.unregister("geysers")


@pytest.mark.usefixtures("geysers_with_keys")
def test_an_edition_from_outside_adds_rows_to_the_common_keys() -> None:
    scenario = load({**SCENE, "weather": "rain"})
    assert scenario.robots[0]["fuel"] == 3
    assert scenario.table["weather"] == "rain"
    with pytest.raises(ScenarioError, match=r"robots\[0\]\.fuel.*0 to 9"):
        load({**SCENE, "robots": [{"x": 0, "y": 0, "fuel": 10}]})
    with pytest.raises(ScenarioError, match=r"robots\[0\]\.marks"):  # it is only shown
        load({**SCENE, "robots": [{"x": 0, "y": 0, "marks": 7}]})
    with pytest.raises(ScenarioError, match="fuel"):
        load({**SCENE, "edition": "2016"})


def test_a_scenario_without_a_table_is_refused() -> None:
    editions.register(dataclasses.replace(GEYSERS, scenario=None))
    try:
        with pytest.raises(ScenarioError, match=r"geysers.*2016"):
            load(SCENE)
    finally:
        editions.unregister("geysers")


@pytest.mark.parametrize("registers", [[], [None, "move_1"], [None] * 5])
def test_an_empty_register_takes_no_upgrade_out_of_the_deck(registers: list[str | None]) -> None:
    scene = {
        "edition": "2016",
        "map": {"width": 4, "height": 1, "elements": []},
        "robots": [{"x": 0, "y": 0, "registers": registers, "upgrades": ["rail_gun"]}],
        "shop": ["brakes"],
    }
    assert int(Runner(load(scene)).game.upgrades_left) == 38
