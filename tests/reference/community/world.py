"""The maps of the random scenarios of the community edition, and where the robots stand on them."""

from tests.reference.board import CLOCKWISE, neighbour, opposite
from tests.reference.e2016.world import World as World2016
from tests.reference.maps import at

REGISTERS = [[1, 3, 5], [2, 4], [1, 2, 3, 4, 5]]


class World(World2016):
    """The map being drawn: the 2016 worlds with levels, ramps and the other elements of this edition."""

    def __init__(self, dice, walled, pits):
        super().__init__(dice, walled, pits)
        self.levels = {}  # cell -> level above 0

    def draw_map(self):
        """Levels first, then what lies on them, then the tokens."""
        dice = self.dice
        self.begin(with_antenna=0.8)
        if dice.random() < 0.7:
            self.raise_hills()
        self.place_ramps()
        self.place_runs_of_belts(0, 3)
        self.scatter_elements()
        self.place_walls([0, 0.05, 0.15], lines=0.2)
        self.place_tokens()
        self.place_buttons()

    def scatter_elements(self):
        """Every kind of single element, most of them on every map."""
        dice = self.dice
        area = len(self.cells)
        kinds = [(self.pit, self.pits), (self.gear, [0, 0.05]), (self.panel, [0, 0.1, 0.2]), (self.energy, [0, 0.06])]
        kinds += [(self.one_way, [0, 0.05, 0.15]), (self.puddle, [0, 0.05, 0.15]), (self.radiation, [0, 0.08, 0.15])]
        kinds += [(self.stomper, [0, 0.05, 0.15]), (self.trapdoor, [0, 0.05]), (self.repair, [0, 0.05, 0.12])]
        for make, shares in kinds:
            self.scatter(area * dice.choice(shares), make)
        self.scatter(dice.randint(0, 4), self.laser)
        self.scatter(dice.choice([0, 0, 3]), self.loose_belt)

    def elements(self):
        """The elements in the form of the fact sheets."""
        levels = [{"kind": "level", **at(cell), "level": level} for cell, level in self.levels.items() if level > 0]
        return [*levels, *super().elements()]

    # ---- Hills and ramps ------------------------------------------------------------------------------------------

    def raise_hills(self):
        """Rectangles, each a level higher than what was there."""
        dice = self.dice
        for _ in range(dice.randint(1, 6)):
            left, top = dice.choice(self.cells)
            wide, high = dice.randint(1, 4), dice.randint(1, 4)
            for x in range(left, min(left + wide, self.width)):
                for y in range(top, min(top + high, self.height)):
                    self.levels[x, y] = min(3, self.levels.get((x, y), 0) + 1)

    def level_at(self, cell):
        """The level of a cell as it is so far; a ramp's is its foot's."""
        element = self.floor.get(cell, {})
        return element["level"] if element.get("kind") == "ramp" else self.levels.get(cell, 0)

    def place_ramps(self):
        """Ramps up to the ledges, some in a row, few that lead nowhere."""
        dice = self.dice
        wished = dice.choice([0, 3, 6, 12])
        for cell in dice.sample(self.cells, len(self.cells)):
            if wished == 0:
                return
            ups = [side for side in CLOCKWISE if self.rises(cell, side)]
            if ups and self.is_free(cell):
                self.floor[cell] = self.ramp(cell, dice.choice(ups), self.levels.get(cell, 0))
                self.levels.pop(cell, None)
                wished -= 1
        if dice.random() < 0.15:
            self.scatter(2, lambda cell: self.ramp(cell, dice.choice(CLOCKWISE), dice.randint(0, 2)))

    def rises(self, cell, side):
        """Is the cell on that side one level higher, and floor?"""
        beyond = neighbour(cell, side)
        is_floor = beyond in self.cells and beyond not in self.floor and beyond != self.antenna
        return is_floor and self.levels.get(beyond, 0) == self.levels.get(cell, 0) + 1

    def ramp(self, cell, up, level):
        element = {"kind": "ramp", **at(cell), "up": up, "level": level}
        if self.dice.random() < 0.3:
            element["enabled"] = False
        elif self.dice.random() < 0.2:
            element["enabled"] = True
        return element

    def place_buttons(self):
        """Buttons, most of them near their ramps."""
        dice = self.dice
        ramps = [cell for cell, element in self.floor.items() if element["kind"] == "ramp"]
        if not ramps:
            return
        for _ in range(dice.choice([3, 6, 9])):
            near = neighbour(dice.choice(ramps), dice.choice(CLOCKWISE))
            if dice.random() < 0.4:
                near = dice.choice(self.cells)
            if self.is_free(near):
                linked = dice.sample(ramps, dice.randint(1, min(4, len(ramps))))
                self.floor[near] = {"kind": "button", **at(near), "ramps": [list(cell) for cell in linked]}

    # ---- Single elements ------------------------------------------------------------------------------------------

    def one_way(self, cell):
        return {"kind": "one_way", **at(cell), "dir": self.dice.choice(CLOCKWISE)}

    def puddle(self, cell):
        return {"kind": "puddle", **at(cell)}

    def radiation(self, cell):
        return {"kind": "radiation", **at(cell)}

    def stomper(self, cell):
        return {"kind": "stomper", **at(cell), "registers": self.dice.choice(REGISTERS)}

    def trapdoor(self, cell):
        return {"kind": "trapdoor", **at(cell), "registers": self.dice.choice(REGISTERS)}

    def repair(self, cell):
        return {"kind": "repair", **at(cell), "level": self.dice.choice([1, 2])}

    def panel(self, cell):
        """A pusher, its back drawn as a wall or not."""
        element = super().panel(cell)
        back = opposite(element["push"])
        if back not in self.walls.get(cell, []) and self.dice.random() < 0.3:
            self.add_wall(cell, back)
        return element

    # ---- Tokens and robots ----------------------------------------------------------------------------------------

    def place_tokens(self):
        """Entry points, checkpoints (many on belts and pushers), energy cubes."""
        dice = self.dice
        moving = dice.random() < 0.5
        taken = self.place_checkpoints(3, {"belt", "panel"} if moving else None)
        if dice.random() < 0.75:
            tokens = [self.spot(taken) for _ in range(dice.choice([1, 1, 1, 2]))]
            self.map["reboots"] = [{**at(cell), "facing": dice.choice(CLOCKWISE)} for cell in dict.fromkeys(tokens)]
        spaces = [cell for cell, element in self.floor.items() if element["kind"] == "energy"]
        self.map["energy"] = [at(cell) for cell in spaces if dice.random() < 0.6]

    def place_robots(self, count, in_line):
        """As in 2016, then some are put onto others as virtual ones, some onto what is of interest."""
        dice = self.dice
        robots = super().place_robots(count, in_line)
        for robot in robots:
            cell = self.spot([(other["x"], other["y"]) for other in robots], {dice.choice(LIKED)})
            if dice.random() < 0.25:
                robot.update(at(cell))
        for robot in robots[1:]:
            if dice.random() < 0.15:
                host = dice.choice([other for other in robots if other is not robot])
                alone = sum((other["x"], other["y"]) == (robot["x"], robot["y"]) for other in robots) == 1
                if alone:
                    robot.update({"x": host["x"], "y": host["y"], "virtual": True})
        if dice.random() < 0.3:
            for robot in robots:
                robot["level"] = self.level_at((robot["x"], robot["y"]))
        return robots


LIKED = ["ramp", "ramp", "ramp", "puddle", "stomper", "trapdoor", "panel", "radiation", "repair", "button", "belt"]
