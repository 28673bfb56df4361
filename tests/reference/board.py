"""The board of the references: cells, sides, and what lies on them in every edition.

A cell is a pair (x, y), x counted from the left, y from the top. A direction is one of the letters N E S W.
"""

from tests.reference.errors import BadScenario

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


def cell_of(thing):
    """Where an element, a token or a robot of a scenario lies."""
    return (thing["x"], thing["y"])


def spaces_around(cell):
    """The eight adjacent spaces, row by row."""
    x, y = cell
    return [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Board:
    """A map as it is printed, and the cells where its checkpoints (or flags) are now.

    A course is a map with `boards`, the rectangles that lie beside each other on it.
    """

    def __init__(self, drawing):
        self.drawing = drawing
        self.width = drawing["width"]
        self.height = drawing["height"]
        self.boards = drawing.get("boards") or [{"x": 0, "y": 0, "width": self.width, "height": self.height}]
        self.docks = []
        self.walls = set()  # edges, each a frozenset of the two cells beside it
        self.belts = {}  # cell -> element
        self.gears = {}  # cell -> "cw" or "ccw"
        self.pits = set()
        self.panels = {}  # cell -> element
        self.lasers = []  # elements
        for element in drawing.get("elements", []):
            self.add(element)

        antenna = drawing.get("antenna")
        self.antenna = None if antenna is None else cell_of(antenna)
        self.dish = None if antenna is None else antenna["facing"]
        self.start_facing = drawing.get("start_facing") or self.dish or "E"
        self.checkpoints = {spot["number"]: cell_of(spot) for spot in drawing.get("checkpoints", [])}
        self.first_cells = dict(self.checkpoints)

    def add(self, element):
        """Puts one printed element on the board; those of one edition only are added by its own board."""
        cell, kind = cell_of(element), element["kind"]
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
        elif kind == "dock":
            self.docks.append(cell)
        else:
            raise BadScenario(f"no such element in this edition: {kind}")

    def cells(self):
        """All cells, row by row."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def spans(self, cell):
        """Is this cell on the map, be it in a gap between its boards? Beams cross those."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def board_of(self, cell):
        """The board that this cell is on, or None."""
        for board in self.boards:
            if 0 <= cell[0] - board["x"] < board["width"] and 0 <= cell[1] - board["y"] < board["height"]:
                return board
        return None

    def has(self, cell):
        """Is this cell on a board?"""
        return self.board_of(cell) is not None

    def is_deadly(self, cell):
        """No robot can stay on this cell: a pit, or off the board."""
        return cell in self.pits or not self.has(cell)

    def is_shut(self, cell, direction):
        """No way out of the cell in that direction: a wall on either side of the edge, or the antenna, if any."""
        beyond = neighbour(cell, direction)
        return frozenset([cell, beyond]) in self.walls or beyond == self.antenna

    def beam(self, cell, direction):
        """The cells of a beam in order, from this one until a wall, the antenna or the edge ends it (R33)."""
        cells = []
        while self.spans(cell) and cell != self.antenna:
            cells.append(cell)
            if self.is_shut(cell, direction):
                break
            cell = neighbour(cell, direction)
        return cells

    def far_end(self, laser):
        """The emitter at the other end of a line that is printed with a pointer at both ends, or None."""
        if not laser.get("two_ended"):
            return None
        cell = cell_of(laser)
        while self.spans(cell):
            for other in self.lasers:
                faces = other["fires"] == opposite(laser["fires"])
                if other.get("two_ended") and faces and cell_of(other) == cell:
                    return other
            cell = neighbour(cell, laser["fires"])
        return None

    def belt_target(self, cell, *speeds):
        """Where a belt of one of these speeds takes what stands on the cell; None: it does not (R7)."""
        belt = self.belts.get(cell)
        if belt is None or belt["speed"] not in speeds or self.is_shut(cell, belt["out"]):
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

    def gear_turn(self, facing, cell):
        """The facing of a robot on the cell after the gears have turned."""
        turn = {"cw": right_of, "ccw": left_of}.get(self.gears.get(cell))
        return turn(facing) if turn else facing
