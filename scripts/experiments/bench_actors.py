"""What a run of `roborally train selfplay` with actors costs in processor time, for the table in docs/training.md.

    python scripts/experiments/bench_actors.py        # without actors, with one, with two; both kinds of deals
    python scripts/experiments/bench_actors.py --actors 4 --rounds 10

Each run has a folder of its own that is removed. The script measures the processor seconds of the learner and of
the actors from the second update on, when machine code is loaded; so a busy machine gives the same figures.
Decisions a second and the share of the time in which the learner waited are by the clock on the wall.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from roborally_env.agents import base

from roborally_env import RoboRallyError
from roborally_env.executors import WorkerPool, executor_for
from roborally_env.training.selfplay.actor_run import ActedRun
from roborally_env.training.selfplay.actors import Actor, Rollouts
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.run import Run

RESULTS = Path(__file__).parents[2] / "results" / "learning" / "actors.json"
SETTINGS: dict[str, dict[str, Any]] = {
    "by default": {},
    "--deals 0 --league greedy": {"deals": [0], "league": ["greedy"]},
}
COURSES = ["dizzy_highway", "twister"]


@dataclass
class Row:
    """What a run has shown."""

    options: str
    actors: int
    rounds: int  # measured updates
    decisions: int  # in these
    seconds: float  # by the clock on the wall
    wait: float  # share of them in which the learner waited
    learner: float  # processor seconds
    playing: float  # of all actors together


@dataclass(frozen=True)
class Timed(Rollouts):
    """The work of actors, with the processor seconds that each rollout took."""

    def do(self, made: Actor, part: Any, stopped: Callable[[], bool]) -> Any:
        """See Rollouts."""
        began = time.process_time()
        return super().do(made, part, stopped), time.process_time() - began


class TimedCrew:
    """A crew whose rollouts are timed."""

    def __init__(self, crew: WorkerPool) -> None:
        self.crew, self.seconds = crew, 0.0
        self.share, self.submit = crew.share, crew.submit

    def result(self, ticket: Any) -> Any:
        """See Crew."""
        found, seconds = self.crew.result(ticket)
        self.seconds += seconds
        return found


@contextmanager
def started_run(options: Options) -> Iterator[tuple[Run, Callable[[], float]]]:
    """A run, and a function that returns the processor seconds of its actors."""
    if not options.actors:
        yield Run(options), lambda: 0.0
        return
    work = Timed(options, dict(base.REGISTRY), torch.__version__)
    with executor_for(options.actors, None) as executor, executor.crew(work) as crew:
        timed = TimedCrew(crew)
        yield ActedRun(options, timed), lambda: timed.seconds


def measure(setting: str, actors: int, games: int, rounds: int) -> Row:
    """Train for `rounds` updates, and one before them."""
    with tempfile.TemporaryDirectory() as folder:
        options = Options(
            out=folder, courses=COURSES, games=games, actors=actors, device="cpu", opponents=[], **SETTINGS[setting]
        )
        options.check()
        with started_run(options) as (run, playing):
            run.iterate_and_report()
            decisions, waited = run.total(), 0.0
            spent = time.perf_counter(), time.process_time(), playing()
            for _ in range(rounds):
                run.iterate_and_report()
                waited += run.clock.get("wait", 0.0)
            seconds, learner, played = (
                now - then
                for now, then in zip((time.perf_counter(), time.process_time(), playing()), spent, strict=True)
            )
            run.progress.close()
    return Row(setting, actors, rounds, run.total() - decisions, seconds, waited / seconds, learner, played)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actors", type=int, nargs="+", default=[0, 1, 2], help="numbers of actors (0 1 2)")
    parser.add_argument("--games", type=int, default=64, help="races at once of the run and of each actor (64)")
    parser.add_argument("--rounds", type=int, default=3, help="updates that are measured (3)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="file of the rows (results/learning/actors.json)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds: expected at least 1, got {options.rounds}")
    rows: list[Row] = []
    for setting in SETTINGS:
        for actors in options.actors:
            try:
                rows.append(measure(setting, actors, options.games, options.rounds))
            except RoboRallyError as error:
                sys.exit(f"bench_actors: {error}")
            print(rows[-1], flush=True)
    options.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
