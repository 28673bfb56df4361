"""What the drawing of one element has to know of its course: neighbours, walls, how far beams go."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from roborally_env.courses import STEP, Course, Element

CELL: Final = 100  # SVG units
MARGIN: Final = 50  # round the course, for the numbers of columns and rows
HALF: Final = CELL // 2


class Scene:
    """A course and the cells in which something stops beams."""

    def __init__(self, course: Course, blocked: Iterable[tuple[int, int]] = ()) -> None:
        self.course = course
        self.blocked = frozenset(blocked)  # cells of robots

    @cached_property
    def walls(self) -> frozenset[tuple[int, int, int]]:
        """(x, y, side) of every wall, from both sides."""
        return frozenset(wall for e in self.course.elements for side in e.sides for wall in both_sides(e.x, e.y, side))

    @cached_property
    def pits(self) -> frozenset[tuple[int, int]]:
        return frozenset((e.x, e.y) for e in self.course.elements if e.kind == "pit")

    def beam_cells(self, laser: Element) -> list[tuple[int, int]]:
        """The cells that a laser's beam crosses, from its own to that in which it ends.

        It ends at a wall, at the antenna, in a robot's cell and at the end of the course; it crosses gaps.
        """
        x, y = laser.x, laser.y
        dx, dy = STEP[laser.fires]
        cells = [(x, y)]
        while (x, y) not in self.blocked and not self._stops(x, y, laser.fires):
            x, y = x + dx, y + dy
            cells.append((x, y))
        return cells

    def _stops(self, x: int, y: int, way: int) -> bool:
        """Whether a beam goes no further than (x, y)."""
        course = self.course
        ahead = (x + STEP[way][0], y + STEP[way][1])
        inside = 0 <= ahead[0] < course.width and 0 <= ahead[1] < course.height
        antenna = course.antenna is not None and ahead == course.antenna[:2]
        return not inside or antenna or (x, y, way) in self.walls


def both_sides(x: int, y: int, side: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """A wall as each of the two cells at it has it."""
    dx, dy = STEP[side]
    return (x, y, side), (x + dx, y + dy, (side + 2) & 3)


def middle(x: int, y: int) -> tuple[int, int]:
    """The middle of a cell in SVG units."""
    return x * CELL + HALF, y * CELL + HALF
