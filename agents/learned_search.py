"""`learned-search`: plays out the programs that the policy of a network proposes, and values where they lead."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.learned import LearnedAgent
from roborally_env.agents.planner import MOST_CANDIDATES, MOST_ROUNDS, check_ahead, check_whole, reached, seconds_of
from roborally_env.agents.quick_search import GUESSES, QuickSearch
from roborally_env.agents.rollout import (
    MOST,
    OTHERS,
    Table,
    drop_worse,
    forget,
    play_deal,
    play_purchase,
    propose,
    propose_purchases,
    stream_of,
)

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.errors import AgentError
from roborally_env.base.types import NamedValues

_SALT = 0x5345415243  # separates its random stream from others with the same key
SIMULATIONS = 10_000
OTHER = "greedy"  # how the others program, unless it is said: against others it loses nothing (docs/learning.md)
TRUST = 0.5  # 1 is better on courses that the network was trained on, 0 on others (docs/learning.md)
Heats = tuple[tuple[int, float, bool], ...]
# heats: candidates that are left, share of the effort, whether further rounds are played if there are any
HEATS: Heats = ((MOST, 0.2, False), (48, 0.2, False), (12, 0.3, False), (4, 0.3, False))
BUYING: Heats = ((64, 0.4, True), (4, 0.3, True), (2, 0.3, True))
BUYING_AHEAD = 2  # further rounds with which purchases are played out too


class Plan(NamedTuple):
    """How effort is spent where further rounds are played."""

    simulations: int  # from which on
    seconds: float  # the same for a budget
    rounds: int  # that the last candidates play further
    heats: Heats


# With more effort more candidates are tried, and more of them play further rounds: the best program often looks poor
# for a robot alone, or at the end of the present round.
PLANS = (
    Plan(3_000, 0.03, 1, ((200, 0.13, False), (48, 0.17, False), (12, 0.3, True), (6, 0.2, True), (3, 0.2, True))),
    Plan(15_000, 0.1, 1, ((400, 0.3, False), (32, 0.3, True), (8, 0.2, True), (3, 0.2, True))),
    Plan(30_000, 0.3, 1, ((1_000, 0.25, False), (60, 0.3, True), (12, 0.25, True), (4, 0.2, True))),
    Plan(100_000, 1.0, 2, ((1_500, 0.12, False), (200, 0.33, True), (40, 0.25, True), (8, 0.3, True))),
)
LEAST_DEALS = 2  # with a budget, heats have no more candidates than can play this many deals each
ROUND_SECONDS, FURTHER_SECONDS = 3e-5, 9e-5  # first guesses: a candidate's round, and its further ones
BUYING_SECONDS = 1e-4  # that of a purchase's round
_PURCHASE = np.uint64(1 << 40)  # separates the deals of purchases from those of programs


class LearnedSearchAgent(PicklableArrays, LearnedAgent):
    """Simulates the candidate programs of its hand in many deals, and submits the one with the best chance to win.

    The policy of the network puts the best programs of the solo search in an order. They play the round in deals of
    the hidden cards, which are the same for all of them, and in which the others submit what `greedy` would. The best
    of them play more deals (sequential halving, Karnin et al. 2013). The network values the position at the end. Power
    downs and choices are those of `learned`.

    From 0.03 s or 3,000 simulations on, the last candidates play a further round after the present one (two from 1 s or
    100,000 simulations on), in which everybody buys and programs as `greedy`: their value is the mean of the network's
    before and after it. The network alone does not see who gets out of a crowd next. The more effort, the more
    candidates there are (`PLANS`).

    With two further rounds, what can be bought is compared in deals too, with the network's liking on top: everybody
    buys and programs as `greedy` from the purchase to the end of these rounds. Otherwise it buys as `learned`.

    With a `budget` below 0.03 s it plays the candidates of `learned`, in as many deals as there is time for, the
    last two heats with a further round, and the network scores them by what it saw.

    With `simulations` a decision depends only on the game, the round, the seat and the seed. With `budget` it also
    depends on the machine's speed and cannot be reproduced: the agent measures how long rounds take, and no heat has
    more candidates than it has time for.

    Args:
        seed: seed of the deals.
        weights: a file of `roborally train selfplay` or `roborally train value`, which has no policy; default: the
            weights of the package.
        simulations: how many rounds are simulated for a decision, about; finding a program of another robot counts
            as eight.
        budget: instead, the time of a decision, such as `10ms`, `0.5s` or a number of seconds.
        ahead: how many further rounds by `greedy` the last candidates play; default: by the effort, as above.
        rounds: has no effect any more; there was another search where the race might end soon, which lost races.
        trust: weight of the network at the end of a simulation; 0: `planner`'s chance to win, by distances, damage and
            energy.
        candidates: how many programs are tried; 0: by the effort, 200 and from 0.1 s or 15,000 simulations on 400, from
            0.3 s or 30,000 on 1,000, from 1 s or 100,000 on 1,500.
        others: how the others program: as `greedy`, by the `policy` of the network, by a `search`, for others that
            simulate as `planner` does, or `mixed`: in every fourth deal by a search, in the others by the policy. A
            program of `search` takes as long as about a hundred simulations.

    Raises:
        AgentError: for a value outside these.
    """

    name = "learned-search"
    chooses_programs = False
    word_options = ("budget", "others")

    def __init__(
        self,
        seed: int = 0,
        weights: str = "",
        simulations: int | None = None,
        budget: str | float | None = None,
        rounds: int | None = None,
        trust: float = TRUST,
        others: str = OTHER,
        ahead: int | None = None,
        candidates: int = 0,
    ) -> None:
        super().__init__(seed, weights)
        if simulations is not None and budget is not None:
            raise AgentError("simulations and budget: expected one of them, got both")
        if isinstance(trust, bool) or not isinstance(trust, (int, float)) or not 0 <= trust <= 1:
            raise AgentError(f"trust: expected a number from 0 to 1, got {trust!r}")
        if others not in OTHERS:
            raise AgentError(f"others: expected {' or '.join(OTHERS)}, got {others!r}")
        self.simulations: int = check_whole("simulations", SIMULATIONS if simulations is None else simulations, 1)
        self.budget = None if budget is None else seconds_of(budget)
        if rounds is not None:
            check_whole("rounds", rounds, 0, MOST_ROUNDS)
            warnings.warn("learned-search: rounds has no effect any more, ahead has", DeprecationWarning, stacklevel=2)
        plan = plan_for(self.simulations, self.budget)
        self.ahead = (plan.rounds if plan else 0) if ahead is None else check_ahead(ahead)
        heats = (plan or PLANS[0]).heats if self.ahead else HEATS
        self.candidates = check_whole("candidates", candidates, 0, MOST_CANDIDATES) or heats[0][0]
        self.heats: Heats = ((self.candidates, *heats[0][1:]), *heats[1:])
        self.trust = float(trust)
        self.others = others
        usual = ahead is None and trust == TRUST and others == OTHER and not candidates
        self.quick = usual and self.budget is not None and self.ahead == 0  # as `learned`, by the clock
        self.deal_seed = np.uint64(seed) ^ np.uint64(_SALT)
        self._pace, self._buying_pace = Pace(), Pace(BUYING_SECONDS)
        self._quick_pace = list(GUESSES)
        self._compiled: set[tuple[str, str]] = set()  # games and kinds of decisions for which all is compiled
        self._decision_start = 0.0  # when the present decision began

    def __getstate__(self) -> NamedValues:
        """Without what is known of this process."""
        return {
            **super().__getstate__(),
            "_compiled": set(),
            "_decision_start": 0.0,
            "_pace": Pace(),
            "_buying_pace": Pace(BUYING_SECONDS),
            "_quick_pace": list(GUESSES),
        }

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        out = np.zeros((len(info.games), masks.shape[1]), np.int8)
        table = self.table_for(info.batch)
        if self.quick and table.has_policy:
            search = QuickSearch(info.batch, table.eyes.net, self.seed, self._quick_pace)
            for k, seconds in self._decisions(info, "programs"):
                game, seat = int(info.games[k]), int(info.seats[k])
                out[k] = search.choose(info.batch, game, seat, self._decision_start, seconds or 0.0)
                if not seconds:
                    self._quick_pace[:] = GUESSES  # what compiled was not timed
            return out
        others = OTHERS.index(self.others)
        for k, seconds in self._decisions(info, "programs"):
            seat = info.seats[k]
            left = int(propose(table, info.batch.games, info.games[k], seat))
            stream = np.uint64(stream_of(info.batch.games[info.games[k]], self.deal_seed))
            self._race(
                table, left, self.heats, seconds, self._pace,
                lambda deal, left, rounds: play_deal(table, seat, stream, deal, left, rounds, others),  # noqa: B023
            )  # fmt: skip
            out[k] = table.programs[table.order[0]]
        return out

    def _buy(self, info: Info, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Purchases that are played out if there is time for it, else as `learned`."""
        if self.ahead < BUYING_AHEAD:
            return np.asarray(super()._buy(info, masks), np.int8)
        out = np.zeros(len(info.games), np.int8)
        table = self.table_for(info.batch)
        for k, seconds in self._decisions(info, "purchases"):
            seat, games = info.seats[k], info.batch.games
            left = int(propose_purchases(table, games, info.games[k], seat, masks[k]))
            stream = np.uint64(stream_of(games[info.games[k]], self.deal_seed + _PURCHASE))
            self._race(
                table, left, BUYING, seconds, self._buying_pace,
                lambda deal, left, rounds: play_purchase(table, seat, stream, deal, left, rounds),  # noqa: B023
            )  # fmt: skip
            out[k] = 1 + table.order[0]
        return out

    def _decisions(self, info: Info, kind: str) -> Iterator[tuple[int, float | None]]:
        """(row, seconds) of each decision; the first one of a kind is made twice, so that compiling is not timed."""
        if self.budget is not None and len(info.games) and (info.batch.game, kind) not in self._compiled:
            self._compiled.add((info.batch.game, kind))
            yield 0, 0.0
        for k in range(len(info.games)):
            self._decision_start = time.perf_counter()
            yield k, self.budget

    def _race(
        self, table: Table, left: int, heats: Heats, seconds: float | None, pace: Pace,
        play: Callable[[int, int, int], int],
    ) -> None:  # fmt: skip
        """Let candidates compete: `play(deal, left, rounds)` plays the first ones of the order and returns the work.
        Afterwards the best is the first of the order."""
        since, clock = self._decision_start, time.perf_counter
        first = clock()  # finding the candidates is a part of the budget, but of no heat
        share, spent, deals, far = 0.0, 0, 0, 0
        for keep, part, looks_on in heats:
            rounds = self.ahead if looks_on else 0
            share += part
            if seconds:
                ends = first + share * (since + seconds - first)
                keep = min(keep, max(heats[-1][0], pace.most(ends - clock(), rounds)))
            left = int(drop_worse(table.order, table.totals, left, keep, deals))
            if rounds != far:  # what follows is not comparable
                forget(table.totals)
                deals, far = 0, rounds
            while left > 1 and (
                deals == 0
                or (spent < share * self.simulations if seconds is None else seconds > 0.0 and clock() < ends)
            ):
                started = clock()
                spent += int(play(deals, left, rounds))
                deals += 1
                pace.note(left, rounds, clock() - started)
        drop_worse(table.order, table.totals, left, 1, deals)


