"""The facts about a course that drawing one element needs: neighbours, walls, the lengths of beams."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from roborally_env.courses import EDITIONS, STEP, Course, Element
from roborally_env.courses.heights import Heights
from roborally_env.courses.links import labels_of

CELL: Final = 100  # SVG units
MARGIN: Final = 50  # round the course, for the numbers of columns and rows
HALF: Final = CELL // 2


class Scene:
    """A course, the cells in which something stops beams, and those of the ramps that are on (None: as at first)."""

    def __init__(
        self, course: Course, blocked: Iterable[tuple[int, int]] = (), ramps: Iterable[tuple[int, int]] | None = None
    ) -> None:
        self.course = course
        self.blocked = frozenset(blocked)  # cells of robots
        self.heights = Heights(course.elements, None if ramps is None else set(ramps))

    @cached_property
    def walls(self) -> frozenset[tuple[int, int, int]]:
        """(x, y, side) of every wall, from both sides; pushers' backs are walls too, where the edition says so."""
        walls = {wall for e in self.course.elements for side in e.sides for wall in both_sides(e.x, e.y, side)}
        for e in self.course.elements if EDITIONS[self.course.edition].backs else ():
            if e.kind == "panel":
                walls.update(both_sides(e.x, e.y, (e.push + 2) & 3))
        return frozenset(walls)

    @cached_property
    def entered(self) -> dict[tuple[int, int], int]:
        """One-way cell -> the direction of steps into it."""
        return {(e.x, e.y): e.out for e in self.course.elements if e.kind == "one_way"}

    @cached_property
    def pits(self) -> frozenset[tuple[int, int]]:
        return frozenset((e.x, e.y) for e in self.course.elements if e.kind == "pit")

    @cached_property
    def labels(self) -> dict[tuple[int, int, str], str]:
        """(x, y, kind) of each ramp and button -> its letters; a button has those of the ramps that it switches."""
        return labels_of(self.course.elements)

    def height(self, cell: tuple[int, int], side: int) -> int:
        """The present height of one side of a cell; CLOSED for the side of a ramp."""
        return self.heights.side(cell, side, cell in self.heights.on)

    def with_ramp(self, cell: tuple[int, int], on: bool) -> "Scene":
        """The same with one ramp on or off."""
        return Scene(self.course, self.blocked, self.heights.on | {cell} if on else self.heights.on - {cell})

    def beam_cells(self, laser: Element) -> list[tuple[int, int]]:
        """The cells that a laser's beam crosses, from its own to that in which it ends.

        It ends at a wall, at the antenna, in a robot's cell and at the end of the course; it crosses gaps. It runs at
        the level of its emitter: over lower cells, up to a higher one.
        """
        level = self.heights.level((laser.x, laser.y))
        x, y = laser.x, laser.y
        dx, dy = STEP[laser.fires]
        cells = [(x, y)]
        while not self._meets((x, y), level) and not self._stops(x, y, laser.fires, level):
            x, y = x + dx, y + dy
            cells.append((x, y))
        return cells

    def _meets(self, cell: tuple[int, int], level: int) -> bool:
        """Whether a robot stands there, on the level of the beam."""
        return cell in self.blocked and self.heights.level(cell) == level

    def _stops(self, x: int, y: int, way: int, level: int) -> bool:
        """Whether a beam of that level goes no further than (x, y)."""
        course = self.course
        ahead = (x + STEP[way][0], y + STEP[way][1])
        inside = 0 <= ahead[0] < course.width and 0 <= ahead[1] < course.height
        antenna = course.antenna is not None and ahead == course.antenna[:2]
        wall = (x, y, way) in self.walls or self.entered.get(ahead, way) != way
        return not inside or antenna or wall or self._rises((x, y), ahead, way, level)

    def _rises(self, cell: tuple[int, int], ahead: tuple[int, int], way: int, level: int) -> bool:
        """Whether the floor ahead is higher than the beam, or the side of a ramp is in its way."""
        sides = ((cell, way), (ahead, (way + 2) & 3))
        crossed = [side for side in sides if side[0] in self.heights.on and self.heights.level(side[0]) == level]
        closed = any(self.heights.side(*side, on=True) < 0 for side in crossed)
        return closed or self.heights.level(ahead) > level


def both_sides(x: int, y: int, side: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """A wall as (x, y, side) of each of its two cells."""
    dx, dy = STEP[side]
    return (x, y, side), (x + dx, y + dy, (side + 2) & 3)


def middle(x: int, y: int) -> tuple[int, int]:
    """The middle of a cell in SVG units."""
    return x * CELL + HALF, y * CELL + HALF
