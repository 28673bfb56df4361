"""How far the chances to win of `roborally review` can be believed: what they said in races, and who won.

    python scripts/experiments/calibration.py --editions 2016 2005

Two `planner`, one `learned` and one `greedy` race on all courses of RoboRally-Bench, and the chances before each round
are compared with who won. `--fit` does that at several temperatures in races of their own (another seed) and prints the
log loss of each: `roborally_env/review/builder.py` has the best one. Without it the reliability curve is measured.

Each race is written to `--out` when it is over; run it again to go on where it was stopped. At the end the numbers go
to `--data`, and `--picture` is drawn from all editions in there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from roborally_env.base.errors import RoboRallyError
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.races import decide
from roborally_env.evaluation.setup import Setup, check_setup
from roborally_env.evaluation.statistics import Z95
from roborally_env.review.builder import DEALS, Predictor

AGENTS = ("planner:simulations=300", "planner:simulations=300", "learned", "greedy")
MAX_ROUNDS = 60
TEMPERATURES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6)
FIT_DEALS = 50  # enough to compare temperatures, which are eleven
FIT_SEED = 1_000_003  # added to the seed: a temperature is measured in other races than it was fitted to
BINS = 10
RESULTS = Path(__file__).parents[2] / "results" / "review"


def races(edition: str, count: int, seed: int) -> Iterator[tuple[Setup, int, int]]:
    """(setup, course, game) of `count` races, in turn on each course, with the agents in rotated seats."""
    courses = [f"{edition}/{name}" for name in PROTOCOLS[edition].courses]
    setup = check_setup(
        AGENTS, courses, games=-(-count // len(courses)), players=len(AGENTS), edition=edition, seed=seed,
        max_rounds=MAX_ROUNDS,
    )  # fmt: skip
    places = [(course, game) for game in range(setup.games) for course in range(len(courses))]
    for course, game in places[:count]:
        yield setup, course, game


def predicted(setup: Setup, agents: Sequence[Any], course: int, game: int, temperatures: Sequence[float | None]) -> Any:
    """A race, played to its end: the winner, and the chances [rounds][P] at each temperature (None: the fitted one)."""
    batch = setup.batch(course, game, 1, agents)
    line_up = setup.line_ups(course, game, 1)
    predictors = [Predictor(batch, setup.seed, temperature) for temperature in temperatures]
    deals = DEALS if len(predictors) == 1 else FIT_DEALS
    chances: list[list[Any]] = [[] for _ in predictors]
    while not batch.over[0]:
        for rows, predictor in zip(chances, predictors, strict=True) if batch.programming[0] else ():
            rows.append(predictor.of(batch.games[0], deals).round(5).tolist())
        batch.step(*decide(batch, agents, line_up))
    return {"course": course, "game": game, "winner": int(batch.results[0]["winner"]), "chances": chances}


def play(edition: str, count: int, seed: int, temperatures: Sequence[float | None], path: Path) -> list[Any]:
    """The races of a file, after those that are missing have been played and added to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {(race["course"], race["game"]) for race in found}
    agents: Sequence[Any] = ()
    with path.open("a") as file:
        for setup, course, game in track(list(races(edition, count, seed)), edition, transient=True):
            agents = agents or setup.make_agents()
            if (course, game) not in done:
                found.append(predicted(setup, agents, course, game, temperatures))
                file.write(json.dumps(found[-1]) + "\n")
                file.flush()
    return found[:count]


def losses(found: Iterable[Any], at: int) -> tuple[float, float]:
    """(log loss, that of equal chances): minus the mean log of the winner's chance before each round."""
    chances = [row[race["winner"]] for race in found if race["winner"] >= 0 for row in race["chances"][at]]
    return float(-np.log(np.maximum(chances, 1e-4)).mean()), float(np.log(len(AGENTS)))


