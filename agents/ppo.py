"""`ppo`: a network that was trained by PPO on what a player sees, without simulation.

It chooses a program card by card. Before each card it sees the ghost (`core.searching.ghost`): where the cards so far
take the robot alone, as a player sees it on the table. It follows the beginnings of several programs in this way, and
its own critic helps to choose among them (`ppo_programs`). Weights come from `roborally train ppo`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.layers import Net
from roborally_env.agents.learned import WEIGHTS
from roborally_env.agents.planner import check_whole
from roborally_env.agents.ppo_network import NAMES, SHAPES, decide_options, net_of
from roborally_env.agents.ppo_programs import decide_programs
from roborally_env.agents.registers import Inputs
from roborally_env.agents.weight_files import check_complete, check_finite, read_arrays, write_arrays

from roborally_env.base.errors import AgentError, cut
from roborally_env.base.types import Array, NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.rule_options import editions
from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, KINDS, SIZE
from roborally_env.core.seeing.observe import layout_of, parts_of
from roborally_env.core.state import KINDS as GAMES
from roborally_env.core.state import REGISTERS, kind_of

FORMAT = "roborally-ppo"
VERSION = 2  # of the inputs; raised when what the network sees changes
BEAM, MOST = 8, 1_000  # beginnings of a program that are followed
CRITIC, LARGEST_CRITIC = 20.0, 1_000_000  # of 0, 5, 20 and 60 the best on the training courses


class Policy(NamedTuple):
    """A network with what its file says: its inputs, arrays, whether it sees the ghost, and the beam."""

    inputs: Inputs
    net: Net
    ghost: bool
    beam: int


class PPOAgent:
    """Plays the best program that a beam over the registers finds, by the network's policy and its critic. It looks at
    no hidden card, nothing is random, and nothing is simulated.

    Args:
        seed: not used; all agents take one.
        weights: a file of `roborally train ppo`; by default the package's for the game that is played.
        beam: how many beginnings of a program are followed at most, 1 to 1,000; 1: the policy alone, its likeliest card
            in each register. By default 8, and 1 for weights whose scores are no shares (`--algorithm pqn`) or whose
            critic saw more than a player does (`--critic central`).
        critic: the weight of the critic's value beside log-probabilities, where `beam` is above 1; 0: the program that
            is likeliest as a whole.

    Raises:
        AgentError: for a value outside these, or a file that is not one of `roborally train ppo`; when it plays, for a
            game without weights, or weights for another game.
    """

    needs_observation = True

    def __init__(self, seed: int = 0, weights: str = "", beam: int | None = None, critic: float = CRITIC) -> None:
        if not isinstance(weights, (str, os.PathLike)):
            raise AgentError(f"weights: expected the path of a file, such as ./{weights}, got {weights!r}")
        if isinstance(critic, bool) or not isinstance(critic, (int, float)) or not 0 <= critic <= LARGEST_CRITIC:
            raise AgentError(f"critic: expected a number from 0 to {LARGEST_CRITIC:,}, got {critic!r}")
        self.beam = None if beam is None else check_whole("beam", beam, 1, MOST)
        self.critic = float(critic)
        self.name, self.seed, self.weights = "ppo", seed, str(weights)
        self._policies: dict[str, Policy] = {}
        self._given = read_policy(weights) if weights else None

    @property
    def unknown_editions(self) -> dict[str, str]:
        """The editions for which the package has no weights, with the reason; none if a file is given."""
        if self.weights:
            return {}
        shipped = {kind.edition for game, kind in GAMES.items() if _shipped(game).exists()}
        return {edition: _no_weights(f"edition {edition}") for edition in editions() if edition not in shipped}

    def __getstate__(self) -> NamedValues:
        """Without the networks in use: a copy in another process makes them again."""
        return {**self.__dict__, "_policies": {}}

    def act(self, observations: NDArray[np.float32], masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent."""
        return self._decide(observations, info)[0]

    def announce(self, observations: NDArray[np.float32], info: Info) -> NDArray[np.int8]:
        """See Agent. A robot that is powered down stays so for no further round: in training it announces nothing."""
        programmed = info.batch.programmed[info.games, info.seats]
        return np.asarray((self._decide(observations, info)[1] > 0) & programmed, np.int8)

    def choose(self, observations: NDArray[np.float32], choice_masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent. With `decisions="all"` choices other than purchases take their default."""
        batch = info.batch
        if batch.decisions == "all":
            return np.asarray(1 + batch.games["ask_default"][info.games], np.int8)
        inputs, net, _, _ = self._policy(batch)
        options = np.zeros(len(info.games), np.int8)
        decide_options(
            net, batch.games, info.games, info.seats, _rows(observations), inputs.columns, inputs.others_at,
            inputs.row, options,
        )  # fmt: skip
        return options + np.int8(1)

    def _decide(self, observations: NDArray[np.float32], info: Info) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """Programs [n, 5], and log-odds [n] of announcing a power down."""
        batch = info.batch
        inputs, net, ghost, beam = self._policy(batch)
        slots = np.zeros((len(info.games), REGISTERS), np.int8)
        down = np.zeros(len(info.games), np.float32)
        decide_programs(
            net, beam, self.critic if beam > 1 else 0.0, batch.maps, batch.games, info.games, info.seats,
            _rows(observations), inputs.columns, inputs.others_at, inputs.row, ghost, slots, down,
        )  # fmt: skip
        return slots, down

    def weights_for(self, game: str) -> Path:
        """The file of the weights with which it plays a kind of game."""
        return Path(self.weights) if self.weights else shipped_policy(game)

    def _policy(self, batch: BatchRace) -> Policy:
        if batch.game not in self._policies:
            path = self.weights_for(batch.game)
            arrays, about = self._given or read_policy(path)
            inputs = Inputs(batch.game)
            sizes = arrays["own_w"].shape[0], arrays["row_w"].shape[0]
            if about.get("game") != batch.game or sizes != (inputs.own, inputs.row):
                raise AgentError(
                    f"weights {path}: trained for {_words(str(about.get('game')))}, not for {_words(batch.game)}"
                )
            beam = self.beam or (BEAM if _critic_fits(about) else 1)
            self._policies[batch.game] = Policy(inputs, net_of(arrays), bool(about.get("ghost", True)), beam)
        return self._policies[batch.game]


def _critic_fits(about: NamedValues) -> bool:
    """Whether the scores of a file are those of a policy, and its critic saw what the agent sees."""
    options = about.get("options", {})
    return isinstance(options, dict) and (options.get("algorithm"), options.get("critic")) == ("ppo", "own")


def _rows(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(observations, np.float32)


def _words(game: str) -> str:
    """What a game (`BatchRace.game`) is called in messages."""
    if game not in GAMES:
        return f"the unknown game {cut(game)!r}"
    edition = kind_of(game).edition
    several = sum(kind.edition == edition for kind in GAMES.values()) > 1
    return f"the {game} game of edition {edition}" if several else f"edition {edition}"


def _no_weights(what: str) -> str:
    return f"ppo: there are no weights for {what}; train some with roborally train ppo and name them: ppo:weights=FILE"


def _shipped(game: str) -> Path:
    return Path(WEIGHTS / f"ppo_{game}.npz")


def shipped_policy(game: str) -> Path:
    """The package's weights of `ppo` for a game (`BatchRace.game`).

    Raises:
        AgentError: if there are none.
    """
    if not _shipped(game).exists():
        raise AgentError(_no_weights(_words(game)))
    return _shipped(game)


def save_policy(path: str | Path, arrays: dict[str, Array], about: NamedValues) -> None:
    """Write a network's arrays as float16 with metadata, whole or not at all.

    `about` has the edition, game, options and versions; the layout of the vectors of that game is added.
    """
    about = {"format": FORMAT, "inputs": VERSION, **about, "layout": layout_for(about["game"])}
    write_arrays(path, arrays, NAMES, about)


def layout_for(game: str) -> NamedValues:
    """Where `ppo_policy.Policy` finds its numbers in the vectors of the action form `register`; it cannot ask the
    simulator.

    columns      [first, behind the last] of each run of own numbers
    hand         where it begins, slots, numbers of a slot: the kind of its card (one-hot), then perhaps its rank
    rank         which number of a slot ranks cards of one kind; None: they are equal
    others       where the rows of the others begin, and the length of one
    announcing   the numbers that say that a power down may be announced
    down         the numbers that say that the robot is powered down
    kinds        how many kinds of cards the network distinguishes
    ghost        numbers of the ghost
    after        numbers of it for each kind of card, at its end, and for how many kinds
    """
    inputs, parts = Inputs(game), {part.name: part for part in parts_of(game)}
    columns = inputs.columns
    ends = np.flatnonzero(np.diff(columns) > 1)
    firsts, lasts = columns[[0, *(ends + 1)]], columns[[*ends, -1]]
    at = layout_of(game)
    slots, numbers = parts["hand"].shape
    announced = kind_of(game).has("announced")
    decision = [int(at.decision) + i for i in range(0, parts["decision"].shape[0], 2)]
    return {
        "columns": [[int(first), int(last) + 1] for first, last in zip(firsts, lasts, strict=True)],
        "hand": [int(at.hand), slots, numbers],
        "rank": None if kind_of(game).has("pile") else numbers - 1,  # cards of one deck for all have numbers
        "others": [inputs.others_at, inputs.row],
        "announcing": decision if announced else [],
        "down": [int(at.power)] if announced else [],
        "kinds": KINDS,
        "ghost": SIZE,
        "after": [AFTER, CARDS],
    }


def read_policy(path: str | Path) -> tuple[dict[str, Array], NamedValues]:
    """(arrays, about) of a file of `roborally train ppo`.

    Raises:
        AgentError: for a file that cannot be read or is not one.
    """
    arrays, about = read_arrays(path, SHAPES, FORMAT, "expected a file of roborally train ppo")
    if about.get("inputs") == VERSION:
        check_complete(path, arrays, NAMES)
    sizes = [len(arrays.get(name, ())) for name in ("seen_w", "after_w", "kind_w", "cards_b")]
    if about.get("inputs") != VERSION or sizes != [AROUND + KINDS, AFTER, CARDS, KINDS]:
        raise AgentError(
            f"weights {path}: made for inputs version {about.get('inputs')}, this is {VERSION}; train again"
        )
    check_finite(path, arrays.values())
    return arrays, about
