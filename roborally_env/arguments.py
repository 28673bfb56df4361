"""Checks of the courses and players of a race, and of what the two have to do with its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import ActionError, CourseError, RoboRallyError, raised_as
from roborally_env.base.types import Array, Fields
from roborally_env.core.rule_options import check_edition
from roborally_env.courses import EDITIONS, Course, may_race, raced_by
from roborally_env.courses.catalogue import is_generated
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.generated.generator import Generator, generator_for
from roborally_env.generated.resolve import load_course
from roborally_env.generated.specification import Specification

TIMED = ("program_time_30", "program_time_60")  # special rules of courses that limit the time for every program

Courses: TypeAlias = "str | Path | Course | Generator | CourseSource | Sequence[str | Path | Course]"


@dataclass(frozen=True)
class CourseSource:
    """The parsed argument `course` of a race. `course_source` parses it; functions that take courses take it too.

    Attributes:
        courses: of one edition, or as that edition races them; each race draws one. Of a generator: one of its courses.
        generator: makes the course of each race; None if `courses` are the courses.
    """

    courses: tuple[Course, ...]
    generator: Generator | None = None

    @property
    def edition(self) -> str:
        """The edition of the races."""
        return self.courses[0].edition

    @property
    def robots_each(self) -> int:
        """The robots of each player."""
        return self.courses[0].robots_each


@raised_as(CourseError)
def course_source(course: Courses | None, edition: str | None = None) -> CourseSource:
    """The source of a name, a path, a Course or a list of them, of a Generator or its text like
    `generated:difficulty=3`, or of None: the edition's default course.

    A text of a generator may stand alone, or be the only one of a list; one that names the number of a course is that
    course. The default edition is that of the first course (2016 for a name that several editions have).

    Raises:
        CourseError: for an unknown name, a wrong file or text, or a course that the edition does not race on.
    """
    if edition is not None:
        edition = check_edition(edition)
    if isinstance(course, CourseSource):
        if edition in (None, course.edition):
            return course
        course = course.generator or course.courses
    if course is None:
        course = EDITIONS[edition or DEFAULT_EDITION].default_course
    given = list(course) if isinstance(course, Sequence) and not isinstance(course, str) else [course]
    if not given:
        raise CourseError("course: expected at least one course, got an empty list")
    made = [generator_for(each, edition) for each in given if _is_generated(each)]
    endless = [each for each in made if each.specification.number is None]
    if endless and len(given) > 1:
        raise CourseError(
            f"course: {endless[0].specification} stands in a list: expected it alone, or with number=.. for one course"
        )
    if endless:
        return CourseSource((_sample(endless[0]),), endless[0])
    courses: list[Course] = []
    for each in given:
        found = _loaded(each, edition)
        edition = check_edition(found.edition) if edition is None else edition
        if not may_race(found.edition, edition):
            raise CourseError(
                f"course: {found.slug} belongs to edition {found.edition}, the race is played by {edition}"
            )
        courses.append(raced_by(found, edition))
    return CourseSource(tuple(courses))


def _loaded(given: Any, edition: str | None) -> Course:
    """The Course itself, that of a name or a file, or that of a Generator of one course."""
    if _is_generated(given):
        return generator_for(given, edition).course()
    return given if isinstance(given, Course) else load_course(given, edition)


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
    where = f" on {courses[0].slug}" if len(courses) == 1 else ""
    try:
        number = check_whole(players, "players", low, high)
    except RoboRallyError as error:
        raise RoboRallyError(f"{error}{where}") from None
    if number not in counts:
        raise RoboRallyError(f"players: expected {' or '.join(map(str, counts))}, got {number}{where}")
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
