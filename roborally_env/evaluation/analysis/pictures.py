"""A course, or a race on it, as the package draws it everywhere, in matplotlib axes."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.text import plain
from roborally_env.batch import BatchRace
from roborally_env.courses import EDITIONS, Course
from roborally_env.envs.picture import shown_by
from roborally_env.evaluation.analysis.extras import axes_of, needed
from roborally_env.generated.resolve import one_course
from roborally_env.render.png import rasterized
from roborally_env.render.states import state_svg
from roborally_env.render.svg import CELL as SVG_CELL
from roborally_env.render.svg import MARGIN, ROBOT_COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


CELL = 0.42  # inches
PIXELS = 60  # of a cell


def size_of(course: Course) -> tuple[float, float]:
    """Width and height in inches of a figure for a course."""
    return CELL * (course.width + 1), CELL * (course.height + 1) + 0.3


def plot_course(
    course: str | Course,
    *,
    checkpoints: Iterable[tuple[int, int, int]] | None = None,
    ax: Axes | None = None,
    faint: bool = False,
) -> Axes:
    """The course, drawn as everywhere in the package. Cell (x, y) is the square from (x, y) to (x + 1, y + 1).

    Args:
        course: its name, or the Course.
        checkpoints: (number, x, y) where they are now; None: as at the start.
        ax: matplotlib Axes to draw into; None: a new figure.
        faint: paler, to draw something over it.

    Raises:
        RoboRallyError: for an unknown name, or where resvg_py is not installed.
    """
    course = one_course(course)
    return _drawn(axes_of(ax, *size_of(course)), course, state_svg(course, checkpoints=checkpoints), faint)


def _drawn(ax: Axes, course: Course, svg: str, faint: bool = False) -> Axes:
    """The axes with a drawing of the course from `render`; its margin has the numbers of columns and rows."""
    with needed("matplotlib"):
        from matplotlib import image
    pixels = image.imread(io.BytesIO(rasterized(svg, PIXELS * (course.width + 1))))
    edge = MARGIN / SVG_CELL
    sides = (-edge, course.width + edge, course.height + edge, -edge)  # left, right, bottom, top
    ax.imshow(pixels, extent=sides, alpha=0.45 if faint else 1.0, interpolation="antialiased")
    ax.set_axis_off()
    ax.set_title(plain(course.title))
    return ax


def plot_race(batch: BatchRace, game: int = 0, *, names: Iterable[str] = (), ax: Axes | None = None) -> Axes:
    """The present state of a race: the course, the checkpoints where they are now, each robot with heading and number.

    Args:
        batch: any batch; for an env pass `env.unwrapped.batch`.
        game: index of the race.
        names: one name for each seat, for the legend; default: `robot_0` ..
        ax: matplotlib Axes to draw into; None: a new figure.

    Raises:
        RoboRallyError: for a wrong index, or a wrong number of names.
    """
    i = check_whole(game, "game", 0, batch.num_games - 1)
    shown_names = list(names) or [f"robot_{seat}" for seat in range(batch.players)]
    if isinstance(names, str) or len(shown_names) != batch.players:
        raise RoboRallyError(f"names: expected one for each of {batch.players} robots, got {names!r}")
    shown = shown_by(batch, shown_names, i)
    width, height = size_of(shown.course)
    svg = state_svg(shown.course, shown.robots, checkpoints=shown.checkpoints, cubes=shown.cubes, ramps=shown.ramps)
    ax = _drawn(axes_of(ax, width, height + 0.2 * batch.players), shown.course, svg)
    word = EDITIONS[batch.edition].checkpoint
    for seat, robot in enumerate(shown.robots):
        where = "" if robot.on_board else " (off the board)"
        reached = int(batch.games[i]["reached"][seat])
        name = f"{seat} {robot.name}" if names else robot.name
        ax.plot([], [], "o", color=ROBOT_COLORS[seat], label=f"{plain(name)}: {word} {reached}{where}")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)
    ax.set_title(plain(f"{shown.course.title}, {shown.moment}"))
    return ax
