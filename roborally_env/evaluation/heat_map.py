"""The matrix of cross-play as a picture, with matplotlib."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from roborally_env.base.files import write_whole
from roborally_env.base.text import plain
from roborally_env.evaluation.crossplay import Cell, CrossPlay

_DARK = 0.32  # of the colours' range to each side: text on them is white


def plot_matrix(found: CrossPlay, path: str | Path) -> None:
    """Write the win rates with their 95% intervals as a PNG: white is an equal share, the best agent stands on top.

    Raises ImportError without matplotlib, RoboRallyError if the file cannot be written.
    """
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.figure import Figure

    names = [row.agent for row in found.ratings]
    n, share = len(names), 1 / found.sides
    cells = {(names.index(cell.agent), names.index(cell.against)): cell for cell in found.cells}
    shares = np.full((n, n), np.nan)
    for place, cell in cells.items():
        shares[place] = cell.win_rate
    figure = Figure(figsize=(1.25 * n + 3.0, 0.9 * n + 2.2), layout="constrained")
    axes = figure.add_subplot()
    norm = TwoSlopeNorm(share, 0.0, 1.0)
    axes.imshow(shares, cmap="RdBu", norm=norm, aspect="auto")
    for (y, x), cell in cells.items():
        dark = abs(norm(cell.win_rate) - 0.5) > _DARK
        axes.text(x, y, _words(cell), ha="center", va="center", fontsize=9, color="white" if dark else "black")
    labels = [plain(f"{row.agent} ({row.rating:+.0f})") for row in found.ratings]
    axes.set_yticks(range(n), labels)
    axes.set_xticks(range(n), list(map(plain, names)), rotation=30, ha="right")
    axes.set_ylabel("alone (rating)")
    axes.set_xlabel("in all other seats")
    stopped = "" if found.complete else ", stopped early"
    axes.set_title(plain(f"Races won, %; equal share {share:.0%}, seed {found.setup.seed}{stopped}"), fontsize=10)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=120, metadata={"Software": None})
    write_whole(Path(path), drawn.getvalue())


def _words(cell: Cell) -> str:
    return f"{100 * cell.win_rate:.0f}\n{100 * cell.win_low:.0f} - {100 * cell.win_high:.0f}"
