"""Random legal actions of the 2005 edition; see `core.seeing.random_actions`."""

import numpy as np

from roborally_env.core.cards2005 import NONE
from roborally_env.core.chance import scaled, stream_word
from roborally_env.core.editions.e2005.locks import closed
from roborally_env.core.kernel import kernel
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import REGISTERS


@kernel
def sample_program(game, r, key, counter, slots, row):
    """Any card in each register that is not locked."""
    pool = 0
    hand = 0  # slots left, four bits each
    for i in range(layout(game).slots):
        if game.hand[r, i] != NONE:
            hand |= i << 4 * pool
            pool += 1
    shut = closed(game, r)
    for k in range(REGISTERS):
        slots[row, k] = 0
        if shut >> k & 1 or pool == 0:
            continue
        pick = scaled(stream_word(key, counter + np.uint64(k)), pool)
        slots[row, k] = hand >> 4 * pick & 15
        pool -= 1
        last = hand >> 4 * pool & 15
        hand = hand & ~(15 << 4 * pick) | last << 4 * pick
