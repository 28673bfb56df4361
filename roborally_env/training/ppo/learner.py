"""Learning: clipped updates over the decisions of a rollout (PPO; Schulman et al., 2017)."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from roborally_env.base.types import Array, NamedValues
from roborally_env.core.searching.ghost import CARDS
from roborally_env.core.state import REGISTERS
from roborally_env.training.devices import device_of
from roborally_env.training.ppo.loss import Cards, clipped
from roborally_env.training.ppo.network import Network, log_shares
from roborally_env.training.ppo.options import Options
from roborally_env.training.ppo.rollout import SOFT, Rollout
from roborally_env.training.ppo.rows import CLIPPED, COUNT, ENTROPY, KL, POLICY, VALUE

MOST_TRUST = 2.0
LEAST_SHARE = 1e-7  # of a card's value against the best one's, see `soft_choices`: six registers less
Columns: TypeAlias = dict[str, Tensor]
OF_CARDS = ("led", "led_at")  # columns with a row for each card that was left, not for each program
MEASURES = ("policy_loss", "value_loss", "entropy", "kl", "clipped")


class Learner:
    """Improves a network by rollouts. A program counts as one decision of five cards, each with its own ratio."""

    def __init__(self, net: Network, options: Options) -> None:
        self.device = device_of(options.device)
        self.net, self.options = net.to(self.device), options
        self.optimizer = torch.optim.Adam(net.parameters(), lr=options.lr, eps=1e-5, fused=True)
        self.rng = np.random.default_rng(options.seed + 1)
        self.copying = False
        self.solo_weight = options.solo_weight
        self.scaled = False

    def state(self) -> NamedValues:
        """What `load_state` needs."""
        return {"optimizer": self.optimizer.state_dict(), "rng": self.rng.bit_generator.state, "scaled": self.scaled}

    def load_state(self, state: NamedValues) -> None:
        """Resume from `state`."""
        self.optimizer.load_state_dict(state["optimizer"])
        self.rng.bit_generator.state = state["rng"]
        self.scaled = state["scaled"]

    def learn(self, played: Rollout, left: float, copy: bool = False) -> dict[str, float]:
        """Some epochs over a rollout; `left` is the share of the run that is still to come, or of the imitation: with
        `copy` its decisions are a teacher's, which become likelier. Means of what was found."""
        options = self.options
        self.copying, self.solo_weight = copy, options.solo_weight * max(0.0, left)
        if not self.scaled and len(played.programs["values"]):
            programs = played.programs
            active = programs["kinds"] > 0
            own, others, near, led = (
                torch.from_numpy(rows)
                for rows in (programs["own"], programs["others"], programs["near"][active], programs["led"])
            )
            self.net.scale_inputs(own, others, near, led, bool(options.begin))
            self.scaled = True
        for group in self.optimizer.param_groups:
            group["lr"] = (options.imitate_lr if copy else options.lr) * max(left, 0.05)
        sizes = [len(played.programs["values"]), len(played.choices["values"])]
        active = played.programs["kinds"] > 0
        gained = np.concatenate([played.programs["advantages"][active], played.choices["advantages"]])
        mean, std = float(gained.mean()), float(gained.std()) + 1e-8
        parts = max(1, round(sum(sizes) / options.minibatch))
        both = self.moved(played.programs), self.moved(played.choices)
        if options.ahead and not copy:  # without it, runs of 0.4 million decisions won 11 % in place of 14
            self.correct(*both)
        found = []
        for _ in range(options.epochs):
            orders = [np.array_split(self.rng.permutation(size), parts) for size in sizes]
            for rows in zip(*orders, strict=True):
                found.append(self._update(both, rows, mean, std))
        return dict(zip(MEASURES, np.mean(found, 0).tolist(), strict=True))

    def moved(self, columns: dict[str, Array]) -> Columns:
        """Columns where the network is, and where the cards of each program begin."""
        found = {name: torch.from_numpy(column).to(self.device) for name, column in columns.items()}
        if "leads" in found:
            found["led_begin"] = found["leads"].cumsum(0) - found["leads"]
        return found

    @torch.no_grad()
    def correct(self, programs: Columns, choices: Columns) -> None:
        """Make the network as it is now the one from which updates stay near, where an earlier version has played:
        log-probabilities become its own, and `trust` is how much likelier it decides so than the one that played
        (Hilton et al., Batch size-invariance for policy optimization, 2022)."""
        for columns, logs_of in ((programs, self._program_logs), (choices, self._choice_logs)):
            size = len(columns["values"])
            for rows in np.array_split(np.arange(size), max(1, size // self.options.minibatch)) if size else ():
                at = torch.from_numpy(rows).to(self.device)
                for name, now in logs_of(_taken(columns, at)).items():
                    trust = (now - columns[name][at]).clamp(max=math.log(MOST_TRUST)).exp()
                    columns.setdefault(f"{name}_trust", torch.ones_like(columns[name]))[at] = trust
                    columns[name][at] = now

    def _program_logs(self, p: Columns) -> dict[str, Tensor]:
        net = self.net
        position = net.position(p["own"].float(), p["others"].float())
        logits, _ = net.choose(net.context(position).unsqueeze(1), *seen_of(p))
        found = {"logps": _chosen(logits, p)[1]}
        may = p["down"] >= 0
        if may.any():
            down = -F.binary_cross_entropy_with_logits(
                net.down(position).squeeze(1), p["down"].clamp(min=0).float(), reduction="none"
            )
            found["down_logps"] = torch.where(may, down, 0.0)
        return found

    def _choice_logs(self, p: Columns) -> dict[str, Tensor]:
        position = self.net.position(p["own"].float(), p["others"].float())
        logs = log_shares(self.net.option(position), p["legal"])
        return {"logps": logs.gather(1, p["options"].long().unsqueeze(1)).squeeze(1)}

    def _update(
        self, both: tuple[Columns, Columns], rows: tuple[np.ndarray, ...], mean: float, std: float
    ) -> list[float]:
        options = self.options
        sums = Sums(self.device)
        for columns, mine, learn in zip(both, rows, (self._programs, self._choices), strict=True):
            if len(mine):
                learn(_taken(columns, torch.from_numpy(mine).to(self.device)), mean, std, sums)
        loss = sums.policy / sums.count + options.value_weight * sums.value / sums.count
        if not self.copying:
            loss = loss - options.entropy * sums.entropy / sums.count
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), options.max_grad_norm)
        self.optimizer.step()
        found = torch.stack([sums.policy, sums.value, sums.entropy, sums.kl, sums.clipped])
        return [x / sums.count for x in found.tolist()]

    def _programs(self, p: Columns, mean: float, std: float, sums: Sums) -> None:
        net = self.net
        position = net.position(p["own"].float(), p["others"].float())
        around = _around(net, p)
        logits, values = net.choose(
            net.context(position).unsqueeze(1), *seen_of(p), None if around is None else around.unsqueeze(1)
        )
        gained = (p["advantages"] - mean) / std
        if self.copying or p.get("targets", values).dim() == 3 or logits.device.type != "cpu":
            self._cards(p, logits, values, gained, sums)
        else:
            trusted = (gained * p.get("logps_trust", 1.0)).float()
            cards = Cards(p["legal"], p["kinds"], p["logps"], trusted, p["returns"])
            sums.add(clipped(logits, values, cards, self.options.clip))
        may = p["down"] >= 0
        if may.any():
            odds = net.down(position).squeeze(1)[may]
            chosen = p["down"][may].float()
            logp = -F.binary_cross_entropy_with_logits(odds, chosen, reduction="none")
            share = torch.sigmoid(odds)
            entropy = F.binary_cross_entropy_with_logits(odds, share, reduction="none")
            zeros = torch.zeros_like(logp)
            trust = p["down_logps_trust"][may] if "down_logps_trust" in p else 1.0
            ones = torch.ones_like(logp)
            self._add(sums, logp, p["down_logps"][may], gained[may, 0] * trust, entropy, zeros, zeros, ones)

    def _cards(self, p: Columns, logits: Tensor, values: Tensor, gained: Tensor, sums: Sums) -> None:
        """The cards' part of the loss by torch: on a GPU, or where they are copied or compared with other cards."""
        logs, logp = _chosen(logits, p)
        entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(2)
        active = (p["kinds"] > 0).float()
        soft = p["targets"].float() if p.get("targets", values).dim() == 3 else None
        if soft is not None and not self.copying:
            lost = -SOFT / 4 * (soft / soft.amax(2, keepdim=True).clamp(min=LEAST_SHARE)).clamp(min=LEAST_SHARE).log()
            known = active * (soft.sum(2) > 0)
            sums.policy = sums.policy + self.solo_weight * ((logs.exp() * lost).sum(2) * known).sum()
            soft = None
        if soft is not None:
            aim = (soft * logs.clamp(min=-50.0)).sum(2)
            active = active * (soft.sum(2) > 0)
        else:
            aim = None
        self._add(
            sums, logp, p["logps"], gained * p.get("logps_trust", 1.0), entropy, values, p["returns"], active, aim
        )

    def _choices(self, p: Columns, mean: float, std: float, sums: Sums) -> None:
        net = self.net
        position = net.position(p["own"].float(), p["others"].float())
        logs = log_shares(net.option(position), p["legal"])
        logp = logs.gather(1, p["options"].long().unsqueeze(1)).squeeze(1)
        entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(1)
        values = net.option_worth(position, _around(net, p))
        gained = (p["advantages"] - mean) / std * p.get("logps_trust", 1.0)
        self._add(sums, logp, p["logps"], gained, entropy, values, p["returns"], torch.ones_like(logp))

    def _add(
        self, sums: Sums, logp: Tensor, before: Tensor, advantages: Tensor, entropy: Tensor, values: Tensor,
        returns: Tensor, weight: Tensor, aim: Tensor | None = None,
    ) -> None:  # fmt: skip
        clip = self.options.clip
        change = (logp - before) * weight
        ratio = change.exp()
        gained = (
            (logp if aim is None else aim)
            if self.copying
            else torch.minimum(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip))
        )
        sums.policy = sums.policy - (gained * weight).sum()
        sums.value = sums.value + ((values - returns).square() * weight).sum()
        sums.entropy = sums.entropy + (entropy * weight).sum()
        sums.count += float(weight.sum())
        with torch.no_grad():
            sums.kl = sums.kl + ((ratio - 1 - change) * weight).sum()
            sums.clipped = sums.clipped + (((ratio - 1).abs() > clip) * weight).sum()


