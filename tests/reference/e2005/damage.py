"""Damage tokens and destruction.

Conventions beyond the rulings:

- A robot with ten tokens receives no more, and is asked for no option any more.
- A register that becomes locked while the robot is powered down is programmed from the deck if it is empty.
"""

from .cards import VALUE
from .robot import DESTRUCTION

COAT_TOKENS = 3


class Damage:
    """How the robots of a race are damaged and destroyed."""

    def deal_damage(self, robot, side=None):
        """One token, from that side of the robot's space, if from any (R61)."""
        if robot.is_destroyed or robot.damage >= DESTRUCTION:
            return
        if robot.has("ablative_coat"):
            self.put_on_coat(robot)
        elif self.shield_stops(robot, side):
            robot.shielded.add(side)
        elif not self.option_takes_it(robot):
            self.put_token(robot)

    def put_token(self, robot):
        """One more on the Program Sheet; it may lock a register."""
        before = robot.locked_registers()
        robot.damage += 1
        if robot.damage < DESTRUCTION:
            for register in robot.locked_registers() - before:
                self.program_at_random(robot, register)

    def put_on_coat(self, robot):
        """Ablative Coat: with the third token it is discarded."""
        robot.coat_tokens += 1
        if robot.coat_tokens == COAT_TOKENS:
            self.discard_option(robot, "ablative_coat")

    def shield_stops(self, robot, side):
        """Power-Down Shield: one token from each side in each phase, while powered down."""
        return robot.has("power_down_shield") and robot.powered_down and side is not None and side not in robot.shielded

    def option_takes_it(self, robot):
        """The player may discard an option in place of the token."""
        if not robot.options:
            return False
        choice = self.answers.ask(robot, "option_for_damage", ["no", *sorted(robot.options)])
        if choice != "no":
            self.discard_option(robot, choice)
        return choice != "no"

    def program_at_random(self, robot, register):
        """A register that becomes locked during a power-down gets the top card of the deck."""
        if robot.powered_down and robot.registers[register] is None:
            robot.set_register(register, self.draw_card())

    def discard_option(self, robot, name):
        """An option goes to the discards, and a Program card that lies on it too."""
        robot.options.remove(name)
        self.option_discards.append(name)
        if name == "conditional_program" and robot.conditional_card is not None:
            self.discard.append(robot.conditional_card)
            robot.conditional_card = None
        if name == "flywheel" and robot.flywheel_card is not None:
            self.discard.append(robot.flywheel_card)
            robot.flywheel_card = None

    def destroy(self, robot):
        """Off the board at once; an option and a Life token are lost."""
        self.drop_flags(robot)
        robot.cell = None
        robot.facing = None
        robot.is_destroyed = True
        robot.controller = None
        self.destroyed_this_turn.append(robot)
        self.end_radio_control(robot)
        if robot.options:
            names = sorted(robot.options)
            least = min(names, key=lambda name: (VALUE[name], name))  # the documented default
            lost = self.answers.ask(robot, "option_lost", names, least) if len(names) > 1 else least
            self.discard_option(robot, lost)
        robot.lives -= 1
        self.pass_superbot_on(robot)

    def end_radio_control(self, shooter):
        """It ends when the shooter is destroyed; those whom it controlled have their own places in the order again."""
        controlled = [robot for robot in self.robots if robot.controller is shooter]
        for robot in controlled:
            robot.controller = None
        if controlled:
            self.order = self.priority_order()
