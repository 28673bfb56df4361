"""The factory floor of the 2005 edition: repair sites and flags."""

from tests.reference.board import Board as AnyBoard
from tests.reference.board import cell_of, neighbour
from tests.reference.errors import BadScenario

EXPRESS, NORMAL = 2, 1  # speeds of belts

SINGLE_WRENCH, CROSSED = 1, 2  # levels of repair sites


class Board(AnyBoard):
    """A map as it is printed, with the cells where its flags are now."""

    def __init__(self, drawing):
        self.sites = {}  # cell -> level of the repair site
        if drawing.get("antenna") or drawing.get("reboots") or drawing.get("energy"):
            raise BadScenario("the 2005 edition has no antenna, no reboot tokens and no energy")
        super().__init__(drawing)
        self.flags = self.checkpoints  # number -> cell, None while it is off the board

    def add(self, element):
        """A repair site, or what every edition has."""
        if element["kind"] == "repair":
            self.sites[cell_of(element)] = element["level"]
        else:
            super().add(element)

    # ---- Flags and repair sites -----------------------------------------------------------------------------------

    def flags_on(self, cell):
        """The numbers of the flags on this cell, lowest first."""
        return sorted(number for number, place in self.flags.items() if place == cell)

    def repair_level(self, cell):
        """What a robot finds here at the end of the turn: 0, or the level; a flag is as a single wrench (R60)."""
        return max(self.sites.get(cell, 0), SINGLE_WRENCH if self.flags_on(cell) else 0)

    def has_wall_between(self, cell, other):
        """Is a wall between two adjacent cells? Diagonally: on both of the ways round the corner."""
        dx, dy = other[0] - cell[0], other[1] - cell[1]
        along_x = {-1: ["W"], 0: [], 1: ["E"]}[dx]
        along_y = {-1: ["N"], 0: [], 1: ["S"]}[dy]
        return all(self.is_walled_way(cell, way) for way in (along_x + along_y, along_y + along_x))

    def is_walled_way(self, cell, directions):
        """Does a wall stand in the way of these steps?"""
        for direction in directions:
            if self.is_shut(cell, direction):
                return True
            cell = neighbour(cell, direction)
        return False
