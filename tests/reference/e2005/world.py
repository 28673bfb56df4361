"""The maps of the random scenarios of 2005, and where the robots stand on them."""

from tests.reference.board import CLOCKWISE, neighbour, spaces_around
from tests.reference.maps import World as World2016
from tests.reference.maps import at, line

KINDS_FOR_FLAGS = {"belt"}  # where flags move


class World(World2016):
    """The map being drawn: the belts, gears, pits and walls of the 2016 worlds, with repair sites and flags."""

    def draw_map(self, special_rules):
        """Lays all elements, then the flags."""
        dice = self.dice
        drawing = {"width": self.width, "height": self.height, "elements": []}
        if dice.random() < 0.2:
            drawing["start_facing"] = dice.choice(CLOCKWISE)

        area = len(self.cells)
        for _ in range(dice.randint(1, 4)):
            dice.choice(
                [self.lay_path, self.lay_path, self.lay_ring, self.lay_face_off, self.lay_merge, self.lay_outlets]
            )()
        self.scatter(area * dice.choice(self.pits), self.pit)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.gear)
        self.scatter(area * dice.choice([0, 0.1, 0.2]), self.panel)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.repair)
        self.scatter(dice.randint(0, 3), self.laser)
        self.scatter(dice.choice([0, 0, 3]), self.loose_belt)
        for _ in range(int(area * dice.choice([0, 0.1, 0.25]))):
            self.add_wall(dice.choice(self.cells), dice.choice(CLOCKWISE))
        if dice.random() < 0.2:
            self.lay_two_ended_line()
        if dice.random() < self.walled:
            self.wall_in()
        if dice.random() < 0.3:
            belts = [cell for cell, element in self.floor.items() if element["kind"] == "belt"]
            if belts:
                self.extra_lasers.append(self.laser(dice.choice(belts)))

        self.map = drawing
        if special_rules:
            drawing["special_rules"] = special_rules
        self.place_flags("moving_flags" in special_rules)
        drawing["elements"] = self.elements()

    def repair(self, cell):
        return {"kind": "repair", **at(cell), "level": self.dice.choice([1, 1, 2])}

    def place_flags(self, on_belts):
        """One to four flags."""
        taken = []
        for _ in range(self.dice.randint(1, 4)):
            taken.append(self.spot(taken, KINDS_FOR_FLAGS if on_belts else None))
        self.map["checkpoints"] = [{"number": number, **at(cell)} for number, cell in enumerate(taken, start=1)]

    # ---- Robots ---------------------------------------------------------------------------------------------------

    def place_robots(self, count, in_line):
        """Most robots beside another or a flag; `in_line`: many in the line of fire of another."""
        dice = self.dice
        flags = [(spot["x"], spot["y"]) for spot in self.map["checkpoints"]]
        cells = []
        for _ in range(count):
            cells.append(self.place_for_robot(cells, flags, in_line))
        robots = []
        for cell in cells:
            robot = {**at(cell), "facing": dice.choice(CLOCKWISE)}
            towards = [side for side in CLOCKWISE if neighbour(cell, side) in cells]
            if in_line:
                towards += [side for side in CLOCKWISE if set(line(cell, side)) & set(cells)]
            if towards and dice.random() < (0.8 if in_line else 0.6):
                robot["facing"] = dice.choice(towards)
            robots.append(robot)
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
            is_plain = wish in self.cells and wish not in cells and self.floor.get(wish, {}).get("kind") != "pit"
            if is_plain and dice.random() < 0.6:
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
