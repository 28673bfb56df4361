"""The agent under test: its decisions are timed, and where it raises an error it loses that race."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent, Info, make_agent
from roborally_env.agents.decisions import called, checked
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array, JsonObject

Answers = NDArray[np.int8]


class Watched:
    """An agent that stands in for another one.

    A call with an error, or with an answer of a wrong shape, dtype or range, is repeated for each row alone. The races
    of the rows that fail again are lost: `random` programs that robot to the end of the race.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._stand_in: Agent = make_agent("random")
        self.name = agent.name
        self.needs_observation = agent.needs_observation
        self.calls: list[tuple[int, int]] = []  # rows and microseconds of each call
        self.crashed: dict[int, str] = {}  # number of the game -> the error in one line
        self.traceback = ""  # of the first error in the agent's code
        # `decide` looks whether an agent has these
        if hasattr(agent, "choose"):
            self.choose = self._choose
        if hasattr(agent, "announce"):
            self.announce = self._announce

    def noted(self) -> JsonObject:
        """What was noted so far, as JSON values."""
        return {"calls": self.calls, "crashed": list(self.crashed.items()), "traceback": self.traceback}

    def put_back(self, noted: JsonObject) -> None:
        """Go on from what `noted` gave."""
        self.calls = [(rows, microseconds) for rows, microseconds in noted["calls"]]
        self.crashed, self.traceback = dict(noted["crashed"]), noted["traceback"]

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> Answers:
        """See Agent.act."""

        def stand_in(rows: NDArray[np.int64]) -> Answers:
            return np.asarray(self._stand_in.act(None, masks[rows], _part(info, rows)))

        return self._answers("act", (observations, masks), info, (masks.shape[1],), info.batch.hand_slots - 1, stand_in)

    def _choose(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> Answers:
        def stand_in(rows: NDArray[np.int64]) -> Answers:
            return np.asarray(1 + info.batch.games["ask_default"][info.games[rows]], np.int8)

        return self._answers("choose", (observations, masks), info, (), masks.shape[1] - 1, stand_in)

    def _announce(self, observations: NDArray[np.float32] | None, info: Info) -> Answers:
        return self._answers("announce", (observations,), info, (), 1, lambda rows: np.zeros(len(rows), np.int8))

    def _answers(
        self,
        method: str,
        arguments: Sequence[Array | None],
        info: Info,
        shape: tuple[int, ...],
        most: int,
        stand_in: Callable[[NDArray[np.int64]], Answers],
    ) -> Answers:
        """The answers of all rows, [n, *shape], numbers 0..most; for lost races those of the stand-in."""
        answers = np.zeros((len(info.games), *shape), np.int8)

        def ask(rows: NDArray[np.int64]) -> None:
            given = [None if array is None else array[rows] for array in arguments]
            part = _part(info, rows)
            wall, cpu = time.perf_counter(), time.process_time()
            found = called(self._agent, method, *given, part)
            seconds = max(time.perf_counter() - wall, time.process_time() - cpu)
            answers[rows] = checked(self._agent, method, found, (len(rows), *shape), most)
            self.calls.append((len(rows), round(1e6 * seconds)))

        racing = self._racing(info)
        if len(racing):
            try:
                ask(racing)
            except RoboRallyError:
                for row in racing:
                    self._ask_alone(ask, info, row)
        lost = np.setdiff1d(np.arange(len(info.games)), self._racing(info))
        if len(lost):
            answers[lost] = stand_in(lost)
        return answers

    def _ask_alone(self, ask: Callable[[NDArray[np.int64]], None], info: Info, row: int) -> None:
        """Ask for one row; its race is lost if that fails."""
        try:
            ask(np.array([row]))
        except RoboRallyError as error:
            self.crashed[info.batch.first_game + int(info.games[row])] = str(error)
            if error.__cause__ is not None and not self.traceback:
                self.traceback = "".join(traceback.format_exception(error.__cause__))

    def _racing(self, info: Info) -> NDArray[np.int64]:
        """The rows of races that are not lost."""
        lost = [number - info.batch.first_game for number in self.crashed]
        return np.flatnonzero(~np.isin(info.games, lost))


def _part(info: Info, rows: NDArray[np.int64]) -> Info:
    return Info(info.batch, info.games[rows], info.seats[rows])
