"""The committed benchmark: rows of rates. Each rate is the median of several interleaved runs; each run also times a
calibration loop."""

from __future__ import annotations

import itertools
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numba
import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.batch.supply import make
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.core.state import COMPLETE, LIGHTER, REGISTERS, kind_of
from roborally_env.courses.generate import Generator
from roborally_env.threads import most_threads

BATCHES = (1, 64, 256, 1024, 4096)
COURSE_2005, PLAYERS_2005 = "2005/risky_exchange", (4, 8)  # of the rows of the 2005 edition
COURSES_COMMUNITY = ("dizzy_highway", "community/summit_works")  # of the rows of the community edition: flat, on levels
OWN_COURSES = ("2005", "community")  # editions with these courses; other rows use the report's course
NEVER_DOWN = ("community",)  # no power downs in these rows: rounds of powered-down robots would be too quick
RULES = {LIGHTER: {"upgrades": False}, COMPLETE: {"upgrades": True}}  # rule options that select a game
CALIBRATION_STEPS = 1_000_000
GENERATED = ("generated:levels=100", "generated")  # of the rows of races on generated courses
RACES, SHORT_RACE, WARM_UP_RACES = 64, 30, 8  # games, rounds, and races of each game before the first run


@dataclass
class Row:
    """One measurement. Rates are per second; `median`, `low` and `high` count things of the named `unit`."""

    name: str
    unit: str
    batch: int | None = None
    threads: int | None = None
    observation: str | None = None
    masks: bool | None = None
    auto_reset: bool | None = None
    rules: str | None = None  # "complete" or "lighter" of 2016, "2005", "2023" or "community"
    course: str | None = None  # None: the report's course
    players: int | None = None
    decisions: str | None = None
    idle_rows: bool | None = None
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    rounds_per_second: float | None = None
    decisions_per_second: float | None = None
    ratio: float | None = None  # rate / calibration rate of the same run; compare machines by this
    runs: list[float] = field(default_factory=list)


@dataclass
class Report:
    """All rows, and the machine and versions that they were measured on."""

    machine: dict[str, Any]
    settings: dict[str, Any]
    rows: list[Row]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        return asdict(self)


@kernel
def _calibrate(steps: int) -> int:
    """Run a fixed chain of dependent integer steps, which shows the present speed of one core."""
    word = 1
    for i in range(steps):
        word = (word * 1103515245 + 12345) ^ i
    return word


def machine() -> dict[str, Any]:
    """The machine and the versions that the figures belong to."""
    from importlib.metadata import version

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "roborally_env": version("roborally_env"),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


class _Done(NamedTuple):
    """The work of a run: things of the row's unit, rounds, decisions (one program or one choice of one robot)."""

    things: float
    rounds: float | None = None
    decisions: float | None = None


class _Task:
    """A row, and the function `once` that a run of it repeats; `once` returns the work that it did."""

    def __init__(self, row: Row, once: Callable[[], _Done]) -> None:
        self.row, self.once = row, once
        self.rounds: list[float] = []  # one rate for each run
        self.decisions: list[float] = []

    def run(self, seconds: float) -> None:
        """Repeat `once` for this many seconds and append the rates."""
        done, start = [], time.perf_counter()
        while True:
            done.append(self.once())
            taken = time.perf_counter() - start
            if taken >= seconds:
                break
        self.row.runs.append(sum(each.things for each in done) / taken)
        if done[0].rounds is not None:
            self.rounds.append(sum(each.rounds or 0.0 for each in done) / taken)
            self.decisions.append(sum(each.decisions or 0.0 for each in done) / taken)

    def finish(self, calibration: list[float]) -> None:
        row = self.row
        row.median, row.low, row.high = statistics.median(row.runs), min(row.runs), max(row.runs)
        row.ratio = statistics.median(rate / base for rate, base in zip(row.runs, calibration, strict=True))
        if self.rounds:
            row.rounds_per_second = statistics.median(self.rounds)
            row.decisions_per_second = statistics.median(self.decisions)


