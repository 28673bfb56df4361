"""The state of one game: a record. This file is the one place that says what each field means.

A batch is an array of records: `games["cell"]` is an array [B, seats] for a NumPy user, `games[i]` one
contiguous block for compiled code. A clone is `games[j] = games[i]`, a snapshot is the bytes.
"""

from functools import cache

import numpy as np

from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_KINDS
from roborally_env.core.editions.e2005 import options
from roborally_env.core.editions.e2005.cards import DECK_SIZE
from roborally_env.courses.tables import MAX_BOARDS, MAX_CHECKPOINTS

REGISTERS = 5
HAND = 9
HAND_WITH_UPGRADES = 10  # one more with Memory Stick
HAND_ROOM = 13  # of a record with upgrades: Memory Swap draws three more
HAND_2005 = 11  # nine, one more with Extra Memory, one more from the Flywheel
PILE = 104  # room for every card that one robot can own (100), in whole words
ANSWERS = 64
ANSWERS_WITH_UPGRADES = 192  # with every damage pile empty one step can ask as much
ANSWERS_2005 = 96
PORTABLE_SEATS = (2, 4, 6)  # what replays hash: the smallest of these records that holds the players
PORTABLE_SEATS_2005 = (4, 8)
MAX_PLAYERS = 6
MAX_ROBOTS = 8  # of any edition
LOG_ROWS = 2048  # events of one step that are kept; a full round of six robots takes a few hundred
FIRE_CONTROLS = 8  # shots of one main laser in a phase, at most: two barrels, doubled, at two targets

NOWHERE = -1  # cell of an empty seat; a falling robot has -2 - (the cell whose board decides its token)
NOBODY = -1

# options in `rules`, one bit each
RULE_ADVANCED = 1  # unused cards stay in the hand
RULE_AGAIN_REPEATS = 2  # R25: Again after a damage card repeats the replacement
RULE_TWO_ENDED_BOTH = 4  # R33: both ends of a two-ended laser hit
RULE_TIMER = 8  # the caller may name registers left open
RULE_FIXED_STARTS = 16  # robots start on the docks in order, not at random
RULE_FOUR_LIVES = 32  # 2005: four life tokens
RULE_NO_OPTIONS = 64  # 2005: no option cards
RULE_RACE_ON = 128  # community: the race goes on after the first winner
RULE_NO_UPGRADES = 64  # community: no upgrade phase
RULE_FIVE_ENERGY = 32  # 2023: energy 5 at the start in place of 3
RULE_ENERGY_UNLIMITED = 64  # 2023: the energy track has no end

# which game a record is for: 2016 without upgrades, with them, the 2005 edition
LIGHTER, COMPLETE, CLASSIC = "lighter", "complete", "2005"
COLLECTING = "2023"  # the 2016 race with the upgrade phase of 2023
COMMUNITY = "community"  # the community rules
WITH_UPGRADES = (COMPLETE, COLLECTING, COMMUNITY)  # the games in which upgrade cards lie on mats

# asking: who is asked what
ASK_NOTHING, ASK_ALL, ASK_PURCHASES = 0, 1, 2

# (name, dtype, shape) of every field; S stands for the number of seats, H for the room in a hand, A in the answers of a
# step, P for the most players
# fmt: off
COMMON_FIELDS = (
    # -- chance
    ("seed",          "u8", ()),       # what the caller gave for this game; episode e plays with key_of(seed, e)
    ("episode",       "u8", ()),       # races begun in this place, from 0
    ("key",           "u8", ()),       # of this race's stream
    ("draws",         "u8", ()),       # words drawn from the stream so far
    # -- the board
    ("checkpoint",    "i2", (MAX_CHECKPOINTS,)),  # cell of checkpoint (flag) i + 1 now; NOWHERE where there is none
    ("course",        "i2", ()),       # index into the batch's courses
    # -- the robots
    ("cell",          "i2", ("S",)),   # y * 32 + x; NOWHERE for an empty seat
    ("start",         "i2", ("S",)),   # own start space
    ("want",          "i2", ("S",)),   # scratch of one step, 0 between steps
    ("facing",        "i1", ("S",)),   # 0..3 = N E S W
    ("reached",       "i1", ("S",)),   # last checkpoint reached, 0 at the start
    ("hits",          "u1", ("S",)),   # scratch of one step, 0 between steps
    ("order",         "i1", ("S",)),   # seats in turn order of this register; empty seats last
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
    ("damage_pile",   "u1", (DAMAGE_KINDS,)),   # SPAM, Worm, Virus, Trojan Horse left in the box
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
)

# of the 2023 edition, beside all those; its shop stays empty
COLLECTION_FIELDS = (
    ("collection",    "i8", ("S",)),   # bit u: upgrade u lies uninstalled in the collection, hidden from the others
    ("upgrade_discard", "i8", ()),     # bit u: upgrade u lies in the upgrade discard pile
    ("shuffled",      "u1", (upgrades.COUNT,)),  # of upgrade u + 1: the last shuffle of the discard pile that it was in
    ("shuffles",      "u1", ()),       # how often the discard pile was shuffled: what lay in it has been seen
    ("upgrade_tops",  "u1", ()),       # so many last cards of the deck are known, the top one last (scenarios)
    ("drew",          "u1", ()),       # bit r: robot r drew an upgrade in this upgrade phase
    ("installed",     "u1", ()),       # bit r: it installed one
)

