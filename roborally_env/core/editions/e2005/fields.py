"""The fields that a record of the 2005 edition has beside the common ones; see `core.state`."""

from roborally_env.core import options
from roborally_env.core.cards2005 import DECK_SIZE
from roborally_env.core.state import NOBODY, NOWHERE, REGISTERS, SEATS
from roborally_env.courses.tables import MAX_BOARDS, MAX_CHECKPOINTS

HAND = 11  # nine, one more with Extra Memory, one more from the Flywheel
ANSWERS = 96  # of one step
FIRE_CONTROLS = 8  # shots of one main laser in a phase, at most: two barrels, doubled, at two targets
_DECK = tuple(range(1, DECK_SIZE + 1))
_OPTION_DECK = tuple(range(1, options.COUNT + 1))

# fmt: off
FIELDS = (
    # -- the robots
    ("archive",       "i2", ("S",), NOWHERE),  # cell of the archive marker
    ("damage",        "u1", ("S",)),   # damage tokens, 0..10
    ("jammed",        "u1", ("S",)),   # bit k: register k + 1 is locked beyond the table, by Fire Control (R66)
    ("lives",         "i1", ("S",)),   # life tokens; 0: out of the game
    ("dock",          "i1", ("S",), SEATS),  # number of the dock it began on, from 0
    ("dock_order",    "i1", ("S",), SEATS),  # seats in the order of their docks; empty seats last
    ("given_order",   "i1", ("S",), SEATS),  # where fixed_order: the order that stands for priority
    ("team",          "i1", ("S",), SEATS),  # team, or player of a racer and blocker; the seat where there are no teams
    ("down",          "u1", ()),       # bit r: robot r is powered down in this turn
    ("announced",     "u1", ()),       # bit r: it will be in the next turn
    ("destroyed",     "u1", ()),       # bit r: it is off the board, waiting to come back, or out of the game
    ("dead_since",    "u1", ("S",)),   # place in the order of destruction since the last clean-up, from 1; 0: none
    ("sits_out",      "u1", ("S",)),   # turns that it still misses before it comes back (Toggle Boggle)
    ("sent_home",     "u1", ()),       # bit r: it waits to come back without loss (Capture the Flag)
    ("superbot",      "i1", (), NOBODY),  # who is the SuperBot, or NOBODY
    ("last_to_hit",   "i1", ("S",), NOBODY),  # who last shot or pushed the robot, see superbot.py
    ("carrier",       "i1", (2,), NOBODY),  # who carries the flag of each team, or NOBODY (Capture the Flag)
    ("home",          "i1", (2,), (0, 1)),  # the home board of each team (Capture the Flag)
    ("claim",         "i1", (MAX_CHECKPOINTS,), NOBODY),  # the team that holds each flag, or NOBODY (Toggle Boggle)
    ("turned",        "u1", (MAX_BOARDS,)),  # quarter turns of each board (Frenetic Factory)
    ("tables_at",     "i2", ()),       # which of the courses' tables hold now: those of the boards as they are turned
    # -- the cards
    ("deck",          "u1", (DECK_SIZE,), _DECK),  # all 84: the first `deck_left` in no order are to be drawn
    ("deck_left",     "u1", (), DECK_SIZE),
    ("top",           "u1", (DECK_SIZE,)),  # known cards on top of those, first drawn first (scenarios)
    ("tops",          "u1", ()),       # how many of them
    ("pace",          "u1", ("S", REGISTERS)),  # what counts for priority in the register: number / 10, 0 without one
    ("controller",    "i1", ("S",), NOBODY),  # whose program the robot plays in this turn, or NOBODY (Radio Control)
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
    ("option_deck",   "u1", (options.COUNT,), _OPTION_DECK),  # in no order: drawing picks at random
    ("options_left",  "u1", (), options.COUNT),  # cards in that deck
    ("options_under", "u1", ()),       # cards under it, at the end of `option_deck`: drawn last (Tricksy)
    ("offered",       "u1", ("S", 3)),  # options dealt to choose from (Tricksy)
    ("ask_about",     "i1", (), NOBODY),  # the robot that the open question is about, or NOBODY
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
# fmt: on
