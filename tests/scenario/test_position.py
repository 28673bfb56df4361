"""Positions as a seat sees them: nothing that is hidden, and scenario files that can be read."""

from typing import Any

import numpy as np
import pytest
from roborally_env.agents.asking import Positions

from roborally_env import BatchRace
from roborally_env.scenario import Scenario
from roborally_env.scenario.position import Position

EDITIONS = {
    "2016": "dizzy_highway", "2005": "risky_exchange", "2005/teams": "2005/capture_the_flag", "2023": "dizzy_highway",
    "community": "hot_floor",
}  # fmt: skip


def position_of(batch: BatchRace, game: int) -> Position:
    """The position of a game."""
    course = int(batch.games["course"][game])
    tables = batch.maps.courses[course : course + 1]
    return Position(batch.kind, batch.edition, batch.rules, batch.courses[course], tables, batch.games[game : game + 1])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_row_does_not_change_with_what_the_seat_cannot_know(edition: str, decisions: str) -> None:
    batch = BatchRace(2, EDITIONS[edition], edition=edition[:4] if edition[0] == "2" else edition, players=4, seed=1,
                      decisions=decisions)  # fmt: skip
    asked: set[int] = set()
    for step in range(50):
        other = batch.redeal(1, step)
        other.games["key"], other.games["draws"] = batch.games["key"], batch.games["draws"]  # for `random` alone
        for game in range(2):
            mine, theirs = (Positions(each, 0)._row(game, 1)[0] for each in (batch, other))
            assert mine == theirs
            asked.add(int(batch.games["step"][game]))
        batch.step(*batch.sample())
    assert len(asked) >= (1 if decisions == "program" else 3)


@pytest.mark.parametrize("edition", [each for each in EDITIONS if "/" not in each])
def test_a_position_is_a_scenario_file_with_the_same_robots(edition: str) -> None:
    batch = BatchRace(3, EDITIONS[edition], edition=edition, players=4, seed=2)
    read = 0
    for _ in range(30):
        for game in np.flatnonzero(batch.programming).tolist():
            seen = position_of(batch, game).seen_by(2)
            if any("x" not in robot for robot in seen["robots"]):
                continue  # off the board, which a file cannot say
            scenario = Scenario(dict(seen))
            record: Any = batch.games[game]
            for r, robot in enumerate(scenario.robots):
                assert robot["y"] * 32 + robot["x"] == record["cell"][r]
                assert robot["checkpoint"] == record["reached"][r]
            held = int(record["held"][2])
            assert scenario.robots[2]["hand"] == record["hand"][2][:held].tolist()
            read += 1
        batch.step(*batch.sample())
    assert read > 20
