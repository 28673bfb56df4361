"""Robo Rally as a game of OpenSpiel, in the register form. Needs open_spiel.

Importing this module registers two games: `python_roborally`, in which the seats fill their registers one after the
other without seeing each other's cards, and `python_roborally_simultaneous`, in which all fill a register at once. Both
are the same races with the same information.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.cards.option_names import option_name
from roborally_env.core.state import REGISTERS

try:
    import pyspiel
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.envs.openspiel needs OpenSpiel: pip install "roborally_env[openspiel]"'
    ) from error

__all__ = ["RoboRallyGame", "RoboRallyState", "load_game"]

SEQUENTIAL, SIMULTANEOUS = "python_roborally", "python_roborally_simultaneous"
_ANNOUNCE, _CHOICE = REGISTERS, REGISTERS + 1  # requests beside the registers 0 to 4
_EDITION = "edition_"  # before its name in the parameters
_MOST_REQUESTS = REGISTERS + 3  # of a seat in a round: registers, a power down, a purchase and what it replaces
_PARAMETERS = {"course": "", "edition": "", "players": 2, "max_rounds": 100, "rules": "", "deals": 1000}


def load_game(
    course: str | None = None,
    *,
    edition: str | None = None,
    players: int = 2,
    max_rounds: int = 100,
    rules: Mapping[str, Any] | None = None,
    deals: int = 1000,
    simultaneous: bool = False,
) -> pyspiel.Game:
    """The game of OpenSpiel.

    Args:
        course, edition, players, max_rounds, rules: as in BatchRace; the course is a name or a path.
        deals: the first node is a chance node with `deals` outcomes, each with a chance of 1 / deals: the seed of the
            race, from which all that is random in it follows.
        simultaneous: all seats act at once.

    Raises:
        RoboRallyError: for any value outside these.
    """
    # OpenSpiel reads a text of digits as a number
    given = {
        "course": course or "",
        "edition": f"{_EDITION}{edition}" if edition else "",
        "players": players,
        "max_rounds": max_rounds,
    }
    text = "" if rules is None else json.dumps(dict(rules), sort_keys=True)
    given |= {"rules": text, "deals": deals}
    _worker(*given.values())
    return pyspiel.load_game(SIMULTANEOUS if simultaneous else SEQUENTIAL, given)


@lru_cache(maxsize=8)
def _worker(course: str, edition: str, players: int, max_rounds: int, rules: str, deals: int) -> BatchRace:
    """The batch of one race on which the states of a game are played: they take turns."""
    if not 1 <= deals <= 1_000_000:
        raise RoboRallyError(f"deals: expected a whole number from 1 to 1000000, got {deals}")
    try:
        options = json.loads(rules) if rules else None
    except ValueError:
        raise RoboRallyError(f"rules: expected a JSON object as text, got {rules!r}") from None
    return BatchRace(
        1, course or None, players=players, edition=edition.removeprefix(_EDITION) or None,
        max_rounds=max_rounds, rules=options, auto_reset=False,
    )  # fmt: skip


class Node(NamedTuple):
    """A race where it waits for decisions. States share nodes, so nothing in it is changed."""

    record: NDArray[Any]  # [1]
    masks: NDArray[np.int8]  # [P, 5, S]
    options: NDArray[np.int8]  # [P, 1 + O]
    vectors: NDArray[np.float32]  # [P, n]
    requests: tuple[tuple[int, ...], ...]  # of each seat: registers to fill, _ANNOUNCE or _CHOICE
    rewards: tuple[float, ...]
    over: bool

    def __deepcopy__(self, memo: object) -> Node:
        return self

    @classmethod
    def of(cls, batch: BatchRace, rewards: Sequence[float]) -> Node:
        """The node of a batch of one game as it is now."""
        seen, over = batch.observations, bool(batch.over[0])
        options = seen["choice_masks"][0].copy() if batch.asks_choices else np.zeros((batch.players, 1), np.int8)
        return cls(
            batch.games.copy(), seen["masks"][0].copy(), options, seen["symbolic"][0].copy(),
            ((),) * batch.players if over else tuple(_requests(batch, seat) for seat in range(batch.players)),
            _exact(rewards) if over else (0.0,) * batch.players, over,
        )  # fmt: skip


def _exact(rewards: Sequence[float]) -> tuple[float, ...]:
    """Rewards in double precision, as OpenSpiel's checks of sum and bounds want them: places are multiples of 1/2."""
    steps = 2 * (len(rewards) - 1)
    return tuple(1 - 2 * round((1 - float(reward)) / 2 * steps) / steps for reward in rewards)


