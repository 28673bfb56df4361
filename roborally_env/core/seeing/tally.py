"""Counting cards by kind.

A tally is three words, of which each byte counts a kind of card: byte k % 8 of word k // 8 the cards of kind k. In
registers of the processor, adding to a count does not wait for the last one as in memory, and tallies are added as
numbers. There is room for kinds up to 23, and for 255 cards of each; no robot has as many.
"""

import numpy as np

from roborally_env.core.kernel import kernel

_QUARTER = np.float32(0.25)


@kernel
def tally(places, r, first, last):
    """The cards in `places[r, first:last]`: three words. Kind 0 counts empty places."""
    low = middle = high = np.int64(0)
    for i in range(first, last):
        card = np.int64(places[r, i])
        one = np.int64(1) << ((card & 7) << 3)
        low += one if card < 8 else 0
        middle += one if card & 8 else 0
        high += one if card >= 16 else 0
    return low, middle, high


@kernel
def count_in(cards, kind):
    """How many cards of a kind a tally has."""
    word = cards[0] if kind < 8 else cards[1] if kind < 16 else cards[2]
    return word >> ((kind & 7) << 3) & 255


@kernel
def write_tally(cards, kinds, out, g, r, at):
    """Write how many cards of the kinds 1 .. `kinds` a tally has, / 4, from index `at` on."""
    low, middle, high = cards
    # numbers of 32 bits: processors turn several of these at once into float32, and those of 64 bits one by one
    for kind in range(1, min(8, kinds + 1)):
        out[g, r, at + kind - 1] = np.float32(np.int32(low >> (kind << 3) & 255)) * _QUARTER
    for kind in range(8, min(16, kinds + 1)):
        out[g, r, at + kind - 1] = np.float32(np.int32(middle >> ((kind - 8) << 3) & 255)) * _QUARTER
    for kind in range(16, kinds + 1):
        out[g, r, at + kind - 1] = np.float32(np.int32(high >> ((kind - 16) << 3) & 255)) * _QUARTER
