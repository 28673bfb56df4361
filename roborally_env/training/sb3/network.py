"""The network: scores of programs, and a value."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

REGISTERS = 5


class ProgramNet(nn.Module):
    """Scores of programs, and a value, from a symbolic observation.

    The hand is seen as a set: cards are embedded by what they are, their sum joins the rest of the observation, and a
    card's score in register k is the product of its embedding with a query, made of the position, the register and the
    earlier cards. So permuting the hand permutes the scores and changes nothing else.
    """

    def __init__(self, size: int, hand: tuple[int, int], choices: int, width: int, card_size: int = 32) -> None:
        super().__init__()
        self.hand, self.choices = hand, choices
        slots, kinds = hand
        self.card = nn.Linear(kinds, card_size)
        self.dealt = nn.Linear(card_size, card_size)
        self.body = nn.Sequential(
            nn.Linear(size - slots * kinds + card_size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        depth = max(width // 4, 8)
        self.context = nn.Linear(width, depth)
        self.place = nn.Parameter(torch.randn(REGISTERS, depth) * 0.1)
        self.laid = nn.Parameter(torch.randn(REGISTERS, card_size, depth) / math.sqrt(card_size))
        self.query = nn.Linear(depth, card_size)
        self.choice = nn.Linear(width, max(choices, 1))
        self.value = nn.Linear(width, 1)
        for layer in (self.query, self.choice):  # near uniform at the start
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Position [N, width] and cards [N, slots, card_size] from observations [N, size]."""
        slots, kinds = self.hand  # the hand stands first
        cards = torch.tanh(self.card(observation[:, : slots * kinds].reshape(-1, slots, kinds)))
        dealt = torch.relu(self.dealt(cards)).sum(1) / slots
        return self.body(torch.cat([observation[:, slots * kinds :], dealt], 1)), cards

    def scores(self, context: Tensor, before: Tensor, cards: Tensor) -> Tensor:
        """[.., slots] for cards [N, slots, c], from context and what lies there already, both [N, .., depth]."""
        query = self.query(torch.relu(context + before))
        return torch.einsum("n...c,nsc->n...s", query, cards)
