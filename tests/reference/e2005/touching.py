"""E. Touch flags and repair sites.

Conventions beyond the rulings:

- With a Mechanical Arm the robot touches one space: that of a flag that counts, if in reach; else the space where it
  would be repaired best; of several the own one, then by rows. A diagonal neighbour is in reach unless walls bar both
  ways round the corner.
- Robots touch in priority order; the winner is named when all have.
"""

from tests.reference.board import spaces_around

from .board import SINGLE_WRENCH


class Touching:
    """How the robots of a race touch flags and repair sites."""

    def touch(self):
        """Each robot on a flag or repair site moves its Archive marker there; the next flag in order counts."""
        due = {robot: self.flags_due(robot) for robot in self.robots}
        for robot in self.order:
            robot.touched = None
            if not robot.is_on_board:
                continue
            counting = self.flags_to_claim(robot) if "claims" in self.special_rules else due[robot]
            robot.touched = self.space_touched(robot, counting)
            if robot.touched is not None:
                robot.archive = robot.touched
                for number in self.flags_for(robot, robot.touched):
                    self.touch_flag(robot, number, number in counting)
        self.name_winner()
        self.turn_boards()

    def space_touched(self, robot, counting):
        """The space of the flag or repair site that the robot touches, or None."""
        in_reach = self.spaces_in_reach(robot)
        for cell in in_reach:
            if set(counting) & set(self.flags_for(robot, cell)):
                return cell
        best = max(in_reach, key=lambda cell: self.repair_level(robot, cell))  # the first of equals
        return best if self.repair_level(robot, best) else None

    def repair_level(self, robot, cell):
        """What a robot finds here at the end of the turn: 0, or the level; a flag is as a single wrench (R60)."""
        return max(self.board.sites.get(cell, 0), SINGLE_WRENCH if self.flags_for(robot, cell) else 0)

    def spaces_in_reach(self, robot):
        """The robot's own space first; with a Mechanical Arm those around it without a wall between."""
        cells = [robot.cell]
        if robot.has("mechanical_arm"):
            around = [cell for cell in spaces_around(robot.cell) if self.board.has(cell)]
            cells += [cell for cell in around if not self.board.has_wall_between(robot.cell, cell)]
        return cells
