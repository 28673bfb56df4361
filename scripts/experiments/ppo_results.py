"""What runs of `roborally train ppo` have learned: curves and scores, as data for the docs, and a picture.

    python scripts/experiments/ppo_results.py complete=out/ppo,CARD,CARD_ALONE 2023=out/ppo2023,CARD,CARD_ALONE

For each kind of game the folder of a run, the card of `roborally benchmark ppo` and that of `ppo:beam=1`, the policy
alone; for a run that began with the weights of another one, FOLDER+FOLDER, or `before+FOLDER` where that is the one in
the data, and `before` for new cards of it. `races` in place of a card races `greedy` on the benchmark's courses by the
rules of the run, for a game that the benchmark does not have. What came out is written to `--data`, beside the other
games that stand there, and drawn; `docs/tables/write_docs.py` makes a table of it. `--plot` draws it again. Needs the
extra `render`.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env import RoboRallyError
from roborally_env.evaluation.analysis.extras import COLORS
from roborally_env.evaluation.benchmark.protocol import protocol_of
from roborally_env.evaluation.tournament import evaluate

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results" / "learning" / "ppo.json"
PICTURE = ROOT / "docs" / "pictures" / "ppo.png"
LABELS = {"complete": "2016", "lighter": "2016, lighter game", "community": "community edition"}
SETS = {"training": "training courses", "test": "test courses"}
CARDS = {"scores": "", "policy": "beam=1"}  # of the agent, and of its policy alone, with these options
LEFT_OUT = ("out", "threads", "checkpoint_every", "device")
RACES, RACES_SEED = 144, 2_016_000_004  # on each course


def raced(agent: str, options: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The share of races against `greedy` that an agent won by the rules of a run, with its interval, on each set of
    courses and on all."""
    edition = options["edition"] or "2016"
    shares: dict[str, list[float]] = {}
    for one in protocol_of(edition).sets:
        result = evaluate(
            [agent, *["greedy"] * 3], list(one.courses), games=RACES, edition=edition,
            rules=json.loads(options["rules"]), seed=RACES_SEED,
        )  # fmt: skip
        shares[one.name] = [result.rows_of(i)[0].win_rate for i in range(len(one.courses))]
    shares["all"] = [share for each in shares.values() for share in each]
    found = {}
    for name, each in shares.items():
        table = np.array(each)
        share, half = float(table.mean()), 1.96 * float(np.sqrt((table * (1 - table)).sum() / RACES)) / len(table)
        found[name] = {"races": RACES * len(table), "score": share, "low": share - half, "high": share + half}
    return found


def collect(folders: list[Path], cards: list[str], before: dict[str, Any] | None = None) -> dict[str, Any]:
    """A run, or several of which each began with the weights of the one before: options, evaluations against `greedy`,
    decisions and seconds of all together, and the scores of the cards: of the agent, and of its policy alone. `before`
    is a run that they go on from.

    Raises:
        RoboRallyError: where there is no such file.
    """
    nothing: dict[str, Any] = {"options": {}, "earlier_options": [], "decisions": 0, "seconds": 0.0, "curve": []}
    found = copy.deepcopy(nothing | (before or {}))
    try:
        for folder in folders:
            add_run(folder, found)
        for (kind, more), card in zip(CARDS.items(), cards, strict=True):
            if card == "races":
                weights = f"weights={folders[-1] / 'weights.npz'}" if folders else ""
                given = ",".join(filter(None, (weights, more)))
                scores = raced(f"ppo:{given}" if given else "ppo", found["options"])
            else:
                scores = json.loads(Path(card).read_text(encoding="utf-8"))["against"]["greedy"]["scores"]
            found[kind] = {
                name: {key: score[key] for key in ("races", "score", "low", "high")} for name, score in scores.items()
            }
    except OSError as error:
        raise RoboRallyError(f"{error.filename}: {error.strerror}; expected a run that is over, and its card") from None
    found["seconds"] = round(found["seconds"])
    if folders:
        last = found["policy"]["all"]
        end = {f"win_{key}": last[name] for key, name in (("rate", "score"), ("low", "low"), ("high", "high"))}
        found["curve"].append({"decisions": float(found["decisions"]), "races": float(last["races"])} | end)
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
    """Races won against three greedy, a row for each game: on training courses and on test courses, with intervals."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 0.8 + 0.55 * len(runs)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for color, side, (name, title) in zip(COLORS, (-0.12, 0.12), SETS.items(), strict=False):
        for row, run in enumerate(runs.values()):
            at, low, high = (100 * run["scores"][name][key] for key in ("score", "low", "high"))
            label = title if row == 0 else None
            axes.errorbar(at, row + side, xerr=[[at - low], [high - at]], color=color, fmt="o", capsize=3, label=label)
    axes.axvline(25, color="gray", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(runs)), [LABELS.get(game, game) for game in runs])
    axes.invert_yaxis()
    axes.set_xlabel("races won against three greedy, % (dashed: an equal share)")
    axes.set_xlim(0, 40)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", metavar="GAME=FOLDER[+FOLDER..],CARD,CARD")
    parser.add_argument("--data", type=Path, default=RESULTS)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--plot", action="store_true", help="only draw what --data has")
    given = parser.parse_args(arguments)
    if not given.plot:
        runs = json.loads(given.data.read_text(encoding="utf-8"))["runs"] if given.data.exists() else {}
        for text in given.runs:
            game, _, places = text.partition("=")
            names, *cards = places.split(",")
            if not (game and names and all(cards) and len(cards) == len(CARDS)):
                parser.error(f"{text}: expected GAME=FOLDER,CARD,CARD")
            folders = names.split("+")
            before = folders[0] == "before"
            if before and game not in runs:
                parser.error(f"{text}: expected a run of {game} in {given.data} before this one")
            try:
                runs[game] = collect([Path(each) for each in folders[before:]], cards, runs[game] if before else None)
            except RoboRallyError as error:
                parser.error(str(error))
        given.data.write_text(json.dumps({"runs": runs}, indent=1) + "\n", encoding="utf-8")
    draw(json.loads(given.data.read_text(encoding="utf-8"))["runs"], given.picture)


if __name__ == "__main__":
    main()
