"""The fields that a record of the 2023 edition has beside those of the complete 2016 game; see `core.state`.

The shop stays empty.
"""

# fmt: off
FIELDS = (
    ("collection",    "i8", ("S",)),   # bit u: upgrade u lies uninstalled in the collection, hidden from the others
    ("upgrade_discard", "i8", ()),     # bit u: upgrade u lies in the upgrade discard pile
    ("shuffled",      "u1", ("N",)),  # [u]: the last shuffle of the discard pile with upgrade u + 1
    ("shuffles",      "u1", ()),       # how often the discard pile was shuffled
    ("upgrade_tops",  "u1", ()),       # how many last cards of the deck are known, the top one last (scenarios)
    ("drew",          "u1", ()),       # bit r: robot r drew an upgrade in this upgrade phase
    ("installed",     "u1", ()),       # bit r: it installed one
)
# fmt: on
