"""The steps of a community round. Those that it shares with 2016 have the numbers that they have there."""

from roborally_env.core.editions.e2016 import steps
from roborally_env.core.editions.e2016.steps import (
    BLUE_BELTS_1,
    BLUE_BELTS_2,
    BOARD_LASERS,
    CHECKPOINTS,
    ENERGY_SPACES,
    GEARS,
    GREEN_BELTS,
    PUSH_PANELS,
    ROBOT_LASERS,
)

RAMPS, TRAPDOORS, STOMPERS = range(len(steps.STEP_NAMES), len(steps.STEP_NAMES) + 3)
STEP_NAMES = (*steps.STEP_NAMES, "ramps", "trapdoors", "stompers")
REGISTER_STEPS = (*steps.REGISTER_STEPS, *STEP_NAMES[RAMPS:])

# what the board does in a register, in rulebook order
ACTIVATION = (
    BLUE_BELTS_1, BLUE_BELTS_2, GREEN_BELTS, PUSH_PANELS, GEARS, RAMPS, TRAPDOORS, STOMPERS, BOARD_LASERS,
    ROBOT_LASERS, ENERGY_SPACES, CHECKPOINTS,
)  # fmt: skip
