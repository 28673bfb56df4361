"""The steps of a 2005 turn in rulebook order (p. 3). A game's `step` is the next one to be played."""

from roborally_env.core.steps import OVER as OVER
from roborally_env.core.steps import PROGRAM as PROGRAM

# `program`, which waits for the players, and `over` have the numbers that they have in every edition
STEP_NAMES = (
    "set_up",  # options dealt at the start; the race's first step
    "begin_turn",  # announced power downs take effect
    "deal",  # one robot's hand; once a robot in dock order
    "prepare_hands",  # Flywheel, Recompile; once a robot in dock order
    "program",  # waits for the players
    "leftovers",  # Conditional Program, Flywheel, and the rest of the hand is discarded; once a robot in dock order
    "announce",  # one robot's power down; once a robot in dock order
    "begin_register",
    "take_turn",  # one robot's card; once a robot in priority order
    "express_belts",
    "all_belts",
    "pushers",
    "gears",
    "lasers",
    "touch",
    "repairs",  # clean-up
    "wipe",
    "stay_down",
    "over",
    "reenter",  # one robot; once a destroyed robot
    "end_turn",
)
(SET_UP, BEGIN_TURN, DEAL, PREPARE_HANDS, _PROGRAM, LEFTOVERS, ANNOUNCE, BEGIN_REGISTER, TAKE_TURN, EXPRESS_BELTS,
 ALL_BELTS, PUSHERS, GEARS, LASERS, TOUCH, REPAIRS, WIPE, STAY_DOWN, _OVER, REENTER,
 END_TURN) = range(len(STEP_NAMES))  # fmt: skip
REGISTER_STEPS = STEP_NAMES[BEGIN_REGISTER : TOUCH + 1]
CLOSING_STEPS = ("repairs", "wipe", "stay_down", "reenter", "end_turn")
assert (_PROGRAM, _OVER) == (PROGRAM, OVER)
