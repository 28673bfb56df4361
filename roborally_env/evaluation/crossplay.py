"""Cross-play: every agent races alone against several of every other, and a rating is made of all races.

from roborally_env.evaluation.crossplay import crossplay

found = crossplay(["greedy", "shooter", "random"], "dizzy_highway", games=100, seed=1)
print(found.cell("shooter", "greedy").win_rate, found.ratings[0].agent)
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from roborally_env.arguments import Courses, course_source
from roborally_env.base.checks import shown
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.text import file_name
from roborally_env.base.types import Fields, JsonObject, NamedValues, OptionValue
from roborally_env.batch import RULES_VERSION
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.setup import MAX_ROUNDS, Setup, check_setup
from roborally_env.evaluation.statistics import wilson
from roborally_env.evaluation.strengths import rating_intervals, ratings_of
from roborally_env.evaluation.tournament import check_outside, evaluate

MOST_AGENTS = 32
PLAYERS = 4  # of a race, where the courses allow it
RESULTS = "crossplay.json"
_WON, _LOST, _CUT = range(3)


@dataclass(frozen=True)
class Cell:
    """Races of an agent alone against another in all other seats, with the 95 % Wilson interval of its win rate."""

    agent: str
    against: str
    races: int
    wins: int
    cut: int  # races that nobody won
    win_rate: float
    win_low: float
    win_high: float


@dataclass(frozen=True)
class Rating:
    """An agent's rating (`evaluation.strengths`) with its 95% bootstrap interval."""

    agent: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class CrossPlay:
    """What came out, or the finished part if it was stopped.

    Attributes:
        setup: the courses, rules and seed of all races.
        agents: specs, in the order given.
        sides: robots of a race, or teams where the courses have teams.
        outcomes: int64 [courses, n, n, 3]: races of agent i alone against agent j that it won, lost, and nobody won.
    """

    setup: Setup
    agents: tuple[str, ...]
    sides: int
    outcomes: NDArray[np.int64]

    @property
    def complete(self) -> bool:
        """Whether every race was played."""
        return int(self.outcomes.sum()) == races_of(self.setup, self.agents)

    def cell(self, agent: str, against: str) -> Cell:
        """The races of an agent alone against another.

        Raises:
            AgentError: for an agent that did not race.
        """
        for name in (agent, against):
            if name not in self.agents:
                raise AgentError(f"agent: expected one of {', '.join(self.agents)}, got {name!r}")
        counts = self.outcomes[:, self.agents.index(agent), self.agents.index(against)].sum(0)
        wins, races = int(counts[_WON]), int(counts.sum())
        low, high = wilson(wins, races)
        return Cell(agent, against, races, wins, int(counts[_CUT]), wins / races if races else 0.0, low, high)

    @property
    def cells(self) -> list[Cell]:
        """The cells of all pairs that have raced."""
        found = [self.cell(*pair) for pair in itertools.permutations(self.agents, 2)]
        return [cell for cell in found if cell.races]

    @cached_property
    def ratings(self) -> list[Rating]:
        """The ratings, best first."""
        counts, others = self.outcomes.sum(0), self.sides - 1
        found = ratings_of(counts[..., _WON], counts[..., _LOST], others)
        ranges = rating_intervals(self.outcomes, others, self.setup.seed)
        rows = [Rating(name, float(found[i]), *map(float, ranges[i])) for i, name in enumerate(self.agents)]
        return sorted(rows, key=lambda row: -row.rating)

    def to_dict(self) -> JsonObject:
        """JSON values, which depend on the seed but not on the number of workers."""
        setup = self.setup
        return {
            "agents": list(self.agents),
            "courses": [course.slug for course in setup.courses],
            "edition": setup.edition,
            "rules": setup.rules,
            "rules_version": RULES_VERSION,
            "decisions": setup.decisions,
            "players": setup.players,
            "games": setup.games,
            "seed": setup.seed,
            "max_rounds": setup.max_rounds,
            "equal_share": 1 / self.sides,
            "complete": self.complete,
            "matrix": [dataclasses.asdict(cell) for cell in self.cells],
            "ratings": [dataclasses.asdict(row) for row in self.ratings],
        }


