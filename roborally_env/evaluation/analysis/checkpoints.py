"""How many rounds robots need to each checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.text import plain
from roborally_env.base.types import NamedValues
from roborally_env.evaluation.analysis.events import race_events
from roborally_env.evaluation.analysis.extras import COLORS, axes_of, check_frame, data_frame
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.tournament import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


TIME_COLUMNS = ["course", "game", "seat", "agent", "checkpoint", "round"]


def checkpoint_times(result: Result, events: DataFrame | None = None) -> DataFrame:
    """A DataFrame with a row for each robot and checkpoint (2005: flag) of each race: the round that reached it.

    `round` is missing if the robot had not reached it when the race ended.

    Args:
        result: from `evaluate`.
        events: from `race_events(result)`, with at least the kind `checkpoint`; None: the races are played again. Of
            each course the table has the races up to the last one with an event.
    """
    every = events is None
    if events is None:
        events = race_events(result, kinds=("checkpoint",))
    check_frame(events, "events", ("course", "game", "seat", "kind", "round"), "race_events")
    reached = events[events["kind"] == "checkpoint"]
    numbers = reached["number"].tolist() if len(reached) else []
    # a flag may be touched again (2005, Toggle Boggle): the first time counts
    times: dict[tuple[object, ...], int] = {}
    rounds = zip(reached["course"], reached["game"], reached["seat"], numbers, reached["round"], strict=True)
    for course, game, seat, number, at in rounds:
        times.setdefault((course, game, int(seat), int(number)), int(at))
    races = result.races if every else _played(result, set(zip(events["course"], events["game"], strict=True)))
    return data_frame(_rows(result, races, times), TIME_COLUMNS).astype({"round": "Int64"})


def _played(result: Result, found: set[tuple[object, object]]) -> Sequence[Race]:
    """The races up to the last one of each course that is among those `found` in events; all if none is."""
    with_events = [race for race in result.races if (race.course_name, race.game) in found]
    last = {race.course: race.game for race in with_events}  # races are in order
    return [race for race in result.races if race.game <= last.get(race.course, -1)] if last else result.races


def _rows(result: Result, races: Sequence[Race], times: dict[tuple[object, ...], int]) -> list[tuple[object, ...]]:
    setup = result.setup
    rows: list[tuple[object, ...]] = []
    for race in races:
        course = result.course_of(race)
        for seat, agent in enumerate(race.line_up):
            for number, _, _ in course.checkpoints:
                at = times.get((course.slug, race.game, seat, number))
                rows.append((course.slug, race.game, seat, setup.names[agent], number, at))
    return rows


def checkpoint_table(times: DataFrame) -> DataFrame:
    """A DataFrame by course, checkpoint and agent: the share of robots that reached it, and the mean and quartiles of
    their rounds.

    Races end when the first robot finishes, so a small share means that only the quicker robots count.
    """
    check_frame(times, "times", ("course", "agent", "checkpoint", "round"), "checkpoint_times")
    groups = times.assign(round=times["round"].astype("Float64")).groupby(["course", "checkpoint", "agent"])["round"]
    return data_frame(
        {
            "robots": groups.size(),
            "reached": groups.count() / groups.size(),
            "mean": groups.mean(),
            "quarter": groups.quantile(0.25),
            "median": groups.median(),
            "three_quarters": groups.quantile(0.75),
        }
    )


def plot_checkpoint_times(times: DataFrame, course: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Mean rounds to each checkpoint of a course, one line for each agent, with bars from quartile to quartile.

    The number above a bar is the share of robots that reached the checkpoint before the race was over. On a course
    with one checkpoint each agent has a bar of its own.

    Args:
        times: from `checkpoint_times`.
        course: its name; None: the first of the table.
        ax: matplotlib Axes to draw into; None: a new figure.

    Raises:
        RoboRallyError: for another table, or a course that is not in it.
    """
    check_frame(times, "times", ("course", "agent", "checkpoint", "round"), "checkpoint_times")
    slugs = list(dict.fromkeys(times["course"]))
    chosen = course if course is not None else (slugs[0] if slugs else "")
    if slugs and chosen not in slugs:
        known = ", ".join(slugs)
        raise RoboRallyError(f"course: no {chosen!r} in the table{nearest(chosen, slugs)}; it has {known}")
    table = checkpoint_table(times[times["course"] == chosen]).reset_index()
    ax = axes_of(ax)
    if table["checkpoint"].nunique() == 1:
        _bars(ax, table.set_index("agent"))
        ax.set_title(f"{plain(chosen)}: rounds to the checkpoint", fontsize=10)
    else:
        _lines(ax, table)
        ax.set_title(f"{plain(chosen)}: rounds to each checkpoint", fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _bars(ax: Axes, table: DataFrame) -> None:
    """A bar for each agent that reached the one checkpoint, from above in the order of the table."""
    for number, (agent, row) in enumerate(table[table["reached"] > 0].iterrows()):
        agent = plain(agent)
        mean, high = float(row["mean"]), float(row["three_quarters"])
        ax.barh(agent, mean, height=0.6, color=COLORS[number % len(COLORS)], alpha=0.8)
        ax.hlines(agent, float(row["quarter"]), high, color="black")
        ax.annotate(f"{mean:.1f}, reached by {row['reached']:.0%}", (max(mean, high), agent), xytext=(6, 0),
                    textcoords="offset points", va="center", fontsize=8)  # fmt: skip
    ax.invert_yaxis()
    ax.margins(x=0.35)  # room for the words
    ax.set_xlabel("rounds")


def _lines(ax: Axes, table: DataFrame) -> None:
    """A line for each agent over the checkpoints."""
    agents = list(dict.fromkeys(table["agent"]))
    for number, agent in enumerate(agents):
        _line(ax, table[table["agent"] == agent], number, (number - (len(agents) - 1) / 2) * 0.22, agent)
    ax.set_xticks(sorted(table["checkpoint"].unique()))
    ax.margins(x=0.15)
    ax.set_ylim(0, 1.15 * ax.get_ylim()[1])  # room for the words above the bars
    ax.set_xlabel("checkpoint")
    ax.set_ylabel("rounds")
    ax.legend(frameon=False)


def _line(ax: Axes, rows: DataFrame, number: int, aside: float, agent: str) -> None:
    """The points of one agent, a little aside so that none hides another's."""
    rows = rows[rows["reached"] > 0]
    places = [float(n) + aside for n in rows["checkpoint"]]
    means, color = [float(n) for n in rows["mean"]], COLORS[number % len(COLORS)]
    ax.plot(places, means, "o-", color=color, label=plain(agent))
    ax.vlines(places, [float(n) for n in rows["quarter"]], [float(n) for n in rows["three_quarters"]], color=color)
    for place, top, share in zip(places, rows["three_quarters"], rows["reached"], strict=True):
        words: NamedValues = {
            "xytext": (0, 4),
            "textcoords": "offset points",
            "ha": "center",
            "fontsize": 7,
            "color": color,
        }
        ax.annotate(f"{share:.0%}", (place, float(top)), **words)
