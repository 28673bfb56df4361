"""Robots with their cards, the box of damage cards, and the answers of the players."""

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

DAMAGE_IN_ORDER_OF_CHOICE = ["trojan_horse", "virus", "worm", "spam"]  # R27


class NeedsChance(Exception):
    """The scenario goes on with a card that only a shuffle can tell. The reference has no generator."""


class BadScenario(ValueError):
    """The scenario names something that cannot be."""


class Robot:
    """A robot, its player mat and its piles. Lists of cards are in the order in which they are drawn."""

    def __init__(self, index, entry):
        self.index = index
        self.cell = (entry["x"], entry["y"])  # None while it has fallen and is not yet put down
        self.start = self.cell
        self.facing = entry["facing"]
        self.checkpoint = entry.get("checkpoint", 0)
        self.energy = entry.get("energy", 5)
        self.rebooted = False
        self.taken = dict.fromkeys(DAMAGE_BOX, 0)

        given = entry.get("registers")
        self.is_programmed = given is not None
        cards = list(given or [])
        self.registers = dict(zip(range(1, 6), cards + [None] * (5 - len(cards)), strict=True))
        self.drawn_upon = {register: [] for register in range(1, 6)}  # cards drawn for an Again (R25)
        self.held = {}  # register -> the card that lay there when the register began (R25a)
        self.done = {}  # register -> the action that was carried out in it (R24)
        self.latest = 0  # the last register that this robot has begun

        self.hand = list(entry.get("hand", []))
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
            if card in DAMAGE_BOX:
                continue
            if card not in left:
                raise BadScenario(f"robot {self.index}: more {card} than a deck has")
            left.remove(card)
        return left

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
        while any(card != "again" for card in self.draw_pile + self.unknown + self.discard):
            card = self.draw_card()
            if card != "again":
                return card
            self.discard.append(card)
        return None

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
        """Discards the registers not yet begun and the hand (Rebooting, step 2)."""
        for register in range(self.latest + 1, 6):
            self.discard_register(register)
        self.discard_hand()

    def discard_register(self, register):
        """Discards the card in a register and what was drawn upon it."""
        cards = [self.registers[register], *self.drawn_upon[register]]
        self.discard += [card for card in cards if card is not None]
        self.registers[register] = None
        self.drawn_upon[register] = []


class Answers:
    """What the players say when they are asked, a queue for each robot and decision, and a record of all of it."""

    def __init__(self, given):
        self.queues = {}
        for answer in given:
            self.queues.setdefault((answer["robot"], answer["decision"]), []).append(answer["choice"])
        self.record = []

    def ask(self, robot, decision, is_legal, default):
        """The next answer of that robot to that decision; the default where none is left."""
        queue = self.queues.get((robot.index, decision), [])
        choice = queue.pop(0) if queue else default
        if not is_legal(choice):
            raise BadScenario(f"robot {robot.index}, {decision}: {choice} is not legal")
        self.record.append({"robot": robot.index, "decision": decision, "choice": choice})
        return choice

    def check_all_were_asked(self):
        """An answer that nobody asked for is an error."""
        for (robot, decision), queue in self.queues.items():
            if queue:
                raise BadScenario(f"robot {robot}, {decision}: never asked for {queue[0]}")
