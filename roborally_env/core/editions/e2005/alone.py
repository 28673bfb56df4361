"""One robot alone on a 2005 course, for the solo tables and distances of `core.maps`."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.editions.e2005.moving import play_card
from roborally_env.core.editions.e2005.race import acting_step, play_step
from roborally_env.core.editions.e2005.steps import EXPRESS_BELTS, LASERS
from roborally_env.core.kernel import kernel

COSTS_2005 = np.array([4, 4, 5, 5, 4, 4, 5, 8], dtype=np.int64)  # no card waits: waiting takes two turns


@kernel
def activate(course, game):
    """The register's board elements up to the lasers."""
    game.step = acting_step(course, game, EXPRESS_BELTS)
    while game.step < LASERS:
        play_step(course, game)


@kernel
def play_alone(course, game, cell, facing, k, action):
    """See `distances.play_alone`. A destroyed robot then stands on the first dock."""
    game.cell[0] = cell
    game.facing[0] = facing
    game.lives[0] = 1
    game.destroyed = 0
    game.dead_since[0] = 0
    game.register = k
    if action != cards.POWER_UP:  # the column that waits
        play_card(course, game, 0, action, 0)
    activate(course, game)
    if game.cell[0] < 0:
        return ~((np.int64(course.dock[0]) if course.docks > 0 else cell) * 4 + np.int64(course.start_facing))
    return np.int64(game.cell[0]) * 4 + np.int64(game.facing[0])


@kernel
def back_at(game, r, state):
    """See `planning.back_at`: on its archive marker."""
    return np.int64(game.archive[r]) * 4 + (state & 3)


@kernel
def cell_to_go_from(game, r):
    """A destroyed robot goes on from its archive marker."""
    return np.int64(game.cell[r]) if game.cell[r] >= 0 else np.int64(game.archive[r])
