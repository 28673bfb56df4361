"""The state of one game: a record. This file is the one place that says what each field means.

A batch is an array of records: `games["cell"]` is an array [B, seats] for a NumPy user, `games[i]` one
contiguous block for compiled code. A clone is `games[j] = games[i]`, a snapshot is the bytes.
"""

from functools import cache

import numpy as np

from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_KINDS
from roborally_env.core.kernel import UPGRADES_FIELD
from roborally_env.courses.tables import MAX_CHECKPOINTS

REGISTERS = 5
HAND = 9
HAND_WITH_UPGRADES = 10  # one more with Memory Stick
HAND_ROOM = 13  # of a record with upgrades: Memory Swap draws three more
PILE = 104  # room for every card that one robot can own (100), in whole words
ANSWERS = 64
ANSWERS_WITH_UPGRADES = 192  # with every damage pile empty one step can ask as much
SEATS = (2, 4, 6)  # records are made for so many seats; games of 3 and 5 leave one empty
MAX_PLAYERS = 6

NOWHERE = -1  # cell of an empty seat; a falling robot has -2 - (the cell whose board decides its token)
NOBODY = -1

# options in `rules`, one bit each
RULE_ADVANCED = 1  # unused cards stay in the hand
RULE_AGAIN_REPEATS = 2  # R25: Again after a damage card repeats the replacement
RULE_TWO_ENDED_BOTH = 4  # R33: both ends of a two-ended laser hit
RULE_TIMER = 8  # the caller may name registers left open
RULE_FIXED_STARTS = 16  # robots start on the docks in order, not at random

# asking: who is asked what
ASK_NOTHING, ASK_ALL, ASK_PURCHASES = 0, 1, 2

