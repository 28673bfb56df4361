"""Masked PPO in one file: self-play on BatchRace with torch alone. Copy it and change what you like.

    python scripts/ppo.py --out out/ppo --minutes 5

One network plays every seat of every race (parameter sharing). A program is five draws without replacement: the chance
of a card in a register is a softmax over the cards of the hand that are left and that the mask allows. The game is the
lighter one of 2016, in which every step is a program of every seat, so no seat ever waits.

In the style of CleanRL. (D..) are the numbers of the details in Huang et al., "The 37 Implementation Details of
Proximal Policy Optimization" (ICLR blog track 2022). The folder gets progress.csv (a row for each update),
evaluation.csv and policy.pt. Runs of one thread on the CPU with equal options are equal, but for the times, and unless
--minutes ends them. Needs torch: pip install "roborally_env[train]".
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from roborally_env import BatchRace, RoboRallyError
from roborally_env.envs.spaces import part_boxes, shapes_of
from roborally_env.tournament import evaluate

REGISTERS = 5


@dataclass(frozen=True)
class Args:
    """Every number of the run; each is an option, as --num-games 64."""

    out: str = "out/ppo"  # folder
    course: str = "dizzy_highway"
    players: int = 4  # seats of a race, all of the network
    max_rounds: int = 60  # a race is cut after so many
    reward: str = "shaped"  # race, progress or shaped
    seed: int = 1
    decisions: int = 2_000_000  # stop after so many, or
    minutes: float = 0.0  # after so much training; 0: no limit
    num_games: int = 64  # races at once
    num_steps: int = 32  # rounds of a rollout
    learning_rate: float = 5e-4
    gamma: float = 0.98
    gae_lambda: float = 0.95
    epochs: int = 4
    minibatch: int = 1024
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    width: int = 256
    card_size: int = 32
    threads: int = 1  # of torch
    device: str = "cpu"
    evaluate_every: int = 200_000  # decisions between evaluations; 0: only at the end
    evaluate_games: int = 100
    final_games: int = 400


def read_args() -> Args:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for field in dataclasses.fields(Args):
        name, default = "--" + field.name.replace("_", "-"), field.default
        parser.add_argument(name, type=type(default), default=default, help=f"(default: {default})")
    args = Args(**vars(parser.parse_args()))
    rows = args.num_games * args.players * args.num_steps
    if not 1 <= args.minibatch <= rows:
        parser.error(f"--minibatch: expected 1 to the {rows} decisions of a rollout, got {args.minibatch}")
    return args


class Agent(nn.Module):
    """Actor and critic. The hand is a set: a card's score comes from what it is, not from the slot it lies in."""

    def __init__(self, size: int, slots: int, kinds: int, args: Args) -> None:
        """For observations of `size` numbers that begin with the hand, [slots, kinds]."""
        super().__init__()
        self.slots, self.kinds = slots, kinds
        self.card = layer(kinds, args.card_size)
        seen = size - slots * kinds + args.card_size
        self.body = nn.Sequential(layer(seen, args.width), nn.ReLU(), layer(args.width, args.width), nn.ReLU())
        self.context = layer(args.width, REGISTERS * args.card_size)  # what each register asks for
        self.laid = layer(REGISTERS * args.card_size, REGISTERS * args.card_size, bias=False)  # the cards before it
        self.query = layer(args.card_size, args.card_size, gain=0.01)  # (D2) the first policy is near uniform
        self.value = layer(args.width, 1, gain=1.0)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Cards [n, slots, c], queries without the cards laid [n, 5, c], and values [n], of observations [n, size]."""
        hand, rest = observations.tensor_split([self.slots * self.kinds], 1)
        cards = torch.tanh(self.card(hand.view(-1, self.slots, self.kinds)))
        hidden = self.body(torch.cat([rest, cards.mean(1)], 1))
        return cards, self.context(hidden).view(len(hidden), REGISTERS, -1), self.value(hidden).squeeze(1)

    def before(self, laid: Tensor) -> Tensor:
        """[n, 5, c]: what the cards laid [n, 5, c] add to each register's query; none sees its own or later ones."""
        earlier = torch.ones(REGISTERS, REGISTERS, device=laid.device).tril(-1)  # to each register, from each
        c = laid.shape[2]
        weight = self.laid.weight * earlier.repeat_interleave(c, 0).repeat_interleave(c, 1)
        return F.linear(laid.flatten(1), weight).view_as(laid)

    def logits(self, queries: Tensor, cards: Tensor, allowed: Tensor) -> Tensor:
        """Log-probabilities [n, r, slots] of the cards for r registers."""
        scores = self.query(torch.relu(queries)) @ cards.transpose(1, 2)
        return scores.masked_fill(~allowed, -1e9).log_softmax(2)

    @torch.no_grad()
    def act(self, observations: Tensor, masks: Tensor, greedy: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Draw programs [n, 5] by masks bool [n, 5, slots]; with their log-probabilities and values, both [n]."""
        cards, queries, values = self(observations)
        rows = torch.arange(len(cards), device=cards.device)
        free = torch.ones_like(masks[:, 0])  # [n, slots]
        laid = torch.zeros_like(queries)
        program, logp = [], torch.zeros_like(values)
        for register in range(REGISTERS):
            query = (queries + self.before(laid))[:, register, None]
            logits = self.logits(query, cards, (masks[:, register] & free)[:, None])[:, 0]
            slot = logits.argmax(1) if greedy else torch.multinomial(logits.exp(), 1).squeeze(1)
            logp += logits[rows, slot]
            free[rows, slot] = False
            laid[:, register] = cards[rows, slot]
            program.append(slot)
        return torch.stack(program, 1), logp, values

    def evaluate(self, observations: Tensor, masks: Tensor, programs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities, entropies and values, each [n], of programs int64 [n, 5], all registers at once."""
        cards, queries, values = self(observations)
        one_hot = F.one_hot(programs, self.slots)
        taken = one_hot.cumsum(1) - one_hot  # by the registers before
        logits = self.logits(queries + self.before(one_hot.to(cards.dtype) @ cards), cards, masks & (taken == 0))
        logp = logits.gather(2, programs[:, :, None]).squeeze(2).sum(1)
        return logp, -(logits.exp() * logits).sum((1, 2)), values


def layer(inputs: int, outputs: int, gain: float = 2**0.5, bias: bool = True) -> nn.Linear:
    """A linear layer with orthogonal weights and no offset (D2)."""
    made = nn.Linear(inputs, outputs, bias)
    nn.init.orthogonal_(made.weight, gain)
    if bias:
        nn.init.zeros_(made.bias)
    return made


class Trained:
    """The network as an agent of a tournament: it lays the likeliest cards. Purchases: there are none."""

    name, needs_observation = "ppo", True

    def __init__(self, agent: Agent, device: torch.device) -> None:
        self.agent, self.device = agent, device

    def act(self, observations: Any, masks: Any, info: Any) -> np.ndarray:
        """Programs int8 [n, 5], from observations [n, size] and masks [n, 5, slots]."""
        seen = torch.as_tensor(observations, device=self.device)
        allowed = torch.as_tensor(masks, device=self.device).bool()
        return self.agent.act(seen, allowed, greedy=True)[0].cpu().numpy().astype(np.int8)


@dataclass
class Rollout:
    """What was played: tensors [T, N, ..], N being games * players."""

    observations: Tensor
    masks: Tensor
    programs: Tensor
    logps: Tensor
    values: Tensor
    rewards: Tensor
    dones: Tensor


def look(batch: BatchRace, device: torch.device) -> tuple[Tensor, Tensor]:
    """Observations [N, size] and masks bool [N, 5, slots], copied: the arrays are the batch's own."""
    seen, masks = batch.observations["symbolic"], batch.observations["masks"]
    rows = batch.num_games * batch.players
    return (
        torch.tensor(seen.reshape(rows, -1), device=device),
        torch.tensor(masks.reshape(rows, REGISTERS, -1), device=device).bool(),
    )


def play(agent: Agent, batch: BatchRace, args: Args, finished: deque[float]) -> tuple[Rollout, Tensor, float]:
    """A rollout of `num_steps` rounds, the values [N] after it, and the seconds that the environment took of it."""
    device = next(agent.parameters()).device
    parts: list[tuple[Tensor, ...]] = []
    env_seconds = 0.0
    seen, masks = look(batch, device)
    for _ in range(args.num_steps):
        programs, logps, values = agent.act(seen, masks)
        began = time.perf_counter()
        _, rewards, terminated, truncated = batch.step(
            programs.view(batch.num_games, batch.players, REGISTERS).cpu().numpy().astype(np.int8)
        )
        env_seconds += time.perf_counter() - began
        ended = terminated | truncated
        finished.extend(batch.results["rounds"][ended].tolist())
        gained = torch.tensor(rewards.reshape(-1), device=device)
        gained += args.gamma * values_of_cut_races(agent, batch, truncated, device)
        done = torch.tensor(np.repeat(ended, batch.players), device=device)
        parts.append((seen, masks, programs, logps, values, gained, done))
        seen, masks = look(batch, device)
    with torch.no_grad():
        last = agent(seen)[2]
    return Rollout(*(torch.stack(part) for part in zip(*parts, strict=True))), last, env_seconds


@torch.no_grad()
def values_of_cut_races(agent: Agent, batch: BatchRace, truncated: np.ndarray, device: torch.device) -> Tensor:
    """[N]: the value of the last position of races that were cut, not finished; 0 for others."""
    found = torch.zeros(len(truncated), batch.players, device=device)
    if truncated.any():
        last = batch.final_observations["symbolic"][truncated]
        values = agent(torch.tensor(last.reshape(-1, last.shape[2]), device=device))[2]
        found[torch.tensor(truncated, device=device)] = values.view(-1, batch.players)
    return found.flatten()


def advantages(played: Rollout, last: Tensor, args: Args) -> Tensor:
    """Generalised advantage estimates [T, N] (D5; Schulman et al., ICLR 2016). No advantage crosses a race's end."""
    found = torch.zeros_like(played.values)
    value, advantage = last, torch.zeros_like(last)  # of the next step
    for t in reversed(range(len(found))):
        goes_on = (~played.dones[t]).float()
        delta = played.rewards[t] + args.gamma * value * goes_on - played.values[t]
        advantage = delta + args.gamma * args.gae_lambda * advantage * goes_on
        found[t], value = advantage, played.values[t]
    return found


def learn(
    agent: Agent, optimizer: torch.optim.Optimizer, played: Rollout, last: Tensor, args: Args, rng: torch.Generator
) -> dict[str, float]:
    """Some epochs of clipped updates over a rollout; the means of what they told."""
    gained = advantages(played, last, args)
    flat = {field.name: getattr(played, field.name).flatten(0, 1) for field in dataclasses.fields(Rollout)}
    advantage, target = gained.flatten(), (gained + played.values).flatten()
    told: list[list[float]] = []
    for _ in range(args.epochs):
        for rows in torch.randperm(len(advantage), generator=rng).split(args.minibatch):  # (D6)
            logp, entropy, value = agent.evaluate(*(flat[name][rows] for name in ("observations", "masks", "programs")))
            a = advantage[rows]
            a = (a - a.mean()) / (a.std(unbiased=False) + 1e-8)  # (D7)
            change = logp - flat["logps"][rows]
            ratio = change.exp()
            policy_loss = -torch.minimum(a * ratio, a * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()  # (D8)
            value_loss = F.mse_loss(value, target[rows])
            loss = policy_loss + args.value_weight * value_loss - args.entropy * entropy.mean()  # (D10)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)  # (D11)
            optimizer.step()
            with torch.no_grad():
                kl, clipped = (ratio - 1 - change).mean(), ((ratio - 1).abs() > args.clip).float().mean()  # (D12)
            told.append([x.item() for x in (policy_loss, value_loss, entropy.mean(), kl, clipped)])
    return dict(zip(("policy_loss", "value_loss", "entropy", "kl", "clipped"), np.mean(told, 0), strict=True))


def append(path: Path, row: dict[str, Any]) -> None:
    """A row of a CSV file, with its head at first."""
    with path.open("a", newline="") as file:
        table = csv.DictWriter(file, list(row))
        if file.tell() == 0:
            table.writeheader()
        table.writerow({name: f"{x:.6g}" if isinstance(x, float) else x for name, x in row.items()})


def race(agent: Agent, args: Args, games: int, decisions: int, seconds: float) -> None:
    """Races of one trained agent against bots in all other seats, each seat in turn, with 95 % intervals."""
    trained = Trained(agent, next(agent.parameters()).device)
    for bot in ("random", "greedy"):
        line_up = [trained, *[bot] * (args.players - 1)]
        row = evaluate(line_up, args.course, games=games, seed=args.seed, rules={"upgrades": False}).rows[0]
        interval = {"win_rate": row.win_rate, "win_low": row.win_low, "win_high": row.win_high}
        found = {"decisions": decisions, "seconds": seconds, "against": bot, "races": row.races, **interval}
        append(Path(args.out) / "evaluation.csv", found)
        print(f"{decisions:,}: won {row.win_rate:.0%} ({row.win_low:.0%} - {row.win_high:.0%}) against {bot}")


def main() -> None:
    """Train, then race."""
    args = read_args()
    folder = Path(args.out)
    if (folder / "progress.csv").exists():
        raise RoboRallyError(f"--out {folder}: holds a run; expected a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = torch.Generator().manual_seed(args.seed)
    batch = BatchRace(
        args.num_games, args.course, players=args.players, reward=args.reward, discount=args.gamma,
        max_rounds=args.max_rounds, rules={"upgrades": False}, seed=args.seed,
    )  # fmt: skip
    agent = Agent(batch.symbolic_size, *shapes_of(part_boxes(batch))["hand"], args).to(args.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)  # (D3)
    finished: deque[float] = deque(maxlen=200)  # rounds of the last races
    decisions, seconds = 0, 0.0
    while decisions < args.decisions and not 0 < args.minutes * 60 <= seconds:
        left = 1 - max(decisions / args.decisions, seconds / 60 / args.minutes if args.minutes else 0)
        optimizer.param_groups[0]["lr"] = args.learning_rate * max(left, 0.05)  # (D4)
        began = time.perf_counter()
        played, last, env_seconds = play(agent, batch, args, finished)
        policy_seconds = time.perf_counter() - began - env_seconds
        told = learn(agent, optimizer, played, last, args, rng)
        took = time.perf_counter() - began
        decisions, seconds = decisions + played.values.numel(), seconds + took
        shares = {"share_env": env_seconds / took, "share_policy": policy_seconds / took}
        rate = played.values.numel() / took
        rounds = float(np.mean(finished)) if finished else float("nan")
        row = {"decisions": decisions, "seconds": seconds, "rate": rate, **shares, "rounds": rounds, **told}
        append(folder / "progress.csv", row)
        print(f"{decisions:,} decisions, {rate:,.0f}/s, env {env_seconds / took:.0%}, entropy {told['entropy']:.2f}")
        before = decisions - played.values.numel()
        if args.evaluate_every and decisions // args.evaluate_every > before // args.evaluate_every:
            race(agent, args, args.evaluate_games, decisions, seconds)
    torch.save({"args": dataclasses.asdict(args), "agent": agent.state_dict()}, folder / "policy.pt")
    race(agent, args, args.final_games, decisions, seconds)


if __name__ == "__main__":
    try:
        main()
    except RoboRallyError as error:
        raise SystemExit(f"ppo: {error}") from None
