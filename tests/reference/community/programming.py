"""Upgrade phase, programming phase, announcement of power downs.

Conventions beyond the rulings:

- A robot with a card in an open register is programmed already: it draws no hand and programs nothing.
- A program names null for a locked register, or only the cards of the open ones. Where all registers are locked
  nothing is asked.
- Powered-down robots are not asked for the upgrades of the programming phase.
"""

from tests.reference.answers import Pick
from tests.reference.e2016.programming import HAND_UPGRADES
from tests.reference.e2016.programming import Programming as Programming2016
from tests.reference.errors import NeedsChance
from tests.reference.race import REGISTERS

from .answers import Programs


class Programming(Programming2016):
    """What a race does before its registers."""

    def begin_power_downs(self):
        """Powered-down robots discard their damage, and the cards of all their registers."""
        for robot in self.robots:
            if robot.powered_down:
                robot.damage = 0
                for register in REGISTERS:
                    robot.discard_register(register)
                robot.discard_hand()

    def who_buy(self):
        """Robots that are past the last checkpoint buy nothing any more."""
        return [robot for robot in super().who_buy() if robot.is_on_board]

    def program(self):
        """Hands, upgrades upon them, programs; then power downs are announced, and what is left of the hands goes."""
        order = [robot for robot in self.phase_order or self.measured_order() if robot.plays]
        for robot in self.robots:
            if robot.plays and not robot.is_programmed:
                self.deal_hand(robot)
        for robot in order:
            self.use_again_and_again(robot, HAND_UPGRADES)
        for robot in self.robots:
            if robot.plays and not robot.is_programmed:
                self.choose_program(robot)
        for robot in order:
            self.cache_what_is_left(robot)
        self.announce_power_downs()
        for robot in self.robots:
            robot.discard_hand()

    def deal_hand(self, robot):
        """Locked registers without a card get the top cards, in ascending order; then the hand is drawn."""
        for register in REGISTERS:
            if robot.is_locked(register) and robot.registers[register] is None:
                robot.registers[register] = robot.draw_card()
        robot.draw_up_to(robot.hand_size())

    def choose_program(self, robot):
        """Asks for a card of the hand for each open register."""
        open_registers = robot.open_registers()
        if not open_registers:
            return
        legal = Programs(robot.hand, open_registers, self.rules["timer"])
        program = self.answers.ask(robot, "program", legal, legal.first_cards)
        for register in open_registers:
            card = program[register - 1]
            if card is not None:
                robot.hand.remove(card)
                robot.registers[register] = card
        for register in open_registers:
            self.fill_at_random(robot, register)

    def fill_at_random(self, robot, register):
        """The timer ran out: an empty register gets a random card of the hand (C19)."""
        cards = {card for card in robot.hand if Programs(robot.hand, [register]).may_lie(register, card)}
        if robot.registers[register] is None and cards:
            if len(cards) > 1:
                raise NeedsChance(f"robot {robot.index} is programmed at random")
            robot.registers[register] = cards.pop()
            robot.hand.remove(robot.registers[register])

    def choices_of_cache_memory(self, robot):
        """Any cards, as long as enough are left to program the open registers."""
        keep = 0 if robot.is_programmed else len(robot.open_registers())
        most = len(robot.hand) - keep
        return Pick(robot.hand, 1, most) if most > 0 else None

    def announce_power_downs(self):
        """Each player may announce that the robot powers down after this round."""
        for robot in self.robots:
            if robot.is_on_board:
                robot.announced = self.agrees(robot, "power_down")
