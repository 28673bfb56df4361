"""Checks of the courses and players of a race, and of what the two have to do with its rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import ActionError, CourseError, RoboRallyError, raised_as
from roborally_env.base.types import Array, Fields, Json
from roborally_env.core.rule_options import check_edition
from roborally_env.courses import EDITIONS, Course, may_race, raced_by
from roborally_env.courses.catalogue import is_generated
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.generated.generator import Generator, generator_for
from roborally_env.generated.resolve import load_course
from roborally_env.generated.specification import Specification

TIMED = ("program_time_30", "program_time_60")  # special rules of courses that limit the time for every program

Courses: TypeAlias = "str | Path | Course | Generator | Sequence[str | Path | Course]"


@raised_as(CourseError)
def check_courses(course: Courses | None, edition: str | None = None) -> tuple[Course, ...]:
    """The Courses for a name, a path, a Course or a list of them, all of one edition or as that edition races them.

    For a Generator (or its text) it is one of its courses: `generator_of` gives the generator. The default edition is
    that of the first course (2016 for a name that several editions have); the default course is the edition's usual
    one.
    """
    if edition is not None:
        edition = check_edition(edition)
    generator = generator_of(course, edition)
    if generator is not None:
        return (_sample(generator),)
    if course is None:
        course = EDITIONS[check_edition(edition or DEFAULT_EDITION)].default_course
    given = list(course) if isinstance(course, Sequence) and not isinstance(course, str) else [course]
    if not given:
        raise CourseError("course: expected at least one course, got an empty list")
    courses: list[Course] = []
    for each in given:
        found = each if isinstance(each, Course) else _loaded(each, edition)
        edition = check_edition(found.edition) if edition is None else edition
        if not may_race(found.edition, edition):
            raise CourseError(
                f"course: {found.slug} belongs to edition {found.edition}, the race is played by {edition}"
            )
        courses.append(raced_by(found, edition))
    return tuple(courses)


def generator_of(course: Courses | None, edition: str | None = None) -> Generator | None:
    """The Generator of races that are each on a course of its own: given as such, or as a text like
    `generated:difficulty=3`, alone or as the only one of a list. None for other courses, and for a text that names the
    number of one course.

    Raises:
        CourseError: for a wrong text, another edition, or a text without a number among other courses.
    """
    given = list(course) if isinstance(course, Sequence) and not isinstance(course, str) else [course]
    found = [generator_for(each, edition) for each in given if _is_generated(each)]
    endless = [each for each in found if each.specification.number is None]
    if endless and len(given) > 1:
        raise CourseError(
            f"course: {endless[0].specification} stands in a list: expected it alone, or with number=.. for one course"
        )
    return endless[0] if endless else None


def _loaded(course: Json, edition: str | None) -> Course:
    """The Course of a name, a path, or a Generator of one course."""
    if _is_generated(course):
        return generator_for(course, edition).course()
    return load_course(course, edition)


def _is_generated(course: object) -> TypeGuard[Generator | Specification | str]:
    """Whether a course is given as a Generator, a Specification or its text."""
    return isinstance(course, Generator | Specification) or is_generated(course)


@lru_cache(maxsize=16)
def _sample(generator: Generator) -> Course:
    return generator.course(0)


def check_players(players: object, courses: Sequence[Course]) -> int:
    """The number of players; raises a RoboRallyError unless every course allows it."""
    if len({course.robots_each for course in courses}) > 1:
        raise CourseError("course: players have one robot on some courses of the list and two on others")
    low, high = max(c.players[0] for c in courses), min(c.players[1] for c in courses)
    counts = sorted(set.intersection(*(set(course.counts) for course in courses)))
    if low > high or not counts:
        raise CourseError("course: no number of players fits all courses of the list")
    number = check_whole(players, "players", low, high)
    if number not in counts:
        raise RoboRallyError(f"players: expected {' or '.join(map(str, counts))}, got {number}")
    return number


def check_lives(rules: Fields, robots: int) -> None:
    """Raise a RoboRallyError for four life tokens with fewer than five robots (2005 rulebook p. 3)."""
    if rules.get("lives") == 4 and robots < 5:
        raise RoboRallyError(f"rules.lives: expected 3 with {robots} robots; four are for five and more")


def check_timer(
    opened: NDArray[np.uint8],
    rule: bool,
    courses: Sequence[Course],
    numbers: Array,
    where: str = "open_registers",
) -> None:
    """Raise an ActionError for registers that the timer cannot have caught.

    `opened` [B, P] has registers as bits, `rule` is the timer's rule option, `numbers` [B] is each game's index into
    `courses`. Without program timers, the 2005 edition's timer runs only for the last player that programs.
    """
    if not opened.any():
        return
    timed = np.array([any(rule in c.special_rules for rule in TIMED) for c in courses])[numbers]
    named = opened.any(axis=1)
    if not rule and (named & ~timed).any():
        missing = "an env with" if where == "catch" else "zeros without"
        raise ActionError(f'{where}: expected {missing} rules={{"timer": True}}')
    if EDITIONS[courses[0].edition].timer_of_one:
        each = courses[0].robots_each
        by_player = opened.reshape(len(opened), -1, each).any(axis=2).sum(axis=1)
        if ((by_player > 1) & ~timed).any():
            most = int(by_player[~timed].max())
            raise ActionError(
                f"{where}: expected open registers of one player at most, got {most}: the timer runs for the last "
                "player that programs"
            )
