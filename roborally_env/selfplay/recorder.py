"""Recording the decisions of a batch of races during play, in columns instead of one Python object for each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent
from roborally_env.base.types import Array, Function
from roborally_env.batch import BatchRace
from roborally_env.core.choices import POWER_DOWN, PROGRAM
from roborally_env.core.state import REGISTERS
from roborally_env.replay import state_hash
from roborally_env.selfplay import schema
from roborally_env.selfplay.answers import Answers

# beside the columns of a row: the race's place in the batch, and the round of its replay, 0 before the first programs
_OWN_FIELDS = (schema.Column("place_in_batch", "i4", "", "", ""), schema.Column("replay_round", "i4", "", "", ""))
_BITS = np.arange(REGISTERS)


class Notes:
    """The rows of a batch of races without auto-reset, from its start to its end.

    Args:
        batch: at its start.
        line_ups: [B, P] the number of the agent in each seat.
        answers: where the names of answers are numbered.
        courses: [B] the number of the course of each race.
        episode: number of the batch's first race.
        observations: keep what was seen.
    """

    def __init__(
        self,
        batch: BatchRace,
        line_ups: NDArray[np.int64],
        answers: Answers,
        *,
        courses: NDArray[np.int64],
        episode: int,
        observations: bool,
    ) -> None:
        shape = (batch.num_games, batch.players)
        self.batch, self.line_ups, self.answers = batch, line_ups, answers
        self.courses, self.episode, self.observations = courses, episode, observations
        lengths = {schema.HAND: batch.games["hand"].shape[-1], schema.REGISTERS: REGISTERS}
        self._rows = np.zeros(8 * shape[0] * shape[1], schema.row_dtype((*schema.STEPS, *_OWN_FIELDS), lengths))
        self._count = 0
        self._seen: list[NDArray[np.float32]] = []  # observations of the rows, part after part
        self._steps = np.zeros(shape[0], np.int32)  # of each race
        self._programs = np.zeros(shape[0], np.int32)  # programming phases so far
        self._latest = np.full(shape, -1, np.int64)  # the row of each seat's latest decision
        self._hashes = np.zeros((shape[0], batch.max_rounds + 1), np.uint64)  # by round of the replay
        self._note_hashes(np.arange(shape[0]))

    def step(self, programs: NDArray[np.int8], choices: NDArray[np.int8] | None) -> None:
        """`BatchRace.step`, recorded."""
        batch = self.batch
        playing = np.flatnonzero(~batch.over)
        programming = batch.programming
        games, seats = np.nonzero(programming[:, None] & batch.to_act)
        asked = playing[~programming[playing]]
        self._programs[programming] += 1
        submitting = self._begin_programs(games, seats, choices)
        registers = batch.games["registers"][games, seats]
        choosing = self._begin_choices(asked, batch.games["ask_seat"][asked].astype(np.int64), choices)
        batch.step(programs, choices)
        self._steps[playing] += 1
        self._end_programs(self._rows[submitting], games, seats, registers)
        self._rows["repairs"][choosing] = batch.corrected[asked, self._rows["seat"][choosing]]
        self._add_rewards(playing)
        ended = (batch.programming | batch.over)[playing] & (self._programs[playing] > 0)
        self._note_hashes(playing[ended])

    def _begin(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> slice:
        """Add rows for the decisions of seats[k] in races games[k], with the state before the step.

        Returns their indices, which are valid until more rows are added.
        """
        batch, at = self.batch, slice(self._count, self._count + len(games))
        self._count = at.stop
        if self._count > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros(max(len(self._rows), len(games)), self._rows.dtype)])
        rows = self._rows[at]
        rows["round"] = batch.games["round_number"][games]
        rows["step"] = self._steps[games]
        rows["seat"] = seats
        rows["hand"] = batch.games["hand"][games, seats]
        rows["place_in_batch"] = games
        rows["replay_round"] = self._programs[games]
        if self.observations:
            self._seen.append(batch.vectors[games, seats])
        self._latest[games, seats] = np.arange(at.start, at.stop)
        return at

    def _begin_programs(
        self, games: NDArray[np.int64], seats: NDArray[np.int64], choices: NDArray[np.int8] | None
    ) -> slice:
        batch, at = self.batch, self._begin(games, seats)
        rows = self._rows[at]
        rows["decision"] = np.where(batch.programmed[games, seats], PROGRAM, POWER_DOWN)
        rows["locked"] = batch.closed_registers[games, seats]
        rows["option"] = rows["answer"] = -1
        if choices is not None:
            rows["power_down"] = batch.may_announce[games, seats] & (choices[games, seats] == 1)
        return at

    def _begin_choices(
        self, games: NDArray[np.int64], seats: NDArray[np.int64], choices: NDArray[np.int8] | None
    ) -> slice:
        records, at = self.batch.games, self._begin(games, seats)
        wanted = np.full(len(games), -1) if choices is None else choices[games, seats].astype(np.int64) - 1
        legal_options = records["ask_options"][games]
        legal = (wanted >= 0) & (legal_options >> np.maximum(wanted, 0).astype(np.uint64) & np.uint64(1) == 1)
        options = np.where(legal, wanted, records["ask_default"][games])
        rows = self._rows[at]
        rows["decision"] = records["ask_kind"][games]
        rows["program"] = -1
        rows["options"] = legal_options
        rows["option"] = options
        rows["answer"] = self.answers.numbers(records, games, options)
        return at

    def _end_programs(
        self, rows: Array, games: NDArray[np.int64], seats: NDArray[np.int64], registers: NDArray[np.uint8]
    ) -> None:
        """Record the submitted programs; `registers` [n, 5] are the registers before, with locked cards."""
        slots = self.batch.submitted_programs[games, seats]
        from_hand = np.take_along_axis(rows["hand"], slots.astype(np.int64), axis=1)
        locked = rows["locked"][:, None] >> _BITS & 1 == 1
        rows["program"] = np.where(locked, 0, slots)
        rows["cards"] = np.where(locked, registers, from_hand)
        rows["repairs"] = self.batch.corrected[games, seats]

    def _add_rewards(self, playing: NDArray[np.int64]) -> None:
        """Add rewards to each seat's latest decision, also in steps in which only other seats were asked."""
        latest = self._latest[playing]
        known = latest >= 0
        for part in ("race", "progress"):
            self._rows[f"reward_{part}"][latest[known]] += self.batch.reward_parts[part][playing][known]

    def _note_hashes(self, games: NDArray[np.int64]) -> None:
        for i in games:
            self._hashes[i, self._programs[i]] = int(state_hash(self.batch.games[i]), 16)

    def _order(self) -> NDArray[np.int64]:
        """[n]: the order of the rows by race, step and seat; they were recorded by step, race and seat."""
        return np.argsort(self._rows["place_in_batch"][: self._count], kind="stable")

    def seen(self) -> NDArray[np.float32]:
        """[n, size]: the observations of `rows`."""
        return np.concatenate(self._seen)[self._order()]

    def rows(self) -> Array:
        """The rows [n] by race, step and seat, with their outcomes; the races must be over."""
        self._rows["last"][self._latest[self._latest >= 0]] = True
        rows = self._rows[: self._count][self._order()]
        games, seats = rows["place_in_batch"], rows["seat"]
        results = self.batch.results
        rows["episode"] = self.episode + games
        rows["course"] = self.courses[games]
        rows["agent"] = self.line_ups[games, seats]
        rows["place"] = results["place"][games, seats]
        rows["won"] = self._won()[games, seats]
        rows["cut"] = results["cut"][games] == 1
        rows["state_hash"] = self._hashes[games, rows["replay_round"]]
        return rows

    def _teams(self) -> NDArray[np.int64]:
        """[B, P]: the team of each seat; without teams the seat itself."""
        batch = self.batch
        if batch.kind.has("team"):
            return np.asarray(batch.games["team"][:, : batch.players].astype(np.int64))
        return np.tile(np.arange(batch.players), (batch.num_games, 1))

    def _won(self) -> NDArray[np.bool_]:
        """[B, P]: whether a seat, or its team, has won."""
        winner, teams = self.batch.results["winner"].astype(np.int64), self._teams()
        of_winner = np.take_along_axis(teams, np.maximum(winner, 0)[:, None], axis=1)
        return np.asarray((teams == of_winner) & (winner >= 0)[:, None])

    def episodes(self) -> Array:
        """One row for each race [B]."""
        batch, results = self.batch, self.batch.results
        found = np.zeros(batch.num_games, schema.row_dtype(schema.EPISODES, {schema.SEATS: batch.players}))
        found["episode"] = self.episode + np.arange(batch.num_games)
        found["course"] = self.courses
        found["game"] = batch.first_game + np.arange(batch.num_games)
        found["seed"] = batch.games["seed"]
        found["players"] = batch.players
        found["rounds"], found["steps"] = results["rounds"], self._steps
        found["winner"], found["cut"] = results["winner"], results["cut"] == 1
        found["agents"], found["teams"] = self.line_ups, self._teams()
        found["places"], found["checkpoints"] = results["place"], results["reached"]
        found["reboots"], found["damage"] = results["reboots"], results["taken"].sum(axis=2)
        for i, rounds in enumerate(self._programs):
            found["hashes"][i] = self._hashes[i, : rounds + 1]
        return found


def play_noted(
    batch: BatchRace,
    agents: Sequence[Agent],
    notes: Notes,
    stopped: Callable[[], bool],
    asked: Function,
) -> bool:
    """Play and record every race of the batch to its end; False if `stopped` returned True before. `asked` decides as
    `racing.decide`."""
    while not batch.over.all():
        if stopped():
            return False
        notes.step(*asked(batch, agents, notes.line_ups))
    return True
