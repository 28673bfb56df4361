"""What is a legal program where two cards may share a register."""

from tests.reference.answers import all_are_in

from .cards import may_share_register


class Programs:
    """The legal programs: a card of the hand (or two, with the options for it) for each open register, else null."""

    def __init__(self, hand, open_registers, options):
        self.hand = hand
        self.open_registers = open_registers
        self.options = options

    def __contains__(self, program):
        if not isinstance(program, list) or len(program) != 5:
            return False
        cards = []
        for register, entry in enumerate(program, start=1):
            if register not in self.open_registers:
                if entry is not None:
                    return False
                continue
            if entry is None or not may_share_register(entry.split("+"), self.options):
                return False
            cards += entry.split("+")
        return all_are_in(cards, self.hand)

    def first_cards(self):
        """The default: the first cards of the hand in the open registers."""
        cards = iter(self.hand)
        return [next(cards) if register in self.open_registers else None for register in range(1, 6)]

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
