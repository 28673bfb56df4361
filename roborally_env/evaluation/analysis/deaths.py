"""Where robots die: events from `race_events`, drawn over the course."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.text import plain
from roborally_env.courses import Course
from roborally_env.evaluation.analysis.extras import axes_of, check_frame
from roborally_env.evaluation.analysis.pictures import plot_course, size_of
from roborally_env.generated.resolve import one_course

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series


# the kinds of events that count: reboots in 2016, destroyed robots in 2005 and by community rules
DEATHS = ("reboot", "destroyed", "lost")


def plot_deaths(events: DataFrame, course: str | Course, *, agent: str | None = None, ax: Axes | None = None) -> Axes:
    """The course, each cell coloured by how many robots fell or were destroyed there, with the number.

    A robot that fell into a pit counts there; one that left the board counts in the cell that it left.

    Args:
        events: from `race_events` or `replay_events`, with the kinds `DEATHS` at least.
        course: the one to draw, or its name; events on others are left out.
        agent: count only robots of this agent.
        ax: matplotlib Axes to draw into; None: a new figure.

    Raises:
        RoboRallyError: for another table, an unknown course, or an agent that is not in the table.
    """
    check_frame(events, "events", ("course", "agent", "kind", "x", "y"), "race_events")
    course = one_course(course)
    dead = events[events["kind"].isin(DEATHS) & (events["course"] == course.slug)]
    if agent is not None:
        names = sorted(events["agent"].dropna().unique())
        if agent not in names:
            raise RoboRallyError(f"agent: {agent!r} has no events here{nearest(agent, names)}; expected one of {names}")
        dead = dead[dead["agent"] == agent]
    ax = plot_course(course, ax=axes_of(ax, *size_of(course)), faint=True)
    _heat(ax, dead.groupby(["x", "y"]).size())
    who = "robots" if agent is None else agent
    ax.set_title(plain(f"{course.title}: where {who} died, {len(dead)} times"))
    return ax


def _heat(ax: Axes, counts: Series) -> None:
    """One square for each cell, darker for higher counts, with its number."""
    from matplotlib.patches import Rectangle

    most = max(counts, default=1)
    for (x, y), count in counts.items():
        weight = 0.25 + 0.7 * float(count / most) ** 0.5  # square root: else only the worst pit is visible
        ax.add_patch(Rectangle((x, y), 1, 1, facecolor="#d7191c", alpha=weight, zorder=6))
        color = "white" if weight > 0.5 else "black"
        ax.text(x + 0.5, y + 0.5, str(count), ha="center", va="center", fontsize=8, color=color, zorder=7)
