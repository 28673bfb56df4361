"""The answers of the players, and what they may answer: a list of choices, or an object that knows which are legal."""

from tests.reference.errors import BadScenario


class Pick:
    """The legal choices where a list of cards is wanted: from `least` to `most` of these, in any order."""

    def __init__(self, cards, least, most, never_first=(), or_no=True):
        self.cards = list(cards)
        self.least = least
        self.most = most
        self.never_first = never_first
        self.or_no = or_no

    def __contains__(self, choice):
        if not isinstance(choice, list):
            return self.or_no and choice == "no"
        if choice and choice[0] in self.never_first:
            return False
        return self.least <= len(choice) <= self.most and all_are_in(choice, self.cards)

    def at_random(self, dice):
        """Some legal list."""
        cards = dice.sample(self.cards, dice.randint(self.least, self.most))
        while cards and cards[0] in self.never_first:
            cards = dice.sample(self.cards, len(cards))
        return cards


class AnyChoice:
    """Everything is legal, or rather: nobody can tell, since only a shuffle could."""

    def __contains__(self, choice):
        return True


def all_are_in(cards, hand):
    """Are these cards, each as often as it is named, in the hand?"""
    return all(cards.count(card) <= hand.count(card) for card in cards)


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

    def next_choice(self, robot, decision, legal, default):
        """The next in the queue; where none is left, the default (a card, a list, "no"; or a call that gives it)."""
        queue = self.queues.get((robot.index, decision), [])
        if queue:
            return queue.pop(0)
        return default() if callable(default) else default

    def check_all_were_asked(self):
        """An answer that nobody asked for is an error."""
        for (robot, decision), queue in self.queues.items():
            if queue:
                raise BadScenario(f"robot {robot}, {decision}: never asked for {queue[0]}")
