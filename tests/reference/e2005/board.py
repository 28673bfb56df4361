"""The factory floor of the 2005 edition: repair sites and flags."""

from tests.reference.board import Board as AnyBoard
from tests.reference.board import cell_of, neighbour, right_of
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

    def turned(self, cell):
        """The board with a clockwise quarter turn of the part that this cell is on; flags stay.

        A part with docks, or one that is no square, does not turn.
        """
        part = self.board_of(cell)
        if part["width"] != part["height"] or part in map(self.board_of, self.docks):
            return self
        elements = [
            quarter_turn(element, part) if self.board_of(cell_of(element)) is part else element
            for element in self.drawing["elements"]
        ]
        board = Board({**self.drawing, "elements": elements})
        board.flags.update(self.flags)
        return board

    # ---- Flags and repair sites -----------------------------------------------------------------------------------

    def flags_on(self, cell):
        """The numbers of the flags on this cell, lowest first."""
        return sorted(number for number, place in self.flags.items() if place == cell)

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


def quarter_turn(element, part):
    """A printed element after a clockwise quarter turn of its part of the board."""
    x, y = element["x"] - part["x"], element["y"] - part["y"]
    turned = {**element, "x": part["x"] + part["height"] - 1 - y, "y": part["y"] + x}
    for key in {"out", "push", "fires"} & set(element):
        turned[key] = right_of(element[key])
    for key in {"in", "sides"} & set(element):
        turned[key] = [right_of(side) for side in element[key]]
    return turned