def reliability(found: Sequence[Any]) -> Iterator[dict[str, float]]:
    """A row for each tenth: how many chances lie in it, their mean, how often they came true, and half the 95%
    interval of that. Chances of one race depend on each other, so races are what scatters."""
    rows = [
        (number, chance, race["winner"] == seat)
        for number, race in enumerate(found)
        for of_round in race["chances"][0]
        for seat, chance in enumerate(of_round)
    ]
    race, chance, won = (np.array(column) for column in zip(*rows, strict=True))
    places = np.minimum((chance * BINS).astype(int), BINS - 1)
    for place in range(BINS):
        mine = places == place
        if mine.any():
            share, count = float(won[mine].mean()), int(mine.sum())
            by_race = np.bincount(race[mine], won[mine] - share)
            yield {
                "chances": count, "mean": round(float(chance[mine].mean()), 4), "won": round(share, 4),
                "half": round(Z95 * float(np.sqrt((by_race**2).sum())) / count, 4),
            }  # fmt: skip


def report(edition: str, found: Sequence[Any], seed: int) -> dict[str, Any]:
    """What was measured of an edition, as JSON values."""
    bins = list(reliability(found))
    count = sum(row["chances"] for row in bins)
    loss, equal = losses(found, 0)
    return {
        "edition": edition, "races": len(found), "seed": seed, "deals": DEALS, "agents": AGENTS, "chances": count,
        "log_loss": round(loss, 4), "log_loss_of_equal_chances": round(equal, 4),
        "error": round(sum(row["chances"] * abs(row["mean"] - row["won"]) for row in bins) / count, 4), "bins": bins,
    }  # fmt: skip


def write(path: Path, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put the rows of some editions into a file of results; returns all that it has, by edition."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(path.read_text()) if path.exists() else {}
    kept |= {row["edition"]: row for row in rows}
    path.write_text(json.dumps(kept, indent=1) + "\n")
    return dict(sorted(kept.items()))


def draw(measured: dict[str, Any], path: Path) -> None:
    """The reliability curve of each edition. Needs matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.0 * len(measured), 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (edition, row) in zip(figure.subplots(1, len(measured), squeeze=False)[0], measured.items(), strict=True):
        mean, won, half = ([100 * each[name] for each in row["bins"]] for name in ("mean", "won", "half"))
        axes.plot([0, 100], [0, 100], color="gray", linestyle=":", linewidth=1)
        axes.errorbar(mean, won, yerr=half, color="#4c78a8", marker="o", markersize=4, capsize=3)
        axes.set(title=f"{edition}: {row['races']:,} races", xlabel="chance to win, %", ylabel="won, %")
        axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", nargs="+", default=list(PROTOCOLS), choices=list(PROTOCOLS))
    parser.add_argument("--fit", action="store_true", help="compare temperatures instead")
    parser.add_argument("--races", type=int, default=1000, help="of each edition")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/calibration"))
    parser.add_argument("--data", type=Path, default=RESULTS / "calibration.json")
    parser.add_argument("--picture", type=Path, help="where to draw the curve")
    options = parser.parse_args(arguments)
    if options.races < 1 or options.seed < 0:
        parser.error("--races, --seed: expected whole numbers from 1 and from 0")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Measure, or compare temperatures."""
    options = read_options(arguments)
    rows = []
    try:
        for edition in options.editions:
            if options.fit:
                path = options.out / f"{edition}_fit_{options.seed}.jsonl"
                found = play(edition, options.races, options.seed + FIT_SEED, TEMPERATURES, path)
                for at, temperature in enumerate(TEMPERATURES):
                    print(f"{edition}: temperature {temperature}: log loss {losses(found, at)[0]:.4f}")
                continue
            found = play(edition, options.races, options.seed, (None,), options.out / f"{edition}_{options.seed}.jsonl")
            rows.append(report(edition, found, options.seed))
            print(f"{edition}: log loss {rows[-1]['log_loss']}, mean error {rows[-1]['error']}")
    except RoboRallyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    measured = write(options.data, rows) if rows else {}
    if options.picture and measured:
        draw(measured, options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
