"""Belts and pushers on levels: robots fall down ledges, checkpoints stay within reach (R38)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.editions.community.destruction import settle_virtual
from roborally_env.core.editions.community.heights import level_of, levels_between, way
from roborally_env.core.editions.community.moving import drop, press_button
from roborally_env.core.kernel import kernel
from roborally_env.courses.tables import BLOCKED, HAS_BUTTONS, HAS_LEVELS


@kernel
def carried_to(course, game, speed, cell):
    """See `belts.carried_to`: not up a ledge, nor against the side of a ramp."""
    to = np.int64(course.belt_to[speed, cell])
    if to == cell or not course.has & HAS_LEVELS:
        return to
    return np.int64(cell) if way(course, game, cell, np.int64(course.belt_out[cell])) == BLOCKED else to


@kernel
def levels_down(course, game, cell, to):
    """See `belts.levels_down`."""
    return levels_between(course, game, cell, to, np.int64(course.belt_out[cell]))


@kernel
def land(course, game, dropped):
    """After all have been carried on: damage to robots that fell down ledges, then buttons, in turn order."""
    were_virtual = np.int64(game.virtual)
    settle_virtual(game)
    for place in range(game.players):
        r = int(game.order[place])
        levels = dropped >> 4 * r & 7
        if levels and not were_virtual >> r & 1:
            drop(game, r, levels)
    if course.has & HAS_BUTTONS:
        for place in range(game.players):
            r = int(game.order[place])
            if dropped >> 4 * r & 8:
                press_button(course, game, r)


@kernel
def stays(course, cell, to, game):
    """A checkpoint goes neither off the board nor into a pit nor to another level."""
    return to < 0 or level_of(course, cell) != level_of(course, to)


@kernel
def push_checkpoints(course, game):
    """Push the checkpoints that were on pushers of this register when the phase began."""
    for i in range(course.checkpoints):
        cell = int(game.checkpoint[i])
        if cell < 0 or not course.panel[cell] >> game.register & 1:
            continue
        to = way(course, game, cell, np.int64(course.panel_push[cell]))
        if to != BLOCKED and not stays(course, cell, to, game):
            game.checkpoint[i] = to
            log.log_long(game, log.CHECKPOINT_MOVED, -1, i + 1, cell, to)
