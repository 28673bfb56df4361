"""How often a bot wins with more time for each decision: one of it against three others on all nineteen courses.

    python scripts/experiments/strength_by_time.py
    python scripts/experiments/strength_by_time.py --agents learned-search --milliseconds 1000 --games 4 --seeds 2 3

The same deals and seats for every time. A decision's time is the clock's, so run it on a machine that does little else.
The races of a seed on its courses are a block. Finished blocks stay in `--data`, and the same command goes on with
those that are missing; several commands with other seeds, on several machines, can write files of their own, which
`--join` adds. A row is made of all blocks of its agent and time. `--picture` is drawn from the rows against `greedy`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.statistics import wilson
from roborally_env.evaluation.tournament import evaluate
from roborally_env.speed.rows import machine

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))  # of strength.py
EDITION, PLAYERS = "2016", 4


KEY = ("agent", "rival", "milliseconds")
WHOLE = "all nineteen"  # in blocks that were written without the races of each course


def measure(agent: str, rival: str, milliseconds: int, games: int, seed: int, courses: list[str]) -> dict[str, Any]:
    """A block: the races of one seed."""
    from strength import Timed

    spec = f"{agent}:budget={milliseconds}ms"
    rivals = [rival] * (PLAYERS - 1)
    evaluate([Timed(spec, seed), *rivals], courses[:1], edition=EDITION, games=PLAYERS, max_rounds=2)  # compiles
    timed = Timed(spec, seed)
    result = evaluate([timed, *rivals], courses, edition=EDITION, games=games, seed=seed)
    if not result.complete:
        raise KeyboardInterrupt
    rows = {course: result.rows_of(index)[0] for index, course in enumerate(courses)}
    return {
        "agent": agent,
        "rival": rival,
        "milliseconds": milliseconds,
        "seed": seed,
        "games": games,
        "won": {course: round(row.win_rate * row.races, 3) for course, row in rows.items()},
        "measured_ms": round(1000 * timed.seconds / timed.decisions, 3),
        "processor": machine()["processor"],
    }


def summarised(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each agent and time, of all its blocks."""
    rows = []
    for key in dict.fromkeys(tuple(block[name] for name in KEY) for block in blocks):
        mine = [block for block in blocks if tuple(block[name] for name in KEY) == key]
        races: Counter[str] = Counter()
        counts = [block["games"] * len(block["won"]) for block in mine]
        shares = [count / sum(counts) for count in counts]
        won: Counter[str] = Counter()
        for block in mine:
            races.update(dict.fromkeys(block["won"], block["games"]))
            won.update(block["won"])
        rows.append(
            {
                "name": f"{key[0]}_{key[2]}ms",
                **dict(zip(KEY, key, strict=True)),
                **scored(won.total(), races.total()),
                "courses": {course: scored(won[course], races[course]) for course in races},
                "measured_ms": sum(block["measured_ms"] * each for block, each in zip(mine, shares, strict=True)),
                "seeds": sorted({block["seed"] for block in mine}),
                "processors": sorted({block["processor"] for block in mine}),
            }
        )
    return rows


def scored(won: float, races: int) -> dict[str, Any]:
    """A share of races with its interval."""
    low, high = wilson(round(won), races)
    return {"races": races, "score": won / races, "low": low, "high": high}


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """The picture: races won over the time of a decision."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for agent in dict.fromkeys(row["agent"] for row in rows):
        mine = sorted((row for row in rows if row["agent"] == agent), key=lambda row: row["milliseconds"])
        won, low, high = (np.array([100 * row[name] for row in mine]) for name in ("score", "low", "high"))
        times = [row["milliseconds"] for row in mine]
        axes.errorbar(times, won, yerr=(won - low, high - won), marker="o", capsize=3, label=agent)
    axes.axhline(100 / PLAYERS, color="gray", linewidth=1, linestyle=":")
    axes.set(xscale="log", xlabel="milliseconds a decision", ylabel="races won against three greedy, %")
    ticks = sorted({row["milliseconds"] for row in rows})
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False, loc="center right")
    axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="+", default=["planner", "learned-search"])
    parser.add_argument("--rival", default="greedy")
    parser.add_argument("--milliseconds", nargs="+", type=int, default=[10, 30, 100, 300, 1000])
    parser.add_argument("--games", type=int, default=40, help="races on each course with each seed")
    parser.add_argument("--courses", nargs="+", default=list(PROTOCOLS[EDITION].courses), help="default: all nineteen")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--data", type=Path, default=ROOT / "results" / "strength" / "by_time.json")
    parser.add_argument(
        "--join", nargs="*", type=Path, default=[], metavar="FILE", help="add the blocks of these files"
    )
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "pictures" / "strength_by_time.png")
    options = parser.parse_args()
    try:
        blocks = blocks_of(options.data) if options.data.exists() else []
        for path in options.join:
            for block in blocks_of(path):
                blocks += unknown(block, blocks)
    except DataError as error:
        sys.exit(str(error))
    if options.join:
        write(options.data, blocks)
    for seed, milliseconds, agent in itertools.product(options.seeds, options.milliseconds, options.agents):
        known = raced((agent, options.rival, milliseconds, seed), blocks)
        missing = [] if options.join or WHOLE in known else [each for each in options.courses if each not in known]
        if not missing:
            continue
        try:
            blocks.append(measure(agent, options.rival, milliseconds, options.games, seed, missing))
        except RoboRallyError as error:
            sys.exit(str(error))
        except KeyboardInterrupt:
            print("stopped; the same command goes on", file=sys.stderr)
            return 130
        write(options.data, blocks)
        row = next(
            row for row in summarised(blocks) if [row[name] for name in KEY] == [agent, options.rival, milliseconds]
        )
        print(
            f"{agent} {milliseconds} ms ({row['measured_ms']:.1f}): {row['score']:.1%} of {row['races']}",
            flush=True,
        )
    draw([row for row in summarised(blocks) if row["rival"] == "greedy"], options.picture)
    return 0


class DataError(Exception):
    """A file that this script did not write."""


def blocks_of(path: Path) -> list[dict[str, Any]]:
    """The blocks of a file."""
    try:
        blocks = json.loads(path.read_text())["blocks"]
        for block in blocks:
            identity(block)
            scored(sum(block["won"].values()), block["games"] * len(block["won"]))
            if not isinstance(block["measured_ms"], int | float) or not isinstance(block["processor"], str):
                raise TypeError("measured_ms and processor must be a number and a name")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise DataError(f"{path}: not a file of this script, which has blocks of races ({error!r})") from None
    return blocks


def identity(block: dict[str, Any]) -> tuple[Any, ...]:
    """Whose races of which seed a block has."""
    return (*(block[name] for name in KEY), block["seed"])


def raced(key: tuple[Any, ...], blocks: list[dict[str, Any]]) -> set[str]:
    """The courses on which the races of this identity are known."""
    return {course for block in blocks if identity(block) == key for course in block["won"]}


def unknown(block: dict[str, Any], blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A block without the races that other blocks have; none if they have them all."""
    known = raced(identity(block), blocks)
    won = {course: races for course, races in block["won"].items() if course not in known and WHOLE not in known}
    return [{**block, "won": won}] if won else []


def write(path: Path, blocks: list[dict[str, Any]]) -> None:
    """Blocks and their rows."""
    write_whole(path, (json.dumps({"rows": summarised(blocks), "blocks": blocks}, indent=1) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
