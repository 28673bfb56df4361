"""The maps of the random scenarios of 2005, and where the robots stand on them."""

from tests.reference.board import CLOCKWISE, cell_of, neighbour, spaces_around
from tests.reference.maps import World as AnyWorld
from tests.reference.maps import at


class World(AnyWorld):
    """The map being drawn: belts, gears, pits and walls, with repair sites and flags."""

    def draw_map(self, special_rules):
        """Places all elements, then the flags."""
        self.begin()
        self.place_floor(self.repair, lines=0.2)
        if special_rules:
            self.map["special_rules"] = special_rules
        self.place_checkpoints(4, {"belt"} if "moving_flags" in special_rules else None)
        self.map["elements"] = self.elements()

    def repair(self, cell):
        return {"kind": "repair", **at(cell), "level": self.dice.choice([1, 1, 2])}

    # ---- Robots ---------------------------------------------------------------------------------------------------

    def place_robots(self, count, in_line):
        """Most robots beside another or a flag; `in_line`: many in the line of fire of another."""
        flags = [cell_of(spot) for spot in self.map["checkpoints"]]
        cells = []
        for _ in range(count):
            cells.append(self.place_for_robot(cells, flags, in_line))
        robots = [self.face(cell, cells, in_line) for cell in cells]
        self.place_archives(robots)
        return robots

    def place_for_robot(self, cells, flags, in_line):
        """A cell in line with a robot, or beside a robot or flag, or any."""
        dice = self.dice
        wishes = [neighbour(cell, side) for cell in cells for side in CLOCKWISE]
        wishes += [cell for flag in flags for cell in [*spaces_around(flag), flag]]
        if in_line and cells and dice.random() < 0.6:
            wishes = self.cells_in_line(cells)
        dice.shuffle(wishes)
        for wish in wishes:
            if self.can_stand(wish, cells) and dice.random() < 0.6:
                return wish
        return self.spot(cells, {"belt", "panel"} if dice.random() < 0.5 else None)

    def place_archives(self, robots):
        """Archive markers: mostly at the start, some together or under another robot."""
        dice = self.dice
        shared = self.spot()
        for robot in robots:
            place = dice.choice(["start", "start", "start", "shared", "robot", "any"])
            if place == "shared":
                robot["archive"] = at(shared)
            elif place == "robot":
                other = dice.choice(robots)
                robot["archive"] = {"x": other["x"], "y": other["y"]}
            elif place == "any":
                robot["archive"] = at(self.spot())
