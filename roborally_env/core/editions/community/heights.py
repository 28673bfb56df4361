"""Levels, ledges and ramps: which way is open (community rules, Levels, Ledges, Ramp).

Each side of a cell has a height. The height of a floor is its level. A ramp that is on rises from its level at the foot
to the next level at its top, and its other two sides are walls. A step leads to a side of equal height or, down a
ledge, to a lower one.
"""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.courses.tables import BLOCKED, EDGE, HAS_LEVELS, PIT

WALL = -1  # height of the side of a ramp


@kernel
def ramp_is_on(course, game, cell):
    """Whether a cell is a ramp that is switched on."""
    ramp = np.int64(course.ramp[cell])
    return ramp >= 0 and bool(np.int64(game.ramps) >> ramp & 1)


@kernel
def height(course, game, cell, side):
    """The height of a cell's side, or WALL."""
    level = np.int64(course.level[cell])
    if not ramp_is_on(course, game, cell):
        return level
    apart = (side - np.int64(course.ramp_up[cell])) & 3
    if apart & 1:
        return WALL
    return level if apart else level + 1


@kernel
def level_of(course, cell):
    """The level of a robot on a cell; on a ramp the level of the ramp's foot."""
    return np.int64(course.level[cell])


@kernel
def entered_by(to):
    """The cell that a step to `to` (a cell, or PIT - cell) leads into."""
    return PIT - to if to <= PIT else to


@kernel
def way(course, game, cell, direction):
    """See `movement.way`: ledges from below and sides of ramps count as walls too."""
    to = np.int64(course.next[cell, direction])
    if not course.has & HAS_LEVELS or to == BLOCKED:
        return to
    here = height(course, game, cell, direction)
    if here == WALL:
        return np.int64(BLOCKED)
    if to == EDGE:
        return to
    there = height(course, game, entered_by(to), (direction + 2) & 3)
    return np.int64(BLOCKED) if there == WALL or here < there else to


@kernel
def levels_between(course, game, cell, there, direction):
    """How many levels a robot falls by an open step from a cell to the next."""
    if not course.has & HAS_LEVELS:
        return np.int64(0)
    return height(course, game, cell, direction) - height(course, game, there, (direction + 2) & 3)


@kernel
def can_push_into(course, game, cell, there, direction):
    """Whether a robot that steps from a cell to the next meets a robot there on its own level, and can push it."""
    if not course.has & HAS_LEVELS:
        return True
    on_one_level = level_of(course, cell) == level_of(course, there)
    return on_one_level and levels_between(course, game, cell, there, direction) == 0
