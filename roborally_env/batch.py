"""BatchRace: many races at once, arrays in and arrays out. The other interfaces adapt it."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.core import driver, observe
from roborally_env.core.cards import KINDS
from roborally_env.core.editions.steps2016 import OVER, PROGRAM
from roborally_env.core.kernel import is_compiled, most_threads, note_compiled
from roborally_env.core.log import event_dict
from roborally_env.core.maps import maps_of
from roborally_env.core.rewards import COMPONENTS, result_dtype
from roborally_env.core.rules import check_edition, rule_bits, rule_values
from roborally_env.core.state import (
    ASK_ALL,
    ASK_NOTHING,
    ASK_PURCHASES,
    REGISTERS,
    RULE_TIMER,
    game_dtype,
    seats_for,
)
from roborally_env.courses import Course, load_course
from roborally_env.courses.tables import course_digest
from roborally_env.errors import RoboRallyError, nearest

OBSERVATIONS = ("symbolic", "planes", "none")
REWARDS = ("race", "progress", "shaped")
DECISIONS = ("program", "all")
RULES_VERSION = 2  # raised with each change of rules or of the order in which chance is used
LAYOUT_VERSION = 2  # raised with each change of an observation's layout
LOG_ROWS = 2048  # events of one step that a record has room for; a full round of six robots takes a few hundred
_SNAPSHOT_MAGIC = b"roborally-snapshot\n"


class Step(NamedTuple):
    """What a step gave. The arrays are the batch's own buffers; they stay as they are until the next step but one."""

    observations: dict[str, NDArray[Any]]  # see BatchRace.observations
    rewards: NDArray[np.float32]  # [B, P]
    terminated: NDArray[np.bool_]  # [B] the race was finished
    truncated: NDArray[np.bool_]  # [B] max_rounds cut it


