"""Win rates and ratings with their intervals, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from roborally_env.base.text import plain
from roborally_env.evaluation.analysis.extras import COLORS, axes_of
from roborally_env.evaluation.plot import title_of
from roborally_env.evaluation.statistics import Z95, Row
from roborally_env.evaluation.tournament import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_win_rates(result: Result, *, by_course: bool = False, ax: Axes | None = None) -> Axes:
    """Win rates with 95% intervals, one point for each agent; with `by_course` one group of points for each course.

    The dashed line is the win rate of equally strong agents.
    """
    groups = [("all", result.rows)]
    if by_course:
        groups = [(course.title, result.rows_of(i)) for i, course in enumerate(result.setup.courses)]
    ax = axes_of(ax, 6.4, 1.6 + 0.3 * len(groups) * len(result.rows))
    ticks = _points(ax, groups, lambda row: (100 * row.win_rate, 100 * row.win_low, 100 * row.win_high))
    share = fmean(1 / len(race.sides) for race in result.races) if result.races else 1 / result.setup.players
    ax.axvline(100 * share, color="gray", linestyle="--", linewidth=1, zorder=0)
    ax.set_xlim(0, 100)
    ax.set_xlabel("races won, %, with 95% intervals; dashed: an equal share")
    _finish(ax, result, ticks, groups)
    return ax


def plot_ratings(result: Result, *, ax: Axes | None = None) -> Axes:
    """Plackett-Luce ratings (mean 25 at first) with their 95% intervals, one point for each agent."""
    groups = [("all", result.rows)]
    ax = axes_of(ax, 6.4, 1.6 + 0.3 * len(result.rows))
    ticks = _points(ax, groups, lambda row: (row.mu, row.mu - Z95 * row.sigma, row.mu + Z95 * row.sigma))
    ax.set_xlabel("rating, with 95% intervals")
    _finish(ax, result, ticks, groups)
    return ax


def _points(
    ax: Axes, groups: Sequence[tuple[str, Sequence[Row]]], values: Callable[[Row], tuple[float, float, float]]
) -> list[tuple[float, str]]:
    """A point with its interval for each row, the best of each group first; returns the ticks and their labels."""
    at, ticks = 0.0, []
    for name, rows in groups:
        start = at
        order = sorted(range(len(rows)), key=lambda n: -values(rows[n])[0])
        for number in order:
            middle, low, high = values(rows[number])
            error = [[max(0.0, middle - low)], [max(0.0, high - middle)]]
            ax.errorbar(middle, at, xerr=error, fmt="o", color=COLORS[number % len(COLORS)], capsize=4)
            if len(groups) == 1:
                ticks.append((at, rows[number].agent))
            at += 1
        if len(groups) > 1:
            ticks.append(((start + at - 1) / 2, name))
        at += 0.7
    return ticks


def _finish(ax: Axes, result: Result, ticks: list[tuple[float, str]], groups: Sequence[object]) -> None:
    ax.set_yticks([at for at, _ in ticks], [plain(name) for _, name in ticks])
    ax.margins(y=0.1)
    ax.invert_yaxis()
    ax.grid(axis="x", color="#e5e5e5", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_title(plain(title_of(result)), fontsize=10)
    if len(groups) > 1:
        for number, name in enumerate(result.setup.names):
            ax.plot([], [], "o", color=COLORS[number % len(COLORS)], label=plain(name))
        ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4)
