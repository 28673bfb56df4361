"""A tournament before it is played: its values, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.agents import Agent, base, make_agent
from roborally_env.batch import DECISIONS, BatchRace, check_choice, check_courses, check_players, check_whole
from roborally_env.core.rules import check_edition, rule_values
from roborally_env.courses import Course
from roborally_env.errors import RoboRallyError
from roborally_env.evaluation.line_ups import MAX_AGENTS, LineUps

MAX_ROUNDS = 150  # where nothing else is said: several times what a random program needs on a middling course
MAX_GAMES = 10_000_000


@dataclass(frozen=True)
class Setup:
    """A tournament before it is played: checked values."""

    agents: tuple[str | Agent, ...]
    courses: tuple[Course, ...]
    games: int  # on each course
    players: int
    edition: str
    seed: int
    max_rounds: int
    rules: dict[str, Any]
    decisions: str
    registry: dict[str, str] = field(default_factory=dict, repr=False)  # names given by register_agent, for the workers

    @property
    def names(self) -> list[str]:
        """The agents' names, told apart where one plays twice."""
        plain = [agent if isinstance(agent, str) else agent.name for agent in self.agents]
        return [f"{n} ({plain[:i].count(n) + 1})" if plain[:i].count(n) else n for i, n in enumerate(plain)]

    def make_agents(self) -> list[Agent]:
        """The agents themselves."""
        return [make_agent(agent, self.seed) if isinstance(agent, str) else agent for agent in self.agents]

    def batch(self, course: int, first_game: int, count: int, agents: Sequence[Agent]) -> BatchRace:
        """The races `first_game` .. on a course, at their start."""
        return BatchRace(
            count,
            self.courses[course],
            edition=self.edition,
            players=self.players,
            decisions=self.decisions,
            observation="symbolic" if any(agent.needs_observation for agent in agents) else "none",
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            auto_reset=False,
            first_game=first_game,
        )

    def line_ups(self, first_game: int, count: int) -> Any:
        """[count, players]: the agent in each seat of each game."""
        line_ups = LineUps(len(self.agents), self.players)
        return np.array([line_ups.seats(g) for g in range(first_game, first_game + count)], np.int64)


def check_setup(
    agents: Sequence[str | Agent],
    courses: str | Path | Course | Sequence[str | Path | Course],
    *,
    games: int,
    players: int | None = None,
    edition: str = "2016",
    seed: int = 0,
    max_rounds: int = MAX_ROUNDS,
    rules: Mapping[str, Any] | None = None,
    decisions: str = "program",
) -> Setup:
    """The checked values of a tournament; `evaluate` says what they mean."""
    if isinstance(agents, str) or not 1 <= len(agents) <= MAX_AGENTS:
        raise RoboRallyError(f"agents: expected a list of 1 to {MAX_AGENTS}, got {agents!r}")
    edition = check_edition(edition)
    found = check_courses(courses, edition)
    for i, course in enumerate(found):
        if course in found[:i]:
            raise RoboRallyError(f"course: {course.slug} stands twice in the list")
    setup = Setup(
        agents=tuple(agents),
        courses=found,
        games=check_whole(games, "games", 1, MAX_GAMES),
        players=_players(len(agents) if players is None else players, players is None, found),
        edition=edition,
        seed=check_whole(seed, "seed", 0, 2**64 - 1),
        max_rounds=check_whole(max_rounds, "max_rounds", 1, 30_000),
        rules=rule_values(edition, rules),
        decisions=check_choice(decisions, "decisions", DECISIONS),
        registry=dict(base.REGISTRY),
    )
    setup.make_agents()
    return setup


def _players(players: int, guessed: bool, courses: Sequence[Course]) -> int:
    """The number of players, if each of the courses allows it."""
    if guessed:
        players = min(max(players, 2), 6)
    for course in courses:
        try:
            check_players(players, [course])
        except RoboRallyError as error:
            raise RoboRallyError(f"{error} on {course.slug}") from None
    return int(players)
