"""Tables: batches of races with seats for the network and for others."""

from __future__ import annotations

import json

import numpy as np
import torch

from roborally_env.agents.candidates import Candidates
from roborally_env.agents.features import Features
from roborally_env.agents.network import prior_log_odds
from roborally_env.base.types import OptionValue
from roborally_env.batch import BatchRace
from roborally_env.courses import Course
from roborally_env.generated.mixture import Mixture
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options


class Table:
    """A batch of races with a fixed number of players, who sits where, and the features of its seats."""

    def __init__(
        self, options: Options, courses: list[Course], unlearned: list[bool] | None = None, **changes: OptionValue
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
        self.candidates = Candidates(self.batch, options.seed, max(options.deals), options.ahead)
        shape = (self.batch.num_games, self.batch.players)
        self.line_ups = np.zeros(shape, np.int64)  # 0: the network, i: league member i - 1

    def state(self) -> tuple[bytes, np.ndarray]:
        """The races and who sits in them, for `put_back` of a table with the same arguments."""
        return self.batch.snapshot(), self.line_ups.copy()

    def put_back(self, snapshot: bytes, line_ups: np.ndarray) -> None:
        """Make the races what they were."""
        self.batch.restore(snapshot)
        self.line_ups[:] = line_ups

    def programming(self) -> np.ndarray:
        """bool [B, P]: the seats that lay a program now."""
        return self.batch.programming[:, None] & self.batch.programmed

    def buyers(self) -> tuple[np.ndarray, np.ndarray]:
        """(games, seats) that are asked to buy now."""
        games = np.flatnonzero(~self.batch.programming & ~self.batch.over)
        return games, self.batch.games["ask_seat"][games].astype(np.int64)

    def theirs(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """float32 [n, P - 1, card]: the cards in the others' hands, for the central critic alone."""
        p = self.batch.players
        everybody = (seats[:, None] + np.arange(1, p)) % p
        hands = self.features.hands(np.repeat(games, p - 1), everybody.ravel())
        return hands.sum(1).reshape(len(games), p - 1, -1)


def new_tables(options: Options, mixture: Mixture, names: list[str], unlearned: list[bool], number: int) -> list[Table]:
    """A table for each number of players, on the courses of these names. Its races are those of a `number`: no table
    with another one has the same."""
    courses = [mixture.course(name) for name in names]
    return [
        Table(options, courses, unlearned, players=n, seed=options.seed + i, first_game=number * options.games)
        for i, n in enumerate(options.players)
    ]


def tensor(array: np.ndarray, device: torch.device) -> torch.Tensor:
    return torch.as_tensor(array, device=device)


def chance(net: Network, table: Table, position: torch.Tensor, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """float32 [n]: the chance to win before the hand is dealt. With --begin the network adds to the log-odds that
    `planner` sees by distances."""
    odds = net.win(position)
    if table.options.begin:
        odds = odds + tensor(prior_log_odds(table.batch, games, seats), odds.device)
    return torch.sigmoid(odds).cpu().numpy()
