"""A course, or a race on it, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from roborally_env.analysis.elements import draw_element, draw_walls
from roborally_env.analysis.extras import COLORS, axes_of
from roborally_env.arguments import check_whole
from roborally_env.batch import BatchRace
from roborally_env.courses import EDITIONS, STEP, Course, load_course, turned_course
from roborally_env.courses.tables import WIDTH
from roborally_env.errors import RoboRallyError

FLOOR, LINES = "#f4f4f1", "#d4d4d0"
CELL = 0.42  # inches


def course_of(course: str | Course) -> Course:
    """The Course itself, or the Course of a name.

    Raises:
        RoboRallyError: for an unknown name.
    """
    return course if isinstance(course, Course) else load_course(course)


def size_of(course: Course) -> tuple[float, float]:
    """Width and height in inches of a figure for a course."""
    return CELL * course.width + 0.6, CELL * course.height + 0.7


def plot_course(
    course: str | Course,
    *,
    checkpoints: Iterable[tuple[int, int, int]] | None = None,
    ax: Any = None,
    faint: bool = False,
) -> Any:
    """The course: belts (green one step, blue two), gears, pits, panels, lasers, walls, checkpoints, tokens.

    Args:
        course: its name, or the Course.
        checkpoints: (number, x, y) where they are now; None: as at the start.
        ax: matplotlib Axes to draw into; None: a new figure.
        faint: paler, to draw something over it.
    """
    course = course_of(course)
    ax = axes_of(ax, *size_of(course))
    _floor(ax, course)
    for element in course.elements:
        draw_element(ax, course, element, faint)
    draw_walls(ax, course)
    _tokens(ax, course, course.checkpoints if checkpoints is None else checkpoints)
    ax.set_xlim(-0.05, course.width + 0.05)
    ax.set_ylim(course.height + 0.05, -0.05)
    ax.set_aspect("equal")
    ax.set_xticks([x + 0.5 for x in range(course.width)], range(course.width), fontsize=7)
    ax.set_yticks([y + 0.5 for y in range(course.height)], range(course.height), fontsize=7)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(course.title)
    return ax


def _floor(ax: Any, course: Course) -> None:
    from matplotlib.patches import Rectangle

    for y in range(course.height):
        for x in range(course.width):
            if course.on_board(x, y):
                ax.add_patch(Rectangle((x, y), 1, 1, facecolor=FLOOR, edgecolor=LINES, linewidth=0.6, zorder=0))


def _tokens(ax: Any, course: Course, checkpoints: Iterable[tuple[int, int, int]]) -> None:
    """Checkpoints, reboot tokens and the antenna."""
    middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 5}
    for x, y, facing in course.reboots:
        dx, dy = STEP[facing]
        ax.plot(x + 0.5, y + 0.5, "s", color="#8e44ad", markersize=13, alpha=0.35, zorder=4)
        ax.annotate("", (x + 0.5 + 0.3 * dx, y + 0.5 + 0.3 * dy), (x + 0.5 - 0.3 * dx, y + 0.5 - 0.3 * dy), zorder=5,
                    arrowprops={"arrowstyle": "-|>", "color": "#8e44ad", "shrinkA": 0, "shrinkB": 0})  # fmt: skip
    for number, x, y in checkpoints:
        ax.plot(x + 0.5, y + 0.5, "o", color="#1e8449", markersize=17, zorder=5)
        ax.text(x + 0.5, y + 0.5, str(number), color="white", fontsize=11, fontweight="bold", **middle)
    if course.antenna:
        x, y, facing = course.antenna
        dx, dy = STEP[facing]
        ax.plot([x + 0.5, x + 0.5 + 0.35 * dx], [y + 0.5, y + 0.5 + 0.35 * dy], color="black", linewidth=1.5, zorder=5)
        ax.plot(x + 0.5, y + 0.5, "^", color="black", markersize=11, zorder=5)


def plot_race(batch: BatchRace, game: int = 0, *, names: Iterable[str] = (), ax: Any = None) -> Any:
    """The present state of a race: the course, the checkpoints where they are now, each robot with heading and number.

    Args:
        batch: any batch; for an env pass `env.unwrapped.batch`.
        game: index of the race.
        names: one name for each seat, for the legend; default: `robot_0` ..
        ax: matplotlib Axes to draw into; None: a new figure.

    Raises:
        RoboRallyError: for a wrong index, or a wrong number of names.
    """
    record = batch.games[check_whole(game, "game", 0, batch.num_games - 1)]
    course = batch.courses[int(record["course"])]
    if batch.kind.has("turned"):
        course = turned_course(course, tuple(int(n) for n in record["turned"][: len(course.boards)]))
    places = [(i + 1, *_xy(int(cell))) for i, cell in enumerate(record["checkpoint"]) if cell >= 0]
    width, height = size_of(course)
    ax = plot_course(course, checkpoints=places, ax=axes_of(ax, width, height + 0.2 * batch.players))
    told = list(names) or [f"robot_{seat}" for seat in range(batch.players)]
    if isinstance(names, str) or len(told) != batch.players:
        raise RoboRallyError(f"names: expected one for each of {batch.players} robots, got {names!r}")
    word = EDITIONS[batch.edition].checkpoint
    for seat in range(batch.players):
        cell = int(record["cell"][seat])
        label = f"{told[seat]}: {word} {int(record['reached'][seat])}"
        _robot(ax, seat, cell, int(record["facing"][seat]), label)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.04), ncols=2, frameon=False, fontsize=8)
    ax.set_title(f"{course.title}, {batch.kind.round_word} {int(record['round_number'])}")
    return ax


def _xy(cell: int) -> tuple[int, int]:
    return cell % WIDTH, cell // WIDTH


def _robot(ax: Any, seat: int, cell: int, facing: int, label: str) -> None:
    """A disc with the robot's number and a nose in its heading; a robot off the board gets only its legend entry."""
    color = COLORS[seat % len(COLORS)]
    if cell < 0:
        ax.plot([], [], "o", color=color, label=f"{label} (off the board)")
        return
    (x, y), (dx, dy) = _xy(cell), STEP[facing]
    ax.plot(x + 0.5, y + 0.5, "o", color=color, markersize=14, markeredgecolor="white", zorder=9)
    tip = (x + 0.5 + 0.52 * dx, y + 0.5 + 0.52 * dy)
    sides = [(x + 0.5 + 0.2 * dx + s * 0.2 * dy, y + 0.5 + 0.2 * dy + s * 0.2 * dx) for s in (-1, 1)]
    ax.fill(*zip(tip, *sides, strict=True), color=color, linewidth=0, zorder=8)
    ax.text(x + 0.5, y + 0.5, str(seat), color="white", ha="center", va="center", fontsize=9, zorder=10)
    ax.plot([], [], "o", color=color, label=label)
