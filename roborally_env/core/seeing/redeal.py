"""Drawing anew what a seat cannot know."""

import numpy as np

from roborally_env.core.chance import key_of
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule


@kernel
def redeal(games, seat, seed):
    """In every game, draw anew what `seat` cannot know: the hidden cards of other players, and all future random
    numbers."""
    for i in range(games.shape[0]):
        game = games[i]
        game.key = key_of(game.key, np.uint64(seed) ^ np.uint64(0x5EED))
        game.draws = 0
        redeal_others(game, seat)


@rule(required=True)
def redeal_others(game, seat):
    """Draw the hidden cards of all players but `seat` from the game's stream."""


# -- edition 2016


# -- edition 2005
