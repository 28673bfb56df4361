"""The learning track of RoboRally-Bench: what each learner learns within a fixed number of decisions.

    python scripts/learning_track.py ppo
    python scripts/learning_track.py ppo mappo pqn --budget 10M --game lighter
    python scripts/learning_track.py --plot

A row is a learner, trained once with each seed on the training courses and on generated ones. Then it races `greedy`
in all other seats, without search or simulation: on these, on the test courses, and on generated ones of another seed.
Runs stay in `--out`: after Ctrl-C the same command resumes. What came out of all rows there is written to `--results`
(track_BUDGET_2016.json), which keeps runs of the same protocol from elsewhere, so that other machines can make other
rows and seeds. `docs/tables/write_docs.py` makes a table of it; `--plot` draws it. Several commands with other rows or
seeds can share a folder. Needs the extras `train` and `render`.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.courses.catalogue import is_generated
from roborally_env.evaluation.aggregate import (
    improvement_interval,
    interquartile_mean,
    interval,
    probability_of_improvement,
)
from roborally_env.evaluation.analysis.extras import COLORS
from roborally_env.evaluation.benchmark.protocol import TEST, TRAINING, protocol_of
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated.specification import of_version
from roborally_env.speed import machine
from roborally_env.training.ppo import Options
from roborally_env.training.sb3.options import Options as Sb3Options

ROOT = Path(__file__).parents[1]
VERSION = 2  # of the protocol: a change of anything down to ROWS that could change a score raises it
BUDGETS = {"100k": 100_000, "1M": 1_000_000, "10M": 10_000_000, "100M": 100_000_000}
GAMES: dict[str, dict[str, Any]] = {"complete": {}, "lighter": {"upgrades": False}}  # rules of edition 2016
EDITION = "2016"
PLAYERS = (2, 4, 6)
SEEDS = (1, 2, 3, 4, 5)
TRAINING_SEED, UNSEEN_SEED, LEVELS, UNSEEN = 1, 2, 300, 12  # generated courses, and how many of them
GENERATOR = 1  # version of the generator whose courses these names mean, whatever the latest one makes
RACES, RACES_SEED = 24, 2_016_000_003  # on each course
OPPONENT = "greedy"
COURSES = {each.name: each.courses for each in protocol_of(EDITION).sets}
SETS: dict[str, tuple[str, ...]] = {
    TRAINING: COURSES[TRAINING],
    TEST: COURSES[TEST],
    "generated": tuple(f"generated:seed={UNSEEN_SEED},number={number}" for number in range(UNSEEN)),
}
SHARED: dict[str, Any] = {
    "games": 256, "steps": 16, "minibatch": 512, "epochs": 1, "levels": LEVELS, "opponents": [OPPONENT]
}  # fmt: skip
CURVE, CURVE_RACES = 5, 20  # evaluations during training, and their races on each training course
STEPS = 5  # of the register form make a decision


@dataclass(frozen=True)
class Row:
    """A learner: its options of `roborally train ppo`, and the fraction of the budget in which it imitates; or, with
    `steps`, those of `roborally train sb3`."""

    title: str
    options: dict[str, Any] = field(default_factory=dict)
    imitated: float = 0.0
    sb3: bool = False


ROWS = {
    "ppo": Row("PPO"),
    "mappo": Row("MAPPO: PPO whose critic sees what all seats see", {"critic": "central"}),
    "pqn": Row("PQN: Q-learning of the cards", {"algorithm": "pqn"}),
    "maskable_ppo": Row("MaskablePPO of sb3-contrib", {"algorithm": "maskable", "ghost": True}, sb3=True),
    "cloning_greedy": Row("cloning of `greedy`", {"imitate": "greedy"}, 1.0),
    "cloning_planner": Row("cloning of `planner`", {"imitate": "planner:simulations=100"}, 1.0),
    "cloning_then_ppo": Row("cloning of `greedy`, then PPO", {"imitate": "greedy"}, 0.5),
    "no_ghost": Row("PPO without the ghost", {"ghost": False}),
}


@dataclass(frozen=True)
class Track:
    """What the rows have in common."""

    budget: str
    game: str
    players: int
    out: Path

    @property
    def name(self) -> str:
        """Of its folder and its file."""
        others = "" if self.players == 4 else f"_{self.players}_robots"
        return f"track_{self.budget}_{EDITION}{'' if self.game == 'complete' else '_' + self.game}{others}"

    def folder(self, row: str, seed: int) -> Path:
        """Of a run."""
        return self.out / self.name / row / f"seed{seed}"

    def command(self, row: str) -> str:
        """The command line that makes a row."""
        words = ["python", "scripts/learning_track.py", row, "--budget", self.budget]
        words += ["--game", self.game] if self.game != "complete" else []
        words += ["--players", str(self.players)] if self.players != 4 else []
        return shlex.join(words)


class Stopped(Exception):
    """By Ctrl-C."""


# -- training and racing


def train(track: Track, name: str, seed: int) -> str:
    """Train a row with a seed, or resume it; returns the spec of its agent.

    Raises:
        Stopped: after Ctrl-C.
        RoboRallyError: as the trainers.
    """
    row, folder, decisions = ROWS[name], track.folder(name, seed), BUDGETS[track.budget]
    rules = GAMES[track.game]
    if row.sb3:
        from roborally_env.training.sb3.run import train as train_sb3

        copies = round(LEVELS / 2 / len(COURSES[TRAINING]))  # a third of the races is on named courses
        made = [of_version(f"generated:seed={TRAINING_SEED},number={number}", GENERATOR) for number in range(LEVELS)]
        options = Sb3Options(
            out=str(folder), course=(*COURSES[TRAINING] * copies, *made), edition=EDITION, players=track.players,
            upgrades=rules.get("upgrades", True), decisions=STEPS * decisions, seed=seed, threads=1, device="cpu",
            evaluate_every=0, final_games=0, **row.options,
        )  # fmt: skip
        if train_sb3(options):
            raise Stopped
        return f"roborally_env.training.sb3:Trained:folder={folder}"
    from roborally_env.training.ppo import train as train_ppo

    named = list(COURSES[TRAINING])
    imitated = {"imitate_decisions": int(row.imitated * decisions)} if row.imitated else {}
    result = train_ppo(
        Options(
            out=str(folder), courses=[*named, of_version(f"generated:seed={TRAINING_SEED}", GENERATOR)],
            edition=EDITION, players=track.players, rules=json.dumps(rules), decisions=decisions, seed=seed,
            evaluate_every=decisions // CURVE, evaluate_games=CURVE_RACES * len(named), evaluate_courses=named,
            **SHARED, **imitated, **row.options,
        )
    )  # fmt: skip
    if result.stopped:
        raise Stopped
    return f"ppo:weights={result.weights},beam=1"  # what was learned, not how it is decoded


def scores_of(spec: str, track: Track) -> dict[str, dict[str, float]]:
    """The win rate of an agent on each course of each set."""
    found: dict[str, dict[str, float]] = {}
    for name, listed in SETS.items():
        courses = [of_version(course, GENERATOR) if is_generated(course) else course for course in listed]
        result = evaluate(
            [spec, *[OPPONENT] * (track.players - 1)], courses, games=track.players * (RACES // track.players),
            players=track.players, edition=EDITION, rules=GAMES[track.game], seed=RACES_SEED,
        )  # fmt: skip
        if not result.complete:
            raise Stopped
        found[name] = {course: result.rows_of(i)[0].win_rate for i, course in enumerate(listed)}
    return found


def run(track: Track, name: str, seed: int) -> None:
    """Train and race a row with a seed, if that is still to be done."""
    folder = track.folder(name, seed)
    if (folder / "scores.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    start = folder / "begun.json"
    if not start.exists():
        write_whole(start, json.dumps({"commit": commit(), "machine": machine()}))
    print(f"{track.name}: {name}, seed {seed}")
    scores = scores_of(train(track, name, seed), track)
    write_whole(folder / "scores.json", json.dumps(scores, indent=1) + "\n")


def commit() -> str | None:
    """Of this checkout."""
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return asked.stdout.strip() or None


# -- what came out


def collect(track: Track, file: Path) -> dict[str, Any]:
    """All rows of which a run has ended, here or, by what stands in `file`, elsewhere."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    earlier = known["rows"] if known.get("protocol", {}).get("version") == VERSION else {}
    rows: dict[str, Any] = {}
    for name in ROWS:
        runs = {int(seed): found for seed, found in earlier.get(name, {}).get("seeds", {}).items()}
        runs |= {seed: found for seed in SEEDS if (found := run_of(name, track.folder(name, seed)))}
        runs = dict(sorted(runs.items()))
        if runs:
            rows[name] = {"title": ROWS[name].title, "command": track.command(name), "seeds": runs}
            rows[name] |= {key: estimate(tables(runs)[key]) for key in (*SETS, "all")}
    for name in rows:
        if "ppo" in rows and name != "ppo":
            mine, other = (tables(rows[row]["seeds"])["all"] for row in (name, "ppo"))
            low, high = improvement_interval(mine, other)
            rows[name]["better_than_ppo"] = {
                "score": round(probability_of_improvement(mine, other), 4), "low": round(low, 4), "high": round(high, 4)
            }  # fmt: skip
    about = {
        "version": VERSION, "edition": EDITION, "game": track.game, "players": track.players,
        "decisions": BUDGETS[track.budget], "opponent": OPPONENT, "races_on_each_course": RACES,
        "trained_on": [*COURSES[TRAINING], f"generated:seed={TRAINING_SEED},levels={LEVELS}"], "sets": SETS,
    }  # fmt: skip
    return {"protocol": about, "rows": rows}


