"""The chance to win, purchases and power downs, learned from races of bots.

    python scripts/train_value.py --out out/value --courses dizzy_highway twister --positions 3000000

Races among `--players` seats of `--agent` are played, in which a seat now and then lays another good program, or any
legal one: so the network also sees positions that the agent itself would not bring about, as a search does. Before each
round and each purchase every seat's position is a sample, the seat's win or loss the target. The network learns what
has to be added to the log-odds that `planner` sees by distances and damage alone (`chance_to_win`).

Half of the purchases are drawn at random, the others are those that the network prefers by now. What each adds to the
chance to win is learned beside the position's, from the value on by which `greedy` buys. So it is with power downs that
can be announced, from `greedy`'s rule on; a quarter of them are decided at random.

`train_selfplay.py --begin out/value/weights.npz` learns to choose programs beside these.

`--courses` takes names, paths and specifications of generated courses, as `generated:seed=1,levels=100`, also mixed:
every batch of races has all the named courses and generated ones of its own (`--at-once`, `--generated`).

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
from typing import Any, NamedTuple

import numpy as np
from roborally_env.agents import Info, make_agent
from roborally_env.agents.features import Features
from roborally_env.agents.network import (
    BUYING,
    DOWN,
    good_programs,
    learned_announcements,
    learned_choices,
    net_of,
    prior_log_odds,
    save_weights,
)
from roborally_env.agents.powering import FROM_TOKENS
from roborally_env.agents.shopping import write_values

from roborally_env import BatchRace, RoboRallyError
from roborally_env.courses.generate.mixture import Mixture

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ModuleNotFoundError as error:
    raise SystemExit(f'train_value: {error.name} is not installed; pip install "roborally_env[train]"') from None

SCORE = 0.05  # log-odds of winning for a unit of the scores of purchases and power downs
OF_THE_MACHINE = ("out", "threads", "checkpoint_every")  # options that are not kept with the weights


@dataclass
class Options:
    """Everything that decides what comes out."""

    out: str = "out/value"
    courses: list[str] = field(default_factory=lambda: ["dizzy_highway", "risky_crossing", "twister"])
    generated: float = 2 / 3  # of the races are on generated courses, where there are named ones too
    at_once: int = 32  # courses of a batch at least, if any are generated
    edition: str | None = None
    players: int = 4
    rules: str = "{}"  # JSON
    agent: str = "greedy"  # lays the programs
    explore: float = 0.25  # of the programs are drawn from the good ones
    wander: float = 0.05  # of the programs are drawn from all legal ones
    shop_around: float = 0.5  # of the purchases are drawn from all legal ones
    doze: float = 0.25  # of the power downs are decided at random
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
        for name in ("games", "positions", "held_out", "epochs", "minibatch", "hidden", "threads", "at_once"):
            least = 2 if name == "held_out" else 1
            if getattr(self, name) < least:
                raise RoboRallyError(
                    f"--{name.replace('_', '-')}: expected at least {least}, got {getattr(self, name)}"
                )
        for name in ("explore", "wander", "shop_around", "doze"):
            if not 0 <= getattr(self, name) <= 1:
                raise RoboRallyError(f"--{name.replace('_', '-')}: expected 0 to 1, got {getattr(self, name)}")
        if not 0 < self.generated < 1:
            raise RoboRallyError(f"--generated: expected over 0 and under 1, got {self.generated}")
        if self.explore + self.wander > 1:
            raise RoboRallyError("--explore, --wander: expected at most 1 together")
        if not self.courses:
            raise RoboRallyError("--courses: expected at least one")
        try:
            json.loads(self.rules)
        except ValueError as error:
            raise RoboRallyError(f"--rules: expected JSON, got {self.rules!r} ({error})") from None


class ValueNetwork(nn.Module):
    """The part of the learned agents' network that does not look at programs."""

    def __init__(self, at: Any, hidden: int) -> None:
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
            scale = SCORE if name in ("buy", "down") else 1.0
            arrays[f"{name}_w"] = module.weight.detach().numpy().T / scale
            if module.bias is not None:
                arrays[f"{name}_b"] = module.bias.detach().numpy() / scale
        return arrays


