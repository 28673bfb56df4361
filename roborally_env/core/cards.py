"""Cards by number, and how many of each a deck holds (2016 rulebook, card index)."""

import numpy as np

NONE = 0
MOVE_1, MOVE_2, MOVE_3, BACK_UP, TURN_LEFT, TURN_RIGHT, U_TURN, POWER_UP, AGAIN = range(1, 10)
SPAM, WORM, VIRUS, TROJAN_HORSE = range(10, 14)
ENERGY_ROUTINE, WEASEL_ROUTINE, SPAM_FOLDER, SANDBOX_ROUTINE, SPEED_ROUTINE, REPEAT_ROUTINE = range(14, 20)
KINDS = 20
HEAL_ROUTINE = 21  # of the community edition; 20 stands for "done" where cards are chosen one by one

# fmt: off
#        number           name     in a deck of 20   in the box (damage)
TABLE = (
    (MOVE_1,         "move_1",         5,  0),
    (MOVE_2,         "move_2",         3,  0),
    (MOVE_3,         "move_3",         1,  0),
    (BACK_UP,        "back_up",        1,  0),
    (TURN_LEFT,      "turn_left",      3,  0),
    (TURN_RIGHT,     "turn_right",     3,  0),
    (U_TURN,         "u_turn",         1,  0),
    (POWER_UP,       "power_up",       1,  0),
    (AGAIN,          "again",          2,  0),
    (SPAM,           "spam",           0, 38),
    (WORM,           "worm",           0,  6),
    (VIRUS,          "virus",          0, 18),
    (TROJAN_HORSE,   "trojan_horse",   0, 12),
    (ENERGY_ROUTINE, "energy_routine", 0,  0),
    (WEASEL_ROUTINE, "weasel_routine", 0,  0),
    (SPAM_FOLDER,    "spam_folder",    0,  0),
    (SANDBOX_ROUTINE,"sandbox_routine",0,  0),
    (SPEED_ROUTINE,  "speed_routine",  0,  0),
    (REPEAT_ROUTINE, "repeat_routine", 0,  0),
)
# fmt: on

NAMES: tuple[str, ...] = ("none", *(row[1] for row in TABLE))
ALL_NAMES: tuple[str, ...] = (*NAMES, "none", "heal_routine")  # with the community edition's
NUMBERS: dict[str, int] = {row[1]: row[0] for row in TABLE}

DECK_COUNTS = np.array([0, *(row[2] for row in TABLE)], dtype=np.uint8)  # [KINDS] of one robot's programming deck
DECK = np.repeat(np.arange(KINDS, dtype=np.uint8), DECK_COUNTS)  # [20] the same as a list
DECK_SIZE = len(DECK)

# Damage kinds are numbered 0..3 in this order; the card is SPAM + kind.
DAMAGE_NAMES = NAMES[SPAM : TROJAN_HORSE + 1]
DAMAGE_KINDS = 4
DAMAGE_BITS = sum(1 << card for card in range(SPAM, TROJAN_HORSE + 1))
DAMAGE_BOX = np.array([row[3] for row in TABLE[SPAM - 1 : TROJAN_HORSE]], dtype=np.uint8)  # [4] 38, 6, 18, 12
# R27: which pile is taken from by default when the named one is empty
DAMAGE_DEFAULT_ORDER = (TROJAN_HORSE - SPAM, VIRUS - SPAM, WORM - SPAM, 0)

MAX_OWNED = int(DECK_SIZE + DAMAGE_BOX.sum() + 6)  # 100: the deck, every damage card, the six special cards
