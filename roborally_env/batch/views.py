"""The results of a step that a BatchRace offers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base import former
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array, NamedValues, Record
from roborally_env.batch.arrays import as_window
from roborally_env.batch.encoding import Encoding
from roborally_env.batch.generated import RaceCourses
from roborally_env.core import choices
from roborally_env.core.driving import driver
from roborally_env.core.driving.rewards import COMPONENTS, results_of
from roborally_env.core.log import event_dict
from roborally_env.core.seeing.masks import write_seats
from roborally_env.core.state import LOG_ROWS, REGISTERS, Kind
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import WIDTH


def ramps_on(tables: Record, bits: int) -> tuple[tuple[int, int], ...]:
    """The cells (x, y) of the ramps in a bit set, from a course's tables."""
    cells = [int(tables["ramp_cell"][i]) for i in range(int(tables["ramps"])) if bits >> i & 1]
    return tuple((cell % WIDTH, cell // WIDTH) for cell in cells)


class BatchViews:
    """The read-only part of BatchRace: observations, rewards, results, and who has to decide."""

    num_games: int
    players: int
    game: str
    kind: Kind
    decisions: str
    observation: str
    masks: bool
    asks_choices: bool
    logging: bool
    framing: bool
    discount: float
    encoding: Encoding
    games: Array
    maps: Any
    _config: driver.Config
    _slugs: Array  # of the courses, as objects
    _generated: RaceCourses | None
    _out: driver.Out
    _turn: int

    # former names
    asked = former.attribute("to_act")
    decisions_asked = former.attribute("pending_decisions")
    programs_laid = former.attribute("submitted_programs")
    repairs = former.attribute("corrected")

    @property
    def observations(self) -> dict[str, Array]:
        """The players' observations, as far as the batch writes them.

        `symbolic` [B, P, n] of the batch's `dtype`, `planes` [B, P, 13, 13, 26] uint8, `masks` [B, P, 5, hand_slots]
        int8 and, if choices are open, `choice_masks` [B, P, 1 + options] int8: entry 0 means "nothing to choose",
        1 + o option o."""
        parts: dict[str, Array] = {}
        if self.observation != "none":
            parts["symbolic"] = self._as_dtype(self._out.symbolic, self._out.bytes, self._out.halves)
        if self.observation == "planes":
            parts["planes"] = as_window(self._out.planes)
        if self.masks:
            parts["masks"] = self._out.masks
        if self.masks and self.asks_choices:
            parts["choice_masks"] = self._out.choice_masks
        return parts

    @property
    def final_observations(self) -> dict[str, Array]:
        """Observations at the end of each game's last race that is over (`auto_reset`), which may be many steps ago."""
        parts: dict[str, Array] = {}
        if self.observation != "none":
            parts["symbolic"] = self._as_dtype(self._out.final_symbolic, self._out.final_bytes, self._out.final_halves)
        if self.observation == "planes":
            parts["planes"] = as_window(self._out.final_planes)
        return parts

    def _as_dtype(self, vectors: Array, codes: Array, halves: Array) -> Array:
        """Those of three arrays that have the batch's dtype."""
        return {"float32": vectors, "uint8": codes, "float16": halves.view(np.float16)}[self.encoding.name]

    @property
    def reward_parts(self) -> dict[str, NDArray[np.float32]]:
        """The components of the last step's rewards, each [B, P]: race, progress, shaping."""
        return {name: self._out.parts[:, :, i] for i, name in enumerate(COMPONENTS)}

    @property
    def reward_components(self) -> NDArray[np.float32]:
        """[B, P, 3]: the same as one array."""
        parts: NDArray[np.float32] = self._out.parts
        return parts

    def shaping_of_waiting(self) -> NDArray[np.float64] | None:
        """[B, P]: the shaping of a step in which nothing is played, (discount - 1) * potential; None if it is 0.

        A step of an environment that is no step of the batch, or several of them, needs it: its shaping is discount *
        potential after - potential before, whatever is played between.
        """
        if not self._config.shaping or self.discount == 1.0:
            return None
        potentials = np.zeros((self.num_games, self.players))
        driver.write_potentials(self.maps, self.games, potentials)
        waiting: NDArray[np.float64] = (self.discount - 1.0) * potentials
        return waiting

    @property
    def corrected(self) -> NDArray[np.int16]:
        """[B, P]: how many registers (or choices) of the last actions were illegal and replaced."""
        corrected: NDArray[np.int16] = self._out.corrected
        return corrected

    @property
    def submitted_programs(self) -> NDArray[np.int8]:
        """[B, P, 5]: the hand slots of the programs submitted last, after corrections."""
        submitted: NDArray[np.int8] = self._out.submitted
        return submitted.reshape(self.num_games, self.players, REGISTERS)

    @property
    def results(self) -> Array:
        """[B] records of each game's last finished race: rounds, winner, place, reached, reboots, taken.

        All zeros, `rounds` too, where none has finished yet, here or since `restore`. After the caller has changed
        `games` they are those of before; see `observe`.
        """
        results: Array = results_of(self._out.results, self.players)
        return results

    @property
    def course_slugs(self) -> Array:
        """[B]: the name of the course of each game's race, as objects. A generated course can be made again from it."""
        found: Array = self._slugs[self.games["course"]]
        return found

    @property
    def course_numbers(self) -> NDArray[np.int64]:
        """[B]: which course each game's race is on: its index in `courses`; of a generated course its number, from
        which its generator makes it again."""
        where = self.games["course"].astype(np.int64)
        return where if self._generated is None else np.asarray(self._generated.stock.numbers[where])

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B]: the race is over and waits for a reset (never with `auto_reset`)."""
        return np.asarray(self.games["step"] == OVER)

    @property
    def programming(self) -> NDArray[np.bool_]:
        """[B]: players submit programs (else a choice is open, or the race is over)."""
        return np.asarray(self.games["step"] == PROGRAM)

    @property
    def programmed(self) -> NDArray[np.bool_]:
        """[B, P]: the robots that get a program in the programming phase; in 2005 and by community rules all but those
        that are off the board or powered down."""
        return self.seats()[0]

    @property
    def to_act(self) -> NDArray[np.bool_]:
        """[B, P]: the robots whose players act in the programming phase: those that get a program, and by community
        rules those that are powered down and may announce another power down."""
        programmed, _, announcing = self.seats()
        return programmed | announcing

    @property
    def pending_decisions(self) -> NDArray[np.int64]:
        """[B, P]: the pending decision of each robot's player, as a number of `core.choices.NAMES`: 1 for a program, 0
        for nothing."""
        programmed, _, announcing = self.seats()
        codes = np.where(programmed, choices.PROGRAM, np.where(announcing, choices.POWER_DOWN, 0))
        codes[~self.programming] = 0
        choosing = np.flatnonzero(~self.programming & ~self.over)
        codes[choosing, self.games["ask_seat"][choosing]] = self.games["ask_kind"][choosing]
        return np.asarray(codes, np.int64)

    def pending_in(self, game: int) -> tuple[list[int], NDArray[np.uint8]]:
        """`pending_decisions` in one game, which is faster than for all; and `closed_registers` while it is
        programming, else zeros."""
        games, game = self.games, check_whole(game, "game", 0, self.num_games - 1)
        step = games["step"].item(game)
        if step == PROGRAM:
            programmed, closed, announcing = self.seats()
            both = zip(programmed[game].tolist(), announcing[game].tolist(), strict=True)
            return [choices.PROGRAM if p else choices.POWER_DOWN if a else 0 for p, a in both], closed
        pending = [0] * self.players
        if step != OVER:
            pending[games["ask_seat"].item(game)] = games["ask_kind"].item(game)
        return pending, np.zeros((self.num_games, self.players), np.uint8)

    @property
    def closed_registers(self) -> NDArray[np.uint8]:
        """[B, P]: registers, as bits, that take no card of the hand: locked ones, and all of a robot that gets no
        program (2005, community); else 0."""
        return self.seats()[1]

    @property
    def may_announce(self) -> NDArray[np.bool_]:
        """[B, P]: the robots for which a power down may be announced with the program (2005, community;
        decisions="program")."""
        return self.seats()[2]

    def seats(self) -> tuple[NDArray[np.bool_], NDArray[np.uint8], NDArray[np.bool_]]:
        """`programmed`, `closed_registers` and the robots that may announce a power down, each [B, P], at once."""
        shape = (self.num_games, self.players)
        seats = np.empty(shape, np.bool_), np.empty(shape, np.uint8), np.empty(shape, np.bool_)
        write_seats(self.games, *seats)
        return seats

    @property
    def announces(self) -> bool:
        """Whether power downs are announced together with programs."""
        return self.kind.has("announced") and self.decisions == "program"

    @former.keywords(begun="partial")
    def events_of(self, game: int, *, partial: bool = False) -> list[NamedValues]:
        """The events of a game in the last step (or reset), in order: moves, pushes, hits, falls, cards drawn.

        docs/observations.md lists the kinds. With `auto_reset` the list ends with the first events of the new race.

        Args:
            game: its number in the batch.
            partial: also the events that led to an open choice in the middle of a part of the round. That part is
                played again when the choice is made, so the next step's events begin with them. Needs `frames=True`.

        Raises:
            RoboRallyError: for a batch made without `events=True`, or a wrong number.
        """
        if not partial:
            return [event_dict(row) for row in self.event_rows(game).tolist()]
        return [event_dict(row) for row in self._out.events[game, : self._partial_rows(game)].tolist()]

    def _partial_rows(self, game: int) -> int:
        """The number of rows of a game's log, with those of a part of the round that an open choice has interrupted.

        The driver puts the record back, and with it the number of rows; the rows themselves stay.
        """
        done = len(self.frames_of(game))
        empty = np.flatnonzero(self._out.events[game, done:, 0] == 0)
        return done + int(empty[0]) if len(empty) else LOG_ROWS

    def event_rows(self, game: int) -> NDArray[np.int16]:
        """The same events as numbers [events, 6]: kind, seat and four fields that `core.log.TABLE` names."""
        if not self.logging:
            raise RoboRallyError("events_of: expected a batch made with events=True")
        i = check_whole(game, "game", 0, self.num_games - 1)
        rows: NDArray[np.int16] = self._out.events[i, : self._out.logged[i]]
        return rows

    @former.keywords(begun="partial")
    def frames_of(self, game: int, *, partial: bool = False) -> Array:
        """The records [events] of a game after each of these events, as in `games`; `partial` as for `events_of`.

        Raises:
            RoboRallyError: for a batch made without `frames=True`, or a wrong number.
        """
        if not self.framing:
            raise RoboRallyError("frames_of: expected a batch made with frames=True")
        i = check_whole(game, "game", 0, self.num_games - 1)
        frames: Array = self._out.frames[i, : self._partial_rows(i) if partial else self._out.logged[i]]
        return frames
