"""The answers of the players; here: what is a legal program where registers may be locked."""

from tests.reference.answers import Answers as Answers2016
from tests.reference.answers import all_are_in
from tests.reference.e2016.cards import AGAINS


class Answers(Answers2016):
    """What the players say; a program may be as short as there are open registers."""

    def next_choice(self, robot, decision, legal, default):
        """The next in the queue, else the default; a program in five entries."""
        choice = super().next_choice(robot, decision, legal, default)
        return legal.in_five(choice) if isinstance(legal, Programs) else choice


class Programs:
    """The legal programs: a card of the hand for each open register, null for each locked one.

    The card for register one is no Again while the hand has another card. With the `timer` rule an open register may
    be named null: the timer ran out.
    """

    def __init__(self, hand, open_registers, timer=False):
        self.hand = hand
        self.timer = timer
        self.open_registers = open_registers

    def __contains__(self, program):
        if not isinstance(program, list) or len(program) != 5:
            return False
        for register, card in enumerate(program, start=1):
            is_open = register in self.open_registers
            if (card is None and is_open and not self.timer) or (card is not None and not is_open):
                return False
        if program[0] in AGAINS and not all(card in AGAINS for card in self.hand):
            return False
        return all_are_in([card for card in program if card is not None], self.hand)

    def in_five(self, program):
        """A program that names only the cards of the open registers, with null for the others."""
        if len(program) == 5 or len(program) != len(self.open_registers):
            return program
        cards = dict(zip(self.open_registers, program, strict=True))
        return [cards.get(register) for register in range(1, 6)]

    def may_lie(self, register, card):
        """Again not in register one, unless there is nothing else."""
        return register > 1 or card not in AGAINS or all(other in AGAINS for other in self.hand)

    def first_cards(self):
        """The default: the first cards of the hand; one that may not be placed is replaced by the next free one."""
        slots = {}
        for place, register in enumerate(self.open_registers):
            for step in range(len(self.hand)):
                slot = (place + step) % len(self.hand)
                if slot not in slots.values() and self.may_lie(register, self.hand[slot]):
                    slots[register] = slot
                    break
        return [self.hand[slots[register]] if register in slots else None for register in range(1, 6)]

    def at_random(self, dice):
        """Some legal program."""
        return Programs(dice.sample(self.hand, len(self.hand)), self.open_registers).first_cards()
