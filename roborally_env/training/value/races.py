"""Races of bots, and the positions in them."""

from __future__ import annotations

import json

import numpy as np

from roborally_env.agents import Info, make_agent
from roborally_env.agents.features import Features
from roborally_env.agents.layers import Net
from roborally_env.agents.network import (
    BUYING,
    DOWN,
    good_programs,
    learned_announcements,
    learned_choices,
    prior_log_odds,
)
from roborally_env.agents.power_down import FROM_TOKENS
from roborally_env.agents.purchases import write_values
from roborally_env.arguments import check_players
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.generated.mixture import Mixture
from roborally_env.training.value.network import Samples
from roborally_env.training.value.options import Options
from roborally_env.training.value.rollouts import chances_by_rollouts


class Races:
    """Batches of races, each numbered: batch number n comes out the same whenever the same network plays it."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.mixture = Mixture(options.courses, options.edition)
        self.agent = make_agent(options.agent, options.seed)
        if self.agent.needs_observation:
            raise RoboRallyError(f"--agent {options.agent}: expected one that needs no observations, such as greedy")
        self.batch = self.new(0)
        for players in options.players:
            check_players(players, self.batch.courses)

    def new(self, number: int) -> BatchRace:
        """Batch `number` at its start."""
        return self.new_on(self.courses_of(number), number)

    def courses_of(self, number: int) -> list[str]:
        """The courses of batch `number`, by name or specification."""
        return self.mixture.batch(number, self.options.seed, self.options.at_once, self.options.generated)

    def players_of(self, number: int) -> int:
        """How many players batch `number` has."""
        players = self.options.players
        return players[int(np.random.default_rng((number, self.options.seed)).integers(len(players)))]

    def new_on(self, names: list[str], number: int) -> BatchRace:
        """Batch `number` on other courses."""
        o = self.options
        return BatchRace(
            o.games, [self.mixture.course(each) for each in names], edition=o.edition,
            players=self.players_of(number),
            observation="none", max_rounds=o.max_rounds, rules=json.loads(o.rules), seed=o.seed, auto_reset=False,
            first_game=number * o.games,
        )  # fmt: skip

    def play(self, number: int, net: Net) -> Samples:
        """Every seat's position before each round and each purchase of the batch's races."""
        return self.play_batch(self.new(number), number, net)[0]

    def play_batch(self, batch: BatchRace, number: int, net: Net) -> tuple[Samples, np.ndarray]:
        """The same of a batch at its start, and with rollouts a part of the positions once more, with what they say;
        and int64 [n], the game of each sample."""
        features, followed = Features(batch), Followed(self.options, batch, number)
        rng = np.random.default_rng((self.options.seed, number))
        parts: list[tuple[np.ndarray, ...]] = []
        seats_of: list[tuple[np.ndarray, np.ndarray]] = []
        while not batch.over.all():
            followed.look(features)
            games, seats = np.nonzero(batch.programming[:, None] & batch.programmed)
            buyers = np.flatnonzero(~batch.programming & ~batch.over)
            buying = batch.games["ask_seat"][buyers].astype(np.int64)
            rows, who = np.concatenate([games, buyers]), np.concatenate([seats, buying])
            own, others = features.positions(rows, who)
            programs, choices = batch.sample(int(rng.integers(2**31)))
            self.program(batch, games, seats, rng, programs)
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
        found = [np.concatenate(part) for part in zip(*parts, strict=True)]
        samples = Samples._make([*found, won[rows, who].astype(np.float32), np.zeros(len(rows), np.bool_)])
        return followed.add_to(samples, rows)

    def program(
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: np.random.Generator, programs: np.ndarray
    ) -> None:
        """Replace most of the random programs [B, P, 5] by the agent's; some of these are other good ones."""
        if not len(games):
            return
        o = self.options
        slots = np.array(self.agent.act(None, batch.observations["masks"][games, seats], Info(batch, games, seats)))
        dice = rng.random(len(games))
        near = dice < o.explore
        if near.any():
            slots[near] = good_programs(batch, games[near], seats[near], rng)
        kept = dice < 1.0 - o.wander
        programs[games[kept], seats[kept]] = slots[kept]

    def announce(
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: np.random.Generator,
        choices: np.ndarray, features: Features, net: Net,
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
        self, batch: BatchRace, games: np.ndarray, seats: np.ndarray, rng: np.random.Generator,
        choices: np.ndarray, features: Features, net: Net,
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


class Followed:
    """The positions of a batch's races that are played on: the beginnings of some of the rounds, for every seat."""

    def __init__(self, options: Options, batch: BatchRace, number: int) -> None:
        self.options, self.batch, self.number = options, batch, number
        self.rng = np.random.default_rng((options.seed, number, 1))
        self.rounds = np.full(batch.num_games, -1, np.int64)  # of each game, when it was last looked at
        self.parts: list[tuple[np.ndarray, ...]] = []

    def look(self, features: Features) -> None:
        """Play on from some of the games in which a round has started since the last look."""
        o, batch = self.options, self.batch
        if not o.rollouts:
            return
        rounds = batch.games["round_number"].astype(np.int64)
        started = (rounds != self.rounds) & ~batch.over
        self.rounds = rounds
        games = np.flatnonzero(started & (self.rng.random(len(rounds)) < o.rollout_share))
        if not len(games):
            return
        chances = chances_by_rollouts(batch, batch.games[games], o.rollouts, o.rollout_rounds, o.seed)
        rows, seats = np.repeat(games, batch.players), np.tile(np.arange(batch.players), len(games))
        own, others = features.positions(rows, seats)
        self.parts.append((own, others, prior_log_odds(batch, rows, seats), chances.ravel(), rows))

    def add_to(self, samples: Samples, games: np.ndarray) -> tuple[Samples, np.ndarray]:
        """`samples` and `games`, with rows for these positions behind them."""
        if not self.parts:
            return samples, games
        own, others, prior, won, rows = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        nothing = np.zeros(len(rows), np.float32)
        soft = (own, others, prior, nothing.astype(np.int64), nothing, nothing, nothing, won, nothing == 0)
        joined = [np.concatenate(pair) for pair in zip(samples, soft, strict=True)]
        return Samples._make(joined), np.concatenate([games, rows])
