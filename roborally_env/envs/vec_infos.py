"""What infos say of many rows at once, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.envs.infos import races_won
from roborally_env.envs.vec_races import Mask, Outcome, Races


def row_numbers(races: Races, outcome: Outcome, rows: Mask, over: Mask) -> dict[str, NDArray[Any]]:
    """The infos of these `rows` [N] as arrays [N, ..], under the names of `infos.numbers_of`; zeros in the others.

    Of rows that are `over` [N] they are of the end of their last race, of all others of the race that is on.
    """
    over = over & rows
    ended = over & outcome.ended
    won = np.zeros(len(rows), np.bool_)
    if ended.any():
        won[ended] = races_won(races.batch, races.games[ended], races.seats[ended])
    fresh = outcome.ended & ~over  # the next race has started already
    numbers: dict[str, NDArray[Any]] = {
        "corrected": outcome.corrected,
        **{f"reward_{name}": np.where(fresh, 0.0, part) for name, part in outcome.parts.items()},
        "decision": np.where(over, 0, races.decisions()),
        "round": np.where(ended, outcome.rounds, races.round_numbers()),
        "course": np.where(ended, outcome.course_numbers, races.course_numbers()),
        "place": np.where(ended, outcome.places, 0.0),
        "is_success": won,
        "program": outcome.programs,
        "seat": races.seats,
    }
    return {
        name: np.where(rows if part.ndim == 1 else rows[:, None], part, part.dtype.type(0))
        for name, part in numbers.items()
    }
