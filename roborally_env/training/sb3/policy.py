"""The policy: Stable-Baselines3's actor and critic round a ProgramNet."""

from __future__ import annotations

from typing import Any

from stable_baselines3.common.policies import ActorCriticPolicy
from torch import Tensor

from roborally_env.training.sb3.distribution import ProgramDistribution
from roborally_env.training.sb3.network import REGISTERS, ProgramNet


class ProgramPolicy(ActorCriticPolicy):
    """SB3's actor and critic round a ProgramNet; observations are those of SB3VecEnv, with the mask in them."""

    def __init__(self, *spaces: Any, hand: tuple[int, int], width: int = 256, **more: Any) -> None:
        slots, kinds = hand
        self.hand, self.width = (slots, kinds), width
        super().__init__(*spaces, **more)

    def _build(self, lr_schedule: Any) -> None:
        seen: Any = self.observation_space
        wanted: Any = self.action_space
        choices = int(wanted.nvec[REGISTERS]) if len(wanted.nvec) > REGISTERS else 0
        self.net = ProgramNet(seen["observation"].shape[0], self.hand, choices, self.width)
        rate: dict[str, Any] = {"lr": lr_schedule(1)}
        self.optimizer = self.optimizer_class(self.parameters(), **rate, **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "hand": self.hand, "width": self.width}

    def _look(self, obs: Any) -> tuple[ProgramDistribution, Tensor]:
        hidden, cards = self.net(obs["observation"].float())
        distribution = ProgramDistribution(self.net).proba_distribution(hidden, cards, obs["action_mask"])
        return distribution, self.net.value(hidden)

    def forward(self, obs: Any, deterministic: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log-probabilities."""
        distribution, values = self._look(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Any, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log-probabilities and entropies of actions that were taken."""
        distribution, values = self._look(obs)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any) -> ProgramDistribution:
        """The distribution of actions."""
        return self._look(obs)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """Values alone."""
        return self.net.value(self.net(obs["observation"].float())[0])
