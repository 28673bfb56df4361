"""Steps and pushes over heights, with the upgrades that change them.

Conventions beyond the rulings:

- Only who could be pushed on level ground is met: Side Arms reach no robot across a ledge or on another level.
- What a push deals by Ramming Gear comes after the step's falls and buttons.
- A move out of a puddle that the card cannot pay for does nothing, and no upgrade for it is asked; the Teleporter
  starts with one step fewer there; Crab Legs are three steps of a card.
- A robot that hovers over a pit takes the damage of the ledge that it came down.
"""

from tests.reference.board import left_of, neighbour, right_of
from tests.reference.e2016.moving import Moving as Moving2016


class Moving(Moving2016):
    """How the robots of a race move."""

    # ---- One card, or one Boink -----------------------------------------------------------------------------------

    def end_card(self):
        """Robots that hover over a pit fall (Hover Unit)."""
        for robot in self.order:
            if robot.cell in self.board.pits:
                self.destroy(robot)
        self.settle_virtual()

    def move_one(self, robot):
        """A Move 1, which Brakes and Crab Legs may change; out of a puddle it is nothing."""
        if robot.cell not in self.board.puddles:
            super().move_one(robot)

    def walk_as_a_crab(self, robot, side):
        """Crab Legs: ahead, aside, ahead, each an ordinary step; a blocked one ends the move, a puddle shortens it."""
        aside = left_of(robot.facing) if side == "left" else right_of(robot.facing)
        left = 3
        for direction in (robot.facing, aside, robot.facing):
            left -= 2 if robot.cell in self.board.puddles else 1
            if left < 0 or robot.rebooted or not self.step(robot, direction):
                return

    def move(self, robot, direction, steps):
        """Up to `steps` steps; one out of a puddle costs two (Puddle). The first that is stopped ends the move."""
        wet = robot.cell in self.board.puddles
        if steps > wet and self.teleports(robot, direction, steps - wet):
            return
        while steps > 0 and not robot.rebooted:
            steps -= 2 if robot.cell in self.board.puddles else 1
            if steps < 0 or not self.step(robot, direction):
                return

    def teleports(self, robot, direction, steps):
        """Teleporter: for one energy straight to the last cell; a real robot there changes places."""
        left = cell = robot.cell
        for _ in range(steps):
            cell = neighbour(cell, direction)
        if not robot.can_use("teleporter") or robot.energy < 1:
            return False
        if self.board.is_deadly(cell) or cell == self.board.antenna or not self.agrees(robot, "teleporter"):
            return False
        robot.energy -= 1
        other = None if robot.virtual else self.robot_at(cell)
        robot.cell = cell
        moved = [(robot, 0)]
        if other is not None:
            other.cell = left
            moved.append((other, 0))
        self.land(moved)
        return True

    def step(self, robot, direction):
        """One step of a robot by its own card or Boink (R10); returns whether it was made."""
        met = self.robot_ahead(robot, direction)
        aside = self.choose_side(robot, direction, met)
        line = self.line_of_push(robot, direction)
        if aside is not None:
            self.act_goes_on = True  # R17a: who shares a cell with the pushed robot shares it with this one then
            self.shift(self.line_of_push(met, aside), aside, may_hover=True)
            self.act_goes_on = False
            line = self.line_of_push(robot, direction) if not robot.rebooted else None
            if line is not None:
                self.shift(line, direction, may_hover=True)
            self.settle_virtual()
        elif line is not None:
            self.shift(line, direction, may_hover=True)
        else:
            return False
        if met is not None and met not in self.touched:
            self.touched.add(met)
            self.push_effects(robot, met)
        return True

    def push(self, robot, direction):
        """A robot is pushed by a pusher or a weapon, with every robot in line; returns whether it could be."""
        line = self.line_of_push(robot, direction)
        if line is None:
            return False
        self.shift(line, direction)
        return True

    # ---- Lines of robots ------------------------------------------------------------------------------------------

    def robot_ahead(self, robot, direction):
        """The robot in the next cell that this one would push, if anything lets it go: on the same level, no wall."""
        if robot.virtual or self.board.drop(robot.cell, direction) != 0:
            return None
        ahead = self.robot_at(neighbour(robot.cell, direction))
        if ahead is not None and self.board.level_of(ahead.cell) != self.board.level_of(robot.cell):
            return None
        return ahead

    def line_of_push(self, robot, direction):
        """The robots that one step of this one moves, itself first; None where it is stopped.

        Stopped by walls, by ledges from below, by a robot at the foot of a ledge or on another level. A virtual robot
        moves alone.
        """
        line = [robot]
        while True:
            last = line[-1]
            levels = self.board.drop(last.cell, direction)
            if levels is None:
                return None
            ahead = self.robot_at(neighbour(last.cell, direction))
            if ahead is None or robot.virtual:
                return line
            if levels > 0 or self.board.level_of(ahead.cell) != self.board.level_of(last.cell):
                return None
            line.append(ahead)

    def shift(self, line, direction, may_hover=False):
        """Moves the whole line by one cell (R17a), with all that comes of it. Nobody is left to be rebooted."""
        steps = [(robot, self.board.drop(robot.cell, direction)) for robot in reversed(line)]
        for robot in line:
            robot.move_to(neighbour(robot.cell, direction))
        self.land(steps, may_hover)
        return []

    # ---- Upgrades upon a push -------------------------------------------------------------------------------------

    def push_effects(self, robot, pushed):
        """What upgrades do to a robot that was touched and moved (R45)."""
        if robot.virtual or robot.rebooted:
            return
        cards = list(robot.upgrades)  # as they are now: what Modular Chassis brings does not count yet
        if "modular_chassis" in cards:
            self.exchange_chassis(robot, pushed)
        if "ramming_gear" in cards:
            self.deal(pushed)
            self.settle_virtual()
