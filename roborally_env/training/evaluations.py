"""Evaluations of a training: rows of `evaluation.csv`, the same for every trainer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def course_name(courses: Sequence[str]) -> str:
    """What stands in the column `course` for races on these."""
    return courses[0] if len(courses) == 1 else ALL
