"""The policy: Stable-Baselines3's actor and critic round a ProgramNet."""

from __future__ import annotations

from typing import TypeAlias

from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from roborally_env.base.types import Json, NamedValues, OptionValue
from roborally_env.training.sb3.distribution import ProgramDistribution
from roborally_env.training.sb3.network import REGISTERS, ProgramNet

Seen: TypeAlias = Json  # a dict of tensors; SB3 types it differently in each method


class ProgramPolicy(ActorCriticPolicy):
    """SB3's actor and critic round a ProgramNet; observations are those of SB3VecEnv, with the mask in them."""

    def __init__(self, *spaces: OptionValue, hand: tuple[int, int], width: int = 256, **more: OptionValue) -> None:
        slots, kinds = hand
        self.hand, self.width = (slots, kinds), width
        super().__init__(*spaces, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        seen: OptionValue = self.observation_space
        wanted: OptionValue = self.action_space
        choices = int(wanted.nvec[REGISTERS]) if len(wanted.nvec) > REGISTERS else 0
        self.net = ProgramNet(seen["observation"].shape[0], self.hand, choices, self.width)
        rate: NamedValues = {"lr": lr_schedule(1)}
        self.optimizer = self.optimizer_class(self.parameters(), **rate, **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> NamedValues:
        return {**super()._get_constructor_parameters(), "hand": self.hand, "width": self.width}

    def _look(self, obs: Seen) -> tuple[ProgramDistribution, Tensor]:
        hidden, cards = self.net(obs["observation"].float())
        distribution = ProgramDistribution(self.net).proba_distribution(hidden, cards, obs["action_mask"])
        return distribution, self.net.value(hidden)

    def forward(self, obs: Seen, deterministic: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log-probabilities."""
        distribution, values = self._look(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Seen, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log-probabilities and entropies of actions that were taken."""
        distribution, values = self._look(obs)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Seen) -> ProgramDistribution:
        """The distribution of actions."""
        return self._look(obs)[0]

    def predict_values(self, obs: Seen) -> Tensor:
        """Values alone."""
        return self.net.value(self.net(obs["observation"].float())[0])
