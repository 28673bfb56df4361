"""Flags that move: by belts (Moving Targets) and in robots' hands (Capture the Flag)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.special import CAPTURE_THE_FLAG
from roborally_env.courses.tables import HAS_MOVING


@kernel
def place_of_lost(course, i, game):
    """The place of a flag that was lost: off the board until the next register begins."""
    return NOWHERE


@kernel
def bring_flags_back(course, game):
    """Flags that fell from the board lie on their first spaces again."""
    if not course.has & HAS_MOVING:
        return
    for i in range(course.checkpoints):
        if game.checkpoint[i] == NOWHERE and course.checkpoint[i] >= 0:
            game.checkpoint[i] = course.checkpoint[i]
            log.log_long(game, log.CHECKPOINT_MOVED, -1, i + 1, -1, game.checkpoint[i])


@kernel
def drop_flags(course, game, r):
    """A carrier drops its flag where it is or left the board; a flag lost in a pit returns to its start."""
    if not game.special & CAPTURE_THE_FLAG:
        return
    for flag in range(2):
        if game.carrier[flag] == r:
            cell = np.int64(game.cell[r])
            drop_flag(course, game, flag, cell if cell >= 0 else falling_from(cell))


@kernel
def drop_flag(course, game, flag, cell):
    """Drop a flag on a cell; a flag that would lie in a pit returns to its start."""
    if course.pit[cell]:
        cell = np.int64(course.checkpoint[flag])
    game.carrier[flag] = NOBODY
    game.checkpoint[flag] = cell
    log.log(game, log.FLAG_DROPPED, -1, flag + 1, cell)


@kernel
def take_or_return(course, game, r, flag):
    """Robot r touches a flag of Capture the Flag: it picks up the enemy's flag, or returns its own from the home
    board."""
    own = game.home[game.team[r]]
    if flag != own:
        game.carrier[flag] = r
        game.checkpoint[flag] = NOWHERE
        log.log(game, log.FLAG_TAKEN, r, flag + 1)
    elif course.board[game.cell[r]] == own and game.checkpoint[flag] != course.checkpoint[flag]:
        left = np.int64(game.checkpoint[flag])
        game.checkpoint[flag] = course.checkpoint[flag]
        log.log_long(game, log.CHECKPOINT_MOVED, -1, flag + 1, left, course.checkpoint[flag])
