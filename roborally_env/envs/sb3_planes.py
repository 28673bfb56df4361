"""PlanesExtractor: a small convolutional network for `planes`, for policies of Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from roborally_env.base.errors import RoboRallyError

_MOST_BITS = 31  # of registers; planes that hold more (a few beams, of very many that could be) are scaled like these


class PlanesExtractor(BaseFeaturesExtractor):
    """What a policy sees of `SB3VecEnv(observation="planes")`: the window by three convolutions, beside all else.

    Args:
        observation_space: a Dict with "planes" uint8 [13, 13, 26]; its other entries are appended as they are.
        window_features: how many numbers the convolutions give.

    To be used as `policy_kwargs={"features_extractor_class": PlanesExtractor}` with "MultiInputPolicy".

    Raises:
        RoboRallyError: for a space without planes.
    """

    scale: torch.Tensor  # [26, 1, 1]: of the numbers on each plane

    def __init__(self, observation_space: spaces.Space[Any], window_features: int = 128) -> None:
        if not isinstance(observation_space, spaces.Dict) or "planes" not in observation_space.spaces:
            raise RoboRallyError('PlanesExtractor: expected the space of SB3VecEnv(observation="planes")')
        window = observation_space["planes"]
        assert isinstance(window, spaces.Box)
        self._others = sorted(set(observation_space.spaces) - {"planes"})
        beside = sum(spaces.flatdim(observation_space[name]) for name in self._others)
        super().__init__(observation_space, window_features + beside)
        rows, columns, depth = window.shape
        self.convolutions = nn.Sequential(
            nn.Conv2d(depth, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 64, 3, stride=2),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3, stride=2),
            nn.ReLU(),
            nn.Flatten(),
        )
        with torch.no_grad():
            size = self.convolutions(torch.zeros(1, depth, rows, columns)).shape[1]
        self.summary = nn.Sequential(nn.Linear(size, window_features), nn.ReLU())
        greatest = np.clip(window.high[0, 0], 1, _MOST_BITS).astype(np.float32)
        self.register_buffer("scale", torch.from_numpy(1.0 / greatest)[:, None, None])

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        """Features float32 [B, features_dim] of a batch of observations, whose planes are [B, 13, 13, 26]."""
        window = observations["planes"].float().permute(0, 3, 1, 2) * self.scale
        beside = [observations[name].float().flatten(1) for name in self._others]
        return torch.cat([self.summary(self.convolutions(window)), *beside], dim=1)
