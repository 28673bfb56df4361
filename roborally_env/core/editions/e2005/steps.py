"""The steps of a 2005 turn in rulebook order (p. 3). A game's `step` is the next one to be played."""

from roborally_env.core.steps import OVER, PROGRAM, Steps

# `program`, which waits for the players, and `over` have the same numbers in every edition
_STEPS = Steps()
SET_UP = _STEPS.add("set_up")  # options dealt at the start; the race's first step
BEGIN_TURN = _STEPS.add("begin_turn")  # announced power downs take effect
DEAL = _STEPS.add("deal")  # one robot's hand; once for each robot in dock order
PREPARE_HANDS = _STEPS.add("prepare_hands")  # Flywheel, Recompile; once for each robot in dock order
_PROGRAM = _STEPS.add("program")  # waits for the players
LEFTOVERS = _STEPS.add("leftovers")  # Conditional Program, Flywheel, then discarding; once for each robot in dock order
ANNOUNCE = _STEPS.add("announce")  # one robot's power down; once for each robot in dock order
BEGIN_REGISTER = _STEPS.add("begin_register")
TAKE_TURN = _STEPS.add("take_turn")  # one robot's card; once for each robot in priority order
EXPRESS_BELTS = _STEPS.add("express_belts")
ALL_BELTS = _STEPS.add("all_belts")
PUSHERS = _STEPS.add("pushers")
GEARS = _STEPS.add("gears")
LASERS = _STEPS.add("lasers")
TOUCH = _STEPS.add("touch")
REPAIRS = _STEPS.add("repairs")  # clean-up
WIPE = _STEPS.add("wipe")
STAY_DOWN = _STEPS.add("stay_down")
_OVER = _STEPS.add("over")
REENTER = _STEPS.add("reenter")  # one robot comes back; once for each destroyed robot
END_TURN = _STEPS.add("end_turn")
STEP_NAMES = tuple(_STEPS.names)
REGISTER_STEPS = STEP_NAMES[BEGIN_REGISTER : TOUCH + 1]
CLOSING_STEPS = ("repairs", "wipe", "stay_down", "reenter", "end_turn")
assert (_PROGRAM, _OVER) == (PROGRAM, OVER)
