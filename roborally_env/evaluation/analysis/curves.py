"""Learning curves from logs of TensorBoard or CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.text import plain
from roborally_env.base.types import Fields
from roborally_env.evaluation.analysis.extras import COLORS, axes_of, data_frame, needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series


STEPS = ("step", "steps", "time/total_timesteps", "total_timesteps", "global_step", "update", "iteration")
EVENT_FILES = "events.out.tfevents.*"


def read_curves(path: str | Path) -> DataFrame:
    """The scalars of a log as a DataFrame, one column for each, indexed by step.

    Args:
        path: a CSV file (its steps in a column `step`, `time/total_timesteps` or the like, else in the first), a file
            of TensorBoard, or the folder that either is in (a TensorBoard log goes first).

    Raises:
        RoboRallyError: if there is no such log, or it cannot be read.
    """
    place = Path(path)
    if not place.exists():
        raise RoboRallyError(f"{place}: no such file or folder")
    logs = [place] if place.is_file() else sorted(place.rglob(EVENT_FILES)) or sorted(place.rglob("*.csv"))
    if not logs:
        raise RoboRallyError(f"{place}: expected a TensorBoard log ({EVENT_FILES}) or a CSV file in it")
    if logs[0].suffix == ".csv":
        return _read_csv(logs[0])
    return _read_tensorboard(logs[0].parent if place.is_dir() else logs[0])


def _read_csv(path: Path) -> DataFrame:
    with needed("pandas"):
        import pandas
    try:
        table = pandas.read_csv(path)
    except (ValueError, OSError) as error:
        raise RoboRallyError(f"{path}: not a table: {error}") from None
    steps = next((name for name in STEPS if name in table.columns), table.columns[0])
    return table.set_index(steps).sort_index()


def _read_tensorboard(path: Path) -> DataFrame:
    with needed("tensorboard"):
        from tensorboard.backend.event_processing import event_accumulator as events
    log = events.EventAccumulator(str(path), size_guidance={events.SCALARS: 0})
    log.Reload()
    columns = {tag: {point.step: point.value for point in log.Scalars(tag)} for tag in log.Tags()["scalars"]}
    if not columns:
        raise RoboRallyError(f"{path}: no TensorBoard log, or one without scalars")
    table = data_frame(columns).sort_index()
    table.index.name = "step"
    return table


def plot_curves(
    runs: DataFrame,
    columns: str | Sequence[str],
    *,
    smooth: float = 0.0,
    label: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """One or several columns of a log, or the same columns of several logs, against the step.

    Args:
        runs: a DataFrame as `read_curves` gives it, or a mapping from names to such.
        columns: the column or columns.
        smooth: 0 for none, up to below 1: the weight of earlier values, as in TensorBoard; the raw values stay
            visible.
        label: of the y axis; None: the column.
        ax: matplotlib Axes to draw into; None: a new figure.

    Raises:
        RoboRallyError: for a column that is not there, or a weight out of range.
    """
    if isinstance(smooth, bool) or not isinstance(smooth, (int, float)) or not 0 <= smooth < 1:
        raise RoboRallyError(f"smooth: expected a number from 0 to below 1, got {smooth!r}")
    wanted = [columns] if isinstance(columns, str) else list(columns)
    tables: Fields = runs if isinstance(runs, Mapping) else {"": runs}
    ax = axes_of(ax)
    lines = [(name, column, _column(table, column)) for name, table in tables.items() for column in wanted]
    for number, (name, column, line) in enumerate(lines):
        words = " ".join(part for part in (name, column if len(wanted) > 1 or not name else "") if part)
        _curve(ax, line, float(smooth), COLORS[number % len(COLORS)], words)
    ax.set_xlabel(plain(lines[0][2].index.name or "step") if lines else "step")
    ax.set_ylabel(label or (plain(wanted[0]) if len(wanted) == 1 else ""))
    ax.spines[["top", "right"]].set_visible(False)
    if len(lines) > 1:
        ax.legend(frameon=False)
    return ax


def _column(table: DataFrame, column: str) -> Series:
    if column not in getattr(table, "columns", ()):
        known = [str(name) for name in getattr(table, "columns", ())]
        raise RoboRallyError(f"columns: no {column!r} in the log{nearest(column, known)}; it has {', '.join(known)}")
    return table[column].dropna()


def _curve(ax: Axes, line: Series, smooth: float, color: str, label: str) -> None:
    if smooth:
        ax.plot(line.index, line, color=color, alpha=0.25, linewidth=1)
        line = line.ewm(alpha=1 - smooth, adjust=True).mean()
    ax.plot(line.index, line, color=color, label=plain(label))
