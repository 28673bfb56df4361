"""Answers for a random scenario, invented while the reference plays it: each is legal when it is asked for."""

from .answers import Answers, Programs

# How often a player refuses; else 0.25. What wears out or stops the scene is refused more often.
NO = {
    "option_for_damage": 0.6,
    "power_down": 0.6,
    "brakes": 0.6,
    "abort_switch": 0.6,
    "recompile": 0.4,
    "pressor_beam": 0.4,
    "mini_howitzer": 0.1,
}

FORCED = ("option_lost",)  # always answered: the default is no matter of the rules


class Inventor(Answers):
    """Players who answer at random. `given` are their answers; a queue that has ended stays unanswered."""

    def __init__(self, dice, eagerness):
        super().__init__([])
        self.dice = dice
        self.eagerness = eagerness  # how likely a queue is to go on
        self.ended = set()
        self.given = []

    def next_choice(self, robot, decision, legal, default):
        """A random legal choice, or from some time on the default."""
        key = (robot.index, decision)
        if decision not in FORCED and (key in self.ended or self.dice.random() > self.eagerness):
            self.ended.add(key)
            return default
        choice = self.choose(decision, legal)
        self.given.append({"robot": robot.index, "decision": decision, "choice": choice})
        return choice

    def choose(self, decision, legal):
        """Some legal choice, seldom "no" where there is another."""
        if isinstance(legal, Programs):
            return legal.at_random(self.dice)
        if "no" in legal and self.dice.random() < NO.get(decision, 0.25):
            return "no"
        return self.dice.choice([choice for choice in legal if choice != "no"])
