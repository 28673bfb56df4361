"""exec: a program in any language as an agent. It reads questions and writes answers, a line of JSON each."""

from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.asking import Decision, Positions, Question, answers_in, ask_line, decision_in
from roborally_env.agents.base import Info
from roborally_env.agents.child import Child, Fault, check_posix

from roborally_env.base.checks import check_whole
from roborally_env.base.documents import MEBIBYTE
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.base.terminal import LOG
from roborally_env.base.types import JsonObject

MILLISECONDS = 1000
_MOST_REPORTED = 10  # faults that are reported with a line each
START_SECONDS = 10  # that a program has for its first answer besides
_LATE = 3  # answers in a row that come too late before the program is started again
_STARTS = 10  # in a row without one answer, after which the program is left alone


class ExecAgent:
    """A program that decides: `exec:./my_bot --fast`, or with options `exec:milliseconds=200:./my_bot`.

    Where the program ends, takes too long, or writes anything else than an answer, the default is played: the cards of
    the hand in order, or a choice's default option. Each of these faults is counted in `faults` by its kind, and the
    first ones are logged with a line each; `answered` counts the other decisions. Registers filled by default count as
    repairs, as for every agent. A program that has ended is started again.

    Args:
        command: the program and its arguments, as in a shell; no shell is used.
        seed: of the random numbers in the questions.
        milliseconds: the time for one decision; a line that asks for several has the sum, the first one after a start
            ten seconds more.

    Raises:
        AgentError: for a program that is not there, and for a wrong time.
    """

    needs_observation = False

    def __init__(self, command: str, seed: int = 0, milliseconds: int = MILLISECONDS) -> None:
        check_posix()
        self.command, self.seed = command, seed
        self.milliseconds = check_whole(milliseconds, "milliseconds", 1, 86_400_000)
        self.words = split_command(command)
        self.name = f"exec:{command}"
        self.faults: Counter[str] = Counter()
        self.answered = 0
        self._child: Child | None = None
        self._known: set[str] = set()  # names of courses that were sent to the program
        self._number = self._late = self._starts = 0
        self._down: dict[tuple[int, int, int], bool] = {}  # batch, game, seat -> whether it announces a power down

    def __reduce__(self) -> tuple[type, tuple[str, int, int]]:
        return type(self), (self.command, self.seed, self.milliseconds)

    def close(self) -> None:
        """End the program; the next question starts it again."""
        if self._child is not None:
            self._child.close()
        self._child = None
        self._known = set()
        self._late = 0

    # -- the methods of an agent

    def act(self, observations: Any, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See agents.Agent."""
        batch, found = info.batch, np.zeros((len(masks), 5), np.int8)
        asked = batch.to_act[info.games, info.seats] if batch.announces else batch.programmed[info.games, info.seats]
        rows = np.flatnonzero(asked)
        questions = Positions(batch, self.seed)
        asks = [questions.program(int(info.games[i]), int(info.seats[i]), masks[i]) for i in rows]
        for i, decision in zip(rows, self._decisions(questions, asks), strict=True):
            self._down[id(batch), int(info.games[i]), int(info.seats[i])] = decision is not None and decision.power_down
            if decision is not None and decision.program:
                found[i] = decision.program
        return found

    def announce(self, observations: Any, info: Info) -> NDArray[np.int8]:
        """See agents.Agent: what the answers of `act` said."""
        seats = zip(info.games.tolist(), info.seats.tolist(), strict=True)
        return np.array([self._down.pop((id(info.batch), *seat), False) for seat in seats], np.int8)

    def choose(self, observations: Any, choice_masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See agents.Agent."""
        questions = Positions(info.batch, self.seed)
        seats = zip(info.games.tolist(), info.seats.tolist(), choice_masks, strict=True)
        found = [questions.choice(game, seat, mask) for game, seat, mask in seats]
        decisions = self._decisions(questions, [(row, question) for row, question, _ in found])
        answers = [
            row["default"] if decision is None else decision.option
            for (row, _, _), decision in zip(found, decisions, strict=True)
        ]
        return np.array([1 + numbers[k] for (_, _, numbers), k in zip(found, answers, strict=True)], np.int8)

    # -- inside

    def _decisions(
        self, questions: Positions, asks: Sequence[tuple[Mapping[str, Any], Question]]
    ) -> list[Decision | None]:
        """The decision of each row; None where the default is to be played."""
        if not asks:
            return []
        try:
            answers = self._ask([dict(row) for row, _ in asks], questions)
        except (Fault, RoboRallyError) as error:
            kind = error.kind if isinstance(error, Fault) else "nonsense"
            self._note(kind, str(error), len(asks))
            if kind in ("end", "flood", "start") or (kind == "time" and self._late >= _LATE):
                self.close()
            return [None] * len(asks)
        return [self._checked(answer, question) for answer, (_, question) in zip(answers, asks, strict=True)]

    def _checked(self, answer: object, question: Question) -> Decision | None:
        try:
            decision = decision_in(answer, question)
        except RoboRallyError as error:
            self._note("nonsense", str(error), 1)
            return None
        self.answered += 1
        return decision

    def _ask(self, rows: list[JsonObject], questions: Positions) -> list[Any]:
        """The answers to one line.

        Raises:
            Fault, RoboRallyError: if there is no right answer.
        """
        if self._child is None:
            if self._starts >= _STARTS:
                raise Fault("given up", f"has not answered after {_STARTS} starts and is not started again")
            self._starts += 1
            self._child = Child(self.words)
        self._number += 1
        number, milliseconds = self._number, self.milliseconds * len(rows)
        seconds = milliseconds / 1000 + (0 if self._known else START_SECONDS)
        new = {name: course for name, course in questions.courses.items() if name not in self._known}
        self._known |= set(new)
        line = ask_line(number, rows, new, milliseconds)
        try:
            found = self._child.ask(line, lambda found: not _is_old(found, number), seconds, MEBIBYTE + 256 * len(rows))
        except Fault as fault:
            self._late = self._late + 1 if fault.kind == "time" else 0
            raise
        self._late = 0
        answers: list[Any] = answers_in(found, number, len(rows))
        self._starts = 0
        return answers

    def _note(self, kind: str, text: str, count: int) -> None:
        """Count faults, and log the first ones."""
        before = sum(self.faults.values())
        self.faults[kind] += count
        if before < _MOST_REPORTED:
            LOG.warning("agent %r: %s; the default is played", self.name, text)
            if before + count >= _MOST_REPORTED:
                LOG.warning("agent %r: further faults are counted and not reported", self.name)


_OLD = re.compile(rb'"id"\s*:\s*(\d{1,18})\b')


def _is_old(line: bytes, number: int) -> bool:
    """Whether a line is the late answer to an earlier question."""
    found = _OLD.search(line)
    return found is not None and int(found[1]) < number


def split_command(command: object) -> list[str]:
    """The words of a command, as a shell splits them; the first is the path of a program.

    Raises:
        AgentError: if there is no such program.
    """
    if not isinstance(command, str):
        raise AgentError(f"exec: expected a command, got {command!r}")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise AgentError(f"exec: {command!r}: {error}") from None
    if not words:
        raise AgentError("exec: expected a command after it, such as exec:./my_bot")
    place = shutil.which(words[0])
    if place is None:
        raise AgentError(f"exec: there is no program {words[0]!r}")
    return [place, *words[1:]]
