"""`planner`: simulates the round with the other robots in many deals of the hidden cards."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.greedy import BuysAsGreedy
from roborally_env.agents.rounds_ahead import new_work, plan_ahead

from roborally_env.base.errors import AgentError
from roborally_env.base.registry import cache_until_registered
from roborally_env.base.types import NamedValues
from roborally_env.core.searching.among_others import Weights, plan_programs
from roborally_env.core.state import kind_of
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.editions import edition_of

_SALT = 0x504C414E  # separates its random stream from others with the same key
SIMULATIONS = 1_000
MOST_SIMULATIONS = 10_000_000
MOST_CANDIDATES = 15_120  # the number of programs from a hand of nine
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_FIRST = 200  # simulations of the first decision, which measures the speed
MOST_ROUNDS = 10
AHEAD = ((10_000, 0.03), (100_000, 1.0))  # simulations and seconds with which one, and two, further rounds pay
MOST_AHEAD = 200  # candidates, where nothing is said, if the last ones look ahead
# its heats: candidates that are left, the share of the effort after them, and whether they look ahead
HEATS_AHEAD = ((MOST_CANDIDATES, 0.13, 0), (48, 0.3, 0), (12, 0.6, 1), (6, 0.8, 1), (3, 1.0, 1))

Efforts = Sequence[tuple[int, float]]


class PlannerAgent(BuysAsGreedy):
    """Compares the best solo programs of its hand in the simulator.

    Each deal draws hidden information anew (the others' hands, the order of piles, future random numbers), and the
    others submit one of their best programs. Each candidate plays the round in the same deals. The best third then
    plays twice as many further deals, the best eighth four times as many. The value of a position after the round is
    the chance to win from it, by each robot's remaining way, the damage in its deck and its energy (2005: damage and
    life tokens; community rules: damage tokens and energy). It buys the most valuable upgrade (`purchases`); in the
    simulation it uses upgrades by the default policy.

    From 0.03 s or 10,000 simulations on it tries 200 programs, of which the last twelve, then six and three, play a
    further round after the present one (two from 1 s or 100,000 simulations on), in which everybody buys and programs
    as `greedy`. The position after one round does not show who gets out of a crowd next.

    With `simulations` a decision depends only on the game, the round, the seat and the seed. With `budget` it also
    depends on the machine's speed and cannot be reproduced.

    Args:
        seed: seed of the deals.
        simulations: the largest number of simulated rounds for a decision; with further rounds about that many, and
            finding a program of another robot counts as eight.
        budget: instead, the mean time for a decision, such as `20ms`, `0.5s` or a number of seconds.
        candidates: how many programs are tried; 0: depends on the number of simulations.
        ahead: how many further rounds the last candidates play; default: by the effort, as above.

    Raises:
        AgentError: for a value outside these.
    """

    name = "planner"
    word_options = ("budget",)

    def __init__(
        self,
        seed: int = 0,
        simulations: int | None = None,
        budget: str | float | None = None,
        candidates: int = 0,
        ahead: int | None = None,
    ) -> None:
        if simulations is not None and budget is not None:
            raise AgentError("simulations and budget: expected one of them, got both")
        self.simulations = check_whole("simulations", SIMULATIONS if simulations is None else simulations, 1)
        self.candidates = check_whole("candidates", candidates, 0, MOST_CANDIDATES)
        self.budget = None if budget is None else seconds_of(budget)  # seconds
        self.ahead = reached(AHEAD, self.simulations, self.budget) if ahead is None else check_ahead(ahead)
        self.seed = np.uint64(seed) ^ np.uint64(_SALT)
        self._seconds = 0.0  # measured time of a simulation; 0: not measured yet

    def __getstate__(self) -> NamedValues:
        """Without the measured time: another machine has another."""
        return {**self.__dict__, "_seconds": 0.0}

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        if self.budget is None:
            self._plan(info, slice(None), self.simulations, programs)
            return programs
        if self._seconds == 0.0 and len(programs):
            self._plan(info, slice(1), 1, programs[:1])  # compiling and loading are not timed
            self._timed(info, slice(1), _FIRST, programs[:1])
        for row in range(len(programs)):
            simulations = min(MOST_SIMULATIONS, max(1, int(self.budget / self._seconds)))
            self._timed(info, slice(row, row + 1), simulations, programs[row : row + 1])
        return programs

    def _timed(self, info: Info, rows: slice, simulations: int, programs: NDArray[np.int8]) -> None:
        """Plan, and measure the time of a simulation."""
        started = time.perf_counter()
        spent = self._plan(info, rows, simulations, programs)
        if spent:
            seconds = (time.perf_counter() - started) / spent
            self._seconds = seconds if self._seconds == 0.0 else 0.75 * self._seconds + 0.25 * seconds

    def _plan(self, info: Info, rows: slice, simulations: int, programs: NDArray[np.int8]) -> int:
        """Fill `programs` [n, 5] of some rows; returns the number of simulations."""
        batch = info.batch
        maps, weights = batch.maps, weights_of(batch.game)
        games, seats, seed = info.games[rows], info.seats[rows], self.seed
        if self.ahead:
            heats, work = np.array(HEATS_AHEAD) * (1, 1, self.ahead), new_work(batch, self.candidates or MOST_AHEAD)
            spent = plan_ahead(maps, batch.games, games, seats, seed, simulations, heats, weights, work, programs)
        else:
            candidates = np.zeros((self.candidates or candidates_for(simulations), programs.shape[1]), np.int8)
            spent = plan_programs(maps, batch.games, games, seats, seed, simulations, weights, candidates, programs)
        return int(spent)


@cache_until_registered()
def weights_of(game: str) -> Weights:
    """The weights for a game, by the name of its kind."""
    known = edition_of(kind_of(game).edition).planner or edition_of(DEFAULT_EDITION).planner
    return Weights(**known)  # type: ignore[arg-type]


def candidates_for(simulations: int) -> int:
    """How many programs are tried with this number of simulations."""
    return max(1, min(simulations, 512, int(2.7 * math.sqrt(simulations))))


def reached(efforts: Efforts, simulations: int, budget: float | None) -> int:
    """How many of these efforts, each its simulations and seconds, a number of simulations or a budget in seconds
    reaches."""
    return sum(simulations >= least if budget is None else budget >= seconds for least, seconds in efforts)


def check_ahead(ahead: object) -> int:
    """The option `ahead`, as a whole number from 0 to 10; raises an AgentError for anything else."""
    return check_whole("ahead", ahead, 0, MOST_ROUNDS)


def seconds_of(text: object) -> float:
    """A time such as `20ms`, `0.5s` or 0.02 in seconds.

    Raises:
        AgentError: for a text that is not a time, or a time not above 0.
    """
    number, unit = str(text).strip(), 1.0
    for name, size in _UNITS.items():
        if number.endswith(name):
            number, unit = number.removesuffix(name), size
            break
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = math.nan
    if isinstance(text, bool) or not 0 < seconds <= 3600:
        raise AgentError(f"budget: expected a time such as 20ms or 0.5s, 1 hour at most, got {text!r}")
    return seconds


def check_whole(option: str, value: object, least: int, most: int = MOST_SIMULATIONS) -> int:
    """A whole number among the options of an agent.

    Raises:
        AgentError: for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise AgentError(f"{option}: expected a whole number from {least} to {most}, got {value!r}")
    return value
