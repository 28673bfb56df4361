"""Answers for a random scenario, invented while the reference plays it: each is legal when it is asked for."""

from tests.reference.inventing import Inventor as Inventor2016

from .answers import Programs


class Inventor(Inventor2016):
    """Players who answer at random, and who power down now and then."""

    def choose(self, decision, legal):
        """Some legal choice."""
        if isinstance(legal, Programs):
            return legal.at_random(self.dice)
        if decision == "power_down":
            return "yes" if self.dice.random() < 0.3 else "no"
        return super().choose(decision, legal)
