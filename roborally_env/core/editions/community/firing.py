"""Lasers on levels: a beam runs at the level where it began (community rules, Laser, Levels)."""

import numpy as np

from roborally_env.core.editions.community.heights import WALL, height, level_of, ramp_is_on
from roborally_env.core.editions.community.moving import real_robot_at
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics import lasers
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import HAS_LEVELS, STEP

target_as_in_2016 = lasers.target_in.default
_STEP = np.array(STEP, np.int64)


@kernel
def can_hit(course, game, shooter, t):
    """See `weapons.can_hit`: a robot on the same level that is not in virtual mode."""
    if game.virtual >> t & 1:
        return False
    return level_of(course, int(game.cell[shooter])) == level_of(course, int(game.cell[t]))


@kernel
def target_in(course, game, shooter, facing):
    """See `lasers.target_in`."""
    if not course.has & HAS_LEVELS and game.virtual == 0:
        return target_as_in_2016(course, game, shooter, facing)
    return first_on_way(course, game, int(game.cell[shooter]), facing, shooter)


@kernel
def first_in_beam(course, game, laser):
    """See `lasers.first_in_beam`."""
    return first_on_way(course, game, np.int64(course.laser_cell[laser]), np.int64(course.laser_out[laser]), NOBODY)


@kernel
def first_on_way(course, game, cell, direction, shooter):
    """The first robot, on the level of a cell and not in virtual mode, that a beam from the cell hits, or NOBODY.

    Only the shooter's own cell is skipped. The beam ends where the tables say, at a higher cell, and at the sides and
    the top of a ramp on its level.
    """
    level = level_of(course, cell)
    end = np.int64(course.ray_end[cell, direction])
    while True:
        if level_of(course, cell) == level:
            r = real_robot_at(game, cell)
            if r != NOBODY and r != shooter:
                return r
        if cell == end:
            return NOBODY
        to = cell + _STEP[direction]
        if course.has & HAS_LEVELS and is_stopped(course, game, cell, to, direction, level):
            return NOBODY
        cell = to


@kernel
def is_stopped(course, game, cell, to, direction, level):
    """Whether heights stop a beam of a level between two cells."""
    if level_of(course, to) > level:
        return True
    if level_of(course, cell) == level:
        side = height(course, game, cell, direction)
        if side == WALL or side > level:
            return True
    if level_of(course, to) < level or not ramp_is_on(course, game, to):
        return False
    side = height(course, game, to, (direction + 2) & 3)
    return side == WALL or side > level


@kernel
def silent(game):
    """The robots that do not shoot, as bits: powered down, or in virtual mode."""
    return np.int64(game.down) | np.int64(game.virtual)
