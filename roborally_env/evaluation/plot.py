"""The win-rate plot of a tournament, with matplotlib."""

from __future__ import annotations

import io
from pathlib import Path
from statistics import fmean

from roborally_env.base.files import write_whole
from roborally_env.base.text import counted, plain
from roborally_env.evaluation.statistics import Row
from roborally_env.evaluation.tournament import Result


def plot_win_rates(result: Result, path: str | Path) -> None:
    """Bars with 95% intervals as a PNG; the dashed line is the share of a seat.

    Raises ImportError without matplotlib, RoboRallyError if the file cannot be written.
    """
    from matplotlib.figure import Figure

    rows = sorted(result.rows, key=lambda row: -row.win_rate)
    figure = Figure(figsize=(max(5.0, 1.4 * len(rows) + 2.0), 4.0), layout="constrained")
    axes = figure.add_subplot()
    heights = [100 * row.win_rate for row in rows]
    axes.bar([plain(row.agent) for row in rows], heights, color="#4c78a8", width=0.6)
    axes.errorbar(range(len(rows)), heights, yerr=_errors(rows), fmt="none", ecolor="black", capsize=5)
    for place, row in enumerate(rows):
        axes.text(place, 100 * row.win_high + 2, f"{row.win_rate:.1%}", ha="center")
    share = fmean(1 / len(race.sides) for race in result.races) if result.races else 1 / result.setup.players
    axes.axhline(100 * share, color="gray", linestyle="--", linewidth=1, label="an equal share")
    axes.legend(frameon=False, loc="upper right")
    axes.set_ylim(0, 110)
    axes.set_yticks(range(0, 101, 20))
    axes.set_ylabel("races won, %")
    axes.set_title(plain(title_of(result)), fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=120, metadata={"Software": None})
    write_whole(Path(path), drawn.getvalue())


def _errors(rows: list[Row]) -> list[list[float]]:
    below = [100 * (row.win_rate - row.win_low) for row in rows]
    above = [100 * (row.win_high - row.win_rate) for row in rows]
    return [below, above]


def title_of(result: Result) -> str:
    """Course, games and seed in one line."""
    setup = result.setup
    courses = setup.courses[0].title if len(setup.courses) == 1 else f"{len(setup.courses)} courses"
    stopped = "" if result.complete else ", stopped early"
    few, many = min(setup.counts), max(setup.counts)
    counts = str(few) if few == many else f"{few} to {many}"
    return f"{courses}: {counted(len(result.races), 'race')} of {counts}, seed {setup.seed}{stopped}"
