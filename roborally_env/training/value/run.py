"""A run that learns the chance to win, in its folder."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from roborally_env.agents.features import Features
from roborally_env.agents.network import net_of, save_weights
from roborally_env.base.signals import interrupts_noted
from roborally_env.jobs import storage
from roborally_env.training.folder import Folder
from roborally_env.training.options import refuse_changes
from roborally_env.training.progress import ProgressLine, hours_and_minutes
from roborally_env.training.value.network import Samples, ValueNetwork
from roborally_env.training.value.options import OF_THE_MACHINE, Options
from roborally_env.training.value.races import Races

STOPPED = 130  # exit code after Ctrl-C
PROGRESS = ("positions", "seconds", "log_loss", "log_loss_of_prior")
BESIDE_ROLLOUTS = ("rms", "rms_of_prior")  # further columns, with --rollouts


def train(options: Options) -> int:
    """Train, or go on with the run in the folder; returns the exit code.

    What comes out is the same whether the run was stopped (by Ctrl-C, by kill -9) or not: with one thread.

    Raises:
        RoboRallyError: for options that do not fit, or a folder that holds another run.
    """
    run = Run(options)
    with storage.Folder(run.folder.path).only_writer():
        run.work()
    return STOPPED if run.stopped else 0


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
        self.columns = PROGRESS + (BESIDE_ROLLOUTS if options.rollouts else ())
        self.folder = Folder(options.out, {"progress.csv": self.columns}, "positions")
        self.line = ProgressLine()
        self.begin()

    def begin(self) -> None:
        """Go on from the folder's checkpoint, if there is one."""
        state = self.folder.read()
        if state is not None:
            refuse_changes(self.folder.checkpoint, state["options"], self.options, OF_THE_MACHINE)
        self.folder.make()
        self.folder.begin(state)
        if state is not None:
            self.net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.count, self.seconds = state["count"], state["seconds"]
            self.folder.report_start(self.count["positions"], self.options.positions)

    def save(self) -> None:
        """Write the checkpoint and the weights."""
        self.folder.save(
            {
                "options": dataclasses.asdict(self.options),
                "net": self.net.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "count": self.count,
                "seconds": self.seconds,
            }
        )
        kept = {k: v for k, v in dataclasses.asdict(self.options).items() if k not in OF_THE_MACHINE}
        about = {
            "edition": self.races.batch.edition, "kind": "value", "prior": 1.0, "count": self.count, "options": kept,
            "torch": torch.__version__, "numpy": np.__version__,
        }  # fmt: skip
        save_weights(self.folder.path / "weights.npz", self.net.arrays(), about)

    def learn(self, data: Samples, number: int) -> None:
        """Some epochs over one batch of races."""
        left = 1.0 - self.count["positions"] / self.options.positions
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.lr * max(0.05, left)
        order = torch.Generator().manual_seed(self.options.seed * 1_000_003 + number)
        for _ in range(self.options.epochs):
            for rows in torch.randperm(len(data.own), generator=order).split(self.options.minibatch):
                some = Samples(*(part[rows] for part in data))
                weight = torch.where(some.soft, self.options.rollout_weight, 1.0)
                loss = F.binary_cross_entropy_with_logits(self.net(some), some.won, weight)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
        self.count["positions"] += len(data.own)

    @torch.no_grad()
    def loss_of(self, data: Samples) -> tuple[float, ...]:
        """Log loss of the network, and of the prior alone; with rollouts also the root mean square difference of the
        chance to win to what is won of them, of both."""
        logits, soft = (self.net(data), data.prior), data.soft
        found = [float(F.binary_cross_entropy_with_logits(x[~soft], data.won[~soft])) for x in logits]
        if soft.any():
            found += [float(F.mse_loss(x[soft].sigmoid(), data.won[soft]).sqrt()) for x in logits]
        return tuple(found)

    def stop(self) -> None:
        """Stop after the batch in progress."""
        self.stopped = True

    def work(self) -> None:
        """To the end, or until Ctrl-C."""
        saved = time.monotonic()
        with interrupts_noted(self.stop):
            while self.count["positions"] < self.options.positions and not self.stopped:
                self.play_and_learn()
                late = time.monotonic() - saved > self.options.checkpoint_every
                if late or not self.folder.checkpoint.exists():
                    self.save()
                    saved = time.monotonic()
            self.save()
        self.line.close()
        if self.stopped:
            self.line.say("stopped; the same command resumes")

    def play_and_learn(self) -> None:
        """One batch of races, from their start to what is learned from them, or measured by them."""
        began = time.perf_counter()
        number = self.count["batches"]
        races = self.races.play(number, net_of(self.net.arrays()))
        data = Samples(*(torch.as_tensor(array) for array in races))
        played = time.perf_counter() - began
        held_out = number % self.options.held_out == 0
        losses = self.loss_of(data) if held_out else None
        if losses is None:
            self.learn(data, number)
        self.count["batches"] += 1
        took = time.perf_counter() - began
        self.seconds += took
        if losses is not None:
            self.report(*losses)
        done, rate = self.count["positions"], len(data.own) / took
        self.line.show(
            f"{done:,} of {self.options.positions:,} positions",
            f"{rate:,.0f}/s",
            f"races {played / took:.0%}",
            f"{hours_and_minutes((self.options.positions - done) / rate)} left",
        )

    def report(self, loss: float, prior: float, *rms: float) -> None:
        """What `loss_of` says of races that are not learned from, on the screen and in progress.csv."""
        beside = "; beside rollouts {:.4f}, the prior {:.4f}".format(*rms) if rms else ""
        self.line.say(f"  log loss {loss:.4f}, of the prior {prior:.4f}{beside}")
        found = (self.count["positions"], self.seconds, loss, prior, *rms)
        self.folder.append("progress.csv", dict(zip(self.columns, found, strict=False)))  # rms: if any was played on