class BatchRace:
    """B races of P players each, on one course or on a list of courses drawn by each race's seed.

    All players of a race act at once: a step takes every player's program, plays until players are asked
    again, and returns observations, rewards and flags. With `auto_reset` a race that is over is followed
    by a new one in the same step; its last observation is then in `final_observations` and its result
    in `results`.

    Args:
        num_games: B, at least 1.
        course: a name, a path to a course file, a Course, or a list of them.
        edition: the rules, `"2016"`.
        players: P, from 2 to 6 (or what the courses allow).
        decisions: `"program"` asks for programs and, with upgrades, for purchases; all else takes the documented
            default. `"all"` asks every choice that the rulebook leaves to a player.
        observation: `"symbolic"` (float32 [B, P, n]), `"planes"` (that and uint8 [B, P, 13, 13, 26]) or `"none"`.
        reward: `"race"`, `"progress"` or `"shaped"` (see the docs on rewards).
        discount: of the shaping potential; the learner's.
        max_rounds: cut races after so many rounds; None: never.
        rules: rule options of the edition, as `{"advanced": True}`; `{"upgrades": False}` is the lighter game.
        seed: any whole number from 0; game i of the batch depends on `seed` and i alone.
        auto_reset: begin a new race where one is over.
        masks: write the masks; without them (and with `observation="none"`) the bare simulator remains.
        events: keep a log of what happened in each step, for `events_of`.
        components: work out every component in `reward_parts`, not just those that `reward` is made of.
        idle_rows: write the observations of all seats also where only one is asked (a purchase, a choice). Without it
            the rows of the others then hold older content, and steps are faster.
        threads: 1, or more to spread the games over numba's threads. The bytes do not depend on it.
        first_game: number of the first game, so that a batch can be played in parts.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(
        self,
        num_games: int,
        course: str | Path | Course | Sequence[str | Path | Course] = "dizzy_highway",
        *,
        edition: str = "2016",
        players: int = 4,
        decisions: str = "program",
        observation: str = "symbolic",
        reward: str = "race",
        discount: float = 1.0,
        max_rounds: int | None = None,
        rules: Mapping[str, Any] | None = None,
        seed: int = 0,
        auto_reset: bool = True,
        masks: bool = True,
        components: bool = False,
        idle_rows: bool = True,
        events: bool = False,
        threads: int = 1,
        first_game: int = 0,
    ) -> None:
        self.num_games = check_whole(num_games, "num_games", 1, 10_000_000)
        self.edition = check_edition(edition)
        self.rules = rule_values(self.edition, rules)
        self.courses = check_courses(course, self.edition)
        self.players = check_players(players, self.courses)
        self.decisions = check_choice(decisions, "decisions", DECISIONS)
        self.observation = check_choice(observation, "observation", OBSERVATIONS)
        self.reward = check_choice(reward, "reward", REWARDS)
        self.max_rounds = check_whole(
            0 if max_rounds is None else max_rounds, "max_rounds", 0 if max_rounds is None else 1, 30_000
        )
        if not isinstance(discount, (int, float)) or not 0 <= discount <= 1:
            raise RoboRallyError(f"discount: expected a number from 0 to 1, got {discount!r}")
        self.discount = float(discount)
        self.auto_reset = bool(auto_reset)
        self.masks = bool(masks)
        self.first_game = check_whole(first_game, "first_game", 0, 2**62)
        self._set_threads(threads)
        self.upgrades = bool(self.rules["upgrades"])
        layout = observe.layout_of(self.upgrades)
        self.hand_slots = int(layout.slots)
        self.options = int(layout.option_count)
        self.asks_choices = self.decisions == "all" or self.upgrades
        self.symbolic_size = observe.symbolic_size(self.players, self.upgrades, self.decisions == "all")
        self.logging = bool(events)
        self.dtype = game_dtype(seats_for(self.players), LOG_ROWS if self.logging else 0, self.upgrades)
        self.games: NDArray[Any] = np.zeros(self.num_games, self.dtype)
        self._code = (
            f"batch-{seats_for(self.players)}-seats{'-upgrades' * self.upgrades}{'-parallel' * (self.threads > 1)}"
            f"{'-log' * self.logging}"
        )
        _say_if_compiling(self._code)
        self.maps = maps_of(self.courses, seats_for(self.players), self.upgrades)
        self._allocate()
        self._config = driver.Config(
            int(self.auto_reset),
            REWARDS.index(self.reward),
            self.discount,
            int(bool(components) or self.reward == "shaped"),
            int(bool(idle_rows)),
        )
        self._rule_bits = rule_bits(self.edition, self.rules)
        self.reset(seed)

    # -- playing

    def reset(self, seed: int | None = None, mask: ArrayLike | None = None) -> dict[str, NDArray[Any]]:
        """Begin new races and return the observations.

        `mask` [B] names the games that begin anew (left out: all). With a `seed` they start from it as in a new batch;
        without one each goes on to its next episode.
        """
        chosen = np.ones(self.num_games, np.bool_)
        if mask is not None:
            chosen = self._array(mask, "mask", (self.num_games,), np.bool_, 0, 1)
        if seed is not None:
            seed = check_whole(seed, "seed", 0, 2**64 - 1)
            self.games["seed"][chosen] = self._game_seeds(seed)[chosen]
            self.games["episode"][chosen] = 0
        else:
            self.games["episode"][chosen] += np.uint64(1)
        self.games["players"] = self.players
        self.games["max_rounds"] = self.max_rounds
        self.games["rules"] = self._rule_bits
        asks_else = ASK_PURCHASES if self.upgrades else ASK_NOTHING
        self.games["asking"] = ASK_ALL if self.decisions == "all" else asks_else
        self._clear_log(chosen)
        driver.reset_games(self.maps, self.games, chosen, self._out, self._scratch)
        return self.observations

    def step(
        self, programs: ArrayLike, choices: ArrayLike | None = None, open_registers: ArrayLike | None = None
    ) -> Step:
        """Play every game until players are asked again.

        Args:
            programs: [B, P, 5] whole numbers from 0 to `hand_slots` - 1, the hand slot that goes into each register. A
                slot used twice, an empty one or an Again in register one is replaced by the next legal slot (cyclic)
                and counted in `repairs`. Not read in a game that waits for a choice.
            choices: [B, P]: 0, or 1 + the option for the player whose choice (or purchase) is open.
            open_registers: [B, P] bits 0..31, with `rules={"timer": True}`: registers that the timer caught unfilled.

        Raises:
            RoboRallyError: for a wrong shape, dtype or range; nothing has been played then.
        """
        actions = self._actions
        shape = (self.num_games, self.players)
        checked = self._array(programs, "programs", (*shape, REGISTERS), np.int8, 0, self.hand_slots - 1)
        picked = None if choices is None else self._array(choices, "choices", shape, np.int8, 0, self.options)
        opened = (
            None if open_registers is None else self._array(open_registers, "open_registers", shape, np.uint8, 0, 31)
        )
        if opened is not None and opened.any() and not self._rule_bits & RULE_TIMER:
            raise RoboRallyError('open_registers: expected zeros without rules={"timer": True}')
        np.copyto(self._programs, checked, casting="unsafe")
        actions.choices[:] = 0 if picked is None else picked
        actions.opened[:] = 0 if opened is None else opened
        return self.step_prepared()

    def step_prepared(self) -> Step:
        """A step with the actions that lie in the batch's own arrays, as `sample` leaves them there."""
        self._swap_buffers()
        self._clear_log(slice(None))
        play = driver.step_games_parallel if self.threads > 1 else driver.step_games
        if self.threads > 1:
            before = numba.get_num_threads()
            numba.set_num_threads(self.threads)
            try:
                play(self.maps, self.games, self._actions, self._out, self._scratch, self._config)
            finally:
                numba.set_num_threads(before)
        else:
            play(self.maps, self.games, self._actions, self._out, self._scratch, self._config)
        if self._code not in _noted:
            _noted.add(self._code)
            note_compiled(self._code)
        return Step(self.observations, self._out.rewards, self._out.terminated, self._out.truncated)

    def sample(self, seed: int = 0) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Uniform legal programs [B, P, 5] and choices [B, P], into the batch's own action arrays.

        They depend on each game's own state and on `seed`, not on the batch.
        """
        driver.sample_actions(self.games, np.uint64(seed), self._actions)
        return self._programs, self._actions.choices

    @property
    def actions(self) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.uint8]]:
        """What `step_prepared` plays, to be filled in place: programs [B, P, 5], choices, open registers [B, P]."""
        return self._programs, self._actions.choices, self._actions.opened

    # -- what came out

    @property
    def observations(self) -> dict[str, NDArray[Any]]:
        """What the players see, as far as it is wanted.

        `symbolic` [B, P, n] float32, `planes` [B, P, 13, 13, 26] uint8, `masks` [B, P, 5, hand_slots] int8 and, where
        choices are asked, `choice_masks` [B, P, 1 + options] int8: 0 nothing to choose, 1 + option."""
        parts: dict[str, NDArray[Any]] = {}
        if self.observation != "none":
            parts["symbolic"] = self._out.symbolic
        if self.observation == "planes":
            parts["planes"] = _as_window(self._out.planes)
        if self.masks:
            parts["masks"] = self._out.masks
        if self.masks and self.asks_choices:
            parts["choice_masks"] = self._out.choice_masks
        return parts

    @property
    def final_observations(self) -> dict[str, NDArray[Any]]:
        """Observations at the end of each game's last finished race (`auto_reset`); rows of other games are old."""
        parts: dict[str, NDArray[Any]] = {}
        if self.observation != "none":
            parts["symbolic"] = self._out.final_symbolic
        if self.observation == "planes":
            parts["planes"] = _as_window(self._out.final_planes)
        return parts

    @property
    def reward_parts(self) -> dict[str, NDArray[np.float32]]:
        """The components of the last step's rewards, each [B, P]: race, progress, shaping."""
        return {name: self._out.parts[:, :, i] for i, name in enumerate(COMPONENTS)}

    @property
    def repairs(self) -> NDArray[np.int16]:
        """[B, P]: how many registers (or choices) of the last actions were illegal and replaced."""
        repairs: NDArray[np.int16] = self._out.repairs
        return repairs

    @property
    def programs_laid(self) -> NDArray[np.int8]:
        """[B, P, 5]: the hand slots that were laid in the last programming phase, after repair."""
        laid: NDArray[np.int8] = self._out.laid
        return laid.reshape(self.num_games, self.players, REGISTERS)

    @property
    def results(self) -> NDArray[Any]:
        """[B] records of each game's last finished race: rounds, winner, place, reached, reboots, taken."""
        results: NDArray[Any] = self._out.results
        return results

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B]: the race is over and waits for a reset (never with `auto_reset`)."""
        return np.asarray(self.games["step"] == OVER)

    @property
    def programming(self) -> NDArray[np.bool_]:
        """[B]: programs are wanted (else a choice is open, or the race is over)."""
        return np.asarray(self.games["step"] == PROGRAM)

    def events_of(self, game: int) -> list[dict[str, Any]]:
        """What happened in a game in the last step (or reset), in order: who moved, was pushed, hit, fell, drew what.

        The kinds are those of docs/observations.md. With `auto_reset` the first events of a new race stand at the end.

        Raises:
            RoboRallyError: for a batch made without `events=True`, or a wrong number.
        """
        if not self.logging:
            raise RoboRallyError("events_of: expected a batch made with events=True")
        record = self.games[check_whole(game, "game", 0, self.num_games - 1)]
        return [event_dict(row) for row in record["events"][: record["logged"]].tolist()]

    def observe(self) -> dict[str, NDArray[Any]]:
        """Write the observations of the games as they are, as after a change of `games` from outside."""
        driver.observe_games(self.maps, self.games, self._out, self._scratch)
        return self.observations

    # -- saving, cloning, looking ahead

    def snapshot(self) -> bytes:
        """The whole batch as bytes, for `restore` of a batch with the same arguments."""
        head = json.dumps(self._identity(), sort_keys=True).encode()
        body = self.games.tobytes()
        return _SNAPSHOT_MAGIC + head + b"\n" + hashlib.sha256(head + body).digest() + body

    def restore(self, snapshot: bytes) -> dict[str, NDArray[Any]]:
        """Set the batch to a snapshot and return the observations.

        Raises:
            RoboRallyError: for a damaged snapshot, or one of another version, edition, course, size or rules.
        """
        body = self._checked_snapshot(snapshot)
        self.games[:] = np.frombuffer(body, self.dtype)
        driver.restore_results(self.games, self._out)
        return self.observe()

    def clone(self, source: int, target: int) -> None:
        """Make game `target` equal to game `source`, and write its observation."""
        source = check_whole(source, "source", 0, self.num_games - 1)
        target = check_whole(target, "target", 0, self.num_games - 1)
        self.games[target] = self.games[source]
        self.observe()

    def redeal(self, seat: int, seed: int) -> BatchRace:
        """A copy of the batch that agrees with all that `seat` knows, with everything hidden from it drawn anew.

        Hidden are the split of each other player's cards between hand and draw pile, face-down registers, the order of
        piles, and chance to come. Discard piles lie open.
        """
        seat = check_whole(seat, "seat", 0, self.players - 1)
        copy = self.copy()
        driver.redeal(copy.games, seat, np.uint64(check_whole(seed, "seed", 0, 2**64 - 1)))
        copy.observe()
        return copy

    def copy(self) -> BatchRace:
        """An independent batch in the same state."""
        other = object.__new__(BatchRace)
        other.__dict__.update(self.__dict__)
        other.games = self.games.copy()
        other._allocate()
        for mine, its in zip(self._buffers, other._buffers, strict=True):
            for a, b in zip(mine, its, strict=True):
                b[...] = a
        other._turn = self._turn
        other._out = other._buffers[self._turn]
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchRace:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("maps", "_scratch", "_programs", "_out")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The maps are built again: arrays that were read-only would come back writable, another type to numba."""
        self.__dict__.update(state)
        self.maps = maps_of(self.courses, seats_for(self.players), self.upgrades)
        self._out = self._buffers[self._turn]
        self._share_actions()

    # -- inside

    def _clear_log(self, chosen: Any) -> None:
        if self.logging:
            self.games["logged"][chosen] = 0

    def _identity(self) -> dict[str, Any]:
        return {
            "rules_version": RULES_VERSION,
            "edition": self.edition,
            "rules": self.rules,
            "courses": [course_digest(c) for c in self.courses],
            "players": self.players,
            "games": self.num_games,
            "decisions": self.decisions,
            "max_rounds": self.max_rounds,
            "record": self.dtype.itemsize,
        }

    def _checked_snapshot(self, snapshot: bytes) -> bytes:
        if not isinstance(snapshot, (bytes, bytearray, memoryview)) or not bytes(snapshot).startswith(_SNAPSHOT_MAGIC):
            raise RoboRallyError("snapshot: expected the bytes of BatchRace.snapshot()")
        head, _, rest = bytes(snapshot)[len(_SNAPSHOT_MAGIC) :].partition(b"\n")
        digest, body = rest[:32], rest[32:]
        if hashlib.sha256(head + body).digest() != digest:
            raise RoboRallyError("snapshot: damaged: its check sum does not fit; take it again")
        for key, mine in self._identity().items():
            its = json.loads(head)[key]
            if its != mine:
                raise RoboRallyError(f"snapshot: it was taken with {key} {its!r}, this batch has {mine!r}")
        return body

    def _game_seeds(self, seed: int) -> NDArray[np.uint64]:
        """The seed of each game: a hash of the batch's seed and the game's number; parts of a batch equal the whole."""
        numbers = np.arange(self.first_game, self.first_game + self.num_games, dtype=np.uint64)
        out = np.empty(self.num_games, np.uint64)
        driver.game_seeds(np.uint64(seed), numbers, out)
        return out

    def _set_threads(self, threads: int) -> None:
        self.threads = check_whole(threads, "threads", 1, most_threads())

    def _allocate(self) -> None:
        b, p, size = self.num_games, self.players, self.symbolic_size
        wanted = b if self.observation != "none" else 0
        planes = b if self.observation == "planes" else 0
        window = (observe.WINDOW, observe.WINDOW * observe.DEPTH)
        shared = {
            "laid": np.zeros((b * p, REGISTERS), np.int8),
            "repairs": np.zeros((b, p), np.int16),
            "results": np.zeros(b, result_dtype(p)),
            "final_symbolic": np.zeros((wanted if self.auto_reset else 0, p, size), np.float32),
            "final_planes": np.zeros((planes if self.auto_reset else 0, p, *window), np.uint8),
        }
        self._buffers = [
            driver.Out(
                symbolic=np.zeros((wanted, p, size), np.float32),
                planes=np.zeros((planes, p, *window), np.uint8),
                masks=np.zeros((b if self.masks else 0, p, REGISTERS, self.hand_slots), np.int8),
                choice_masks=np.zeros((b if self.masks else 0, p, 1 + self.options), np.int8),
                rewards=np.zeros((b, p), np.float32),
                parts=np.zeros((b, p, len(COMPONENTS)), np.float32),
                terminated=np.zeros(b, np.bool_),
                truncated=np.zeros(b, np.bool_),
                **shared,
            )
            for _ in range(2)
        ]
        self._turn = 0
        self._out = self._buffers[0]
        self._actions = driver.Actions(
            np.zeros((b * p, REGISTERS), np.int8), np.zeros((b, p), np.int8), np.zeros((b, p), np.uint8)
        )
        self._share_actions()

    def _share_actions(self) -> None:
        """Views and scratch memory beside the buffers."""
        b, p = self.num_games, self.players
        self._programs = self._actions.programs.reshape(b, p, REGISTERS)  # the same memory
        self._scratch = driver.Scratch(
            counts=np.zeros((b, p, 3, KINDS), np.uint8),
            ranks=np.zeros((b, p, 2), np.int64),
            before=np.zeros((b, p, 2), np.float64),
            kept=np.zeros(b if self.decisions == "all" else 0, self.dtype),
            sheets=self._sheets() if self.observation == "planes" else np.zeros((0, 4, 1, observe.DEPTH), np.uint8),
        )

    def _sheets(self) -> NDArray[np.uint8]:
        side = max(max(c.width, c.height) for c in self.courses) + 2 * observe.MIDDLE
        sheets = np.zeros((len(self.courses), 4, side, side * observe.DEPTH), np.uint8)
        driver.draw_sheets(self.maps.courses, sheets)
        return sheets

    def _swap_buffers(self) -> None:
        self._turn ^= 1
        self._out = self._buffers[self._turn]

    def _array(
        self, value: ArrayLike, name: str, shape: tuple[int, ...], dtype: Any, low: int, high: int
    ) -> NDArray[Any]:
        """The value as an array of the wanted shape, of whole numbers in range."""
        array = np.asarray(value)
        if array.shape != shape:
            raise RoboRallyError(f"{name}: expected shape {shape}, got {array.shape}")
        if array.dtype.kind not in ("iub" if dtype is np.bool_ else "iu"):
            raise RoboRallyError(f"{name}: expected whole numbers, got dtype {array.dtype}")
        if array.size and (array.min() < low or array.max() > high):
            at = tuple(int(i) for i in np.argwhere((array < low) | (array > high))[0])
            raise RoboRallyError(f"{name}{list(at)}: expected {low} to {high}, got {int(array[at])}")
        return array if array.dtype == dtype else array.astype(dtype)