def check_crossplay(
    agents: Sequence[str], courses: Courses | None = None, *, players: int | None = None, **given: OptionValue
) -> tuple[Setup, int]:
    """The checked arguments of `crossplay`, and how many sides a race has."""
    several = isinstance(agents, Sequence) and not isinstance(agents, str)
    if not several or not 2 <= len(agents) <= MOST_AGENTS or not all(isinstance(a, str) for a in agents):
        raise RoboRallyError(
            f"agents: expected 2 to {MOST_AGENTS} specs, such as greedy and random, got {shown(agents)}"
        )
    for i, agent in enumerate(agents):
        if agent in agents[:i]:
            raise RoboRallyError(f"agents: {agent} is in the list twice")
    setups = [check_setup([agent] * PLAYERS, courses, players=players, **given) for agent in agents]  # all play here
    setup = setups[0]
    sides = [len(set(setup.teams(i))) for i in range(len(setup.courses))]
    for i, course in enumerate(setup.courses):
        if (setup.counts[i], sides[i]) != (setup.counts[0], sides[0]):
            first = setup.courses[0].slug
            raise RoboRallyError(
                f"players: expected as many on every course, got {setup.counts[0]} on {first} and {setup.counts[i]} on "
                f"{course.slug}"
            )
    if sides[0] < 2:
        raise RoboRallyError(f"players: expected at least 2, got {sides[0]}")
    return setup, sides[0]


def crossplay(
    agents: Sequence[str],
    courses: Courses | None = None,
    *,
    games: int,
    players: int | None = None,
    edition: str | None = None,
    seed: int = 0,
    workers: int = 1,
    ray: str | None = None,
    max_rounds: int = MAX_ROUNDS,
    rules: Fields | None = None,
    decisions: str = "program",
    out: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CrossPlay:
    """Race each agent alone against each other agent in all other seats, `games` races on each course.

    The result depends on the seed, but not on `workers` or `ray`. After Ctrl-C it returns the finished races
    (`CrossPlay.complete` is False).

    Args:
        agents: specs as for `make_agent`, two at least.
        courses, games, edition, seed, workers, ray, max_rounds, rules, decisions: as for `tournament.evaluate`.
        players: players in a race; default: 4, or the nearest number that the courses allow.
        out: a folder that keeps the finished races. The same call resumes a run that was stopped; one with more agents
            plays only the new pairs. None: a killed run cannot be resumed.
        progress: called during play with the number of races done and of all races.

    Raises:
        RoboRallyError: for any value outside these, or a folder that cannot be written or has races of other options;
            an AgentError for an unknown agent, a CourseError for an unknown course.
    """
    check_outside(out, progress)
    courses = course_source(courses, edition)  # once, not for each pair
    given: NamedValues = {
        "games": games,
        "edition": edition,
        "seed": seed,
        "max_rounds": max_rounds,
        "rules": rules,
        "decisions": decisions,
    }
    setup, sides = check_crossplay(agents, courses, players=players, **given)
    n, total = len(agents), races_of(setup, agents)
    outcomes = np.zeros((len(setup.courses), n, n, 3), np.int64)
    for i, j in itertools.permutations(range(n), 2):
        result = evaluate(
            [agents[i], *[agents[j]] * (sides - 1)],
            courses,
            players=setup.players,
            workers=workers,
            ray=ray,
            out=None if out is None else Path(out) / "pairs" / pair_name(agents[i], agents[j]),
            progress=_after(int(outcomes.sum()), total, progress),
            **given,
        )
        for race in result.races:
            outcomes[race.course, i, j, _outcome(race)] += 1
        if not result.complete:
            break
    found = CrossPlay(setup, tuple(agents), sides, outcomes)
    if out is not None and outcomes.any():
        write_whole(Path(out) / RESULTS, json.dumps(found.to_dict(), indent=1) + "\n")
    return found


def races_of(setup: Setup, agents: Sequence[str]) -> int:
    """The number of races of all pairs."""
    return setup.games * len(setup.courses) * len(agents) * (len(agents) - 1)


def pair_name(agent: str, against: str) -> str:
    """The name of the folder of a pair: readable, and another one for every pair of specs."""
    digest = hashlib.blake2b(f"{agent}\n{against}".encode(), digest_size=4).hexdigest()
    return f"{file_name(agent)[:60]}_against_{file_name(against)[:60]}_{digest}"


def _after(before: int, total: int, progress: Callable[[int, int], None] | None) -> Callable[[int, int], None] | None:
    """The progress of one pair as that of all."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def _outcome(race: Race) -> int:
    """Whether the lone agent, number 0, has won a race, lost it, or nobody won."""
    if race.winner < 0:
        return _CUT
    return _WON if race.line_up[race.winner] == 0 else _LOST
