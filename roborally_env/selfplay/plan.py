"""The plan of a run: a checked config, divided into shards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from roborally_env.agents import Agent
from roborally_env.base.checks import check_flag, check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.seeing.observe import symbolic_size
from roborally_env.evaluation.setup import Setup
from roborally_env.selfplay.writer import EPISODES, STEPS

MOST_COURSES = 2**15 - 1  # of one shard: texts are numbered with sixteen bits
BATCH = 100  # races played side by side
SHARD_GAMES = BATCH


class Shard(NamedTuple):
    """Races `first` .. of a course."""

    number: int
    course: int  # place in the list
    first: int
    games: int

    @property
    def files(self) -> tuple[str, str]:
        """The names of its files in the folder, in the order in which they are written."""
        name = f"shard-{self.number:05d}.parquet"
        return f"{STEPS}/{name}", f"{EPISODES}/{name}"


@dataclass(frozen=True)
class Plan:
    """A checked config of self-play."""

    setup: Setup
    observations: bool
    shard_games: int

    @property
    def episodes(self) -> int:
        """The number of all races."""
        return self.setup.games * len(self.setup.courses)

    @property
    def game(self) -> str:
        """The name of its kind of record."""
        return self.setup.kind.name

    def robots(self, course: int) -> int:
        """The number of robots in a race on a course."""
        return self.setup.counts[course] * self.setup.courses[course].robots_each

    def shards(self) -> list[Shard]:
        """All shards, the courses in turn, so that the first shards already cover every course."""
        games, each = self.setup.games, self.shard_games
        cut = [(course, first) for first in range(0, games, each) for course in range(len(self.setup.courses))]
        return [Shard(n, course, first, min(each, games - first)) for n, (course, first) in enumerate(cut)]

    def batch(self, course: int, first: int, count: int, agents: Sequence[Agent]) -> BatchRace:
        """A batch of races on a course, from number `first` on, at their start."""
        return self.setup.batch(course, first, count, agents, observed=self.observations)


def check_plan(setup: Setup, *, observations: bool = False, shard_games: int = SHARD_GAMES) -> Plan:
    """Check the config; `selfplay` documents the values."""
    if any(not isinstance(agent, str) for agent in setup.agents):
        raise RoboRallyError('agents: expected specs such as "planner" or "package.module:Class", got an object')
    most = 1_000_000 if setup.generator is None else MOST_COURSES
    plan = Plan(setup, check_flag(observations, "observations"), check_whole(shard_games, "shard_games", 1, most))
    if plan.observations:
        _check_one_size(plan)
    return plan


def _check_one_size(plan: Plan) -> None:
    """Raise for observations of several sizes, which cannot form one column."""
    robots = {plan.robots(course) for course in range(len(plan.setup.courses))}
    if len({symbolic_size(each, plan.game, plan.setup.decisions == "all") for each in robots}) > 1:
        raise RoboRallyError(
            "observations: expected the same number of robots on every course, got "
            f"{', '.join(map(str, sorted(robots)))}; name a number of players that all of them allow"
        )
