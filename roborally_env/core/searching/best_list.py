"""Functions that the searches of all editions share."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import closed
from roborally_env.core.rule import rule
from roborally_env.core.state import REGISTERS

FIVE = REGISTERS
WAIT = cards.POWER_UP - 1  # the column of the solo table that stays in place
WIN = 4000.0  # quarters of a register
BEAM_COST = 1.0  # cost of a laser hit in the search alone
BITS = 5  # of a slot in a packed program
OTHERS_TOP = 4  # programs from which another player's is drawn


@kernel
def copy_row(rows, i, out, k):
    """out[k] = rows[i], for rows of equal length: without the check of shapes that numba compiles, and its message."""
    for j in range(out.shape[1]):
        out[k, j] = rows[i, j]


@kernel
def number_all(order):
    """order[i] = i."""
    for i in range(order.shape[0]):
        order[i] = i


@kernel
def follow_tracks(course, game, places):
    """Fill `places` with the place of each checkpoint on its track after 0 to 5 registers."""
    for i in range(course.checkpoints):
        if game.checkpoint[i] < 0:
            continue
        place = int(course.place_of[i, game.checkpoint[i]])
        for k in range(FIVE + 1):
            places[k, i] = place
            place = int(course.next_place[i, place])


@kernel
def closed_and_damage(game, r):
    """A number of the registers that get no card, the cards in them, and robot r's damage."""
    shut = not_to_fill(game, r)
    word = np.uint64(shut)
    for k in range(FIVE):
        card = np.uint64(game.registers[r, k]) if shut >> k & 1 else np.uint64(0)
        word = word * np.uint64(128) + card
    return word * np.uint64(64) + np.uint64(game.damage[r])


@kernel
def packed(slot, length):
    """A program of `length` chosen slots as one number; a slot of -1, of a closed register, counts as 0."""
    word = length
    for k in range(length - 1, -1, -1):
        word = word << BITS | (slot[k] + 1)
    return word


@kernel
def insert(value, word, found, values, kept):
    """Insert a program with its value into the list, sorted by value, of `found` programs, behind those of the same
    value; of a full list the last is lost. Returns the new count."""
    room = values.shape[0]
    at = found if found < room else room - 1
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        kept[at] = kept[at - 1]
        at -= 1
    values[at] = value
    kept[at] = word
    return found + 1 if found < room else room


@kernel
def write_programs(game, r, shut, found, kept, programs):
    """Write the packed programs kept[:found] into `programs` i1 [.., 5], completed with free slots.

    Registers of the bit set `shut` get no card; their slot is 0.
    """
    for i in range(found):
        word = kept[i]
        length = word
        while length >= 1 << BITS:
            length >>= BITS
        used = 0
        for k in range(length):
            slot = (word & ((1 << BITS) - 1)) - 1
            word >>= BITS
            programs[i, k] = max(slot, 0)
            if slot >= 0:
                used |= 1 << slot
        free = 0
        for k in range(length, FIVE):
            if shut >> k & 1:
                programs[i, k] = 0
                continue
            while used >> free & 1 or game.hand[r, free] == cards.NONE:
                free += 1
            programs[i, k] = free
            used |= 1 << free


@rule
def not_to_fill(game, r):
    """The registers that get no card, as bits; none if a hand always fills all registers."""
    return 0


@kernel
def closed_or_short(game, r):
    """`not_to_fill` for closed registers and small hands: the closed registers, and the last ones for lack of cards."""
    shut = np.int64(closed(game, r))
    free = np.int64(FIVE)
    for k in range(FIVE):
        free -= shut >> k & 1
    for k in range(FIVE - 1, -1, -1):
        if free > game.held[r] and not shut >> k & 1:
            shut |= 1 << k
            free -= 1
    return shut
