"""Editions that race on another edition's courses."""

import dataclasses

from roborally_env.courses.model import EDITIONS, Course
from roborally_env.errors import RoboRallyError


def may_race(course_edition: str, edition: str) -> bool:
    """Whether the rules of `edition` can race a course of `course_edition`."""
    return course_edition == edition or course_edition in EDITIONS[edition].borrows


def raced_by(course: Course, edition: str) -> Course:
    """The course as the rules of `edition` race it: itself, or a copy of that edition.

    Raises RoboRallyError where the edition does not race on courses of the course's edition.
    """
    if course.edition == edition:
        return course
    if not may_race(course.edition, edition):
        raise RoboRallyError(f"course {course.slug} is of edition {course.edition}, not {edition}")
    return dataclasses.replace(course, edition=edition)
