"""A race that was looked back on, as tables and a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roborally_env import review as reviewing
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.text import plain
from roborally_env.base.types import NamedValues, OptionValue
from roborally_env.evaluation.analysis.extras import COLORS, axes_of, data_frame
from roborally_env.replay import Replay
from roborally_env.review import Review

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


COLUMNS = [
    "round", "seat", "agent", "kind", "made", "better", "chance", "best", "obvious", "loss", "error", "cards", "mark",
]  # fmt: skip


def review(race: Replay | Review, **options: OptionValue) -> DataFrame:
    """A DataFrame with a row for each program and purchase of a race, in order.

    Columns: round, seat, agent, kind (program, buy_upgrade), made and better (lists of names; better is empty if the
    search found nothing better), chance to win with either (chance, best) and with the best program for a robot alone
    (obvious), loss (best - chance), its standard error, cards (what the hand allowed beyond other hands), mark
    (blunder, brilliant or empty).

    Args:
        race: a replay, or what `roborally_env.review.review` made of one.
        options: of `roborally_env.review.review`, for a replay.

    Raises:
        RoboRallyError: as `roborally_env.review.review`.
    """
    found = _reviewed(race, options)
    rows = [
        [
            each.round, each.seat, found.agents[each.seat], each.kind, list(each.made), list(each.better), each.chance,
            each.best, each.obvious, each.loss, each.error, each.cards, each.mark,
        ]
        for each in found.decisions
    ]  # fmt: skip
    return data_frame(rows, COLUMNS)


def plot_chances(race: Replay | Review, *, ax: Axes | None = None, **options: OptionValue) -> Axes:
    """The chance to win of each robot round by round, with the blunders (??) and brilliant programs (!!) on the curves.

    Args:
        race: as for `review`.
        ax: matplotlib Axes to draw into; None: a new figure.
        options: as for `review`.

    Raises:
        RoboRallyError: as `roborally_env.review.review`.
    """
    found = _reviewed(race, options)
    ax = axes_of(ax, 7.2, 4.0)
    for seat, agent in enumerate(found.agents):
        color = COLORS[seat % len(COLORS)]
        curve = [100 * row[seat] for row in found.chances]
        ax.plot(range(len(curve)), curve, color=color, label=f"{seat} {plain(agent)}")
        for each in (each for each in found.decisions if each.seat == seat and each.mark):
            sign = "??" if each.mark == "blunder" else "!!"
            ax.annotate(sign, (each.round - 1, curve[each.round - 1]), color=color, ha="center", va="bottom")
    ax.set_xticks(range(len(found.chances)), [*map(str, range(1, len(found.chances))), "end"])
    ax.set(xlabel="before round", ylabel="chance to win, %", ylim=(0, 105))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8)
    return ax


def _reviewed(race: Replay | Review, options: NamedValues) -> Review:
    if isinstance(race, Review):
        return race
    if not isinstance(race, Replay):
        raise RoboRallyError(f"race: expected a Replay or a Review, got {type(race).__name__}")
    return reviewing.review(race, **options)