def _as_window(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[B, P, 13, 13 * depth] seen as [B, P, 13, 13, depth]."""
    return planes.reshape(*planes.shape[:2], observe.WINDOW, observe.WINDOW, observe.DEPTH)


def check_whole(value: Any, name: str, low: int, high: int) -> int:
    """The value as an int within bounds, or a RoboRallyError that names it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise RoboRallyError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return int(value)


def check_choice(value: Any, name: str, known: Sequence[str]) -> str:
    """The value if it is one of the known names."""
    if value not in known:
        raise RoboRallyError(f"{name}: expected one of {', '.join(known)}, got {value!r}{nearest(str(value), known)}")
    return str(value)


def check_courses(course: Any, edition: str) -> tuple[Course, ...]:
    """The Courses behind a name, a path, a Course or a list of them."""
    given = list(course) if isinstance(course, Sequence) and not isinstance(course, str) else [course]
    if not given:
        raise RoboRallyError("course: expected at least one course, got an empty list")
    courses = tuple(c if isinstance(c, Course) else load_course(c, edition) for c in given)
    for c in courses:
        if c.edition != edition:
            raise RoboRallyError(f"course: {c.slug} belongs to edition {c.edition}, the race is played by {edition}")
    return courses


def check_players(players: Any, courses: Sequence[Course]) -> int:
    """The number of players, if every course allows it."""
    low, high = max(c.players[0] for c in courses), min(c.players[1] for c in courses)
    if low > high:
        raise RoboRallyError("course: no number of players fits all courses of the list")
    return check_whole(players, "players", low, high)


_said: set[str] = set()  # what the compile note was said for
_noted: set[str] = set()  # what was noted as compiled


def _say_if_compiling(what: str) -> None:
    """One line, once, when machine code must be made first."""
    if what not in _said and not is_compiled(what):
        print("roborally_env: compiling the simulator (once; about half a minute) ...", file=sys.stderr, flush=True)
    _said.add(what)
