"""Self-play with a league: PPO in torch straight on BatchRace, one network for all seats, courses and player counts.

    python scripts/train_selfplay.py --out out/selfplay --courses dizzy_highway twister --hours 1

Every seat is played by the one network or by a member of the league: bots, and earlier versions of the network. A
finished race is followed by a new one with a new line-up; members against which the network wins least are drawn most.
`--imitate planner --imitate-decisions 300000` first copies an agent, `--imitate out/planner` the decisions that
`scripts/collect.py` wrote there.

`--courses` takes names, paths and specifications of generated courses, as `generated:seed=1,levels=100`, also mixed. If
any are generated, or with a curriculum, the tables get other courses every `--change-every` iterations. `--curriculum`
is prioritised level replay (Jiang, Grefenstette and Rocktaeschel, "Prioritized Level Replay", ICML 2021) over generated
and named courses: what comes again is drawn by `regret` (chance to win that the policy gives away, by the labels of
`--expert`; without them the positive value loss), `success` (near one half against the league) or `weakest` (placed
behind the league). With `--robust` courses that come for the first time are only scored (Jiang et al.,
"Replay-Guided Adversarial Environment Design", NeurIPS 2021).

Run it again with the same --out to go on where it was stopped, by Ctrl-C or
otherwise: what comes out is the same as without the stop (CPU, one thread).

The folder holds checkpoint.pt, weights.npz (the newest, for `--agents learned:weights=out/selfplay/weights.npz`),
progress.csv, TensorBoard files and options.json.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from roborally_env.agents import Info, make_agent
from roborally_env.agents.candidates import ALONE, CHANCE, FEATURES, MOST, OUTCOMES, VALUE, Candidates
from roborally_env.agents.features import Features
from roborally_env.agents.network import BUYING, DOWN, load_weights, prior_log_odds, read_weights, save_weights
from roborally_env.agents.powering import FROM_TOKENS
from roborally_env.agents.shopping import write_values

from roborally_env import BatchRace, RoboRallyError
from roborally_env.courses.generate.level_replay import CURRICULA, LevelReplay
from roborally_env.courses.generate.mixture import Mixture
from roborally_env.selfplay import load as load_data
from roborally_env.tournament import evaluate

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
    from torch.utils.tensorboard import SummaryWriter
except ModuleNotFoundError as error:
    raise SystemExit(f'train_selfplay: {error.name} is not installed; pip install "roborally_env[train]"') from None

REGISTERS = 5
CANDIDATE = FEATURES + OUTCOMES
SHARP = 100.0  # points of the chance to win
NOT_OF_PROGRAMS = ("own", "row", "pool", "mid", "win1", "win2", "buy", "down")  # what `train_value.py` learns too
SCALE = 5.0  # of the scores, so that what the last layer gives is about 1
FLAT = 2.0  # temperature of the policy in expert iteration
PRIOR = {VALUE: 0.2, FEATURES + ALONE: 4.0, FEATURES + CHANCE: 5.0}  # weights of the untrained scores, unscaled
REWARDS = ("win", "race", "progress", "shaped")
OF_THE_MACHINE = ("out", "device", "threads", "checkpoint_every")  # options that are not kept with the weights
MEMORY = 400  # races of which a league member's rating is made


@dataclass
class Options:
    """Everything that decides what comes out."""

    out: str = "out/selfplay"
    courses: list[str] = field(default_factory=lambda: ["dizzy_highway", "risky_crossing", "twister"])
    edition: str | None = None
    players: list[int] = field(default_factory=lambda: [4])  # a batch of races for each
    rules: str = "{}"  # JSON, as {"upgrades": false}
    games: int = 256  # races at once, of each number of players
    steps: int = 24  # steps of an iteration
    decisions: int = 20_000_000  # stop after so many decisions of the network; 0: imitation alone
    hours: float = 0.0  # or after so much time; 0: no limit
    max_rounds: int = 60
    seed: int = 1
    # the courses
    generated: float = 2 / 3  # of the races are on generated courses, where there are named ones too
    at_once: int = 32  # courses of a table at least, if any are generated; with a curriculum exactly so many
    change_every: int = 16  # iterations after which the tables get other courses
    curriculum: str = "none"  # regret, success or weakest
    fresh: float = 0.5  # of the courses of a curriculum are new ones, as long as there are any
    temperature: float = 1.0  # of the ranks in a curriculum
    staleness: float = 0.3  # of the courses that come again are drawn by how long ago they came
    robust: bool = False  # nothing is learned from a course that comes for the first time
    # the league
    league: list[str] = field(default_factory=lambda: ["greedy", "planner:simulations=30"])
    league_share: float = 0.5  # of the races that have seats of the league
    snapshot_every: int = 1_000_000  # decisions after which the network joins the league
    snapshots: int = 6  # earlier versions that are kept
    # PPO
    lr: float = 5e-4
    gamma: float = 1.0
    lam: float = 0.95
    clip: float = 0.2
    epochs: int = 2
    minibatch: int = 2048
    entropy: float = 0.003
    value_weight: float = 0.5
    reward: str = "win"  # or a reward of BatchRace: race, progress, shaped
    central_critic: bool = False  # the critic sees the others' hands; the players never do
    # candidates and expert iteration
    deals: list[int] = field(default_factory=lambda: [0, 1, 2])  # simulated for a decision: one of these, at random
    expert: float = 0.0  # share of the decisions after which all candidates are simulated, to learn from
    expert_deals: int = 16  # in so many deals
    expert_weight: float = 1.0  # of what the policy gains by them
    policy_weight: float = 1.0  # of the policy gradient; 0: expert iteration alone, purchases stay those of `greedy`
    begin: str = ""  # a file of weights: its parts that do not look at programs are taken over and stay as they are
    # imitation
    imitate: str = ""  # an agent to copy first, or a folder of `scripts/collect.py`
    imitate_decisions: int = 300_000
    # the rest
    hidden: int = 128
    threads: int = 1  # of torch; one is best for so small a network
    device: str = "auto"
    checkpoint_every: float = 120.0  # seconds
    evaluate_every: int = 2_000_000  # decisions; 0: at the end alone
    evaluate_games: int = 200
    opponents: list[str] = field(default_factory=lambda: ["greedy", "random"])

    def check(self) -> None:
        """Refuse values that make no run, naming the flag."""
        counts = ("games", "steps", "minibatch", "epochs", "hidden", "threads", "snapshot_every", "at_once")
        for name in (*counts, "change_every"):
            if getattr(self, name) < 1:
                raise RoboRallyError(f"--{name.replace('_', '-')}: expected at least 1, got {getattr(self, name)}")
        for name in ("lr", "clip", "evaluate_every", "evaluate_games", "snapshots", "hours", "decisions"):
            if getattr(self, name) < 0:
                raise RoboRallyError(f"--{name.replace('_', '-')}: expected at least 0, got {getattr(self, name)}")
        for name in ("league_share", "gamma", "lam", "fresh", "staleness"):
            if not 0 <= getattr(self, name) <= 1:
                raise RoboRallyError(f"--{name.replace('_', '-')}: expected 0 to 1, got {getattr(self, name)}")
        for name in ("courses", "players"):
            if not getattr(self, name):
                raise RoboRallyError(f"--{name}: expected at least one")
        if not 0 < self.generated < 1:
            raise RoboRallyError(f"--generated: expected over 0 and under 1, got {self.generated}")
        self.check_curriculum()
        if self.reward not in REWARDS:
            raise RoboRallyError(f"--reward: expected one of {', '.join(REWARDS)}, got {self.reward!r}")
        try:
            json.loads(self.rules)
        except ValueError as error:
            raise RoboRallyError(
                f'--rules: expected JSON as {{"upgrades": false}}, got {self.rules!r} ({error})'
            ) from None

    def check_curriculum(self) -> None:
        """Refuse a curriculum that could not tell courses apart."""
        known = ("none", *CURRICULA)
        if self.curriculum not in known:
            raise RoboRallyError(f"--curriculum: expected one of {', '.join(known)}, got {self.curriculum!r}")
        if self.curriculum in ("success", "weakest") and not (self.league and self.league_share):
            raise RoboRallyError(f"--curriculum {self.curriculum}: expected a --league to race against, got none")
        if self.robust and self.curriculum == "none":
            raise RoboRallyError("--robust: expected a --curriculum")
        if not self.temperature > 0:
            raise RoboRallyError(f"--temperature: expected over 0, got {self.temperature}")


# -- the network


class Network(nn.Module):
    """Position, chance to win, scores of the candidate programs, purchases, and a critic that sees the candidates."""

    def __init__(self, at: Any, hidden: int = 128, central: bool = False) -> None:
        super().__init__()
        self.own, self.row = nn.Linear(at.own, hidden), nn.Linear(at.row, 48)
        self.pool, self.mid = nn.Linear(48, hidden, bias=False), nn.Linear(hidden, hidden)
        self.win1, self.win2 = nn.Linear(hidden, 64), nn.Linear(64, 1)
        self.context, self.cand1 = nn.Linear(hidden, 64), nn.Linear(CANDIDATE, 64, bias=False)
        self.cand2, self.cand3 = nn.Linear(64, 32), nn.Linear(32, 1, bias=False)
        self.skip = nn.Linear(CANDIDATE, 1, bias=False)
        self.buy, self.down = nn.Linear(hidden, BUYING), nn.Linear(hidden, 1)
        self.hands = nn.Linear(at.card, 48, bias=False) if central else None  # so that rows of zeros add nothing
        self.critic1, self.critic2 = nn.Linear(hidden + 2 * 64 + 48 * central, 64), nn.Linear(64, 1)
        for module, gain in ((self.buy, 0.01), (self.down, 0.01), (self.critic2, 0.1)):
            nn.init.orthogonal_(module.weight, gain)
        # the untrained network prefers what `greedy` prefers, and with deals what `planner` does
        nn.init.zeros_(self.cand3.weight)
        nn.init.zeros_(self.skip.weight)
        with torch.no_grad():
            for place, weight in PRIOR.items():
                self.skip.weight[0, place] = weight

    def position(self, own: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """[n, own], [n, P - 1, row] -> [n, hidden]."""
        there = (others != 0).any(2, keepdim=True)  # rows of zeros fill up tables with fewer players
        pooled = (F.relu(self.row(others)) * there).sum(1)
        return F.relu(self.mid(F.relu(self.own(own) + self.pool(pooled))))

    def win(self, position: torch.Tensor) -> torch.Tensor:
        """[n]: log-odds of winning the race, before the hand is dealt."""
        return self.win2(F.relu(self.win1(position))).squeeze(1)

    def units(self, position: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """What the candidates are scored by: [n, MOST, 64]."""
        return F.relu(self.cand1(candidates) + self.context(position)[:, None])

    def scores(self, units: torch.Tensor, candidates: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """[n, MOST]: the scores of the candidates [n, MOST, CANDIDATE], of which counts [n] are there."""
        scores = SCALE * (self.cand3(F.relu(self.cand2(units))) + self.skip(candidates)).squeeze(2)
        return scores.masked_fill(torch.arange(MOST, device=counts.device) >= counts[:, None], -1e9)

    def critic(self, position: torch.Tensor, units: torch.Tensor | None, theirs: torch.Tensor | None) -> torch.Tensor:
        """[n]: the expected return; `units` None before the hand is dealt."""
        none = position.new_zeros(len(position), 1, 64)
        units = none if units is None else units
        parts = [position, units.mean(1), units.amax(1)]
        if self.hands is not None:
            parts.append(F.relu(self.hands(theirs)).sum(1) if theirs is not None else none[:, 0, :48])
        return self.critic2(F.relu(self.critic1(torch.cat(parts, 1)))).squeeze(1)

    def begin(self, path: str, game: str) -> None:
        """Take over the parts of a file of weights that do not look at programs (`NOT_OF_PROGRAMS`), and freeze them.

        Raises:
            RoboRallyError: for a file that does not fit.
        """
        found = load_weights(path, game)[0]._asdict()
        for name in NOT_OF_PROGRAMS:
            for parameter, array in zip(getattr(self, name).parameters(), (f"{name}_w", f"{name}_b"), strict=False):
                values = torch.as_tensor(found[array].T if array.endswith("_w") else found[array])
                if values.shape != parameter.shape:
                    raise RoboRallyError(
                        f"--begin {path}: {array} has the shape {tuple(values.shape)}, expected "
                        f"{tuple(parameter.shape)}; is --hidden as it was?"
                    )
                parameter.data.copy_(values)
                parameter.requires_grad_(False)

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights as `roborally_env.agents.network` wants them."""
        found = {}
        for name, module in self.named_children():
            if isinstance(module, nn.Linear):
                found[f"{name}_w"] = module.weight.detach().cpu().numpy().T
                if module.bias is not None:
                    found[f"{name}_b"] = module.bias.detach().cpu().numpy()
        for name in ("cand3_w", "skip_w"):
            found[name] = SCALE * found[name]
        return found


