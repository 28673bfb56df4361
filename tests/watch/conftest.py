"""Races that the tests of the viewer share, and the browser."""

import pytest

from roborally_env.batch import BatchRace
from roborally_env.replay import Recorder, save
from tests.browser import browser, page  # noqa: F401  fixtures


def record_race(course="dizzy_highway", *, seed=5, agents=(), **options):
    """The replay of a race with random programs."""
    options = {"players": 4, "observation": "none", "auto_reset": False, "max_rounds": 6, **options}
    batch = BatchRace(1, course, seed=seed, **options)
    recorder = Recorder(batch, seed, agents)
    for number in range(10_000):
        if batch.over.all():
            break
        programs, choices = batch.sample(number)
        recorder.step(programs.copy(), choices.copy() if batch.asks_choices else None)
    return recorder.replay()


@pytest.fixture(scope="session")
def replay():
    """Four robots, complete game, six rounds, names that would do harm as HTML."""
    agents = ("planner", "greedy", "<img src=x onerror=alert(1)>", "</script><b>random")
    return record_race(agents=agents)


@pytest.fixture(scope="session")
def replay_file(replay, tmp_path_factory):
    path = tmp_path_factory.mktemp("watch") / "race.json"
    save(replay, path)
    return path
