"""The state of one game: a record. This file is the one place that says what each field means.

A batch is an array of records: `games["cell"]` is an array [B, seats] for a NumPy user, `games[i]` one
contiguous block for compiled code. A clone is `games[j] = games[i]`, a snapshot is the bytes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.registry import REGISTERED, Late, cache_until_registered
from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_BOX, DAMAGE_KINDS
from roborally_env.core.rule_options import RULE_GIVEN_COURSE
from roborally_env.courses.tables import CELLS, MAX_CHECKPOINTS
from roborally_env.courses.tables import REGISTERS as REGISTERS

MARK = "is_"  # a field that begins so says which kind of record it is: compiled code is chosen by its name

HAND = 9
HAND_WITH_UPGRADES = 10  # one more with Memory Stick
HAND_ROOM = 13  # of a record with upgrades: Memory Swap draws three more
PILE = 104  # room for every card that one robot can own (100), in whole words
ANSWERS = 64
ANSWERS_WITH_UPGRADES = 192  # with every damage pile empty one step can ask as much
MAX_PLAYERS = 6
MAX_ROBOTS = 8  # of any edition
LOG_ROWS = 2048  # events of one step that are kept; a full round of six robots takes a few hundred

NOWHERE = -1  # cell of an empty seat; a falling robot has -2 - (the cell whose board decides its token)
NOBODY = -1

LIGHTER, COMPLETE = "lighter", "complete"  # the two kinds of record of 2016; other editions have one, of their name

# asking: who decides what
ASK_NOTHING, ASK_ALL, ASK_PURCHASES = 0, 1, 2

SEATS = -2  # a start value: of seat s the number s
_BOX = tuple(DAMAGE_BOX)


class Bits(NamedTuple):
    """The range of a field that is a set: bits from 0 to `length` - 1 may be set."""

    length: int | str


# The ranges of fields: the lowest and the highest value, or the bits that may be set. A name stands for a number that
# depends on the kind of record and on the batch (see `core.soundness`). None: the highest number of the type
ANY = None
ZERO = (0, 0)
NOT_NEGATIVE = (0, None)
NO_OR_YES = (0, 1)
DIRECTION = (0, 3)
PLACE = (NOWHERE, CELLS - 1)
PLACE_OR_FALLEN = (-1 - CELLS, CELLS - 1)
SEAT = (0, "last_seat")
ROBOT_OR_NOBODY = (NOBODY, "last_robot")
ROBOTS = Bits("players")
CARD = (0, "last_card")
OPTION = (0, 63)
UPGRADE = (0, "last_upgrade")
UPGRADES = Bits("upgrade_bits")
REGISTER_SET = Bits(REGISTERS)
DAMAGE = (0, 10)

# (name, dtype, shape, value at the start of a race, range) of every field; editions from outside may leave out the last
# two, which are then 0 and ANY. In a shape S stands for the number of seats, H for the room in a hand, A in the answers
# of a step, P for the most players, U for the cards of the upgrade deck (at least those of 2016), N for the highest
# number among them. Ranges hold between two decisions
# fmt: off
COMMON_FIELDS = (
    # -- chance
    ("seed",          "u8", (), 0, ANY),  # what the caller gave for this game; episode e plays with key_of(seed, e)
    ("episode",       "u8", (), 0, ANY),                        # races started in this place, from 0
    ("key",           "u8", (), 0, ANY),                        # of this race's stream
    ("draws",         "u8", (), 0, ANY),                        # words drawn from the stream so far
    # -- the board
    ("checkpoint",    "i2", (MAX_CHECKPOINTS,), NOWHERE, PLACE),  # cell of checkpoint (flag) i + 1 now; NOWHERE: none
    ("course",        "i2", (), 0, (0, "last_course")),         # index into the batch's courses
    # -- the robots
    ("cell",          "i2", ("S",), NOWHERE, PLACE_OR_FALLEN),  # y * 32 + x; NOWHERE for an empty seat
    ("start",         "i2", ("S",), NOWHERE, PLACE),            # own start space
    ("want",          "i2", ("S",), 0, ZERO),                   # scratch of one step, 0 between steps
    ("facing",        "i1", ("S",), 0, DIRECTION),              # 0..3 = N E S W
    ("reached",       "i1", ("S",), 0, (0, MAX_CHECKPOINTS)),   # last checkpoint reached, 0 at the start
    ("hits",          "u1", ("S",), 0, ZERO),                   # scratch of one step, 0 between steps
    ("order",         "i1", ("S",), SEATS, SEAT),               # seats in turn order of this register; empty seats last
    ("barred",        "u1", ("S",), 0, ANY),  # bit i: the robot fell with checkpoint i + 1 in this register (R38)
    ("acted",         "u1", (), 0, ROBOTS),                     # bit r: robot r has had its turn in this register
    ("rested",        "u1", (), 0, ANY),  # bit i: checkpoint i + 1 was reset in this belt phase (R38a)
    # -- the cards
    ("hand",          "u1", ("S", "H"), 0, CARD),               # card numbers of the edition, NONE at the end
    ("held",          "u1", ("S",), 0, (0, "hand")),            # cards in the hand
    ("registers",     "u1", ("S", REGISTERS), 0, CARD),  # the card in each register, NONE where empty or cancelled
    # a second card in it: drawn for an Again (R25); a rotation (2005)
    ("laid_on",       "u1", ("S", REGISTERS), 0, CARD),
    # -- the round
    ("round_number",  "i2", (), 0, NOT_NEGATIVE),               # from 1
    ("max_rounds",    "i2", (), 0, NOT_NEGATIVE),               # the race is cut after this round; 0: never
    ("step",          "u1", (), 0, (0, "last_step")),           # the next step of the edition's list
    ("register",      "i1", (), 0, (0, REGISTERS - 1)),         # 0..4 while registers are played
    ("turn",          "i1", (), 0, (0, 2 * MAX_ROBOTS)),        # place in `order` of the robot whose turn it is
    ("players",       "i1", (), 0, (1, "seats")),               # live seats, the first of S
    ("winner",        "i1", (), NOBODY, ROBOT_OR_NOBODY),       # seat, or NOBODY
    ("cut",           "u1", (), 0, NO_OR_YES),                  # 1 when max_rounds ended the race
    ("rules",         "u4", (), 0, ANY),                        # RULE_* bits (rule_options.py)
    ("fixed_order",   "u1", (), 0, NO_OR_YES),  # 1: `order` is given and stands for priority (scenarios)
    # -- choices
    # ASK_*: which choices are open; the others take their defaults
    ("asking",        "u1", (), 0, (0, ASK_PURCHASES)),
    ("ask_seat",      "i1", (), NOBODY, ROBOT_OR_NOBODY),       # whose choice is open, or NOBODY
    ("ask_kind",      "u1", (), 0, ANY),                        # decision number
    ("ask_default",   "u1", (), 0, OPTION),                     # the option that the default policy would take
    ("ask_options",   "u8", (), 0, ANY),                        # bit o: option o is legal
    ("answers",       "u1", ("A",), 0, OPTION),                 # options chosen since the current step began
    ("answered",      "u1", (), 0, (0, "answers")),             # how many of them
    ("answers_read",  "u1", (), 0, (0, "answers")),             # how many the step has used
    # -- counters for evaluation: they decide nothing
    ("reboots",       "u2", ("S",), 0, ANY),                    # times that it rebooted, or was destroyed
)

# of both games of the 2016 edition
FIELDS_2016 = (
    ("cubes",         "u8", (), 0, ANY),                        # bit i: energy space i of the course still has its cube
    ("energy",        "i2", ("S",), 0, NOT_NEGATIVE),           # cubes on the mat
    ("rebooted",      "u1", (), 0, ROBOTS),                     # bit r: robot r rebooted in this round
    ("done",          "u1", ("S", REGISTERS), 0, CARD),  # the action carried out in the register (R24), NONE if none
    ("damaged",       "u1", ("S",), 0, REGISTER_SET),           # bit k: register k + 1 began with a damage card (R25a)
    # [draw pile in no order | discard pile | 0 .. | known top, topmost first]
    ("pile",          "u1", ("S", PILE), 0, CARD),
    ("drawable",      "u1", ("S",), 0, (0, PILE)),              # cards in the first part of `pile`
    ("discarded",     "u1", ("S",), 0, (0, PILE)),              # cards in the second part
    ("known",         "u1", ("S",), 0, (0, PILE)),              # cards in the last part: drawn before all others
    ("damage_pile",   "u1", (DAMAGE_KINDS,), _BOX, (0, sum(_BOX))),  # SPAM, Worm, Virus, Trojan Horse left in the box
    # damage cards dealt to the robot in this race (for evaluation)
    ("taken",         "u2", ("S", DAMAGE_KINDS), 0, ANY),
)

# of the complete 2016 game
UPGRADE_FIELDS = (
    ("owned",         "i8", ("S",), 0, UPGRADES),               # bit u: upgrade u lies on the mat
    ("on_mats",       "i8", (), 0, UPGRADES),                   # bit u: upgrade u lies on some mat
    ("used",          "i8", ("S",), 0, UPGRADES),  # bit u: used in this round (Admin Privilege, Defrag Gizmo)
    ("bought",        "i8", ("S",), 0, UPGRADES),               # bit u: bought in this race (for evaluation)
    # bit u: owned at some time of this race, or its routine (for evaluation)
    ("had",           "i8", ("S",), 0, UPGRADES),
    # [shooter, target], scratch of one step, 0 between steps (weapons.py)
    ("shots",         "u2", ("S", "S"), 0, ZERO),
    ("instead",       "u1", ("S",), 0, ZERO),  # the card that Refresh makes of the register's, in the own turn
    ("given_order",   "i1", ("S",), SEATS, SEAT),               # where fixed_order: the order that stands for priority
    ("shop",          "u1", ("P",), 0, UPGRADE),                # upgrades for sale, NONE in open slots
    ("upgrade_deck",  "u1", ("U",), 0, UPGRADE),                # in no order: drawing picks at random
    ("upgrades_left", "u1", (), 0, (0, "deck")),                # cards in the deck
    ("sold",          "u1", (), 1, NO_OR_YES),  # 1: somebody bought in the last upgrade phase, or there was none yet
    ("admins",        "u1", (), 0, ROBOTS),                     # bit r: robot r uses Admin Privilege in this register
    ("sorters",       "u1", (), 0, ROBOTS),                     # bit r: Manual Sort
    ("shielded",      "u1", (), 0, ROBOTS),  # bit r: robot r's Deflector Shield is up in this register
    ("howitzers",     "u1", (), 0, ROBOTS),                     # bit r: robot r used Mini Howitzer in this register
    ("ask_about",     "i1", (), NOBODY, ROBOT_OR_NOBODY),       # the robot that the open question is about, or NOBODY
)

# of every edition, but not in what replays hash. All are 0 between calls of the driver: no copy of a record points at
# another's log
LOG_FIELDS = (
    ("log_at",        "u8", (), 0, ZERO),  # address of the event log's rows [LOG_ROWS, 6] (log.py); 0: none
    # address of [LOG_ROWS] records, one for each row of the log; 0: none are kept
    ("frames_at",     "u8", (), 0, ZERO),
    ("logged",        "i2", (), 0, ZERO),                       # rows written; beyond LOG_ROWS rows are dropped
)
# fmt: on


# names of the fields of a kind, by the identity of their table, which is kept so that it stays its own
_NAMES: dict[int, tuple[object, frozenset[str]]] = {}


class Kind(NamedTuple):
    """A kind of record: one for each game that has fields of its own, and what goes with it outside compiled code."""

    name: str
    edition: str
    fields: tuple[tuple[Any, ...], ...]  # beside the common ones
    parts: Callable[[bool], tuple[Any, ...]]  # of its symbolic vector, also with every choice open
    hand: int  # room in a hand
    answers: int  # room for the answers of one step
    step_names: tuple[str, ...]  # by the number in `step`
    card_names: tuple[str, ...]  # program and damage cards by number
    planes: tuple[tuple[str, str], ...] = ()  # names and meanings where they differ from those of 2016
    upgrade_numbers: tuple[int, ...] = ()  # upgrade cards that are for sale or dealt
    start: tuple[tuple[str, Any], ...] = ()  # fields that begin a race with another value than their tables say
    register_steps: tuple[str, ...] = ()  # during which a register is played
    closing_steps: tuple[str, ...] = ()  # after the last register, if players are asked in them
    round_word: str = "round"  # what its rulebook calls a round
    seats: int = MAX_PLAYERS
    portable_seats: tuple[int, ...] = (2, 4, 6)  # what replays hash: the fewest of these that hold the players

    def has(self, field: str) -> bool:
        """Whether its records have a field of their own, such as `owned` (upgrades on mats) or `damage` (tokens)."""
        known = _NAMES.get(id(self.fields))  # environments ask at every step
        if known is None:
            known = _NAMES[id(self.fields)] = (self.fields, frozenset(field[0] for field in self.fields))
        return field in known[1]


KINDS: Late[Kind] = Late(after=REGISTERED)  # of the registered editions, by name


def add_kind(kind: Kind) -> None:
    """Register a kind of record. A RoboRallyError where another one has its name."""
    if KINDS.setdefault(kind.name, kind) != kind:
        raise RoboRallyError(f"another kind of record is called {kind.name!r}")


def remove_kind(name: str) -> None:
    """Take back what `add_kind` did."""
    del KINDS[name]


def kind_of(name: str) -> Kind:
    """A registered kind of record by its name."""
    found = KINDS.filled().get(name)
    if found is None:
        raise RoboRallyError(f"no kind of record is called {name!r}; registered are {', '.join(KINDS) or 'none'}")
    return found


def kind_of_record(record: Any) -> str:
    """The name of the kind of a record, or of an array of records."""
    return str(next(name.removeprefix(MARK) for name in record.dtype.names if name.startswith(MARK)))


def mark_of(kind: str) -> str:
    """The field by which compiled code knows a kind of record."""
    return MARK + kind


@cache_until_registered()
def game_dtype(game: str = LIGHTER) -> np.dtype:
    """The aligned record dtype of one game: one for each kind of game, with seats for the most players."""
    kind = kind_of(game)
    return _record(kind, kind.seats, COMMON_FIELDS + kind.fields + LOG_FIELDS + ((mark_of(game), "u1", ()),))


@cache_until_registered()
def portable_dtype(players: int, game: str = LIGHTER) -> np.dtype:
    """The record of a game of n players as replays hash it: without the log, and with few empty seats."""
    kind = kind_of(game)
    seats = next(s for s in kind.portable_seats if s >= players)
    common = tuple(("rules", "u1", ()) if field[0] == "rules" else field for field in COMMON_FIELDS)
    return _record(kind, seats, common + kind.fields)


# bits of `rules` above the eighth -> where they were when a bit meant another thing in each edition
_PORTABLE_RULES = {1 << 8: 1 << 6, 1 << 9: 1 << 5, 1 << 10: 1 << 6, 1 << 12: 1 << 7}


# What a race begins with is not said of these: the caller has set them, or they say which race it is.
KEPT = frozenset(
    {
        "seed", "episode", "key", "draws", "course", "max_rounds", "players", "rules", "asking", "lays_aside", "log_at",
        "frames_at", "logged",
    }
)  # fmt: skip


@cache_until_registered()
def start_of(game: str) -> np.ndarray:
    """The record [1] of a kind of game before its first round, nobody placed; what is `KEPT` is 0."""
    kind = kind_of(game)
    found = np.zeros(1, game_dtype(game))
    start = {field[0]: field[3] for field in COMMON_FIELDS + kind.fields if len(field) > 3} | dict(kind.start)
    for name, value in start.items():
        found[name] = np.arange(kind.seats) if value is SEATS else value
    if kind.has("upgrade_deck"):
        found["upgrades_left"] = len(kind.upgrade_numbers)
        found["upgrade_deck"][0, : len(kind.upgrade_numbers)] = kind.upgrade_numbers
    return found


def portable(record: np.void) -> np.ndarray:
    """A game's record with the fields and the bytes that replays hash."""
    found = np.zeros((), portable_dtype(int(record["players"]), kind_of_record(record)))
    for name in found.dtype.names or ():
        if name not in ("padding", "rules"):
            found[name] = record[name][tuple(slice(n) for n in found.dtype[name].shape)]
    rules = int(record["rules"])
    found["rules"] = rules & 0xFF | sum(old for bit, old in _PORTABLE_RULES.items() if rules & bit)
    if rules & RULE_GIVEN_COURSE:  # where the batch keeps the course says nothing about the race
        for name in {"course", "tables_at"} & set(found.dtype.names or ()):
            found[name] = 0
    return found


def _record(kind: Kind, seats: int, of: tuple[tuple[Any, ...], ...]) -> np.dtype:
    sizes = {"S": seats, "H": kind.hand, "P": MAX_PLAYERS, "A": kind.answers}
    sizes |= {"U": max(upgrades.COUNT, len(kind.upgrade_numbers)), "N": max(kind.upgrade_numbers, default=0)}
    fields = []
    for name, dtype, shape, *_ in of:
        lengths = tuple(sizes[n] if isinstance(n, str) else n for n in shape)
        fields.append((name, np.dtype(dtype), lengths))
    # widest first, and the rest of the last word named: with no nameless bytes, equal fields are equal bytes
    fields.sort(key=lambda field: -field[1].itemsize)
    rest = -sum(dtype.itemsize * int(np.prod(lengths)) for _, dtype, lengths in fields) % 8
    if rest:
        fields.append(("padding", np.dtype("u1"), (rest,)))
    return np.dtype((np.record, np.dtype(fields, align=True)))
