"""Answers for a random scenario, invented while the reference plays it: each is legal when it is asked for."""

from .answers import Answers, AnyChoice, Pick

NO = {"reboot": 0.8, "brakes": 0.5, "teleporter": 0.4, "cache_memory": 0.5, "buy_upgrade": 0.1}  # how often; else 0.25
FORCED = ("weasel_routine", "sandbox_routine")  # must be answered


class Inventor(Answers):
    """Players who answer at random. `given` are their answers; a queue that has ended stays unanswered."""

    forced = FORCED

    def __init__(self, dice, eagerness):
        super().__init__([])
        self.dice = dice
        self.eagerness = eagerness  # how likely a queue is to go on
        self.ended = set()
        self.given = []

    def next_choice(self, robot, decision, legal, default):
        """A random legal choice, or from some time on the default."""
        key = (robot.index, decision)
        if decision not in self.forced and (key in self.ended or self.dice.random() > self.eagerness):
            self.ended.add(key)
            return default() if callable(default) else default
        choice = self.choose(decision, legal)
        self.given.append({"robot": robot.index, "decision": decision, "choice": choice})
        return choice

    def choose(self, decision, legal):
        """Some legal choice, seldom "no" where there is another."""
        if isinstance(legal, AnyChoice):
            return "no"
        may_refuse = "no" in legal
        if may_refuse and self.dice.random() < NO.get(decision, 0.25):
            return "no"
        if isinstance(legal, Pick):
            return legal.random_list(self.dice)
        return self.dice.choice([choice for choice in legal if choice != "no"])