def _requests(batch: BatchRace, seat: int) -> tuple[int, ...]:
    if not batch.programming[0]:
        return (_CHOICE,) if int(batch.games["ask_seat"][0]) == seat else ()
    closed = int(batch.closed_registers[0, seat])
    found = [k for k in range(REGISTERS) if not closed >> k & 1] if batch.programmed[0, seat] else []
    if batch.announces and batch.to_act[0, seat]:
        found.append(_ANNOUNCE)
    return tuple(found)


class RoboRallyState(pyspiel.State):
    """A race, and the cards that have been chosen since its last step.

    Actions are hand slots for the next register of a seat, at a choice (a purchase) the number of the option, and for a
    power down 1 to announce it.
    """

    def __init__(self, game: pyspiel.Game, key: tuple[Any, ...], simultaneous: bool) -> None:
        super().__init__(game)
        self._key, self._simultaneous = key, simultaneous
        self._node: Node | None = None  # None: the deal is to be drawn
        self._chosen: list[list[int]] = []  # by seat, an action for each request that has been answered
        self._memory: list[bytes] = []  # of each seat: a digest of all that it has seen and chosen
        self._acting = int(pyspiel.PlayerId.CHANCE)  # OpenSpiel asks for it many times at each action

    # -- OpenSpiel

    def current_player(self) -> int:
        """The seat that acts; in the simultaneous game one number for all."""
        return self._acting

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals."""
        deals = int(self._key[-1])
        return [(deal, 1 / deals) for deal in range(deals)]

    def is_terminal(self) -> bool:
        """Whether the race is over."""
        return self._node is not None and self._node.over

    def returns(self) -> list[float]:
        """At the end from 1 for the first to -1 for the last, with sum zero; before it zeros."""
        return list(self._node.rewards) if self._node is not None and self._node.over else [0.0] * int(self._key[2])

    def rewards(self) -> list[float]:
        """As `returns`: rewards come at the end."""
        return self.returns()

    def _legal_actions(self, player: int) -> list[int]:
        node, request = self._node, self._request(player)
        if node is None or request is None:
            return [0] if self._simultaneous else []
        if request == _CHOICE:
            found = np.flatnonzero(node.options[player, 1:]).tolist()
        elif request == _ANNOUNCE:
            found = np.flatnonzero(node.options[player, :2]).tolist()
        else:
            used = self._chosen[player]
            found = [slot for slot in np.flatnonzero(node.masks[player, request]).tolist() if slot not in used]
        return found or [0]

    def _apply_action(self, action: int) -> None:
        if self._node is None:
            batch = _worker(*self._key)
            batch.reset(int(action))
            self._begin(Node.of(batch, [0.0] * batch.players))
            return
        self._chosen[self._acting].append(int(action))
        self._play_if_complete()

    def _apply_actions(self, actions: Sequence[int]) -> None:
        for seat, action in enumerate(actions):
            if self._request(seat) is not None:
                self._chosen[seat].append(int(action))
        self._play_if_complete()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE or self._node is None:
            return f"deal {action}"
        request = self._request(player)
        batch, record = _worker(*self._key), self._node.record[0]
        if request == _CHOICE:
            return f"option {action}: {option_name(record, action)}"
        if request is None or request == _ANNOUNCE:
            return "wait" if request is None else "power down" if action else "stay powered"
        card = int(record["hand"][player][action]) if action < len(record["hand"][player]) else 0
        return f"register {request + 1}: slot {action} ({batch.kind.card_names[card]})"

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has seen and chosen, with perfect recall, as a digest."""
        seat = self.current_player() if player is None else player
        if self._node is None:
            return f"{seat}"
        return f"{seat} {self._memory[seat].hex()} {self._chosen[seat]}"

    def observation_string(self, player: int | None = None) -> str:
        """What a seat sees now: its observation as a digest, and what it has chosen since the last step."""
        seat = self.current_player() if player is None else player
        if self._node is None:
            return f"{seat}"
        seen = hashlib.blake2b(self._node.vectors[seat].tobytes(), digest_size=8).hexdigest()
        return f"{seat} {seen} {self._chosen[seat]}"

    def resample_from_infostate(self, player: int, sampler: Any) -> RoboRallyState:
        """A race that the seat cannot tell from this one: hidden cards and all chance to come are drawn anew, and the
        cards that others have chosen since the last step too. `history()` stays that of this state.

        Args:
            player: the seat.
            sampler: a function that returns numbers from 0 to 1.
        """
        node = self._node
        if node is None:
            raise RoboRallyError("resample_from_infostate: expected a state after the deal")
        batch = self._loaded(node)
        dealt = batch.redeal(player, int(sampler() * 2**53))
        other: RoboRallyState = self.clone()
        other._node = Node.of(dealt, node.rewards)
        for seat in range(dealt.players):
            if seat != player:
                other._memory[seat] = _digest(other._memory[seat], other._node.vectors[seat].tobytes())
                count, other._chosen[seat] = len(other._chosen[seat]), []
                for _ in range(min(count, len(other._node.requests[seat]))):
                    legal = other._legal_actions(seat)
                    other._chosen[seat].append(legal[min(int(sampler() * len(legal)), len(legal) - 1)])
        return other

    def __str__(self) -> str:
        """The race in a line."""
        if self._node is None:
            return "before the deal"
        record, players = self._node.record[0], int(self._key[2])
        places = [f"{int(cell) % 32},{int(cell) // 32}" if cell >= 0 else "off" for cell in record["cell"][:players]]
        return f"round {int(record['round_number'])}, robots at {' '.join(places)}, chosen {self._chosen}"

    # -- more than OpenSpiel asks

    def batch(self) -> BatchRace:
        """The race as a BatchRace of one game, to draw it or to play on there."""
        if self._node is None:
            raise RoboRallyError("batch: expected a state after the deal")
        return self._loaded(self._node).copy()

    # -- inside

    def _request(self, seat: int) -> int | None:
        """What a seat has to decide next; None: nothing until the next step."""
        assert self._node is not None
        given, wanted = len(self._chosen[seat]), self._node.requests[seat]
        return wanted[given] if given < len(wanted) else None

    def _begin(self, node: Node) -> None:
        """Let the seats decide in a node."""
        before = self._memory or [b""] * len(node.requests)
        own = self._chosen or [[]] * len(node.requests)
        self._node = node
        self._memory = [
            _digest(memory, bytes(chosen), vector.tobytes())
            for memory, chosen, vector in zip(before, own, node.vectors, strict=True)
        ]
        self._chosen = [[] for _ in node.requests]
        self._acting = self._seat_to_act()

    def _seat_to_act(self) -> int:
        """See `current_player`, after the deal."""
        assert self._node is not None
        if self._node.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self._simultaneous:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return next(seat for seat in range(len(self._chosen)) if self._request(seat) is not None)

    def _loaded(self, node: Node) -> BatchRace:
        batch = _worker(*self._key)
        batch.games[:] = node.record
        batch.observe()
        return batch

    def _play_if_complete(self) -> None:
        """Play a step when all have decided."""
        node = self._node
        assert node is not None
        if any(self._request(seat) is not None for seat in range(len(self._chosen))):
            self._acting = self._seat_to_act()
            return
        batch = _worker(*self._key)
        batch.games[:] = node.record
        programs, choices, opened = batch.actions
        programs[:], choices[:], opened[:] = 0, 0, 0
        for seat, chosen in enumerate(self._chosen):
            for request, action in zip(node.requests[seat], chosen, strict=True):
                if request < REGISTERS:
                    programs[0, seat, request] = action
                else:
                    choices[0, seat] = 1 + action if request == _CHOICE else action
        played = batch.step_prepared()
        self._begin(Node.of(batch, played.rewards[0].tolist()))


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=12).digest()


