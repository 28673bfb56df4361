"""BatchRace: many races at once, arrays in and arrays out. The other interfaces wrap it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.arguments import Courses, check_lives, check_players, check_timer, course_source
from roborally_env.base.arrays import writable
from roborally_env.base.checks import check_array, check_choice, check_flag, check_share, check_whole
from roborally_env.base.documents import snapshot_head
from roborally_env.base.errors import ActionError, RoboRallyError, SnapshotError, cut, listed, raised_as
from roborally_env.base.threads import most_threads, spread
from roborally_env.base.types import Array, NamedValues
from roborally_env.batch.arrays import draw_sheet, new_actions, new_buffers, new_scratch
from roborally_env.batch.code import StepCode
from roborally_env.batch.encoding import Encoding
from roborally_env.batch.generated import RaceCourses
from roborally_env.batch.options import RaceOptions, takes
from roborally_env.batch.views import BatchViews
from roborally_env.core.driving import driver
from roborally_env.core.editions import game_dtype
from roborally_env.core.rule_options import RULE_GIVEN_COURSE, RULE_TIMER, game_of, rule_bits, rule_values
from roborally_env.core.searching.distances import maps_of
from roborally_env.core.seeing import observe, random_actions, redeal
from roborally_env.core.soundness import check_agreement, check_records
from roborally_env.core.state import ASK_ALL, ASK_NOTHING, ASK_PURCHASES, REGISTERS, kind_of
from roborally_env.core.steps import OVER
from roborally_env.courses import Course
from roborally_env.courses.tables import course_digests

OBSERVATIONS = ("symbolic", "planes", "none")
MOST_THREADS = 4096  # that a batch accepts
MAX_SEED = 2**64 - 1
REWARDS = ("race", "progress", "shaped")
DECISIONS = ("program", "all")
RULES_VERSION = 4  # raised with each change of rules or of the order in which chance is used
LAYOUT_VERSION = 2  # raised with each change of an observation's layout
_SNAPSHOT_MAGIC = b"roborally-snapshot\n"


class Step(NamedTuple):
    """The result of a step. The arrays are the batch's own buffers, unchanged until the step after the next."""

    observations: dict[str, Array]  # see BatchRace.observations
    rewards: NDArray[np.float32]  # [B, P]
    terminated: NDArray[np.bool_]  # [B] the race was finished by its rules; without auto_reset from then on
    truncated: NDArray[np.bool_]  # [B] the race was cut by max_rounds, likewise


