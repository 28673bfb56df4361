"""The fields that a record of the 2005 edition has beside the common ones; see `core.state`."""

from roborally_env.core import options
from roborally_env.core.cards2005 import DECK_SIZE
from roborally_env.core.state import (
    ANY,
    CARD,
    DAMAGE,
    DIRECTION,
    NO_OR_YES,
    NOBODY,
    NOWHERE,
    PLACE,
    REGISTER_SET,
    REGISTERS,
    ROBOT_OR_NOBODY,
    ROBOTS,
    SEAT,
    SEATS,
    ZERO,
    Bits,
)
from roborally_env.courses.tables import MAX_BOARDS, MAX_CHECKPOINTS, MAX_DOCKS

HAND = 11  # nine, one more with Extra Memory, one more from the Flywheel
ANSWERS = 128  # of one step: a question for each token of eight robots, and one for each option besides
FIRE_CONTROLS = 8  # shots of one main laser in a phase, at most: two barrels, doubled, at two targets
_DECK = tuple(range(1, DECK_SIZE + 1))
_OPTION_DECK = tuple(range(1, options.COUNT + 1))
OPTIONS = Bits(options.COUNT + 1)

# fmt: off
FIELDS = (
    # -- the robots
    ("archive",       "i2", ("S",), NOWHERE, PLACE),            # cell of the archive marker
    ("damage",        "u1", ("S",), 0, DAMAGE),                 # damage tokens, 0..10
    # bit k: register k + 1 is locked beyond the table, by Fire Control (R66)
    ("jammed",        "u1", ("S",), 0, REGISTER_SET),
    ("lives",         "i1", ("S",), 0, (0, 4)),                 # life tokens; 0: out of the game
    ("dock",          "i1", ("S",), SEATS, (0, MAX_DOCKS - 1)),  # number of the dock it began on, from 0
    ("dock_order",    "i1", ("S",), SEATS, SEAT),               # seats in the order of their docks; empty seats last
    ("given_order",   "i1", ("S",), SEATS, SEAT),               # where fixed_order: the order that stands for priority
    # team, or player of a racer and blocker; the seat where there are no teams
    ("team",          "i1", ("S",), SEATS, SEAT),
    ("down",          "u1", (), 0, ROBOTS),                     # bit r: robot r is powered down in this turn
    ("announced",     "u1", (), 0, ROBOTS),                     # bit r: it will be in the next turn
    ("destroyed",     "u1", (), 0, ROBOTS),  # bit r: it is off the board, waiting to come back, or out of the game
    # place in the order of destruction since the last clean-up, from 1; 0: none
    ("dead_since",    "u1", ("S",), 0, (0, "seats")),
    ("sits_out",      "u1", ("S",), 0, (0, 2)),  # turns that it still misses before it comes back (Toggle Boggle)
    ("sent_home",     "u1", (), 0, ROBOTS),  # bit r: it waits to come back without loss (Capture the Flag)
    ("superbot",      "i1", (), NOBODY, ROBOT_OR_NOBODY),       # who is the SuperBot, or NOBODY
    # who last shot or pushed the robot, see superbot.py
    ("last_to_hit",   "i1", ("S",), NOBODY, (NOBODY, 23)),
    # who carries the flag of each team, or NOBODY (Capture the Flag)
    ("carrier",       "i1", (2,), NOBODY, ROBOT_OR_NOBODY),
    ("home",          "i1", (2,), (0, 1), NO_OR_YES),           # the home board of each team (Capture the Flag)
    # the team that holds each flag, or NOBODY (Toggle Boggle)
    ("claim",         "i1", (MAX_CHECKPOINTS,), NOBODY, (NOBODY, "last_seat")),
    ("turned",        "u1", (MAX_BOARDS,), 0, DIRECTION),       # quarter turns of each board (Frenetic Factory)
    # which of the courses' tables hold now: those of the boards as they are turned
    ("tables_at",     "i2", (), 0, (0, "last_tables")),
    # -- the cards
    # all 84: the first `deck_left` in no order are to be drawn
    ("deck",          "u1", (DECK_SIZE,), _DECK, (1, DECK_SIZE)),
    ("deck_left",     "u1", (), DECK_SIZE, (0, DECK_SIZE)),
    ("top",           "u1", (DECK_SIZE,), 0, CARD),  # known cards on top of those, first drawn first (scenarios)
    ("tops",          "u1", (), 0, (0, DECK_SIZE)),             # how many of them
    # what counts for priority in the register: number / 10, 0 without one
    ("pace",          "u1", ("S", REGISTERS), 0, (0, DECK_SIZE)),
    # whose program the robot plays in this turn, or NOBODY (Radio Control)
    ("controller",    "i1", ("S",), NOBODY, ROBOT_OR_NOBODY),
    ("aborted",       "u1", (), 0, ROBOTS),                     # bit r: Abort Switch is thrown for the rest of the turn
    ("stabilized",    "u1", (), 0, ROBOTS),                     # bit r: Gyroscopic Stabilizer is active in this turn
    ("recompiled",    "u1", (), 0, ROBOTS),                     # bit r: Recompile was decided in this turn
    # bit q: robot r's Ramming Gear has touched q with this card; 0 between turns
    ("rammed",        "u1", ("S",), 0, ROBOTS),
    # bit k: the player had Crab Legs when the two cards in register k + 1 were placed (R65)
    ("with_legs",     "u1", ("S",), 0, REGISTER_SET),
    ("as_dual",       "u1", (), 0, ROBOTS),  # bit r: robot r chose Dual Processor for the pair in this register (R65)
    ("conditional",   "u1", ("S",), 0, CARD),                   # the card on Conditional Program
    ("flywheel",      "u1", ("S",), 0, CARD),                   # the card on the Flywheel
    ("coat",          "u1", ("S",), 0, ANY),                    # damage tokens on Ablative Coat
    ("howitzer",      "u1", ("S",), 0, ANY),                    # uses of Mini Howitzer
    ("shield",        "u1", ("S",), 0, (0, 15)),  # bit d: Power-Down Shield stopped damage from there in this phase
    ("options",       "i4", ("S",), 0, OPTIONS),                # bit o: option o lies in front of the player
    ("on_table",      "i4", (), 0, OPTIONS),                    # bit o: option o lies in front of somebody
    ("option_deck",   "u1", (options.COUNT,), _OPTION_DECK, (0, options.COUNT)),  # in no order: drawing picks at random
    ("options_left",  "u1", (), options.COUNT, (0, options.COUNT)),  # cards in that deck
    # cards under it, at the end of `option_deck`: drawn last (Tricksy)
    ("options_under", "u1", (), 0, (0, options.COUNT)),
    ("offered",       "u1", ("S", 3), 0, (0, options.COUNT)),   # options dealt to choose from (Tricksy)
    ("ask_about",     "i1", (), NOBODY, ROBOT_OR_NOBODY),       # the robot that the open question is about, or NOBODY
    # -- scratch of one step, 0 between steps
    ("beams",         "u1", ("S", 4), 0, ZERO),  # board laser beams that hit, by the direction in which they run
    ("shots",         "u1", ("S", "S"), 0, ZERO),               # [shooter, target]: hits by the main laser
    ("rear_shots",    "u1", ("S", "S"), 0, ZERO),               # [shooter, target]: hits by the rear laser
    ("instead",       "u1", ("S", "S"), 0, ZERO),  # [shooter, target]: the option used in place of the main laser
    # of each shot by Fire Control: 1 + the target, and its choice
    ("controls",      "u1", (FIRE_CONTROLS, 2), 0, ZERO),
    ("pushers",       "u1", ("S",), 0, ROBOTS),  # bit q: q pushed robot r from its home board in this register
    # -- the rest
    ("special",       "u4", (), 0, ANY),                        # special rules of the course, SPECIAL_BITS
    # 1: a hand of more than nine is brought down to nine before programming (envs)
    ("lays_aside",    "u1", (), 0, NO_OR_YES),
    ("tokens",        "u2", ("S",), 0, ANY),                    # damage tokens received in this race (for evaluation)
    ("had",           "i4", ("S",), 0, OPTIONS),  # bit o: had option o at some time of this race (for evaluation)
)
# fmt: on
