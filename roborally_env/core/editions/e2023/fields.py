"""The fields that a record of the 2023 edition has beside those of the complete 2016 game; see `core.state`.

The shop stays empty.
"""

from roborally_env.core.state import ANY, ROBOTS, UPGRADES

# fmt: off
FIELDS = (
    # bit u: upgrade u lies uninstalled in the collection, hidden from the others
    ("collection",    "i8", ("S",), 0, UPGRADES),
    ("upgrade_discard", "i8", (), 0, UPGRADES),                 # bit u: upgrade u lies in the upgrade discard pile
    ("shuffled",      "u1", ("N",), 0, ANY),  # [u]: the last shuffle of the discard pile with upgrade u + 1
    ("shuffles",      "u1", (), 0, ANY),                        # how often the discard pile was shuffled
    # how many last cards of the deck are known, the top one last (scenarios)
    ("upgrade_tops",  "u1", (), 0, (0, "deck")),
    ("drew",          "u1", (), 0, ROBOTS),                     # bit r: robot r drew an upgrade in this upgrade phase
    ("installed",     "u1", (), 0, ROBOTS),                     # bit r: it installed one
)
# fmt: on
