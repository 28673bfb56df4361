"""What lies on boards, as arrays of cells that are turned and put together as wholes.

Belts, walls, pits and levels are most of what lies on a board; to turn and move thousands of elements one by one takes
longer than all that follows from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.types import Array

if TYPE_CHECKING:
    from roborally_env.courses.model import Element

# planes of a Grid
WALLS = 0  # sides as bits
SPEED = 1  # of a belt; 0: none
OUT = 2  # its direction
FEEDS = 3  # the sides that it is fed from, as bits
PIT = 4
LEVEL = 5  # of the floor
PLANES = 6


class Grid(NamedTuple):
    """What lies on a board or on a course.

    planes: u1 [PLANES, height, width]. Walls are noted on both of their cells, but for those where boards join.
    others: the elements that are in no plane, by row, then column.
    """

    planes: NDArray[np.uint8]
    others: list[Element]

    @classmethod
    def of(cls, elements: Iterable[Element], width: int, height: int) -> Self:
        """That of elements."""
        planes = [[0] * (width * height) for _ in range(PLANES)]
        walls, speeds, outs, feeds, pits, levels = planes
        others = []
        for e in elements:
            cell = e.y * width + e.x
            if e.sides:
                walls[cell] |= bits_of(e.sides)
            if e.kind == "belt":
                speeds[cell], outs[cell], feeds[cell] = e.speed, e.out, bits_of(e.feeds)
            elif e.kind == "pit":
                pits[cell] = 1
            elif e.kind == "level":
                levels[cell] = e.level
            elif e.kind != "wall":
                others.append(e)
        found = np.array(planes, np.uint8).reshape(PLANES, height, width)
        found[WALLS] = seen_from_both(found[WALLS])
        return cls(found, others)


def turned_planes(planes: NDArray[np.uint8], quarters: int) -> NDArray[np.uint8]:
    """The planes of a board after this many right turns."""
    quarters &= 3
    if not quarters:
        return planes
    found = np.rot90(planes, -quarters, axes=(1, 2)).copy()
    for plane in (WALLS, FEEDS):
        found[plane] = (found[plane] << quarters | found[plane] >> (4 - quarters)) & 15
    found[OUT] = (found[OUT] + quarters * (found[SPEED] > 0)) & 3
    return found


def neighbours(cells: Array, beyond: int) -> list[Array]:
    """For each direction an array [height, width]: what the next cell has in `cells`, or `beyond` past the edge."""
    height, width = cells.shape
    around = np.full((height + 2, width + 2), beyond, cells.dtype)
    around[1:-1, 1:-1] = cells
    return [around[:-2, 1:-1], around[1:-1, 2:], around[2:, 1:-1], around[1:-1, :-2]]


def seen_from_both(walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Walls, as bits of their sides, noted on both of their cells."""
    found = walls.copy()
    for side, beside in enumerate(neighbours(walls, 0)):
        found |= (beside >> (side ^ 2) & 1) << side
    return found


def cells_and_steps(floor: NDArray[np.bool_]) -> tuple[int, int]:
    """How many cells of floor there are, and how many steps from one to the next, walls left out."""
    beside = np.count_nonzero(floor[1:] & floor[:-1]) + np.count_nonzero(floor[:, 1:] & floor[:, :-1])
    return int(np.count_nonzero(floor)), 2 * int(beside)  # each is crossed both ways


@cache
def bits_of(sides: tuple[int, ...]) -> int:
    """Directions, or registers from 0, as bits."""
    return sum(1 << side for side in sides)
