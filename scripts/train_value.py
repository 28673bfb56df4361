"""The chance to win, learned from races of bots: what `learned-search` values positions by.

    python scripts/train_value.py --out out/value --courses dizzy_highway twister --positions 3000000

Races among `--players` seats of `--agent` are played, in which a seat now and then lays another good program, or any
legal one: so the network also sees positions that the agent itself would not bring about, as a search does. Before each
round and each purchase every seat's position is a sample, the seat's win or loss the target. The network learns what
has to be added to the log-odds that `planner` sees by distances and damage alone (`chance_to_win`).

Run it again with the same --out to go on where it was stopped (the races of the last minute are played anew). The
folder holds checkpoint.pt, weights.npz for `--agents learned-search:weights=..`, progress.csv.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from roborally_env.agents import Info, make_agent
from roborally_env.agents.features import Features
from roborally_env.agents.network import good_programs, prior_log_odds, save_weights

from roborally_env import BatchRace, RoboRallyError, load_course

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ModuleNotFoundError as error:
    raise SystemExit(f'train_value: {error.name} is not installed; pip install "roborally_env[train]"') from None

OF_THE_MACHINE = ("out", "threads", "checkpoint_every")  # options that are not kept with the weights


@dataclass
class Options:
    """Everything that decides what comes out."""

    out: str = "out/value"
    courses: list[str] = field(default_factory=lambda: ["dizzy_highway", "risky_crossing", "twister"])
    edition: str | None = None
    players: int = 4
    rules: str = "{}"  # JSON
    agent: str = "greedy"
    explore: float = 0.25  # of the programs are drawn from the good ones
    wander: float = 0.05  # of the programs are drawn from all legal ones
    games: int = 2048  # races at once, played to their end, then learned from
    max_rounds: int = 60
    positions: int = 3_000_000  # stop after so many
    held_out: int = 10  # every tenth batch of races is not learned from but tells how good the network is
    epochs: int = 1  # positions of one race share one outcome: more learns races by heart
    minibatch: int = 1024
    lr: float = 5e-4
    decay: float = 1e-4  # weight decay
    hidden: int = 128
    seed: int = 1
    threads: int = 1
    checkpoint_every: float = 60.0  # seconds

    def check(self) -> None:
        """Refuse values that make no run, naming the flag."""
        for name in ("games", "positions", "held_out", "epochs", "minibatch", "hidden", "threads"):
            least = 2 if name == "held_out" else 1
            if getattr(self, name) < least:
                raise RoboRallyError(
                    f"--{name.replace('_', '-')}: expected at least {least}, got {getattr(self, name)}"
                )
        for name in ("explore", "wander"):
            if not 0 <= getattr(self, name) <= 1:
                raise RoboRallyError(f"--{name}: expected 0 to 1, got {getattr(self, name)}")
        if self.explore + self.wander > 1:
            raise RoboRallyError("--explore, --wander: expected at most 1 together")
        if not self.courses:
            raise RoboRallyError("--courses: expected at least one")
        try:
            json.loads(self.rules)
        except ValueError as error:
            raise RoboRallyError(f"--rules: expected JSON, got {self.rules!r} ({error})") from None


class ValueNetwork(nn.Module):
    """The part of the learned agents' network that gives the chance to win."""

    def __init__(self, at: Any, hidden: int) -> None:
        super().__init__()
        self.own, self.row = nn.Linear(at.own, hidden), nn.Linear(at.row, 48)
        self.pool, self.mid = nn.Linear(48, hidden, bias=False), nn.Linear(hidden, hidden)
        self.win1, self.win2 = nn.Linear(hidden, 64), nn.Linear(64, 1)
        nn.init.zeros_(self.win2.weight)
        nn.init.zeros_(self.win2.bias)

    def forward(self, own: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """[n, own], [n, P - 1, row] -> [n]: what is added to the log-odds."""
        pooled = F.relu(self.row(others)).sum(1)
        position = F.relu(self.mid(F.relu(self.own(own) + self.pool(pooled))))
        return self.win2(F.relu(self.win1(position))).squeeze(1)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a file of weights of kind "value"."""
        arrays = {}
        for name, module in self.named_children():
            arrays[f"{name}_w"] = module.weight.detach().numpy().T
            if module.bias is not None:
                arrays[f"{name}_b"] = module.bias.detach().numpy()
        return arrays


class Races:
    """Batches of races, each numbered: batch number n comes out the same whenever it is played."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.courses = [load_course(each, options.edition) for each in options.courses]
        self.agent = make_agent(options.agent, options.seed)
        if self.agent.needs_observation or not hasattr(self.agent, "choose"):
            raise RoboRallyError(
                f"--agent {options.agent}: expected one that needs no observations and buys, as greedy"
            )
        self.batch = self.new(0)

    def new(self, number: int) -> BatchRace:
        o = self.options
        return BatchRace(
            o.games, self.courses, edition=o.edition, players=o.players, observation="none", max_rounds=o.max_rounds,
            rules=json.loads(o.rules), seed=o.seed, auto_reset=False, first_game=number * o.games,
        )  # fmt: skip

    def play(self, number: int) -> tuple[np.ndarray, ...]:
        """(own, others, prior, won) of every seat before each round and each purchase of the batch's races."""
        batch = self.new(number)
        features = Features(batch)
        rng = np.random.default_rng((self.options.seed, number))
        samples: list[tuple[np.ndarray, ...]] = []
        while not batch.over.all():
            games, seats = np.nonzero(batch.programming[:, None] & batch.programmed)
            buyers = np.flatnonzero(~batch.programming & ~batch.over)
            buying = batch.games["ask_seat"][buyers].astype(np.int64)
            rows, who = np.concatenate([games, buyers]), np.concatenate([seats, buying])
            own, others = features.positions(rows, who)
            samples.append((own, others, prior_log_odds(batch, rows, who), rows, who))
            batch.step(*self.decide(batch, games, seats, buyers, buying, rng))
        best = batch.results["place"][:, : batch.players]
        won = (best == best.min(1, keepdims=True)) & (batch.results["winner"] >= 0)[:, None]
        own, others, prior, rows, who = (np.concatenate(part) for part in zip(*samples, strict=True))
        return own, others, prior, won[rows, who].astype(np.float32)

    def decide(
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, buyers: np.ndarray, buying: np.ndarray, rng: Any
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The agent's programs, some replaced by others; purchases half the agent's, half at random."""
        o = self.options
        random_programs, random_choices = batch.sample(int(rng.integers(2**31)))
        programs, choices = np.array(random_programs), np.zeros_like(random_choices)
        seen = batch.observations
        if len(games):
            laid = np.array(self.agent.act(None, seen["masks"][games, seats], Info(batch, games, seats)))
            dice = rng.random(len(games))
            near = dice < o.explore
            if near.any():
                laid[near] = good_programs(batch, games[near], seats[near], rng)
            kept = dice < 1.0 - o.wander
            programs[games[kept], seats[kept]] = laid[kept]
            if batch.may_announce.any() and hasattr(self.agent, "announce"):
                choices[games, seats] = (
                    self.agent.announce(None, Info(batch, games, seats)) * batch.may_announce[games, seats]
                )
        if len(buyers):
            masks = seen["choice_masks"][buyers, buying]
            bought = np.array(self.agent.choose(None, masks, Info(batch, buyers, buying)))
            other = rng.random(len(buyers)) < 0.5
            bought[other] = random_choices[buyers, buying][other]
            choices[buyers, buying] = bought
        return programs, choices if batch.asks_choices else None


class Run:
    """A run in its folder."""

    def __init__(self, options: Options) -> None:
        options.check()
        self.options = options
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        self.races = Races(options)
        self.at = Features(self.races.batch).layout
        self.net = ValueNetwork(self.at, options.hidden)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=options.lr, weight_decay=options.decay)
        self.count = {"batches": 0, "positions": 0}
        self.seconds = 0.0
        self.stopped = False
        self.folder = Path(options.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.resume()

    @property
    def path(self) -> Path:
        return self.folder / "checkpoint.pt"

    def resume(self) -> None:
        """Go on from the folder's checkpoint, if there is one."""
        if not self.path.exists():
            return
        try:
            state = torch.load(self.path, map_location="cpu", weights_only=False)
        except Exception as error:
            raise RoboRallyError(f"{self.path}: cannot be read ({error}); remove it to begin anew") from None
        for key, mine in dataclasses.asdict(self.options).items():
            its = state["options"].get(key)
            if key not in OF_THE_MACHINE and its != mine:
                raise RoboRallyError(f"{self.path}: that run has --{key.replace('_', '-')} {its}, this one {mine}")
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.count, self.seconds = state["count"], state["seconds"]
        print(f"going on from {self.path}: {self.count['positions']:,} positions", flush=True)

    def save(self) -> None:
        """The checkpoint and the weights, each under another name first."""
        state = {
            "options": dataclasses.asdict(self.options),
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "count": self.count,
            "seconds": self.seconds,
        }
        part = self.path.with_suffix(".part")
        torch.save(state, part)
        os.replace(part, self.path)
        kept = {k: v for k, v in dataclasses.asdict(self.options).items() if k not in OF_THE_MACHINE}
        about = {
            "edition": self.races.batch.edition, "kind": "value", "prior": 1.0, "count": self.count, "options": kept,
            "torch": torch.__version__, "numpy": np.__version__,
        }  # fmt: skip
        save_weights(self.folder / "weights.npz", self.net.arrays(), about)

    def learn(self, data: tuple[torch.Tensor, ...], number: int) -> None:
        """Some epochs over one batch of races."""
        own, others, prior, won = data
        left = 1.0 - self.count["positions"] / self.options.positions
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.lr * max(0.05, left)
        order = torch.Generator().manual_seed(self.options.seed * 1_000_003 + number)
        for _ in range(self.options.epochs):
            for rows in torch.randperm(len(own), generator=order).split(self.options.minibatch):
                logits = self.net(own[rows], others[rows]) + prior[rows]
                loss = F.binary_cross_entropy_with_logits(logits, won[rows])
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
        self.count["positions"] += len(own)

    @torch.no_grad()
    def loss_of(self, data: tuple[torch.Tensor, ...]) -> tuple[float, float]:
        """Log loss of the network, and of the prior alone."""
        own, others, prior, won = data
        logits = self.net(own, others) + prior
        return tuple(float(F.binary_cross_entropy_with_logits(x, won)) for x in (logits, prior))  # type: ignore[return-value]

    def work(self) -> None:
        """To the end, or until Ctrl-C."""
        before = signal.signal(signal.SIGINT, lambda *_: setattr(self, "stopped", True))
        saved = time.monotonic()
        try:
            while self.count["positions"] < self.options.positions and not self.stopped:
                began = time.perf_counter()
                number = self.count["batches"]
                data = tuple(torch.as_tensor(array) for array in self.races.play(number))
                played = time.perf_counter() - began
                if number % self.options.held_out == 0:
                    self.tell(*self.loss_of(data))
                else:
                    self.learn(data, number)
                self.count["batches"] += 1
                took = time.perf_counter() - began
                self.seconds += took
                rate, share = len(data[0]) / took, played / took
                print(
                    f"\r{self.count['positions']:,} positions, {rate:,.0f}/s (races {share:.0%})  ", end="", flush=True
                )
                if time.monotonic() - saved > self.options.checkpoint_every:
                    self.save()
                    saved = time.monotonic()
            self.save()
        finally:
            signal.signal(signal.SIGINT, before)
        print("\nstopped; run it again to go on" if self.stopped else "", flush=True)

    def tell(self, loss: float, prior: float) -> None:
        """Log losses of races that are not learned from, on the screen and in progress.csv."""
        print(f"\n  log loss {loss:.4f}, of the prior {prior:.4f}", flush=True)
        path = self.folder / "progress.csv"
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            rows = csv.writer(file)
            if fresh:
                rows.writerow(["positions", "seconds", "log_loss", "log_loss_of_prior"])
            rows.writerow([self.count["positions"], f"{self.seconds:.1f}", f"{loss:.5f}", f"{prior:.5f}"])


def parse(arguments: list[str] | None = None) -> Options:
    """The options from the command line: a flag for each field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in dataclasses.fields(Options):
        flag = "--" + each.name.replace("_", "-")
        default = each.default if each.default is not dataclasses.MISSING else each.default_factory()  # type: ignore[misc]
        if isinstance(default, list):
            parser.add_argument(flag, nargs="*", default=default, help=f"default {default}")
        else:
            parser.add_argument(
                flag, type=str if default is None else type(default), default=default, help=f"default {default}"
            )
    return Options(**vars(parser.parse_args(arguments)))


def main(arguments: list[str] | None = None) -> int:
    """Train."""
    try:
        run = Run(parse(arguments))
        run.work()
    except RoboRallyError as error:
        raise SystemExit(f"train_value: {error}") from None
    return 130 if run.stopped else 0


if __name__ == "__main__":
    raise SystemExit(main())
