"""Rotating the world commutes with playing: a map turned by quarters gives the outcome turned by quarters."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import choices
from roborally_env.scenario import load
from tests.reference.e2016.generate import scenario
from tests.sizes import size

DIRECTIONS = "NESW"
COMPASS = ("reboot_facing", "boink", "zoop")  # the decisions that are answered with a direction of the board


def turned(direction: str) -> str:
    """A quarter clockwise."""
    return DIRECTIONS[(DIRECTIONS.index(direction) + 1) % 4]


def rotated(value: Any, height: int) -> Any:
    """Any part of a scenario or outcome a quarter clockwise; `height` is that of its map before the turn."""
    if isinstance(value, list):
        return [rotated(item, height) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: rotated(item, height) for key, item in value.items()}
    if "x" in value:
        found["x"], found["y"] = height - 1 - value["y"], value["x"]
    if "width" in value:
        found["width"], found["height"] = value["height"], value["width"]
    for key in ("facing", "out", "push", "fires", "start_facing"):
        if isinstance(value.get(key), str):
            found[key] = turned(value[key])
    for key in ("in", "sides"):
        if key in value:
            found[key] = sorted(map(turned, value[key]))
    if value.get("decision") in COMPASS and value["choice"] in tuple(DIRECTIONS):
        found["choice"] = turned(value["choice"])
    return found


def test_the_decisions_that_are_answered_with_a_direction_are_all_turned() -> None:
    directions = {kind for kind, names in choices.OPTION_NAMES.items() if set(DIRECTIONS) & set(names)}
    assert {choices.NAMES[kind] for kind in directions} == set(COMPASS)


def outcome(given_scenario: dict[str, Any]) -> dict[str, Any] | None:
    """What comes out, less the events; None where the scenario is refused for an answer."""
    try:
        result = load(given_scenario).run()
    except RoboRallyError:
        return None
    del result["events"]
    return result


@pytest.mark.parametrize("upgrades", [True, False], ids=["upgrades", "lighter"])
@settings(max_examples=size(100, 300), deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), quarters=st.integers(1, 3))
def test_rotating_the_world_commutes_with_playing(upgrades: bool, seed: int, quarters: int) -> None:
    first = scenario(seed, upgrades=upgrades)
    world = first["map"]
    world.setdefault("start_facing", (world.get("antenna") or {"facing": "E"})["facing"])
    there, expected = first, outcome(first)
    for _ in range(quarters):
        height = there["map"]["height"]
        there, expected = rotated(there, height), rotated(expected, height)
    assert outcome(there) == expected
