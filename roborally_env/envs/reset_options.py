"""The argument `options` of `reset`: which keys there are, and what they choose for the next race."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.arguments import course_source
from roborally_env.base.checks import check_whole, shown
from roborally_env.base.errors import CourseError, RoboRallyError, listed, nearest
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.courses import Course

COURSE, SEAT = "course", "seat"
NOT_CHOSEN = -1  # in place of the index of a course: the race draws its own


def check_options(options: Any, known: Sequence[str], ignored: Sequence[str] = ()) -> NamedValues:
    """The options that are given, less those that are None or `ignored`.

    Raises:
        RoboRallyError: for anything but a dict or None, and for a key that is not known.
    """
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise RoboRallyError(f"options: expected a dict or None, got {shown(options)}")
    for key in options:
        if key not in known and key not in ignored:
            raise RoboRallyError(
                f"options: unknown key {shown(key)}{nearest(str(key), known)}; expected {' or '.join(known)}"
            )
    return {key: value for key, value in options.items() if key in known and value is not None}


def chosen_course(options: NamedValues, batch: BatchRace) -> int | None:
    """The index of the course that checked options choose among those of the batch; None if they choose none.

    A course is chosen by its name as in infos, by its index as in numeric ones, or as the environment was given it.

    Raises:
        RoboRallyError: for any other value, and where each race has a generated course of its own.
    """
    course = options.get(COURSE)
    return None if course is None else _number_of(course, batch, f'options["{COURSE}"]')


def chosen_courses(options: NamedValues, batch: BatchRace, count: int) -> NDArray[np.int64] | None:
    """The index of the course that checked options choose for each of `count` sub-envs, NOT_CHOSEN where they choose
    none: int64 [count]; None if they choose none at all.

    They choose one course for all, as for `chosen_course`, or a list with one, or None, for each sub-env.

    Raises:
        RoboRallyError: as `chosen_course`, and for a list of another length.
    """
    given = options.get(COURSE)
    if given is None:
        return None
    where = f'options["{COURSE}"]'
    if not isinstance(given, (list, tuple)) and not (isinstance(given, np.ndarray) and given.ndim):
        return np.full(count, _number_of(given, batch, where))
    if len(given) != count:
        raise CourseError(f"{where}: expected a course, or a list of {count}, one for each sub-env, got {len(given)}")
    return np.array(
        [NOT_CHOSEN if each is None else _number_of(each, batch, f"{where}[{i}]") for i, each in enumerate(given)]
    )


def _number_of(course: Any, batch: BatchRace, where: str) -> int:
    """The index of a course of the batch; `where` begins each message."""
    courses = list(batch.courses)
    if batch.generator is not None:
        raise CourseError(f"{where}: expected none, because the seed of a race makes its course, got {shown(course)}")
    if isinstance(course, (int, np.integer)):
        return check_whole(course, where, 0, len(courses) - 1)
    slugs = [each.slug for each in courses]
    if isinstance(course, str) and slugs.count(course) == 1:
        return slugs.index(course)
    found = _one_course(course, batch.edition)
    if found not in courses:
        got = f"{shown(course)}{nearest(str(course), slugs)}"
        raise CourseError(f"{where}: expected a course of this environment ({listed(slugs)}), got {got}")
    return courses.index(found)


def _one_course(course: Any, edition: str) -> Course | None:
    """The course that an environment of this edition would race on, if it is one course; else None."""
    try:
        source = course_source(course, edition)
    except CourseError:
        return None
    return source.courses[0] if source.generator is None and len(source.courses) == 1 else None


def chosen_seat(options: NamedValues, seats: int) -> int | None:
    """The seat that checked options choose, from 0; None if they choose none.

    Raises:
        RoboRallyError: for anything but a seat.
    """
    seat = options.get(SEAT)
    return None if seat is None else check_whole(seat, f'options["{SEAT}"]', 0, seats - 1)
