"""The steps of a 2005 turn in rulebook order (p. 3). A game's `step` is the next one to be played."""

from roborally_env.core.steps import OVER as OVER
from roborally_env.core.steps import PROGRAM as PROGRAM

# `program`, which waits for the players, and `over` have the same numbers in every edition
STEP_NAMES = (
    "set_up",  # options dealt at the start; the race's first step
    "begin_turn",  # announced power downs take effect
    "deal",  # one robot's hand; once for each robot in dock order
    "prepare_hands",  # Flywheel, Recompile; once for each robot in dock order
    "program",  # waits for the players
    "leftovers",  # Conditional Program, Flywheel, then discarding; once for each robot in dock order
    "announce",  # one robot's power down; once for each robot in dock order
    "begin_register",
    "take_turn",  # one robot's card; once for each robot in priority order
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
    "reenter",  # one robot comes back; once for each destroyed robot
    "end_turn",
)
(SET_UP, BEGIN_TURN, DEAL, PREPARE_HANDS, _PROGRAM, LEFTOVERS, ANNOUNCE, BEGIN_REGISTER, TAKE_TURN, EXPRESS_BELTS,
 ALL_BELTS, PUSHERS, GEARS, LASERS, TOUCH, REPAIRS, WIPE, STAY_DOWN, _OVER, REENTER,
 END_TURN) = range(len(STEP_NAMES))  # fmt: skip
REGISTER_STEPS = STEP_NAMES[BEGIN_REGISTER : TOUCH + 1]
CLOSING_STEPS = ("repairs", "wipe", "stay_down", "reenter", "end_turn")
assert (_PROGRAM, _OVER) == (PROGRAM, OVER)
