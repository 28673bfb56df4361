"""Evaluations of a training: rows of `evaluation.csv`, the same for every trainer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roborally_env.arguments import course_source
from roborally_env.base.signals import interrupts_raised
from roborally_env.evaluation.tournament import Result, evaluate

TABLE = "evaluation.csv"
COLUMNS = ("decisions", "seconds", "course", "opponent", "races", "win_rate", "win_low", "win_high")
ALL = "all"  # in place of a course: the races of all courses together


@dataclass(frozen=True)
class Evaluation:
    """Races of what is trained in one seat, against the same opponent in all others.

    Attributes:
        decisions, seconds: of training, up to then.
        course: where the races were, or `"all"` for several courses together.
        opponent: who had the other seats.
        races: how many there were.
        win_rate, win_low, win_high: the share that was won, with its 95 % Wilson interval.
    """

    decisions: int
    seconds: float
    course: str
    opponent: str
    races: int
    win_rate: float
    win_low: float
    win_high: float


def race_to_end(*args: Any, **options: Any) -> Result:
    """`evaluate`, all races of it.

    Raises:
        KeyboardInterrupt: after Ctrl-C, also where that is only noted: of races that were stopped the short ones would
            count.
    """
    with interrupts_raised():
        result = evaluate(*args, **options)
    if not result.complete:
        raise KeyboardInterrupt
    return result


def named_or_all(courses: Sequence[str], edition: str | None) -> list[str]:
    """The named ones of courses; all, if all are generated."""
    return [course for course in courses if course_source(course, edition).generator is None] or list(courses)


def courses_apart(courses: Sequence[str], edition: str | None) -> list[list[str]]:
    """The courses of an evaluation, those that are raced together in a list: the named ones, and each generator.

    Raises:
        RoboRallyError: for a course that does not exist, or a wrong specification.
    """
    made = [course_source(course, edition).generator is not None for course in courses]
    named = [course for course, generated in zip(courses, made, strict=True) if not generated]
    return [named] * bool(named) + [[course] for course, generated in zip(courses, made, strict=True) if generated]


def course_name(courses: Sequence[str]) -> str:
    """What stands in the column `course` for races on these."""
    return courses[0] if len(courses) == 1 else ALL
