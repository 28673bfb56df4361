"""The races behind the vector interfaces: which rows a learner plays, and playing on until its next decision.

A row is one seat of one game that the learner plays. In `SeatRaces` the learner has one seat in each game and agents
have the others; in `SelfPlayRaces` it has every seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.driving import driver
from roborally_env.core.driving.rewards import COMPONENTS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.envs.infos import empty_programs, programs_played, registers_shut
from roborally_env.envs.reset_options import NOT_CHOSEN
from roborally_env.envs.vec_opponents import OpponentSeats

MAX_SEED = 2**64 - 1
_EPISODE_BEFORE_THE_FIRST = np.uint64(MAX_SEED)

Mask = NDArray[np.bool_]  # [G] games or [N] rows


class Outcome(NamedTuple):
    """The results of playing on, for the rows that took part; zeros for other rows."""

    rewards: NDArray[np.float64]  # [N]
    parts: dict[str, NDArray[np.float64]]  # the components, each [N]
    corrected: NDArray[np.int64]  # [N]
    ended: Mask  # [N]
    truncated: Mask  # [N] ended by max_rounds
    programs: NDArray[np.int8]  # [N, 5] the programs, see `infos.programs_played`
    courses: NDArray[Any]  # [N] the name of the course that was raced on, as objects; or [0], see `reports_courses`
    course_numbers: NDArray[np.int64]  # [N] its number, see `BatchRace.course_numbers`; or [0]
    rounds: NDArray[np.int64]  # [N] rounds of the race that ended
    places: NDArray[np.float64]  # [N] place in that race


class Races(PicklableArrays, ABC):
    """G races, N rows. The batch begins the next race of a game by itself; `begin` shows it to the learner.

    Attributes:
        batch: the games.
        num_rows: N.
        games, seats: int64 [N], the game and the seat of each row.
        reports_programs, reports_courses: whether outcomes have the programs and the courses.
    """

    def __init__(self, batch: BatchRace, num_rows: int) -> None:
        self.batch = batch
        self.num_rows = num_rows
        self.games = np.zeros(num_rows, np.int64)
        self.seats = np.zeros(num_rows, np.int64)
        self.reports_programs = self.reports_courses = True

    @property
    def places(self) -> NDArray[np.int64]:
        """[N]: game * P + seat of each row, its place among all seats of the batch."""
        return self.games * self.batch.players + self.seats

    @abstractmethod
    def reset(self, rows: Mask, seeds: Sequence[int | None], courses: NDArray[np.int64] | None = None) -> None:
        """Begin new races for these rows, each by its seed, or for None the game's next race. All rows of a game must
        be reset together.

        `courses` [N] are the indices of the courses where these races are; NOT_CHOSEN, as None, lets a race draw its
        own.
        """

    @abstractmethod
    def begin(self, rows: Mask) -> None:
        """Let the learner begin with the race that the batch has started in these rows."""

    @abstractmethod
    def play(self, rows: Mask, programs: NDArray[np.int8], chosen: NDArray[np.int8]) -> Outcome:
        """Play programs int8 [N, 5] and choices [N] of these rows, then go on until their next decision or the race is
        over; the races of other rows do not change."""

    def check_together(self, rows: Mask, what: str) -> None:
        """Raise a RoboRallyError for some rows [N] of a game without its others; `what` is the argument."""
        seats = rows.reshape(self.batch.num_games, -1)
        if (seats.any(axis=1) != seats.all(axis=1)).any():
            raise RoboRallyError(f"{what}: expected all seats of a game together, got a part of them")

    # -- what the rows see

    @property
    def programming(self) -> Mask:
        """[N]: whether the row's game is in the programming phase."""
        return np.asarray(self.batch.programming[self.games])

    @property
    def to_act(self) -> Mask:
        """[N]: whether the row's seat has to act."""
        records = self.batch.games
        choosing = (records["step"] != PROGRAM) & (records["step"] != OVER)
        chooses = choosing[self.games] & (records["ask_seat"][self.games] == self.seats)
        return np.asarray((self.programming & self.batch.to_act[self.games, self.seats]) | chooses)

    def decisions(self) -> NDArray[np.int64]:
        """[N]: the pending decision of each row, as a number of `core.choices.NAMES`; 0 for nothing."""
        return np.asarray(self.batch.pending_decisions[self.games, self.seats])

    def round_numbers(self) -> NDArray[np.int64]:
        """[N]: the round number of each row's race."""
        return np.asarray(self.batch.games["round_number"][self.games], np.int64)

    def course_names(self) -> NDArray[Any]:
        """[N]: the name of the course of each row's race, as objects."""
        return np.asarray(self.batch.course_slugs[self.games])

    def course_numbers(self) -> NDArray[np.int64]:
        """[N]: the number of the course of each row's race, see `BatchRace.course_numbers`."""
        return np.asarray(self.batch.course_numbers[self.games])

    def final(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """A copy of the last observation ("symbolic", "planes") of these rows in their last finished race."""
        return np.asarray(self.batch.final_observations[name][self.games[rows], self.seats[rows]])

    # -- playing

    def _step_in_place(self, playing: Mask) -> None:
        """Step the games that are `playing` [G]; records and observations of other games do not change.

        A step does not change a race that is over, so the other games are marked as over meanwhile. If there are any,
        the buffers do not alternate, because the other buffer has old content of those games.
        """
        batch = self.batch
        if playing.all():
            batch.step_prepared()
            return
        batch._swap_buffers()  # the step swaps them back
        batch.step_prepared()

    def _hold(self, playing: Mask) -> NDArray[Any]:
        """Mark all games but those `playing` as over, and their ends as shown, for `decide` and the step; returns the
        argument of `_release`."""
        steps = self.batch.games["step"].copy()
        self.batch.games["step"][~playing] = OVER
        self.batch._scratch.shown[~playing] = driver.SETS
        return steps

    def _release(self, playing: Mask, steps: NDArray[Any]) -> None:
        self.batch.games["step"][~playing] = steps[~playing]

    def restart(self, rows: Mask, ready: Mask, seeds: Sequence[int | None], courses: NDArray[np.int64] | None) -> None:
        """As `reset`, but for rows that are `ready`: their next race has begun already and must not be skipped, so it
        stays, or begins anew on the course that is chosen for it."""
        if courses is not None:
            seats = self.num_rows // self.batch.num_games
            courses = np.repeat(courses[::seats], seats)  # that of a game is its first row's
            again = rows & ready & (courses != NOT_CHOSEN)
            self.batch.games["episode"][np.unique(self.games[again])] -= np.uint64(1)
            ready = ready & ~again
        if (rows & ~ready).any():
            self.reset(rows & ~ready, seeds, courses)

    def _seed_games(self, games: Mask, seeds: Sequence[int | None], courses: NDArray[np.int64] | None = None) -> None:
        """Begin new races in `games` [G], as in a batch of one game with seeds[g], or the next episode, on courses[g]
        or on those that they draw; observe all games."""
        records = self.batch.games
        for g in np.flatnonzero(games).tolist():
            seed = seeds[g]
            if seed is not None:
                own = np.zeros(1, np.uint64)
                driver.game_seeds(np.uint64(seed), np.zeros(1, np.uint64), own)
                records["seed"][g] = own[0]
                records["episode"][g] = _EPISODE_BEFORE_THE_FIRST
        drawn = games if courses is None else games & (courses == NOT_CHOSEN)
        if courses is not None and (games & ~drawn).any():
            self.batch.reset(None, games & ~drawn, np.maximum(courses, 0))
        if drawn.any():
            self.batch.reset(None, drawn)

    def new_outcome(self) -> Outcome:
        """An empty outcome."""
        n = self.num_rows
        return Outcome(
            np.zeros(n),
            {name: np.zeros(n) for name in COMPONENTS},
            np.zeros(n, np.int64),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
            empty_programs(n),
            self.course_names() if self.reports_courses else np.zeros(0, object),
            self.course_numbers() if self.reports_courses else np.zeros(0, np.int64),
            np.zeros(n, np.int64),
            np.zeros(n),
        )

    def _note(self, outcome: Outcome, rows: NDArray[np.int64], over: Mask) -> None:
        """Add the last step's results for these rows; `over` [len(rows)]: whether their race ended with it."""
        games, seats = self.games[rows], self.seats[rows]
        rewards, parts = self.batch._out.rewards, self.batch.reward_parts
        outcome.rewards[rows] += rewards[games, seats]
        for name, values in outcome.parts.items():
            values[rows] += parts[name][games, seats]
        ended, games, seats = rows[over], games[over], seats[over]
        if not len(ended):
            return
        results = self.batch.results
        outcome.ended[ended] = True
        outcome.truncated[ended] = self.batch._out.truncated[games]
        outcome.rounds[ended] = results["rounds"][games]
        outcome.places[ended] = results["place"][games, seats]

    def add_shaping(self, outcome: Outcome, rows: NDArray[np.int64], shaping: NDArray[np.float64]) -> None:
        """Add the `shaping` [G, P] of their seats to these rows."""
        added = shaping[self.games[rows], self.seats[rows]]
        outcome.parts["shaping"][rows] += added
        if self.batch.reward == "shaped":
            outcome.rewards[rows] += added

    def _note_programs(self, outcome: Outcome, rows: NDArray[np.int64], shut: NDArray[np.uint8] | None) -> None:
        """Note the programs of these rows; `shut` is `registers_shut` before the step, None if it is not reported."""
        if shut is not None:
            outcome.programs[rows] = programs_played(self.batch, shut)[self.games[rows], self.seats[rows]]

    # -- saving

    def state_dict(self) -> NamedValues:
        """The state from which races made with the same arguments go on exactly with `load_state_dict`."""
        return {"batch": self.batch.snapshot()}

    def load_state_dict(self, state: NamedValues) -> None:
        """Go on from a `state_dict`."""
        self.batch.restore(state["batch"])


class SelfPlayRaces(Races):
    """Every seat is a row: row game * P + seat."""

    def __init__(self, batch: BatchRace) -> None:
        super().__init__(batch, batch.num_games * batch.players)
        self.games, self.seats = (part.reshape(-1) for part in np.indices((batch.num_games, batch.players)))
        self._places = np.arange(self.num_rows)

    @property
    def places(self) -> NDArray[np.int64]:
        """See Races; they never change."""
        return self._places

    def reset(self, rows: Mask, seeds: Sequence[int | None], courses: NDArray[np.int64] | None = None) -> None:
        """See Races; a game uses the seed and the course of its first row."""
        each = self.batch.players
        self._seed_games(rows[::each], seeds[::each], None if courses is None else courses[::each])

    def begin(self, rows: Mask) -> None:
        """See Races; there is nothing to do."""

    def play(self, rows: Mask, programs: NDArray[np.int8], chosen: NDArray[np.int8]) -> Outcome:
        """See Races. Somebody is always asked, so this is one step."""
        batch, outcome = self.batch, self.new_outcome()
        playing = rows[:: batch.players]
        if not playing.any():
            return outcome
        batch.actions[0][:] = programs.reshape(batch.actions[0].shape)
        batch.actions[1][:] = chosen.reshape(batch.actions[1].shape)
        batch.actions[2][:] = 0
        shut = registers_shut(batch) if self.reports_programs else None
        steps = self._hold(playing)
        self._step_in_place(playing)
        self._release(playing, steps)
        played = np.flatnonzero(rows)
        outcome.corrected[played] = batch.corrected.reshape(-1)[played]
        self._note_programs(outcome, played, shut)
        ended = batch._out.terminated | batch._out.truncated
        self._note(outcome, played, ended[self.games[played]])
        return outcome


class SeatRaces(Races):
    """One row for each game; agents have the other seats.

    The seat is drawn for each race, or always the same. A game's crew (its agents, in seat order) changes only when a
    race begins.
    """

    def __init__(self, batch: BatchRace, crews: OpponentSeats, seat: int | None, seed: int) -> None:
        super().__init__(batch, batch.num_games)
        self.crews = crews
        self.wanted_seat = seat
        self.games = np.arange(batch.num_games)
        self.seats[:] = 0 if seat is None else seat
        self._generators = [self._generator(seed) for seed in range(seed, seed + batch.num_games)]

    def _generator(self, seed: int) -> np.random.Generator:
        """The generator that draws a game's seats: that of a single env with this seed, after it has drawn agents'
        seeds."""
        generator, _ = seeding.np_random(seed)
        generator.integers(2**31, size=self.batch.players - 1)
        return generator

    def reset(self, rows: Mask, seeds: Sequence[int | None], courses: NDArray[np.int64] | None = None) -> None:
        """See Races."""
        for g in np.flatnonzero(rows).tolist():
            seed = seeds[g]
            if seed is not None:
                self._generators[g] = self._generator(check_whole(seed, "seed", 0, MAX_SEED))
        self._seed_games(rows, seeds, courses)

    def begin(self, rows: Mask) -> None:
        """See Races: draws the seats, seats new crews, and plays on to the learner's first decision."""
        for g in np.flatnonzero(rows).tolist():
            if self.wanted_seat is None:
                self.seats[g] = self._generators[g].integers(self.batch.players)
        self.crews.board(rows)
        running = rows & ~self.to_act
        while running.any():  # other seats buy first
            self._step(running, None, None)
            running &= ~self.to_act

    def play(self, rows: Mask, programs: NDArray[np.int8], chosen: NDArray[np.int8]) -> Outcome:
        """See Races."""
        outcome = self.new_outcome()
        shut = registers_shut(self.batch) if self.reports_programs else None
        running, first = rows.copy(), True
        while running.any():
            between = None if first else self.batch.shaping_of_waiting()
            self._step(running, programs if first else None, chosen if first else None)
            played = np.flatnonzero(running)
            if between is not None:  # the potential there does not count
                self.add_shaping(outcome, played, -between)
            if first:
                outcome.corrected[played] = self.batch.corrected[played, self.seats[played]]
                self._note_programs(outcome, played, shut)
            over = (self.batch._out.terminated | self.batch._out.truncated)[played]
            self._note(outcome, played, over)
            running[played[over]] = False
            running &= ~self.to_act
            first = False
        return outcome

    def _step(self, playing: Mask, programs: NDArray[np.int8] | None, chosen: NDArray[np.int8] | None) -> None:
        """Play one step of these games with the actions of the learner and the agents."""
        batch, mine = self.batch, (self.games, self.seats)
        steps = self._hold(playing)
        try:
            others, answers = self.crews.decide(self.seats)
            batch.actions[0][:] = others
            batch.actions[1][:] = 0 if answers is None else answers
            batch.actions[2][:] = 0
            if programs is not None and chosen is not None:
                batch.actions[0][mine] = programs
                batch.actions[1][mine] = chosen
            self._step_in_place(playing)
        finally:
            self._release(playing, steps)

    def state_dict(self) -> NamedValues:
        """See Races; the state does not contain the agents themselves."""
        return {
            **super().state_dict(),
            "seats": self.seats.copy(),
            "generators": [generator.bit_generator.state for generator in self._generators],
            "crews": self.crews.state_dict(),
        }

    def load_state_dict(self, state: NamedValues) -> None:
        """See Races."""
        super().load_state_dict(state)
        self.seats[:] = state["seats"]
        for generator, own in zip(self._generators, state["generators"], strict=True):
            generator.bit_generator.state = own
        self.crews.load_state_dict(state["crews"])