class Samples(NamedTuple):
    """Positions, what a seat decided there, and whether it won the race: a row each."""

    own: Any  # f4 [n, own]
    others: Any  # f4 [n, P - 1, row]
    prior: Any  # f4 [n]: log-odds by distances and damage
    bought: Any  # i8 [n]: 1 + the option of a purchase, 0 without one
    worth: Any  # f4 [n]: the value of the purchase for `greedy`
    down: Any  # f4 [n]: 1 a power down was announced, -1 it was not, 0 it could not be
    tired: Any  # f4 [n]: DOWN if `greedy` would announce it, else -DOWN
    won: Any  # f4 [n]


class Races:
    """Batches of races, each numbered: batch number n comes out the same whenever the same network plays it."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.mixture = Mixture(options.courses, options.edition)
        self.agent = make_agent(options.agent, options.seed)
        if self.agent.needs_observation:
            raise RoboRallyError(f"--agent {options.agent}: expected one that needs no observations, as greedy")
        self.batch = self.new(0)

    def new(self, number: int) -> BatchRace:
        """Batch `number` at its start."""
        return self.new_on(self.courses_of(number), number)

    def courses_of(self, number: int) -> list[str]:
        """The courses of batch `number`, by name or specification."""
        return self.mixture.batch(number, self.options.seed, self.options.at_once, self.options.generated)

    def new_on(self, names: list[str], number: int) -> BatchRace:
        """Batch `number` on other courses."""
        o = self.options
        return BatchRace(
            o.games, [self.mixture.course(each) for each in names], edition=o.edition, players=o.players,
            observation="none", max_rounds=o.max_rounds, rules=json.loads(o.rules), seed=o.seed, auto_reset=False,
            first_game=number * o.games,
        )  # fmt: skip

    def play(self, number: int, net: Any) -> Samples:
        """Every seat's position before each round and each purchase of the batch's races."""
        return self.play_batch(self.new(number), number, net)[0]

    def play_batch(self, batch: BatchRace, number: int, net: Any) -> tuple[Samples, np.ndarray]:
        """The same of a batch at its start; and int64 [n], the game of each sample."""
        features = Features(batch)
        rng = np.random.default_rng((self.options.seed, number))
        parts: list[tuple[np.ndarray, ...]] = []
        seats_of: list[tuple[np.ndarray, np.ndarray]] = []
        while not batch.over.all():
            games, seats = np.nonzero(batch.programming[:, None] & batch.programmed)
            buyers = np.flatnonzero(~batch.programming & ~batch.over)
            buying = batch.games["ask_seat"][buyers].astype(np.int64)
            rows, who = np.concatenate([games, buyers]), np.concatenate([seats, buying])
            own, others = features.positions(rows, who)
            programs, choices = batch.sample(int(rng.integers(2**31)))
            self.lay(batch, games, seats, rng, programs)
            down, tired = self.announce(batch, games, seats, rng, choices, features, net)
            bought, worth = self.buy(batch, buyers, buying, rng, choices, features, net)
            zeros, none = np.zeros(len(games), np.float32), np.zeros(len(buyers), np.float32)
            parts.append((
                own, others, prior_log_odds(batch, rows, who), np.concatenate([zeros.astype(np.int64), bought]),
                np.concatenate([zeros, worth]), np.concatenate([down, none]), np.concatenate([tired, none]),
            ))  # fmt: skip
            seats_of.append((rows, who))
            batch.step(programs, choices if batch.asks_choices else None)
        best = batch.results["place"][:, : batch.players]
        won = (best == best.min(1, keepdims=True)) & (batch.results["winner"] >= 0)[:, None]
        rows, who = (np.concatenate(part) for part in zip(*seats_of, strict=True))
        found = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Samples(*found, won[rows, who].astype(np.float32)), rows

    def lay(self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: Any, programs: np.ndarray) -> None:
        """Replace the random programs [B, P, 5], but for some, by the agent's, of which some are other good ones."""
        if not len(games):
            return
        o = self.options
        laid = np.array(self.agent.act(None, batch.observations["masks"][games, seats], Info(batch, games, seats)))
        dice = rng.random(len(games))
        near = dice < o.explore
        if near.any():
            laid[near] = good_programs(batch, games[near], seats[near], rng)
        kept = dice < 1.0 - o.wander
        programs[games[kept], seats[kept]] = laid[kept]

    def announce(
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: Any, choices: np.ndarray, features: Features,
        net: Any,
    ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """Set power downs in `choices` [B, P]; returns `down` and `tired` of the samples."""
        down, tired = np.zeros(len(games), np.float32), np.zeros(len(games), np.float32)
        may = batch.may_announce[games, seats]
        if may.any():
            wanted = np.zeros(int(may.sum()), np.int8)
            rows = (batch.maps, batch.games, games[may], seats[may])
            learned_announcements(*rows, features.layout, features.scratch, net, wanted)
            random = rng.random(len(wanted)) < self.options.doze
            wanted[random] = rng.integers(0, 2, int(random.sum()))
            choices[games, seats] = 0
            choices[games[may], seats[may]] = wanted
            down[may] = 2.0 * wanted - 1.0
            tired[may] = np.where(batch.games["damage"][games[may], seats[may]] >= FROM_TOKENS, DOWN, -DOWN)
        return down, tired

    def buy(
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: Any, choices: np.ndarray, features: Features,
        net: Any,
    ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """Replace the random purchases in `choices` [B, P], but for some, by the network's; returns those made, and
        their values for `greedy`."""
        bought, values = np.zeros(len(games), np.int64), np.zeros((len(games), BUYING), np.float32)
        if len(games):
            best = np.zeros(len(games), np.int8)
            masks = batch.observations["choice_masks"][games, seats]
            rows = (batch.maps, batch.games, games, seats)
            learned_choices(*rows, features.layout, features.scratch, net, masks, best)
            kept = rng.random(len(games)) >= self.options.shop_around
            choices[games[kept], seats[kept]] = best[kept]
            bought[:] = choices[games, seats]
            write_values(batch.games, games, seats, values)
        return bought, values[np.arange(len(games)), bought]


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

    def learn(self, data: Samples, number: int) -> None:
        """Some epochs over one batch of races."""
        left = 1.0 - self.count["positions"] / self.options.positions
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.lr * max(0.05, left)
        order = torch.Generator().manual_seed(self.options.seed * 1_000_003 + number)
        for _ in range(self.options.epochs):
            for rows in torch.randperm(len(data.own), generator=order).split(self.options.minibatch):
                some = Samples(*(part[rows] for part in data))
                loss = F.binary_cross_entropy_with_logits(self.net(some), some.won)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
        self.count["positions"] += len(data.own)

    @torch.no_grad()
    def loss_of(self, data: Samples) -> tuple[float, float]:
        """Log loss of the network, and of the prior alone."""
        logits = (self.net(data), data.prior)
        return tuple(float(F.binary_cross_entropy_with_logits(x, data.won)) for x in logits)  # type: ignore[return-value]

    def work(self) -> None:
        """To the end, or until Ctrl-C."""
        before = signal.signal(signal.SIGINT, lambda *_: setattr(self, "stopped", True))
        saved = time.monotonic()
        try:
            while self.count["positions"] < self.options.positions and not self.stopped:
                began = time.perf_counter()
                number = self.count["batches"]
                races = self.races.play(number, net_of(self.net.arrays()))
                data = Samples(*(torch.as_tensor(array) for array in races))
                played = time.perf_counter() - began
                if number % self.options.held_out == 0:
                    self.tell(*self.loss_of(data))
                else:
                    self.learn(data, number)
                self.count["batches"] += 1
                took = time.perf_counter() - began
                self.seconds += took
                rate, share = len(data.own) / took, played / took
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
