"""Rows whose races, when they are over, wait for a reset: for libraries that reset each entry themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.errors import RoboRallyError
from roborally_env.envs.infos import races_won
from roborally_env.envs.vec_races import Mask, Outcome
from roborally_env.envs.vec_rows import Rows
from roborally_env.envs.vec_setup import check_seed


class WaitingRows(PicklableArrays):
    """Rows that a library resets. The batch has the next race of a game ready as soon as one is over.

    Args:
        rows: the rows.
        seed: the first reset begins the races of seed, seed + 1, .., one for each row.

    Attributes:
        over: bool [N], the race is over and waits.
        truncated: bool [N], it was cut by max_rounds.
        places: float32 [N], the place in it; 0 while a race is on.
        won: bool [N], the row's seat, or its team, has won it.
    """

    def __init__(self, rows: Rows, seed: int) -> None:
        self.rows = rows
        rows.races.reports_programs = rows.races.reports_courses = False  # these libraries take no such infos
        self.count = rows.races.num_rows
        self.over: Mask = np.zeros(self.count, np.bool_)
        self.truncated: Mask = np.zeros(self.count, np.bool_)
        self.places = np.zeros(self.count, np.float32)
        self.won: Mask = np.zeros(self.count, np.bool_)
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Let the next reset begin the races of seed, seed + 1, ..; None: the next race of each row."""
        self._seeds = None if seed is None else list(range(check_seed(seed, self.count), seed + self.count))

    def reset(self, chosen: Mask, courses: NDArray[np.int64] | None = None) -> None:
        """Begin new races in the `chosen` rows [N], on these courses, see `Races.reset`.

        Raises:
            RoboRallyError: for some seats of a game without the others.
        """
        self.rows.races.check_together(chosen, "reset")
        # after a finished race the batch already has the next one ready, which must not be skipped
        ready = self.over & (self._seeds is None)
        self.rows.races.restart(chosen, ready, self._seeds or [None] * self.count, courses)
        self._seeds = None
        self.rows.races.begin(chosen)
        self.rows.begin(chosen)
        for kept in (self.over, self.truncated, self.places, self.won):
            kept[chosen] = 0

    def step(self, actions: Any, playing: Mask) -> Outcome:
        """Play one action of each row that is `playing` [N].

        Raises:
            ActionError: for a wrong shape, dtype or range.
            RoboRallyError: if such a race is over. Nothing has been played if `step` raises.
        """
        if (playing & self.over).any():
            first = int(np.flatnonzero(playing & self.over)[0])
            raise RoboRallyError(f"step: the race of entry {first} is over; call reset() for it first")
        _, outcome = self.rows.act(actions, playing)
        self.over |= outcome.ended
        self.truncated |= outcome.truncated
        if outcome.ended.any():
            races, ended = self.rows.races, outcome.ended
            self.places[ended] = outcome.places[ended]
            self.won[ended] = races_won(races.batch, races.games[ended], races.seats[ended])
        return outcome

    def observe(self) -> Any:
        """What all rows see, at the end of the race where one is over: an array [N, ..] or a dict of arrays."""
        return self.rows.observe(self.over)

    def masks(self) -> Mask:
        """The flat masks of all rows, [N, mask size]."""
        return self.rows.form.flat_masks().view(np.bool_)
