"""Two trainings of as many decisions beside each other: `roborally train ppo` and `roborally train sb3`.

    python scripts/experiments/learning_curves.py
    python scripts/experiments/learning_curves.py --plot

Both learn in self-play on Dizzy Highway, lighter game, on one core, one after the other; their runs stay in `--out`.
What came out is written to `--data`, from which `docs/tables/write_docs.py` makes a table, and drawn. `--plot` draws it
again, and does nothing else. Needs the extras `train` and `render`.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env import RoboRallyError
from roborally_env.evaluation.analysis.extras import COLORS

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results" / "learning" / "curves.json"
PICTURE = ROOT / "docs" / "pictures" / "curves.png"
AGAINST = ("random", "greedy")
WORDS = {"ppo": "roborally train ppo", "sb3": "roborally train sb3"}


def commands(out: Path, decisions: int) -> dict[str, list[str]]:
    """The command line of each training."""
    shared = ["--decisions", str(decisions), "--evaluate-every", str(decisions // 5)]
    shared += ["--threads", "1"]
    own = {"ppo": ["--rules", '{"upgrades": false}'], "sb3": ["--device", "cpu"]}
    run = [sys.executable, "-m", "roborally_env", "train"]
    return {name: [*run, name, "--out", str(out / name), *shared, *options] for name, options in own.items()}


def collect(folder: Path) -> dict[str, Any]:
    """What a run did: its speed, the share of the environment in the time where the run reports it, and how often it
    won.

    The speed is that which a tenth of the updates surpass: others have had to share the core with other programs.

    Raises:
        RoboRallyError: where there is no finished run.
    """
    try:
        with (folder / "progress.csv").open(newline="") as file:
            updates = list(csv.DictReader(file))
        races = evaluations(folder)
    except OSError as error:
        raise RoboRallyError(f"{error.filename}: {error.strerror}; expected a run that is over") from None
    shares = [float(row["share/env"]) for row in updates if "share/env" in row]
    return {
        "decisions": int(updates[-1]["decisions"]),
        "seconds": float(updates[-1]["seconds"]),
        "rate": float(np.quantile([float(row["rate"]) for row in updates], 0.9)),
        "share_env": statistics.median(shares) if shares else None,
        "races": races,
    }


def evaluations(folder: Path) -> list[dict[str, Any]]:
    """The evaluations of a run, in the order of time."""
    wanted = {"decisions": int, "seconds": float, "against": str, "races": int}
    wanted |= dict.fromkeys(("win_rate", "win_low", "win_high"), float)
    with (folder / "evaluation.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = [
        {name: kind({"against": row.get("opponent"), **row}[name]) for name, kind in wanted.items()} for row in rows
    ]
    return list({(row["decisions"], row["against"]): row for row in found}.values())  # the final one is the larger


def draw(runs: dict[str, Any], path: Path) -> None:
    """Races won over the decisions of training: a panel for each opponent, a line for each training."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 3.8), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, against in zip(figure.subplots(1, len(AGAINST)), AGAINST, strict=True):
        highest = 0.0
        for color, (name, run) in zip(COLORS, runs.items(), strict=False):
            rows = [row for row in run["races"] if row["against"] == against]
            thousands = [row["decisions"] / 1000 for row in rows]
            axes.plot(thousands, [100 * row["win_rate"] for row in rows], color=color, marker="o", label=WORDS[name])
            low, high = ([100 * row[side] for row in rows] for side in ("win_low", "win_high"))
            axes.fill_between(thousands, low, high, color=color, alpha=0.15, linewidth=0)
            highest = max([highest, *high])
        axes.axhline(25, color="gray", linestyle="--", linewidth=1)
        axes.set_title(f"one against three {against}", fontsize=10)
        axes.set_xlabel("decisions, thousands")
        axes.set_xlim(left=0)
        axes.set_ylim(0, min(100.0, max(30.0, 1.1 * highest)))
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("races won, %")
    figure.axes[0].legend(frameon=False, loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=int, default=1_000_000, help="of each training (default: 1000000)")
    parser.add_argument("--out", type=Path, default=Path("out/curves"), help="folder of the runs (default: out/curves)")
    parser.add_argument("--data", type=Path, default=RESULTS, help="file of what came out")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="the picture")
    parser.add_argument("--plot", action="store_true", help="draw what came out, and do nothing else")
    options = parser.parse_args(arguments)
    if not options.plot:
        for name, command in commands(options.out, options.decisions).items():
            if subprocess.run(command, check=False).returncode:
                raise RoboRallyError(f"{WORDS[name]}: it failed; what it wrote above says why")
        runs = {name: collect(options.out / name) for name in WORDS}
        options.data.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"decisions": options.decisions, "runs": runs}, indent=1)
        options.data.write_text(text + "\n", encoding="utf-8")
    draw(json.loads(options.data.read_text(encoding="utf-8"))["runs"], options.picture)


if __name__ == "__main__":
    try:
        main()
    except RoboRallyError as error:
        raise SystemExit(f"learning_curves: {error}") from None
