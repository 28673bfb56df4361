"""How often a bot wins with more time for each decision: one of it against three others on all nineteen courses.

    python scripts/experiments/strength_by_time.py
    python scripts/experiments/strength_by_time.py --agents learned-search --milliseconds 1000 --games 20

The same deals and seats for every time. A decision's time is the clock's, so run it on a machine that does little else.
Finished measurements stay in `--data`, and the same command goes on with those that are missing. `--picture` is drawn
from all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.tournament import evaluate
from roborally_env.speed.rows import machine

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))  # of strength.py
EDITION, PLAYERS = "2016", 4


def measure(agent: str, rival: str, milliseconds: int, games: int, seed: int) -> dict[str, Any]:
    """A row of the results."""
    from strength import Timed

    spec = f"{agent}:budget={milliseconds}ms"
    courses = list(PROTOCOLS[EDITION].courses)
    rivals = [rival] * (PLAYERS - 1)
    evaluate([Timed(spec, seed), *rivals], courses[:1], edition=EDITION, games=PLAYERS, max_rounds=2)  # compiles
    timed = Timed(spec, seed)
    row = evaluate([timed, *rivals], courses, edition=EDITION, games=games, seed=seed).rows[0]
    return {
        "name": f"{agent}_{milliseconds}ms",
        "agent": agent,
        "rival": rival,
        "milliseconds": milliseconds,
        "races": row.races,
        "score": row.win_rate,
        "low": row.win_low,
        "high": row.win_high,
        "measured_ms": 1000 * timed.seconds / timed.decisions,
        "seed": seed,
        "processor": machine()["processor"],
    }


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
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="+", default=["planner", "learned-search"])
    parser.add_argument("--rival", default="greedy")
    parser.add_argument("--milliseconds", nargs="+", type=int, default=[10, 30, 100, 300, 1000])
    parser.add_argument("--games", type=int, default=40, help="races on each course")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=ROOT / "results" / "strength" / "by_time.json")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "pictures" / "strength_by_time.png")
    options = parser.parse_args()
    rows = json.loads(options.data.read_text())["rows"] if options.data.exists() else []
    done = {(row["agent"], row["rival"], row["milliseconds"]) for row in rows}
    for milliseconds in options.milliseconds:
        for agent in options.agents:
            if (agent, options.rival, milliseconds) in done:
                continue
            try:
                row = measure(agent, options.rival, milliseconds, options.games, options.seed)
            except RoboRallyError as error:
                sys.exit(str(error))
            except KeyboardInterrupt:
                print("stopped; the same command goes on", file=sys.stderr)
                return 130
            rows.append(row)
            print(
                f"{agent} {milliseconds} ms ({row['measured_ms']:.1f}): {row['score']:.1%} of {row['races']}",
                flush=True,
            )
            write_whole(options.data, (json.dumps({"rows": rows}, indent=1) + "\n").encode())
    draw([row for row in rows if row["rival"] == "greedy"], options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
