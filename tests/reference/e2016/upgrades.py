"""The forty upgrade cards of the box, and the shop that sells them."""

from tests.reference.errors import BadScenario, NeedsChance

# Name -> cost, in the order in which the rulebook's index would have them by the alphabet.
PERMANENT = {
    "admin_privilege": 3,
    "blue_screen_of_death": 4,
    "brakes": 3,
    "cache_memory": 4,
    "corruption_wave": 4,
    "crab_legs": 5,
    "deflector_shield": 2,
    "defrag_gizmo": 5,
    "double_barrel_laser": 2,
    "firewall": 3,
    "hover_unit": 1,
    "memory_stick": 3,
    "mini_howitzer": 2,
    "modular_chassis": 1,
    "pressor_beam": 3,
    "rail_gun": 2,
    "ramming_gear": 2,
    "rear_laser": 2,
    "scrambler": 3,
    "side_arms": 3,
    "teleporter": 3,
    "tractor_beam": 3,
    "trojan_needler": 3,
    "virus_module": 2,
}

TEMPORARY = {
    "boink": 1,
    "energy_routine": 3,
    "hack": 1,
    "manual_sort": 1,
    "memory_swap": 1,
    "reboot": 1,
    "recharge": 0,
    "recompile": 1,
    "refresh": 2,
    "repeat_routine": 3,
    "sandbox_routine": 5,
    "spam_blocker": 3,
    "spam_folder_routine": 2,
    "speed_routine": 3,
    "weasel_routine": 3,
    "zoop": 1,
}

COST = {**PERMANENT, **TEMPORARY}

ROUTINES = {  # upgrade -> the special programming card that it puts on the discard pile
    "energy_routine": "energy_routine",
    "repeat_routine": "repeat_routine",
    "sandbox_routine": "sandbox_routine",
    "spam_folder_routine": "spam_folder",
    "speed_routine": "speed_routine",
    "weasel_routine": "weasel_routine",
}

LIMIT = 3  # of each type


def same_type(names, name):
    """Those of the names that are permanent, or temporary, as this one is."""
    return [other for other in names if (other in PERMANENT) == (name in PERMANENT)]


def respects_limits(names):
    """At most three permanent and three temporary upgrades."""
    permanent = sum(name in PERMANENT for name in names)
    return permanent <= LIMIT and len(names) - permanent <= LIMIT


def check_names(names, whose, cost):
    """Refuses what is no upgrade, and one upgrade twice."""
    unknown = [name for name in names if name not in cost]
    if unknown:
        raise BadScenario(f"{whose}: no such upgrade: {unknown[0]}")
    if len(set(names)) < len(names):
        raise BadScenario(f"{whose}: an upgrade is named twice")


class Shop:
    """The row of upgrades for sale, the deck behind it, and whether somebody bought in the last upgrade phase."""

    def __init__(self, row, gone, size, cost):
        check_names(row, "shop", cost)
        if len(row) > size:
            raise BadScenario("shop: more cards than robots")
        if set(row) & set(gone):
            raise BadScenario("shop: a card that a robot has")
        self.row = list(row)
        self.size = size
        self.deck = [name for name in cost if name not in row and name not in gone]  # in no known order
        self.sold = True  # nothing is swept off the row before the first phase

    def refill(self):
        """At the begin of an upgrade phase: a full row again, a new one if nobody bought (R44)."""
        if not self.sold:
            self.row = []
        self.sold = False
        wanted = min(self.size - len(self.row), len(self.deck))
        if wanted < len(self.deck) and wanted > 0:
            raise NeedsChance("the shop is filled from the upgrade deck")
        if wanted > 0:
            self.row += self.deck
            self.deck = []

    def take(self, name):
        """Sells a card."""
        self.row.remove(name)
        self.sold = True
