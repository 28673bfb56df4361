"""The event log on request: it changes nothing, and tells what happened in the step."""

import numpy as np
import pytest

from roborally_env import BatchRace, RoboRallyError


def test_a_log_changes_nothing_and_tells_where_everyone_went():
    plain = BatchRace(3, "twister", players=4, seed=2, observation="none")
    logged = BatchRace(3, "twister", players=4, seed=2, observation="none", events=True)
    for _ in range(4):
        before = logged.games["cell"].copy()
        for race in (plain, logged):
            race.sample()
            race.step_prepared()
        for name in set(plain.dtype.names) - {"padding"}:
            assert np.array_equal(plain.games[name], logged.games[name]), name
        for game in range(3):
            assert follow(before[game], logged.events_of(game)) == logged.games["cell"][game].tolist()


def follow(cells, events):
    """Where the robots are after the events, from what these say alone."""
    cells = cells.tolist()
    for event in events:
        if event["kind"] in ("move", "push", "belt", "panel"):
            x, y = event["to"]
            cells[event["robot"]] = y * 32 + x
        elif event["kind"] == "placed":
            x, y = event["cell"]
            cells[event["robot"]] = y * 32 + x
    return cells


def test_a_batch_without_a_log_says_so():
    with pytest.raises(RoboRallyError, match="made with events=True"):
        BatchRace(1, players=4).events_of(0)
