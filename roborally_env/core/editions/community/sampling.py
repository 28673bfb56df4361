"""Random legal actions of the community edition: locked registers, small hands, power downs."""

import numpy as np

from roborally_env.core.cards import NONE
from roborally_env.core.chance import scaled, stream_word
from roborally_env.core.editions.community.programming import closed
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import REGISTERS


@kernel
def sample_program(game, r, key, counter, slots, row):
    """See `sampling.sample_program`: any card in each register that is not locked; an Again goes first only if the hand
    has nothing else (C14)."""
    hand = np.int64(0)  # slots left, four bits each, in their order
    plain = np.int64(0)  # those of them without an Again
    count = 0
    others = 0
    for i in range(layout(game).slots):
        card = game.hand[r, i]
        there = int(card != NONE)
        hand |= i * there << 4 * count
        count += there
        there &= int(not is_again(card))
        plain |= i * there << 4 * others
        others += there
    shut = closed(game, r)
    for k in range(REGISTERS):
        slots[row, k] = 0
        if shut >> k & 1 or count == 0:
            continue
        word = stream_word(key, counter + np.uint64(k))
        if k == 0 and others > 0:
            slot = plain >> 4 * scaled(word, others) & 15
            at = place_in(hand, slot)
        else:
            at = scaled(word, count)
            slot = hand >> 4 * at & 15
        slots[row, k] = slot
        before = (1 << 4 * at) - 1
        hand = hand & before | hand >> 4 & ~before  # those behind it move up
        count -= 1


@kernel
def place_in(hand, slot):
    """The place of a slot in a list of four bits each, which has it."""
    at = 0
    while hand >> 4 * at & 15 != slot:
        at += 1
    return at


@kernel
def round_of(game):
    """See `sampling.round_of`."""
    return int(game.round_number)
