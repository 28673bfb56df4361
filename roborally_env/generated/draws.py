"""Random draws that are the same on every machine and under every version of every library."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from roborally_env.base.types import Json

T = TypeVar("T")
_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # from one state to the next
_AHEAD = 128  # words that are made at once: numpy makes one in a fifth of the time that Python takes
_STEPS = np.arange(_AHEAD, 0, -1, dtype=np.uint64) * np.uint64(_STEP)


def _mixed(state: Json) -> Json:
    """The words of states, as whole numbers or as an array of them."""
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return state ^ (state >> 31)


class Draws:
    """A stream of draws from a seed: SplitMix64 (Steele, Lea and Flood, 2014)."""

    def __init__(self, *seeds: int) -> None:
        state = 0
        for seed in seeds:
            state = _mixed(((state ^ (seed & _MASK)) + _STEP) & _MASK)
        self._last = state  # of the words ahead
        self._ahead: list[int] = []  # the last one comes first

    @property
    def state(self) -> int:
        """All that a stream is: one that is given the state of another goes on as that one."""
        return (self._last - len(self._ahead) * _STEP) & _MASK

    @state.setter
    def state(self, state: int) -> None:
        self._last, self._ahead = state, []

    def _more(self) -> list[int]:
        """The words ahead, when none is left."""
        self._ahead = _mixed(_STEPS + np.uint64(self._last)).tolist()
        self._last = (self._last + _AHEAD * _STEP) & _MASK
        return self._ahead

    def word(self) -> int:
        """64 random bits."""
        return (self._ahead or self._more()).pop()

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        return (self._ahead or self._more()).pop() * limit >> 64

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return (self._ahead or self._more()).pop() < share * 2.0**64

    def one(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One of the items, by whole weights."""
        left = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            if left < weight:
                return item
            left -= weight
        raise AssertionError("unreachable")

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order (Fisher and Yates)."""
        found = list(items)
        for i in range(len(found) - 1, 0, -1):
            j = (self._ahead or self._more()).pop() * (i + 1) >> 64
            found[i], found[j] = found[j], found[i]
        return found
