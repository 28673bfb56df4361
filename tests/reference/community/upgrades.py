"""The upgrades of the community edition: those of 2016 that do not only speak of damage cards, and Heal Routine."""

from tests.reference.e2016.upgrades import PERMANENT as PERMANENT_2016
from tests.reference.e2016.upgrades import ROUTINES as ROUTINES_2016
from tests.reference.e2016.upgrades import TEMPORARY as TEMPORARY_2016
from tests.reference.errors import BadScenario, NeedsChance

LEFT_OUT = (
    "blue_screen_of_death",
    "corruption_wave",
    "defrag_gizmo",
    "spam_blocker",
    "spam_folder_routine",
    "trojan_needler",
    "virus_module",
)

PERMANENT = {name: cost for name, cost in PERMANENT_2016.items() if name not in LEFT_OUT}
TEMPORARY = {**{name: cost for name, cost in TEMPORARY_2016.items() if name not in LEFT_OUT}, "heal_routine": 3}
COST = {**PERMANENT, **TEMPORARY}

# upgrade -> the special programming card that it puts on the discard pile
ROUTINES = {
    **{name: card for name, card in ROUTINES_2016.items() if name not in LEFT_OUT},
    "heal_routine": "heal_routine",
}

LIMIT = 3  # of each type


def same_type(names, name):
    """Those of the names that are permanent, or temporary, as this one is."""
    return [other for other in names if (other in PERMANENT) == (name in PERMANENT)]


def check_names(names, whose):
    """Refuses what is no upgrade, and one upgrade twice."""
    unknown = [name for name in names if name not in COST]
    if unknown:
        raise BadScenario(f"{whose}: no such upgrade: {unknown[0]}")
    if len(set(names)) < len(names):
        raise BadScenario(f"{whose}: an upgrade is named twice")


def respects_limits(names):
    """At most three permanent and three temporary upgrades."""
    permanent = sum(name in PERMANENT for name in names)
    return permanent <= LIMIT and len(names) - permanent <= LIMIT


class Shop:
    """The row of upgrades for sale, the deck behind it, and whether somebody bought in the last upgrade phase."""

    def __init__(self, row, gone, size):
        check_names(row, "shop")
        if len(row) > size or set(row) & set(gone):
            raise BadScenario("shop: more cards than robots, or a card that a robot has")
        self.row = list(row)
        self.size = size
        self.deck = [name for name in COST if name not in row and name not in gone]  # in no known order
        self.sold = True  # nothing is swept off the row before the first phase

    def refill(self):
        """At the begin of an upgrade phase: a full row again, a new one if nobody bought (Refill, R44)."""
        if not self.sold:
            self.row = []
        self.sold = False
        wanted = min(self.size - len(self.row), len(self.deck))
        if 0 < wanted < len(self.deck):
            raise NeedsChance("the shop is filled from the upgrade deck")
        if wanted > 0:
            self.row += self.deck
            self.deck = []

    def take(self, name):
        """Sells a card."""
        self.row.remove(name)
        self.sold = True
