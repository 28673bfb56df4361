"""Programs as numbers 0..15119: the ordered selections of five of the nine hand slots.

They are in lexicographic order: 0 is slots 0 1 2 3 4, 1 is 0 1 2 3 5, 15119 is 8 7 6 5 4. So the first
slot of program n is n // 1680.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.core.state import HAND, REGISTERS

PROGRAMS = np.array(list(permutations(range(HAND), REGISTERS)), np.int8)  # [15120, 5] slots of each program
PROGRAM_COUNT = len(PROGRAMS)
PROGRAMS.setflags(write=False)
_PLACE_VALUES = HAND ** np.arange(REGISTERS - 1, -1, -1)
_NUMBERS = np.full(HAND**REGISTERS, -1, np.int16)  # by the slots read as a number to base nine; -1: a slot used twice
_NUMBERS[PROGRAMS.astype(np.int64) @ _PLACE_VALUES] = np.arange(PROGRAM_COUNT)
_COLUMNS = [np.ascontiguousarray(PROGRAMS[:, k]) for k in range(REGISTERS)]


def program_number(slots: ArrayLike) -> NDArray[np.int16]:
    """The number of each program: int16 [...] for `slots` [..., 5] in 0..8; -1 where a slot is used twice."""
    return np.asarray(_NUMBERS[np.asarray(slots, np.int64) @ _PLACE_VALUES])


def program_slots(number: ArrayLike) -> NDArray[np.int8]:
    """The slots of each program: int8 [..., 5] for numbers 0..15119."""
    return np.asarray(PROGRAMS[np.asarray(number)])


def program_mask(masks: NDArray[np.int8]) -> NDArray[np.int8]:
    """Which programs are legal: int8 [15120], from the mask of each register, int8 [5, 9]."""
    legal = np.repeat(masks[0], PROGRAM_COUNT // HAND)
    for k in range(1, REGISTERS):
        if not masks[k].all():
            legal &= masks[k].take(_COLUMNS[k])
    return legal
