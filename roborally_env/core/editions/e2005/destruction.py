"""Being destroyed (2005 rulebook p. 10), and what it ends."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.choices import OPTION_LOST, choose
from roborally_env.core.editions.e2005.flags import drop_flags
from roborally_env.core.editions.e2005.steps import TAKE_TURN
from roborally_env.core.editions.e2005.superbot import pass_superbot
from roborally_env.core.editions.e2005.table import discard_option, how_many, least_option
from roborally_env.core.editions.e2005.turn_order import reorder_rest
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.special import SIT_OUT, SUPERBOT
from roborally_env.courses.tables import PIT


@kernel
def destroy(course, game, r):
    """Robot r is destroyed: it leaves the board and loses a life token and an option."""
    drop_flags(course, game, r)
    game.cell[r] = NOWHERE
    game.destroyed |= 1 << r
    game.sent_home = np.int64(game.sent_home) & ~(1 << r)
    game.announced = np.int64(game.announced) & ~(1 << r)  # its player may choose again when it comes back
    dead = 0
    for q in range(game.players):
        dead += game.dead_since[q] > 0
    game.dead_since[r] = dead + 1
    game.lives[r] -= 1
    game.reboots[r] += 1
    if game.special & SIT_OUT:
        game.sits_out[r] = 1
    release_controlled(game, r)
    log.log(game, log.DESTROYED, r, game.lives[r])
    if game.special & SUPERBOT and game.superbot == r:
        pass_superbot(game)
    lose_option(game, r)


@kernel
def destroy_fallen(course, game, fell):
    """Destroy, in priority order, the robots of a bit set that fell because of belts (R8)."""
    for place in range(game.players):
        r = np.int64(game.order[place])
        if fell >> r & 1:
            if game.want[r] <= PIT:
                game.cell[r] = falling_from(PIT - np.int64(game.want[r]))
            destroy(course, game, r)


@kernel
def lose_option(game, r):
    """A destroyed robot loses an option of its player's choice; a player with one option has no choice (R61)."""
    if game.options[r] == 0:
        return
    least = least_option(game, r)
    if how_many(game, r) > 1:
        least = choose(game, r, OPTION_LOST, np.int64(game.options[r]), least)
    discard_option(game, r, least)


@kernel
def release_controlled(game, r):
    """End Radio Control: no robot plays the destroyed robot's program, and it plays no other robot's (R66)."""
    game.controller[r] = NOBODY
    released = False
    for q in range(game.players):
        if game.controller[q] == r:
            game.controller[q] = NOBODY
            released = True
    if released and game.step == TAKE_TURN:
        reorder_rest(game)
