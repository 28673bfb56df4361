"""One robot alone on a course by community rules, for the solo tables and distances of `core.maps`."""

import numpy as np

from roborally_env.core.editions.community.race import acting_step, is_board_step, play_step
from roborally_env.core.editions.e2016.cards import carry_out
from roborally_env.core.editions.e2016.steps import BLUE_BELTS_1
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.state import NOWHERE, REGISTERS
from roborally_env.courses.tables import HAS_PANELS


@kernel
def activate(course, game):
    """The register's board elements up to the lasers."""
    game.step = acting_step(course, game, BLUE_BELTS_1)
    while is_board_step(game.step):
        play_step(course, game)


@kernel
def play_alone(course, game, cell, facing, k, action):
    """See `distances.play_alone`. Ramps are as at the start; a destroyed robot goes to its entry point."""
    game.cell[0] = cell
    game.start[0] = course.dock[0] if course.docks > 0 else cell
    game.facing[0] = facing
    game.rebooted = game.stomped = 0
    game.damage[0] = 0
    game.ramps = course.ramps_on
    game.acted = 1
    game.register = k
    carry_out(course, game, 0, action)
    if game.cell[0] >= 0:
        activate(course, game)
    if game.cell[0] >= 0:
        return np.int64(game.cell[0]) * 4 + np.int64(game.facing[0])
    token = np.int64(course.token[falling_from(np.int64(game.cell[0]))])
    if token >= 0:
        return ~(np.int64(course.token_cell[token]) * 4 + np.int64(course.token_facing[token]))
    return ~(np.int64(game.start[0]) * 4 + np.int64(course.start_facing))


@kernel
def cell_to_go_from(game, r):
    """A robot that is off the board goes on from where it was."""
    cell = np.int64(game.cell[r])
    return cell if cell >= 0 else falling_from(cell)


@kernel
def switches_ramps(course, game):
    """See `distances.switches_ramps`."""
    return game.ramps != course.ramps_on


@kernel
def planned_at(maps, game):
    """See `planning.planned_at`: tables with ramps as they are now."""
    course = maps.courses[game.course]
    for i in range(course.variants):
        if course.variant_ramps[i] == game.ramps:
            return np.int64(course.variant_at[i])
    return np.int64(game.course)


@kernel
def set_ramps(course, game):
    """Ramps as at the start."""
    game.ramps = course.ramps_on


@kernel
def registers_of_tracks(course, game):
    """See `distances.registers_of_tracks`."""
    return REGISTERS if course.has & HAS_PANELS else 1


@kernel
def state_of_reentry(course, game, r):
    """Where a destroyed robot of the community edition will come back, as cell * 4 + facing; -1 on the board."""
    if game.cell[r] >= 0:
        return -1
    token = np.int64(course.token[falling_from(np.int64(game.cell[r]))]) if game.cell[r] < NOWHERE else -1
    if token >= 0:
        return np.int64(course.token_cell[token]) * 4 + np.int64(course.token_facing[token])
    return np.int64(game.start[r]) * 4 + np.int64(course.start_facing)
