"""Day of the SuperBot: who hit whom last, and who is the SuperBot next (2005 course manual p. 25; R93).

`last_to_hit` has the robot that last shot or directly pushed each robot, or NOBODY. A robot that becomes the SuperBot
stays it until the register phase is over, even if it is destroyed in that phase. Until then its entry is raised by
INHERITED.
"""

import numpy as np

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import SUPERBOT

INHERITED = 16
_LEAST = INHERITED + NOBODY  # the entry of a robot that has inherited and was never hit


@kernel
def note_hit(game, target, by):
    """Robot `by` has shot robot `target` with a laser or pushed it directly."""
    game.last_to_hit[target] = by + INHERITED if game.last_to_hit[target] >= _LEAST else by


@kernel
def pass_superbot(game):
    """The robot that last shot or pushed the destroyed SuperBot becomes SuperBot; if none did, the SuperBot stays."""
    heir = np.int64(game.last_to_hit[game.superbot])
    if NOBODY < heir < _LEAST and game.lives[heir] > 0:
        game.superbot = heir
        game.last_to_hit[heir] += INHERITED
        log.log(game, log.SUPERBOT, heir)


@kernel
def end_inheriting(game):
    """The register phase is over: a robot that became the SuperBot in it can now lose that role like any other."""
    if not game.special & SUPERBOT:
        return
    for r in range(game.players):
        if game.last_to_hit[r] >= _LEAST:
            game.last_to_hit[r] -= INHERITED