def run_of(name: str, folder: Path) -> dict[str, Any] | None:
    """What a run came to, if it has ended."""
    if not (folder / "scores.json").exists():
        return None
    found: dict[str, Any] = json.loads((folder / "begun.json").read_text(encoding="utf-8"))
    with (folder / "progress.csv").open(newline="") as file:
        last = list(csv.DictReader(file))[-1]
    decisions = int(last["decisions"]) // (STEPS if ROWS[name].sb3 else 1)
    found |= {"decisions": decisions, "seconds": round(float(last["seconds"])), "curve": []}
    if (folder / "evaluation.csv").exists():
        with (folder / "evaluation.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        found["curve"] = [
            {"decisions": int(row["decisions"]), "seconds": round(float(row["seconds"])), "won": float(row["win_rate"])}
            for row in rows
        ]
    found["scores"] = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    return found


def tables(runs: dict[int, Any]) -> dict[str, np.ndarray]:
    """Win rates [seeds, courses] on each set of courses, and on all."""
    found = {name: np.array([list(each["scores"][name].values()) for each in runs.values()]) for name in SETS}
    return {**found, "all": np.concatenate(list(found.values()), 1)}


def estimate(table: np.ndarray) -> dict[str, float]:
    """The interquartile mean with its interval by a stratified bootstrap over seeds."""
    low, high = interval(table)
    return {"score": round(interquartile_mean(table), 4), "low": round(low, 4), "high": round(high, 4)}