def _batch_task(
    course: str, players: int, batch: int, threads: int, observation: str, masks: bool, auto_reset: bool,
    rules: str = "lighter", decisions: str = "program", idle_rows: bool = True,
) -> _Task:  # fmt: skip
    race = BatchRace(
        batch, course, players=players, observation=observation, masks=masks, auto_reset=auto_reset, threads=threads,
        seed=0, max_rounds=None, decisions=decisions, idle_rows=idle_rows, **_game(rules),
    )  # fmt: skip
    steps = max(1, 2048 // batch)
    every_step_a_round = not race.asks_choices
    may_lie = race.kind.has("down")  # robots that are down or off the board have no program

    def once() -> _Done:
        if not auto_reset:
            race.reset()
        rounds = programs = 0
        for _ in range(steps):
            programming = race.programming.copy()
            rounds += batch if every_step_a_round else int(programming.sum())
            if may_lie:
                programs += int(race.programmed[programming].sum())
            choices = race.sample()[1]
            if rules in NEVER_DOWN:
                choices[programming] = 0
            race.step_prepared()
        programs = programs if may_lie else rounds * players
        asked = programs + (steps * batch - rounds)  # a step outside a programming phase asks one seat
        return _Done(rounds if decisions == "program" else asked, rounds, asked)

    for _ in range(_warm_up(race)):
        once()
    name = "core" if observation == "none" else observation
    unit = "rounds/s" if decisions == "program" else "decisions/s"
    row = Row(
        name, unit, batch, threads, observation, masks, auto_reset, rules=rules, players=players, decisions=decisions,
        idle_rows=idle_rows, course=course if rules in OWN_COURSES else None,
    )  # fmt: skip
    return _Task(row, once)


def _warm_up(race: BatchRace) -> int:
    """Steps before the first measured run, so that cards, energy and damage are as in the middle of races."""
    if race.kind.has("options"):
        return 20
    return 100 if race.kind.has("owned") or race.asks_choices else 1


def _game(rules: str) -> dict[str, Any]:
    """The edition and the rule options of a row's game."""
    return {"rules": RULES[rules]} if rules in RULES else {"edition": kind_of(rules).edition}


def _env_task(course: str, players: int, rules: str) -> _Task:
    from roborally_env import parallel_env

    env = parallel_env(course=course, players=players, **_game(rules))
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    slots = env.batch.hand_slots
    programs = [{a: rng.permutation(slots)[:REGISTERS] for a in env.possible_agents} for _ in range(64)]
    if env.batch.asks_choices:  # nothing is bought, nobody powers down
        nothing = 0 if env.batch.kind.has("announced") else 1
        programs = [{a: np.append(p, nothing) for a, p in actions.items()} for actions in programs]

    def once() -> _Done:
        rounds = 0
        for actions in programs:
            rounds += bool(env.batch.programming[0])
            env.step(actions)
            if not env.agents:
                env.reset()
        return _Done(rounds, rounds, rounds * players + len(programs) - rounds)

    once()
    row = Row(
        "parallel_env", "rounds/s", 1, 1, "symbolic", True, False, rules=rules, players=players, decisions="program",
        course=course if rules in OWN_COURSES else None,
    )  # fmt: skip
    return _Task(row, once)


def _greedy_task(course: str, players: int) -> _Task:
    lighter = {"upgrades": False}
    race = BatchRace(64, course, players=players, observation="none", masks=False, seed=0, rules=lighter)
    games = np.arange(64, dtype=np.int64)
    seats = np.zeros(64, np.int64)
    out = np.zeros((64, REGISTERS), np.int8)

    def once() -> _Done:
        greedy_programs(race.maps, race.games, games, seats, out)
        return _Done(64)

    once()
    return _Task(Row("greedy", "searches/s", 64, 1, rules="lighter", players=players), once)


def _making_task() -> _Task:
    """Courses made, with their tables, solo moves and distances."""
    generator, numbers = Generator(seed=1), itertools.count()

    def once() -> _Done:
        make(generator, LIGHTER, next(numbers))
        return _Done(1)

    once()
    return _Task(Row("courses made", "courses/s", rules="lighter", course=str(generator.specification)), once)


def _races_task(course: str, players: int) -> _Task:
    """Short races with random programs; on generated courses their making counts, as far as it cannot be done ahead."""
    race = BatchRace(
        RACES, course, players=players, observation="none", masks=False, seed=0, max_rounds=SHORT_RACE,
        rules=RULES[LIGHTER],
    )  # fmt: skip

    def once() -> _Done:
        before = int(race.games["episode"].sum())
        for _ in range(SHORT_RACE):
            race.sample()
            race.step_prepared()
        return _Done(int(race.games["episode"].sum()) - before)

    for _ in range(WARM_UP_RACES):  # a generator's few courses are all made then
        once()
    return _Task(Row("races", "races/s", RACES, 1, "none", False, True, "lighter", course, players), once)


def _tasks(course: str, players: int, threads: int, quick: bool) -> Iterator[_Task]:
    for count in range(1, threads + 1):
        for batch in (256,) if quick else BATCHES:
            yield _batch_task(course, players, batch, count, "none", False, True)
    yield _batch_task(course, players, 256, 1, "none", False, False)
    yield _batch_task(course, players, 256, 1, "none", True, True)
    for observation in ("symbolic", "planes"):
        for batch in (256,) if quick else BATCHES:
            yield _batch_task(course, players, batch, 1, observation, True, True)
    yield _batch_task(course, players, 256, 1, "symbolic", True, False)
    for batch in (256,) if quick else (256, 1024):
        yield _batch_task(course, players, batch, 1, "none", False, True, "complete")
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete")
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete", idle_rows=False)
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete", "all")
    for observation, masks in (("none", False), ("symbolic", True)):
        yield _batch_task(course, players, 256, 1, observation, masks, True, "2023")
    for rules in ("lighter", "complete"):
        yield _env_task(course, players, rules)
    yield _greedy_task(course, players)
    for robots in PLAYERS_2005:
        for batch in (256,) if quick else (256, 1024):
            yield _batch_task(COURSE_2005, robots, batch, 1, "none", False, True, "2005")
            yield _batch_task(COURSE_2005, robots, batch, 1, "symbolic", True, True, "2005")
    yield _batch_task(COURSE_2005, PLAYERS_2005[0], 256, 1, "planes", True, True, "2005")
    yield _batch_task(COURSE_2005, PLAYERS_2005[0], 256, 1, "symbolic", True, True, "2005", "all")
    yield _env_task(COURSE_2005, PLAYERS_2005[0], "2005")
    yield from _community_tasks(quick)
    yield _making_task()
    for where in (course, *GENERATED):
        yield _races_task(where, players)


def _community_tasks(quick: bool) -> Iterator[_Task]:
    for course in COURSES_COMMUNITY:
        for batch in (256,) if quick else (256, 1024):
            yield _batch_task(course, 4, batch, 1, "none", False, True, "community")
            yield _batch_task(course, 4, batch, 1, "symbolic", True, True, "community")
            yield _batch_task(course, 4, batch, 1, "symbolic", True, True, "community", idle_rows=False)
    yield _batch_task(course, 4, 256, 1, "planes", True, True, "community")
    yield _batch_task(course, 4, 256, 1, "symbolic", True, True, "community", "all")
    yield _env_task(course, 4, "community")


def run(
    course: str = "dizzy_highway",
    players: int = 4,
    *,
    runs: int = 5,
    seconds: float = 1.0,
    threads: int = 2,
    quick: bool = False,
    start: bool = True,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> Report:
    """Measure all rows. Every run goes once through all of them, so that a noisy minute affects all rows alike.

    The rows of the 2005 edition are on Risky Exchange with four and eight robots, those of the community edition on
    Dizzy Highway and Summit Works with four, whatever `course` says.

    Args:
        course, players: the race of the other rows.
        runs: how many runs; the median is reported.
        seconds: how long a run repeats each row.
        threads: the largest number of threads that is measured, from 1 on.
        quick: measure batch 256 only.
        start: also measure the cold compile and the cached start, in new processes.
        progress: called with the name of the present step, the number of steps done, and the number of all steps.
    """
    threads = min(threads, most_threads())
    progress("compiling", 0, runs + 1)
    tasks = list(_tasks(course, players, threads, quick))
    calibration: list[float] = []
    _calibrate(CALIBRATION_STEPS)
    for i in range(runs):
        progress(f"run {i + 1}", i, runs + 1)
        calibration.append(_calibration_rate())
        for task in tasks:
            task.run(seconds)
    for task in tasks:
        task.finish(calibration)
    rows = [
        Row(
            "calibration",
            "steps/s",
            median=statistics.median(calibration),
            low=min(calibration),
            high=max(calibration),
            runs=calibration,
        )
    ]
    rows += [task.row for task in tasks]
    raced = [("lighter", course, players), ("complete", course, players), ("2023", course, players)]
    raced += [("2005", COURSE_2005, robots) for robots in PLAYERS_2005]
    raced.append(("community", COURSES_COMMUNITY[-1], 4))
    for rules, where, robots in raced:
        race = BatchRace(1, where, players=robots, observation="none", **_game(rules))
        rows.append(Row("memory", "bytes a game", median=float(race.games.itemsize), rules=rules, players=robots))
    if start:
        progress("starts", runs, runs + 1)
        rows += start_rows(course)
    settings = {"course": course, "players": players, "runs": runs, "seconds": seconds, "threads": threads}
    return Report(machine(), settings, rows)


def _calibration_rate() -> float:
    best = 1e9
    for _ in range(20):
        start = time.perf_counter()
        _calibrate(CALIBRATION_STEPS)
        best = min(best, time.perf_counter() - start)
    return CALIBRATION_STEPS / best


FIRST_STEP = """
from roborally_env import parallel_env
env = parallel_env(course={course!r})
observations, infos = env.reset(seed=0)
env.step({{agent: env.action_space(agent).sample() for agent in env.agents}})
"""


def start_rows(course: str) -> list[Row]:
    """Seconds from process start to the first step of parallel_env: with an empty cache, then with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _seconds_to_first_step(course, cache)
        cached = [_seconds_to_first_step(course, cache) for _ in range(5)]
    return [
        Row("cold_compile", "s", median=cold, low=cold, high=cold, runs=[cold]),
        Row("cached_start", "s", median=statistics.median(cached), low=min(cached), high=max(cached), runs=cached),
    ]


def _seconds_to_first_step(course: str, cache: str) -> float:
    environment = {**os.environ, "ROBORALLY_CACHE": cache}
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_STEP.format(course=course)], env=environment, check=True, capture_output=True
    )
    return time.perf_counter() - start
