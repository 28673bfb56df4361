"""How the players of the community edition answer at random."""

from tests.reference.e2016.inventor import Inventor as Inventor2016


class Inventor(Inventor2016):
    """Players who power down now and then."""

    def choose(self, decision, legal):
        """Some legal choice."""
        if decision == "power_down":
            return "yes" if self.dice.random() < 0.3 else "no"
        return super().choose(decision, legal)
