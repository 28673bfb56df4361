"""How many rounds four `greedy` will need, foretold from distances."""

from __future__ import annotations

# band -> rounds of a race of four `greedy`, least and most
BANDS = {1: (2.0, 4.0), 2: (5.5, 7.5), 3: (9.5, 12.0), 4: (15.0, 19.0), 5: (23.0, 30.0)}
REGISTERS = 20.0  # quarter registers in a round


def rounds_of(home: str, distance: float, checkpoints: int) -> float:
    """The rounds of a race of four `greedy`, by the quarter registers from a start space to the last checkpoint."""
    return 2.2 * distance / REGISTERS