# of the 2005 edition
FIELDS_2005 = (
    # -- the robots
    ("archive",       "i2", ("S",)),   # cell of the archive marker
    ("damage",        "u1", ("S",)),   # damage tokens, 0..10
    ("jammed",        "u1", ("S",)),   # bit k: register k + 1 is locked beyond the table, by Fire Control (R66)
    ("lives",         "i1", ("S",)),   # life tokens; 0: out of the game
    ("dock",          "i1", ("S",)),   # number of the dock it began on, from 0
    ("dock_order",    "i1", ("S",)),   # seats in the order of their docks; empty seats last
    ("given_order",   "i1", ("S",)),   # where fixed_order: the order that stands for priority
    ("team",          "i1", ("S",)),   # team, or the player of a racer and blocker; the seat where there are no teams
    ("down",          "u1", ()),       # bit r: robot r is powered down in this turn
    ("announced",     "u1", ()),       # bit r: it will be in the next turn
    ("destroyed",     "u1", ()),       # bit r: it is off the board, waiting to come back, or out of the game
    ("dead_since",    "u1", ("S",)),   # place in the order of destruction since the last clean-up, from 1; 0: none
    ("sits_out",      "u1", ("S",)),   # turns that it still misses before it comes back (Toggle Boggle)
    ("sent_home",     "u1", ()),       # bit r: it waits to come back without loss (Capture the Flag)
    ("superbot",      "i1", ()),       # who is the SuperBot, or NOBODY
    ("last_to_hit",   "i1", ("S",)),   # who last shot or pushed the robot, or NOBODY (Day of the SuperBot)
    ("carrier",       "i1", (2,)),     # who carries the flag of each team, or NOBODY (Capture the Flag)
    ("home",          "i1", (2,)),     # the home board of each team (Capture the Flag)
    ("claim",         "i1", (MAX_CHECKPOINTS,)),  # the team that holds each flag, or NOBODY (Toggle Boggle)
    ("turned",        "u1", (MAX_BOARDS,)),  # quarter turns of each board (Frenetic Factory)
    ("tables_at",     "i2", ()),       # which of the courses' tables hold now: those of the boards as they are turned
    # -- the cards
    ("deck",          "u1", (DECK_SIZE,)),  # all 84: the first `deck_left` in no order are to be drawn
    ("deck_left",     "u1", ()),
    ("top",           "u1", (DECK_SIZE,)),  # known cards on top of those, first drawn first (scenarios)
    ("tops",          "u1", ()),       # how many of them
    ("pace",          "u1", ("S", REGISTERS)),  # what counts for priority in the register: number / 10, 0 without one
    ("controller",    "i1", ("S",)),   # whose program the robot plays in this turn, or NOBODY (Radio Control)
    ("aborted",       "u1", ()),       # bit r: Abort Switch is thrown for the rest of the turn
    ("stabilized",    "u1", ()),       # bit r: Gyroscopic Stabilizer is active in this turn
    ("recompiled",    "u1", ()),       # bit r: Recompile was asked about in this turn
    ("rammed",        "u1", ("S",)),   # bit q: robot r's Ramming Gear has touched q with this card; 0 between turns
    ("as_dual",       "u1", ()),       # bit r: robot r chose Dual Processor for the pair in this register (R65)
    ("conditional",   "u1", ("S",)),   # the card on Conditional Program
    ("flywheel",      "u1", ("S",)),   # the card on the Flywheel
    ("coat",          "u1", ("S",)),   # damage tokens on Ablative Coat
    ("howitzer",      "u1", ("S",)),   # uses of Mini Howitzer
    ("shield",        "u1", ("S",)),   # bit d: Power-Down Shield stopped damage from there in this phase
    ("options",       "i4", ("S",)),   # bit o: option o lies in front of the player
    ("on_table",      "i4", ()),       # bit o: option o lies in front of somebody
    ("option_deck",   "u1", (options.COUNT,)),  # in no order: drawing picks at random
    ("options_left",  "u1", ()),       # cards in that deck
    ("options_under", "u1", ()),       # cards under it, at the end of `option_deck`: drawn last (Tricksy)
    ("offered",       "u1", ("S", 3)),  # options dealt to choose from (Tricksy)
    ("ask_about",     "i1", ()),       # the robot that the open question is about, or NOBODY
    # -- scratch of one step, 0 between steps
    ("beams",         "u1", ("S", 4)),  # board laser beams that hit, by the direction in which they run
    ("shots",         "u1", ("S", "S")),  # [shooter, target]: hits by the main laser
    ("rear_shots",    "u1", ("S", "S")),  # [shooter, target]: hits by the rear laser
    ("instead",       "u1", ("S", "S")),  # [shooter, target]: the option used in place of the main laser
    ("controls",      "u1", (FIRE_CONTROLS, 2)),  # of each shot by Fire Control: 1 + the target, and its choice
    ("pushers",       "u1", ("S",)),      # bit q: q pushed robot r from its home board in this register
    # -- the rest
    ("special",       "u4", ()),       # special rules of the course, SPECIAL_BITS
    ("lays_aside",    "u1", ()),       # 1: a hand of more than nine is brought down to nine before programming (envs)
    ("tokens",        "u2", ("S",)),   # damage tokens received in this race (for evaluation)
    ("had",           "i4", ("S",)),   # bit o: had option o at some time of this race (for evaluation)
)

