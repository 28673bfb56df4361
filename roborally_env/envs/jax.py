"""JaxEnv: races as pure functions of JAX, for `jit`, `scan` and `vmap`. Needs jax.

The state of a race is its record as bytes, in an array of JAX, and a step is a function of that state: a callback plays
it on a BatchRace on the CPU, under `vmap` all races in one call. So states can be kept, branched and played again.
"""

from __future__ import annotations

import json
import zlib
from threading import Lock
from typing import Any, NamedTuple, TypeAlias, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from roborally_env.arguments import Courses, course_source
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.batch.options import RaceOptions, takes
from roborally_env.core.state import REGISTERS
from roborally_env.envs.infos import races_won

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise RoboRallyError('roborally_env.envs.jax needs jax: pip install "roborally_env[jax]"') from error

__all__ = ["JaxEnv", "Seen", "State"]

_MOST_BATCHES = 4  # of different sizes that are kept
_NOTHING_LEFT = -1e9  # a logit of slots that are not legal; finite, so that gradients stay numbers
_EPISODE_BEFORE_THE_FIRST = np.uint64(2**64 - 1)

Array: TypeAlias = Any  # a jax.Array, or a tracer in its place


class State(NamedTuple):
    """A race: its record, and a stamp by which states of other races are refused."""

    record: Array  # uint8 [n]
    stamp: Array  # uint32 []


class Seen(NamedTuple):
    """What a step shows, for P robots with S hand slots. At the end of a race the next one has started: observation and
    masks are its first ones, the rest is of the race that has ended."""

    observation: Array  # float32 [P, n]
    mask: Array  # bool [P, 5, S] the slots that may go into each register
    closed: Array  # bool [P, 5] registers that take no card of the hand: their slot is not read
    options: Array  # bool [P, 1 + O] legal choices, 0 for none; [P, 0] in games without choices
    reward: Array  # float32 [P]
    terminated: Array  # bool []
    truncated: Array  # bool [] by max_rounds
    place: Array  # float32 [P] the place in the race that has just ended, 1 is first; 0 while a race is on
    is_success: Array  # bool [P] whether the robot, or its team, has won that race
    corrected: Array  # int32 [P] parts of the last action that were illegal and replaced


