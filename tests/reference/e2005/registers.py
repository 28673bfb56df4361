"""A. Reveal Program Cards, and what is announced before.

Conventions beyond the rulings:

- Conditional Program replaces a card that lies in an unlocked register, as it is asked register by register. It and
  Abort Switch are for robots that execute their own cards: not powered down, not under Radio Control.
- Gyroscopic Stabilizer is asked of powered-down robots too.
- The priority numbers are those of the cards before an Abort Switch replaces them.
"""


class Registers:
    """How a register phase begins."""

    def announce_options(self):
        """Conditional Program, and before the first register the Gyroscopic Stabilizer."""
        for robot in self.robots:
            if robot.conditional_card is not None and self.can_replace(robot):
                if self.agrees(robot, "conditional_program"):
                    self.discard_register(robot, self.register)
                    robot.set_register(self.register, robot.conditional_card)
                    robot.conditional_card = None
        if self.register == 1:
            for robot in self.robots:
                if robot.has("gyroscopic_stabilizer") and not robot.is_destroyed:
                    robot.gyroscope_is_on = self.agrees(robot, "gyroscopic_stabilizer")

    def reveal_program_cards(self):
        """The priority of the register; then Abort Switch, and what follows from one in an earlier register."""
        self.order = self.priority_order()
        for robot in self.robots:
            if not self.can_replace(robot):
                continue
            if not robot.aborted and robot.has("abort_switch"):
                robot.aborted = self.agrees(robot, "abort_switch")
            if robot.aborted:
                self.replace_card(robot, self.register)

    def priority_order(self):
        """The robots by priority, those under Radio Control right after their controllers, in dock order."""
        order = []
        for robot in self.order_by_number():
            if robot.controller is None:
                order.append(robot)
                order += [other for other in self.robots if other.controller is robot]
        return order

    def order_by_number(self):
        """The highest number first; robots without one last, in list order; or as the scenario says."""
        if self.fixed_order is not None:
            return [self.robots[index] for index in self.fixed_order]
        return sorted(self.robots, key=lambda robot: -(robot.numbers[self.register] or 0) if robot.is_running else 0)

    def can_replace(self, robot):
        """Has it a card of its own in this register that an option may replace?"""
        return (
            robot.is_running
            and robot.controller is None
            and robot.registers[self.register] is not None
            and not robot.is_locked(self.register)
        )

    def replace_card(self, robot, register):
        """The top card of the deck takes the place of a card, and of its priority number (R65)."""
        card = self.draw_card()
        self.discard_register(robot, register)
        robot.registers[register] = card