# -- decisions of many seats at once


class Table:
    """A batch of races with a fixed number of players, who sits where, and the features of its seats."""

    def __init__(
        self, options: Options, courses: list[Any], unlearned: list[bool] | None = None, **changes: Any
    ) -> None:
        given = {
            "edition": options.edition,
            "observation": "none",
            "reward": "race" if options.reward == "win" else options.reward,
            "discount": options.gamma,
            "max_rounds": options.max_rounds,
            "rules": json.loads(options.rules),
        }
        self.options = options
        self.learns = ~np.array(unlearned or [False] * len(courses))  # [courses]: whether decisions are learned from
        self.batch = BatchRace(changes.pop("games", options.games), courses, **given | changes)
        self.features = Features(self.batch)
        self.candidates = Candidates(self.batch, options.seed, max(options.deals))
        shape = (self.batch.num_games, self.batch.players)
        self.line_ups = np.zeros(shape, np.int64)  # 0: the network, i: league member i - 1

    def programming(self) -> np.ndarray:
        """bool [B, P]: the seats that lay a program now."""
        return self.batch.programming[:, None] & self.batch.programmed

    def asked(self) -> tuple[np.ndarray, np.ndarray]:
        """(games, seats) that are asked to buy now."""
        games = np.flatnonzero(~self.batch.programming & ~self.batch.over)
        return games, self.batch.games["ask_seat"][games].astype(np.int64)

    def theirs(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """float32 [n, P - 1, card]: the cards in the others' hands, for the central critic alone."""
        p = self.batch.players
        everybody = (seats[:, None] + np.arange(1, p)) % p
        hands = self.features.hands(np.repeat(games, p - 1), everybody.ravel())
        return hands.sum(1).reshape(len(games), p - 1, -1)


@dataclass
class Programs:
    """Program decisions of n seats, as arrays with n rows."""

    own: np.ndarray
    others: np.ndarray
    candidates: np.ndarray  # [n, MOST, CANDIDATE]
    counts: np.ndarray  # [n]
    laid: np.ndarray  # [n, 5]: hand slots
    choice: np.ndarray  # [n]: number of the candidate that is laid; -1: a program that is none of them
    expert: np.ndarray  # [n, MOST]: chance to win after each candidate; -1 where that was not simulated
    down: np.ndarray  # [n]: power down announced; -1 where that was no choice
    locked: np.ndarray  # [n]: prior log-odds of that
    theirs: np.ndarray  # [n, P - 1, card]; no columns without a central critic
    logp: np.ndarray  # [n]
    value: np.ndarray  # [n]
    win: np.ndarray  # [n]


def tensor(array: np.ndarray, device: torch.device) -> torch.Tensor:
    return torch.as_tensor(array, device=device)


@torch.no_grad()
def decide(
    net: Network,
    table: Table,
    games: np.ndarray,
    seats: np.ndarray,
    generator: torch.Generator,
    given: np.ndarray | None = None,
    announced: np.ndarray | None = None,
) -> Programs:
    """Draw a program for each seat from the network, or trace the programs `given` [n, 5] of another agent."""
    device = next(net.parameters()).device
    features, batch, options = table.features, table.batch, table.options
    own, others = features.positions(games, seats)
    n = len(games)
    deals = np.asarray(options.deals)[torch.randint(len(options.deals), (n,), generator=generator).numpy()]
    candidates, programs, counts = table.candidates.of(games, seats, deals)
    position = net.position(tensor(own, device), tensor(others, device))
    rows = tensor(candidates, device)
    units = net.units(position, rows)
    scores = net.scores(units, rows, tensor(counts, device))
    theirs = table.theirs(games, seats) if net.hands is not None else np.zeros((len(games), 0, 0), np.float32)
    value = net.critic(position, units, tensor(theirs, device))
    if given is None:
        uniform = torch.rand(n, MOST, generator=generator).to(device)
        choice = (scores - torch.log(-torch.log(uniform.clamp(1e-9, 1 - 1e-7)))).argmax(1).cpu().numpy()
        laid = programs[np.arange(n), choice]
    else:
        choice, laid = number_of(batch, games, seats, programs, counts, given), given
    chosen = tensor(np.maximum(choice, 0), device)
    logp = F.log_softmax(scores, 1).gather(1, chosen[:, None]).squeeze(1)
    expert = np.full((n, MOST), -1.0, np.float32)
    if options.expert and given is None:
        asked = np.flatnonzero(torch.rand(n, generator=generator).numpy() < options.expert)
        if len(asked):
            expert[asked] = table.candidates.chances(
                games[asked], seats[asked], options.expert_deals, programs[asked], counts[asked]
            )
    down, locked = np.full(n, -1, np.int8), np.zeros(n, np.float32)
    may = batch.may_announce[games, seats]
    if may.any():
        locked = np.where(batch.games["damage"][games, seats] >= FROM_TOKENS, DOWN, -DOWN)
        scores = net.down(position).squeeze(1) + tensor(locked, device)
        if announced is None:
            yes = torch.rand(n, generator=generator).to(device) < torch.sigmoid(scores)
        else:
            yes = tensor(announced == 1, device)
        down = np.where(may, yes.cpu().numpy(), -1).astype(np.int8)
        logp += torch.where(tensor(may, device), F.logsigmoid(torch.where(yes, scores, -scores)), 0.0)
    return Programs(
        own, others, candidates, counts, laid, choice, expert, down, locked, theirs,
        logp.cpu().numpy(), value.cpu().numpy(), chance(net, table, position, games, seats),
    )  # fmt: skip


def chance(net: Network, table: Table, position: torch.Tensor, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """float32 [n]: the chance to win before the hand is dealt. With --begin the network adds to the log-odds that
    `planner` sees by distances."""
    odds = net.win(position)
    if table.options.begin:
        odds = odds + tensor(prior_log_odds(table.batch, games, seats), odds.device)
    return torch.sigmoid(odds).cpu().numpy()


def number_of(
    batch: BatchRace, games: np.ndarray, seats: np.ndarray, programs: np.ndarray, counts: np.ndarray, given: np.ndarray
) -> np.ndarray:
    """int64 [n]: the number of the candidate that has the cards of the program given; -1 if none has."""
    hands = batch.games["hand"][games, seats]
    wanted = np.take_along_axis(hands, given.astype(np.int64), 1)
    cards = np.take_along_axis(hands[:, None], programs.astype(np.int64), 2)
    there = np.arange(MOST) < counts[:, None]
    same = (cards == wanted[:, None]).all(2) & there
    return np.where(same.any(1), same.argmax(1), -1)


Scores = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None]


def score_programs(net: Network, p: dict[str, torch.Tensor]) -> Scores:
    """(log-probability, entropy, value, log-odds to win, scores) of programs that were laid, with gradients."""
    position = net.position(p["own"], p["others"])
    units = net.units(position, p["candidates"])
    scores = net.scores(units, p["candidates"], p["counts"])
    logs = F.log_softmax(scores, 1)
    logp = logs.gather(1, p["choice"].clamp(min=0)[:, None]).squeeze(1) * (p["choice"] >= 0)
    entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(1)
    asked = p["down"] >= 0
    score = net.down(position).squeeze(1) + p["locked"]
    logp = logp + torch.where(asked, F.logsigmoid(torch.where(p["down"] == 1, score, -score)), 0.0)
    value = net.critic(position, units, p["theirs"])
    return logp, entropy, value, net.win(position), scores


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
    found = (x.cpu().numpy() for x in (choice, logp, net.critic(position, None, None)))
    return Purchases(own, others, legal, prior, *found, chance(net, table, position, games, seats))


def score_purchases(net: Network, p: dict[str, torch.Tensor]) -> Scores:
    """The same of purchases that were made."""
    position = net.position(p["own"], p["others"])
    logs = F.log_softmax((net.buy(position)[:, : p["prior"].shape[1]] + p["prior"]).masked_fill(~p["legal"], -1e9), 1)
    entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(1)
    logp = logs.gather(1, p["choice"][:, None]).squeeze(1)
    return logp, entropy, net.critic(position, None, None), net.win(position), None


# -- the league


def ahead_of(mine: np.ndarray, theirs: np.ndarray) -> float:
    """The share of pairs of places in which the first is the better one; a tie is a half. nan without a pair."""
    if not len(mine) or not len(theirs):
        return float("nan")
    return float((mine[:, None] < theirs).mean() + 0.5 * (mine[:, None] == theirs).mean())


class League:
    """Whom the network plays against: bots and its own earlier versions, and how it does against each."""

    def __init__(self, options: Options, at: Any) -> None:
        self.options, self.at = options, at
        self.members: dict[int, Any] = {}  # number from 1 -> agent, or Network
        self.scores: dict[int, float] = {}  # share of pairs of seats in which the network was placed better
        self.next = 1
        for spec in options.league:
            self.add(make_agent(spec, options.seed))

    def add(self, member: Any) -> None:
        self.members[self.next], self.scores[self.next] = member, 0.5
        self.next += 1

    def add_version(self, net: Network) -> None:
        """A copy of the network joins; of more than `snapshots` the oldest is drawn no more."""
        copy = Network(self.at, self.options.hidden, self.options.central_critic)
        copy.load_state_dict({name: value.cpu() for name, value in net.state_dict().items()})
        self.add(copy.to(next(net.parameters()).device))

    def current(self) -> list[int]:
        """The members that can be drawn."""
        versions = [i for i, member in self.members.items() if isinstance(member, Network)]
        old = set(versions[: max(0, len(versions) - self.options.snapshots)])
        return [i for i in self.members if i not in old]

    def drop_unused(self, tables: list[Table]) -> None:
        """Forget retired versions that sit in no race any more."""
        used = set(self.current()).union(*(np.unique(table.line_ups).tolist() for table in tables))
        for i in [i for i in self.members if i not in used]:
            del self.members[i], self.scores[i]

    def draw(self, rng: np.random.Generator, players: int, share: float) -> np.ndarray:
        """A line-up: all seats the network's, or one to P - 1 of them a member's; hard ones are drawn most."""
        line_up = np.zeros(players, np.int64)
        current = self.current()
        if current and rng.random() < share:
            weights = np.array([(1.0 - self.scores[i]) ** 2 + 0.02 for i in current])
            count = int(rng.integers(1, players)) if players > 1 else 0
            seats = rng.permutation(players)[:count]
            line_up[seats] = rng.choice(current, p=weights / weights.sum(), size=count)
        return line_up

    def note(self, line_up: np.ndarray, places: np.ndarray) -> None:
        """Take a finished race into account."""
        mine = places[line_up == 0]
        for i in set(line_up.tolist()) - {0}:
            theirs = places[line_up == i]
            if i in self.scores and len(mine):
                self.scores[i] += (ahead_of(mine, theirs) - self.scores[i]) / MEMORY * min(MEMORY, 4 * len(mine))

    def state(self) -> dict[str, Any]:
        versions = {i: m.state_dict() for i, m in self.members.items() if isinstance(m, Network)}
        return {"scores": dict(self.scores), "next": self.next, "versions": versions}

    def load(self, state: dict[str, Any], device: torch.device) -> None:
        self.members = {i: m for i, m in self.members.items() if i in state["scores"]}
        for i, weights in state["versions"].items():
            member = Network(self.at, self.options.hidden, self.options.central_critic)
            member.load_state_dict(weights)
            self.members[i] = member.to(device)
        self.members = dict(sorted(self.members.items()))
        self.scores, self.next = dict(state["scores"]), state["next"]


# -- playing


@dataclass
class Moment:
    """One step of a table: the decisions that are learned from, and what came of it."""

    games: np.ndarray
    seats: np.ndarray
    programs: Programs | None
    buyers: np.ndarray  # games
    buying: np.ndarray  # seats
    purchases: Purchases | None
    rewards: np.ndarray  # [B, P]
    won: np.ndarray  # [B, P], where done
    done: np.ndarray  # [B]
    courses: np.ndarray  # [B]: the place of the race's course in the table's list
    ahead: np.ndarray  # [B]: share of the pairs of seats in which the network was placed before the league; nan: none


def outcome(options: Options, batch: BatchRace, rewards: np.ndarray, done: np.ndarray) -> np.ndarray:
    """Who has won, [B, P], of the races that are `done` now; with --reward win the `rewards` are made of it."""
    won = np.zeros_like(rewards)
    if done.any():
        results = batch.results[done]
        places = results["place"][:, : batch.players]
        won[done] = (places == places.min(1, keepdims=True)) & (results["winner"] >= 0)[:, None]
    if options.reward == "win":
        rewards[done] = (won[done] * batch.players - 1.0) / (batch.players - 1.0)
        rewards[~done] = 0.0
    return won


class Player:
    """Plays tables and keeps what the network decided. With a `teacher` every seat is the teacher's and its decisions
    are kept as if they were the network's."""

    def __init__(self, options: Options, net: Network, league: League, clock: dict[str, float]) -> None:
        self.options, self.net, self.league, self.clock = options, net, league, clock
        self.teacher: Any = None

    def step(self, table: Table, generator: torch.Generator, rng: np.random.Generator) -> Moment:
        """One step of all races of a table."""
        batch = table.batch
        programs = np.zeros((batch.num_games, batch.players, REGISTERS), np.int8)
        choices = np.zeros((batch.num_games, batch.players), np.int8)
        began = time.perf_counter()
        mine = (table.line_ups == 0) & table.programming()
        games, seats = np.nonzero(mine)
        buyers, buying = table.asked()
        ours = table.line_ups[buyers, buying] == 0
        buyers_, buying_ = buyers[ours], buying[ours]
        laid = bought = None
        if len(games):
            given, announced = self.taught(table, games, seats)
            laid = decide(self.net, table, games, seats, generator, given, announced)
            programs[games, seats] = laid.laid
            choices[games, seats] = laid.down == 1
        if len(buyers_):
            bought = buy(self.net, table, buyers_, buying_, generator, self.taught_purchases(table, buyers_, buying_))
            choices[buyers_, buying_] = bought.choice
        self.clock["policy"] += time.perf_counter() - began
        began = time.perf_counter()
        self.play_members(table, generator, programs, choices)
        self.clock["league"] += time.perf_counter() - began
        began = time.perf_counter()
        courses = batch.games["course"].astype(np.int64)
        _, rewards, terminated, truncated = batch.step(programs, choices if batch.asks_choices else None)
        self.clock["env"] += time.perf_counter() - began
        done = terminated | truncated
        rewards = rewards.copy()
        won = outcome(self.options, batch, rewards, done)
        ahead = np.full(batch.num_games, np.nan)
        if done.any():
            places = batch.results["place"][:, : batch.players]
            for game in np.flatnonzero(done):
                mine = table.line_ups[game] == 0
                ahead[game] = ahead_of(places[game, mine], places[game, ~mine])
            self.seat_anew(table, np.flatnonzero(done), places[done], rng)
        return Moment(games, seats, laid, buyers_, buying_, bought, rewards, won, done, courses, ahead)

    def taught(self, table: Table, games: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        if self.teacher is None:
            return None, None
        masks = table.batch.observations["masks"][games, seats]
        info = Info(table.batch, games, seats)
        announces = hasattr(self.teacher, "announce") and table.batch.may_announce.any()
        announced = self.teacher.announce(None, info) if announces else np.zeros(len(games))
        return self.teacher.act(None, masks, info), announced

    def taught_purchases(self, table: Table, games: np.ndarray, seats: np.ndarray) -> np.ndarray | None:
        if self.teacher is None:
            return None
        masks = table.batch.observations["choice_masks"][games, seats]
        if not hasattr(self.teacher, "choose"):
            return 1 + table.batch.games["ask_default"][games]
        return self.teacher.choose(None, masks, Info(table.batch, games, seats))

    def play_members(self, table: Table, generator: torch.Generator, programs: np.ndarray, choices: np.ndarray) -> None:
        """Programs, announcements and purchases of the league's seats."""
        batch, seen = table.batch, table.batch.observations
        programming = table.programming()
        asked, asked_seats = table.asked()
        for i in np.unique(table.line_ups[table.line_ups > 0]).tolist():
            member = self.league.members[i]
            games, seats = np.nonzero((table.line_ups == i) & programming)
            at = table.line_ups[asked, asked_seats] == i
            buyers, buying = asked[at], asked_seats[at]
            if isinstance(member, Network):
                if len(games):
                    laid = decide(member, table, games, seats, generator)
                    programs[games, seats], choices[games, seats] = laid.laid, laid.down == 1
                if len(buyers):
                    choices[buyers, buying] = buy(member, table, buyers, buying, generator).choice
                continue
            if len(games):
                info = Info(batch, games, seats)
                programs[games, seats] = member.act(None, seen["masks"][games, seats], info)
                if hasattr(member, "announce") and batch.may_announce.any():
                    choices[games, seats] = member.announce(None, info) * batch.may_announce[games, seats]
            if len(buyers):
                masks = seen["choice_masks"][buyers, buying]
                default = 1 + batch.games["ask_default"][buyers]
                choices[buyers, buying] = (
                    member.choose(None, masks, Info(batch, buyers, buying)) if hasattr(member, "choose") else default
                )

    def seat_anew(self, table: Table, games: np.ndarray, places: np.ndarray, rng: np.random.Generator) -> None:
        """New line-ups for races that have just begun; those before are taken into the league's scores."""
        for row, game in enumerate(games):
            if self.teacher is None:
                self.league.note(table.line_ups[game], places[row])
                share = self.options.league_share
                table.line_ups[game] = self.league.draw(rng, table.batch.players, share)

    @torch.no_grad()
    def last_values(self, table: Table, generator: torch.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Value and chance to win of every seat of the network as the tables stand: two float [B, P]."""
        shape = table.line_ups.shape
        values, wins = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        mine = table.line_ups == 0
        games, seats = np.nonzero(mine & table.programming())
        if len(games):
            laid = decide(self.net, table, games, seats, generator)
            values[games, seats], wins[games, seats] = laid.value, laid.win
        games, seats = np.nonzero(mine & ~table.programming())
        if len(games):
            device = next(self.net.parameters()).device
            position = self.net.position(*(tensor(x, device) for x in table.features.positions(games, seats)))
            values[games, seats] = self.net.critic(position, None, None).cpu().numpy()
            wins[games, seats] = chance(self.net, table, position, games, seats)
        return values, wins


COLUMNS = ("episode", "step", "seat", "agent", "decision", "program", "option", "power_down")


class Recorded:
    """Races that `scripts/collect.py` (or `roborally selfplay`) wrote. They are played again as they were, and what the
    folder's first agent decided is traced through the network. A part is as many races as are played at once."""

    def __init__(self, options: Options, like: BatchRace) -> None:
        self.options, self.data = options, load_data(options.imitate)
        self.agent = self.data.manifest["names"][0]
        parts = list(self.data.arrays(COLUMNS, decision=None))
        if not parts:
            raise RoboRallyError(f"--imitate {options.imitate}: there is no race in it yet")
        self.rows = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
        episodes = np.unique(self.rows["episode"])
        course = episodes // self.data.manifest["config"]["games"]
        # cut where the next race is not the next game of the same course
        cuts = np.flatnonzero((np.diff(course) != 0) | (np.diff(episodes) != 1)) + 1
        runs = np.split(episodes, cuts)
        self.parts = [run[i : i + options.games] for run in runs for i in range(0, len(run), options.games)]
        self.order = np.random.default_rng(options.seed).permutation(len(self.parts))
        self.check(like)

    def check(self, like: BatchRace) -> None:
        """Refuse races of another game than the one that is trained for."""
        its = self.data.replay(int(self.parts[0][0])).batch()
        for name in ("edition", "game", "decisions"):
            if getattr(its, name) != getattr(like, name):
                raise RoboRallyError(
                    f"--imitate {self.options.imitate}: {name} {getattr(its, name)!r}; this run has "
                    f"{getattr(like, name)!r}"
                )

    def play(self, number: int, net: Network, generator: torch.Generator) -> list[Moment]:
        """Part after part from the races' start to their end; after the last the first again."""
        episodes = self.parts[self.order[number % len(self.parts)]]
        like = self.data.replay(int(episodes[0]))  # refused where rules or course have changed since
        table = Table(
            self.options, list(like.courses), games=len(episodes), players=like.players, rules=like.rules,
            max_rounds=like.max_rounds, seed=like.seed, first_game=like.game, auto_reset=False,
        )  # fmt: skip
        found = np.flatnonzero((self.rows["episode"] >= episodes[0]) & (self.rows["episode"] <= episodes[-1]))
        rows = {name: column[found] for name, column in self.rows.items()}
        rows["episode"] = rows["episode"] - episodes[0]
        moments = []
        while not table.batch.over.all():
            now = rows["step"] == len(moments)
            moments.append(self.step(table, {name: column[now] for name, column in rows.items()}, net, generator))
        return moments

    def step(self, table: Table, rows: dict[str, np.ndarray], net: Network, generator: torch.Generator) -> Moment:
        """One step of all races as it was, with the agent's decisions as if they were the network's."""
        batch, mine = table.batch, rows["agent"] == self.agent
        programs = np.zeros((batch.num_games, batch.players, REGISTERS), np.int8)
        choices = np.zeros((batch.num_games, batch.players), np.int8)
        where = rows["episode"], rows["seat"]
        lays = rows["decision"] == "program"
        programs[where[0][lays], where[1][lays]] = rows["program"][lays]
        choices[where] = np.where(lays, rows["power_down"], 1 + rows["option"])
        games, seats = where[0][lays & mine], where[1][lays & mine].astype(np.int64)
        buyers, buying = where[0][~lays & mine], where[1][~lays & mine].astype(np.int64)
        laid = bought = None
        if len(games):
            laid = decide(net, table, games, seats, generator, programs[games, seats], choices[games, seats])
        if len(buyers):
            bought = buy(net, table, buyers, buying, generator, choices[buyers, buying])
        courses = batch.games["course"].astype(np.int64)
        _, rewards, terminated, truncated = batch.step(programs, choices if batch.asks_choices else None)
        rewards, done = rewards.copy(), terminated | truncated
        won = outcome(self.options, batch, rewards, done)
        nobody = np.full(batch.num_games, np.nan)
        return Moment(games, seats, laid, buyers, buying, bought, rewards, won, done, courses, nobody)


def advantages(
    options: Options, moments: list[Moment], last: tuple[np.ndarray, np.ndarray]
) -> Iterator[tuple[Moment, dict[str, np.ndarray]]]:
    """Generalised advantage estimates (Schulman et al. 2016) over each seat's own decisions, of the return and of the
    chance to win, from the last moment to the first."""
    next_value, next_win = last[0].copy(), last[1].copy()
    next_adv, next_wadv = np.zeros_like(next_value), np.zeros_like(next_value)
    earned, outcome = np.zeros_like(next_value), np.zeros_like(next_value)
    for m in reversed(moments):
        for kept in (next_value, next_win, next_adv, next_wadv, earned, outcome):
            kept[m.done] = 0.0
        earned += m.rewards
        outcome += m.won
        found = {}
        parts = (("program", m.games, m.seats, m.programs), ("purchase", m.buyers, m.buying, m.purchases))
        for name, games, seats, data in parts:
            if data is None:
                continue
            at = games, seats
            adv = earned[at] + options.gamma * next_value[at] - data.value + options.gamma * options.lam * next_adv[at]
            wadv = outcome[at] + next_win[at] - data.win + options.lam * next_wadv[at]
            found[name] = np.stack([adv, adv + data.value, np.clip(wadv + data.win, 0.0, 1.0)]).astype(np.float32)
            next_value[at], next_win[at] = data.value, data.win
            next_adv[at], next_wadv[at] = adv, wadv
            earned[at] = outcome[at] = 0.0
        yield m, found


# -- the curriculum


def regrets(moment: Moment, targets: np.ndarray, expert: bool) -> tuple[np.ndarray, np.ndarray]:
    """(games, values) of the programs of a moment: what the policy gave away.

    With labels of the expert: by how much the best candidate's chance to win is above that of the one that was laid.
    Without: by how much the chance to win was underestimated, the positive value loss. `targets` are its `advantages`.
    """
    laid = moment.programs
    assert laid is not None
    if not expert:
        return moment.games, np.maximum(targets[2] - laid.win, 0.0)
    rows = np.flatnonzero((laid.expert[:, 0] >= 0) & (laid.choice >= 0))
    chances = laid.expert[rows]
    return moment.games[rows], chances.max(1) - chances[np.arange(len(rows)), laid.choice[rows]]


def values_of(
    options: Options, played: list[tuple[Moment, dict[str, np.ndarray]]], courses: int
) -> tuple[np.ndarray, np.ndarray]:
    """(sums, counts) [courses] of what the curriculum scores the courses of a table by."""
    sums, counts = np.zeros(courses), np.zeros(courses)
    for moment, found in played:
        if options.curriculum == "regret":
            if "program" not in found:
                continue
            games, values = regrets(moment, found["program"], options.expert > 0)
        else:
            games = np.flatnonzero(~np.isnan(moment.ahead))
            values = moment.ahead[games]
        sums += np.bincount(moment.courses[games], values, courses)
        counts += np.bincount(moment.courses[games], minlength=courses)
    return sums, counts


def learned_from(
    moment: Moment, found: dict[str, np.ndarray], learns: np.ndarray
) -> tuple[Moment, dict[str, np.ndarray]]:
    """A moment and its advantages without the decisions on courses that are not learned from; `learns` [courses]."""
    kept = {}
    for name, games, data in (
        ("program", moment.games, moment.programs),
        ("purchase", moment.buyers, moment.purchases),
    ):
        rows = np.flatnonzero(learns[moment.courses[games]])
        if name in found and len(rows):
            some = {each.name: getattr(data, each.name)[rows] for each in dataclasses.fields(data)}
            moment = dataclasses.replace(moment, **{name + "s": dataclasses.replace(data, **some)})
            kept[name] = found[name][:, rows]
    return moment, kept


# -- learning

FIELDS = {
    "program": ("own", "others", "candidates", "counts", "choice", "expert", "down", "locked", "theirs", "logp"),
    "purchase": ("own", "others", "legal", "prior", "choice", "logp"),
}
SCORES = {"program": score_programs, "purchase": score_purchases}


def padded(array: np.ndarray, name: str, rows: int) -> np.ndarray:
    """Rows of zeros for the seats that a table with fewer players lacks."""
    if name not in ("others", "theirs") or array.shape[1] == rows:
        return array
    return np.pad(array, ((0, 0), (0, rows - array.shape[1]), (0, 0)))


def expert_loss(scores: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
    """Minus what the policy gains over the first candidate, which `greedy` lays, in points of the chance to win.

    `chances` [n, MOST] are those simulated after each candidate, -1 in rows where they were not. The gradient is that
    of the policy gradient with the advantages of all candidates known.
    """
    asked = chances[:, 0] >= 0
    if not asked.any():
        return scores.sum() * 0.0
    chances = chances[asked]
    policy = torch.softmax(scores[asked] / FLAT, 1)  # the absent ones have no probability
    return -(policy * SHARP * (chances - chances[:, :1])).sum(1).mean()


class Learner:
    """The network, its optimizer, and updates from what was played."""

    def __init__(self, options: Options, at: Any, device: torch.device, game: str = "") -> None:
        self.options = options
        self.net = Network(at, options.hidden, options.central_critic)
        if options.begin:
            self.net.begin(options.begin, game)
        self.net.to(device)
        self.device = device
        learned = [p for p in self.net.parameters() if p.requires_grad]
        self.optimizer = torch.optim.Adam(learned, lr=options.lr, eps=1e-5)

    def gather(self, played: list[tuple[Moment, dict[str, np.ndarray]]]) -> dict[str, dict[str, torch.Tensor]]:
        """All decisions of a kind one after the other, with advantage, return and chance to win."""
        data: dict[str, dict[str, torch.Tensor]] = {}
        for name, fields in FIELDS.items():
            rows = [(getattr(m, name + "s"), found[name]) for m, found in played if name in found]
            if not rows:
                continue
            width = max(part.others.shape[1] for part, _ in rows)
            arrays = {f: np.concatenate([padded(getattr(part, f), f, width) for part, _ in rows]) for f in fields}
            targets = np.concatenate([target for _, target in rows], 1)
            arrays |= dict(zip(("advantage", "return", "won"), targets, strict=True))
            data[name] = {f: torch.as_tensor(np.ascontiguousarray(a)).to(self.device) for f, a in arrays.items()}
        return data

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
        told = {"policy": policy, "value": value_loss, "win": win_loss, "entropy": entropy.mean()}
        if scores is not None and o.expert:
            told["expert"] = expert
        told["clipped"] = ((ratio - 1).abs() > o.clip).float().mean()
        return total, {f"{name}/{key}": float(x.detach()) for key, x in told.items()}

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
        told: dict[str, list[float]] = {}
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
                        told.setdefault(key, []).append(number)
                norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                if not torch.isfinite(norm):
                    raise RoboRallyError(
                        "the gradient is not finite; the last checkpoint is as it was: try a lower --lr"
                    )
                self.optimizer.step()
        return {key: float(np.mean(x)) for key, x in told.items()}


# -- the run


def drop_rows_beyond(path: Path, most: int) -> None:
    """Take back the rows of a table that were written after the checkpoint from which a run goes on."""
    if path.exists():
        rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(r for r in rows if not r[0].isdigit() or int(r.partition(",")[0]) <= most), "utf-8")


def device_of(name: str) -> torch.device:
    """The device of that name; auto: a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise RoboRallyError(f"--device: {name!r} cannot be used here ({str(error).splitlines()[0]})") from None
    return device


class Run:
    """A training run in its folder: iterations, checkpoints, progress, evaluation."""

    def __init__(self, options: Options) -> None:
        options.check()
        self.options = options
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        self.device = device_of(options.device)
        # decisions learned by imitation and by play, iterations, seconds; when things were done last
        self.count = {"imitated": 0, "decisions": 0, "iterations": 0, "versions": 0, "evaluated": 0, "changes": 0}
        self.mixture = Mixture(options.courses, options.edition)
        self.replay = self.new_replay()
        self.draw_courses()
        self.tables = self.new_tables()
        self.recorded = Recorded(options, self.tables[0].batch) if Path(options.imitate or "-").is_dir() else None
        at = self.tables[0].features.layout
        self.learner = Learner(options, at, self.device, self.tables[0].batch.game)
        self.begun_with = read_weights(options.begin)[1] if options.begin else None
        self.league = League(options, at)
        taught = [options.imitate] if options.imitate and self.recorded is None else []
        for spec in [*options.league, *options.opponents, *taught]:
            agent = make_agent(spec, options.seed)  # refused now, not when it is needed
            if agent.needs_observation and spec not in options.opponents:
                raise RoboRallyError(
                    f"agent {spec!r}: agents that need observations cannot sit at the training's tables"
                )
        self.clock = {"env": 0.0, "policy": 0.0, "league": 0.0, "update": 0.0, "other": 0.0}
        self.player = Player(options, self.learner.net, self.league, self.clock)
        self.generator = torch.Generator().manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.folder = Path(options.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seconds = 0.0
        self.stopped = False
        if not self.resume():
            for table in self.tables:
                self.seat_all(table)

    def seat_all(self, table: Table) -> None:
        for game in range(table.batch.num_games):
            table.line_ups[game] = self.league.draw(self.rng, table.batch.players, self.options.league_share)

    # -- courses

    def new_replay(self) -> LevelReplay | None:
        """The curriculum, if there is one."""
        o = self.options
        if o.curriculum == "none":
            return None
        return LevelReplay(
            self.mixture, o.curriculum, seed=o.seed, fresh=o.fresh, temperature=o.temperature, staleness=o.staleness
        )

    def draw_courses(self) -> None:
        """Set `names`, the courses of the tables, and `unlearned`, whether nothing is learned from them."""
        o = self.options
        if self.replay is None:
            self.names = self.mixture.batch(self.count["changes"], o.seed, o.at_once, o.generated)
            self.unlearned = [False] * len(self.names)
        else:
            self.names = self.replay.draw(o.at_once)
            self.unlearned = [o.robust and name in self.replay.first_time for name in self.names]

    def new_tables(self) -> list[Table]:
        """Tables with the present courses, at the start of races that no earlier table has had."""
        o = self.options
        courses = [self.mixture.course(name) for name in self.names]
        first_game = self.count["changes"] * o.games
        return [
            Table(o, courses, self.unlearned, players=n, seed=o.seed + i, first_game=first_game)
            for i, n in enumerate(o.players)
        ]

    def change_courses(self) -> None:
        """Other courses for the tables, if it is time and there are any; the races under way end there."""
        due = self.count["iterations"] % self.options.change_every == 0
        if not due or not (self.mixture.generators or self.replay is not None):
            return
        self.count["changes"] += 1
        self.draw_courses()
        self.tables = self.new_tables()
        for table in self.tables:
            self.seat_all(table)

    # -- checkpoints

    @property
    def path(self) -> Path:
        return self.folder / "checkpoint.pt"

    def save(self) -> None:
        """All that the run is, under another name first: a stop on the way leaves the last checkpoint whole."""
        state = {
            "options": dataclasses.asdict(self.options),
            "net": self.learner.net.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "league": self.league.state(),
            "generator": self.generator.get_state(),
            "rng": self.rng.bit_generator.state,
            "courses": (self.names, self.unlearned),
            "replay": None if self.replay is None else self.replay.state_dict(),
            "tables": [(table.batch.snapshot(), table.line_ups) for table in self.tables],
            "count": self.count,
            "seconds": self.seconds,
        }
        part = self.path.with_suffix(".part")
        torch.save(state, part)
        os.replace(part, self.path)
        self.export()

    def export(self) -> None:
        """The weights for the `learned` agents."""
        about = {
            "edition": self.tables[0].batch.edition,
            "prior": 1.0 if self.options.begin else 0.0,  # the chance to win is then what is added to `planner`'s
            "begun_with": self.begun_with,
            "courses": self.options.courses,
            "players": self.options.players,
            "seed": self.options.seed,
            "count": self.count,
            "options": {
                k: v for k, v in dataclasses.asdict(self.options).items() if k not in (*OF_THE_MACHINE, "begin")
            },
            "torch": torch.__version__,
            "numpy": np.__version__,
        }
        save_weights(self.folder / "weights.npz", self.learner.net.arrays(), about)

    def resume(self) -> bool:
        """Go on from the folder's checkpoint, if there is one; refused where options differ that decide the run."""
        tables = [self.folder / name for name in ("progress.csv", "evaluation.csv")]
        if not self.path.exists():
            if left := [path for path in tables if path.exists()]:
                print(
                    f"{self.folder} has no checkpoint: the run begins anew, what it had written is removed", flush=True
                )
            for path in left:
                path.unlink()
            (self.folder / "options.json").write_text(json.dumps(dataclasses.asdict(self.options), indent=1) + "\n")
            return False
        try:
            state = torch.load(self.path, map_location="cpu", weights_only=False)
        except Exception as error:
            raise RoboRallyError(f"{self.path}: cannot be read ({error}); remove it to begin anew") from None
        free = {*OF_THE_MACHINE, "decisions", "hours", "evaluate_every", "evaluate_games", "opponents"}
        for key, mine in dataclasses.asdict(self.options).items():
            its = state["options"].get(key)
            if key not in free and its != mine:
                raise RoboRallyError(f"{self.path}: that run has --{key.replace('_', '-')} {its}, this one {mine}")
        self.learner.net.load_state_dict(state["net"])
        self.learner.optimizer.load_state_dict(state["optimizer"])
        self.league.load(state["league"], self.device)
        self.generator.set_state(state["generator"])
        self.rng.bit_generator.state = state["rng"]
        self.count, self.seconds = state["count"], state["seconds"]
        self.names, self.unlearned = state["courses"]
        if self.replay is not None:
            self.replay.load_state_dict(state["replay"])
        self.tables = self.new_tables()
        for table, (snapshot, line_ups) in zip(self.tables, state["tables"], strict=True):
            table.batch.restore(snapshot)
            table.line_ups[:] = line_ups
        for path in tables:
            drop_rows_beyond(path, self.total())
        print(f"going on from {self.path}: {self.count['decisions']:,} decisions", flush=True)
        return True

    # -- iterations

    def imitating(self) -> bool:
        return bool(self.options.imitate) and self.count["imitated"] < self.options.imitate_decisions

    def done(self) -> bool:
        o = self.options
        over = self.count["decisions"] >= o.decisions or (o.hours > 0 and self.seconds >= 3600 * o.hours)
        return over and not self.imitating()

    def iterate(self) -> dict[str, float]:
        """Play `steps` steps at every table and learn from them."""
        imitate = self.imitating()
        if imitate and self.recorded is not None:
            played = self.play_recorded()
        else:
            played = self.play(imitate)
        self.count["iterations"] += 1
        told = self.learn(played, imitate)
        self.change_courses()
        return told

    def learn(self, played: list[tuple[Moment, dict[str, np.ndarray]]], imitate: bool) -> dict[str, float]:
        """Update the network, and what is counted; returns the means of the losses."""
        began = time.perf_counter()
        data = self.learner.gather(played)
        if "program" not in data:
            return {}
        self_play = bool(self.options.decisions)  # without it the imitation is what is annealed
        left = 1.0 - self.count["decisions"] / max(1, self.options.decisions)
        if not self_play:
            left = 1.0 - self.count["imitated"] / max(1, self.options.imitate_decisions)
        size = sum(len(part["own"]) for part in data.values())
        rate = self.options.lr * (1.0 if imitate and self_play else max(0.05, left))
        told = self.learner.update(data, self.rng, imitate, rate)
        self.clock["update"] += time.perf_counter() - began
        self.count["imitated" if imitate else "decisions"] += size
        if not imitate and self.count["decisions"] // self.options.snapshot_every > self.count["versions"]:
            self.count["versions"] = self.count["decisions"] // self.options.snapshot_every
            self.league.add_version(self.learner.net)
        self.league.drop_unused(self.tables)
        return told

    def play(self, imitate: bool) -> list[tuple[Moment, dict[str, np.ndarray]]]:
        """`steps` steps at every table, the teacher in all seats while an agent is imitated."""
        if imitate != (self.player.teacher is not None):
            self.player.teacher = make_agent(self.options.imitate, self.options.seed) if imitate else None
        played = []
        for table in self.tables:
            if imitate:
                table.line_ups[:] = 0
            moments = [self.player.step(table, self.generator, self.rng) for _ in range(self.options.steps)]
            last = self.player.last_values(table, self.generator)
            found = list(advantages(self.options, moments, last))
            if self.replay is not None and not imitate:
                for name, *noted in zip(self.names, *values_of(self.options, found, len(self.names)), strict=True):
                    self.replay.note(name, *noted)
            played += [learned_from(*each, table.learns) for each in found] if any(self.unlearned) else found
        return played

    def play_recorded(self) -> list[tuple[Moment, dict[str, np.ndarray]]]:
        """The next recorded races, whole: from the end on, in the first again."""
        assert self.recorded is not None
        began = time.perf_counter()
        moments = self.recorded.play(self.count["iterations"], self.learner.net, self.generator)
        nothing = np.zeros_like(moments[-1].rewards)
        self.clock["policy"] += time.perf_counter() - began
        return list(advantages(self.options, moments, (nothing, nothing)))

    def work(self) -> None:
        """Iterate to the end, or until Ctrl-C."""
        before = signal.signal(signal.SIGINT, lambda *_: setattr(self, "stopped", True))
        writer = SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.total())
        saved = time.monotonic()
        try:
            while not self.done() and not self.stopped:
                began, size = time.perf_counter(), self.total()
                self.clock.update(dict.fromkeys(self.clock, 0.0))
                told = self.iterate()
                took = time.perf_counter() - began
                self.seconds += took
                self.clock["other"] = took - sum(self.clock.values())
                self.tell(writer, told, (self.total() - size) / took, took)
                if not self.path.exists() or time.monotonic() - saved > self.options.checkpoint_every:
                    self.save()
                    saved = time.monotonic()
                every = self.options.evaluate_every
                if every and self.total() // every > self.count["evaluated"]:
                    self.count["evaluated"] = self.total() // every
                    self.evaluate(writer)
                    self.save()
                    saved = time.monotonic()
            self.save()
        finally:
            writer.close()
            signal.signal(signal.SIGINT, before)
        print("" if not self.stopped else "\nstopped; run it again to go on", flush=True)

    def total(self) -> int:
        return self.count["imitated"] + self.count["decisions"]

    def tell(self, writer: SummaryWriter, told: dict[str, float], rate: float, took: float) -> None:
        """The progress line, a row of progress.csv, TensorBoard."""
        shares = {f"share/{name}": seconds / took for name, seconds in self.clock.items()}
        names = {i: getattr(m, "name", f"version {i}") for i, m in self.league.members.items()}
        scores = {f"league/{names[i]}": score for i, score in self.league.scores.items() if i in names}
        row = {"decisions": self.total(), "seconds": self.seconds, "rate": rate, **told, **shares}
        for name, value in {**row, **scores}.items():
            writer.add_scalar(name, value, self.total())
        path = self.folder / "progress.csv"
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            table = csv.DictWriter(file, PROGRESS, extrasaction="ignore", restval="")
            if fresh:
                table.writeheader()
            table.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})
        what = "imitation" if self.imitating() else "self-play"
        shown = " ".join(f"{name} {seconds / took:.0%}" for name, seconds in self.clock.items() if name != "other")
        ahead = " ".join(f"{name.partition('/')[2]} {score:.0%}" for name, score in list(scores.items())[:3])
        print(
            f"\r{what} {self.total():,} decisions, {rate:,.0f}/s ({shown}), "
            f"entropy {told.get('program/entropy', 0):.2f}, ahead of {ahead}   ",
            end="",
            flush=True,
        )

    def evaluate(self, writer: SummaryWriter | None = None, games: int = 0) -> None:
        """Races of one against three of each opponent, on the first two courses, with 95 % intervals."""
        self.export()
        agent = f"learned:weights={self.folder / 'weights.npz'}"
        options = self.options
        rules = json.loads(options.rules)
        for opponent in options.opponents:
            for course in self.mixture.examples(2):
                field_of = [agent, *[opponent] * (options.players[0] - 1)]
                result = evaluate(
                    field_of, self.mixture.course(course), edition=options.edition, players=options.players[0],
                    games=games or options.evaluate_games, seed=options.seed + 1, rules=rules,
                )  # fmt: skip
                row = result.rows[0]
                print(
                    f"\n  {course}: {row.win_rate:.0%} ({row.win_low:.0%} - {row.win_high:.0%}) of {row.races} "
                    f"races against {options.players[0] - 1} {opponent}",
                    end="",
                )
                if writer is not None:
                    writer.add_scalar(f"won/{course}/{opponent}", row.win_rate, self.total())
                with (self.folder / "evaluation.csv").open("a", newline="") as file:
                    csv.writer(file).writerow(
                        [
                            self.total(),
                            f"{self.seconds:.1f}",
                            course,
                            opponent,
                            row.races,
                            row.win_rate,
                            row.win_low,
                            row.win_high,
                        ]
                    )
        print(flush=True)


