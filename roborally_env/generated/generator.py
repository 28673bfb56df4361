"""Courses without end: `Generator`."""

from __future__ import annotations

import dataclasses
from collections import Counter
from copy import copy
from functools import lru_cache

import numpy as np

from roborally_env.base.checks import check_whole, shown
from roborally_env.base.errors import CourseError, raised_as
from roborally_env.base.types import DType, OptionValue
from roborally_env.core.searching.distances import CourseMaps, has_maps_like, with_variants
from roborally_env.courses.model import Course
from roborally_env.courses.tables import compile_tables
from roborally_env.generated.attempt import APART, FALLS, Drawn, attempted
from roborally_env.generated.draws import Draws
from roborally_env.generated.limits import why_impossible
from roborally_env.generated.names import title_of
from roborally_env.generated.specification import VERSION, Specification, parse_specification

_DRAWN_AS = 1  # the first word of all draws: courses of printed boards are the same in every version
MOST_WORKERS = 1024
_BESIDES = {  # what to ask for where most attempts end so
    FALLS: "fewer pits and lasers, a lower difficulty or more checkpoints",
    APART: "another number of checkpoints or boards, or another difficulty",
}
ATTEMPTS = 1000  # to make one course; nearly all need fewer than ten


class Generator:
    """The courses of a specification, by number. Equal generators give equal courses, on every machine.

    >>> Generator(difficulty=3, seed=7).course(0)
    >>> Generator("generated:difficulty=3,seed=7").course(0)

    Args:
        specification: a Specification, or its text.
        workers: how many processes make courses ahead while races go on; 0: a thread of this process. The courses do
            not depend on it.
        options: instead of these, the fields of a Specification.

    Raises:
        CourseError: for a wrong specification.
    """

    @raised_as(CourseError)
    def __init__(
        self, specification: Specification | str | None = None, *, workers: int = 0, **options: OptionValue
    ) -> None:
        if specification is not None and options:
            raise CourseError("Generator: expected a specification or its fields, got both")
        if isinstance(specification, str):
            specification = parse_specification(specification)
        if specification is not None and not isinstance(specification, Specification):
            raise CourseError(f"Generator: expected a specification or its text, got {shown(specification)}")
        self.specification = Specification(**options) if specification is None else specification
        self.workers = check_whole(workers, "workers", 0, MOST_WORKERS)

    @property
    def edition(self) -> str:
        """The edition that races on the courses."""
        return self.specification.edition

    def number(self, word: int) -> int:
        """The number of the course that a race takes which drew these random bits."""
        spec = self.specification
        if spec.number is not None:
            return spec.number
        return word % (spec.levels or 2**32)

    def course(self, number: int | None = None) -> Course:
        """Course `number`; None: that of the specification, else 0. It is kept for a while.

        Raises:
            CourseError: for a wrong number, and if no course fits the specification.
        """
        return _course(*self._place(number))

    def maps(self, number: int, dtype: DType) -> CourseMaps:
        """The maps of course `number` for records of this dtype, those of other states of its ramps among them.

        Raises:
            CourseError: as for `course`.
        """
        drawn = _drawn(*self._place(number))
        if self.edition != self.specification.home or not has_maps_like(drawn.maps.dtype, dtype):
            return with_variants(CourseMaps(compile_tables(drawn.course), dtype))
        found = copy(drawn.maps)
        found.dtype, found.variants = dtype, []  # the list of the cached course would grow with each call
        found = with_variants(found, drawn.moves)
        for each in (found, *found.variants):
            each.switched = np.zeros((0, 0, 0), np.bool_)  # nobody needs it any more
        return found

    @raised_as(CourseError)
    def _place(self, number: int | None) -> tuple[Specification, int]:
        """The specification without numbers, and a course's number, checked."""
        spec = self.specification
        only = spec.number
        number = check_whole(only or 0 if number is None else number, "number", 0, (spec.levels or 2**32) - 1)
        if only not in (None, number):
            raise CourseError(f"number: expected {only}, the only course of {spec}, got {number}")
        return dataclasses.replace(spec, levels=0, number=None), number

    def __repr__(self) -> str:
        return f"Generator({str(self.specification)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Generator) and other.specification == self.specification

    def __hash__(self) -> int:
        return hash(self.specification)


def generator_for(given: Generator | Specification | str, edition: str | None = None) -> Generator:
    """The Generator of a Generator, a Specification or its text, for races of an edition.

    Raises:
        CourseError: for a wrong text, or another edition than `edition`.
    """
    if isinstance(given, str):
        given = parse_specification(given, edition)
    found = given if isinstance(given, Generator) else Generator(given)
    if edition is not None and found.edition != edition:
        raise CourseError(
            f"course: {found.specification} is of edition {found.edition}, the race is played by {edition}"
        )
    return found


@lru_cache(maxsize=256)
def _course(spec: Specification, number: int) -> Course:
    return _drawn(spec, number).course


@lru_cache(maxsize=2)  # who asks for a course may ask for its maps next
def _drawn(spec: Specification, number: int) -> Drawn:
    return _tried(spec, number)[0]


def attempts(given: Generator | Specification | str, number: int) -> tuple[Course, Counter[str]]:
    """A course of a Generator, a Specification or its text, and how often others were thrown away before, by reason.

    Raises:
        CourseError: for a wrong text or number, and if none of many fits the specification.
    """
    drawn, reasons = _tried(*generator_for(given)._place(number))
    return drawn.course, reasons


def _tried(spec: Specification, number: int) -> tuple[Drawn, Counter[str]]:
    """See `attempts`."""
    reason = why_impossible(spec)
    if reason:
        raise CourseError(f"{spec}: {reason}")
    reasons: Counter[str] = Counter()
    text = str(dataclasses.replace(spec, version=VERSION)).encode()  # the text of any version is without it
    for attempt in range(ATTEMPTS):
        found = attempted(spec, Draws(_DRAWN_AS, number, attempt, *text))
        if isinstance(found, Drawn):
            return found._replace(course=_named(found.course, spec, number)), reasons
        reasons[found] += 1
    reason, count = reasons.most_common(1)[0]
    wanted = _BESIDES.get(reason, "less")
    raise CourseError(f"{spec}: no course found in {ATTEMPTS} attempts; {count} times: {reason}; ask for {wanted}")


def _named(course: Course, spec: Specification, number: int) -> Course:
    """The course with its name, as the specification's edition races it."""
    one = dataclasses.replace(spec, number=number)
    return dataclasses.replace(
        course,
        edition=spec.edition,
        slug=str(one),  # which `load_course` reads
        title=title_of(one, course),
        source=str(one),
        difficulty="" if spec.difficulty is None else str(spec.difficulty),
    )
