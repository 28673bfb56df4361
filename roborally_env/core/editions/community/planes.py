"""What the planes show of the course in the community edition; see `core.seeing.planes`."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.seeing import planes
from roborally_env.core.seeing.planes import _ENERGY_PLANE, _RAMP_PLANE, ON, mark
from roborally_env.courses.tables import HAS_RAMPS

mark_as_in_2016 = planes.mark_course.default


@kernel
def virtual(game, q):
    """1 where robot q is in virtual mode."""
    return int(game.virtual) >> q & 1


@kernel
def mark_course(course, game, r, row, column, facing, view):
    """Checkpoints, energy cubes, and the ramps that are on."""
    mark_as_in_2016(course, game, r, row, column, facing, view)
    for i in range(course.energy_spaces):
        cell = int(course.energy_cell[i])
        if course.repair[cell] and int(game.cubes >> np.uint64(i)) & 1:  # an energy space and a repair site in one
            mark(course, cell, row, column, facing, view, _ENERGY_PLANE, 2 | course.repair[cell] << 2)
    if course.has & HAS_RAMPS:
        for i in range(course.ramps):
            if int(game.ramps >> np.uint64(i)) & 1:
                cell = int(course.ramp_cell[i])
                rises = 1 << ((int(course.ramp_up[cell]) - facing) & 3)
                mark(course, cell, row, column, facing, view, _RAMP_PLANE, ON | rises)
