"""Functions of courses that take a Course, a name or a file."""

from __future__ import annotations

from collections.abc import Iterable

from roborally_env.base.types import NamedValues
from roborally_env.courses import as_dict, similarity, writer
from roborally_env.courses.catalogue import CourseOrName
from roborally_env.courses.checks import course_issues
from roborally_env.generated.resolve import load_course, one_course

__all__ = ["check_course", "course_as_dict", "distance", "load_course", "write_course"]


def check_course(course: CourseOrName) -> list[str]:
    """Everything that is wrong with a course (or that of a name), one line for each; empty if it can be raced and
    finished. For a file `check_file` gives lines and columns."""
    return [str(issue) for issue in course_issues(one_course(course))]


def course_as_dict(course: CourseOrName) -> NamedValues:
    """The course (or that of a name or a file) as JSON values: the object that `course_from_map` reads, with names and
    numbers added."""
    return as_dict.course_as_dict(one_course(course))


def write_course(course: CourseOrName, comments: Iterable[str] = ()) -> str:
    """The course (or that of a name or a file) as the text of a TOML file, below comment lines: those given, and where
    it came from.

    Printed boards are named; others are drawn as they lie on the course, without a rotation. The file is read back as
    an equal course, but for the slug and the source, which are those of the file, and for what boards are called: drawn
    ones have no rotation, and numbers where several have one name. Where elements are in another order than that of
    `in_file_order`, the file's order holds.

    Raises:
        CourseError: for anything that is not a course, a comment of several lines, a course without a title,
            a button of a board that switches a ramp of another, which cannot be drawn.
    """
    return writer.write_course(one_course(course), comments)


def distance(a: CourseOrName, b: CourseOrName) -> float:
    """How different two courses are, from 0, the same as they are raced (turned or not), to 1, nothing in common.

    It is the weighted Jaccard distance of what lies on them: each tile, wall, start space (2), reboot token (2),
    antenna (2) and checkpoint with its number (6) in its cell counts as one part, plain floor as none; the least over
    the four turns of the whole course, the middles of both in one place. So it is a metric of courses up to turns.
    Cells lie on each other only if the widths and the heights differ by even numbers. Courses may be given by name.

    Raises:
        CourseError: for anything that is not a course.
    """
    return similarity.distance(one_course(a), one_course(b))