def draw(found: dict[str, Any], path: Path) -> None:
    """Races won on the training courses over decisions and over minutes: the mean of the seeds and their range."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    both = figure.subplots(1, 2, sharey=True)
    rows = [row for row in found["rows"].values() if all(each["curve"] for each in row["seeds"].values())]
    for color, row in zip(COLORS * 2, rows, strict=False):
        curves = [each["curve"] for each in row["seeds"].values()]
        length = min(map(len, curves))
        won = 100 * np.array([[point["won"] for point in curve[:length]] for curve in curves])
        for axes, unit, size in zip(both, ("decisions", "seconds"), (1e6, 60), strict=True):
            at = np.mean([[point[unit] / size for point in curve[:length]] for curve in curves], 0)
            axes.plot(at, won.mean(0), color=color, marker="o", markersize=3, label=row["title"].replace("`", ""))
            axes.fill_between(at, won.min(0), won.max(0), color=color, alpha=0.12, linewidth=0)
    for axes, title in zip(both, ("decisions, millions", "minutes of training"), strict=True):
        axes.axhline(100 / found["protocol"]["players"], color="gray", linestyle="--", linewidth=1)
        axes.set_xlabel(title)
        axes.set_xlim(left=0)
        axes.spines[["top", "right"]].set_visible(False)
    both[0].set_ylabel(f"races won against {found['protocol']['players'] - 1} {OPPONENT}, %")
    both[0].set_ylim(bottom=0)
    handles, labels = both[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"all, or some of {', '.join(ROWS)}")
    parser.add_argument("--budget", choices=BUDGETS, default="1M", help="decisions of each run (default: 1M)")
    parser.add_argument("--game", choices=GAMES, default="complete")
    parser.add_argument("--players", type=int, choices=PLAYERS, default=4)
    parser.add_argument("--seeds", type=int, nargs="+", choices=SEEDS, default=SEEDS, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("out/track"))
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "learning")
    parser.add_argument("--plot", action="store_true", help="draw docs/pictures/track_BUDGET_2016.png of the results")
    given = parser.parse_args(arguments)
    rows = list(ROWS) if given.rows == ["all"] else given.rows
    if unknown := [row for row in rows if row not in ROWS]:
        parser.error(f"ROW: expected all or some of {', '.join(ROWS)}, got {unknown[0]!r}")
    track = Track(given.budget, given.game, given.players, given.out)
    file = given.results / f"{track.name}.json"
    try:
        for row in rows:
            for seed in given.seeds:
                run(track, row, seed)
                given.results.mkdir(parents=True, exist_ok=True)
                write_whole(file, json.dumps(collect(track, file), indent=1) + "\n")
        if given.plot:
            draw(json.loads(file.read_text(encoding="utf-8")), ROOT / "docs" / "pictures" / f"{track.name}.png")
    except (Stopped, KeyboardInterrupt):
        print("stopped; the same command resumes")
        return 130
    except (RoboRallyError, OSError) as error:
        print(f"learning_track: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
