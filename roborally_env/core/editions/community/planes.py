"""What the planes show of the course in the community edition; see `core.seeing.planes`."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.seeing import planes
from roborally_env.core.seeing.planes import _ENERGY_PLANE, _RAMP_PLANE, HIGHEST, ON, mark, noted
from roborally_env.courses.tables import HAS_RAMPS

mark_as_in_2016 = planes.mark_course.default

# and those that do in the community edition; sums of what they stand for where a cell has several
_OTHERS = {
    "floor": ("floor", "1 + the level; of a ramp its foot's", 4),
    "pit": ("pit", "32 a pit; a trapdoor: registers as bits 1 2 4 8 16", 63),
    "wall_ahead": ("wall_ahead", "1 a wall on that side, 2 the cell is not entered from there", 3),
    **{f"wall_{side}": (f"wall_{side}", "likewise", 3) for side in ("right", "behind", "left")},
    "gear_right": ("gear", "1 right, 2 left", 2),
    "gear_left": ("ramp", "rises 1 ahead, 2 to the right, 4 behind, 8 to the left; + 16 while it is on", 24),
    "antenna": ("stomper", "registers as bits 1 2 4 8 16", 31),
    "reboot_token": ("spot", "1 reboot token, 2 antenna, 4 puddle, 8 radiation, 16 button", 31),
    "energy_space": (
        "energy_or_repair",
        "1 empty energy space, 2 with its cube; + 4 repair site 1, + 8 repair site 2",
        10,
    ),
    "robot_ahead": ("robot_ahead", "another robot, heading as the own; 2 where it is virtual", 2),
    **{f"robot_{side}": (f"robot_{side}", "likewise", 2) for side in ("right", "behind", "left")},
}
PLANES = noted(*(_OTHERS.get(row[0], (*row, HIGHEST[row])) for row in planes.PLANES))


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
