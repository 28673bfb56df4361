"""The heights of the four sides of each cell: floors, and ramps that are on or off.

    plain floor and a ramp that is off: its level on all sides
    ramp that is on:                    its foot's level n there, n + 1 at its top, closed to both sides

A step across an edge is ordinary if both sides have equal height, and a fall from the higher to the lower side. It is
blocked from the lower to the higher side, and if a side is closed.
"""

from collections.abc import Collection, Iterable

from roborally_env.courses.model import STEP, Element

Cell = tuple[int, int]
CLOSED = -1  # the height of a ramp's side


class Heights:
    """The floors of a course and the states of its ramps.

    on: the cells of the ramps that are on; None: as at the start. either: ramps that count as on or off, whichever
    helps.
    """

    def __init__(
        self, elements: Iterable[Element], on: Collection[Cell] | None = None, either: Collection[Cell] = ()
    ) -> None:
        elements = tuple(elements)
        self.ramps = {(e.x, e.y): e for e in elements if e.kind == "ramp"}
        self.levels = {(e.x, e.y): e.level for e in elements if e.kind == "level"}
        self.levels |= {cell: ramp.level for cell, ramp in self.ramps.items()}
        self.on = {cell for cell, ramp in self.ramps.items() if ramp.enabled} if on is None else set(on)
        self.either = frozenset(either)
        self.flat = not self.levels

    def level(self, cell: Cell) -> int:
        """The level of a robot on a cell: that of the floor, or of the ramp's foot."""
        return self.levels.get(cell, 0)

    def side(self, cell: Cell, way: int, on: bool) -> int:
        """The height of that side of a cell, its ramp on or off; CLOSED at the sides of a ramp that is on."""
        ramp = self.ramps.get(cell)
        if ramp is None or not on:
            return self.level(cell)
        return {ramp.out: ramp.level + 1, (ramp.out + 2) & 3: ramp.level}.get(way, CLOSED)

    def drops(self, cell: Cell, way: int) -> set[int]:
        """By how many levels a step from a cell in a direction may fall: {0} for an even step, empty if it is blocked.

        There may be several numbers if ramps may be on or off.
        """
        if self.flat:
            return {0}
        to = cell[0] + STEP[way][0], cell[1] + STEP[way][1]
        froms, tos = self._sides(cell, way), self._sides(to, (way + 2) & 3)
        return {here - there for here in froms for there in tos if here >= there > CLOSED}

    def is_ledge(self, cell: Cell, way: int) -> bool:
        """Whether no even step in both directions is possible across that side."""
        return not self.flat and 0 not in self.drops(cell, way)

    def _sides(self, cell: Cell, way: int) -> set[int]:
        states = (False, True) if cell in self.either else (cell in self.on,)
        return {self.side(cell, way, on) for on in states}


def linked_ramps(elements: Iterable[Element]) -> set[Cell]:
    """The cells of the ramps that some button switches."""
    return {cell for e in elements for cell in e.ramps}
