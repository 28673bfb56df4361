"""Damage tokens, destruction, virtual mode.

Conventions beyond the rulings:

- A robot that is destroyed by its fall down a ledge has entered the cell, so it presses the button there.
- A virtual robot is real again as soon as it is alone: when a step was made and its falls were paid for, before buttons
  act, and when robots left the board otherwise.
"""

from tests.reference.board import opposite

from .robot import DESTRUCTION


class Damage:
    """How the robots of a race are damaged and destroyed."""

    act_goes_on = False  # a step with Side Arms is one act: meanwhile no virtual robot becomes real

    def deal(self, robot, kind="spam", on_top=False):
        """One damage token; the tenth destroys at once. Virtual robots and those off the board take none."""
        if not robot.is_on_board or robot.virtual:
            return
        robot.damage += 1
        if robot.damage == DESTRUCTION:
            self.destroy(robot)

    def deal_tokens(self, robot, count):
        """So many tokens, one by one."""
        for _ in range(count):
            self.deal(robot)

    def destroy(self, robot):
        """Off the board for the rest of the round; hand and all registers go to the discard pile."""
        self.take_off(robot)
        robot.facing = None
        robot.rebooted = True
        robot.reboots += 1
        robot.virtual = False
        robot.announced = False
        robot.stomped = 0
        robot.cancel_programming()

    def reboot(self, robot, chain, spam=True):
        """Reboot, the upgrade: destroyed, but back without damage."""
        robot.damage_at_reentry = 0
        self.destroy(robot)
        self.settle_virtual()

    # ---- The end of a step ----------------------------------------------------------------------------------------

    def land(self, steps, may_hover=False):
        """What follows when robots have entered their cells: falls, then who is real again, then buttons.

        `steps` are (robot, levels that it went down), far end first.
        """
        entered = [robot.cell for robot, _ in steps if not self.falls(robot, may_hover)]
        for robot, levels in steps:
            if self.falls(robot, may_hover):
                self.destroy(robot)
            else:
                self.deal_tokens(robot, 2 * levels)
        self.settle_virtual()
        for cell in entered:
            self.press(cell)
        self.settle_virtual()

    def press(self, cell):
        """A button toggles its ramps; who stands on one that is switched off takes one damage."""
        board = self.board
        for ramp in board.buttons.get(cell, []):
            if ramp in board.ramps_on:
                board.ramps_on.remove(ramp)
                rider = self.robot_at(ramp)
                if rider is not None:
                    self.deal(rider)
            else:
                board.ramps_on.add(ramp)

    def settle_virtual(self):
        """Virtual robots that share their cell with nobody are real again, at the end of an act."""
        if self.act_goes_on:
            return
        standing = [robot.cell for robot in self.robots if robot.is_on_board]
        for robot in self.robots:
            if robot.virtual and standing.count(robot.cell) == 1:
                robot.virtual = False

    # ---- Who is where ---------------------------------------------------------------------------------------------

    def robot_at(self, cell):
        """The real robot that stands on the cell, or None."""
        for robot in self.robots:
            if robot.is_on_board and robot.cell == cell and not robot.virtual:
                return robot
        return None

    def foot_of(self, cell):
        """The direction in which a robot slides off the ramp on this cell; None where there is none, or it is off."""
        if cell not in self.board.ramps_on:
            return None
        return opposite(self.board.ramps[cell]["up"])
