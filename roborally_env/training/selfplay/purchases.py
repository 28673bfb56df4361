"""Purchases of many seats at once: drawn from the network, traced, and scored with gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from roborally_env.agents.purchases import write_values
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.programs import Scores
from roborally_env.training.selfplay.tables import Table, chance, tensor


@dataclass
class Purchases:
    """Purchase decisions of n seats."""

    own: np.ndarray
    others: np.ndarray
    legal: np.ndarray  # [n, options]
    prior: np.ndarray  # [n, options]: the values by which `greedy` buys
    choice: np.ndarray  # [n]
    logp: np.ndarray  # [n]
    value: np.ndarray  # [n]
    win: np.ndarray  # [n]


@torch.no_grad()
def buy(
    net: Network,
    table: Table,
    games: np.ndarray,
    seats: np.ndarray,
    generator: torch.Generator,
    given: np.ndarray | None = None,
) -> Purchases:
    """Draw a purchase for each seat, or trace those `given` [n]."""
    device = next(net.parameters()).device
    own, others = table.features.positions(games, seats)
    legal = table.batch.observations["choice_masks"][games, seats].astype(bool)
    position = net.position(tensor(own, device), tensor(others, device))
    prior = np.zeros(legal.shape, np.float32)
    write_values(table.batch.games, games, seats, prior)
    scores = (net.buy(position)[:, : legal.shape[1]] + tensor(prior, device)).masked_fill(~tensor(legal, device), -1e9)
    if given is None:
        uniform = torch.rand(scores.shape, generator=generator).to(device)
        choice = (scores - torch.log(-torch.log(uniform.clamp(1e-9, 1 - 1e-7)))).argmax(1)
    else:
        choice = tensor(given.astype(np.int64), device)
    logp = F.log_softmax(scores, 1).gather(1, choice[:, None]).squeeze(1)
    chosen, logps, values = (x.cpu().numpy() for x in (choice, logp, net.critic(position, None, None)))
    wins = chance(net, table, position, games, seats)
    return Purchases(own, others, legal, prior, chosen, logps, values, wins)


def score_purchases(net: Network, p: dict[str, torch.Tensor]) -> Scores:
    """The same of purchases that were made."""
    position = net.position(p["own"], p["others"])
    logs = F.log_softmax((net.buy(position)[:, : p["prior"].shape[1]] + p["prior"]).masked_fill(~p["legal"], -1e9), 1)
    entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(1)
    logp = logs.gather(1, p["choice"][:, None]).squeeze(1)
    return logp, entropy, net.critic(position, None, None), net.win(position), None
