"""Courses as users give them, to be proved, graded or changed."""

from __future__ import annotations

from roborally_env.core.searching.distances import CourseMaps
from roborally_env.courses.catalogue import CourseOrName
from roborally_env.courses.model import Course
from roborally_env.generated import proof
from roborally_env.generated.mutation import changed_course
from roborally_env.generated.resolve import one_course


def racing_course(given: CourseOrName) -> Course:
    """The course, or that of a name or a file, on which robots race from start spaces to checkpoints.

    Raises:
        CourseError: for anything that is not a course, and for one without start spaces or checkpoints.
    """
    course = one_course(given)
    proof.check_raced(course)
    return course


def mutate(course: CourseOrName, seed: int) -> Course:
    """The course (or that of a name or a file) with one small change, proved to be solvable as generated courses are.

    A checkpoint moves, changes places with another, comes or goes; a reboot token moves; a board turns; a wall, a pit,
    a gear or an energy space comes, goes or moves. The same course and seed give the same change, which is never a turn
    of the whole course alone. The words of difficulty and length are those of another course and fall away: `grade`
    reports its difficulty.

    The slug is the name or file of the course with `~SEED` after it, from which `load_course` makes it again:
    `dizzy_highway~7`, `2005/twister~7` where the name alone is another edition's course, `my.toml~7`. The title has the
    last seed alone.

    Raises:
        CourseError: for a wrong seed, for anything that is not a course, for courses with special rules or without
            start spaces or checkpoints, and if no change was found.
    """
    return changed_course(one_course(course), seed)


def proof_of(course: CourseOrName, maps: CourseMaps | None = None) -> proof.Proof:
    """Whether robots can always finish on a course (or that of a name or a file), whatever they do before.

    Args:
        course: with start spaces and at least one checkpoint.
        maps: those of the course, if known.

    Raises:
        CourseError: as `racing_course`.
    """
    return proof.proof_of(racing_course(course), maps)
