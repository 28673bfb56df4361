"""What a record that comes from outside must keep to by community rules; see `core.soundness`."""

import numpy as np

from roborally_env.core.editions.e2016 import soundness as e2016
from roborally_env.core.editions.e2016.steps import STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.soundness import BOARD, SOUND


@kernel
def turns_of_step(game):
    """See `soundness.turns_of_step`. Left-over cards and announcements of power downs are two rounds of the table."""
    if game.step == STORE_HANDS:
        return 2 * int(game.players)
    return e2016.turns_of_step(game)


@kernel
def fault_of_edition(courses, course, game):
    """See `soundness.fault_of_edition`."""
    ramps = np.int64(course.ramps)
    return BOARD if ramps < 64 and np.uint64(game.ramps) >> np.uint64(ramps) else SOUND
