"""The answers of the players, and what they may answer."""

from tests.reference.errors import BadScenario

from .cards import may_share_register


class Answers:
    """What the players say when they are asked, a queue for each robot and decision, and a record of all of it."""

    def __init__(self, given):
        self.queues = {}
        for answer in given:
            self.queues.setdefault((answer["robot"], answer["decision"]), []).append(answer["choice"])
        self.record = []

    def ask(self, robot, decision, legal, default="no"):
        """The next answer of that robot to that decision, which must be one of the legal choices."""
        choice = self.next_choice(robot, decision, legal, default)
        if choice not in legal:
            raise BadScenario(f"robot {robot.index}, {decision}: {choice} is not legal")
        self.record.append({"robot": robot.index, "decision": decision, "choice": choice})
        return choice

    def agrees(self, robot, decision):
        """Does the player say yes?"""
        return self.ask(robot, decision, ["no", "yes"]) == "yes"

    def next_choice(self, robot, decision, legal, default):
        """The next in the queue; the default where none is left."""
        queue = self.queues.get((robot.index, decision), [])
        return queue.pop(0) if queue else default

    def check_all_were_asked(self):
        """An answer that nobody asked for is an error."""
        for (robot, decision), queue in self.queues.items():
            if queue:
                raise BadScenario(f"robot {robot}, {decision}: never asked for {queue[0]}")


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
        return all(cards.count(card) <= self.hand.count(card) for card in cards)

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
