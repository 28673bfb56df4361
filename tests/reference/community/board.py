"""The map of the community edition: levels, ledges, ramps and buttons beside what 2016 has.

Heights (Levels, Ledges, Ramp). Each side of a cell has a height. Plain floor is as high as its level on all four sides.
A ramp that is switched on rises from level n at its foot to n + 1 at its top; its two other sides are walls:

                 wall
              +--------+
    foot, n   | n  n+1 |   top, n + 1        up = E
              +--------+
                 wall

Switched off it is plain floor at the foot's level. A robot's level is that of its cell; on a ramp it is n.
"""

from tests.reference.board import cell_of, neighbour, opposite
from tests.reference.e2016.board import Board as Board2016
from tests.reference.errors import BadScenario


class Board(Board2016):
    """A map as it is printed, with the ramps that are on and the cells where its checkpoints are now."""

    def __init__(self, drawing):
        self.levels = {}  # cell -> level of the floor; 0 where none is named
        self.ramps = {}  # cell -> element
        self.ramps_on = set()  # cells of the ramps that are switched on
        self.one_ways = {}  # cell -> the direction in which it is entered
        self.puddles = set()
        self.radiation = set()
        self.buttons = {}  # cell -> the cells of the ramps that it toggles
        self.stompers = {}  # cell -> registers
        self.trapdoors = {}
        self.repairs = {}  # cell -> damage repaired
        super().__init__(drawing)
        self.checkpoints_move = True
        for ramps in self.buttons.values():
            if not all(cell in self.ramps for cell in ramps):
                raise BadScenario("a button toggles what is no ramp")

    def add(self, element):
        """Puts one printed element on the board."""
        cell, kind = cell_of(element), element["kind"]
        if kind == "level":
            self.levels[cell] = element["level"]
        elif kind == "ramp":
            self.ramps[cell] = element
            if element.get("enabled", True):
                self.ramps_on.add(cell)
        elif kind == "one_way":
            self.one_ways[cell] = element["dir"]
        elif kind == "puddle":
            self.puddles.add(cell)
        elif kind == "radiation":
            self.radiation.add(cell)
        elif kind == "button":
            self.buttons[cell] = list(dict.fromkeys((x, y) for x, y in element["ramps"]))
        elif kind == "stomper":
            self.stompers[cell] = element["registers"]
        elif kind == "trapdoor":
            self.trapdoors[cell] = element["registers"]
        elif kind == "repair":
            self.repairs[cell] = element["level"]
        else:
            super().add(element)
        if kind == "panel":  # its back is a wall, be it drawn or not (Pushers are treated as wall)
            self.walls.add(frozenset([cell, neighbour(cell, opposite(element["push"]))]))

    # ---- Heights --------------------------------------------------------------------------------------------------

    def level_of(self, cell):
        """The level of a cell, and of the robots on it; a ramp lies at its foot's level, on or off."""
        if cell in self.ramps:
            return self.ramps[cell]["level"]
        return self.levels.get(cell, 0)

    def height_at(self, cell, side):
        """How high the cell is on that side; None for the side of a ramp, which is a wall."""
        if cell in self.ramps_on:
            up = self.ramps[cell]["up"]
            if side not in (up, opposite(up)):
                return None
            return self.level_of(cell) + (side == up)
        return self.level_of(cell)

    def is_shut(self, cell, direction):
        """No way out of the cell in that direction: a wall, the antenna, or a cell that is entered another way only."""
        beyond = neighbour(cell, direction)
        return super().is_shut(cell, direction) or self.one_ways.get(beyond, direction) != direction

    def drop(self, cell, direction):
        """How many levels a step out of the cell goes down; None where there is no way (walls, ledges from below).

        Beyond the edge of the board there are no heights.
        """
        beyond = neighbour(cell, direction)
        here = self.height_at(cell, direction)
        if self.is_shut(cell, direction) or here is None:
            return None
        if not self.has(beyond):
            return 0
        there = self.height_at(beyond, opposite(direction))
        if there is None or there > here:
            return None
        return here - there

    # ---- What runs over the board ---------------------------------------------------------------------------------

    def beam(self, cell, direction):
        """The cells, in order, in which a beam from this cell hits: those of its own level, until something stops it.

        It passes over lower cells without harm.
        """
        level = self.level_of(cell)
        cells = []
        while True:
            if self.level_of(cell) == level:
                cells.append(cell)
            if self.stops_beam(cell, direction, level):
                return cells
            cell = neighbour(cell, direction)

    def stops_beam(self, cell, direction, level):
        """Does a beam of that level not get from this cell into the next one?"""
        beyond = neighbour(cell, direction)
        if self.is_shut(cell, direction) or not self.has(beyond) or self.level_of(beyond) > level:
            return True
        for there, side in ((cell, direction), (beyond, opposite(direction))):
            if self.level_of(there) == level and self.height_at(there, side) == level + 1:
                return True  # the top of a ramp, whatever lies behind it: a ledge from below
        return self.is_ramps_side(cell, direction, level) or self.is_ramps_side(beyond, opposite(direction), level)

    def is_ramps_side(self, cell, side, level):
        """Is a ramp of that level here, and this one of its sides?"""
        return self.level_of(cell) == level and self.height_at(cell, side) is None

    def belt_target(self, cell, speed):
        """Where a belt of that speed takes what stands on the cell; None: it does not (R7)."""
        belt = self.belts.get(cell)
        if belt is None or belt["speed"] != speed or self.drop(cell, belt["out"]) is None:
            return None
        return neighbour(cell, belt["out"])

    def carries_checkpoint(self, cell, direction):
        """Can a checkpoint be carried off this cell in that direction? Never to where it could not be reached."""
        beyond = neighbour(cell, direction)
        if not self.has(beyond) or beyond in self.pits or self.drop(cell, direction) is None:
            return False
        return self.level_of(beyond) == self.level_of(cell)
