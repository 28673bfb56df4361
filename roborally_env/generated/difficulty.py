"""How many rounds four `greedy` will need, estimated from distances: difficulty as a number, and its bands.

`scripts/experiments/fit_difficulty.py` has fitted the numbers of each edition (`CourseStyle.rounds`) to races on
generated courses and writes what they are worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from roborally_env.generated.style import STYLES

# band -> rounds of a race of four `greedy`, least and most
BANDS = {1: (1.8, 3.2), 2: (4.5, 6.0), 3: (8.0, 10.0), 4: (13.0, 16.0), 5: (21.0, 27.0)}
ROUND = 20.0  # quarter registers


def way_of(first: NDArray[np.int64], between: Sequence[int]) -> float:
    """The quarter registers to the last checkpoint, by the distances of the start spaces and the further legs.

    The first robot home ends a race, and it often starts near: halfway between the mean and the nearest start space
    predicts best.
    """
    return (float(first.mean()) + float(first.min())) / 2 + sum(between)


def rounds_of(home: str, way: float, checkpoints: int, numbers: tuple[float, float, float] | None = None) -> float:
    """The rounds of a race of four `greedy`, by the quarter registers of `way_of`.

    Other `numbers` than those of the edition are for a new fit.
    """
    a, b, c = numbers or STYLES[home].rounds  # rounds = exp(a + b log(way / ROUND) + c log(checkpoints))
    return math.exp(a + b * math.log(way / ROUND) + c * math.log(checkpoints))


def way_for(home: str, rounds: float, checkpoints: int) -> float:
    """The quarter registers for which `rounds_of` predicts this number of rounds."""
    a, b, c = STYLES[home].rounds
    return ROUND * math.exp((math.log(rounds) - a - c * math.log(checkpoints)) / b)


def band_of(rounds: float) -> int:
    """The band, 1 to 5, that is nearest to a number of rounds."""
    middles = {band: math.log(low * high) / 2 for band, (low, high) in BANDS.items()}
    return min(middles, key=lambda band: abs(middles[band] - math.log(rounds)))
