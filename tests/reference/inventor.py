"""Answers for a random scenario, invented while the reference plays it: each is legal when it is asked for."""

from contextlib import suppress
from typing import ClassVar

from .answers import Answers, AnyChoice
from .errors import NeedsChance


class Inventor(Answers):
    """Players who answer at random. `given` are their answers; a queue that has ended stays unanswered."""

    refuses: ClassVar = {}  # decision -> how often a player says no; else 0.25
    forced = ()  # decisions that are always answered

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
        if "no" in legal and self.dice.random() < self.refuses.get(decision, 0.25):
            return "no"
        if isinstance(legal, list):
            return self.dice.choice([choice for choice in legal if choice != "no"] or legal)
        return legal.at_random(self.dice)


def invent_answers(players, race_class, drawn):
    """Puts the answers of these players into the scenario; returns whether nothing was left to chance."""
    is_determined = False
    with suppress(NeedsChance):  # then the answers are good, the play just leads to a shuffle
        race_class(drawn, players).run()
        is_determined = True
    if players.given:
        drawn["answers"] = players.given
    return is_determined