@takes(RaceOptions, "BatchRace", former={"idle_rows": "observe_idle"}, max_rounds=None)
class BatchRace(BatchViews):
    """B races of P robots each, on one course or on a list of courses drawn by each race's seed.

    Every player has one robot; in Interference player i has two, 2i (racer) and 2i + 1 (blocker). All players
    of a race act at once: a step takes every robot's program, plays until the next decision, and returns
    observations, rewards and flags. With `auto_reset` a new race follows a finished one in the same step; the last
    observation is then in `final_observations` and the result in `results`.

    Args:
        num_games: B, at least 1.
        course: a name (`"twister"`, or with its edition `"2005/twister"`), a path to a course file, a Course, or a list
            of these; None: Dizzy Highway, in 2005 Risky Exchange. A Generator, or its text `"generated:difficulty=3"`:
            a new course for each race, by its seed and episode.
        players: number of players, 2 to 6, in 2005 up to 8 (or what the courses allow).
        observation: `"symbolic"` (`dtype` [B, P, n]), `"planes"` (that and uint8 [B, P, 13, 13, 26]) or `"none"`.
        dtype: of the symbolic vectors: `"float32"`, `"float16"` or `"uint8"`, which take a half or a quarter of the
            memory; `encoding` decodes them.
        seed: any whole number from 0; game i of the batch depends only on `seed` and i.
        auto_reset: begin a new race when one is over. Without it a race that is over stays as it is until it is reset:
            steps repeat its last observation and flags, with rewards of 0.
        masks: write the masks; without masks and with `observation="none"` only the simulator runs.
        events: keep a log of the events of each step, for `events_of`.
        frames: keep this log, and with each event a copy of the game's record after it, for `frames_of`.
        components: compute every component in `reward_parts`, not only those that `reward` needs.
        observe_idle: write the observations of all seats even if only one seat decides (a purchase, a choice). Without
            it the rows of the other seats keep older content, and steps are faster.
        threads: number of threads that share the games. Results do not depend on it.
        first_game: the number of the first game, so that a batch can be played in parts.

    Attributes:
        games: the records [B] of the games. Another array may take its place, for example one in shared memory. Call
            `observe` after you have changed them.
        courses: the courses; `games["course"]` is the index of each game's course. On generated courses an entry is
            replaced when its game begins the next race.
        maps: their tables, solo moves and distances, by the same index.
        generator: makes the courses; None if they are given.
        encoding: the Encoding of the symbolic vectors, whose `decode` returns float32.

    Raises:
        RoboRallyError: for any value outside these.
    """

    _games: Array
    _actions: driver.Actions
    _buffers: list[driver.Out]
    _turn: int

    def __init__(
        self,
        num_games: int,
        course: Courses | None = None,
        *,
        players: int = 4,
        observation: str = "symbolic",
        dtype: str = "float32",
        seed: int = 0,
        auto_reset: bool = True,
        masks: bool = True,
        components: bool = False,
        observe_idle: bool = True,
        events: bool = False,
        frames: bool = False,
        threads: int = 1,
        first_game: int = 0,
        **options: Unpack[RaceOptions],
    ) -> None:
        self.num_games = check_whole(num_games, "num_games", 1, 10_000_000)
        source = course_source(course, options["edition"])
        self.courses: Sequence[Course] = source.courses
        self._digests: list[str] | None = None  # see _named_courses
        self.generator = source.generator
        self.edition = source.edition
        self.rules = rule_values(self.edition, options["rules"])
        self.robots_each = source.robots_each
        self.players = check_players(players, self.courses) * self.robots_each  # rows: robots
        check_lives(self.rules, self.players)
        self.decisions = check_choice(options["decisions"], "decisions", DECISIONS)
        self.observation = check_choice(observation, "observation", OBSERVATIONS)
        self.reward = check_choice(options["reward"], "reward", REWARDS)
        most = options["max_rounds"]
        self.max_rounds = 0 if most is None else check_whole(most, "max_rounds", 1, 30_000)
        self.discount = check_share(options["discount"], "discount")
        self.auto_reset = check_flag(auto_reset, "auto_reset")
        self.masks = bool(masks)
        self.first_game = check_whole(first_game, "first_game", 0, 2**62)
        self._set_threads(threads)
        self.game = game_of(self.edition, self.rules)  # the name of its kind of record
        self.kind = kind_of(self.game)
        self.upgrades = self.kind.has("owned")
        self.collects = self.kind.has("collection")
        self.sells = self.upgrades and not self.collects  # there is a shop for upgrades
        layout = observe.layout_of(self.game)
        every_choice = self.decisions == "all"
        self.hand_slots = int(layout.slots)
        # without a shop the only choice beside a program is whether a power down is announced with it
        only_announced = self.announces and not self.sells
        self.options = 1 if only_announced else int(layout.option_count)
        self.asks_choices = every_choice or self.sells or self.announces
        self.symbolic_size = observe.symbolic_size(self.players, self.game, every_choice)
        self.encoding = Encoding.of_parts(dtype, observe.parts_of(self.game, every_choice), self.players)
        self.logging, self.framing = bool(events or frames), bool(frames)
        self.dtype = game_dtype(self.game)
        self.games = np.zeros(self.num_games, self.dtype)
        self._chosen = np.zeros(self.num_games, np.bool_)
        self._generated = self._race_courses(self.courses[0])
        if self._generated is None:
            self.maps = maps_of(self.courses, self.game)
            self._slugs = np.array([course.slug for course in self.courses], object)
        self._unbegun = np.zeros(self.num_games, np.bool_)  # see _begin_next
        self._allocate()
        self._config = driver.Config(
            int(self.auto_reset) if self._generated is None else 2 * int(self.auto_reset),
            REWARDS.index(self.reward),
            self.discount,
            int(bool(components) or self.reward == "shaped"),
            int(check_flag(observe_idle, "observe_idle")),
            0,
        )
        self._rule_bits = rule_bits(self.edition, self.rules)
        if self._generated is not None:
            self._rule_bits |= RULE_GIVEN_COURSE
        self.reset(seed)

    @property
    def games(self) -> Array:
        """See the class."""
        return self._games

    @games.setter
    def games(self, records: Array) -> None:
        """Play on with these records, in their own memory; they are copied only if they are read-only or no one block.

        Raises:
            RoboRallyError: for another shape or dtype, which compiled code would read beyond its end.
        """
        if not isinstance(records, np.ndarray) or records.shape != (self.num_games,) or records.dtype != self.dtype:
            got = f"{records.dtype.name} {records.shape}" if isinstance(records, np.ndarray) else f"{type(records)}"
            raise RoboRallyError(f"games: expected an array ({self.num_games},) of the batch's dtype, got {got}")
        self._games = np.require(records, requirements=["C", "A", "W"])

    # -- playing

    def reset(
        self, seed: int | None = None, mask: ArrayLike | None = None, courses: ArrayLike | None = None
    ) -> dict[str, Array]:
        """Begin new races and return the observations.

        `mask` [B] selects the games that begin anew (default: all). With a `seed` they start as in a new batch of that
        seed; without one each game goes on to its next episode. `courses` [B] says where each of these races is, by the
        course's index in the list of the batch (default: each draws one); it goes as in a batch of that course alone.

        Raises:
            RoboRallyError: for a wrong seed, mask or index, and for indices where the races' courses are generated.
        """
        chosen = np.ones(self.num_games, np.bool_)
        if mask is not None:
            # contiguous: numba would compile the kernels again for the type of a strided array
            chosen = np.ascontiguousarray(check_array(mask, "mask", (self.num_games,), np.bool_, 0, 1))
        if courses is not None:
            courses = self._checked_courses(courses)
        if seed is not None:
            seed = check_whole(seed, "seed", 0, MAX_SEED)
            self.games["seed"][chosen] = self._game_seeds(seed)[chosen]
            self.games["episode"][chosen] = 0
        else:
            self.games["episode"][chosen] += np.uint64(1)
        for name, value in self._fixed().items():
            self.games[name] = value
        self._unbegun &= ~chosen
        self._settle()
        if courses is None:
            self._drive(driver.RESET, chosen)
            return self.observations
        self.games["course"][chosen] = courses[chosen]
        self.games["rules"][chosen] |= RULE_GIVEN_COURSE  # only here: the races that follow draw theirs
        try:
            self._drive(driver.RESET, chosen)
        finally:
            self.games["rules"][chosen] = self._rule_bits
        return self.observations

    def step(
        self, programs: ArrayLike, choices: ArrayLike | None = None, open_registers: ArrayLike | None = None
    ) -> Step:
        """Play every game until the next decision.

        Args:
            programs: [B, P, 5] whole numbers from 0 to `hand_slots` - 1: the hand slot that goes into each register;
                0 for a locked one. A slot used twice, an empty one or an Again in register one is replaced by the next
                legal slot (cyclic) and counted in `corrected`. Programs are not read in a game that waits for a choice.
            choices: [B, P]: 0, or 1 + the option for the player whose choice (or purchase) is open. In 2005 and by
                community rules with `decisions="program"`, 1 beside a program announces a power down.
            open_registers: [B, P] bits 0..31, with `rules={"timer": True}`: registers that the timer caught unfilled.
                In 2005 only one player may have any, except on courses with program timers.

        Raises:
            ActionError: for a wrong shape, dtype or range; in that case nothing has been played.
        """
        actions = self._actions
        shape = (self.num_games, self.players)
        programs = check_array(programs, "programs", (*shape, REGISTERS), np.int8, 0, self.hand_slots - 1, ActionError)
        if choices is not None:
            choices = check_array(choices, "choices", shape, np.int8, 0, self.options, ActionError)
        opened = open_registers
        if opened is not None:
            opened = check_array(opened, "open_registers", shape, np.uint8, 0, 31, ActionError)
        if opened is not None:
            check_timer(opened, bool(self._rule_bits & RULE_TIMER), self.courses, self.games["course"])
        np.copyto(self._programs, programs, casting="unsafe")
        actions.choices[:] = 0 if choices is None else choices
        actions.opened[:] = 0 if opened is None else opened
        return self.step_prepared()

    def step_prepared(self) -> Step:
        """Play a step with the actions in the batch's own arrays, as `sample` writes them."""
        self._swap_buffers()
        if self._generated is None:
            self._drive(driver.STEP, self._chosen)
        else:
            self._step_and_begin()
        return Step(self.observations, self._out.rewards, self._out.terminated, self._out.truncated)

    def sample(self, seed: int = 0) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Draw uniform legal programs [B, P, 5] and choices [B, P] into the batch's own action arrays; return those.

        They depend on each game's own state and on `seed`, not on the batch.
        """
        number = np.uint64(check_whole(seed, "seed", 0, MAX_SEED))
        random_actions.sample_actions(self.games, number, self._actions)
        return self._programs, self._actions.choices

    @property
    def actions(self) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.uint8]]:
        """The arrays that `step_prepared` reads, to be filled in place: programs [B, P, 5], choices and open
        registers."""
        return self._programs, self._actions.choices, self._actions.opened

    def observe(self) -> dict[str, Array]:
        """Write the observations of the games as they are now, for example after the caller has changed `games`.

        Without `auto_reset` also the `results` and the flags of races that are over: records of such races that the
        caller has put in are then shown as if the races had ended here.
        """
        self._settle()
        self._drive(driver.OBSERVE, self._chosen)
        if not self.auto_reset and self.over.any():
            driver.restore_results(self.games, self._out)
        return self.observations

    @property
    def vectors(self) -> NDArray[np.float32]:
        """[B, P, n]: the players' symbolic vectors as float32, whatever the batch's `dtype`: what agents take.

        A batch of another `dtype` keeps them from the first time that they are asked for, which takes longer."""
        if self.encoding.name != "float32" and not self._config.wide:
            self._config = self._config._replace(wide=1)
            self.observe()
        vectors: NDArray[np.float32] = self._out.symbolic
        return vectors

    def close(self) -> None:
        """End the thread or the processes that make generated courses ahead. They begin again when the batch goes on;
        without this they end when the batch is no longer used."""
        if self._generated is not None:
            self._generated.close()

    # -- saving, cloning, looking ahead

    def snapshot(self) -> bytes:
        """The whole batch as bytes, for `restore` of a batch with the same arguments."""
        head = json.dumps(self._identity(), sort_keys=True).encode()
        body = self.games.tobytes()
        return _SNAPSHOT_MAGIC + head + b"\n" + hashlib.sha256(head + body).digest() + body

    @raised_as(SnapshotError)
    def restore(self, snapshot: bytes) -> dict[str, Array]:
        """Set the batch to a snapshot and return the observations.

        A snapshot has the races that are on. `results` then has those of races that are over, and zeros for games whose
        race is running: their last finished races are not in a snapshot, nor are `final_observations`, which stay.

        Raises:
            SnapshotError: for a damaged snapshot, or one of another version, edition, course, size or rules.
        """
        records = np.frombuffer(self._checked_snapshot(snapshot), self.dtype).copy()
        self._check_records(records)
        self._put(records)
        return self.observe()

    def take_record(self, records: Array) -> None:
        """Set the batch's only game to a record that was set up elsewhere, such as that of a scenario; `results` as by
        `restore`.

        Raises:
            RoboRallyError: for a record that cannot be played on.
        """
        names = self.dtype.names or ()
        if not isinstance(records, np.ndarray) or records.dtype.names != names or records.size != 1:
            raise RoboRallyError("records: expected one record of a game of this kind")
        taken = np.zeros(1, self.dtype)
        for name in names:
            taken[name] = records[name]
        for name, value in {**self._fixed(), "log_at": 0}.items():
            taken[name] = value
        self._check_records(taken)
        self._put(taken)
        self.observe()

    def clone(self, source: int, target: int) -> None:
        """Make game `target` equal to game `source`, and write its observation."""
        source = check_whole(source, "source", 0, self.num_games - 1)
        target = check_whole(target, "target", 0, self.num_games - 1)
        self.games[target] = self.games[source]
        self.observe()
        if not self.auto_reset:  # also where a running race is now in place of one that was over
            driver.restore_results(self.games, self._out)

    def redeal(self, seat: int, seed: int) -> BatchRace:
        """A copy of the batch in which all that `seat` knows stays, and everything hidden from it is drawn anew.

        Hidden are how each other player's cards are split between hand and draw pile (in 2005 between all hands and the
        deck), face-down registers, the order of piles, and future random numbers. Discard piles lie open.
        """
        seat = check_whole(seat, "seat", 0, self.players - 1)
        copy = self.copy()
        redeal.redeal(copy.games, seat, np.uint64(check_whole(seed, "seed", 0, MAX_SEED)))
        copy.observe()
        return copy

    def copy(self) -> BatchRace:
        """An independent batch in the same state."""
        other = object.__new__(BatchRace)
        other.__dict__.update(self.__dict__)
        other.games = self.games.copy()
        other._unbegun = self._unbegun.copy()
        other._generated = None if self._generated is None else self._generated.copy()
        other._allocate()
        for mine, its in zip(self._buffers, other._buffers, strict=True):
            for a, b in zip(mine, its, strict=True):
                b[...] = a
        other._turn = self._turn
        other._out = other._buffers[self._turn]
        other._draw_sheets()
        return other

    def __copy__(self) -> BatchRace:
        """As `copy`: two batches that shared their arrays would spoil each other's races."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> BatchRace:
        return self.copy()

    def __getstate__(self) -> NamedValues:
        made_again = ("maps", "_scratch", "_programs", "_out", "_generated", "_drawn", "_step_code")
        state = {name: value for name, value in self.__dict__.items() if name not in made_again}
        if self.generator is not None:
            state |= {"courses": self.courses[:1], "_slugs": self._slugs[:1]}
        return state

    def __setstate__(self, state: NamedValues) -> None:
        """Restore a pickle. The maps are built again: their read-only arrays would be unpickled writable, which numba
        takes for another type. Generated courses are made again.

        Object stores return arrays read-only (pickle protocol 5 with buffers): arrays that steps write to are copied.
        """
        self.__dict__.update(state)
        self._games = writable(self._games)
        self._actions = writable(self._actions)
        shared: dict[int, Array] = {}  # both buffers have some arrays in common
        self._buffers = [
            type(buffer)(*(shared.setdefault(id(array), writable(array)) for array in buffer))
            for buffer in self._buffers
        ]
        self._chosen = writable(self._chosen)  # numba would compile the driver once more for a read-only one
        self._unbegun = writable(self._unbegun)
        self._generated = self._race_courses(self.courses[0])
        if self._generated is None:
            self.maps = maps_of(self.courses, self.game)
        self._out = self._buffers[self._turn]
        self._share_actions()
        self._settle()

    # -- on generated courses

    def _race_courses(self, sample: Course) -> RaceCourses | None:
        """What gives each race its generated course; None where courses are given."""
        if self.generator is None:
            return None
        found = RaceCourses(self.generator, self.game, self.num_games, self.players, self.auto_reset, sample)
        self._look_at(found)
        return found

    def _look_at(self, found: RaceCourses) -> None:
        """Let the batch's courses be those of the stock that a RaceCourses has now."""
        self.courses, self._slugs, self.maps = found.stock.courses, found.stock.slugs, found.maps

    def _settle(self) -> None:
        """Give each game the course of its race, also when a caller has changed the records."""
        if self._generated is not None and self._generated.settle(self.games):
            self._look_at(self._generated)
            self._draw_sheets()

    def _draw_sheets(self) -> None:
        """Draw the static planes of the generated courses that are new."""
        if self._generated is None or self.observation != "planes":
            return
        numbers = self._generated.stock.numbers
        for k in np.unique(self._generated.at).tolist():
            if self._drawn[k] != numbers[k]:
                draw_sheet(self, k, self._scratch.sheets)
                self._drawn[k] = numbers[k]

    def _step_and_begin(self) -> None:
        """A step, and the next races of the games whose race is over. Their courses may have to be waited for."""
        self._begin_next()  # what an interrupted step has left
        self._settle()
        playing = self.games["step"] != OVER
        self._drive(driver.STEP, self._chosen)
        if self.auto_reset:
            self._unbegun = playing & (self.games["step"] == OVER)
            self.games["episode"][self._unbegun] += np.uint64(1)
            self._begin_next()

    def _begin_next(self) -> None:
        """Begin the race of the games in `_unbegun`, which are at the end of their last one."""
        if self._unbegun.any():
            self._settle()
            self._drive(driver.NEXT, self._unbegun)
            self._unbegun = np.zeros(self.num_games, np.bool_)

    # -- inside

    def _checked_courses(self, courses: ArrayLike) -> Array:
        if self.generator is not None:
            raise RoboRallyError("courses: expected none, because the seed of a race makes its course")
        return check_array(courses, "courses", (self.num_games,), np.int16, 0, len(self.courses) - 1)

    def _drive(self, task: int, chosen: NDArray[np.bool_]) -> None:
        """Run `task` on every game. Each thread takes a part of the games, which share nothing."""
        arrays = (task, chosen, self._actions, self._out, self._scratch, self._config)
        maps, games = self.maps, self._games

        def run(first: int, last: int) -> None:
            drive(maps, games, first, last, *arrays)

        if self.framing and task in (driver.STEP, driver.RESET):
            self._out.events[:, :, 0] = 0  # so that the rows of an interrupted step differ from older ones
        try:
            drive = self._step_code.of(self, arrays) if task == driver.STEP else driver.drive
            if self.threads == 1 or task != driver.STEP:
                run(0, self.num_games)
            else:
                spread(run, self.num_games, self.threads)
        except Exception:  # numba refuses to compile for a read-only array, in many lines
            self._check_writable()
            raise

    def _check_writable(self) -> None:
        """Raise a RoboRallyError if somebody has made an array of the batch read-only."""
        named = {"games": self.games, **self._out._asdict(), **self._actions._asdict()}
        for name, array in named.items():
            if not array.flags.writeable:
                raise RoboRallyError(
                    f"{name}: the batch's own array is read-only now; expected that its flag `writeable` is left alone "
                    "(a copy may be made read-only)"
                ) from None

    def _put(self, records: Array) -> None:
        """Let the games be these records, with their flags and results, which are zeros while a race is running."""
        self.games[:] = records
        self._out.results[:] = np.zeros((), self._out.results.dtype)
        driver.restore_results(self.games, self._out)

    def _identity(self) -> NamedValues:
        return {
            "rules_version": RULES_VERSION,
            "edition": self.edition,
            "rules": self.rules,
            "courses": self._named_courses(),
            "players": self.players,
            "games": self.num_games,
            "decisions": self.decisions,
            "max_rounds": self.max_rounds,
            "record": hashlib.sha256(repr(self.dtype.descr).encode()).hexdigest()[:8],
        }

    def _named_courses(self) -> list[str]:
        """The courses in a snapshot. They stay the same, and to look for thousands of courses in a cache is slow."""
        if self.generator is not None:
            return [str(self.generator)]
        if self._digests is None:
            self._digests = course_digests(tuple(self.courses))
        return self._digests

    def _checked_snapshot(self, snapshot: bytes) -> bytes:
        if not isinstance(snapshot, (bytes, bytearray, memoryview)) or not bytes(snapshot).startswith(_SNAPSHOT_MAGIC):
            raise SnapshotError("snapshot: expected the bytes of BatchRace.snapshot()")
        head, _, rest = bytes(snapshot)[len(_SNAPSHOT_MAGIC) :].partition(b"\n")
        digest, body = rest[:32], rest[32:]
        if hashlib.sha256(head + body).digest() != digest:
            raise SnapshotError("snapshot: damaged: its check sum does not fit; take it again")
        given = snapshot_head(head)
        for key, mine in self._identity().items():
            its = given.get(key)
            if key == "record" and its != mine:
                raise SnapshotError(
                    "snapshot: it was taken by another version of the package, whose games are other records "
                    f"({cut(str(its))}, "
                    f"here {mine}); take it again with this version"
                )
            if its != mine:
                raise SnapshotError(f"snapshot: it was taken {self._difference(key, its, mine)}")
        if len(body) != self.num_games * self.dtype.itemsize:
            raise SnapshotError(
                f"snapshot: damaged: it has {len(body)} bytes of games, expected {self.num_games * self.dtype.itemsize}"
            )
        return body

    def _difference(self, key: str, its: object, mine: object) -> str:
        """What is different, in words."""
        if key == "courses" and self.generator is None:
            return f"on other courses than those of this batch: {listed(dict.fromkeys(self._slugs), 80)}"
        if isinstance(its, dict) and isinstance(mine, dict) and its.keys() == mine.keys():
            other = [name for name in mine if its[name] != mine[name]]
            words = [", ".join(f"{name}={of[name]!r}" for name in other) for of in (its, mine)]
            return f"with {key} {cut(words[0])}, this batch has {cut(words[1])}"
        return f"with {key} {cut(repr(its))}, this batch has {cut(repr(mine))}"

    def _check_records(self, records: Array) -> None:
        """Raise a RoboRallyError unless the games can go on with these records; generated courses are put in."""
        records["log_at"] = records["frames_at"] = records["logged"] = 0  # addresses, valid in their process only
        if self._generated is not None:
            records["course"] = 0  # where it is in this batch is found by seed and episode
        counts = len(self.courses), len(self.maps.courses)
        check_records("snapshot", records, self.game, self.players, *counts)
        for name, value in self._fixed().items():
            if (records[name] != value).any():
                i = int(np.flatnonzero(records[name] != value)[0])
                raise SnapshotError(f"snapshot: game {i}: {name} is {records[name][i]}; this batch has {value}")
        if self._generated is not None and self._generated.settle(records):
            self._look_at(self._generated)
            self._draw_sheets()
        try:
            check_agreement("snapshot", records, self.maps.courses)
        except RoboRallyError:
            self._settle()  # the courses of the games that stay
            raise

    def _fixed(self) -> dict[str, int]:
        """The fields of the records that the arguments of the batch determine."""
        asks_else = ASK_PURCHASES if self.sells else ASK_NOTHING
        return {
            "players": self.players,
            "max_rounds": self.max_rounds,
            "rules": self._rule_bits,
            "asking": ASK_ALL if self.decisions == "all" else asks_else,
            **({"lays_aside": 1} if self.kind.has("lays_aside") else {}),  # hands have nine slots
        }

    def _game_seeds(self, seed: int) -> NDArray[np.uint64]:
        """The seed of each game: a hash of the batch's seed and the game's number, the same in a part of a batch."""
        numbers = np.arange(self.first_game, self.first_game + self.num_games, dtype=np.uint64)
        out = np.empty(self.num_games, np.uint64)
        driver.game_seeds(np.uint64(seed), numbers, out)
        return out

    def _set_threads(self, threads: int) -> None:
        self.threads = min(check_whole(threads, "threads", 1, MOST_THREADS), most_threads())

    def _allocate(self) -> None:
        self._buffers = new_buffers(self)
        self._turn = 0
        self._out = self._buffers[0]
        self._actions = new_actions(self)
        self._share_actions()

    def _share_actions(self) -> None:
        """Make the views and the scratch memory that belong to the buffers."""
        self._programs = self._actions.programs.reshape(self.num_games, self.players, REGISTERS)  # the same memory
        self._scratch = new_scratch(self)
        self._step_code = StepCode()
        self._drawn = np.full(len(self.courses), -1, np.int64)  # the generated courses whose sheets are drawn, by slot

    def _swap_buffers(self) -> None:
        self._turn ^= 1
        self._out = self._buffers[self._turn]