def plan_for(simulations: int, budget: float | None) -> Plan | None:
    """The plan for a number of simulations, or for a budget in seconds; None if it is too small for further rounds."""
    count = reached([plan[:2] for plan in PLANS], simulations, budget)
    return PLANS[count - 1] if count else None


class Pace:
    """How long the candidates' rounds take on this machine, so that a heat has no more of them than it has time for.
    It remembers the mean of the last deals, for each number of further rounds."""

    def __init__(self, guess: float = ROUND_SECONDS) -> None:
        self._guess = guess  # the seconds of a candidate's round, before any was timed
        self._seconds: dict[int, float] = {}  # a candidate in a deal

    def note(self, candidates: int, rounds: int, seconds: float) -> None:
        """Note the time of a deal; the first one, which may have compiled, does not count."""
        each = seconds / candidates
        known = self._seconds.get(rounds)
        guess = self._guess + rounds * FURTHER_SECONDS
        self._seconds[rounds] = guess if known is None else known + 0.2 * (min(each, 4 * known) - known)

    def most(self, seconds: float, rounds: int) -> int:
        """How many candidates can play LEAST_DEALS deals in this time."""
        each = self._seconds.get(rounds, self._guess + rounds * FURTHER_SECONDS)
        return int(seconds / (LEAST_DEALS * each))
