"""The board of 2016: reboot tokens, energy, moving checkpoints, and the priority by the antenna."""

from tests.reference.board import STEP, cell_of, right_of
from tests.reference.board import Board as AnyBoard


def distance(one, other):
    """Spaces counted by row, then by column."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def priority_key(cell, origin, dish):
    """Sorts cells by nearness to `origin`, ties clockwise from the line of the dish (R41)."""
    dx, dy = cell[0] - origin[0], cell[1] - origin[1]
    ahead, aside = STEP[dish], STEP[right_of(dish)]
    f = dx * ahead[0] + dy * ahead[1]
    r = dx * aside[0] + dy * aside[1]
    d = abs(f) + abs(r)
    if d == 0:
        key = 0
    elif r >= 0 and f > 0:
        key = r
    elif r > 0 and f <= 0:
        key = d - f
    elif r <= 0 and f < 0:
        key = 2 * d - r
    else:
        key = 3 * d + f
    return (d, key)


class Board(AnyBoard):
    """A map with the cubes that still lie on it."""

    def __init__(self, drawing):
        self.energy_spaces = set()
        super().__init__(drawing)
        self.tokens = drawing.get("reboots") or []
        self.cubes = {cell_of(spot) for spot in drawing.get("energy", [])}
        self.energy_spaces |= self.cubes
        self.checkpoints_move = drawing.get("moving_checkpoints", False)

    def add(self, element):
        """An energy space, or what every edition has."""
        if element["kind"] == "energy":
            self.energy_spaces.add(cell_of(element))
        else:
            super().add(element)

    def token_for(self, cell):
        """The reboot token for a robot that was last on this cell (R16); None: its own start space."""
        start_boards = [self.board_of(dock) for dock in self.docks]
        boards = [self.board_of(cell_of(token)) for token in self.tokens]
        for wanted in (start_boards, [self.board_of(cell)]):
            for token, board in zip(self.tokens, boards, strict=True):
                if board in wanted:
                    return token
        return None
