"""A small protocol, and agents in a file that do everything wrong."""

import textwrap

import pytest

from roborally_env.evaluation.benchmark import CourseSet, Opponent, Protocol, parts, protocol

SMALL = Protocol(
    "2016",
    (CourseSet("training", ("dizzy_highway",)), CourseSet("test", ("risky_crossing",))),
    24,
    12,
    (Opponent("greedy", "greedy"), Opponent("uniform", "random")),
)
BOTS = """
    import time
    import numpy as np
    from roborally_env.agents.greedy import GreedyAgent

    class Fails(GreedyAgent):
        '''Raises in races 1, 5, 9, ... and gives a wrong shape in races 2, 6, 10, ...'''
        name = "fails"

        def act(self, observations, masks, info):
            races = info.batch.first_game + info.games
            if (races % 4 == 1).any():
                raise ValueError("not this\\nrace")
            programs = super().act(observations, masks, info)
            return programs[:, :4] if (races % 4 == 2).any() else programs

        def choose(self, observations, choice_masks, info):
            return np.full(len(info.games), 99 if (info.batch.first_game + info.games[0]) % 4 == 3 else 1)

    class Illegal:
        name, needs_observation = "illegal", True

        def act(self, observations, masks, info):
            assert observations.shape[0] == len(masks)
            return np.zeros((len(masks), 5), np.int8)

    class Slow(GreedyAgent):
        name = "slow"

        def act(self, observations, masks, info):
            time.sleep(0.002 * len(masks))
            return super().act(observations, masks, info)
"""


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """The small protocol, in parts of six races."""
    monkeypatch.setitem(protocol.PROTOCOLS, "2016", SMALL)
    monkeypatch.setattr(parts, "BATCH", 6)


@pytest.fixture
def bots(tmp_path):
    """The file of the agents."""
    path = tmp_path / "bots.py"
    path.write_text(textwrap.dedent(BOTS), encoding="utf-8")
    return path


def contents(folder, *left_out):
    """The bytes of all files of a folder but the lock and those left out, by name."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    named = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {name: found for name, found in named.items() if not name.startswith(left_out or ("?",))}
