"""What lies on the board of one race of a batch: its course as it lies now, checkpoints, cubes, ramps."""

from __future__ import annotations

from roborally_env.batch.race import BatchRace
from roborally_env.batch.views import ramps_on
from roborally_env.courses import Course, turned_course
from roborally_env.courses.tables import WIDTH


def course_of(batch: BatchRace, index: int = 0) -> Course:
    """The course of a race, its boards as they lie now."""
    game = batch.games[index]
    course = batch.courses[int(game["course"])]
    if not batch.kind.has("turned"):
        return course
    return turned_course(course, tuple(int(n) for n in game["turned"][: len(course.boards)]))


def checkpoints_of(batch: BatchRace, index: int = 0) -> list[tuple[int, int, int]]:
    """(number, x, y) of each checkpoint where it is now; one that is nowhere is left out."""
    cells = enumerate(batch.games[index]["checkpoint"])
    return [(i + 1, int(cell) % WIDTH, int(cell) // WIDTH) for i, cell in cells if cell >= 0]


def cubes_of(batch: BatchRace, index: int = 0) -> list[tuple[int, int]]:
    """Cells of the energy cubes that are left."""
    if not batch.kind.has("cubes"):
        return []
    game = batch.games[index]
    tables = batch.maps.courses[int(game["course"])]
    cells = [int(cell) for cell in tables["energy_cell"][: int(tables["energy_spaces"])]]
    return [(cell % WIDTH, cell // WIDTH) for i, cell in enumerate(cells) if int(game["cubes"]) >> i & 1]


def ramps_of(batch: BatchRace, index: int = 0) -> tuple[tuple[int, int], ...] | None:
    """Cells of the ramps that are on; None in editions that have none."""
    if not batch.kind.has("ramps"):
        return None
    game = batch.games[index]
    return ramps_on(batch.maps.courses[int(game["course"])], int(game["ramps"]))
