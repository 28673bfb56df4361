"""Effects of the weapons that replace the main laser (R64 to R66)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.choices import NO
from roborally_env.core.editions.e2005.destruction import destroy
from roborally_env.core.editions.e2005.locks import locked, place_from_deck
from roborally_env.core.editions.e2005.pushes import note_shift
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import MOVED, robot_at, shift_line
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import WIDTH


@kernel
def option_to_destroy(game, target, legal):
    """The default policy for Fire Control: the most valuable option of the target, else no."""
    best = NO
    for option in range(1, options.COUNT + 1):
        if legal >> option & 1 and (best == NO or options.VALUE[option] > options.VALUE[best]):
            best = option
    return best


@kernel
def switch_programs(game):
    """Apply Scrambler and Radio Control to targets that are still there."""
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        for target in range(game.players):
            used = np.int64(game.instead[r, target])
            if game.cell[target] < 0 or used == options.NONE:
                continue
            k = np.int64(game.register) + 1
            if used == options.SCRAMBLER and not locked(game, target) >> k & 1:
                pace = game.pace[target, k]
                place_from_deck(game, target, k)
                game.pace[target, k] = pace
            elif used == options.RADIO_CONTROL and game.cell[r] >= 0:
                game.controller[target] = r
                log.log(game, log.CONTROLLED, target, r)


@kernel
def along(cell, facing):
    """A number that sorts cells along a direction."""
    x, y = cell % WIDTH, cell // WIDTH
    return x if facing == 1 else -x if facing == 3 else y if facing == 2 else -y


@kernel
def shift_targets(course, game):
    """Push and pull targets, in priority order of the shooters, nearest target first."""
    for place in range(game.players):
        r = np.int64(game.order[place])
        for _ in range(2):
            target = NOBODY
            nearest = 1 << 30
            for q in range(game.players):
                used = np.int64(game.instead[r, q])
                if used == options.MINI_HOWITZER or used == options.PRESSOR_BEAM or used == options.TRACTOR_BEAM:
                    away = along(np.int64(game.cell[q]), np.int64(game.facing[r]))
                    if away < nearest:
                        target, nearest = q, away
            if target == NOBODY:
                break
            used = np.int64(game.instead[r, target])
            game.instead[r, target] = options.NONE
            shift(course, game, r, target, used)


@kernel
def shift(course, game, r, target, used):
    """One push or pull."""
    if game.cell[target] < 0:
        return
    facing = np.int64(game.facing[r])
    direction = facing ^ 2 if used == options.TRACTOR_BEAM else facing
    if used == options.TRACTOR_BEAM:
        to = np.int64(course.next[game.cell[target], direction])
        if to >= 0 and robot_at(game, to) != NOBODY:
            return  # a pull pushes nobody (R50)
    else:
        note_shift(course, game, r, target, direction)
    fell = shift_line(course, game, target, direction, 0, log.SHIFT)
    if fell > MOVED:
        destroy(course, game, fell - 1)
