"""When a race is over (2005 rulebook p. 10 and the special rules of courses)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import CAPTURE_THE_FLAG, LAST_TEAM_STANDING, RACERS_AND_BLOCKERS, SUPERBOT


@kernel
def is_decided(game):
    """Whether the race ends with this register: somebody has won, or nobody is left who could."""
    if game.winner != NOBODY:
        return True
    if game.special & SUPERBOT and game.lives[game.superbot] == 0:  # it alone touches flags, and nobody inherits that
        return True
    alone, several, rivals = NOBODY, False, False
    for r in range(game.players):
        counts = not game.special & RACERS_AND_BLOCKERS or r & 1 == 0  # of racers and blockers the racers count
        rivals |= counts and game.team[r] != game.team[0]
        if counts and game.lives[r] > 0:
            if alone == NOBODY:
                alone = r
            elif game.team[r] != game.team[alone]:
                several = True
    if alone == NOBODY:
        return True
    if several or not rivals or not game.special & (LAST_TEAM_STANDING | RACERS_AND_BLOCKERS):
        return False
    game.winner = alone
    log.log(game, log.WIN, alone)
    return True


@kernel
def bring_flag_home(course, game):
    """Capture the Flag: a team wins if at the end of a turn its robot carries the enemy flag on its home board."""
    if not game.special & CAPTURE_THE_FLAG:
        return
    for flag in range(2):
        r = np.int64(game.carrier[flag])
        if r != NOBODY and game.winner == NOBODY and course.board[game.cell[r]] == game.home[game.team[r]]:
            game.winner = r
            log.log(game, log.WIN, r)
