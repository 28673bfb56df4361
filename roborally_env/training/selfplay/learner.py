"""Learning: PPO, expert iteration, imitation."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from roborally_env.agents.features import Layout
from roborally_env.base.errors import RoboRallyError
from roborally_env.training.selfplay.gameplay import Moment
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.programs import score_programs
from roborally_env.training.selfplay.purchases import score_purchases

SHARP = 100.0  # points of the chance to win
FLAT = 2.0  # temperature of the policy in expert iteration

FIELDS = {
    "program": ("own", "others", "candidates", "counts", "choice", "expert", "down", "locked", "theirs", "logp"),
    "purchase": ("own", "others", "legal", "prior", "choice", "logp"),
}
SCORES = {"program": score_programs, "purchase": score_purchases}


TARGETS = ("advantage", "return", "won")
Data = dict[str, dict[str, np.ndarray]]  # by kind of decision: `FIELDS` and `TARGETS`, with a row for each decision


def padded(array: np.ndarray, name: str, rows: int) -> np.ndarray:
    """Rows of zeros for the seats that a table with fewer players lacks."""
    if name not in ("others", "theirs") or array.shape[1] == rows:
        return array
    return np.pad(array, ((0, 0), (0, rows - array.shape[1]), (0, 0)))


def joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Decisions of one kind, one part after the other."""
    width = max(part["others"].shape[1] for part in parts)
    return {name: np.concatenate([padded(part[name], name, width) for part in parts]) for name in parts[0]}


def gather(played: list[tuple[Moment, dict[str, np.ndarray]]]) -> Data:
    """All decisions of a kind one after the other, with advantage, return and chance to win."""
    data: Data = {}
    for name, fields in FIELDS.items():
        rows = [(getattr(m, name + "s"), found[name]) for m, found in played if name in found]
        if rows:
            parts = [
                {f: getattr(part, f) for f in fields} | dict(zip(TARGETS, targets, strict=True))
                for part, targets in rows
            ]
            data[name] = joined(parts)
    return data


def expert_loss(scores: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
    """Minus what the policy gains over the first candidate, which `greedy` lays, in points of the chance to win.

    `chances` [n, MOST] are those simulated after each candidate, -1 for candidates that were not simulated: they have
    no probability here. The gradient is that of the policy gradient with the advantages of all candidates known.
    """
    wanted = chances[:, 0] >= 0
    if not wanted.any():
        return scores.sum() * 0.0
    chances = chances[wanted]
    policy = torch.softmax(scores[wanted].masked_fill(chances < 0, -1e9) / FLAT, 1)
    return -(policy * SHARP * (chances - chances[:, :1])).sum(1).mean()


class Learner:
    """The network, its optimizer, and updates from what was played."""

    def __init__(self, options: Options, at: Layout, device: torch.device, game: str = "") -> None:
        self.options = options
        self.net = Network(at, options.hidden, options.central_critic)
        if options.begin:
            self.net.begin(options.begin, game)
        self.net.to(device)
        self.device = device
        learned = [p for p in self.net.parameters() if p.requires_grad]
        self.optimizer = torch.optim.Adam(learned, lr=options.lr, eps=1e-5)

    def tensors(self, data: Data) -> dict[str, dict[str, torch.Tensor]]:
        """The same on the learner's device. Arrays that came through an object store are read-only: torch gets
        copies."""
        return {
            name: {f: torch.as_tensor(np.require(a, requirements=["C", "W"])).to(self.device) for f, a in part.items()}
            for name, part in data.items()
        }

    def loss(self, name: str, part: dict[str, torch.Tensor], imitate: bool) -> tuple[torch.Tensor, dict[str, float]]:
        """Clipped PPO loss (Schulman et al. 2017), or that of copying; with value, chance to win and entropy."""
        o = self.options
        logp, entropy, value, win, scores = SCORES[name](self.net, part)
        value_loss = F.mse_loss(value, part["return"])
        win_loss = F.binary_cross_entropy_with_logits(win.detach() if o.begin else win, part["won"])
        ratio = torch.exp(logp - part["logp"])
        if imitate:
            policy = -logp.mean()
        else:
            a = part["advantage"]
            policy = -torch.minimum(ratio * a, ratio.clamp(1 - o.clip, 1 + o.clip) * a).mean()
        wanted = policy if imitate else policy - o.entropy * entropy.mean()
        weight = 1.0 if imitate else o.policy_weight
        total = weight * wanted + o.value_weight * (value_loss + win_loss)
        if scores is not None and o.expert:
            expert = expert_loss(scores, part["expert"])
            total = total + o.expert_weight * expert
        metrics = {"policy": policy, "value": value_loss, "win": win_loss, "entropy": entropy.mean()}
        if scores is not None and o.expert:
            metrics["expert"] = expert
        metrics["clipped"] = ((ratio - 1).abs() > o.clip).float().mean()
        return total, {f"{name}/{key}": float(x.detach()) for key, x in metrics.items()}

    def update(
        self, data: dict[str, dict[str, torch.Tensor]], rng: np.random.Generator, imitate: bool, rate: float
    ) -> dict[str, float]:
        """Some epochs of minibatches; returns the means of the losses."""
        o = self.options
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        for part in data.values():
            a = part["advantage"]
            part["advantage"] = (a - a.mean()) / (a.std(unbiased=False) + 1e-6)
        size = len(data["program"]["own"])
        count = max(1, round(size / o.minibatch))
        metrics: dict[str, list[float]] = {}
        for _ in range(1 if imitate else o.epochs):
            orders = {name: np.array_split(rng.permutation(len(part["own"])), count) for name, part in data.items()}
            for i in range(count):
                self.optimizer.zero_grad(set_to_none=True)
                for name, part in data.items():
                    rows = torch.as_tensor(orders[name][i], device=self.device)
                    if not len(rows):
                        continue
                    total, numbers = self.loss(name, {f: x[rows] for f, x in part.items()}, imitate)
                    (total * (len(part["own"]) / size) ** 0.5).backward()
                    for key, number in numbers.items():
                        metrics.setdefault(key, []).append(number)
                norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                if not torch.isfinite(norm):
                    raise RoboRallyError(
                        "the gradient is not finite; the last checkpoint is as it was: try a lower --lr"
                    )
                self.optimizer.step()
        return {key: float(np.mean(x)) for key, x in metrics.items()}
