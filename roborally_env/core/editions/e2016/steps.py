"""The steps of a 2016 round in rulebook order. A game's `step` is the next one to be played."""

from roborally_env.core import steps
from roborally_env.core.steps import OVER as OVER
from roborally_env.core.steps import PROGRAM as PROGRAM

STEP_NAMES = (
    "upgrade_phase",  # the shop is filled; only in games with upgrades, as all steps marked u
    "buy_upgrades",  # u: one robot's purchase; once a robot
    "draw_hands",
    "prepare_hands",  # u: what one robot does with its hand before it programs; once a robot
    "program",  # waits for the players
    "store_hands",  # u: Cache Memory, and the rest of the hands is discarded; once a robot
    "begin_register",
    "take_turn",  # one robot's card; once a robot
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
