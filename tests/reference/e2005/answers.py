"""The answers of the players of 2005: what is a legal program where two cards may share a register."""

from tests.reference.answers import Answers as AnyAnswers
from tests.reference.answers import all_are_in

from .cards import action_of, cards_in, in_order, may_share_register


class Answers(AnyAnswers):
    """What the players say; a program may name cards without their numbers."""

    def next_choice(self, robot, decision, legal, default):
        """The next in the queue, else the default; a program as it lies in the registers."""
        choice = super().next_choice(robot, decision, legal, default)
        return legal.as_placed(choice) if isinstance(legal, Programs) else choice


class Programs:
    """The legal programs: a card of the hand (or two, with the options for it) for each open register."""

    def __init__(self, hand, open_registers, options, needed=None):
        self.hand = hand
        self.open_registers = open_registers
        self.options = options
        self.needed = set(open_registers if needed is None else needed)  # what may not stay empty while cards are left

    def __contains__(self, program):
        if not isinstance(program, list) or len(program) != 5:
            return False
        placed = {register: cards_in(entry) for register, entry in enumerate(program, start=1) if entry is not None}
        if not set(placed) <= set(self.open_registers):
            return False
        if not all(may_share_register(cards, self.options) for cards in placed.values()):
            return False
        cards = [card for pair in placed.values() for card in pair]
        is_full = self.needed <= set(placed) or len(cards) == len(self.hand)
        return is_full and all_are_in(cards, self.hand)

    def as_placed(self, program):
        """Five entries, the cards by their names in the hand, the Move card of two first.

        A program may be as short as there are open registers. A card without its number is the first in the hand that
        is left when those with numbers are taken.
        """
        if len(program) != 5 and len(program) == len(self.open_registers):
            given = dict(zip(self.open_registers, program, strict=True))
            program = [given.get(register) for register in range(1, 6)]
        left = list(self.hand)
        placed = [cards_in(entry) for entry in program]
        for numbered in (True, False):
            for cards in placed:
                for place, card in enumerate(cards):
                    fits = [own for own in left if card in ((own,) if numbered else (own, action_of(own)))]
                    if (":" in card) == numbered and fits:
                        cards[place] = fits[0]
                        left.remove(fits[0])
        return [in_order("+".join(cards)) if cards else None for cards in placed]

    def first_cards(self):
        """The default: the first cards of the hand in the open registers."""
        cards = iter(self.hand)
        return [next(cards, None) if register in self.open_registers else None for register in range(1, 6)]

    def at_random(self, dice):
        """Some legal program, with pairs now and then."""
        program = self.first_cards_of(dice.sample(self.hand, len(self.hand)))
        spare = [card for card in self.hand if card not in program]
        for place, card in enumerate(program):
            for other in list(spare):
                if card is not None and may_share_register([card, other], self.options) and dice.random() < 0.25:
                    program[place] = f"{card}+{other}"
                    spare.remove(other)
                    break
        return program

    def first_cards_of(self, cards):
        """These cards, in their order, in the open registers."""
        return Programs(cards, self.open_registers, self.options).first_cards()