class RoboRallyObserver:
    """What a seat sees as a tensor: OpenSpiel's observer.

    With perfect recall there is no tensor: information states are strings.

    Attributes:
        tensor: float32 [n], the parts one after the other.
        dict: the parts by name: `player` [P] one-hot, `symbolic` [m] the vector of `BatchRace`, `request` [7] one-hot
            (registers one to five, a power down, a choice), `chosen` [7, A] one-hot actions since the last step.
    """

    def __init__(self, key: tuple[Any, ...], kind: Any, parameters: Any) -> None:
        if parameters:
            raise RoboRallyError(f"observer: expected no parameters, got {parameters}")
        self.perfect_recall = bool(kind.perfect_recall)
        self.dict: dict[str, NDArray[np.float32]] = {}
        self.tensor: NDArray[np.float32] | None = None
        if self.perfect_recall:
            return
        batch = _worker(*key)
        shapes = {
            "player": (batch.players,), "symbolic": (batch.symbolic_size,), "request": (_CHOICE + 1,),
            "chosen": (_CHOICE + 1, actions_of(batch)),
        }  # fmt: skip
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        at = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: RoboRallyState, player: int) -> None:
        """Write what the seat sees."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        self.dict["player"][player] = 1
        node = state._node
        if node is None:
            return
        self.dict["symbolic"][:] = node.vectors[player]
        request = state._request(player)
        if request is not None:
            self.dict["request"][request] = 1
        for request, action in zip(node.requests[player], state._chosen[player], strict=False):
            self.dict["chosen"][request, action] = 1

    def string_from(self, state: RoboRallyState, player: int) -> str:
        """See `observation_string` and, with perfect recall, `information_state_string`."""
        return state.information_state_string(player) if self.perfect_recall else state.observation_string(player)


def actions_of(batch: BatchRace) -> int:
    """How many different actions there are."""
    return max(batch.hand_slots, batch.options if batch.asks_choices else 0, 2)


class RoboRallyGame(pyspiel.Game):
    """The game; `load_game` makes it with checked arguments."""

    simultaneous = False

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        self._key = tuple(given[name] for name in _PARAMETERS_IN_ORDER)
        batch = _worker(*self._key)
        info = pyspiel.GameInfo(
            num_distinct_actions=actions_of(batch),
            max_chance_outcomes=int(given["deals"]),
            num_players=batch.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=int(given["max_rounds"]) * batch.players * _MOST_REQUESTS,
        )
        super().__init__(_TYPES[self.simultaneous], info, given)

    def new_initial_state(self) -> RoboRallyState:
        """The state before the deal."""
        return RoboRallyState(self, self._key, self.simultaneous)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RoboRallyObserver:
        """An observer, see RoboRallyObserver."""
        return RoboRallyObserver(self._key, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SimultaneousRoboRallyGame(RoboRallyGame):
    """The game in which all seats act at once."""

    simultaneous = True


def _type(name: str, dynamics: Any, title: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_PARAMETERS,
    )


_PARAMETERS_IN_ORDER = tuple(_PARAMETERS)
_TYPES = {
    False: _type(SEQUENTIAL, pyspiel.GameType.Dynamics.SEQUENTIAL, "Robo Rally"),
    True: _type(SIMULTANEOUS, pyspiel.GameType.Dynamics.SIMULTANEOUS, "Robo Rally, all at once"),
}
pyspiel.register_game(_TYPES[False], RoboRallyGame)
pyspiel.register_game(_TYPES[True], SimultaneousRoboRallyGame)
