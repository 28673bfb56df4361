"""Learning: clipped updates over the decisions of a rollout (PPO; Schulman et al., 2017)."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from roborally_env.base.types import Array, NamedValues
from roborally_env.core.searching.ghost import CARDS
from roborally_env.core.state import REGISTERS
from roborally_env.training.devices import device_of
from roborally_env.training.ppo.loss import Cards, clipped
from roborally_env.training.ppo.network import Network, log_shares
from roborally_env.training.ppo.options import Options
from roborally_env.training.ppo.rollout import SOFT, Rollout, merged
from roborally_env.training.ppo.rows import CLIPPED, COUNT, ENTROPY, KL, POLICY, VALUE

MOST_TRUST = 2.0
LEAST_SHARE = 1e-7  # of a card's value against the best one's, see `soft_choices`: six registers less
Columns: TypeAlias = dict[str, Tensor]
T = TypeVar("T")
OF_CARDS = ("led", "led_at")  # columns with a row for each card that was left, not for each program
MEASURES = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
KL_AT = MEASURES.index("kl")


class Learner:
    """Improves a network by rollouts. A program counts as one decision of five cards, each with its own ratio.

    With several `learners` each has a thread, in which it computes its part of the gradient of every minibatch from
    what its actors have played. The parts are added in their order, so the result does not depend on timing.

    Attributes:
        seconds: of processor time, which the last rollouts took.
    """

    def __init__(self, net: Network, options: Options) -> None:
        self.device = device_of(options.device)
        self.net, self.options = net.to(self.device), options
        self.nets = [self.net, *(_twin(self.net) for _ in range(options.learners - 1))]
        self.optimizer = torch.optim.Adam(net.parameters(), lr=options.lr, eps=1e-5, fused=True)
        self.rng = np.random.default_rng(options.seed + 1)
        self.copying = False
        self.solo_weight = options.solo_weight
        self.scaled = False
        self.seconds = 0.0

    def state(self) -> NamedValues:
        """What `load_state` needs."""
        return {"optimizer": self.optimizer.state_dict(), "rng": self.rng.bit_generator.state, "scaled": self.scaled}

    def load_state(self, state: NamedValues) -> None:
        """Resume from `state`."""
        self.optimizer.load_state_dict(state["optimizer"])
        self.rng.bit_generator.state = state["rng"]
        self.scaled = state["scaled"]

    def learn(self, *played: Rollout, left: float, copy: bool = False) -> dict[str, float]:
        """Some epochs over rollouts, an equal number of them for each learner. `left` is the share of the run that is
        still to come, or of the imitation: with `copy` their decisions are a teacher's, which become likelier. Means of
        what was found."""
        options, began = self.options, time.thread_time()
        self.copying, self.solo_weight = copy, options.solo_weight * max(0.0, left)
        for group in self.optimizer.param_groups:
            group["lr"] = (options.imitate_lr if copy else options.lr) * max(left, options.lr_end)
        threads, each = len(self.nets), len(played) // len(self.nets)
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(options.threads,)) as pool:
            # of many actors a rollout has gigabytes
            rollouts = list(pool.map(merged, (played[i * each : (i + 1) * each] for i in range(threads))))
            self._scale_inputs(rollouts)
            mean, std = _spread(rollouts)
            shares = [self.share_of(net, rollout) for net, rollout in zip(self.nets, rollouts, strict=True)]
            if options.ahead and not copy:  # without it, runs of 0.4 million decisions won 11% in place of 14
                list(self._each(pool, self.correct, shares))
            parts = max(1, round(sum(sum(share.sizes) for share in shares) / options.minibatch))
            found = []
            for _ in range(options.epochs):
                for share in shares:
                    share.orders = [np.array_split(self.rng.permutation(size), parts) for size in share.sizes]
                for part in range(parts):
                    found.append(self._update(list(self._each(pool, self._gradients, shares, part, mean, std))))
                if options.target_kl and np.mean([row[KL_AT] for row in found[-parts:]]) > options.target_kl:
                    break
        self.seconds = time.thread_time() - began + sum(share.seconds for share in shares) * (threads > 1)
        return dict(zip(MEASURES, np.mean(found, 0).tolist(), strict=True))

    @staticmethod
    def _each(pool: ThreadPoolExecutor, work: Callable[..., T], shares: list[Share], *given: object) -> Iterable[T]:
        """What `work` returns for each share, of which each has a thread if there are several."""
        return (map if len(shares) == 1 else pool.map)(partial(_called, work, given), shares)

    def _scale_inputs(self, rollouts: list[Rollout]) -> None:
        """See Network.scale_inputs; once, by the first programs."""
        if self.scaled or not any(len(rollout.programs["values"]) for rollout in rollouts):
            return
        programs = merged(rollouts).programs
        active = programs["kinds"] > 0
        own, others, near, led = (
            torch.from_numpy(rows)
            for rows in (programs["own"], programs["others"], programs["near"][active], programs["led"])
        )
        self.net.scale_inputs(own, others, near, led, bool(self.options.begin))
        self.scaled = True

    def share_of(self, net: Network, played: Rollout) -> Share:
        """What is learned from a rollout with this network, which is one of `nets`."""
        return Share(net, self.moved(played.programs), self.moved(played.choices))

    def moved(self, columns: dict[str, Array]) -> Columns:
        """Columns where the network is, and where the cards of each program begin."""
        found = {name: torch.from_numpy(column).to(self.device) for name, column in columns.items()}
        if "leads" in found:
            found["led_begin"] = found["leads"].cumsum(0) - found["leads"]
        return found

    @torch.no_grad()
    def correct(self, share: Share) -> None:
        """Make the network as it is now the one from which updates stay near, where an earlier version has played:
        log-probabilities become its own, and `trust` is how much likelier it decides so than the one that played
        (Hilton et al., Batch size-invariance for policy optimization, 2022)."""
        for columns, logs_of in ((share.programs, self._program_logs), (share.choices, self._choice_logs)):
            size = len(columns["values"])
            for rows in np.array_split(np.arange(size), max(1, size // self.options.minibatch)) if size else ():
                at = torch.from_numpy(rows).to(self.device)
                for name, now in logs_of(share.net, _taken(columns, at)).items():
                    trust = (now - columns[name][at]).clamp(max=math.log(MOST_TRUST)).exp()
                    columns.setdefault(f"{name}_trust", torch.ones_like(columns[name]))[at] = trust
                    columns[name][at] = now

    def _program_logs(self, net: Network, p: Columns) -> dict[str, Tensor]:
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

    def _choice_logs(self, net: Network, p: Columns) -> dict[str, Tensor]:
        position = net.position(p["own"].float(), p["others"].float())
        logs = log_shares(net.option(position), p["legal"])
        return {"logps": logs.gather(1, p["options"].long().unsqueeze(1)).squeeze(1)}

    def _gradients(self, share: Share, part: int, mean: float, std: float) -> Sums:
        """The gradient of the loss of these decisions, as that of the share's network: of its mean if there is one
        learner, else of its sum, which `_update` divides."""
        sums, net, options = Sums(self.device), share.net, self.options
        for columns, order, learn in zip(
            (share.programs, share.choices), share.orders, (self._programs, self._choices), strict=True
        ):
            if len(order[part]):
                learn(net, _taken(columns, torch.from_numpy(order[part]).to(self.device)), mean, std, sums)
        net.zero_grad(set_to_none=True)
        if sums.count:
            count = sums.count if len(self.nets) == 1 else 1.0
            loss = sums.policy / count + options.value_weight * sums.value / count
            if not self.copying:
                loss = loss - options.entropy * sums.entropy / count
            loss.backward()
        return sums

    def _update(self, parts: list[Sums]) -> list[float]:
        """A step along the gradients of all learners; the measures of their decisions."""
        sums = parts[0]
        if len(parts) > 1:
            for other in parts[1:]:
                sums.join(other)
            for mine, *others in zip(*(net.parameters() for net in self.nets), strict=True):
                known = [each.grad for each in (mine, *others) if each.grad is not None]
                if known:
                    mine.grad = torch.stack(known).sum(0).div_(sums.count)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.options.max_grad_norm)
        self.optimizer.step()
        found = torch.stack([sums.policy, sums.value, sums.entropy, sums.kl, sums.clipped])
        return [x / sums.count for x in found.tolist()]

    def _programs(self, net: Network, p: Columns, mean: float, std: float, sums: Sums) -> None:
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

    def _choices(self, net: Network, p: Columns, mean: float, std: float, sums: Sums) -> None:
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


@dataclass
class Share:
    """What one learner learns from, and the network that has its gradients. `orders` are the rows of each minibatch, of
    programs and of choices."""

    net: Network
    programs: Columns
    choices: Columns
    orders: list[list[NDArray[np.int64]]] = field(default_factory=list)
    seconds: float = 0.0  # of the processor

    @property
    def sizes(self) -> list[int]:
        """How many programs and choices there are."""
        return [len(self.programs["values"]), len(self.choices["values"])]


def _called(work: Callable[..., T], given: tuple[object, ...], share: Share) -> T:
    began = time.thread_time()
    found = work(share, *given)
    share.seconds += time.thread_time() - began
    return found


def _spread(rollouts: list[Rollout]) -> tuple[float, float]:
    """The mean and the standard deviation of the advantages."""
    gained = []
    for rollout in rollouts:
        gained += [rollout.programs["advantages"][rollout.programs["kinds"] > 0], rollout.choices["advantages"]]
    together = np.concatenate(gained)
    return float(together.mean()), float(together.std()) + 1e-8


def _twin(net: Network) -> Network:
    """A network with the same weights in memory and gradients of its own, for another thread."""
    twin = copy.deepcopy(net)
    for mine, its in zip(twin.parameters(), net.parameters(), strict=True):
        mine.data = its.data
    for name, value in net.named_buffers():
        setattr(twin, name, value)
    return twin


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

    def join(self, other: Sums) -> None:
        """Add those of another thread."""
        for name in ("policy", "value", "entropy", "kl", "clipped"):
            setattr(self, name, getattr(self, name).detach() + getattr(other, name).detach())
        self.count += other.count


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