@takes(RaceOptions, "JaxEnv")
class JaxEnv:
    """Races of P robots as functions: `reset(key)` and `step(state, programs, choices)`, for one race each.

    `jax.vmap` plays many races in one call, `jax.lax.scan` many steps; both work under `jax.jit`. The functions are
    pure: the same state and actions have the same result, any number of times. Races are played on the CPU, so a step
    on another device copies states and observations.

    All robots act at once, as in BatchRace; a race that is over is followed by the next in the same step. An illegal
    slot or choice is replaced by a legal one and counted in `corrected`; numbers outside the range are taken as the
    nearest inside it.

    Args:
        course: a name, a path, a Course, or a list of them, of which each race draws one. No generated courses.
        players: number of players, as in BatchRace.
        threads: number of threads that share the races of a call.

    Attributes:
        players: P, the number of robots.
        hand_slots: S.
        num_options: O; 0 in games without choices.
        observation_size: n, the length of an observation.

    Raises:
        RoboRallyError: for any value outside these, and for generated courses.
    """

    def __init__(
        self, course: Courses | None = None, *, players: int = 4, threads: int = 1, **options: Unpack[RaceOptions]
    ) -> None:
        source = course_source(course, options["edition"])
        if source.generator is not None:
            raise RoboRallyError("course: JaxEnv takes no generated courses; give a list of existing courses")
        self._arguments: NamedValues = {"course": source, "players": players, "threads": threads, **options}
        self._batches: dict[int, BatchRace] = {}
        self._lock = Lock()  # callbacks may come from several threads
        batch = self._batch_of(1)
        self.players, self.hand_slots = batch.players, batch.hand_slots
        self.num_options = batch.options if batch.asks_choices else 0
        self.observation_size = batch.symbolic_size
        self._bytes = batch.dtype.itemsize
        self._stamp = np.uint32(zlib.crc32(json.dumps(batch._identity(), sort_keys=True).encode()))
        self._shapes = self._seen_shapes()

    # -- functions of JAX

    def reset(self, key: Array) -> tuple[State, Seen]:
        """The race of a random key of JAX at its start."""
        words = jax.random.bits(key, (2,), jnp.uint32)
        record, seen = self._call(self._reset_on_cpu, words)
        return State(record, jnp.full(words.shape[:-1], self._stamp, jnp.uint32)), seen

    def step(self, state: State, programs: Array, choices: Array | None = None) -> tuple[State, Seen]:
        """Play until the next decision.

        Args:
            state: of one race (under `vmap` of many).
            programs: whole numbers [P, 5]: the hand slot that goes into each register.
            choices: [P]: 0, or 1 + the option where one is to be chosen; None: zeros. By rules with power downs 1
                beside a program announces one.
        """
        low = jnp.clip(jnp.asarray(programs), 0, self.hand_slots - 1).astype(jnp.int8)
        if choices is None:
            choices = jnp.zeros(self.players, jnp.int8)
        chosen = jnp.clip(jnp.asarray(choices), 0, max(self.num_options, 0)).astype(jnp.int8)
        if low.shape != (self.players, REGISTERS) or chosen.shape != (self.players,):
            raise RoboRallyError(
                f"step: expected programs {(self.players, REGISTERS)} and choices {(self.players,)} of one race, got "
                f"{low.shape} and {chosen.shape}; jax.vmap steps many races"
            )
        record, seen = self._call(self._step_on_cpu, state.record, state.stamp, low, chosen)
        return State(record, state.stamp), seen

    def draw(self, key: Array, logits: Array, seen: Seen) -> tuple[Array, Array]:
        """Draw programs by logits [P, 5, S], register by register, so that no card comes twice.

        Returns programs int8 [P, 5] and the logarithm of the probability of each, float32 [P]. Only legal slots are
        drawn; a closed register has slot 0 with probability 1.
        """

        noise = jax.random.gumbel(key, logits.shape)
        first = jnp.arange(self.hand_slots) == 0
        used = jnp.zeros(logits.shape[::2], jnp.bool_)
        slots, chances = [], jnp.zeros(logits.shape[0])
        for k in range(REGISTERS):
            shut = seen.closed[:, k, None]
            free = seen.mask[:, k] & ~used
            free = jnp.where(shut | ~free.any(-1, keepdims=True), first, free)
            scores = jnp.where(free, logits[:, k], _NOTHING_LEFT)
            drawn = jnp.argmax(jnp.where(free, scores + noise[:, k], -jnp.inf), -1)
            taken = drawn[:, None] == jnp.arange(self.hand_slots)
            chances += jnp.where(taken, scores, 0.0).sum(-1) - jax.nn.logsumexp(scores, -1)
            used |= taken & ~shut
            slots.append(drawn)
        return jnp.stack(slots, -1).astype(jnp.int8), chances

    def sample(self, key: Array, seen: Seen) -> tuple[Array, Array]:
        """Random legal programs int8 [P, 5] and choices int8 [P]."""
        one, two = jax.random.split(key)
        programs, _ = self.draw(one, jnp.zeros(seen.mask.shape), seen)
        if not self.num_options:
            return programs, jnp.zeros(self.players, jnp.int8)
        scores = jnp.where(seen.options, 0.0, _NOTHING_LEFT)
        return programs, jax.random.categorical(two, scores).astype(jnp.int8)

    # -- outside of JAX

    def batch_of(self, state: State) -> BatchRace:
        """A BatchRace with the races of a state, or of a batch of states: to draw them, or to play on there."""
        with self._lock:
            records = self._checked(state.record, state.stamp)
            batch = self._new_batch(len(records))
        batch.games[:] = records
        batch.observe()
        return batch

    # -- inside

    def _new_batch(self, count: int) -> BatchRace:
        options = dict(self._arguments)
        return BatchRace(count, options.pop("course"), **options)

    def _batch_of(self, count: int) -> BatchRace:
        """The batch on which `count` races are played."""
        if count not in self._batches:
            check_whole(count, "races", 1, 10_000_000)
            if len(self._batches) >= _MOST_BATCHES:
                del self._batches[next(iter(self._batches))]
            self._batches[count] = self._new_batch(count)
        return self._batches[count]

    def _seen_shapes(self) -> tuple[Any, Seen]:
        """The shapes and dtypes of a record and of what is seen."""
        p, s, o = self.players, self.hand_slots, 1 + self.num_options if self.num_options else 0
        kinds = {
            "observation": ((p, self.observation_size), np.float32), "mask": ((p, REGISTERS, s), np.bool_),
            "closed": ((p, REGISTERS), np.bool_), "options": ((p, o), np.bool_), "reward": ((p,), np.float32),
            "terminated": ((), np.bool_), "truncated": ((), np.bool_), "place": ((p,), np.float32),
            "is_success": ((p,), np.bool_), "corrected": ((p,), np.int32),
        }  # fmt: skip
        seen = Seen(**{name: jax.ShapeDtypeStruct(shape, dtype) for name, (shape, dtype) in kinds.items()})
        return jax.ShapeDtypeStruct((self._bytes,), np.uint8), seen

    def _call(self, function: Any, *arguments: Array) -> tuple[Array, Seen]:
        found = jax.pure_callback(function, self._shapes, *arguments, vmap_method="broadcast_all")
        return cast(tuple[Array, Seen], found)

    def _reset_on_cpu(self, words: Any) -> tuple[NDArray[np.uint8], Seen]:
        seeds = np.asarray(words).astype(np.uint64)
        lead, seeds = seeds.shape[:-1], seeds.reshape(-1, 2)
        with self._lock:
            batch = self._batch_of(len(seeds))
            batch.games["seed"] = seeds[:, 0] << np.uint64(32) | seeds[:, 1]
            batch.games["episode"] = _EPISODE_BEFORE_THE_FIRST
            batch.reset()
            nothing = np.zeros(len(seeds), np.bool_)
            return self._shown(batch, lead, np.zeros((len(seeds), self.players), np.float32), nothing, nothing)

    def _step_on_cpu(self, record: Any, stamp: Any, programs: Any, choices: Any) -> tuple[NDArray[np.uint8], Seen]:
        with self._lock:
            records = self._checked(record, stamp)
            batch = self._batch_of(len(records))
            batch.games[:] = records
            into = batch.actions
            into[0][:] = np.asarray(programs).reshape(into[0].shape)
            into[1][:] = np.asarray(choices).reshape(into[1].shape)
            into[2][:] = 0
            played = batch.step_prepared()
            lead = np.shape(record)[:-1]
            return self._shown(batch, lead, played.rewards, played.terminated, played.truncated)

    def _checked(self, record: Any, stamp: Any) -> NDArray[Any]:
        """The records of states of this object, [B]."""
        found = np.ascontiguousarray(np.asarray(record))
        if found.shape[-1:] != (self._bytes,) or not (np.asarray(stamp) == self._stamp).all():
            raise RoboRallyError("state: expected one that reset or step of this JaxEnv has returned")
        return found.reshape(-1, self._bytes).view(self._batch_of(1).dtype)[:, 0]

    def _shown(
        self, batch: BatchRace, lead: tuple[int, ...], rewards: Any, terminated: Any, truncated: Any
    ) -> tuple[NDArray[np.uint8], Seen]:
        """The records of a batch and what is seen, each after the axes `lead` of the races. All are copies."""
        seen, over = batch.observations, terminated | truncated
        closed = batch.closed_registers[..., None] >> np.arange(REGISTERS) & 1
        options = seen["choice_masks"].astype(np.bool_) if self.num_options else np.zeros((*rewards.shape, 0), np.bool_)
        games, seats = np.indices(rewards.shape)
        won = races_won(batch, games.ravel(), seats.ravel()).reshape(rewards.shape)
        parts = Seen(
            observation=seen["symbolic"].copy(),
            mask=seen["masks"].view(np.bool_).copy(),
            closed=closed.astype(np.bool_),
            options=options,
            reward=rewards.copy(),
            terminated=terminated.copy(),
            truncated=truncated.copy(),
            place=np.where(over[:, None], batch.results["place"], 0).astype(np.float32),
            is_success=over[:, None] & won,
            corrected=batch.corrected.astype(np.int32),
        )
        records = np.frombuffer(batch.games.tobytes(), np.uint8).reshape((*lead, self._bytes))
        return records, Seen(*(part.reshape((*lead, *part.shape[1:])) for part in parts))
