"""The board of the reference: cells, sides, and what lies on them.

A cell is a pair (x, y), x counted from the left, y from the top. A direction is one of the letters N E S W.
"""

CLOCKWISE = ["N", "E", "S", "W"]

STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def right_of(direction):
    """The direction 90 degrees clockwise of this one."""
    return {"N": "E", "E": "S", "S": "W", "W": "N"}[direction]


def left_of(direction):
    """The direction 90 degrees counter-clockwise of this one."""
    return {"N": "W", "W": "S", "S": "E", "E": "N"}[direction]


def opposite(direction):
    """The direction that looks back."""
    return {"N": "S", "S": "N", "E": "W", "W": "E"}[direction]


def clockwise_from(direction):
    """The four directions, this one first."""
    first = CLOCKWISE.index(direction)
    return CLOCKWISE[first:] + CLOCKWISE[:first]


def neighbour(cell, direction):
    """The cell next to this one, be it on the board or not."""
    return (cell[0] + STEP[direction][0], cell[1] + STEP[direction][1])


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


class Board:
    """A map as it is printed, with the cubes that still lie on it and the cells where its checkpoints are now."""

    def __init__(self, drawing):
        self.width = drawing["width"]
        self.height = drawing["height"]
        self.walls = set()  # edges, each a frozenset of the two cells beside it
        self.belts = {}  # cell -> element
        self.gears = {}  # cell -> "cw" or "ccw"
        self.pits = set()
        self.panels = {}  # cell -> element
        self.lasers = []  # elements
        self.energy_spaces = set()
        for element in drawing.get("elements", []):
            self.add(element)

        antenna = drawing.get("antenna")
        self.antenna = None if antenna is None else (antenna["x"], antenna["y"])
        self.dish = None if antenna is None else antenna["facing"]
        self.start_facing = drawing.get("start_facing") or self.dish or "E"

        tokens = drawing.get("reboots") or []
        self.token = None if not tokens else (tokens[0]["x"], tokens[0]["y"])
        self.arrow = None if not tokens else tokens[0]["facing"]

        self.cubes = {(spot["x"], spot["y"]) for spot in drawing.get("energy", [])}
        self.energy_spaces |= self.cubes
        self.checkpoints = {spot["number"]: (spot["x"], spot["y"]) for spot in drawing.get("checkpoints", [])}
        self.first_cells = dict(self.checkpoints)
        self.checkpoints_move = drawing.get("moving_checkpoints", False)

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
            self.panels[cell] = element
        elif kind == "laser":
            self.lasers.append(element)
        elif kind == "energy":
            self.energy_spaces.add(cell)
        elif kind != "dock":
            raise ValueError(f"no such element in this edition: {kind}")

    def has(self, cell):
        """Is this cell on the board?"""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def is_deadly(self, cell):
        """A robot that enters this cell reboots: a pit, or off the board."""
        return cell in self.pits or not self.has(cell)

    def is_shut(self, cell, direction):
        """No way out of the cell in that direction: a wall, or the antenna, which acts as a wall."""
        beyond = neighbour(cell, direction)
        return frozenset([cell, beyond]) in self.walls or beyond == self.antenna

    def beam(self, cell, direction):
        """The cells of a beam in order, from this one until a wall, the antenna or the edge ends it (R33)."""
        cells = []
        while self.has(cell) and cell != self.antenna:
            cells.append(cell)
            if self.is_shut(cell, direction):
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

    def belt_target(self, cell, speed):
        """Where a belt of that speed takes what stands on the cell; None: it does not (R7)."""
        belt = self.belts.get(cell)
        if belt is None or belt["speed"] != speed or self.is_shut(cell, belt["out"]):
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
