"""The special rules of courses as bits, and who plays for whom (2005 rulebook, Course Manual)."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses import special
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS, RACERS_AND_BLOCKERS, SUPERBOT

team_of = kernel(special.team_of)


@kernel
def is_blocker(game, r):
    """Whether robot r is a blocker of Interference: the odd seats."""
    return bool(game.special & RACERS_AND_BLOCKERS) and r & 1 == 1


@kernel
def touches_flags(game, r):
    """Whether touching a flag counts for robot r: not for blockers, and in races with a SuperBot only for it."""
    if is_blocker(game, r):
        return False
    return not game.special & SUPERBOT or game.superbot == r


@kernel
def next_flag(course, game, r):
    """The number, from 0, of robot r's next flag, or NOBODY."""
    if game.special & CAPTURE_THE_FLAG:
        own = game.home[game.team[r]]
        return int(own if game.carrier[1 - own] == r else 1 - own)
    if game.special & CLAIMS:
        return next_claim(game, r)
    return next_in_order(course, game, r)


@kernel
def next_in_order(course, game, r):
    """The flag from which robot r takes the rest in order; NOBODY if it wins in another way."""
    if game.special & (CAPTURE_THE_FLAG | CLAIMS) or not touches_flags(game, r):
        return NOBODY
    return np.int64(game.reached[r]) if game.reached[r] < course.checkpoints else NOBODY


@kernel
def next_claim(game, r):
    """Toggle Boggle: the first flag that the own team does not hold; each robot counts from a different flag."""
    flags = 0
    for i in range(game.checkpoint.shape[0]):
        flags += game.checkpoint[i] != NOWHERE
    for i in range(flags):
        flag = (i + r // 2) % flags
        if game.claim[flag] != game.team[r]:
            return flag
    return NOBODY
