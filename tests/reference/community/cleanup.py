"""End of turn effects: radiation, repairs, registers, power, re-entry.

Conventions beyond the rulings:

- Several checkpoints on one cell repair one point together.
- Robots re-enter in the last turn order of the round; one that a button destroys meanwhile re-enters after the others.
- A robot that is off the board when a register begins has its place in the turn order behind the others, by seat,
  unless the file's order, or its list of robots for want of an antenna, names it.
"""

from tests.reference.board import cell_of, clockwise_from
from tests.reference.race import REGISTERS


class CleanUp:
    """What a race does after the fifth register."""

    def clean_up(self):
        """In the order of the rulebook."""
        for robot in self.robots:
            if robot.cell in self.board.radiation:
                self.deal(robot)
        self.settle_virtual()
        for robot in self.robots:
            self.repair(robot)
        for robot in self.robots:
            self.wipe_registers(robot)
            robot.powered_down = robot.announced
            robot.announced = False
            robot.stomped = 0
        self.reenter_robots()

    def repair(self, robot):
        """Repair sites repair one point or two, a checkpoint one."""
        if robot.is_on_board:
            robot.repair(self.board.repairs.get(robot.cell, 0))
            if robot.cell in self.board.checkpoints.values():
                robot.repair(1)

    def wipe_registers(self, robot):
        """Cards in registers that are not locked go to the discard pile."""
        for register in REGISTERS:
            if not robot.is_locked(register):
                robot.discard_register(register)

    def reenter_robots(self):
        """All robots that were destroyed in this round come back."""
        while True:
            waiting = [robot for robot in self.order if not robot.is_on_board and not robot.has_finished]
            if not waiting:
                return
            for robot in waiting:
                self.reenter(robot)

    def reenter(self, robot):
        """At the entry point, facing anywhere, with two damage; virtual where another robot stands."""
        token = self.board.token_for(robot.fell_at)
        robot.cell, arrow = (cell_of(token), token["facing"]) if token else (robot.start, self.board.start_facing)
        robot.virtual = any(other.cell == robot.cell for other in self.robots if other is not robot)
        robot.damage = 0 if "firewall" in robot.upgrades else robot.damage_at_reentry
        robot.powered_down = False  # what was announced lapsed, though it was down already when a button destroyed it
        robot.facing = self.answers.ask(robot, "reboot_facing", clockwise_from("N"), arrow)
        self.press(robot.cell)
