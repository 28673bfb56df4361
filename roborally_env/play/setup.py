"""The checked arguments of a race of people and bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from roborally_env.agents import Agent, check_editions, make_agent
from roborally_env.arguments import check_lives, check_players, course_source
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Fields, JsonObject
from roborally_env.batch import BatchRace
from roborally_env.core.rule_options import rule_values
from roborally_env.courses import Course
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.editions import edition_of
from roborally_env.play.clock import BOTS, Timer
from roborally_env.play.levels import LEVELS, level_of

USUAL_OPPONENTS = ("planner", "greedy", "learned")
USUAL_PLAYERS = 4
MOST_PEOPLE = 8
LONGEST_NAME = 24


@dataclass(frozen=True)
class PlaySetup:
    """The course, rules and players of a race: people have the first seats, bots the others."""

    course: Course
    people: tuple[str, ...]  # their names
    opponents: tuple[str, ...]  # specs of agents
    rules: JsonObject  # every rule option of the edition with its value
    seed: int
    max_rounds: int | None
    timer: Timer | None = None

    @property
    def players(self) -> int:
        """The number of players, people and bots."""
        return len(self.people) + len(self.opponents)

    @property
    def robots_each(self) -> int:
        """How many robots each player has: two in Interference."""
        return self.course.robots_each

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each robot's player. Bots of one agent, or of a person's name, have their robot's number too."""
        players = (*self.people, *self.opponents)
        names = list(players)
        for player in range(len(self.people), self.players):
            if players.count(players[player]) > 1:
                names[player] += f" {self.robots_of(player)[0]}"
        return tuple(name for name in names for _ in range(self.robots_each))

    def robots_of(self, player: int) -> range:
        """The robots of a player."""
        return range(player * self.robots_each, (player + 1) * self.robots_each)

    def make_agents(self) -> list[Agent]:
        """Make the opponents."""
        return [make_agent(spec, self.seed) for spec in self.opponents]

    def batch(self, agents: Sequence[Agent] = ()) -> BatchRace:
        """A batch of this one race at its start, with frames; every choice is open."""
        seen = any(agent.needs_observation for agent in agents)
        return BatchRace(
            1,
            self.course,
            players=self.players,
            decisions="all",
            observation="symbolic" if seen else "none",
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            auto_reset=False,
            frames=True,
        )


def check_play(
    course: str | Path | Course | None = None,
    opponents: Sequence[str] | None = None,
    *,
    humans: int = 1,
    edition: str | None = None,
    rules: Fields | None = None,
    seed: int | None = None,
    max_rounds: int | None = None,
    names: Sequence[str] = (),
    timer: int | None = None,
    bot_time: int = BOTS,
    players: int | None = None,
) -> PlaySetup:
    """Check the arguments of a race.

    Args:
        course: as for `parallel_env`; None: one for beginners with three checkpoints.
        opponents: specs of agents as for `make_agent`, or levels (`levels.LEVELS`), of which one alone is for all
            opponents; `["none"]` for people only; None: planner, greedy, learned (by
            community rules planner, greedy, planner) up to four players, or up to the nearest number that the course
            allows.
        humans: how many people play.
        edition: the rules; None: those of the course.
        rules: rule options of the edition.
        seed: seed of the race and of the bots; None: any.
        max_rounds: the race is cut after this many rounds; None: never.
        names: of the people in the order of their seats; None for the rest.
        timer: the seconds of the rules' timer; None: no timer runs while people program.
        bot_time: the seconds after which bots count as finished for the timer; 0: at once.
        players: how many people and bots race, where one level or None stands for all bots; None: four, or the nearest
            number that the course allows.

    Raises:
        RoboRallyError: for any value outside these.
    """
    people = check_names(names, check_whole(humans, "humans", 1, MOST_PEOPLE))
    if course is None:
        course = edition_of(str(edition or DEFAULT_EDITION)).start_page.course or None
    raced = course_source(course, edition).courses[0]
    many = max(0, players - len(people)) if players is not None else _usual_count(raced, len(people))
    chosen = _usual_opponents(raced, many) if opponents is None else _opponents(opponents, raced, many)
    setup = PlaySetup(
        course=raced,
        people=people,
        opponents=chosen,
        rules=_rules(raced.edition, rules, timer is not None),
        seed=secrets.randbelow(2**32) if seed is None else check_whole(seed, "seed", 0, 2**64 - 1),
        max_rounds=None if max_rounds is None else check_whole(max_rounds, "max_rounds", 1, 30_000),
        timer=None if timer is None else Timer(timer, bot_time),
    )
    _check_count(setup)
    check_editions(setup.make_agents(), raced.edition)
    return setup


def _rules(edition: str, given: Fields | None, timed: bool) -> JsonObject:
    """Every rule option with its value; that of the timer is set by the timer."""
    if (given or {}).get("timer"):
        raise RoboRallyError("rules.timer: expected the timer's seconds instead (--timer 30, timer=30)")
    found = rule_values(edition, given)
    if timed and "timer" not in found:
        raise RoboRallyError(f"timer: edition {edition} has none; leave it out")
    return {**found, "timer": True} if timed else found


def _check_count(setup: PlaySetup) -> None:
    """Raise a RoboRallyError for a number of players that the course or the rules do not allow."""
    try:
        check_players(setup.players, [setup.course])
    except RoboRallyError as error:
        people, bots = len(setup.people), len(setup.opponents)
        who = f"{people} {'person' if people == 1 else 'people'} and {bots} opponent{'s' * (bots != 1)}"
        raise RoboRallyError(f"{error}: {who}") from None
    check_lives(setup.rules, setup.players * setup.robots_each)


def _opponents(given: Sequence[str], course: Course, many: int) -> tuple[str, ...]:
    """The agents of the given words: specs, and levels for their agents; a level alone is for all `many` opponents."""
    if isinstance(given, str):
        raise RoboRallyError(f"opponents: expected a list of agents, got {given!r}")
    if list(given) == ["none"]:
        return ()
    if len(given) == 1 and given[0] in LEVELS:
        return level_of(course.edition, given[0], many)
    return tuple(level_of(course.edition, each, 1)[0] if each in LEVELS else each for each in given)


def _usual_count(course: Course, people: int) -> int:
    """The number of opponents up to four players, or up to the nearest number that the course allows."""
    counts = [count for count in course.counts if count >= max(people, 2)]
    if not counts:
        return 0  # too many people: the check of the number says so
    return min(counts, key=lambda count: (abs(count - USUAL_PLAYERS), count)) - people


def _usual_opponents(course: Course, many: int) -> tuple[str, ...]:
    usual = [name for name in USUAL_OPPONENTS if plays(name, course.edition)]
    return tuple(usual[i % len(usual)] for i in range(many))


def plays(agent: str, edition: str) -> bool:
    """Whether an agent plays an edition."""
    return edition not in getattr(make_agent(agent), "unknown_editions", {})


def check_names(given: Sequence[str], people: int) -> tuple[str, ...]:
    """A name for each person: those given, then "player 1" and so on; raises RoboRallyError for names that are none."""
    if len(given) > people:
        raise RoboRallyError(f"names: expected at most {people}, one a person, got {len(given)}")
    usual = [f"player {i + 1}" for i in range(people)]
    names = [*(" ".join(str(name).split()) for name in given), *usual[len(given) :]]
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise RoboRallyError(f"names: expected 1 to {LONGEST_NAME} printable characters, got {name!r}")
    if len(set(names)) < len(names):
        raise RoboRallyError(f"names: expected each name once, got {', '.join(names)}")
    return tuple(names)
