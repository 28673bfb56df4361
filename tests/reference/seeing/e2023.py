"""What a player sees in the 2023 edition: collections of upgrades in place of a shop."""

from tests.reference.cards import words

from .e2016 import DECISIONS, CompleteView
from .view import View, flags_of, has_bit


class View2023(CompleteView):
    """A player's view of the 2023 edition."""

    parts = words(
        "hand draw_pile discard_pile position facing energy progress distance target antenna ways cell priority"
        " damage_piles decision upgrades collection upgrade_discard upgrade_phase others"
    )
    decisions = DECISIONS + words("draw_upgrade install_upgrade uninstall_upgrade")

    decision = View.decision

    def collection(self):
        return flags_of(self.own("collection"), self.upgrade_count)

    def upgrade_discard(self):
        return flags_of(self.game["upgrade_discard"], self.upgrade_count)

    def upgrade_phase(self):
        did = [has_bit(self.game[act], self.seat) for act in ("drew", "installed")]
        return [*did, self.game["upgrades_left"] / 40]

    def row(self, robot):
        """The numbers of another robot, to the number of cards in its collection."""
        collected = sum(flags_of(self.game["collection"][robot], self.upgrade_count))
        return [*super().row(robot), collected / 8]
