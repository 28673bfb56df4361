"""Trying an agent out: short races in every edition, and a line for everything that is wrong with it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent, Info, make_agent
from roborally_env.agents.base import agent_problems, class_of, lacks_act, new_agent
from roborally_env.agents.decisions import called, checked
from roborally_env.agents.foreign import ExecAgent
from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.text import counted
from roborally_env.base.types import Array
from roborally_env.core.choices import NAMES
from roborally_env.core.rule_options import check_edition
from roborally_env.courses.model import EDITIONS
from roborally_env.evaluation.benchmark.protocol import AGENT_SEED, TIME_CLASSES, time_class
from roborally_env.evaluation.benchmark.scores import times_of
from roborally_env.evaluation.races import play_races
from roborally_env.evaluation.setup import check_setup

GAMES, ROUNDS = 6, 12  # of an edition; with three opponents
AGAIN = 3  # calls of each method in an edition that are repeated with an agent made anew
PATIENCE = 3  # calls after which a program that has not answered once is given up


class Finding(NamedTuple):
    """One line: what was looked at, whether it is right, and what was found."""

    where: str  # "protocol", "time", or the edition, also with its decisions
    ok: bool
    text: str


def check_agent(spec: str, editions: Sequence[str] = (), asked_class: str = "") -> Iterator[Finding]:
    """Yield what there is to say about an agent, right or wrong, as it is found.

    Args:
        spec: as for `make_agent`.
        editions: those in which it races; all, if there is none.
        asked_class: the time class that its decisions must hold, a name of `TIME_CLASSES`; "" for none.

    Raises:
        RoboRallyError: for an agent that cannot be made, an unknown edition or time class.
    """
    if asked_class:
        check_choice(asked_class, "--class", tuple(TIME_CLASSES))
    editions = [check_edition(name) for name in editions or EDITIONS]
    if lack := lacks_act(*class_of(spec)):
        yield Finding("protocol", False, lack)
        return
    agent, place = new_agent(spec, AGENT_SEED)
    problems = list(agent_problems(agent, place))
    yield from (Finding("protocol", False, text) for text in problems)
    if problems:
        return
    methods = [name for name in ("act", "choose", "announce") if hasattr(agent, name)]
    yield Finding("protocol", True, f"{agent.name!r}, with {', '.join(methods)}")
    calls: list[tuple[int, int]] = []
    for edition in dict.fromkeys(editions):
        for decisions in ("program", "all") if "choose" in methods else ("program",):
            where = edition if decisions == "program" else f'{edition}, decisions="all"'
            reason = getattr(agent, "unknown_editions", {}).get(edition)
            if reason:
                yield Finding(edition, True, f"not played: {reason}")
                break
            tried = Tried(spec)
            yield from (Finding(where, *found) for found in _raced(tried, edition, decisions))
            calls += tried.calls
    if calls:
        yield _timed(calls, asked_class)


def _raced(tried: Tried, edition: str, decisions: str) -> list[tuple[bool, str]]:
    """(right, text) of what was found in the races of an edition."""
    agents: list[Agent | str] = [tried, "random", "random", "random"]
    setup = check_setup(
        agents, None, games=GAMES, edition=edition, seed=AGENT_SEED, max_rounds=ROUNDS, decisions=decisions
    )
    made, line_ups = setup.make_agents(), setup.line_ups(0, 0, GAMES)
    try:
        races = play_races(setup.batch(0, 0, GAMES, made), made, line_ups) or []
    except RoboRallyError as error:
        tried.calls.clear()  # how soon it fails is not how long it thinks
        return [(False, str(error)), *tried.wrong()]
    finally:
        tried.close()
    own = zip(races, line_ups, strict=True)
    repairs = sum(n for race, seats in own for n, agent in zip(race.repairs, seats, strict=True) if agent == 0)
    found = tried.wrong(repairs)
    if found:
        return found
    choices = f" and {counted(tried.answers['choose'], 'choice')}" if tried.answers["choose"] else ""
    return [(True, f"{counted(tried.answers['act'], 'program')}{choices}, all legal, the same when asked again")]


def _timed(calls: Sequence[tuple[int, int]], asked_class: str) -> Finding:
    """The time of a decision, and its class."""
    times = times_of(calls)
    assert times is not None  # there are calls
    found = time_class(times.median_ms / 1e3)
    text = f"class {found}: median {times.median_ms:.3g} ms a decision, 95% within {times.within_95_percent_ms:.3g} ms"
    held = not asked_class or TIME_CLASSES[found] <= TIME_CLASSES[asked_class]
    return Finding("time", held, text if held else f"{text}; expected class {asked_class}")


class Tried:
    """Stands for an agent in races, and looks at its answers."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._agent: Agent = make_agent(spec, AGENT_SEED)
        self.name = self._agent.name
        self.needs_observation = self._agent.needs_observation
        self.calls: list[tuple[int, int]] = []  # rows and microseconds of each call
        self.answers: Counter[str] = Counter()  # by method
        self._repeated: Counter[str] = Counter()
        self._mistakes: dict[str, list[str]] = {}  # a line -> each case of it, in words
        self._illegal = ""  # the first illegal program
        # `decide` looks whether an agent has these
        if hasattr(self._agent, "choose"):
            self.choose = self._choose
        if hasattr(self._agent, "announce"):
            self.announce = self._announce

    def wrong(self, repairs: int = 0) -> list[tuple[bool, str]]:
        """(False, text) of each mistake; `repairs` is the number of illegal registers."""
        lines = [f"{text} ({counted(len(cases), 'time')}{cases[0]})" for text, cases in self._mistakes.items()]
        if self._unanswered():
            lines.append(self._faults())
        if repairs:
            first = f"; the first: {self._illegal}" if self._illegal else ""
            defaults = ", those of decisions without an answer among them" if self._unanswered() else ""
            lines.append(f"{counted(repairs, 'illegal register')}, replaced by the next legal slot{defaults}{first}")
        return [(False, line) for line in lines]

    def close(self) -> None:
        """End the program of an `exec:` agent."""
        if isinstance(self._agent, ExecAgent):
            self._agent.close()

    def _unanswered(self) -> int:
        """The number of decisions that a program has not answered."""
        return sum(self._agent.faults.values()) if isinstance(self._agent, ExecAgent) else 0

    def _faults(self) -> str:
        """How many decisions a program has not answered, and why."""
        assert isinstance(self._agent, ExecAgent)
        wrong = self._unanswered()
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self._agent.faults.items()))
        asked = counted(wrong + self._agent.answered, "decision")
        return f"no legal answer to {wrong} of {asked}, so the default was played ({kinds})"

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> Array:
        """See Agent.act."""
        unanswered = self._unanswered()
        programs = self._answers("act", (observations, masks), info, (masks.shape[1],), info.batch.hand_slots - 1)
        if not self._illegal and self._unanswered() == unanswered:
            found = (illegal(program, mask) for program, mask in zip(programs, masks, strict=True))
            self._illegal = next(filter(None, found), "")
        return programs

    def _choose(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> Array:
        choices = self._answers("choose", (observations, masks), info, (), masks.shape[1] - 1)
        for row in np.flatnonzero(masks[np.arange(len(choices)), choices] != 1):
            asked = NAMES[int(info.batch.games["ask_kind"][info.games[row]])]
            legal = ", ".join(map(str, np.flatnonzero(masks[row])))
            case = f"; the first: {asked} with {choices[row]}, where the mask allows {legal}"
            self._mistake("choose gave an answer that its mask does not allow", case)
        return choices

    def _announce(self, observations: NDArray[np.float32] | None, info: Info) -> Array:
        return self._answers("announce", (observations,), info, (), 1)

    def _answers(
        self, method: str, arguments: Sequence[Array | None], info: Info, shape: tuple[int, ...], most: int
    ) -> Array:
        """The answers of the agent, [n, *shape], numbers 0..most."""
        rows, before = len(info.games), info.batch.games.tobytes()
        given = [None if array is None else array.copy() for array in arguments]
        started = time.perf_counter()
        given_back = called(self._agent, method, *given, info)
        self.calls.append((rows, round(1e6 * (time.perf_counter() - started))))
        answers: Array = checked(self._agent, method, given_back, (rows, *shape), most).copy()
        self.answers[method] += rows
        if isinstance(self._agent, ExecAgent) and not self._agent.answered:
            if len(self.calls) >= PATIENCE and self._unanswered():
                raise RoboRallyError(f"the program gave no answer in {PATIENCE} calls, so the races were stopped")
            return answers  # nothing to repeat
        if info.batch.games.tobytes() != before:
            self._mistake(f"{method} changes the records of the games (info.batch.games)")
        if self._repeated[method] < AGAIN:
            self._repeated[method] += 1
            self._repeat(method, arguments, info, answers, most)
        return answers

    def _repeat(self, method: str, arguments: Sequence[Array | None], info: Info, answers: Array, most: int) -> None:
        """Ask an agent that is made anew, for the rows in another order."""
        order = np.arange(len(answers))[::-1]
        given = [None if array is None else array[order] for array in arguments]
        part = Info(info.batch, info.games[order], info.seats[order])
        found = called(make_agent(self._spec, AGENT_SEED), method, *given, part)
        if not (checked(self._agent, method, found, answers.shape, most) == answers[order]).all():
            self._mistake(
                f"{method}: a new instance with the same seed answers differently when the rows are in another order; "
                "an answer may depend only on the row's own game, the seat and the seed"
            )

    def _mistake(self, text: str, case: str = "") -> None:
        self._mistakes.setdefault(text, []).append(case)


def illegal(program: Array, mask: NDArray[np.int8]) -> str:
    """The first mistake of a program [5] by its masks [5, slots], in words; "" for a legal one."""
    for register, slot in enumerate(program):
        if not mask[register].any():  # a locked register
            continue
        used = [before for before in range(register) if mask[before].any() and program[before] == slot]
        if used:
            return f"slot {slot} is in registers {used[0] + 1} and {register + 1}; each slot is used once"
        if mask[register, slot] != 1:
            allowed = ", ".join(map(str, np.flatnonzero(mask[register])))
            return f"slot {slot} in register {register + 1}, where the mask allows {allowed}"
    return ""
