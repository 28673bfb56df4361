"""Editions that race on another edition's courses."""

import dataclasses

from roborally_env.base.errors import CourseError
from roborally_env.courses.model import EDITIONS, Course


def may_race(course_edition: str, edition: str) -> bool:
    """Whether the rules of `edition` can race a course of `course_edition`."""
    return course_edition == edition or course_edition in EDITIONS[edition].borrows


def raced_by(course: Course, edition: str) -> Course:
    """The course for the rules of `edition`: the course itself, or a copy with that edition.

    Raises CourseError if the edition does not race on courses of the course's edition.
    """
    if course.edition == edition:
        return course
    if not may_race(course.edition, edition):
        raise CourseError(f"course {course.slug} is of edition {course.edition}, not {edition}")
    moving = course.moving_checkpoints or EDITIONS[edition].riding
    return dataclasses.replace(course, edition=edition, moving_checkpoints=moving)
