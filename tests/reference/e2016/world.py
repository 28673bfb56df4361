"""The maps of the random scenarios of 2016, and where the robots stand on them."""

from tests.reference.board import CLOCKWISE, cell_of, neighbour
from tests.reference.maps import World as AnyWorld
from tests.reference.maps import at


class World(AnyWorld):
    """The map being drawn, with antenna, energy, reboot tokens and checkpoints, which may move."""

    def draw_map(self):
        """Places all elements, then the tokens."""
        self.begin(with_antenna=0.85)
        self.place_floor(self.energy, lines=0.35)
        self.place_tokens()

    def energy(self, cell):
        return {"kind": "energy", **at(cell)}

    def place_tokens(self):
        """Reboot tokens, checkpoints, energy cubes."""
        dice = self.dice
        moving = dice.random() < 0.3
        taken = self.place_checkpoints(3, {"belt"} if moving else None)
        if moving:
            self.map["moving_checkpoints"] = True
        if dice.random() < 0.75:
            count = dice.choice([1, 1, 1, 2])
            tokens = [self.spot(taken) for _ in range(count)]
            self.map["reboots"] = [{**at(cell), "facing": self.arrow(cell)} for cell in dict.fromkeys(tokens)]
            if dice.random() < 0.2:
                self.close_in(tokens[0])
        spaces = [cell for cell, element in self.floor.items() if element["kind"] == "energy"]
        self.map["energy"] = [at(cell) for cell in spaces if dice.random() < 0.6]

    def close_in(self, cell):
        """Walls round a cell, so that it is hard to push anybody off it."""
        for side in self.dice.sample(CLOCKWISE, self.dice.randint(2, 4)):
            self.add_wall(cell, side)

    def arrow(self, cell):
        """The arrow of a token, seldom one that leads to a fall."""
        if self.dice.random() < 0.3:
            return self.dice.choice(CLOCKWISE)
        beyond = {side: neighbour(cell, side) for side in CLOCKWISE}
        safe = [side for side in CLOCKWISE if beyond[side] in self.cells]
        return self.dice.choice(
            [side for side in safe if self.floor.get(beyond[side], {}).get("kind") != "pit"] or safe
        )

    def place_robots(self, count, in_line):
        """Most robots beside another, some on tokens; `in_line`: many in the line of fire of another."""
        dice = self.dice
        tokens = [cell_of(token) for token in self.map.get("reboots", [])]
        checkpoints = [cell_of(spot) for spot in self.map["checkpoints"]]
        if self.map.get("moving_checkpoints"):
            checkpoints = []
        cells = []
        for _ in range(count):
            far = self.cells_in_line(cells) if in_line and dice.random() < 0.6 else []
            cells.append(self.robot_cell(cells, tokens, checkpoints, far))
        for cell in cells:
            if dice.random() < 0.05:
                self.close_in(cell)
        last = len(self.map["checkpoints"])
        robots = []
        for cell in cells:
            robot = self.face(cell, cells, in_line)
            if dice.random() < 0.5:
                robot["checkpoint"] = dice.randrange(last)
            if dice.random() < 0.3:
                robot["energy"] = dice.randint(0, 9)
            robots.append(robot)
        return robots

    def robot_cell(self, cells, tokens, checkpoints, far):
        """A cell for the next robot: one of the `far` ones, or beside a robot or checkpoint, or any."""
        dice = self.dice
        keep_off = list(cells)
        if self.map.get("moving_checkpoints"):  # whether one that falls with a checkpoint may be put down on it is open
            keep_off += [cell_of(spot) for spot in self.map["checkpoints"]]
        free = self.spot(keep_off, {"belt", "panel"} if dice.random() < 0.5 else None)
        wishes = [neighbour(cell, side) for cell in cells for side in CLOCKWISE]
        wishes += [neighbour(cell, side) for cell in checkpoints for side in CLOCKWISE]
        if far:
            wishes = far
        elif dice.random() < 0.3:
            wishes = list(tokens)
        dice.shuffle(wishes)
        for wish in wishes:
            if self.can_stand(wish, keep_off) and dice.random() < 0.7:
                return wish
        return free
