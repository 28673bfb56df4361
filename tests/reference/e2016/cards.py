"""Robots with their cards and upgrades, and the box of damage cards."""

from copy import copy as shallow_copy

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.race import Robot as AnyRobot

PROGRAMMING_DECK = {
    "move_1": 5,
    "move_2": 3,
    "move_3": 1,
    "turn_right": 3,
    "turn_left": 3,
    "u_turn": 1,
    "back_up": 1,
    "power_up": 1,
    "again": 2,
}

DAMAGE_BOX = {"spam": 38, "worm": 6, "virus": 18, "trojan_horse": 12}

# Beyond the twenty, from the routines among the upgrades.
SPECIAL_CARDS = [
    "energy_routine",
    "weasel_routine",
    "spam_folder",
    "sandbox_routine",
    "speed_routine",
    "repeat_routine",
]

AGAINS = ("again", "repeat_routine")  # Repeat Routine is as Again everywhere (R51)

DAMAGE_IN_ORDER_OF_CHOICE = ["trojan_horse", "virus", "worm", "spam"]  # R27


class Robot(AnyRobot):
    """A robot, its player mat and its piles. Lists of cards are in the order in which they are drawn."""

    def __init__(self, index, entry, may_have_specials):
        super().__init__(index, entry)
        self.may_have_specials = may_have_specials
        self.start = self.cell
        self.fell_at = None  # the cell that it was last on: its board's reboot token is the robot's
        self.rebooted = False
        self.reboots = 0  # how often it has rebooted so far
        self.shield_is_up = False  # Deflector Shield, this register
        self.upgrades = []  # by name, in the order in which they came
        self.used = set()  # upgrades of its own that are for once a round, and were used in this one
        self.taken = dict.fromkeys(DAMAGE_BOX, 0)

        self.is_programmed = entry.get("registers") is not None
        self.drawn_upon = {register: [] for register in range(1, 6)}  # cards drawn for an Again (R25)
        self.held = {}  # register -> the card that lay there when the register began (R25a)
        self.done = {}  # register -> the action that was carried out in it (R24)
        self.refreshed = None  # the card that Refresh has made of the register's
        self.latest = 0  # the last register that this robot has started

        self.draw_pile = list(entry.get("draw", []))
        self.discard = list(entry.get("discard", []))
        self.unknown = self.unnamed_cards()  # these lie below the known cards of the draw pile, nobody knows how

    def all_named_cards(self):
        """Every card that the scenario names for this robot."""
        return [card for card in self.registers.values() if card] + self.hand + self.draw_pile + self.discard

    def unnamed_cards(self):
        """The cards of the twenty that the scenario does not name."""
        left = [card for card, count in PROGRAMMING_DECK.items() for _ in range(count)]
        for card in self.all_named_cards():
            if card in left:
                left.remove(card)
            elif card not in PROGRAMMING_DECK and not self.is_beside_the_deck(card):  # more of a kind than a deck has
                raise BadScenario(f"robot {self.index}: no such card as {card}")
        return left

    def is_beside_the_deck(self, card):
        """Is it none of the twenty, but a damage card or one that an upgrade brings?"""
        return card in DAMAGE_BOX or (self.may_have_specials and card in SPECIAL_CARDS)

    def can_use(self, upgrade):
        """Is it owned, and has the robot not rebooted in this round? (R48)"""
        return upgrade in self.upgrades and not self.rebooted

    def draw_card(self):
        """The top card of the deck, the discards shuffled if need be; None where there is none (R26)."""
        if not self.draw_pile and not self.unknown:
            self.unknown, self.discard = self.discard, []
        if self.draw_pile:
            return self.draw_pile.pop(0)
        if len(set(self.unknown)) > 1:
            raise NeedsChance(f"robot {self.index} draws a card that is not known")
        return self.unknown.pop() if self.unknown else None

    def draw_card_but_again(self):
        """As draw_card, but every Again goes to the discard pile and the next card is drawn (R23, R25a)."""
        while any(card not in AGAINS for card in self.draw_pile + self.unknown + self.discard):
            card = self.draw_card()
            if card not in AGAINS:
                return card
            self.discard.append(card)
        return None

    def next_cards(self, count):
        """The cards that would be drawn now; None where only a shuffle can tell."""
        if len(self.draw_pile) >= count:
            return self.draw_pile[:count]
        copy = shallow_copy(self)
        copy.draw_pile, copy.unknown, copy.discard = self.draw_pile[:], self.unknown[:], self.discard[:]
        try:
            cards = [copy.draw_card() for _ in range(count)]
        except NeedsChance:
            return None
        return [card for card in cards if card is not None]

    def draw_hand_cards(self, count):
        """Draws `count` cards into the hand, or what there is."""
        self.draw_up_to(len(self.hand) + count)

    def put_on_top(self, cards):
        """Cards of the hand onto the deck, the first of them uppermost."""
        for card in cards:
            self.hand.remove(card)
        self.draw_pile = list(cards) + self.draw_pile

    def begin_round(self):
        """Nothing of the last round is left but the cards in the hand (advanced game)."""
        self.rebooted = False
        self.is_programmed = False
        self.used = set()
        self.held = {}
        self.done = {}
        self.latest = 0

    def draw_up_to(self, size):
        """Fills the hand (programming phase, step 1)."""
        while len(self.hand) < size:
            card = self.draw_card()
            if card is None:
                return
            self.hand.append(card)

    def discard_hand(self):
        """Puts what is left in the hand on the discard pile."""
        self.discard += self.hand
        self.hand = []

    def cancel_programming(self):
        """Discards the registers not yet started and the hand (Rebooting, step 2)."""
        for register in range(self.latest + 1, 6):
            self.discard_register(register)
        self.discard_hand()

    def discard_register(self, register):
        """Discards the card in a register and what was drawn upon it."""
        cards = [self.registers[register], *self.drawn_upon[register]]
        self.discard += [card for card in cards if card is not None]
        self.registers[register] = None
        self.drawn_upon[register] = []
