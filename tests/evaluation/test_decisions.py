"""Decisions that are kept while races are played: another process goes on from them to the same end."""

import numpy as np
import pytest
from roborally_env.agents import make_agent
from roborally_env.agents.uniform import RandomAgent

from roborally_env import BatchRace
from roborally_env.evaluation import decisions as kept
from roborally_env.evaluation.decisions import Decisions
from roborally_env.evaluation.races import play_races

LINE_UPS = np.tile(np.arange(2), (3, 1))


class Counting(RandomAgent):
    """Counts in what step it is asked, for all agents of its kind."""

    asked: list[int] = []  # noqa: RUF012

    def act(self, observations, masks, info):
        Counting.asked.append(len(info.games))
        return super().act(observations, masks, info)


class Remembering(Counting):
    """Changes while it plays."""

    def act(self, observations, masks, info):
        self.latest = masks.copy()
        return super().act(observations, masks, info)


def races(edition="2016"):
    """Three races of two robots."""
    return BatchRace(3, edition=edition, players=2, observation="none", max_rounds=6, seed=1, auto_reset=False)


def play(agents, known=b"", stop_after=None, edition="2016"):
    """The races and their saved decisions; `stop_after`: how many at most."""
    found, decided = [], Decisions(agents, known)

    def keep(content):
        found.append(content)
        return len(found) == stop_after

    stops = lambda: decided.stops(keep, lambda: {"kept": len(found)})  # noqa: E731
    return play_races(races(edition), agents, LINE_UPS, 0, stops, decided.decide), found, decided


@pytest.fixture(autouse=True)
def at_every_step(monkeypatch):
    monkeypatch.setattr(kept, "SLICE", 0.0)


@pytest.mark.parametrize("edition", ["2016", "2005"])
def test_races_go_on_from_what_was_kept(edition):
    whole, every, _ = play([Counting(1), Counting(2)], edition=edition)
    asked = len(Counting.asked)
    for stop in (len(every) // 2, len(every)):
        stopped, found, _ = play([Counting(1), Counting(2)], stop_after=stop, edition=edition)
        assert (stopped, len(found)) == (None, stop)
        Counting.asked.clear()
        again, _, decided = play([Counting(1), Counting(2)], found[-1], edition=edition)
        assert again == whole
        assert decided.more == {"kept": stop - 1}
        assert len(Counting.asked) < asked, "what was decided is not asked for again"
    Counting.asked.clear()


@pytest.mark.parametrize("damage", [b"", b"PK", b"x" * 100, None])
def test_what_is_damaged_counts_as_nothing(damage):
    whole, every, _ = play([make_agent("random", 1)] * 2)
    known = every[-1][: len(every[-1]) // 2] if damage is None else damage
    again, _, decided = play([make_agent("random", 1)] * 2, known)
    assert again == whole
    assert decided.more is None


def test_an_agent_that_changes_is_not_kept():
    """In 2005 the first step asks for programs."""
    assert play([Remembering(1), RandomAgent(2)], edition="2005")[1] == []
    unpicklable = RandomAgent(1)
    unpicklable.own = lambda: 0
    assert play([unpicklable, RandomAgent(2)], edition="2005")[1] == []


@pytest.mark.parametrize(
    "spec", ["random", "greedy", "planner:simulations=20", "learned:deals=0", "planner:budget=1ms"]
)
def test_agents_of_the_package_are_kept(spec):
    assert play([make_agent(spec), make_agent("random")])[1]


def test_nothing_is_kept_before_its_time(monkeypatch):
    monkeypatch.setattr(kept, "SLICE", 1000.0)
    assert play([RandomAgent(1), RandomAgent(2)])[1] == []
