"""Recorded races, whose decisions are copied."""

from __future__ import annotations

import numpy as np
import torch

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.selfplay import load as load_data
from roborally_env.training.selfplay.gameplay import Moment, outcome
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.programs import decide
from roborally_env.training.selfplay.purchases import buy
from roborally_env.training.selfplay.tables import Table

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
        """Refuse races of another game than the one that is trained for, and those that each have their own course."""
        if any("generator" in course for course in self.data.manifest["config"]["courses"]):
            raise RoboRallyError(f"--imitate {self.options.imitate}: expected named courses, got generated ones")
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
        moments: list[Moment] = []
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
        programs_now = rows["decision"] == "program"
        programs[where[0][programs_now], where[1][programs_now]] = rows["program"][programs_now]
        choices[where] = np.where(programs_now, rows["power_down"], 1 + rows["option"])
        games, seats = where[0][programs_now & mine], where[1][programs_now & mine].astype(np.int64)
        buyers, buying = where[0][~programs_now & mine], where[1][~programs_now & mine].astype(np.int64)
        drawn = bought = None
        if len(games):
            drawn = decide(net, table, games, seats, generator, programs[games, seats], choices[games, seats])
        if len(buyers):
            bought = buy(net, table, buyers, buying, generator, choices[buyers, buying])
        courses, over = batch.games["course"].astype(np.int64), batch.over
        _, rewards, terminated, truncated = batch.step(programs, choices if batch.asks_choices else None)
        rewards, done = rewards.copy(), (terminated | truncated) & ~over
        won = outcome(self.options, batch, rewards, done)
        nobody = np.full(batch.num_games, np.nan)
        return Moment(games, seats, drawn, buyers, buying, bought, rewards, won, done, courses, nobody)
