"""The action forms `register` and `flat`: wrappers that make each action one number with an exact mask."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import BaseParallelWrapper

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.errors import ActionError, RoboRallyError, SnapshotError, cut
from roborally_env.core.searching import ghost as ghosts
from roborally_env.core.seeing.observe import layout_of
from roborally_env.core.state import REGISTERS
from roborally_env.envs.actions import check_agents, read_number
from roborally_env.envs.infos import empty_programs
from roborally_env.envs.parallel import Info, Observation, RoboRallyParallelEnv, Round
from roborally_env.envs.program_ranks import ranking_of
from roborally_env.envs.snapshots import check_numbers, pack_snapshot, unpack_snapshot
from roborally_env.envs.spaces import Boxes, agent_space, shapes_of, unit_boxes

NOT_PROGRAMMING = -1  # in place of the number of registers filled, see `ghosts_of`

_Given = tuple[dict[str, Observation], dict[str, Info]]


def register_boxes(game: str, ghost: bool = False) -> dict[str, spaces.Box]:
    """Name and space of the parts that the register form appends to the symbolic vector.

    to_fill      one-hot: the register to fill next; zeros if there is none
    slots_used   1 for each hand slot whose card has been laid
    laid         the card in each register so far, as in `hand`
    ghost        with `ghost`: where the cards laid so far take the robot alone, and what lies around that place, see
                 `core.searching.ghost`; zeros where no card is to be laid
    """
    at = layout_of(game)
    boxes = unit_boxes({"to_fill": (REGISTERS,), "slots_used": (at.slots,), "laid": (REGISTERS, at.kinds)})
    if ghost:
        low, high = (
            np.concatenate([np.broadcast_to(np.float32(part[end]), part.length) for part in ghosts.PARTS])
            for end in (3, 4)
        )
        boxes["ghost"] = spaces.Box(low, high, dtype=np.float32)
    return boxes


def check_ghost(ghost: Any, action: str) -> bool:
    """The checked argument `ghost`, or a RoboRallyError: only the form `register` has one."""
    if not isinstance(ghost, bool):
        raise RoboRallyError(f"ghost: expected True or False, got {ghost!r}")
    if ghost and action != "register":
        raise RoboRallyError(f'ghost: expected action="register" with ghost=True, got action={action!r}')
    return ghost


class OneNumberActions(PicklableArrays, BaseParallelWrapper[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A parallel env whose actions are `Discrete(size)`, with the exact mask of legal ones as int8 [size].

    A choice (a purchase, or with decisions="all" any choice) is a step of its own: action `o` takes option `o`. An
    agent that is not asked has only action 0, which is not read. Where power downs are announced with programs (2005
    and community rules, decisions="program"), the actions of the form include the announcement.
    """

    form = ""
    env: RoboRallyParallelEnv

    def __init__(self, env: RoboRallyParallelEnv, size: int, boxes: Boxes) -> None:
        super().__init__(env)
        self.size = size
        self.metadata = env.metadata
        self.render_mode = env.render_mode
        self.possible_agents = env.possible_agents
        self.state_space = env.state_space
        mask = spaces.MultiBinary(size)
        self._observation_spaces = {
            a: agent_space(env.observation, boxes, env.batch.game, mask) for a in self.possible_agents
        }
        self._action_spaces = {a: spaces.Discrete(size) for a in self.possible_agents}
        self._masks: list[NDArray[np.int8]] = []

    @property
    def agents(self) -> list[str]:
        """The agents that play; empty when the race is over."""
        return self.env.agents

    @property
    def choosing(self) -> bool:
        """Whether a choice is open, so that no programs are wanted."""
        return not self.env.batch.programming[0]

    @property
    def announces(self) -> bool:
        """Whether power downs are announced together with programs."""
        return self.env.batch.announces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space; the same object at each call."""
        self.env.observation_space(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's action space; the same object at each call."""
        self.env.action_space(agent)
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> _Given:
        """As RoboRallyParallelEnv.reset."""
        return self._shown(*self.env.reset(seed=seed, options=options))

    def step(self, actions: Mapping[str, Any]) -> Round:
        """One whole number an agent; see the class. Raises as RoboRallyParallelEnv.step."""
        if not self.agents:
            return self.env.step(actions)
        check_agents(actions, self.possible_agents)
        numbers = [read_number(actions[a], self.env.action_names[a], self.size) for a in self.possible_agents]
        if self.env.strict:
            self._refuse_illegal(numbers)
        return self._choose(numbers) if self.choosing else self._program(numbers)

    def snapshot(self) -> bytes:
        """As RoboRallyParallelEnv.snapshot."""
        return pack_snapshot(self.form, self._own(), self.env.snapshot())

    def restore(self, snapshot: bytes) -> _Given:
        """As RoboRallyParallelEnv.restore."""
        own, inner = unpack_snapshot(self.form, snapshot)
        self._check_own(own)
        given = self.env.restore(inner)
        return self._restored(own, *given)

    @abstractmethod
    def encode(self, program: Sequence[int] | NDArray[Any], choice: int = 0, seat: int = 0) -> int:
        """The action of a seat, at this moment, for five hand slots and a choice (0, or 1 + the option; 1 beside a
        program announces a power down)."""

    def encode_nothing(self) -> int:
        """The action of an agent that is not asked."""
        return 0

    # -- inside

    @abstractmethod
    def _program(self, numbers: list[int]) -> Round:
        """Take one number an agent while programs are wanted."""

    def _shown(self, observations: dict[str, Observation], infos: dict[str, Info]) -> _Given:
        """Observations and infos of this form, at the start of a decision."""
        self._masks = self._new_masks()
        return {a: self._observation(r, observations[a]) for r, a in enumerate(self.possible_agents)}, {
            a: {**infos[a], "action_mask": self._masks[r].copy()} for r, a in enumerate(self.possible_agents)
        }

    def _observation(self, r: int, observation: Observation) -> Observation:
        return {"observation": observation["observation"], "action_mask": self._masks[r].copy()}

    def _new_masks(self) -> list[NDArray[np.int8]]:
        """The exact mask of each agent at the start of a decision."""
        observed = self.env.batch.observations
        if not self.choosing:
            return [self._program_mask(r, mask) for r, mask in enumerate(observed["masks"][0])]
        masks = [np.zeros(self.size, np.int8) for _ in self.possible_agents]
        for r, mask in enumerate(masks):
            options = observed["choice_masks"][0, r, 1:] if "choice_masks" in observed else np.zeros(1, np.int8)
            mask[: len(options)] = options
            mask[0] |= not options.any()
        return masks

    @abstractmethod
    def _program_mask(self, r: int, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """The mask of seat r, from the masks of its registers [5, hand slots]."""

    def _may_announce(self, r: int) -> bool:
        """Whether seat r may announce a power down with its program."""
        return bool(self.env.batch.may_announce[0, r])

    def _closed(self) -> list[int]:
        """The registers of each seat that take no card, as bits."""
        return [int(bits) for bits in self.env.batch.closed_registers[0]]

    def _play_programs(self, programs: Sequence[Any], announced: Sequence[int]) -> Round:
        """Step the env with hand slots [P][5]; the values of closed registers are left out."""
        played = {}
        for r, (agent, closed) in enumerate(zip(self.possible_agents, self._closed(), strict=True)):
            slots = [0 if closed >> k & 1 else int(slot) for k, slot in enumerate(programs[r])]
            played[agent] = RoboRallyParallelEnv.encode(self.env, slots, announced[r])
        return self._played(played)

    def _own(self) -> dict[str, Any]:
        """The state of this form that a snapshot must keep beside the snapshot of the inner env."""
        return {}

    def _check_own(self, own: Mapping[str, Any]) -> None:
        """Raise a SnapshotError for a state of this env, from a snapshot, that it cannot be in."""

    def _restored(self, own: Mapping[str, Any], observations: dict[str, Observation], infos: dict[str, Info]) -> _Given:
        return self._shown(observations, infos)

    def _choose(self, numbers: list[int]) -> Round:
        """Answer the open choice. The env replaces a number that is no option."""
        asked = int(self.env.batch.games["ask_seat"][0])
        played = {}
        for r, agent in enumerate(self.possible_agents):
            answer = 1 + numbers[r] if r == asked and self._masks[r][numbers[r]] else 0
            played[agent] = RoboRallyParallelEnv.encode(self.env, (0,) * REGISTERS, answer)
        return self._played(played)

    def _played(self, actions: dict[str, NDArray[np.int64]]) -> Round:
        """Step the env with actions of its own form."""
        result = self.env.step(actions)
        observations, infos = self._shown(result.observations, result.infos)
        return result._replace(observations=observations, infos=infos)

    def _refuse_illegal(self, numbers: list[int]) -> None:
        for where, number, mask in zip(self.env.action_names.values(), numbers, self._masks, strict=True):
            if not mask[number]:
                legal = np.flatnonzero(mask)
                shown = ", ".join(map(str, legal[:10])) + (", ..." if len(legal) > 10 else "")
                raise ActionError(f"{where}: {number} is not legal; expected one of {shown}")


class FlatActions(OneNumberActions):
    """One action for each round: the number of the program, by the numbering in `envs.ranking`.

    Where power downs are announced with programs, number `ranking.count` + n is program n with an announcement.
    """

    form = "flat"

    def __init__(self, env: RoboRallyParallelEnv) -> None:
        self.ranking = ranking_of(env.batch.hand_slots)
        self.env = env
        super().__init__(env, self.ranking.count * (2 if self.announces else 1), env.boxes)

    def encode(self, program: Sequence[int] | NDArray[Any], choice: int = 0, seat: int = 0) -> int:
        """The action of a seat for five hand slots and a choice (0, or 1 + the option; 1: announce a power down).

        The slots must differ, except in closed registers, whose slots are not read.
        """
        if self.choosing:
            return max(choice - 1, 0)
        closed = self._closed()[seat]
        slots = [-1 if closed >> k & 1 else int(slot) for k, slot in enumerate(program)]
        left = (slot for slot in range(self.ranking.hand_slots) if slot not in slots)
        slots = [next(left) if slot < 0 else slot for slot in slots]
        return int(self.ranking.number(slots)) + (self.ranking.count if self.announces and choice else 0)

    def _program_mask(self, r: int, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        legal = self.ranking.mask(masks, self._closed()[r])
        if not self.announces:
            return legal
        return np.concatenate([legal, legal if self._may_announce(r) else np.zeros_like(legal)])

    def _program(self, numbers: list[int]) -> Round:
        programs, announced = zip(*((n % self.ranking.count, n // self.ranking.count) for n in numbers), strict=True)
        return self._play_programs(self.ranking.slots(programs).tolist(), announced)


class RegisterActions(OneNumberActions):
    """Five actions for each round: the hand slot for register one, two, .. five. The race goes on after the fifth.

    Where power downs are announced with programs there is a sixth action: 0, or 1 to announce one. All rewards before
    the last action are 0. The observation is that of the round's start, with `register_boxes` appended to the symbolic
    vector ("symbolic", "features") or added by name ("dict"). An illegal slot is replaced at once by the next legal one
    (cyclic) and counted in `repairs`.
    """

    form = "register"

    def __init__(self, env: RoboRallyParallelEnv, ghost: bool = False) -> None:
        batch = env.batch
        boxes = register_boxes(batch.game, ghost)
        self.parts = shapes_of(boxes)
        size = max(batch.hand_slots, batch.options if batch.asks_choices else 0)
        super().__init__(env, size, {**env.boxes, **boxes})
        self._ghosts = np.zeros((batch.players, ghosts.SIZE), np.float32) if ghost else None
        self._laid: list[list[int]] = []  # the slots laid so far, one list for each agent
        self._start: _Given = ({}, {})  # what the inner env returned at the start of the decision

    @property
    def register(self) -> int:
        """The register to fill next, 0..4; 5: the next action announces a power down or not."""
        return len(self._laid[0]) if self._laid else 0

    def encode(self, program: Sequence[int] | NDArray[Any], choice: int = 0, seat: int = 0) -> int:
        """The next action for five hand slots and a choice (0, or 1 + the option; 1: announce a power down)."""
        if self.choosing:
            return max(choice - 1, 0)
        return int(program[self.register]) if self.register < REGISTERS else choice

    def _program_mask(self, r: int, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        return self._padded(masks[0])

    def _padded(self, slots: NDArray[np.int8]) -> NDArray[np.int8]:
        """A mask of hand slots, padded to a mask of this form's actions."""
        mask = np.zeros(self.size, np.int8)
        mask[: len(slots)] = slots
        return mask

    def _shown(self, observations: dict[str, Observation], infos: dict[str, Info]) -> _Given:
        self._laid = [[] for _ in self.possible_agents]
        self._start = observations, infos
        self._move_ghosts()
        return super()._shown(observations, infos)

    def _observation(self, r: int, observation: Observation) -> Observation:
        parts = self._register_parts(r)
        seen = observation["observation"]
        if self.env.observation == "dict":
            seen = {**{name: part.copy() for name, part in seen.items()}, **parts}
        else:
            tail = [part.ravel() for part in parts.values()]
            if self.env.observation == "planes":
                features = np.concatenate([seen["features"], *tail])
                seen = {"planes": seen["planes"].copy(), "features": features}
            else:
                seen = np.concatenate([seen, *tail])
        return {"observation": seen, "action_mask": self._masks[r].copy()}

    def _register_parts(self, r: int) -> dict[str, NDArray[np.float32]]:
        parts = {name: np.zeros(shape, np.float32) for name, shape in self.parts.items()}
        if not self.choosing and self.register < REGISTERS:
            parts["to_fill"][self.register] = 1.0
        hand = self._start[0][self.possible_agents[r]]["observation"]
        for k, slot in self._cards_laid(r):
            parts["slots_used"][slot] = 1.0
            parts["laid"][k] = self._hand_of(hand)[slot]
        if self._ghosts is not None:
            parts["ghost"][:] = self._ghosts[r]
        return parts

    def _move_ghosts(self) -> None:
        """Let every ghost follow the cards laid so far."""
        if self._ghosts is None:
            return
        batch, players = self.env.batch, len(self._ghosts)
        laid = np.zeros((players, REGISTERS), np.int64)
        filled = np.full(players, NOT_PROGRAMMING if self.choosing else self.register)
        for r, slots in enumerate(self._laid):
            laid[r, : len(slots[:REGISTERS])] = slots[:REGISTERS]
        rows, seats = np.zeros(players, np.int64), np.arange(players)
        ghosts.ghosts_of(batch.maps, batch.games, rows, seats, laid, filled, self._ghosts)

    def _hand_of(self, observation: Any) -> NDArray[np.float32]:
        """The part `hand` of an observation: the card in each slot."""
        if self.env.observation == "dict":
            return np.asarray(observation["hand"])
        vector = observation["features"] if self.env.observation == "planes" else observation
        at, shape = layout_of(self.env.batch.game).hand, self.env.shapes["hand"]
        return np.asarray(vector[at : at + int(np.prod(shape))].reshape(shape))

    def _cards_laid(self, r: int) -> list[tuple[int, int]]:
        """(register, slot) of the cards laid so far."""
        closed = self._closed()[r]
        return [(k, slot) for k, slot in enumerate(self._laid[r][:REGISTERS]) if not closed >> k & 1]

    def _program(self, numbers: list[int]) -> Round:
        repairs = []
        for r, number in enumerate(numbers):
            slot = self._nearest_legal(r, number)
            repairs.append(int(slot != number))
            self._laid[r].append(slot)
        if self.register == REGISTERS + self.announces:
            announced = [laid[-1] if self.announces else 0 for laid in self._laid]
            result = self._play_programs([laid[:REGISTERS] for laid in self._laid], announced)
            for info, count in zip(result.infos.values(), repairs, strict=True):
                info["repairs"] += count
            return result
        return self._next_register(repairs)

    def _nearest_legal(self, r: int, number: int) -> int:
        """The slot itself, or the next one (cyclic) that the mask allows."""
        legal = np.roll(self._masks[r], -number)
        return (number + int(legal.argmax())) % self.size

    def _next_register(self, repairs: list[int]) -> Round:
        """What `step` returns between two registers of a program."""
        self._mask_register()
        self._move_ghosts()
        observations, infos = self._start
        nothing = {"race": 0.0, "progress": 0.0, "shaping": 0.0}
        return Round(
            {a: self._observation(r, observations[a]) for r, a in enumerate(self.possible_agents)},
            dict.fromkeys(self.agents, 0.0),
            dict.fromkeys(self.agents, False),
            dict.fromkeys(self.agents, False),
            {
                a: {
                    **infos[a],
                    "action_mask": self._masks[r].copy(),
                    "repairs": repairs[r],
                    "rewards": dict(nothing),
                    "program": self._program_so_far(r),
                }
                for r, a in enumerate(self.possible_agents)
            },
        )

    def _program_so_far(self, r: int) -> NDArray[np.int8]:
        """The hand slots laid in this round, as `program` in infos."""
        program = empty_programs()
        for k, slot in self._cards_laid(r):
            program[k] = slot
        return program

    def _mask_register(self) -> None:
        """Set the masks for the register to fill: the env's mask without the slots that have been laid."""
        closed = self._closed()
        for r in range(len(self._laid)):
            if self.register == REGISTERS:
                mask = self.env.batch.observations["choice_masks"][0, r, :2].copy()
            else:
                mask = self.env.batch.observations["masks"][0, r, self.register].copy()
                if not closed[r] >> self.register & 1:
                    mask[[slot for _, slot in self._cards_laid(r)]] = 0
            self._masks[r] = self._padded(mask)

    def _own(self) -> dict[str, Any]:
        return {"laid": self._laid}

    def _check_own(self, own: Mapping[str, Any]) -> None:
        players = len(self.possible_agents)
        laid = own.get("laid")
        if not isinstance(laid, list) or len(laid) != players:
            raise SnapshotError(f"snapshot: laid: expected a list of {players} lists, got {cut(repr(laid))}")
        most = REGISTERS - 1 + self.announces
        count = len(laid[0]) if isinstance(laid[0], list) else 0
        if count > most:
            raise SnapshotError(f"snapshot: laid: expected at most {most} cards, got {count}")
        for r in range(players):
            check_numbers({f"laid[{r}]": laid[r]}, f"laid[{r}]", count, 0, self.env.batch.hand_slots - 1)

    def _restored(self, own: Mapping[str, Any], observations: dict[str, Observation], infos: dict[str, Info]) -> _Given:
        self._shown(observations, infos)
        self._laid = [list(laid) for laid in own["laid"]]
        if self.register:
            self._mask_register()
            self._move_ghosts()
        return {a: self._observation(r, observations[a]) for r, a in enumerate(self.possible_agents)}, {
            a: {**infos[a], "action_mask": self._masks[r].copy()} for r, a in enumerate(self.possible_agents)
        }
