"""Random legal actions of the community edition: locked registers, small hands, power downs."""

import numpy as np

from roborally_env.core.cards import NONE
from roborally_env.core.chance import scaled, stream_word
from roborally_env.core.editions.community.programming import closed
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import legal_slot
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import REGISTERS


@kernel
def sample_program(game, r, key, counter, slots, row):
    """See `sampling.sample_program`: any card in each register that is not locked; an Again goes first only if the hand
    has nothing else (C14)."""
    for k in range(REGISTERS):
        slots[row, k] = 0
    shut = closed(game, r)
    used = np.int64(0)
    for k in range(REGISTERS):
        if shut >> k & 1:
            continue
        legal = legal_slots(game, r, k, used)
        count = np.int64(0)
        for i in range(layout(game).slots):
            count += legal >> i & 1
        if count == 0:
            break
        pick = scaled(stream_word(key, counter + np.uint64(k)), count)
        slot = 0
        while pick > 0 or not legal >> slot & 1:
            pick -= legal >> slot & 1
            slot += 1
        slots[row, k] = slot
        used |= 1 << slot


@kernel
def legal_slots(game, r, k, used):
    """The slots of the hand that may go into register k, as bits, where those of the bit set `used` are laid."""
    legal = np.int64(0)
    for i in range(layout(game).slots):
        if game.hand[r, i] != NONE and legal_slot(game, r, i, k, used):
            legal |= 1 << i
    return legal


@kernel
def round_of(game):
    """See `sampling.round_of`."""
    return int(game.round_number)
