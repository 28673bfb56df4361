"""`learned`: the policy of a network that was trained by self-play (`roborally train selfplay`), without search."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.candidates import AHEAD, new_work
from roborally_env.agents.candidates import DEALS as HEATS
from roborally_env.agents.choices import choose_options
from roborally_env.agents.features import layout_for, learned_of, new_scratch
from roborally_env.agents.layers import Net
from roborally_env.agents.network import (
    learned_announcements,
    learned_choices,
    learned_programs,
    load_weights,
    read_weights,
)
from roborally_env.agents.planner import check_whole, weights_of
from roborally_env.agents.rollout import MOST, Table, new_table

from roborally_env.base.errors import AgentError
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.choices import BUY_UPGRADE, POWER_DOWN, REENTER_POWERED_DOWN, STAY_DOWN
from roborally_env.core.state import REGISTERS, kind_of

WEIGHTS = Path(__file__).parent / "weights"
POWERING = (POWER_DOWN, STAY_DOWN, REENTER_POWERED_DOWN)  # of 2005
DEALS = 4
MOST_DEALS = 1_000
_SALT = np.uint64(0x4C4541524E)  # separates its random stream from others with the same key


class LearnedAgent:
    """Lays the candidate program that the network scores highest, and buys by its scores.

    Candidates are the best programs of the hand for a robot alone on the course (`candidates`). The network sees of
    each what it leads to there, and what it leads to in a few deals of the hidden cards among the other robots.

    Args:
        seed: seed of the deals, and of the draws if `temperature` is above 0.
        weights: a file of `roborally train selfplay`; default: the weights of the package.
        deals: in how many deals all candidates are simulated for a decision (the best play in eight times as many);
            with 0 the network judges by the solo search alone.
        temperature: 0 takes the best candidate, 1 draws from the policy as in training.
        ahead: in how many of the last heats, of four, candidates also play a further round, in which everybody buys
            and programs as `greedy`.

    Raises:
        AgentError: for a value outside these.
    """

    name = "learned"
    needs_observation = False
    chooses_programs = True  # the network chooses the program
    trust = 1.0  # weight of the network's chance to win
    candidates = MOST  # programs that fit into a table

    def __init__(
        self, seed: int = 0, weights: str = "", deals: int = DEALS, temperature: float = 0.0, ahead: int = AHEAD
    ) -> None:
        self.deals = check_whole("deals", deals, 0, MOST_DEALS)
        if not isinstance(temperature, (int, float)) or not 0 <= temperature <= 100:
            raise AgentError(f"temperature: expected a number from 0 to 100, got {temperature!r}")
        if not isinstance(weights, (str, os.PathLike)):
            raise AgentError(f"weights: expected the path of a file, such as ./{weights}, got {weights!r}")
        self.heats_ahead = check_whole("ahead", ahead, 0, len(HEATS))
        self.seed = np.uint64(seed) ^ _SALT
        self.weights = str(weights)
        self.temperature = float(temperature)
        self._nets: NamedValues = {}
        self._about: dict[str, NamedValues] = {}
        if self.weights:
            read_weights(self.weights)

    def __getstate__(self) -> NamedValues:
        """Without the networks: a copy in another process reads them again."""
        return {**self.__dict__, "_nets": {}, "_about": {}}

    def weights_for(self, game: str) -> Path:
        """The file of the weights with which it plays a kind of game."""
        return Path(self.weights) if self.weights else shipped_weights(self.name, game)

    def net_for(self, batch: BatchRace) -> Net:
        """The network for the batch's edition."""
        if batch.game not in self._nets:
            path = self.weights_for(batch.game)
            self._nets[batch.game], self._about[batch.game] = load_weights(path, batch.game)
            if self.chooses_programs and self._about[batch.game].get("kind") == "value":
                raise AgentError(
                    f"weights {path}: they value positions and choose no programs; use them with learned-search"
                )
        return self._nets[batch.game]

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), REGISTERS), np.int8)
        batch = info.batch
        learned_programs(
            *_rows(info), *self._net(info), self.seed, self.deals, self.temperature, weights_of(batch.game),
            new_work(batch, self.deals, ahead=self.heats_ahead), programs,
        )  # fmt: skip
        return programs

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """Purchases and power downs by the network, other choices by what it makes of the round's end."""
        batch = info.batch
        games = batch.games[info.games]
        out = (1 + games["ask_default"]).astype(np.int8)
        kinds = games["ask_kind"]
        buying = (kinds == BUY_UPGRADE) & batch.upgrades
        powering = np.isin(kinds, POWERING)
        for mine, decide in (
            (buying, self._buy),
            ((kinds == POWER_DOWN) & batch.kind.has("announced"), self._power_down),
            (~buying & ~powering, self._choose),
        ):
            if mine.any():
                out[mine] = decide(Info(batch, info.games[mine], info.seats[mine]), choice_masks[mine])
        return np.asarray(out, np.int8)

    def _buy(self, info: Info, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        out = np.zeros(len(info.games), np.int8)
        learned_choices(*_rows(info), *self._net(info), masks, out)
        return out

    def _power_down(self, info: Info, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        return np.asarray(1 + self.announce(None, info), np.int8)

    def _choose(self, info: Info, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        out = np.zeros(len(info.games), np.int8)
        choose_options(self.table_for(info.batch), info.batch.games, info.games, info.seats, self.seed, out)
        return out

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent."""
        out = np.zeros(len(info.games), np.int8)
        learned_announcements(*_rows(info), *self._net(info), out)
        return out

    def table_for(self, batch: BatchRace) -> Table:
        """What a search of a batch's games needs, without what it has stored."""
        net = self.net_for(batch)
        about = self._about[batch.game]
        prior = 1.0 if about.get("prior") else 1.0 - self.trust
        return new_table(batch, net, about.get("kind") != "value", prior, self.trust, self.candidates)

    def _net(self, info: Info) -> tuple[object, ...]:
        """(layout, scratch, net), as the kernels take them."""
        return layout_for(info.batch.game), new_scratch(info.batch), self.net_for(info.batch)


def _rows(info: Info) -> tuple[object, ...]:
    return info.batch.maps, info.batch.games, info.games, info.seats


def shipped_weights(agent: str, game: str) -> Path:
    """The package's weights for a game's edition: the agent's own file, else that of `learned`.

    Raises:
        AgentError: if there are none.
    """
    edition = kind_of(learned_of(game).kind).edition
    for name in (agent, "learned"):
        if (WEIGHTS / f"{name}_{edition}.npz").exists():
            return WEIGHTS / f"{name}_{edition}.npz"
    raise AgentError(
        f"{agent}: no weights for edition {edition} come along; train some with roborally train selfplay and "
        f"name them: {agent}:weights=FILE"
    )
