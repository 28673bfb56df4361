"""The state of one game: a record. This file is the one place that says what each field means.

A batch is an array of records: `games["cell"]` is an array [B, seats] for a NumPy user, `games[i]` one
contiguous block for compiled code. A clone is `games[j] = games[i]`, a snapshot is the bytes.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_BOX, DAMAGE_KINDS
from roborally_env.core.rule_options import RULE_GIVEN_COURSE
from roborally_env.courses.tables import MAX_CHECKPOINTS
from roborally_env.errors import RoboRallyError

MARK = "is_"  # a field that begins so says which kind of record it is: compiled code is chosen by its name

REGISTERS = 5
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

# asking: who is asked what
ASK_NOTHING, ASK_ALL, ASK_PURCHASES = 0, 1, 2

SEATS = -2  # a start value: of seat s the number s
_BOX = tuple(DAMAGE_BOX)

# (name, dtype, shape) of every field, and its value at the start of a race where that is not 0. S stands for the number
# of seats, H for the room in a hand, A in the answers of a step, P for the most players, U for the cards of the upgrade
# deck (at least those of 2016), N for the highest number among them
# fmt: off
COMMON_FIELDS = (
    # -- chance
    ("seed",          "u8", ()),       # what the caller gave for this game; episode e plays with key_of(seed, e)
    ("episode",       "u8", ()),       # races begun in this place, from 0
    ("key",           "u8", ()),       # of this race's stream
    ("draws",         "u8", ()),       # words drawn from the stream so far
    # -- the board
    ("checkpoint",    "i2", (MAX_CHECKPOINTS,), NOWHERE),  # cell of checkpoint (flag) i + 1 now; NOWHERE: none
    ("course",        "i2", ()),       # index into the batch's courses
    # -- the robots
    ("cell",          "i2", ("S",), NOWHERE),  # y * 32 + x; NOWHERE for an empty seat
    ("start",         "i2", ("S",), NOWHERE),  # own start space
    ("want",          "i2", ("S",)),   # scratch of one step, 0 between steps
    ("facing",        "i1", ("S",)),   # 0..3 = N E S W
    ("reached",       "i1", ("S",)),   # last checkpoint reached, 0 at the start
    ("hits",          "u1", ("S",)),   # scratch of one step, 0 between steps
    ("order",         "i1", ("S",), SEATS),  # seats in turn order of this register; empty seats last
    ("barred",        "u1", ("S",)),   # bit i: the robot fell with checkpoint i + 1 in this register (R38)
    ("acted",         "u1", ()),       # bit r: robot r has had its turn in this register
    ("rested",        "u1", ()),       # bit i: checkpoint i + 1 was reset in this belt phase (R38a)
    # -- the cards
    ("hand",          "u1", ("S", "H")),  # card numbers of the edition, NONE at the end
    ("held",          "u1", ("S",)),   # cards in the hand
    ("registers",     "u1", ("S", REGISTERS)),  # the card in each register, NONE where empty or cancelled
    ("laid_on",       "u1", ("S", REGISTERS)),  # a second card in it: drawn for an Again (R25); a rotation (2005)
    # -- the round
    ("round_number",  "i2", ()),       # from 1
    ("max_rounds",    "i2", ()),       # the race is cut after this round; 0: never
    ("step",          "u1", ()),       # the next step of the edition's list
    ("register",      "i1", ()),       # 0..4 while registers are played
    ("turn",          "i1", ()),       # place in `order` of the robot whose turn it is
    ("players",       "i1", ()),       # live seats, the first of S
    ("winner",        "i1", (), NOBODY),  # seat, or NOBODY
    ("cut",           "u1", ()),       # 1 when max_rounds ended the race
    ("rules",         "u4", ()),       # RULE_* bits (rule_options.py)
    ("fixed_order",   "u1", ()),       # 1: `order` is given and stands for priority (scenarios)
    # -- choices
    ("asking",        "u1", ()),       # ASK_*: which choices are asked; for the others defaults are taken
    ("ask_seat",      "i1", (), NOBODY),  # whose choice is open, or NOBODY
    ("ask_kind",      "u1", ()),       # decision number
    ("ask_default",   "u1", ()),       # the option that the default policy would take
    ("ask_options",   "u8", ()),       # bit o: option o is legal
    ("answers",       "u1", ("A",)),     # options chosen since the current step began
    ("answered",      "u1", ()),       # how many of them
    ("answers_read",  "u1", ()),       # how many the step has used
    # -- counters for evaluation: they decide nothing
    ("reboots",       "u2", ("S",)),   # times that it rebooted, or was destroyed
)

# of both games of the 2016 edition
FIELDS_2016 = (
    ("cubes",         "u8", ()),       # bit i: energy space i of the course still has its cube
    ("energy",        "i2", ("S",)),   # cubes on the mat
    ("rebooted",      "u1", ()),       # bit r: robot r rebooted in this round
    ("done",          "u1", ("S", REGISTERS)),  # the action carried out in the register (R24), NONE if none
    ("damaged",       "u1", ("S",)),   # bit k: register k + 1 began with a damage card (R25a)
    ("pile",          "u1", ("S", PILE)),  # [draw pile in no order | discard pile | 0 .. | known top, topmost first]
    ("drawable",      "u1", ("S",)),   # cards in the first part of `pile`
    ("discarded",     "u1", ("S",)),   # cards in the second part
    ("known",         "u1", ("S",)),   # cards in the last part: drawn before all others
    ("damage_pile",   "u1", (DAMAGE_KINDS,), _BOX),  # SPAM, Worm, Virus, Trojan Horse left in the box
    ("taken",         "u2", ("S", DAMAGE_KINDS)),  # damage cards dealt to the robot in this race (for evaluation)
)

# of the complete 2016 game
UPGRADE_FIELDS = (
    ("owned",         "i8", ("S",)),   # bit u: upgrade u lies on the mat
    ("on_mats",       "i8", ()),       # bit u: upgrade u lies on some mat
    ("used",          "i8", ("S",)),   # bit u: used in this round (Admin Privilege, Defrag Gizmo)
    ("bought",        "i8", ("S",)),   # bit u: bought in this race (for evaluation)
    ("had",           "i8", ("S",)),   # bit u: owned at some time of this race, or its routine (for evaluation)
    ("shots",         "u2", ("S", "S")),  # [shooter, target], scratch of one step, 0 between steps (weapons.py)
    ("instead",       "u1", ("S",)),   # the card that Refresh makes of the register's, in the own turn
    ("given_order",   "i1", ("S",), SEATS),  # where fixed_order: the order that stands for priority
    ("shop",          "u1", ("P",)),   # upgrades for sale, NONE in open slots
    ("upgrade_deck",  "u1", ("U",)),   # in no order: drawing picks at random
    ("upgrades_left", "u1", ()),       # cards in the deck
    ("sold",          "u1", (), 1),    # 1: somebody bought in the last upgrade phase, or there was none yet
    ("admins",        "u1", ()),       # bit r: robot r uses Admin Privilege in this register
    ("sorters",       "u1", ()),       # bit r: Manual Sort
    ("shielded",      "u1", ()),       # bit r: robot r's Deflector Shield is up in this register
    ("howitzers",     "u1", ()),       # bit r: robot r used Mini Howitzer in this register
    ("ask_about",     "i1", (), NOBODY),  # the robot that the open question is about, or NOBODY
)

# of every edition, but not in what replays hash. All are 0 between calls of the driver: no copy of a record points at
# another's log
LOG_FIELDS = (
    ("log_at",        "u8", ()),       # address of the event log's rows [LOG_ROWS, 6] (log.py); 0: none
    ("frames_at",     "u8", ()),       # address of [LOG_ROWS] records, one for each row of the log; 0: none are kept
    ("logged",        "i2", ()),       # rows written; beyond LOG_ROWS rows are dropped
)
# fmt: on


# names of the fields of a kind, by the identity of their table, which is kept so that it stays its own
_NAMES: dict[int, tuple[object, frozenset[str]]] = {}


class Kind(NamedTuple):
    """A kind of record: one for each game that has fields of its own, and what goes with it outside compiled code."""

    name: str
    edition: str
    fields: tuple[tuple[Any, ...], ...]  # beside the common ones
    parts: Callable[[bool], tuple[Any, ...]]  # of its symbolic vector, also where every choice is asked
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


KINDS: dict[str, Kind] = {}  # by name; the editions' rules register theirs


def add_kind(kind: Kind) -> None:
    """Register a kind of record. A RoboRallyError where another one has its name."""
    if KINDS.setdefault(kind.name, kind) != kind:
        raise RoboRallyError(f"another kind of record is called {kind.name!r}")


def remove_kind(name: str) -> None:
    """Take back what `add_kind` did."""
    del KINDS[name]
    game_dtype.cache_clear()
    portable_dtype.cache_clear()
    start_of.cache_clear()


def kind_of(name: str) -> Kind:
    """A registered kind of record by its name."""
    if name not in KINDS:
        raise RoboRallyError(f"no kind of record is called {name!r}; registered are {', '.join(KINDS) or 'none'}")
    return KINDS[name]


def kind_of_record(record: Any) -> str:
    """The name of the kind of a record, or of an array of records."""
    return str(next(name.removeprefix(MARK) for name in record.dtype.names if name.startswith(MARK)))


def mark_of(kind: str) -> str:
    """The field by which compiled code knows a kind of record."""
    return MARK + kind


@cache
def game_dtype(game: str = LIGHTER) -> np.dtype:
    """The aligned record dtype of one game: one for each kind of game, with seats for the most players."""
    kind = kind_of(game)
    return _record(kind, kind.seats, COMMON_FIELDS + kind.fields + LOG_FIELDS + ((mark_of(game), "u1", ()),))


@cache
def portable_dtype(players: int, game: str = LIGHTER) -> np.dtype:
    """The record of a game of so many players as replays hash it: without the log, and with few empty seats."""
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


@cache
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
