"""Rollouts: some steps of all races, what the network decided in them, and the advantages of each decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from roborally_env.agents import Agent
from roborally_env.agents.decisions import decide
from roborally_env.agents.registers import follow_back
from roborally_env.base.types import Array, Json, NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.training.ppo.actor import Actor, Choices, Programs
from roborally_env.training.ppo.options import Options

NONE = -1
LARGEST = 1.0  # shaping of a step: 32 registers
SOFT = 1.5  # quarter registers: the temperature at which cards' values are kept for `solo_weight`


@dataclass
class Rollout:
    """Decisions of one rollout, with what is learned from them.

    Attributes:
        programs, choices: columns by name, arrays [n, ..].
        decisions: how many there are.
        rounds: of the races that ended.
        won: for races with bots, whether the network won: (races, wins).
    """

    programs: dict[str, Array]
    choices: dict[str, Array]
    decisions: int
    rounds: list[int] = field(default_factory=list)
    races: int = 0
    wins: float = 0.0


class Table:
    """Races that go on from rollout to rollout. `line_ups` [B, P] says who sits in a seat: 0 the network, 1 + n
    bot n."""

    def __init__(self, options: Options, batch: BatchRace, bots: list[Agent], seed: int) -> None:
        self.options, self.batch, self.bots = options, batch, bots
        self.rng = np.random.default_rng(seed)
        self.line_ups = np.zeros((batch.num_games, batch.players), np.int64)
        self.seat(np.arange(batch.num_games))

    def state(self) -> NamedValues:
        """What `load_state` needs: the races, who sits where, and the state of chance."""
        return {
            "games": self.batch.snapshot(),
            "line_ups": torch.from_numpy(self.line_ups.copy()),
            "rng": self.rng.bit_generator.state,
        }

    def load_state(self, state: NamedValues) -> None:
        """Resume from `state`."""
        self.batch.restore(state["games"])
        self.line_ups[:] = state["line_ups"].numpy()
        self.rng.bit_generator.state = state["rng"]

    def seat(self, games: NDArray[np.int64]) -> None:
        """Draw who sits where in races that begin."""
        shape = (len(games), self.batch.players)
        self.line_ups[games] = 0
        if not self.bots:
            return
        mixed = self.rng.random(len(games)) < self.options.bot_races
        seats = self.rng.random(shape).argsort(1)  # one seat at least is the network's
        count = self.rng.integers(1, self.batch.players, len(games))
        if self.options.bot_seats:
            count[:] = self.options.bot_seats
        bots = self.rng.integers(1, len(self.bots) + 1, shape)
        self.line_ups[games] = np.where(mixed[:, None] & (seats < count[:, None]), bots, 0)

    def play(self, actor: Actor, teacher: Agent | None = None) -> Rollout:
        """Play a rollout; a `teacher` decides in place of the network, which is to copy it."""
        batch, options = self.batch, self.options
        shape = (options.steps, batch.num_games, batch.players)
        at = np.full(shape, NONE, np.int32)
        rewards, done = np.zeros(shape, np.float32), np.zeros(shape[:2], np.bool_)
        programs: list[Programs] = []
        choices: list[Choices] = []
        counts = [0, 0]
        rounds: list[int] = []
        races, wins = 0, 0.0
        for t in range(options.steps):
            slots, chosen = self._decided(self.bots, self.line_ups - 1)
            mine = self.line_ups == 0
            taught, taught_options = (
                self._decided([teacher], np.where(mine, 0, NONE)) if teacher is not None else (None, None)
            )
            rows, seats = np.nonzero(mine & batch.programmed & batch.programming[:, None])
            if len(rows):
                uniform = self.rng.random((len(rows), REGISTERS + 1), np.float32)
                given, announced = None, None
                if taught is not None and taught_options is not None:
                    given, announced = taught[rows, seats], taught_options[rows, seats] > 0
                soft = options.imitate_soft if given is not None else SOFT if options.solo_weight else 0.0
                if (
                    given is not None and soft
                ):  # half of the races are played by the network, which has to find its way back from its errors
                    given = np.where(rows[:, None] % 2 == 0, given, np.int8(NONE))
                made = actor.programs(rows, seats, uniform, given, announced, soft)
                slots[rows, seats] = made.slots
                chosen[rows, seats] = made.down == 1
                at[t, rows, seats] = 2 * (counts[0] + np.arange(len(rows)))
                counts[0] += len(rows)
                programs.append(made)
            asked = np.flatnonzero(~batch.programming & ~batch.over)
            asked_seats = batch.games["ask_seat"][asked].astype(np.int64)
            own = mine[asked, asked_seats]
            rows, seats = asked[own], asked_seats[own]
            if len(rows):
                given = None if taught_options is None else taught_options[rows, seats] - np.int8(1)
                picked = actor.choices(rows, seats, self.rng.random(len(rows), np.float32), given)
                chosen[rows, seats] = 1 + picked.options
                at[t, rows, seats] = 2 * (counts[1] + np.arange(len(rows))) + 1
                counts[1] += len(rows)
                choices.append(picked)
            _, _, terminated, truncated = batch.step(slots, chosen if batch.asks_choices else None)
            ended = terminated | truncated
            rewards[t] = self._rewards(ended)
            done[t] = ended
            if ended.any():
                results = batch.results[ended]
                rounds += results["rounds"].tolist()
                line_ups, winner = self.line_ups[ended], results["winner"]
                share = (line_ups == 0).mean(1)
                mixed = share < 1
                races += int(mixed.sum())
                won = (winner >= 0) & (line_ups[np.arange(len(winner)), np.maximum(winner, 0)] == 0)
                wins += float((won[mixed] / (share[mixed] * batch.players)).sum())
                self.seat(np.flatnonzero(ended))
        if not programs:  # in a few steps of few races there may be purchases alone
            nobody = np.zeros(0, np.int64)
            programs.append(actor.programs(nobody, nobody, np.zeros((0, REGISTERS + 1), np.float32)))
        rows, seats = np.nonzero(np.ones(self.line_ups.shape, bool))
        batch.observe()  # also seats that another one keeps waiting: steps do not write their observations
        last = actor.values(rows, seats).reshape(self.line_ups.shape)
        columns = _joined(programs), _joined(choices)
        return self._with_advantages(Rollout(*columns, sum(counts), rounds, races, wins), at, rewards, done, last)

    def _decided(self, agents: list[Agent], line_ups: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Programs [B, P, 5] and choices [B, P] of agents, whose numbers stand in `line_ups`; 0 in other seats."""
        batch = self.batch
        if not agents:
            return np.zeros((*line_ups.shape, REGISTERS), np.int8), np.zeros(line_ups.shape, np.int8)
        programs, choices = decide(batch, agents, line_ups)
        return programs, np.zeros(line_ups.shape, np.int8) if choices is None else choices

    def _rewards(self, ended: NDArray[np.bool_]) -> NDArray[np.float32]:
        """[B, P]: the shaping, and at a race's end its outcome."""
        parts, players = self.batch.reward_parts, self.batch.players
        # without a way to the checkpoint the distance is that of thousands of registers
        found = self.options.shaping * np.clip(parts["shaping"], -LARGEST, LARGEST)
        if self.options.reward == "win" and ended.any():
            results = self.batch.results[ended]
            places = results["place"][:, :players]
            won = (places == places.min(1, keepdims=True)) & (results["winner"] >= 0)[:, None]
            found[ended] += (won * players - 1.0) / (players - 1.0)
        elif self.options.reward == "race":
            found = found + parts["race"]
        return found

    def _with_advantages(self, found: Rollout, at: Array, rewards: Array, done: Array, last: Array) -> Rollout:
        programs, choices, options = found.programs, found.choices, self.options
        programs["advantages"] = np.zeros_like(programs["values"])
        choices["advantages"] = np.zeros_like(choices["values"])
        follow_back(
            at, rewards, done, last, programs["values"], programs["kinds"], choices["values"],
            options.gamma, options.lam, options.inner_lam, programs["advantages"], choices["advantages"],
        )  # fmt: skip
        for part in (programs, choices):
            part["returns"] = part["advantages"] + part["values"]
        return found


def merged(rollouts: Sequence[Rollout]) -> Rollout:
    """One rollout of several."""
    if len(rollouts) == 1:
        return rollouts[0]
    programs, choices = _merged([r.programs for r in rollouts]), _merged([r.choices for r in rollouts])
    decisions, rounds = sum(r.decisions for r in rollouts), [n for r in rollouts for n in r.rounds]
    return Rollout(programs, choices, decisions, rounds, sum(r.races for r in rollouts), sum(r.wins for r in rollouts))


def _merged(parts: list[dict[str, Array]]) -> dict[str, Array]:
    parts = [columns for columns in parts if len(columns["values"])] or parts[:1]
    return {name: np.concatenate([columns[name] for columns in parts]) for name in parts[0]}


def _joined(parts: list[Json]) -> dict[str, Array]:
    """The columns of several Programs or Choices, joined."""
    if not parts:
        return {"values": np.zeros(0, np.float32), "own": np.zeros((0, 1), np.float16)}
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
