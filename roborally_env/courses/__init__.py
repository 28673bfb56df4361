"""Courses: text files in, checked `Course` values out. This package uses no numba; the core uses no files."""

from typing import Any

from roborally_env.courses import tiles  # noqa: F401  # registers the built-in kinds
from roborally_env.courses.alike import distance
from roborally_env.courses.borrowing import may_race, raced_by
from roborally_env.courses.catalogue import (
    CourseOrName,
    check_file,
    course_names,
    list_courses,
    load_course,
    one_course,
)
from roborally_env.courses.checks import course_issues
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
from roborally_env.courses.reading import Problem
from roborally_env.courses.scenario_maps import course_from_map
from roborally_env.courses.special import SPECIAL_BITS, SPECIAL_RULES, special_table
from roborally_env.courses.tile_tokens import token_table
from roborally_env.courses.turned import turned_course
from roborally_env.courses.values import element_as_map
from roborally_env.courses.writing import write_course

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


def check_course(course: CourseOrName) -> list[str]:
    """Everything that is wrong with a course (or that of a name), one line for each; empty if it can be raced and
    finished. For a file `check_file` gives lines and columns."""
    return [str(issue) for issue in course_issues(one_course(course))]


def course_as_dict(course: CourseOrName) -> dict[str, Any]:
    """The course (or that of a name or a file) as JSON values: the object that `course_from_map` reads, with names and
    numbers added."""
    course = one_course(course)
    return {
        **course_head(course),
        "boards": [
            {"board": board.name, "x": board.x, "y": board.y, "rotation": board.rotation} for board in course.boards
        ],
        "special_rules": list(course.special_rules),
        "map": _as_map(course),
    }


def course_head(course: Course) -> dict[str, Any]:
    """What a list of courses says of it, as JSON values."""
    return {
        "name": course.slug,
        "title": course.title,
        "edition": course.edition,
        **({"section": course.section} if course.section else {}),
        "difficulty": course.difficulty,
        "length": course.length,
        "players": list(course.players),
        **({"player_counts": list(course.player_counts)} if course.player_counts else {}),
    }


def _as_map(course: Course) -> dict[str, Any]:
    found: dict[str, Any] = {
        "width": course.width,
        "height": course.height,
        "elements": [element_as_map(element) for element in course.elements],
        "reboots": [{"x": x, "y": y, "facing": DIRECTIONS[facing]} for x, y, facing in course.reboots],
        "checkpoints": [{"number": number, "x": x, "y": y} for number, x, y in course.checkpoints],
        "energy": [{"x": x, "y": y} for x, y in course.energy],
        "moving_checkpoints": course.moving_checkpoints,
        "start_facing": DIRECTIONS[course.start_facing],
    }
    if EDITIONS[course.edition].special:
        found["special_rules"] = list(course.special_rules)
    if course.antenna is not None:
        x, y, facing = course.antenna
        found["antenna"] = {"x": x, "y": y, "facing": DIRECTIONS[facing]}
    return found
