"""Running `roborally bench`: every row in each of several laps, each beside the yardstick."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from roborally_env.base.threads import most_threads
from roborally_env.batch import BatchRace
from roborally_env.speed.rows import YARDSTICK, Report, Row, machine
from roborally_env.speed.tasks import Task, game_of_rules, other_rows, tasks
from roborally_env.speed.yardstick import Yardstick


def run(
    course: str = "dizzy_highway",
    players: int = 4,
    *,
    runs: int = 5,
    seconds: float = 1.0,
    threads: int = 2,
    quick: bool = False,
    start: bool = True,
    more: Sequence[Task] = (),
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
        more: tasks to measure beside those of the simulator.
        start: also measure the cold compile and the cached start, in new processes.
        progress: called with the name of the present step, the number of steps done, and the number of all steps.
    """
    threads = min(threads, most_threads())
    progress("compiling", 0, runs + 1)
    wanted, yardstick = [*tasks(course, players, threads, quick), *more], Yardstick()
    rates: list[float] = []
    for i in range(runs):
        progress(f"run {i + 1}", i, runs + 1)
        for task in wanted:
            rates.append(yardstick.rate())
            task.run(seconds, rates[-1])
    for task in wanted:
        task.finish()
    rows = [_yardstick_row(rates)]
    rows += [task.row for task in wanted]
    raced = [("lighter", course, players), ("complete", course, players)]
    raced += [(kind, course, players) for kind, rows in other_rows().items() if not rows.courses]
    raced += [
        (kind, own.courses[-1], robots) for kind, own in other_rows().items() if own.courses for robots in own.players
    ]
    for rules, where, robots in raced:
        race = BatchRace(1, where, players=robots, observation="none", **game_of_rules(rules))
        rows.append(Row("memory", "bytes a game", median=float(race.games.itemsize), rules=rules, players=robots))
    if start:
        progress("starts", runs, runs + 1)
        rows += start_rows(course)
    settings = {"course": course, "players": players, "runs": runs, "seconds": seconds, "threads": threads}
    return Report(machine(), settings, rows)


def _yardstick_row(rates: list[float]) -> Row:
    median = statistics.median(rates)
    return Row(YARDSTICK, "decisions/s", median=median, low=min(rates), high=max(rates), runs=rates, ratio=1.0)


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
