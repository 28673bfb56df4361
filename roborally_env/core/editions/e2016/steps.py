"""The steps of a 2016 round in rulebook order. A game's `step` is the next one to be played."""

from roborally_env.core.steps import OVER, PROGRAM, Steps

_STEPS = Steps()
UPGRADE_PHASE = _STEPS.add("upgrade_phase")  # the shop is filled; u: only in games with upgrades
BUY_UPGRADES = _STEPS.add("buy_upgrades")  # u: one robot's purchase; once for each robot
DRAW_HANDS = _STEPS.add("draw_hands")
PREPARE_HANDS = _STEPS.add("prepare_hands")  # u: one robot uses upgrades on its hand; once for each robot
_PROGRAM = _STEPS.add("program")  # waits for the players
STORE_HANDS = _STEPS.add("store_hands")  # u: Cache Memory, then the rest of the hand is discarded; once for each robot
BEGIN_REGISTER = _STEPS.add("begin_register")
TAKE_TURN = _STEPS.add("take_turn")  # one robot's card, once for each robot; all of them if no choices are open
BLUE_BELTS_1 = _STEPS.add("blue_belts_1")
BLUE_BELTS_2 = _STEPS.add("blue_belts_2")
GREEN_BELTS = _STEPS.add("green_belts")
PUSH_PANELS = _STEPS.add("push_panels")
GEARS = _STEPS.add("gears")
BOARD_LASERS = _STEPS.add("board_lasers")
ROBOT_LASERS = _STEPS.add("robot_lasers")
ENERGY_SPACES = _STEPS.add("energy_spaces")
CHECKPOINTS = _STEPS.add("checkpoints")
END_ROUND = _STEPS.add("end_round")
_OVER = _STEPS.add("over")
STEP_NAMES = tuple(_STEPS.names)
REGISTER_STEPS = STEP_NAMES[BEGIN_REGISTER : CHECKPOINTS + 1]
assert (_PROGRAM, _OVER) == (PROGRAM, OVER)
