"""The steps of a 2016 round in rulebook order. A game's `step` is the next one to be played."""

from roborally_env.core import steps
from roborally_env.core.steps import OVER as OVER
from roborally_env.core.steps import PROGRAM as PROGRAM

STEP_NAMES = (
    "upgrade_phase",  # the shop is filled; u: only in games with upgrades
    "buy_upgrades",  # u: one robot's purchase; once for each robot
    "draw_hands",
    "prepare_hands",  # u: one robot uses upgrades on its hand before programming; once for each robot
    "program",  # waits for the players
    "store_hands",  # u: Cache Memory, then the rest of the hand is discarded; once for each robot
    "begin_register",
    "take_turn",  # one robot's card; once for each robot
    "blue_belts_1",
    "blue_belts_2",
    "green_belts",
    "push_panels",
    "gears",
    "board_lasers",
    "robot_lasers",
    "energy_spaces",
    "checkpoints",
    "end_round",
    "over",
)
(UPGRADE_PHASE, BUY_UPGRADES, DRAW_HANDS, PREPARE_HANDS, _PROGRAM, STORE_HANDS, BEGIN_REGISTER, TAKE_TURN, BLUE_BELTS_1,
 BLUE_BELTS_2, GREEN_BELTS, PUSH_PANELS, GEARS, BOARD_LASERS, ROBOT_LASERS, ENERGY_SPACES, CHECKPOINTS, END_ROUND,
 _OVER) = range(len(STEP_NAMES))  # fmt: skip
REGISTER_STEPS = STEP_NAMES[BEGIN_REGISTER : CHECKPOINTS + 1]
assert (_PROGRAM, _OVER) == (steps.PROGRAM, steps.OVER)
