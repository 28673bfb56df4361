"""The facts about a course that pictures, tables and the search for ways need: walls, neighbours, beams, pieces."""

from collections.abc import Iterable
from functools import cached_property

from roborally_env.courses.heights import Heights
from roborally_env.courses.links import labels_of
from roborally_env.courses.model import EDITIONS, STEP, Course, Element


class Scene:
    """A course and its state.

    blocked: the cells of the robots that stop beams. ramps: those that are on; None: as at the start. checkpoints:
    (number, x, y) where they are now, and cubes: (x, y) of those that are left; None: as at the start. both_ramps:
    pictures have each ramp on and off, one of them hidden.
    """

    def __init__(
        self,
        course: Course,
        blocked: Iterable[tuple[int, int]] = (),
        ramps: Iterable[tuple[int, int]] | None = None,
        checkpoints: Iterable[tuple[int, int, int]] | None = None,
        cubes: Iterable[tuple[int, int]] | None = None,
        both_ramps: bool = False,
    ) -> None:
        self.course = course
        self.blocked = frozenset(blocked)
        self.heights = Heights(course.elements, None if ramps is None else set(ramps))
        self.checkpoints = tuple(course.checkpoints if checkpoints is None else checkpoints)
        self.cubes = frozenset(course.energy if cubes is None else cubes)
        self.both_ramps = both_ramps

    @cached_property
    def walls(self) -> frozenset[tuple[int, int, int]]:
        """(x, y, side) of every wall, from both sides; pushers' backs are walls too, where the edition says so."""
        backs = EDITIONS[self.course.edition].backs
        walls = set()
        for e in self.course.elements:
            for side in ((e.push + 2) & 3,) if backs and e.kind == "panel" else e.sides:
                walls |= {(e.x, e.y, side), (e.x + STEP[side][0], e.y + STEP[side][1], (side + 2) & 3)}
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
