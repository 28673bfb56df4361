"""`learned-search`: plays out the programs that the policy of a network proposes, and values where they lead."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.learned import LearnedAgent
from roborally_env.agents.planner import check_whole, seconds_of
from roborally_env.agents.rollout import drop_worse, forget, play_deal, propose, stream_of

from roborally_env.arrays import Thawed
from roborally_env.errors import RoboRallyError

_SALT = 0x5345415243  # separates its random stream from others with the same key
SIMULATIONS = 10_000
MOST_ROUNDS = 10
# heats: candidates that are left, share of the budget, whether further rounds are played
HEATS = ((200, 0.2, False), (48, 0.2, False), (12, 0.3, True), (4, 0.3, True))
OTHERS = ("policy", "greedy")


class LearnedSearchAgent(Thawed, LearnedAgent):
    """Simulates the candidate programs of its hand in many deals, and lays the one with the best chance to win.

    The policy of the network puts the 200 best programs of the solo search in an order. They play the round in deals of
    the hidden cards, which are the same for all of them, and in which the others lay programs that are drawn from the
    policy too. The best 48, 12 and 4 play more deals (sequential halving, Karnin et al. 2013), the last twelve with a
    further round after each, in which everybody buys and lays as `greedy`. The network values the position after it.
    Purchases, power downs and choices are those of `learned`.

    With `simulations` a decision depends only on the game, the round, the seat and the seed. With `budget` it also
    depends on the machine's speed and cannot be reproduced.

    Args:
        seed: seed of the deals.
        weights: a file of `scripts/train_selfplay.py` or `scripts/train_value.py`, which has no policy; default: the
            weights of the package.
        simulations: how many rounds are simulated for a decision, about; finding a program of another robot counts
            as eight.
        budget: instead, the time of a decision, such as `10ms`, `0.5s` or a number of seconds.
        rounds: how many rounds the last twelve candidates play after the present one.
        trust: weight of the network at the end of a simulation; 0: `planner`'s chance to win, by distances, damage and
            energy.
        others: what the others lay, `policy` or `greedy` (one of the best programs for a robot alone).

    Raises:
        RoboRallyError: for a value outside these.
    """

    name = "learned-search"
    lays_cards = False

    def __init__(
        self,
        seed: int = 0,
        weights: str = "",
        simulations: int | None = None,
        budget: str | float | None = None,
        rounds: int = 1,
        trust: float = 1.0,
        others: str = "policy",
    ) -> None:
        super().__init__(seed, weights)
        if simulations is not None and budget is not None:
            raise RoboRallyError("simulations and budget: expected one of them, got both")
        if isinstance(trust, bool) or not isinstance(trust, (int, float)) or not 0 <= trust <= 1:
            raise RoboRallyError(f"trust: expected a number from 0 to 1, got {trust!r}")
        if others not in OTHERS:
            raise RoboRallyError(f"others: expected {' or '.join(OTHERS)}, got {others!r}")
        self.simulations: int = check_whole("simulations", SIMULATIONS if simulations is None else simulations, 1)
        self.budget = None if budget is None else seconds_of(budget)
        self.rounds = check_whole("rounds", rounds, 0, MOST_ROUNDS)
        self.trust = float(trust)
        self.others = others
        self.deal_seed = np.uint64(seed) ^ np.uint64(_SALT)
        self._compiled: set[str] = set()  # games for which all is compiled and loaded

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        batch = info.batch
        out = np.zeros((len(info.games), masks.shape[1]), np.int8)
        table = self.table_for(batch)
        if self.budget is not None and len(out) and batch.game not in self._compiled:
            self._search(table, batch.games, info.games[0], info.seats[0], 0.0, out[0])  # compiling is not timed
            self._compiled.add(batch.game)
        for k in range(len(out)):
            self._search(table, batch.games, info.games[k], info.seats[k], self.budget, out[k])
        return out

    def _search(
        self, table: Any, games: Any, row: int, seat: int, seconds: float | None, out: NDArray[np.int8]
    ) -> None:
        """Decide for a seat in so many seconds, or with the simulations if None, and write its program."""
        begun = time.perf_counter()
        left = int(propose(table, games, row, seat))
        stream = np.uint64(stream_of(games[row], self.deal_seed))
        share, spent, deals, far = 0.0, 0, 0, 0
        for keep, part, looks_on in HEATS:
            left = int(drop_worse(table, left, keep, deals))
            rounds = self.rounds if looks_on else 0
            if rounds != far:  # what follows is not comparable
                forget(table)
                deals, far = 0, rounds
            share += part
            while left > 1 and (deals == 0 or self._used(spent, begun, seconds) < share):
                spent += int(play_deal(table, seat, stream, deals, left, rounds, self.others == "policy"))
                deals += 1
        drop_worse(table, left, 1, deals)
        out[:] = table.work.programs[table.work.order[table.order[0]]]

    def _used(self, spent: int, begun: float, seconds: float | None) -> float:
        """The part of a decision's effort that is used up."""
        if seconds is None:
            return spent / float(self.simulations)
        return (time.perf_counter() - begun) / seconds if seconds > 0.0 else 1.0
