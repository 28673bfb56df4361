"""What actors do: a rollout with given weights. All that it depends on comes with it, and what it has changed goes
back. So any worker can play it, again if one dies, and the learner's process has everything for a checkpoint."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from roborally_env.agents.features import Layout
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Fields, JsonObject
from roborally_env.generated.mixture import Mixture
from roborally_env.training.selfplay.gameplay import Player
from roborally_env.training.selfplay.league import League
from roborally_env.training.selfplay.learner import Data, gather
from roborally_env.training.selfplay.levels import estimated_rounds
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.rollouts import Stopped, Values, rollout
from roborally_env.training.selfplay.tables import Table, new_tables

CLOCKS = ("env", "policy", "league")
CPU = torch.device("cpu")  # the networks are small, and the cluster's nodes need no GPU


@dataclass(frozen=True)
class ActorState:
    """Where an actor stands between two rollouts."""

    names: list[str]  # of its courses
    unlearned: list[bool]  # see Run.drawn
    number: int  # of the draw of these courses among the draws of all actors
    rng: Fields  # states of its two streams of chance
    generator: torch.Tensor
    tables: list[tuple[bytes, np.ndarray]] | None = None  # `Table.state`; None: all races begin
    iterations: int = 0
    new: frozenset[str] = frozenset()  # the courses that had never come before


@dataclass(frozen=True)
class RolloutRequest:
    """How a rollout is to be played, beside the stand."""

    version: int  # of the network: how often it had learned
    imitate: bool
    league: JsonObject  # `League.state` without the weights of the versions


@dataclass(frozen=True)
class Rollout:
    """What an actor gives."""

    stand: ActorState  # after it
    data: Data
    values: list[Values]
    rounds: list[float | None]  # of its courses, estimated
    finished: list[tuple[np.ndarray, np.ndarray]]  # line-up and places of races, for the league's scores


class NotingLeague(League):
    """A league that records the races reported to it."""

    def __init__(self, options: Options, at: Layout) -> None:
        super().__init__(options, at)
        self.finished: list[tuple[np.ndarray, np.ndarray]] = []

    def note(self, line_up: np.ndarray, places: np.ndarray) -> None:
        super().note(line_up, places)
        self.finished.append((line_up.copy(), places.copy()))


class Actor:
    """What a worker keeps from one rollout to the next: agents, the network, and tables whose courses are ready."""

    def __init__(self, options: Options) -> None:
        torch.set_num_threads(options.threads)
        self.options = options
        self.mixture = Mixture(options.courses, options.edition)
        self.tables: dict[int, list[Table]] = {}  # by the number of the draw
        self.weights: JsonObject = {}
        self.version = -1
        self.player: Player | None = None

    def play(self, stand: ActorState, weights: bytes, order: RolloutRequest, stopped: Callable[[], bool]) -> Rollout:
        """A rollout; `weights` is a pickled dict: `net` and, by number, the league's `versions`."""
        tables = self.tables_of(stand)
        if self.version != order.version:
            self.weights, self.version = pickle.loads(weights), order.version
        player, league = self.player_for(tables[0], order)
        rng, generator = np.random.default_rng(), torch.Generator()
        rng.bit_generator.state = stand.rng
        generator.set_state(stand.generator)
        if stand.tables is None:
            for table in tables:
                player.seat_all(table, rng)
        played, values = rollout(player, tables, generator, rng, order.imitate, stopped)
        after = replace(
            stand, rng=rng.bit_generator.state, generator=generator.get_state(), tables=[t.state() for t in tables]
        )
        return Rollout(after, gather(played), values, estimated_rounds(tables[0].batch), league.finished)

    def tables_of(self, stand: ActorState) -> list[Table]:
        """The tables as they are there. Of each actor those with its present courses are kept."""
        mine = stand.number % self.options.actors
        if stand.tables is None or stand.number not in self.tables:
            self.tables = {number: kept for number, kept in self.tables.items() if number % self.options.actors != mine}
            made = new_tables(self.options, self.mixture, stand.names, stand.unlearned, stand.number)
            self.tables[stand.number] = made
        tables = self.tables[stand.number]
        for table, kept in zip(tables, stand.tables or [], strict=False):
            table.put_back(*kept)
        return tables

    def player_for(self, like: Table, order: RolloutRequest) -> tuple[Player, NotingLeague]:
        """Who plays, with the present weights, and the league."""
        options, at = self.options, like.features.layout
        if self.player is None:
            net, clock = Network(at, options.hidden, options.central_critic), dict.fromkeys(CLOCKS, 0.0)
            self.player = Player(options, net, NotingLeague(options, at), clock)
        self.player.net.load_state_dict(self.weights["net"])
        league = self.player.league
        assert isinstance(league, NotingLeague)
        league.load({**order.league, "versions": self.weights["versions"]}, CPU)
        league.finished = []
        return self.player, league


@dataclass(frozen=True)
class Rollouts:
    """The Work of actors: a part is a stand, the weights, and an order."""

    options: Options
    registry: dict[str, str]
    torch: str  # its version in the learner's process

    def begin(self) -> Actor:
        """See Work."""
        if torch.__version__ != self.torch:
            raise RoboRallyError(f"torch {torch.__version__} here, {self.torch} where the network learns")
        return Actor(self.options)

    def do(
        self, made: Actor, part: tuple[ActorState, bytes, RolloutRequest], stopped: Callable[[], bool]
    ) -> Rollout | None:
        """See Work."""
        try:
            return made.play(*part, stopped)
        except Stopped:
            return None
