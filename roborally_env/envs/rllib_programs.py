"""RLlib's distribution of the actions `program`, for `rllib.MaskedModule`. Needs Ray and torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from gymnasium import spaces
from ray.rllib.core.distribution.distribution import Distribution
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical, TorchDeterministic

from roborally_env.core.state import REGISTERS
from roborally_env.envs.torch_programs import MaskedPrograms


class ProgramDistribution(Distribution):
    """Programs as MaskedPrograms draws them, no card twice, and further components of the action each by itself.

    Entropy and divergence are estimates, along one program that is drawn for them: the sums of those of its registers.

    Args:
        programs: the first five components.
        others: the distributions of those after them.
    """

    def __init__(self, programs: MaskedPrograms, others: Sequence[TorchCategorical]) -> None:
        super().__init__()
        self.programs, self.others = programs, others

    @classmethod
    def from_logits(cls, logits: torch.Tensor, sizes: Sequence[int] = (), **_: Any) -> ProgramDistribution:
        """From masked logits [.., sum of the sizes of the components]: what is not legal has the smallest number."""
        cards, *rest = logits.split([sum(sizes[:REGISTERS]), *sizes[REGISTERS:]], dim=-1)
        cards = cards.unflatten(-1, (REGISTERS, -1))
        legal = cards > torch.finfo(logits.dtype).min
        return cls(MaskedPrograms(cards, legal), [TorchCategorical(logits=part) for part in rest])

    @staticmethod
    def required_input_dim(space: spaces.MultiDiscrete, **_: Any) -> int:
        """How many logits an action needs."""
        return int(space.nvec.sum())

    def sample(self, **_: Any) -> torch.Tensor:
        """Actions int64 [.., components]."""
        return self._with_others(self.programs.sample(), [other.sample() for other in self.others])

    def rsample(self, **_: Any) -> torch.Tensor:
        """Not possible: cards are whole numbers."""
        raise NotImplementedError

    def logp(self, value: torch.Tensor, **_: Any) -> torch.Tensor:
        """The log probabilities [..] of actions [.., components]."""
        value = value.long()
        rest = (other.logp(value[..., k]) for k, other in enumerate(self.others, REGISTERS))
        return sum(rest, self.programs.log_prob(value[..., :REGISTERS]))

    def entropy(self, **_: Any) -> torch.Tensor:
        """[..], an estimate; see the class."""
        own = self.programs.conditionals(self.programs.sample())
        return sum((other.entropy() for other in self.others), -_mean(own, own).sum(-1))

    def kl(self, other: Distribution, **_: Any) -> torch.Tensor:
        """The divergence [..] from another, an estimate; see the class."""
        drawn = self.programs.sample()
        own, its = self.programs.conditionals(drawn), other.programs.conditionals(drawn)
        rest = (mine.kl(theirs) for mine, theirs in zip(self.others, other.others, strict=True))
        return sum(rest, (_mean(own, own) - _mean(own, its)).sum(-1))

    def to_deterministic(self) -> TorchDeterministic:
        """The best card of each register that is left, and the best of each other component."""
        best = [other._dist.logits.argmax(-1) for other in self.others]
        return TorchDeterministic(loc=self._with_others(self.programs.deterministic_sample, best))

    @staticmethod
    def _with_others(programs: torch.Tensor, others: Sequence[torch.Tensor]) -> torch.Tensor:
        return torch.cat([programs, *(each[..., None] for each in others)], -1)


def _mean(chances: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """The mean [..] of values [.., n] by log probabilities [.., n], without what cannot be drawn."""
    never = chances == -torch.inf
    return (chances.exp() * values.masked_fill(never, 0.0)).sum(-1)
