"""The checked arguments of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent, base, check_editions, make_agent
from roborally_env.agents.base import checked
from roborally_env.arguments import Courses, check_players, course_source
from roborally_env.base.checks import check_choice, check_whole, shown
from roborally_env.base.errors import CourseError, RoboRallyError
from roborally_env.base.types import Fields, JsonObject
from roborally_env.batch import DECISIONS, BatchRace
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.core.state import Kind, kind_of
from roborally_env.courses import EDITIONS, Course
from roborally_env.courses.special import TEAM_RULES, special_bits, team_of
from roborally_env.evaluation.line_ups import MAX_AGENTS, LineUps

if TYPE_CHECKING:
    from roborally_env.generated import Generator

MAX_ROUNDS = 150  # the default: several times what random programs need on an average course
MAX_GAMES = 10_000_000


@dataclass(frozen=True)
class Setup:
    """The checked arguments of a tournament.

    With a `generator` each race is on a course of its own; the only one of `courses` is one of them, under a name for
    all, and `Race.course_name` says on which one a race was.
    """

    agents: tuple[str | Agent, ...]
    courses: tuple[Course, ...]
    games: int  # on each course
    counts: tuple[int, ...]  # of players, on each course
    edition: str
    seed: int
    max_rounds: int
    rules: JsonObject
    decisions: str
    generator: Generator | None = None
    registry: dict[str, str] = field(default_factory=dict, repr=False)  # names given by register_agent, for the workers

    @property
    def names(self) -> list[str]:
        """The agents' names, made distinct if one plays twice."""
        plain = [agent if isinstance(agent, str) else agent.name for agent in self.agents]
        return [f"{n} ({plain[:i].count(n) + 1})" if plain[:i].count(n) else n for i, n in enumerate(plain)]

    @property
    def players(self) -> int:
        """The number of players; if courses differ, that of the first course."""
        return self.counts[0]

    @property
    def kind(self) -> Kind:
        """The kind of record of its games."""
        return kind_of(game_of(self.edition, self.rules))

    @property
    def card_word(self) -> str:
        """The word in files and tables for the cards that a robot gets in a race: "options" or "upgrades"."""
        return "options" if self.kind.has("options") else "upgrades"

    def make_agents(self) -> list[Agent]:
        """Make the agents.

        Raises:
            AgentError: for a spec that makes none, or an object that is none.
        """
        return [make_agent(agent, self.seed) if isinstance(agent, str) else checked(agent) for agent in self.agents]

    def batch(
        self,
        course: int,
        first_game: int,
        count: int,
        agents: Sequence[Agent],
        *,
        events: bool = False,
        observed: bool = False,
    ) -> BatchRace:
        """A batch of `count` races on a course, from number `first_game` on, at their start; with `events` they are
        logged, and with `observed` there are observations even if no agent needs one."""
        observed = observed or any(agent.needs_observation for agent in agents)
        return BatchRace(
            count,
            self.generator or self.courses[course],
            edition=self.edition,
            players=self.counts[course],
            decisions=self.decisions,
            observation="symbolic" if observed else "none",
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            auto_reset=False,
            observe_idle=False,
            events=events,
            first_game=first_game,
        )

    def line_ups(self, course: int, first_game: int, count: int) -> NDArray[np.int64]:
        """[count, robots]: the number of the agent in each seat of each game on a course. A team has one agent."""
        teams = self.teams(course)
        line_ups = LineUps(len(self.agents), len(set(teams)))
        sides = np.array([line_ups.seats(g) for g in range(first_game, first_game + count)], np.int64)
        return sides[:, teams]

    def teams(self, course: int) -> list[int]:
        """The team of each seat on a course, numbered from 0; seats that play for themselves are teams of one."""
        played = self.courses[course]
        special = special_bits(played.special_rules) if EDITIONS[played.edition].special else 0
        return [team_of(special, r) for r in range(self.counts[course] * played.robots_each)]


def check_setup(
    agents: Sequence[str | Agent],
    courses: Courses | None,
    *,
    games: int,
    players: int | None = None,
    edition: str | None = None,
    seed: int = 0,
    max_rounds: int = MAX_ROUNDS,
    rules: Fields | None = None,
    decisions: str = "program",
) -> Setup:
    """The checked values of a tournament; `evaluate` says what they mean."""
    listed = isinstance(agents, (Sequence, np.ndarray)) and not isinstance(agents, str) and np.ndim(agents) > 0
    if not listed or not 1 <= len(agents) <= MAX_AGENTS:
        raise RoboRallyError(f"agents: expected a list of 1 to {MAX_AGENTS}, got {shown(agents)}")
    source = course_source(courses, edition)
    found, edition, generator = source.courses, source.edition, source.generator
    if generator is not None:
        text = str(generator.specification)
        found = (replace(found[0], slug=text, title=f"Generated courses ({text})"),)
    for i, course in enumerate(found):
        if course in found[:i]:
            raise CourseError(f"course: {course.slug} is in the list twice")
    setup = Setup(
        agents=tuple(agents),
        courses=found,
        games=check_whole(games, "games", 1, MAX_GAMES),
        counts=tuple(_usual_count(len(agents), c) if players is None else check_players(players, [c]) for c in found),
        edition=edition,
        seed=check_whole(seed, "seed", 0, 2**64 - 1),
        max_rounds=check_whole(max_rounds, "max_rounds", 1, 30_000),
        rules=rule_values(edition, rules),
        decisions=check_choice(decisions, "decisions", DECISIONS),
        generator=generator,
        registry=dict(base.REGISTRY),
    )
    check_editions(setup.make_agents(), edition)
    return setup


def _usual_count(agents: int, course: Course) -> int:
    """The default number: that of the agents, or the nearest that the course allows; with teams the smallest."""
    if TEAM_RULES & set(course.special_rules):
        return min(course.counts)
    return min(course.counts, key=lambda count: (abs(count - agents), count))