# (name, dtype, shape) of every field; S stands for the number of seats, H for the room in a hand, A in the answers of a
# step, P for the most players, L for the length of the event log
# fmt: off
FIELDS = (
    # -- chance
    ("seed",          "u8", ()),       # what the caller gave for this game; episode e plays with key_of(seed, e)
    ("episode",       "u8", ()),       # races begun in this place, from 0
    ("key",           "u8", ()),       # of this race's stream
    ("draws",         "u8", ()),       # words drawn from the stream so far
    # -- the board
    ("cubes",         "u8", ()),       # bit i: energy space i of the course still has its cube
    ("checkpoint",    "i2", (MAX_CHECKPOINTS,)),  # cell of checkpoint i + 1 now; NOWHERE where there is none
    ("course",        "i2", ()),       # index into the batch's courses
    # -- the robots
    ("cell",          "i2", ("S",)),   # y * 32 + x; NOWHERE for an empty seat
    ("start",         "i2", ("S",)),   # own start space
    ("want",          "i2", ("S",)),   # scratch of one step, 0 between steps
    ("energy",        "i2", ("S",)),   # cubes on the mat
    ("facing",        "i1", ("S",)),   # 0..3 = N E S W
    ("reached",       "i1", ("S",)),   # last checkpoint reached, 0 at the start
    ("hits",          "u1", ("S",)),   # scratch of one step, 0 between steps
    ("order",         "i1", ("S",)),   # seats in turn order of this register; empty seats last
    ("barred",        "u1", ("S",)),   # bit i: the robot fell with checkpoint i + 1 in this register (R38)
    ("rebooted",      "u1", ()),       # bit r: robot r rebooted in this round
    ("acted",         "u1", ()),       # bit r: robot r has had its turn in this register
    ("rested",        "u1", ()),       # bit i: checkpoint i + 1 was reset in this belt phase (R38a)
    # -- the cards
    ("hand",          "u1", ("S", "H")),  # cards 1..19, NONE at the end
    ("held",          "u1", ("S",)),   # cards in the hand
    ("registers",     "u1", ("S", REGISTERS)),  # the card in each register, NONE where empty or cancelled
    ("laid_on",       "u1", ("S", REGISTERS)),  # a second card in the register: drawn for an Again (R25)
    ("done",          "u1", ("S", REGISTERS)),  # the action carried out in the register (R24), NONE if none
    ("damaged",       "u1", ("S",)),   # bit k: register k + 1 began with a damage card (R25a)
    ("pile",          "u1", ("S", PILE)),  # [draw pile in no order | discard pile | 0 .. | known top, topmost first]
    ("drawable",      "u1", ("S",)),   # cards in the first part of `pile`
    ("discarded",     "u1", ("S",)),   # cards in the second part
    ("known",         "u1", ("S",)),   # cards in the last part: drawn before all others
    ("damage_pile",   "u1", (DAMAGE_KINDS,)),   # SPAM, Worm, Virus, Trojan Horse left in the box
    # -- the round
    ("round_number",  "i2", ()),       # from 1
    ("max_rounds",    "i2", ()),       # the race is cut after this round; 0: never
    ("step",          "u1", ()),       # the next step of the edition's list
    ("register",      "i1", ()),       # 0..4 while registers are played
    ("turn",          "i1", ()),       # place in `order` of the robot whose turn it is
    ("players",       "i1", ()),       # live seats, the first of S
    ("winner",        "i1", ()),       # seat, or NOBODY
    ("cut",           "u1", ()),       # 1 when max_rounds ended the race
    ("rules",         "u1", ()),       # RULE_* bits
    ("fixed_order",   "u1", ()),       # 1: `order` is given and stands for priority (scenarios)
    # -- choices
    ("asking",        "u1", ()),       # ASK_*: which choices are asked; for the others defaults are taken
    ("ask_seat",      "i1", ()),       # whose choice is open, or NOBODY
    ("ask_kind",      "u1", ()),       # decision number
    ("ask_default",   "u1", ()),       # the option that the default policy would take
    ("ask_options",   "u8", ()),       # bit o: option o is legal
    ("answers",       "u1", ("A",)),     # options chosen since the current step began
    ("answered",      "u1", ()),       # how many of them
    ("answers_read",  "u1", ()),       # how many the step has used
    # -- counters for evaluation: they decide nothing
    ("taken",         "u2", ("S", DAMAGE_KINDS)),  # damage cards dealt to the robot in this race
    ("reboots",       "u2", ("S",)),
    # -- upgrades, only in records made for them
    ("owned",         "i8", ("S",)),   # bit u: upgrade u lies on the mat
    ("on_mats",       "i8", ()),       # bit u: upgrade u lies on some mat
    ("used",          "i8", ("S",)),   # bit u: used in this round (Admin Privilege, Defrag Gizmo)
    ("bought",        "i8", ("S",)),   # bit u: bought in this race (for evaluation)
    ("had",           "i8", ("S",)),   # bit u: owned at some time of this race, or its routine (for evaluation)
    ("shots",         "u2", ("S", "S")),  # [shooter, target], scratch of one step, 0 between steps (weapons.py)
    ("instead",       "u1", ("S",)),   # the card that Refresh makes of the register's, in the own turn
    ("given_order",   "i1", ("S",)),   # where fixed_order: the order that stands for priority
    ("shop",          "u1", ("P",)),   # upgrades for sale, NONE in open slots
    ("upgrade_deck",  "u1", (upgrades.COUNT,)),  # in no order: drawing picks at random
    ("upgrades_left", "u1", ()),       # cards in the deck
    ("sold",          "u1", ()),       # 1: somebody bought in the last upgrade phase, or there was none yet
    ("admins",        "u1", ()),       # bit r: robot r uses Admin Privilege in this register
    ("sorters",       "u1", ()),       # bit r: Manual Sort
    ("shielded",      "u1", ()),       # bit r: robot r's Deflector Shield is up in this register
    ("howitzers",     "u1", ()),       # bit r: robot r used Mini Howitzer in this register
    ("ask_about",     "i1", ()),       # the robot that the open question is about, or NOBODY
    # -- the event log, only in records made with one
    ("events",        "i2", ("L", 6)), # rows: kind, seat, and four numbers (log.py)
    ("logged",        "i2", ()),       # rows written since the last reading; beyond L rows are dropped
)
# fmt: on


UPGRADE_FIELDS = tuple(name for name, _, _ in FIELDS)
UPGRADE_FIELDS = UPGRADE_FIELDS[UPGRADE_FIELDS.index(UPGRADES_FIELD) : UPGRADE_FIELDS.index("ask_about") + 1]


@cache
def game_dtype(seats: int, log: int = 0, with_upgrades: bool = False) -> np.dtype:
    """The aligned record dtype of one game with `seats` seats and room for `log` events (0: no log)."""
    sizes = {"S": seats, "L": log, "H": HAND_ROOM if with_upgrades else HAND, "P": MAX_PLAYERS}
    sizes["A"] = ANSWERS_WITH_UPGRADES if with_upgrades else ANSWERS
    fields = []
    for name, kind, shape in FIELDS:
        if ("L" in shape or name == "logged") and not log:
            continue
        if name in UPGRADE_FIELDS and not with_upgrades:
            continue
        lengths = tuple(sizes[n] if isinstance(n, str) else n for n in shape)
        fields.append((name, np.dtype(kind), lengths))
    # widest first, and the rest of the last word named: with no nameless bytes, equal fields are equal bytes
    fields.sort(key=lambda field: -field[1].itemsize)
    rest = -sum(kind.itemsize * int(np.prod(lengths)) for _, kind, lengths in fields) % 8
    if rest:
        fields.append(("padding", np.dtype("u1"), (rest,)))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def seats_for(players: int) -> int:
    """The smallest record that holds so many players."""
    return next(s for s in SEATS if s >= players)
