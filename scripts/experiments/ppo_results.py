"""What runs of `roborally train ppo` have learned: curves and scores, as data for the docs, and a picture.

    python scripts/experiments/ppo_results.py complete=out/ppo,out/benchmark/ppo/card.json 2023=out/ppo2023,CARD

For each kind of game the folder of a run, and the card of `roborally benchmark ppo`; for a run that began with the
weights of another one, FOLDER+FOLDER. What came out is written to `--data`, from which `docs/tables/write_docs.py`
makes a table, and drawn. `--plot` draws it again. Needs the extra `render`.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

from roborally_env import RoboRallyError
from roborally_env.evaluation.analysis.extras import COLORS

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results" / "learning" / "ppo.json"
PICTURE = ROOT / "docs" / "pictures" / "ppo.png"
LABELS = {"complete": "2016", "lighter": "2016, lighter game", "community": "community edition"}
LEFT_OUT = ("out", "threads", "checkpoint_every")


def collect(folders: list[Path], card: Path) -> dict[str, Any]:
    """A run, or several of which each began with the weights of the one before: options, evaluations against `greedy`,
    decisions and seconds of all together, and the scores of the card.

    Raises:
        RoboRallyError: where there is no such file.
    """
    found: dict[str, Any] = {"options": {}, "earlier_options": [], "decisions": 0, "seconds": 0.0, "curve": []}
    try:
        for folder in folders:
            add_run(folder, found)
        scores = json.loads(card.read_text(encoding="utf-8"))["against"]["greedy"]["scores"]
    except OSError as error:
        raise RoboRallyError(f"{error.filename}: {error.strerror}; expected a run that is over, and its card") from None
    found["seconds"] = round(found["seconds"])
    found["scores"] = {
        name: {key: score[key] for key in ("races", "score", "low", "high")} for name, score in scores.items()
    }
    return found


def add_run(folder: Path, found: dict[str, Any]) -> None:
    """Add a run to those before it."""
    options = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    with (folder / "progress.csv").open(newline="") as file:
        last = list(csv.DictReader(file))[-1]
    races = []
    if (folder / "evaluation.csv").exists():
        with (folder / "evaluation.csv").open(newline="") as file:
            races = [row for row in csv.DictReader(file) if row["opponent"] == "greedy"]
    for row in races:
        point = {name: float(row[name]) for name in ("decisions", "races", "win_rate", "win_low", "win_high")}
        found["curve"].append(point | {"decisions": found["decisions"] + point["decisions"]})
    if found["options"]:
        found["earlier_options"].append(found["options"])
    found["options"] = {name: value for name, value in options.items() if name not in LEFT_OUT}
    found["decisions"] += int(last["decisions"])
    found["seconds"] += float(last["seconds"])


def draw(runs: dict[str, Any], path: Path) -> None:
    """Races won against three greedy over the decisions of training, a line for each game."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for color, (game, run) in zip(COLORS, runs.items(), strict=False):
        millions = [row["decisions"] / 1e6 for row in run["curve"]]
        axes.plot(
            millions,
            [100 * row["win_rate"] for row in run["curve"]],
            color=color,
            marker="o",
            label=LABELS.get(game, game),
        )
        low, high = ([100 * row[side] for row in run["curve"]] for side in ("win_low", "win_high"))
        axes.fill_between(millions, low, high, color=color, alpha=0.15, linewidth=0)
    axes.axhline(25, color="gray", linestyle="--", linewidth=1)
    axes.annotate("equal share", (0, 25), (4, 4), textcoords="offset points", color="gray", fontsize=9)
    axes.set_xlabel("decisions, millions")
    axes.set_ylabel("races won against three greedy, %")
    axes.set_xlim(left=0)
    axes.set_ylim(0, 40)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", metavar="GAME=FOLDER[+FOLDER..],CARD")
    parser.add_argument("--data", type=Path, default=RESULTS)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--plot", action="store_true", help="only draw what --data has")
    given = parser.parse_args(arguments)
    if not given.plot:
        runs = {}
        for text in given.runs:
            game, _, places = text.partition("=")
            folder, _, card = places.partition(",")
            if not (game and folder and card):
                parser.error(f"{text}: expected GAME=FOLDER,CARD")
            try:
                runs[game] = collect([Path(each) for each in folder.split("+")], Path(card))
            except RoboRallyError as error:
                parser.error(str(error))
        given.data.write_text(json.dumps({"runs": runs}, indent=1) + "\n", encoding="utf-8")
    draw(json.loads(given.data.read_text(encoding="utf-8"))["runs"], given.picture)


if __name__ == "__main__":
    main()
