"""`greedy`: the best program of the own hand as if nobody else were on the course."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.powering import announce_when_locked
from roborally_env.agents.shopping import buy_or_default

from roborally_env.core.searching.alone import greedy_programs


class GreedyAgent:
    """Tries every distinct program of its hand on its own robot alone and lays the best.

    That is the one with the least belt-aware distance left after the round, with a price on falls and laser hits.

    It knows belts, panels, gears, pits and board lasers, and nothing of the other robots. It buys the upgrade worth
    most to it (`shopping`) and uses its upgrades as the default policy does.
    """

    name = "greedy"
    needs_observation = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed  # for the protocol's sake: the search draws nothing

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        greedy_programs(info.batch.maps, info.batch.games, info.games, info.seats, programs)
        return programs

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent; `powering.announce_when_locked`."""
        return np.asarray(announce_when_locked(info))

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """See Agent; `shopping.buy_or_default`."""
        return np.asarray(buy_or_default(choice_masks, info))
