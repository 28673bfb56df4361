"""A robot's turn in a register: as in 2016, without damage cards, with Heal Routine."""

from tests.reference.e2016.actions import Actions as Actions2016


class Actions(Actions2016):
    """What the cards of a race do."""

    def carry_out(self, robot, action):
        """Heal Routine removes a damage point; all else as in 2016."""
        if action == "heal_routine":
            robot.repair(1)
        else:
            super().carry_out(robot, action)
