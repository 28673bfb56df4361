"""Playing tables, and keeping what the network decided."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch

from roborally_env.agents import Agent, Info, make_agent
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.training.selfplay.league import League, ahead_of
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.programs import Programs, decide
from roborally_env.training.selfplay.purchases import Purchases, buy
from roborally_env.training.selfplay.tables import Table, chance, tensor


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
    ahead: np.ndarray  # [B]: fraction of seat pairs in which the network finished ahead of a league agent; nan: none


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
        self.teacher: Agent | None = None

    def teach(self, imitate: bool) -> None:
        """Seat the agent that is imitated, or nobody."""
        if imitate != (self.teacher is not None):
            self.teacher = make_agent(self.options.imitate, self.options.seed) if imitate else None

    def step(self, table: Table, generator: torch.Generator, rng: np.random.Generator) -> Moment:
        """One step of all races of a table."""
        batch = table.batch
        programs = np.zeros((batch.num_games, batch.players, REGISTERS), np.int8)
        choices = np.zeros((batch.num_games, batch.players), np.int8)
        began = time.perf_counter()
        mine = (table.line_ups == 0) & table.programming()
        games, seats = np.nonzero(mine)
        buyers, buying = table.buyers()
        ours = table.line_ups[buyers, buying] == 0
        buyers_, buying_ = buyers[ours], buying[ours]
        drawn = bought = None
        if len(games):
            given, announced = self.taught(table, games, seats)
            drawn = decide(self.net, table, games, seats, generator, given, announced)
            programs[games, seats] = drawn.slots
            choices[games, seats] = drawn.down == 1
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
        return Moment(games, seats, drawn, buyers_, buying_, bought, rewards, won, done, courses, ahead)

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
        waiting, their_seats = table.buyers()
        for i in np.unique(table.line_ups[table.line_ups > 0]).tolist():
            member = self.league.members[i]
            games, seats = np.nonzero((table.line_ups == i) & programming)
            at = table.line_ups[waiting, their_seats] == i
            buyers, buying = waiting[at], their_seats[at]
            if isinstance(member, Network):
                if len(games):
                    drawn = decide(member, table, games, seats, generator)
                    programs[games, seats], choices[games, seats] = drawn.slots, drawn.down == 1
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

    def seat_all(self, table: Table, rng: np.random.Generator) -> None:
        """Line-ups for all races of a table, which begin."""
        for game in range(table.batch.num_games):
            table.line_ups[game] = self.league.draw(rng, table.batch.players, self.options.league_share)

    def seat_anew(self, table: Table, games: np.ndarray, places: np.ndarray, rng: np.random.Generator) -> None:
        """New line-ups for races that have just started; the previous ones enter the league's scores."""
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
            drawn = decide(self.net, table, games, seats, generator)
            values[games, seats], wins[games, seats] = drawn.value, drawn.win
        games, seats = np.nonzero(mine & ~table.programming())
        if len(games):
            device = next(self.net.parameters()).device
            position = self.net.position(*(tensor(x, device) for x in table.features.positions(games, seats)))
            values[games, seats] = self.net.critic(position, None, None).cpu().numpy()
            wins[games, seats] = chance(self.net, table, position, games, seats)
        return values, wins
