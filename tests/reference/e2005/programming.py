"""1. Deal Program Cards, 2. Program Registers, 3. Announce Power Down.

Conventions beyond the rulings:

- A robot with a card in an unlocked register is programmed already: it is dealt no hand.
- The deal fills the hands that the scenario names, robot by robot in dock order.
- First each may Recompile and take the Flywheel's card, then all program, then each has Conditional Program and
  Flywheel, in dock order. A register that the damage of Recompile locks is programmed once more.
- A program names null for a locked register; where that holds no card it may name one.
"""

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.race import REGISTERS

from .answers import Programs
from .cards import cards_in
from .robot import DESTRUCTION


class Programming:
    """What a race does before its registers."""

    def begin_turn(self):
        """Nothing of the last turn is left; powered-down robots discard their damage and the cards of their registers.

        A scenario begins after that.
        """
        if self.round == 1:
            return
        self.destroyed_last_turn, self.destroyed_this_turn = self.destroyed_this_turn, []
        for robot in self.robots:
            robot.begin_turn()
            if robot.powered_down:
                robot.repair(robot.damage)
                self.wipe_registers(robot)
        self.unknown += self.discard  # shuffled into the deck, below what is known of it
        self.discard = []

    def deal_program_cards(self):
        """Nine cards, one fewer for each damage token, one more with Extra Memory; then Recompile."""
        for robot in self.who_program():
            size = max(0, 9 - robot.damage) + robot.has("extra_memory")
            self.draw_hand(robot, size)
        for robot in self.who_program():
            if robot.has("recompile") and robot.hand and self.agrees(robot, "recompile"):
                self.recompile(robot)
            if robot.flywheel_card is not None and not robot.is_destroyed and self.agrees(robot, "flywheel"):
                robot.hand.append(robot.flywheel_card)
                robot.flywheel_card = None

    def draw_hand(self, robot, size):
        """Draws until the hand has `size` cards."""
        while len(robot.hand) < size:
            robot.hand.append(self.draw_card())

    def recompile(self, robot):
        """Recompile: a new hand of the same size for one damage token."""
        size = len(robot.hand)
        self.discard += robot.hand
        robot.hand = []
        self.draw_hand(robot, size)
        self.deal_damage(robot)
        if robot.damage >= DESTRUCTION:
            self.destroy(robot)
            self.discard += robot.hand
            robot.hand = []

    def who_program(self):
        """The robots that get and program Program cards in this turn."""
        return [robot for robot in self.robots if robot.is_running and not self.is_programmed(robot)]

    def is_programmed(self, robot):
        """Has the scenario put cards into its open registers?"""
        return any(robot.registers[register] and not robot.is_locked(register) for register in REGISTERS)

    def program_registers(self):
        """The players choose their cards and put some aside; the others are discarded."""
        self.caught = set()  # the players who left a register to the timer
        for robot in self.who_program():
            self.choose_program(robot)
        if len(self.caught) > 1 and not self.has_timers:
            raise BadScenario("the timer catches one player")
        for robot in self.robots:
            if robot.has("conditional_program") and robot.hand:
                robot.conditional_card = self.put_aside(robot, "conditional_program")
            if robot.has("flywheel") and robot.flywheel_card is None and robot.hand:
                robot.flywheel_card = self.put_aside(robot, "flywheel")
        for robot in self.robots:
            self.discard += robot.hand
            robot.hand = []

    def choose_program(self, robot):
        """Asks for a card of the hand for each register that is empty."""
        open_registers = [register for register in REGISTERS if robot.registers[register] is None]
        if not open_registers:
            return
        timer = self.rules["timer"] or self.has_timers
        needed = [register for register in open_registers if not (timer or robot.is_locked(register))]
        legal = Programs(robot.hand, open_registers, robot.options, needed)
        program = self.answers.ask(robot, "program", legal, legal.first_cards())
        for register in open_registers:
            robot.set_register(register, program[register - 1])
            for card in cards_in(program[register - 1]):
                robot.hand.remove(card)
        for register in open_registers:
            if robot.registers[register] is None and robot.hand and timer:
                self.caught.add(self.player_of(robot))
                self.fill_at_random(robot, register)

    def player_of(self, robot):
        """Of racers and blockers a player has two."""
        return robot.index // 2 if "racers_and_blockers" in self.special_rules else robot.index

    def fill_at_random(self, robot, register):
        """The timer ran out: one of the unused cards, drawn at random; the scenario names it in `laid`."""
        cards = [card for *touch, card in self.placed_by_timer if touch == [self.round, register, robot.index]]
        if not cards:
            raise NeedsChance(f"robot {robot.index} is programmed at random")
        if cards[0] not in robot.hand:
            raise BadScenario(f"{cards[0]} is no unused card of robot {robot.index}")
        robot.set_register(register, cards[0])
        robot.hand.remove(cards[0])

    def put_aside(self, robot, option):
        """A left-over card may be put on an Option card."""
        choice = self.answers.ask(robot, option, ["no", *robot.hand])
        if choice == "no":
            return None
        robot.hand.remove(choice)
        return choice

    def announce_power_down(self):
        """A player with a damaged robot may choose to power down in the next turn (R60)."""
        if "no_power_down" in self.special_rules:
            return
        for robot in self.robots:
            if robot.is_running and robot.damage > 0:
                robot.will_power_down = self.agrees(robot, "power_down")
