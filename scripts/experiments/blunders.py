"""Whether what `roborally review` calls a blunder is one: by a search of ten times the budget, and by races to the end.

    python scripts/experiments/blunders.py --races 100

The agents and courses are those of `calibration.py`. Every program that lost a little at least (`WORTH`) is
judged again by ten times as many simulations, in other deals. The larger search agrees with a blunder if it finds a
loss of the same threshold. So each threshold has a share with which it agrees; the one of the package stands in
`roborally_env/review/model.py`. Both programs are also played out to the end of the race, in the same deals, with
everybody as `greedy`: how much less often the one that was played wins.

Each race is written to `--out` when it is done; run it again to go on where it was stopped. At the end the numbers go
to `--data`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from calibration import RESULTS, races, write
from rich.progress import track
from roborally_env.agents.candidates import MOST, Candidates

from roborally_env.base.errors import RoboRallyError
from roborally_env.core.searching.best_list import FIVE
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.races import decide
from roborally_env.evaluation.setup import Setup
from roborally_env.evaluation.statistics import wilson
from roborally_env.replay import Recorder, Replay
from roborally_env.review.builder import SIMULATIONS, Position, Reviewer
from roborally_env.review.model import BLUNDER

TIMES = 10  # the budget of the search that judges again
WORTH = 0.04  # what a program has to lose to be judged again
TO_THE_END, END_DEALS = 60, 400  # rounds, and deals in which races are played to their end
THRESHOLDS = (0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2)


def recorded(setup: Setup, agents: Sequence[Any], course: int, game: int) -> Replay:
    """A race of a tournament's setup, played and recorded."""
    batch = setup.batch(course, game, 1, agents)
    line_up = setup.line_ups(course, game, 1)
    recorder = Recorder(batch, setup.seed, [setup.names[agent] for agent in line_up[0]])
    while not batch.over[0]:
        recorder.step(*decide(batch, agents, line_up))
    return recorder.replay()


def judged_twice(replay: Replay) -> dict[str, Any]:
    """The programs of a race: how many there are, how many are brilliant, and of those that lost something the loss
    beyond its error with the loss that the larger search finds."""
    once, larger = Reviewer(replay, SIMULATIONS, 0), Reviewer(replay, TIMES * SIMULATIONS, 1)
    counts = {"programs": 0, "brilliant": 0}
    doubted: list[tuple[float, float, float]] = []
    for position in once.positions:
        for seat in range(replay.robots) if position.programs else ():
            first = once.program(position, seat)
            if first is None:
                continue
            counts["programs"] += 1
            counts["brilliant"] += first.mark == "brilliant"
            if first.loss - first.error >= WORTH:
                second = larger.program(position, seat)
                assert second is not None
                found = first.loss, second.loss, lost_to_the_end(once, position, seat)
                doubted.append((round(found[0] - first.error, 4), round(found[1], 4), round(found[2], 4)))
    return {**counts, "doubted": doubted}


def lost_to_the_end(reviewer: Reviewer, position: Position, seat: int) -> float:
    """How much less often a seat wins with its program than with the best one, if all play as `greedy` from then on."""
    programs = np.zeros((1, MOST, FIVE), np.int8)
    programs[0, 0], programs[0, 1] = reviewer.search(position, seat)[0], position.programs[seat]
    reviewer.batch.games[0] = position.game
    at = np.zeros(1, np.int64), np.array([seat])
    wins = Candidates(reviewer.batch).chances(*at, END_DEALS, programs, np.array([2]), TO_THE_END)[0]
    return float(wins[0] - wins[1])


def judge_races(edition: str, count: int, seed: int, path: Path) -> list[dict[str, Any]]:
    """What is known of the races of a file, after those that are missing have been judged and added to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    agents: Sequence[Any] = ()
    with path.open("a") as file:
        for setup, course, game in track(list(races(edition, count, seed))[len(found) :], edition, transient=True):
            agents = agents or setup.make_agents()
            found.append(judged_twice(recorded(setup, agents, course, game)))
            file.write(json.dumps(found[-1]) + "\n")
            file.flush()
    return found[:count]


def agreement(found: Sequence[dict[str, Any]]) -> Iterator[dict[str, float]]:
    """A row for each threshold: how many blunders it makes, and how many of them the larger search agrees with."""
    judged = np.array([row for race in found for row in race["doubted"]]).reshape(-1, 3)
    for threshold in THRESHOLDS:
        first, second, end = judged[judged[:, 0] >= threshold].T
        agreed = int((second >= threshold).sum())
        if len(first):
            low, high = wilson(agreed, len(first))
            half = 1.96 * float(end.std()) / len(end) ** 0.5
            yield {
                "threshold": threshold, "blunders": len(first), "agreed": agreed,
                "share": round(agreed / len(first), 4), "low": round(low, 4), "high": round(high, 4),
                "lost": round(float(first.mean()), 4), "to_the_end": round(float(end.mean()), 4),
                "half": round(half, 4),
            }  # fmt: skip


def report(edition: str, found: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    """What was measured of an edition, as JSON values."""
    return {
        "edition": edition, "races": len(found), "seed": seed, "simulations": SIMULATIONS, "times": TIMES,
        "blunder": BLUNDER, "programs": sum(race["programs"] for race in found),
        "brilliant": sum(race["brilliant"] for race in found), "thresholds": list(agreement(found)),
    }  # fmt: skip


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", nargs="+", default=["2016"], choices=list(PROTOCOLS))
    parser.add_argument("--races", type=int, default=100, help="of each edition")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("out/blunders"))
    parser.add_argument("--data", type=Path, default=RESULTS / "blunders.json")
    options = parser.parse_args(arguments)
    if options.races < 1 or options.seed < 0:
        parser.error("--races, --seed: expected whole numbers from 1 and from 0")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the thresholds."""
    options = read_options(arguments)
    rows = []
    try:
        for edition in options.editions:
            path = options.out / f"{edition}_{options.seed}.jsonl"
            rows.append(report(edition, judge_races(edition, options.races, options.seed, path), options.seed))
            for row in rows[-1]["thresholds"]:
                print(f"{edition}: threshold {row['threshold']}: {row['agreed']} of {row['blunders']} blunders")
    except RoboRallyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    write(options.data, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