def _chosen(logits: Tensor, p: Columns) -> tuple[Tensor, Tensor]:
    """Log-probabilities [n, 5, KINDS] of the cards, and those [n, 5] of the cards that were chosen."""
    kinds = p["kinds"].long()
    active = kinds > 0
    logs = log_shares(logits, torch.where(active, p["legal"], 1))
    logp = logs.gather(2, (kinds - 1).clamp(min=0).unsqueeze(2)).squeeze(2)
    return logs, torch.where(active, logp, 0.0)


def _around(net: Network, p: Columns) -> Tensor | None:
    """See Network.around."""
    return net.around(p["state"].float()) if net.central else None


class Sums:
    """Sums of a minibatch over the cards and choices in it."""

    def __init__(self, device: torch.device) -> None:
        self.policy = self.value = self.entropy = self.kl = self.clipped = torch.zeros((), device=device)
        self.count = 0.0

    def add(self, found: Tensor) -> None:
        """Add what `loss.clipped` found."""
        self.policy, self.value = self.policy + found[POLICY], self.value + found[VALUE]
        self.entropy = self.entropy + found[ENTROPY]
        self.kl, self.clipped = self.kl + found[KL].detach(), self.clipped + found[CLIPPED].detach()
        self.count += float(found[COUNT].detach())


def _taken(columns: Columns, rows: Tensor) -> Columns:
    """The columns of some programs or choices, with all cards of these programs."""
    found = {name: column[rows] for name, column in columns.items() if name not in OF_CARDS}
    if "leads" in columns:
        counts = found["leads"].long()
        program = torch.repeat_interleave(counts)
        before = found["led_begin"] - (counts.cumsum(0) - counts)
        at = torch.arange(len(program), device=rows.device) + before[program]
        found["led"] = columns["led"].index_select(0, at)
        found["led_at"] = program * (REGISTERS * CARDS) + columns["led_at"].index_select(0, at)
    return found


def seen_of(p: Columns) -> tuple[Tensor, Tensor, Tensor]:
    """The arguments `near`, `led` and `at` of Network.choose."""
    return p["near"].float(), p["led"].float(), p["led_at"]
