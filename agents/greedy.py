"""`greedy`: the best program of its hand for a robot alone on the course."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.power_down import announce_when_locked
from roborally_env.agents.purchases import buy_or_default

from roborally_env.core.searching.alone import greedy_programs


class BuysAsGreedy:
    """What agents have in common that buy, use upgrades and power down as `greedy` does."""

    needs_observation = False

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent; `power_down.announce_when_locked`."""
        return np.asarray(announce_when_locked(info))

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """See Agent; `purchases.buy_or_default`."""
        return np.asarray(buy_or_default(choice_masks, info))


class GreedyAgent(BuysAsGreedy):
    """Tries every distinct program of its hand for its robot alone on the course and submits the best.

    The best program leaves the least distance (belts included) after the round; falls and laser hits have a price.

    It considers belts, panels, gears, pits and board lasers, but no other robots. It buys the most valuable upgrade
    (`purchases`) and uses its upgrades as the default policy does.
    """

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed  # part of the protocol; the search draws nothing

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        greedy_programs(info.batch.maps, info.batch.games, info.games, info.seats, programs)
        return programs
