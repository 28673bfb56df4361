"""Courses and their grades, as several commands show them."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from roborally_env.base.types import JsonObject
from roborally_env.cli.console import print_json
from roborally_env.cli.tables import Column, print_table
from roborally_env.courses import Course, course_head
from roborally_env.evaluation.grades import Grade, grade

__all__ = ["Row", "grade", "numbers_of", "show"]

_COLUMNS = (
    Column("course", left=True),
    Column("difficulty"),
    Column("rounds", rank=1),
    Column("estimate", rank=5),
    Column("finished", rank=2),
    Column("alone", rank=6),
    Column("falls", rank=3),
    Column("spread", rank=7),
    Column("pushes", rank=8),
    Column("met", rank=9),
    Column("proved", rank=4),
)


class Row(NamedTuple):
    """A course with its grade, the file in which it is, and whether somebody has edited it there."""

    course: Course
    grade: Grade
    file: str = ""
    edited: bool = False

    @property
    def title(self) -> str:
        """The course's title as a table has it."""
        return f"{self.course.title} (edited)" if self.edited else self.course.title

    def as_json(self) -> JsonObject:
        """The course's head and its grade."""
        file: JsonObject = {"file": self.file, "edited": self.edited} if self.file else {}
        return {**course_head(self.course), **file, "grade": numbers_of(self.grade)}


def numbers_of(found: Grade) -> JsonObject:
    """The numbers of a grade as JSON values, with four digits."""
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(found).items()}


def show(rows: list[Row], as_json: bool) -> None:
    """Print courses and their grades as a table, or as JSON."""
    if as_json:
        print_json([row.as_json() for row in rows])
        return
    files = [Column("file", left=True)] if any(row.file for row in rows) else []
    cells = [(row.title, *_cells(row.grade), *([row.file] if files else [])) for row in rows]
    print_table([*_COLUMNS, *files], cells)


def _cells(found: Grade) -> list[str]:
    """The cells of a grade."""
    return [
        str(found.band),
        f"{found.rounds:.1f}",
        f"{found.rounds_estimated:.1f}",
        f"{found.finished:.0%}",
        f"{found.rounds_alone:.1f}",
        f"{found.falls:.0%}",
        f"{found.spread:.2f}",
        f"{found.pushes:.2f}",
        f"{found.met:.0%}",
        "yes" if found.proved else "no",
    ]
