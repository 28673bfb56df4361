"""Courses: text files in, checked `Course` values out. This package uses no numba; the core uses no files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roborally_env.courses import tiles  # noqa: F401  # registers the built-in kinds
from roborally_env.courses.as_dict import course_head
from roborally_env.courses.catalogue import check_file, course_names, list_courses
from roborally_env.courses.conversion import may_race, raced_by
from roborally_env.courses.drawing import parse_board, read_drawing, write_board
from roborally_env.courses.model import (
    ARROWS,
    DIRECTIONS,
    EDITIONS,
    KINDS,
    MAX_CHECKPOINTS,
    MAX_DOCKS,
    MAX_ENERGY_SPACES,
    MAX_HEIGHT,
    MAX_LASERS,
    MAX_RAMPS,
    MAX_TOKENS,
    MAX_WIDTH,
    STEP,
    Board,
    Course,
    E,
    Element,
    N,
    Placement,
    S,
    W,
    rotate,
)
from roborally_env.courses.reader import Problem
from roborally_env.courses.rotation import turned_course
from roborally_env.courses.scenario_maps import course_from_map
from roborally_env.courses.special import SPECIAL_BITS, SPECIAL_RULES, special_table
from roborally_env.courses.tile_tokens import token_table
from roborally_env.courses.values import element_as_map

if TYPE_CHECKING:
    from roborally_env.generated.by_name import check_course, course_as_dict, distance, write_course
    from roborally_env.generated.resolve import load_course

__all__ = [
    "ARROWS",
    "DIRECTIONS",
    "EDITIONS",
    "KINDS",
    "MAX_CHECKPOINTS",
    "MAX_DOCKS",
    "MAX_ENERGY_SPACES",
    "MAX_HEIGHT",
    "MAX_LASERS",
    "MAX_RAMPS",
    "MAX_TOKENS",
    "MAX_WIDTH",
    "SPECIAL_BITS",
    "SPECIAL_RULES",
    "STEP",
    "Board",
    "Course",
    "E",
    "Element",
    "N",
    "Placement",
    "Problem",
    "S",
    "W",
    "check_course",
    "check_file",
    "course_as_dict",
    "course_from_map",
    "course_head",
    "course_names",
    "distance",
    "element_as_map",
    "list_courses",
    "load_course",
    "may_race",
    "parse_board",
    "raced_by",
    "read_drawing",
    "rotate",
    "special_table",
    "token_table",
    "turned_course",
    "write_board",
    "write_course",
]

# Public functions that take any course by its name, so they lie above the generator of courses.
_BY_NAME = ("check_course", "course_as_dict", "distance", "load_course", "write_course")


def __getattr__(name: str) -> Any:
    if name not in _BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from roborally_env.generated import by_name

    return getattr(by_name, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