# of the community edition, which has those of the complete 2016 game besides. `rebooted` is there: destroyed, or at the
# goal; `cell` is then that of a robot that fell; `taken`, `damaged` and `damage_pile` stay 0
COMMUNITY_FIELDS = (
    ("ramps",         "u8", ()),       # bit i: ramp i of the course is on
    ("damage",        "u1", ("S",)),   # damage tokens, 0..10
    ("tokens",        "u2", ("S",)),   # damage tokens received in this race (for evaluation)
    ("place",         "i1", ("S",)),   # finishing place from 1; 0: not at the goal
    ("virtual",       "u1", ()),       # bit r: robot r is in virtual mode
    ("stomped",       "u1", ()),       # bit r: robot r acts last in the next activation
    ("down",          "u1", ()),       # bit r: robot r is powered down in this round
    ("announced",     "u1", ()),       # bit r: it will be in the next round
    ("unhurt",        "u1", ()),       # bit r: it comes back without damage (Reboot)
)

# of every edition, but not in what replays hash. Both are 0 between calls of the driver: no copy of a record points at
# another's log
LOG_FIELDS = (
    ("log_at",        "u8", ()),       # address of the event log's rows [LOG_ROWS, 6] (log.py); 0: none
    ("logged",        "i2", ()),       # rows written; beyond LOG_ROWS rows are dropped
)
# fmt: on
GAME_FIELDS = {
    LIGHTER: COMMON_FIELDS + FIELDS_2016,
    COMPLETE: COMMON_FIELDS + FIELDS_2016 + UPGRADE_FIELDS,
    CLASSIC: COMMON_FIELDS + FIELDS_2005,
    COLLECTING: COMMON_FIELDS + FIELDS_2016 + UPGRADE_FIELDS + COLLECTION_FIELDS,
    COMMUNITY: COMMON_FIELDS + FIELDS_2016 + UPGRADE_FIELDS + COMMUNITY_FIELDS,
}
_HANDS = {LIGHTER: HAND, COMPLETE: HAND_ROOM, CLASSIC: HAND_2005, COLLECTING: HAND_ROOM, COMMUNITY: HAND_ROOM}
_ANSWERS = {
    LIGHTER: ANSWERS,
    COMPLETE: ANSWERS_WITH_UPGRADES,
    CLASSIC: ANSWERS_2005,
    COLLECTING: ANSWERS_WITH_UPGRADES,
    COMMUNITY: ANSWERS_WITH_UPGRADES,
}


@cache
def game_dtype(game: str = LIGHTER) -> np.dtype:
    """The aligned record dtype of one game: one for each kind of game, with seats for the most players."""
    return _record(game, MAX_ROBOTS if game == CLASSIC else MAX_PLAYERS, GAME_FIELDS[game] + LOG_FIELDS)


@cache
def portable_dtype(players: int, game: str = LIGHTER) -> np.dtype:
    """The record of a game of so many players as replays hash it: without the log, and with few empty seats."""
    seats = next(s for s in (PORTABLE_SEATS_2005 if game == CLASSIC else PORTABLE_SEATS) if s >= players)
    return _record(game, seats, GAME_FIELDS[game])


def portable(record: np.void) -> np.ndarray:
    """A game's record with the fields and the bytes that replays hash."""
    names = set(record.dtype.names or ())
    marks = (("lives", CLASSIC), ("collection", COLLECTING), ("virtual", COMMUNITY), ("owned", COMPLETE))
    game = next((game for field, game in marks if field in names), LIGHTER)
    found = np.zeros((), portable_dtype(int(record["players"]), game))
    for name in found.dtype.names or ():
        if name != "padding":
            found[name] = record[name][tuple(slice(n) for n in found.dtype[name].shape)]
    return found


def _record(game: str, seats: int, of: tuple[tuple[str, str, tuple[str | int, ...]], ...]) -> np.dtype:
    sizes = {"S": seats, "H": _HANDS[game], "P": MAX_PLAYERS, "A": _ANSWERS[game]}
    fields = []
    for name, kind, shape in of:
        lengths = tuple(sizes[n] if isinstance(n, str) else n for n in shape)
        fields.append((name, np.dtype(kind), lengths))
    # widest first, and the rest of the last word named: with no nameless bytes, equal fields are equal bytes
    fields.sort(key=lambda field: -field[1].itemsize)
    rest = -sum(kind.itemsize * int(np.prod(lengths)) for _, kind, lengths in fields) % 8
    if rest:
        fields.append(("padding", np.dtype("u1"), (rest,)))
    return np.dtype((np.record, np.dtype(fields, align=True)))
