"""Q-learning of the cards of a program, on policy and without a replay buffer or a target network (PQN; Gallici et al.,
Simplifying deep temporal difference learning, 2024).

The heads of the network score kinds of cards and options by the return that follows. The one that scores highest is
played, now and then a random one. Scores learn lambda returns, which `registers.follow_back` gives, as the value of a
decision is its highest score.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from roborally_env.base.types import Array
from roborally_env.training.ppo.actor import Actor
from roborally_env.training.ppo.learner import Columns, Learner, Share, Sums, seen_of
from roborally_env.training.ppo.network import NEVER, Network
from roborally_env.training.ppo.options import Options

EXPLORING = 0.1  # share of a run in which what is drawn at random falls from all to `--explore`


def explored(options: Options, decisions: int) -> float:
    """The share of cards and options that are drawn at random after this many decisions."""
    done = min(1.0, decisions / (EXPLORING * options.decisions))
    return 1.0 + done * (options.explore - 1.0)


class QActor(Actor):
    """Takes what scores highest, and one of the legal ones at random in a share `explore` of the decisions."""

    def drawn(self, scores: Array, uniform: Array) -> tuple[Array, Array]:
        """See Actor."""
        random = uniform < self.explore
        draw = np.where(random & (uniform >= 0), uniform / max(self.explore, 1e-9), np.float32(-1)).astype(np.float32)
        return np.where(draw.reshape(-1, *[1] * (scores.ndim - 1)) < 0, scores, np.float32(0)), draw

    def worth(self, values: Array, scores: Array, legal: Array) -> Array:
        """See Actor: the highest score."""
        bits = legal[:, None].astype(np.int64) >> np.arange(scores.shape[1]) & 1
        found: Array = np.where(bits > 0, scores, np.float32(NEVER)).max(1)
        return np.where(legal != 0, found, values)


class QLearner(Learner):
    """Moves scores towards the returns of a rollout. The critic's values learn them too: they stand for scores where a
    rollout ends and no card can be chosen."""

    def correct(self, share: Share) -> None:
        """Nothing: scores do not depend on who has played."""

    def _programs(self, net: Network, p: Columns, mean: float, std: float, sums: Sums) -> None:
        position = net.position(p["own"].float(), p["others"].float())
        scores, values = net.choose(net.context(position).unsqueeze(1), *seen_of(p))
        kinds = p["kinds"].long()
        active = (kinds > 0).float()
        chosen = scores.gather(2, (kinds - 1).clamp(min=0).unsqueeze(2)).squeeze(2)
        _add(sums, chosen, values, p["returns"], active)
        may = p["down"] >= 0
        if may.any():  # half the score above or below what the cards are worth
            side = p["down"][may].float() - 0.5
            value = p["values"][may, 0] + side * net.down(position).squeeze(1)[may]
            _add(sums, value, value, p["returns"][may, 0], active[may, 0])

    def _choices(self, net: Network, p: Columns, mean: float, std: float, sums: Sums) -> None:
        position = net.position(p["own"].float(), p["others"].float())
        chosen = net.option(position).gather(1, p["options"].long().unsqueeze(1)).squeeze(1)
        _add(sums, chosen, net.option_worth(position), p["returns"], torch.ones_like(chosen))


def _add(sums: Sums, chosen: Tensor, values: Tensor, returns: Tensor, weight: Tensor) -> None:
    error = (chosen - returns).square() + (values - returns).square()
    sums.value = sums.value + (error * weight).sum()
    sums.count += float(weight.sum())