PROGRESS = (
    "decisions", "seconds", "rate", "program/policy", "program/value", "program/win", "program/entropy",
    "program/expert", "program/clipped", "purchase/policy", "purchase/value", "purchase/win", "purchase/entropy",
    "share/env", "share/policy", "share/league", "share/update", "share/other",
)  # fmt: skip


def parse(arguments: list[str] | None = None) -> Options:
    """The options from the command line: a flag for each field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in dataclasses.fields(Options):
        flag = "--" + each.name.replace("_", "-")
        default = each.default if each.default is not dataclasses.MISSING else each.default_factory()  # type: ignore[misc]
        if isinstance(default, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=default)
        elif isinstance(default, list):
            kind = type(default[0])
            parser.add_argument(flag, nargs="*", type=kind, default=default, help=f"default {default}")
        else:
            kind = str if default is None else type(default)
            parser.add_argument(flag, type=kind, default=default, help=f"default {default}")
    return Options(**vars(parser.parse_args(arguments)))


def main(arguments: list[str] | None = None) -> int:
    """Train, and race what was trained."""
    try:
        options = parse(arguments)
        run = Run(options)
        run.work()
        if not run.stopped:
            run.evaluate(games=2 * options.evaluate_games)
    except RoboRallyError as error:
        raise SystemExit(f"train_selfplay: {error}") from None
    return 130 if run.stopped else 0


if __name__ == "__main__":
    raise SystemExit(main())
