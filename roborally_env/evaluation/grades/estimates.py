"""What distances say of a course before anybody races on it: rounds to come, and how far apart the starts are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import CourseError
from roborally_env.core.searching.distances import FAR, CourseMaps
from roborally_env.courses import Course
from roborally_env.courses.catalogue import CourseOrName
from roborally_env.generated import Specification
from roborally_env.generated.difficulty import ROUND, band_of, rounds_of, way_of
from roborally_env.generated.given import racing_course
from roborally_env.generated.placement import legs_of
from roborally_env.generated.proof import maps_for


class Estimate(NamedTuple):
    """rounds: of a race of four `greedy`. band: 1 to 5. spread: rounds between the nearest and the farthest start."""

    rounds: float
    band: int
    spread: float


def estimate(course: CourseOrName, maps: CourseMaps | None = None) -> Estimate:
    """Estimate races on a course (or that of a name or a file) by its distances; `maps`: those of it, if known.

    Raises:
        CourseError: for anything that is not a course, one without start spaces or checkpoints,
            and one with a checkpoint that cannot be reached.
    """
    course = racing_course(course)
    first, between = distances(course, maps)
    home = Specification(edition=course.edition).home
    rounds = rounds_of(home, way_of(first, between), len(course.checkpoints))
    return Estimate(rounds, band_of(rounds), float(first.max() - first.min()) / ROUND)


def distances(course: Course, maps: CourseMaps | None = None) -> tuple[NDArray[np.int64], list[int]]:
    """Quarter registers from each start space to checkpoint 1, and from each checkpoint to the next.

    Raises as `estimate`.
    """
    legs = legs_of(course, maps or maps_for(course))
    between = [int(legs.between[i, i + 1]) for i in range(len(course.checkpoints) - 1)]
    first = legs.first[:, 0]
    if max(first.max(), *between, 0) >= FAR:
        raise CourseError(f"course {course.slug}: a checkpoint cannot be reached from some start space")
    return first, between
