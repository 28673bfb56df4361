"""The factory floor of the 2005 edition: cells, walls, what is printed on them, and the flags.

A cell is a pair (x, y), x counted from the left, y from the top. A direction is one of the letters N E S W.
"""

from tests.reference.board import CLOCKWISE, clockwise_from, left_of, neighbour, opposite, right_of
from tests.reference.errors import BadScenario

__all__ = ["CLOCKWISE", "Board", "clockwise_from", "left_of", "neighbour", "opposite", "right_of", "spaces_around"]

EXPRESS, NORMAL = 2, 1  # speeds of belts

SINGLE_WRENCH, CROSSED = 1, 2  # levels of repair sites


class Board:
    """A map as it is printed, with the cells where its flags are now."""

    def __init__(self, drawing):
        self.width = drawing["width"]
        self.height = drawing["height"]
        self.walls = set()  # edges, each a frozenset of the two cells beside it
        self.belts = {}  # cell -> element
        self.gears = {}  # cell -> "cw" or "ccw"
        self.pits = set()
        self.pushers = {}  # cell -> element
        self.lasers = []  # elements
        self.sites = {}  # cell -> level of the repair site
        for element in drawing.get("elements", []):
            self.add(element)
        if drawing.get("antenna") or drawing.get("reboots") or drawing.get("energy"):
            raise BadScenario("the 2005 edition has no antenna, no reboot tokens and no energy")

        self.start_facing = drawing.get("start_facing", "E")
        self.flag_starts = {spot["number"]: (spot["x"], spot["y"]) for spot in drawing.get("checkpoints", [])}
        self.flags = dict(self.flag_starts)  # number -> cell, None while it is off the board

    def add(self, element):
        """Puts one printed element on the board."""
        cell = (element["x"], element["y"])
        kind = element["kind"]
        if kind == "wall":
            self.walls |= {frozenset([cell, neighbour(cell, side)]) for side in element["sides"]}
        elif kind == "belt":
            self.belts[cell] = element
        elif kind == "gear":
            self.gears[cell] = element["turn"]
        elif kind == "pit":
            self.pits.add(cell)
        elif kind == "panel":
            self.pushers[cell] = element
        elif kind == "laser":
            self.lasers.append(element)
        elif kind == "repair":
            self.sites[cell] = element["level"]
        elif kind != "dock":
            raise BadScenario(f"no such element in the 2005 edition: {kind}")

    def cells(self):
        """All cells, row by row."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def has(self, cell):
        """Is this cell on the board?"""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def is_deadly(self, cell):
        """A robot that enters this cell is destroyed: a pit, or off the board."""
        return cell in self.pits or not self.has(cell)

    def has_wall(self, cell, direction):
        """A wall on that side of the cell, printed on either side of the edge."""
        return frozenset([cell, neighbour(cell, direction)]) in self.walls

    # ---- Lasers ---------------------------------------------------------------------------------------------------

    def beam(self, cell, direction):
        """The cells of a beam in order, from this one until a wall or the edge of the board ends it (R33)."""
        cells = []
        while self.has(cell):
            cells.append(cell)
            if self.has_wall(cell, direction):
                break
            cell = neighbour(cell, direction)
        return cells

    def far_end(self, laser):
        """The emitter at the other end of a line that is printed with a pointer at both ends, or None."""
        if not laser.get("two_ended"):
            return None
        cell = (laser["x"], laser["y"])
        while self.has(cell):
            for other in self.lasers:
                faces = other["fires"] == opposite(laser["fires"])
                if other.get("two_ended") and faces and (other["x"], other["y"]) == cell:
                    return other
            cell = neighbour(cell, laser["fires"])
        return None

    # ---- Belts ----------------------------------------------------------------------------------------------------

    def belt_target(self, cell, speeds):
        """Where a belt of one of these speeds takes what lies on the cell; None: it does not (R7)."""
        belt = self.belts.get(cell)
        if belt is None or belt["speed"] not in speeds or self.has_wall(cell, belt["out"]):
            return None
        return neighbour(cell, belt["out"])

    def belt_turn(self, facing, direction, cell):
        """The facing of a robot that a belt carried in that direction onto the cell (R6)."""
        belt = self.belts.get(cell)
        if belt is None or opposite(direction) not in belt["in"]:
            return facing
        if belt["out"] == right_of(direction):
            return right_of(facing)
        if belt["out"] == left_of(direction):
            return left_of(facing)
        return facing

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
            if self.has_wall(cell, direction):
                return True
            cell = neighbour(cell, direction)
        return False


def spaces_around(cell):
    """The eight adjacent spaces, row by row."""
    x, y = cell
    return [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
