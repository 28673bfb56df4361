"""How many rounds four `greedy` will need, foretold from distances: difficulty as a number, and its bands.

`scripts/fit_difficulty.py` has fitted the numbers below to races on generated courses and writes what they are worth.
"""

from __future__ import annotations

import math

# edition of the boards -> a, b, c of rounds = exp(a + b log(registers / 5) + c log(checkpoints))
FITTED = {
    "2016": (0.231, 1.052, 0.272),
    "2005": (0.388, 0.907, 0.385),
    "community": (0.474, 1.143, 0.216),
}
# band -> rounds of a race of four `greedy`, least and most
BANDS = {1: (1.8, 3.2), 2: (4.5, 6.0), 3: (8.0, 10.0), 4: (13.0, 16.0), 5: (21.0, 27.0)}
ROUND = 20.0  # quarter registers


def rounds_of(home: str, distance: float, checkpoints: int) -> float:
    """The rounds of a race of four `greedy`, by the quarter registers from a start space to the last checkpoint."""
    a, b, c = FITTED[home]
    return math.exp(a + b * math.log(distance / ROUND) + c * math.log(checkpoints))


def band_of(rounds: float) -> int:
    """The band, 1 to 5, that is nearest to a number of rounds."""
    middles = {band: math.log(low * high) / 2 for band, (low, high) in BANDS.items()}
    return min(middles, key=lambda band: abs(middles[band] - math.log(rounds)))
