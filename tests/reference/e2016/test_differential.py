"""The compiled core against the slow reference, over random scenarios. `scripts/differential.py` runs millions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from roborally_env.scenario import differences
from tests.reference import comparing
from tests.reference.errors import BadScenario, NeedsChance
from tests.rules.picture import ROBOTS, draw, side_by_side

from .generate import scenario
from .race import play

COUNT = 3000
BLOCKS = 6


def difference(seed: int) -> str | None:
    """What core and reference say differently of a scenario: None for nothing, "" where only a shuffle can tell."""
    return difference_of(scenario(seed), play)


def difference_of(drawn: dict[str, Any], play: Callable[[dict[str, Any]], dict[str, Any]]) -> str | None:
    """The same of a scenario that is there, with the reference that plays it."""
    return comparing.difference(drawn, play, NeedsChance, BadScenario, compare, report)


def compare(drawn: dict[str, Any], expected: Any, outcome: Any) -> list[str]:
    """A line for each difference of two outcomes."""
    return differences(expected, outcome, "outcome")


def report(drawn: dict[str, Any], lines: list[str], expected: Any, outcome: Any) -> str:
    """The situation as pictures, what differs, and the scenario to paste."""
    before = draw(drawn["map"], placed(drawn["robots"]))
    after = [draw(drawn["map"], placed(found["robots"])) if found else "refused" for found in (expected, outcome)]
    programs = [f"  {letter}: {robot.get('registers')}" for letter, robot in zip(ROBOTS, drawn["robots"], strict=False)]
    parts = [
        f"{drawn['name']}: core and reference differ",
        *lines,
        before,
        f"play {json.dumps(drawn['play'])}, answers {json.dumps(drawn.get('answers', []))}",
        *programs,
        side_by_side(*after, ("reference", "core")),
        json.dumps(drawn),
    ]
    return "\n".join(parts)


def placed(robots: list[dict[str, Any]]) -> dict[str, tuple[int, int, str]]:
    """Robots of a scenario or an outcome, for a picture."""
    return {letter: (r["x"], r["y"], r["facing"]) for letter, r in zip(ROBOTS, robots, strict=False)}


@pytest.mark.parametrize("block", range(BLOCKS))
def test_core_and_reference_agree(block: int) -> None:
    size = COUNT // BLOCKS
    skipped = 0
    for seed in range(block * size, (block + 1) * size):
        found = difference(seed)
        assert not found, found
        skipped += found == ""
    assert skipped < size // 10
