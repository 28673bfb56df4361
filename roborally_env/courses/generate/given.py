"""Courses as users give them, to be proved, graded or changed."""

from __future__ import annotations

from roborally_env.core.searching.distances import CourseMaps
from roborally_env.courses.catalogue import CourseOrName, one_course
from roborally_env.courses.generate import proof
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.errors import CourseError


def racing_course(given: CourseOrName) -> Course:
    """The course, or that of a name or a file, on which robots race from start spaces to checkpoints.

    Raises:
        CourseError: for what is no course, and for one without start spaces or checkpoints.
    """
    course = one_course(given)
    if not course.docks:
        raise CourseError(f"course {course.slug} has no start spaces; expected one on which robots start from them")
    if not course.checkpoints:
        word = EDITIONS[course.edition].checkpoint
        raise CourseError(f"course {course.slug} has no {word}s; expected one on which robots race to them")
    return course


def proof_of(course: CourseOrName, maps: CourseMaps | None = None) -> proof.Proof:
    """Whether robots can always finish on a course (or that of a name or a file), whatever they do before.

    Args:
        course: with start spaces and at least one checkpoint.
        maps: those of the course, if known.

    Raises:
        CourseError: as `racing_course`.
    """
    return proof.proof_of(racing_course(course), maps)
