"""A search by the clock that is too short for `learned-search`'s own: the candidates of `learned`, which it judges by
its network, in as many deals as there is time for."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.candidates import (
    FEATURES,
    MOST,
    OUTCOMES,
    Work,
    begin_heats,
    left_in,
    new_work,
    play_heat,
    sum_up,
    take_up,
)
from roborally_env.agents.features import layout_for, new_scratch
from roborally_env.agents.layers import Net
from roborally_env.agents.network import best_candidate
from roborally_env.agents.planner import weights_of

from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of

SHARES = (0.25, 0.1, 0.25, 0.4)  # of the time, for the heats of `candidates.PARTS`
AHEAD = (False, False, True, True)  # whether they look one round further
MOST_DEALS = 64  # times `candidates.DEALS`: more than there is time for
GUESSES = (8e-6, 8e-6, 4e-5, 4e-5)  # seconds of a candidate in a deal, by heats, before any was measured

SHORTEST = 1e-7  # seconds of a candidate in a deal, for a clock that stands still


class QuickSearch:
    """Searches for the decisions of a batch; `net` is a network of `learned`.

    `pace`, the seconds of a candidate in a deal by heats, starts as `GUESSES` and is kept up to date, so that a heat
    begins no deal that it cannot end.
    """

    def __init__(self, batch: BatchRace, net: Net, seed: np.uint64, pace: list[float]) -> None:
        self.net, self.seed, self._pace = net, seed, pace
        self.weights = weights_of(batch.game)
        self.work: Work = new_work(batch, MOST_DEALS)
        self.rows = np.zeros((MOST, FEATURES), np.float32)
        self.outcomes = np.zeros((MOST, OUTCOMES), np.float32)
        self.at, self.scratch = layout_for(batch.game), new_scratch(batch)
        self.most_deals = self.work.tally.chances.shape[1]

    def choose(self, batch: BatchRace, game: int, seat: int, started: float, seconds: float) -> NDArray[np.int8]:
        """The program int8 [5] of a seat in game `game`, by `seconds` after `started`, a time of `perf_counter`."""
        work = self.work
        count = int(take_up(batch.maps, batch.games, game, seat, work, self.rows))
        if count > 1:
            self.outcomes[:] = 0.0
            begin_heats(work.tally, count)
            self._play_heats(batch, game, seat, count, started, seconds)
        return self.best(batch, game, seat, count)

    def _play_heats(self, batch: BatchRace, game: int, seat: int, count: int, started: float, seconds: float) -> None:
        """Play the heats; each has at least one deal, unless earlier ones had as many as there is room for."""
        clock = time.perf_counter
        first = now = clock()
        key = self.key_of(batch, game)
        share, deals = 0.0, 0
        for heat, part in enumerate(SHARES):
            left = int(left_in(heat, count))
            share += part
            ends = first + share * (started + seconds - first)
            played = 0
            while True:
                more = int((ends - now) / (self._pace[heat] * left))
                if played == 0:
                    more = max(1, more // 2)  # then there is a time to go by
                more = min(more, self.most_deals - deals)
                if more < 1:
                    break
                self.play(batch, seat, key, deals, more, heat, count)
                deals += more
                played += more
                before, now = now, clock()
                each = max(SHORTEST, (now - before) / (more * left))
                self._pace[heat] += 0.3 * (min(each, 4 * self._pace[heat]) - self._pace[heat])

    def key_of(self, batch: BatchRace, game: int) -> np.uint64:
        """The key of the deals of a decision."""
        record = batch.games[game]
        return np.uint64(key_of(record["key"], self.seed + np.uint64(record["round_number"])))

    def play(self, batch: BatchRace, seat: int, key: np.uint64, first: int, more: int, heat: int, count: int) -> None:
        """Let the candidates of a heat play `more` deals from number `first` on."""
        work = self.work
        left = int(left_in(heat, count))
        play_heat(
            batch.maps, work.trial[2], seat, key, first, more, left, AHEAD[heat], work, self.weights, self.outcomes,
        )  # fmt: skip

    def best(self, batch: BatchRace, game: int, seat: int, count: int) -> NDArray[np.int8]:
        """The program int8 [5] that the network scores highest after the deals."""
        work, outcomes = self.work, self.outcomes
        if count > 1:
            sum_up(count, work.tally, self.rows, outcomes)
        best = best_candidate(
            batch.maps, batch.games, game, seat, self.at, self.scratch, self.net, self.rows, outcomes, count
        )
        program: NDArray[np.int8] = work.solo.programs[work.solo.order[best]].copy()
        return program
