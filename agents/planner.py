"""`planner`: plays the round out among the other robots, over several deals of what it cannot see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.powering import announce_when_locked
from roborally_env.agents.shopping import buy_or_default

from roborally_env.core.search import Weights, plan_programs
from roborally_env.errors import RoboRallyError

_SALT = 0x504C414E  # parts its deals from others on the same key


class PlannerAgent:
    """The best solo programs of its hand, each played out in the simulator against sampled programs of the others.

    What it cannot know (the others' hands, the order of piles, chance to come) is drawn anew for each of `samples`
    deals, the
    same for every candidate. A position is worth the registers still to go, less `damage` for each damage card owned,
    plus
    what the others and the leader of them still have to go. It buys the upgrade worth most (`shopping`); what its
    upgrades do in the round is in the simulation, by the default policy.

    Args:
        seed: of the deals.
        samples: deals a decision.
        candidates: programs tried.
        damage: quarter registers that a damage card costs.
        others, leader: weights of the others' mean and least remaining distance.
    """

    name = "planner"
    needs_observation = False

    def __init__(
        self,
        seed: int = 0,
        samples: int = 6,
        candidates: int = 24,
        damage: float = 0.75,
        others: float = 0.2,
        leader: float = 0.2,
    ) -> None:
        for option, value, most in (("samples", samples, 10_000), ("candidates", candidates, 15_120)):
            if not isinstance(value, int) or not 1 <= value <= most:
                raise RoboRallyError(f"planner: {option}: expected a whole number from 1 to {most}, got {value!r}")
        self.seed = np.uint64(seed) ^ np.uint64(_SALT)
        self.samples = samples
        self.candidates = np.zeros((candidates, 5), np.int8)
        self.weights = Weights(float(damage), float(others), float(leader), 1000.0)

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        plan_programs(
            info.batch.maps,
            info.batch.games,
            info.games,
            info.seats,
            self.seed,
            self.samples,
            self.weights,
            self.candidates,
            programs,
        )
        return programs

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent; `powering.announce_when_locked`."""
        return np.asarray(announce_when_locked(info))

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """See Agent; `shopping.buy_or_default`."""
        return np.asarray(buy_or_default(choice_masks, info))
