"""E. Touch flags and repair sites.

Conventions beyond the rulings:

- With a Mechanical Arm the robot touches one space: that of a flag that counts, if in reach; else the space where it
  would be repaired best; of several the own one, then by rows. A diagonal neighbour is in reach unless walls bar both
  ways round the corner.
- Robots touch in priority order; the winner is named when all have.
"""

from tests.reference.board import spaces_around


class Touching:
    """How the robots of a race touch flags and repair sites."""

    def touch(self):
        """Each robot on a flag or repair site moves its Archive marker there; the next flag in order counts."""
        due = {robot: self.flags_due(robot) for robot in self.robots}
        for robot in self.order:
            robot.touched = None
            if robot.is_destroyed:
                continue
            counting = self.flags_to_claim(robot) if "claims" in self.special_rules else due[robot]
            robot.touched = self.space_touched(robot, counting)
            if robot.touched is not None:
                robot.archive = robot.touched
                for number in self.board.flags_on(robot.touched):
                    if number in counting:
                        self.count_flag(robot, number)
        self.name_winner()

    def space_touched(self, robot, counting):
        """The space of the flag or repair site that the robot touches, or None."""
        in_reach = self.spaces_in_reach(robot)
        for cell in in_reach:
            if set(counting) & set(self.board.flags_on(cell)):
                return cell
        best = max(in_reach, key=self.board.repair_level)  # the first of equals
        return best if self.board.repair_level(best) else None

    def spaces_in_reach(self, robot):
        """The robot's own space first; with a Mechanical Arm those around it without a wall between."""
        cells = [robot.cell]
        if robot.has("mechanical_arm"):
            around = [cell for cell in spaces_around(robot.cell) if self.board.has(cell)]
            cells += [cell for cell in around if not self.board.has_wall_between(robot.cell, cell)]
        return cells
