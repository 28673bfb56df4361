"""Access to pandas and matplotlib, which the rest of the package does not need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


# one colour for each agent or robot, distinct also for colour-blind people (Okabe and Ito's, darkest first)
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
INSTALL = 'pip install "roborally_env[notebooks]"'


@contextmanager
def needed(library: str) -> Iterator[None]:
    """A context in which a library of the extra is imported.

    Raises:
        RoboRallyError: if it is not installed; the message says how to install it.
    """
    try:
        yield
    except ImportError as error:
        raise RoboRallyError(f"analysis: {library} is not installed ({error}); {INSTALL} gives it") from None


def data_frame(rows: Iterable[object], columns: list[str] | None = None) -> DataFrame:
    """A pandas DataFrame."""
    with needed("pandas"):
        import pandas
    return pandas.DataFrame(rows, columns=columns)


def axes_of(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """`ax`, or the Axes of a new figure."""
    if ax is not None:
        return ax
    with needed("matplotlib"):
        from matplotlib import pyplot
    figure = pyplot.figure(figsize=(width, height), layout="constrained")
    return figure.add_subplot()


def use_style() -> None:
    """Let all figures of this process look like those of this package: its colours, two axes, no frame.

    Raises:
        RoboRallyError: if matplotlib is not installed.
    """
    with needed("matplotlib"):
        import matplotlib
        from matplotlib.rcsetup import cycler
    matplotlib.rcParams.update(
        {
            "axes.prop_cycle": cycler(color=COLORS),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlesize": 10,
            "figure.constrained_layout.use": True,
            "legend.frameon": False,
        }
    )


def check_frame(frame: DataFrame, name: str, columns: tuple[str, ...], made_by: str) -> None:
    """Raise a RoboRallyError unless the value is a DataFrame with these columns."""
    if not hasattr(frame, "columns"):
        raise RoboRallyError(f"{name}: expected a table as {made_by} gives it, got {type(frame).__name__}")
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise RoboRallyError(f"{name}: expected a table as {made_by} gives it, with columns {', '.join(missing)}")
