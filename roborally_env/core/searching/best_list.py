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
OTHERS_TOP = 4  # programs from which another player's is drawn


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
def insert(value, length, slot, shut, game, r, found, values, programs):
    """Insert a program of `length` chosen slots, completed with free slots, into the sorted list.

    Registers of the bit set `shut` get no card; their slot is 0. Returns the new count.
    """
    room = values.shape[0]
    at = found if found < room else room - 1
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        programs[at] = programs[at - 1]
        at -= 1
    values[at] = value
    used = 0
    for k in range(length):
        programs[at, k] = max(slot[k], 0)
        if slot[k] >= 0:
            used |= 1 << slot[k]
    free = 0
    for k in range(length, FIVE):
        if shut >> k & 1:
            programs[at, k] = 0
            continue
        while used >> free & 1 or game.hand[r, free] == cards.NONE:
            free += 1
        programs[at, k] = free
        used |= 1 << free
    return found + 1 if found < room else room


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
