"""The network that is trained, and what it learns from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from roborally_env.agents.features import Layout
from roborally_env.agents.network import BUYING, SCORE


class ValueNetwork(nn.Module):
    """The part of the learned agents' network that does not look at programs."""

    def __init__(self, at: Layout, hidden: int) -> None:
        super().__init__()
        self.own, self.row = nn.Linear(at.own, hidden), nn.Linear(at.row, 48)
        self.pool, self.mid = nn.Linear(48, hidden, bias=False), nn.Linear(hidden, hidden)
        self.win1, self.win2 = nn.Linear(hidden, 64), nn.Linear(64, 1)
        self.buy, self.down = nn.Linear(hidden, BUYING), nn.Linear(hidden, 1)
        for layer in (self.win2, self.buy, self.down):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, s: Samples) -> torch.Tensor:
        """[n]: the log-odds of winning after what was decided."""
        pooled = F.relu(self.row(s.others)).sum(1)
        position = F.relu(self.mid(F.relu(self.own(s.own) + self.pool(pooled))))
        win = self.win2(F.relu(self.win1(position))).squeeze(1)
        purchase = self.buy(position).gather(1, s.bought[:, None]).squeeze(1) + SCORE * s.worth
        power_down = self.down(position).squeeze(1) + SCORE * s.tired
        return s.prior + win + purchase * (s.bought > 0) + power_down * s.down

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a file of weights of kind "value"."""
        arrays = {}
        for name, module in self.named_children():
            assert isinstance(module, nn.Linear)
            scale = SCORE if name in ("buy", "down") else 1.0
            arrays[f"{name}_w"] = module.weight.detach().numpy().T / scale
            if module.bias is not None:
                arrays[f"{name}_b"] = module.bias.detach().numpy() / scale
        return arrays


class Samples(NamedTuple):
    """Positions, what a seat decided there, and whether it won the race: a row each.

    In the rows of rollouts nothing was decided, and `won` is the fraction that the seat won.
    """

    own: torch.Tensor  # f4 [n, own]
    others: torch.Tensor  # f4 [n, P - 1, row]
    prior: torch.Tensor  # f4 [n]: log-odds by distances and damage
    bought: torch.Tensor  # i8 [n]: 1 + the option of a purchase, 0 without one
    worth: torch.Tensor  # f4 [n]: the value of the purchase for `greedy`
    down: torch.Tensor  # f4 [n]: 1 a power down was announced, -1 it was not, 0 it could not be
    tired: torch.Tensor  # f4 [n]: DOWN if `greedy` would announce it, else -DOWN
    won: torch.Tensor  # f4 [n]
    soft: torch.Tensor  # b1 [n]: a row of rollouts
