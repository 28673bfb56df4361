"""Programs as numbers: the ordered selections of five of the hand's slots.

They are in lexicographic order: with nine slots program 0 is slots 0 1 2 3 4, program 1 is 0 1 2 3 5, and program 15119
is 8 7 6 5 4. So the first slot of program n is n // 1680.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.core.state import REGISTERS


class Ranking(PicklableArrays):
    """The numbering of all programs from a hand: 15,120 programs with nine slots, 30,240 with ten."""

    def __init__(self, hand_slots: int) -> None:
        self.hand_slots = hand_slots
        self.programs = np.array(list(permutations(range(hand_slots), REGISTERS)), np.int8)  # [count, 5]
        self.programs.setflags(write=False)
        self.count = len(self.programs)
        self._place_values = hand_slots ** np.arange(REGISTERS - 1, -1, -1)
        # the index is the slots read as digits in base `hand_slots`; -1: a slot is used twice
        self._numbers = np.full(hand_slots**REGISTERS, -1, np.int16)
        self._numbers[self.programs.astype(np.int64) @ self._place_values] = np.arange(self.count)
        self._columns = [np.ascontiguousarray(self.programs[:, k]) for k in range(REGISTERS)]

    def number(self, slots: ArrayLike) -> NDArray[np.int16]:
        """The number of each program: int16 [...] for `slots` [..., 5]; -1 where a slot is used twice."""
        return np.asarray(self._numbers[np.asarray(slots, np.int64) @ self._place_values])

    def slots(self, number: ArrayLike) -> NDArray[np.int8]:
        """The slots of each program: int8 [..., 5]."""
        return np.asarray(self.programs[np.asarray(number)])

    def mask(self, masks: NDArray[np.int8], closed: int = 0) -> NDArray[np.int8]:
        """Which programs are legal: int8 [count], from the mask of each register, int8 [5, hand_slots].

        `closed` registers, as bits, take no card. Of programs that differ only there, one is legal: the one with the
        lowest free slots in the closed registers.
        """
        legal: NDArray[np.int8] = np.repeat(masks[0], self.count // self.hand_slots)
        if closed:
            legal = self._fillers(closed).copy()
        for k in range(REGISTERS):
            if not closed >> k & 1 and not masks[k].all() and (k or closed):
                legal &= masks[k].take(self._columns[k])
        return np.asarray(legal)

    @cache  # noqa: B019  # there are two rankings, and 31 sets of closed registers
    def _fillers(self, closed: int) -> NDArray[np.int8]:
        """1 for each program that has the lowest free slots, ascending, in closed registers."""
        shut = [k for k in range(REGISTERS) if closed >> k & 1]
        played = [k for k in range(REGISTERS) if k not in shut]
        free = np.ones((self.count, self.hand_slots), np.bool_)
        np.put_along_axis(free, self.programs[:, played].astype(np.int64), False, axis=1)
        # a stable sort by "is used" puts the free slots first, in ascending order
        lowest = np.argsort(~free, axis=1, kind="stable")[:, : len(shut)]
        return np.asarray((self.programs[:, shut] == lowest).all(axis=1), np.int8)


@cache
def ranking_of(hand_slots: int) -> Ranking:
    """The numbering of the programs of such a hand, made once."""
    return Ranking(hand_slots)
