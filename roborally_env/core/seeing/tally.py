"""Counting cards by kind.

A tally is three words, of which each byte counts a kind of card: byte k % 8 of word k // 8 the cards of kind k. In
registers of the processor, adding to a count does not wait for the last one as in memory, and tallies are added as
numbers. There is room for kinds up to 23, and for 255 cards of each; no robot has as many.
"""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.seeing.wide import write_4_quarters, write_8_quarters

_QUARTER = np.float32(0.25)
# [kind] what a card of that kind adds to each of the three words
_LOW, _MIDDLE, _HIGH = (
    np.array([1 << 8 * (kind % 8) if kind // 8 == word else 0 for kind in range(24)], np.int64) for word in range(3)
)


@kernel
def tally(places, r, first, last):
    """The cards in `places[r, first:last]`: three words. Kind 0 counts empty places."""
    low = middle = high = np.int64(0)
    for i in range(first, last):
        card = np.int64(places[r, i])
        low += _LOW[card]
        middle += _MIDDLE[card]
        high += _HIGH[card]
    return low, middle, high


@kernel
def count_in(cards, kind):
    """How many cards of a kind a tally has."""
    word = cards[0] if kind < 8 else cards[1] if kind < 16 else cards[2]
    return word >> ((kind & 7) << 3) & 255


@kernel
def write_tally(cards, kinds, out, g, r, at):
    """Write how many cards of the kinds 1 .. `kinds` a tally has, / 4, from index `at` on."""
    low, middle, high = np.uint64(cards[0]), np.uint64(cards[1]), np.uint64(cards[2])
    # the same without kind 0: byte k counts kind k + 1
    low = low >> np.uint64(8) | middle << np.uint64(56)
    middle = middle >> np.uint64(8) | high << np.uint64(56)
    write_8_quarters(out, g, r, at, np.int64(low))
    if kinds < 16:
        written, rest = 8, middle
    else:
        write_8_quarters(out, g, r, at + 8, np.int64(middle))
        written, rest = 16, high >> np.uint64(8)
    if kinds - written >= 4:
        write_4_quarters(out, g, r, at + written, np.int64(rest))
        written += 4
        rest >>= np.uint64(32)
    for kind in range(written, kinds):
        count = np.int32(rest >> np.uint64((kind - written) << 3) & np.uint64(255))
        out[g, r, at + kind] = np.float32(count) * _QUARTER
