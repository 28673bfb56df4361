"""The maps of the random scenarios: what those of all editions have, and how robots stand on them."""

from .board import CLOCKWISE, left_of, neighbour, opposite, right_of


class World:
    """The map being drawn. Each cell has at most one element besides walls, now and then a laser on a belt."""

    def __init__(self, dice, walled, pits):
        self.dice = dice
        self.pits = pits  # shares of the cells that may become pits
        self.walled = walled  # how likely there are walls round the map
        self.width = dice.randint(4, 9)
        self.height = dice.randint(4, 9)
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.floor = {}  # cell -> element
        self.walls = {}  # cell -> sides
        self.extra_lasers = []
        self.antenna = None
        self.map = {}

    def begin(self, with_antenna=0):
        """An empty map, with an antenna and a start facing now and then."""
        dice = self.dice
        self.map = {"width": self.width, "height": self.height, "elements": []}
        if with_antenna and dice.random() < with_antenna:
            self.antenna = dice.choice(self.cells)
            self.map["antenna"] = {**at(self.antenna), "facing": dice.choice(CLOCKWISE)}
        if dice.random() < 0.2:
            self.map["start_facing"] = dice.choice(CLOCKWISE)

    def place_floor(self, special, lines):
        """Elements of all kinds; `special` makes those of the edition, `lines` is how likely a two-ended laser is."""
        dice = self.dice
        area = len(self.cells)
        self.place_runs_of_belts(1, 4)
        self.scatter(area * dice.choice(self.pits), self.pit)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.gear)
        self.scatter(area * dice.choice([0, 0.1, 0.2]), self.panel)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), special)
        self.scatter(dice.randint(0, 3), self.laser)
        self.scatter(dice.choice([0, 0, 3]), self.loose_belt)
        self.place_walls([0, 0.1, 0.25], lines)
        if dice.random() < 0.3:
            belts = [cell for cell, element in self.floor.items() if element["kind"] == "belt"]
            if belts:
                self.extra_lasers.append(self.laser(dice.choice(belts)))

    def place_runs_of_belts(self, least, most):
        """Between `least` and `most` lines, rings and crossings of belts."""
        dice = self.dice
        kinds = [
            self.place_path,
            self.place_path,
            self.place_ring,
            self.place_face_off,
            self.place_merge,
            self.place_outlets,
        ]
        for _ in range(dice.randint(least, most)):
            dice.choice(kinds)()

    def place_walls(self, shares, lines):
        """Walls here and there and round the map, and a two-ended laser between walls."""
        dice = self.dice
        for _ in range(int(len(self.cells) * dice.choice(shares))):
            self.add_wall(dice.choice(self.cells), dice.choice(CLOCKWISE))
        if dice.random() < lines:
            self.place_two_ended_line()
        if dice.random() < self.walled:
            self.wall_in()

    def elements(self):
        """The elements in the form of the fact sheets."""
        walls = [{"kind": "wall", **at(cell), "sides": sides} for cell, sides in self.walls.items()]
        return [*self.floor.values(), *self.extra_lasers, *walls]

    def is_free(self, cell):
        """May an element be placed here?"""
        return cell in self.cells and cell != self.antenna and cell not in self.floor

    def scatter(self, count, make):
        """`count` elements of one kind on free cells."""
        for _ in range(int(count)):
            cell = self.dice.choice(self.cells)
            if self.is_free(cell):
                self.floor[cell] = make(cell)

    # ---- Single elements ------------------------------------------------------------------------------------------

    def pit(self, cell):
        return {"kind": "pit", **at(cell)}

    def gear(self, cell):
        return {"kind": "gear", **at(cell), "turn": self.dice.choice(["cw", "ccw"])}

    def laser(self, cell):
        return {
            "kind": "laser",
            **at(cell),
            "fires": self.dice.choice(CLOCKWISE),
            "beams": self.dice.choice([1, 1, 2, 3]),
        }

    def panel(self, cell):
        push = self.dice.choice(CLOCKWISE)
        if self.dice.random() < 0.8:
            self.add_wall(cell, opposite(push))
        registers = self.dice.choice([[1, 3, 5], [2, 4], [1, 2, 3, 4, 5], [self.dice.randint(1, 5)]])
        return {"kind": "panel", **at(cell), "push": push, "registers": registers}

    def loose_belt(self, cell):
        """A belt that does not care for its neighbours."""
        out = self.dice.choice(CLOCKWISE)
        sides = [side for side in CLOCKWISE if side != out]
        feeds = self.dice.sample(sides, self.dice.randint(1, 3))
        return belt(cell, self.dice.choice([1, 2]), out, feeds)

    def add_wall(self, cell, side):
        """A wall, unless its edge has one already."""
        beyond = neighbour(cell, side)
        if side not in self.walls.get(cell, []) and opposite(side) not in self.walls.get(beyond, []):
            self.walls.setdefault(cell, []).append(side)

    def wall_in(self):
        """Walls round the whole map, with gaps here and there."""
        for cell in self.cells:
            for side in CLOCKWISE:
                if neighbour(cell, side) not in self.cells and self.dice.random() < 0.9:
                    self.add_wall(cell, side)

    # ---- Belts and lines ------------------------------------------------------------------------------------------

    def place_belts(self, cells, directions, speed, is_ring=False):
        """A run of belts; it stops at what is in its way, and joins a belt that it meets."""
        came = opposite(directions[-1] if is_ring else directions[0])
        for cell, out in zip(cells, directions, strict=True):
            if not self.is_free(cell):
                met = self.floor.get(cell, {})
                if met.get("kind") == "belt" and came != met["out"] and came not in met["in"]:
                    met["in"].append(came)
                return
            self.floor[cell] = belt(cell, speed, out, [came])
            came = opposite(out)

    def place_path(self):
        """A line with curves."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(CLOCKWISE)
        cells, directions = [], []
        for _ in range(dice.randint(2, 9)):
            cells.append(cell)
            directions.append(direction)
            cell = neighbour(cell, direction)
            direction = dice.choice([direction, direction, direction, left_of(direction), right_of(direction)])
        # A cell's `out` is where the next cell lies, so the turn shows in the cell after it.
        self.place_belts(cells, directions, dice.choice([1, 2]))

    def place_ring(self):
        """A closed ring."""
        dice = self.dice
        wide, high = dice.randint(1, 3), dice.randint(1, 3)
        cell = dice.choice(self.cells)
        turn = dice.choice([left_of, right_of])
        direction = dice.choice(CLOCKWISE)
        cells, directions = [], []
        for side in [wide, high, wide, high]:
            for _ in range(side):
                cells.append(cell)
                directions.append(direction)
                cell = neighbour(cell, direction)
            direction = turn(direction)
        self.place_belts(cells, directions, dice.choice([1, 2]), is_ring=True)

    def place_face_off(self):
        """Two belts that face each other, with nothing or one cell between."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(CLOCKWISE)
        other = neighbour(cell, direction)
        if dice.random() < 0.4:
            other = neighbour(other, direction)
        speed = dice.choice([1, 2])
        self.place_belts([cell], [direction], speed)
        self.place_belts([other], [opposite(direction)], dice.choice([speed, speed, 3 - speed]))

    def place_merge(self):
        """Up to three belts that lead onto one cell, which is a belt itself or not."""
        dice = self.dice
        middle, out = dice.choice(self.cells), dice.choice(CLOCKWISE)
        speed = dice.choice([1, 2])
        sides = [side for side in CLOCKWISE if side != out]
        feeds = dice.sample(sides, dice.randint(2, 3))
        if dice.random() < 0.6 and self.is_free(middle):
            self.floor[middle] = belt(middle, dice.choice([speed, speed, 3 - speed]), out, list(feeds))
        for side in feeds:
            self.place_belts([neighbour(middle, side)], [opposite(side)], speed)

    def place_outlets(self):
        """Belts side by side that all lead off the board or into whatever comes."""
        dice = self.dice
        cell, direction, speed = dice.choice(self.cells), dice.choice(CLOCKWISE), dice.choice([1, 2])
        while neighbour(cell, direction) in self.cells and dice.random() < 0.8:
            cell = neighbour(cell, direction)
        for _ in range(dice.randint(2, 4)):
            self.place_belts([cell], [direction], speed)
            cell = neighbour(cell, right_of(direction))

    def place_two_ended_line(self):
        """One laser with a pointer at each end, walls behind both ends."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(["E", "S"])
        line = [cell]
        for _ in range(dice.choice([0, 1, 1, 2, 2, 3])):
            line.append(neighbour(line[-1], direction))
        if any(other not in self.cells or other == self.antenna for other in line):
            return
        if any(self.floor.get(end, {}).get("kind", "laser") != "laser" for end in (line[0], line[-1])):
            return
        beams = dice.choice([1, 1, 2, 3])
        for end, fires in ((line[0], direction), (line[-1], opposite(direction))):
            self.floor.pop(end, None)
            laser = {"kind": "laser", **at(end), "fires": fires, "beams": beams, "two_ended": True}
            self.extra_lasers.append(laser)
            if dice.random() < 0.8:
                self.add_wall(end, opposite(fires))

    # ---- Tokens and robots ----------------------------------------------------------------------------------------

    def spot(self, taken=(), kinds=None):
        """A cell that is neither pit nor antenna nor taken, of the kinds asked for if there is one."""
        cells = [cell for cell in self.cells if self.can_stand(cell, taken)]
        liked = [cell for cell in cells if kinds and self.floor.get(cell, {}).get("kind") in kinds]
        return self.dice.choice(liked or cells)

    def place_checkpoints(self, most, kinds):
        """One to `most` checkpoints on cells of these kinds; returns their cells."""
        taken = []
        for _ in range(self.dice.randint(1, most)):
            taken.append(self.spot(taken, kinds))
        self.map["checkpoints"] = [{"number": number, **at(cell)} for number, cell in enumerate(taken, start=1)]
        return taken

    def face(self, cell, cells, in_line):
        """A robot on the cell, often with its face to a robot beside it, or to one in line."""
        dice = self.dice
        robot = {**at(cell), "facing": dice.choice(CLOCKWISE)}
        others = [side for side in CLOCKWISE if neighbour(cell, side) in cells]
        if in_line:
            others += [side for side in CLOCKWISE if set(line(cell, side)) & set(cells)]
        if others and dice.random() < (0.8 if in_line else 0.6):
            robot["facing"] = dice.choice(others)
        return robot

    def can_stand(self, cell, taken):
        """Is it on the map, and neither pit nor antenna nor taken?"""
        is_pit = self.floor.get(cell, {}).get("kind") == "pit"
        return cell in self.cells and cell != self.antenna and cell not in taken and not is_pit

    def cells_in_line(self, cells):
        """The cells up to four away from these, in a straight line."""
        return [other for cell in cells for side in CLOCKWISE for other in line(cell, side)]


def line(cell, side):
    """The four cells in that direction."""
    cells = []
    for _ in range(4):
        cell = neighbour(cell, side)
        cells.append(cell)
    return cells


def at(cell):
    """A cell in the form of the scenario files."""
    return {"x": cell[0], "y": cell[1]}


def belt(cell, speed, out, feeds):
    """A belt element; a feed on the side of its own end is left out."""
    feeds = [side for side in feeds if side != out]
    return {"kind": "belt", **at(cell), "speed": speed, "out": out, "in": feeds or [opposite(out)]}
