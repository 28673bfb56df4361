"""Symbolic vectors as other types than float32, for learners that want to move fewer bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.base.checks import check_choice
from roborally_env.base.types import Array, DType
from roborally_env.core.seeing import narrow
from roborally_env.core.seeing.parts import Part, bounds_of

DTYPES = ("float32", "float16", "uint8")
# How many steps a byte may give to 1: the most with which the range of a number has room. Vectors have halves, ..,
# thirty-seconds and, up to 8, tenths and thirds; so what is counted or placed comes back as it was.
_STEPS = (160, 96, 64, 48, 32, 30, 24, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)


class Encoding:
    """How the numbers of a symbolic vector are written as `dtype`.

    `"float32"`: as they are. `"float16"`: rounded to the nearest half. `"uint8"`: `round(value * steps) + zeros`, so
    that a learner gets `(codes - zeros) / steps`, on a GPU after the bytes have been moved there. Flags, cards, counts
    and places come back exactly; distances and rounds to half a step (see the docs on observations).

    Attributes:
        dtype: of the vectors.
        steps: float32 [n]: how many steps of each number make 1; 1 in other types than uint8.
        zeros: float32 [n]: the code of 0, a whole number; 0 in other types than uint8.
    """

    def __init__(self, dtype: str, low: ArrayLike, high: ArrayLike) -> None:
        """`low`, `high`: the bounds of each number [n], as in the space of float32 vectors.

        Raises:
            RoboRallyError: for an unknown dtype.
        """
        self.name = check_choice(dtype, "dtype", DTYPES)
        self.dtype: DType = np.dtype(self.name)
        bottom, top = np.asarray(low, np.float32).ravel(), np.asarray(high, np.float32).ravel()
        self.steps = np.ones(len(bottom), np.float32)
        self.zeros = np.zeros(len(bottom), np.float32)
        if self.name == "uint8":
            self.steps = steps_for(bottom, top)
            self.zeros = np.ceil(-bottom * self.steps)

    @classmethod
    def of_parts(cls, dtype: str, parts: Sequence[Part], players: int) -> Encoding:
        """That of the vector with these parts one after the other."""
        bounds = [bounds_of(part, players) for part in parts]
        low, high = (np.concatenate([bound[at].ravel() for bound in bounds]) for at in (0, 1))
        return cls(dtype, low, high)

    def encode(self, values: NDArray[np.float32], out: Array | None = None) -> Array:
        """Vectors float32 [.., n] as `dtype`, written into `out` of the same shape if it is given."""
        if self.name == "float32":
            if out is None:
                return values
            out[...] = values
            return out
        rows = np.ascontiguousarray(values, np.float32).reshape(-1, 1, len(self.steps))
        out = np.empty(values.shape, self.dtype) if out is None else out
        codes, halves = self.split(out.reshape(rows.shape))
        narrow.narrow_all(rows, self.steps, self.zeros, codes, halves)
        return out

    def split(self, vectors: Array) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Vectors [N, .., n] of `dtype` as (codes, bits of halves); those of another dtype have no rows."""
        empty = vectors[:0]
        return (
            vectors if self.name == "uint8" else empty.astype(np.uint8),
            vectors.view(np.uint16) if self.name == "float16" else empty.astype(np.uint16),
        )

    def decode(self, codes: Array) -> NDArray[np.float32]:
        """The numbers that vectors [.., n] of `dtype` stand for, as float32."""
        if self.name != "uint8":
            return np.asarray(codes, np.float32)
        return np.asarray((codes - self.zeros) / self.steps, np.float32)


def steps_for(low: NDArray[np.float32], high: NDArray[np.float32]) -> NDArray[np.float32]:
    """The most steps for 1 with which numbers between these bounds [n] have room in a byte, float32 [n]."""
    found = np.full(len(low), _STEPS[-1], np.float32)
    for steps in reversed(_STEPS):
        found[np.ceil(-low * steps) + np.ceil(high * steps) <= 255] = steps
    return found
