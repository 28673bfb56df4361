"""What `roborally bench` reports: rows of rates, as JSON values and back."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import numba
import numpy as np

from roborally_env.base.documents import read_json
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject


@dataclass
class Row:
    """One measurement. Rates are per second; `median`, `low` and `high` count things of the named `unit`."""

    name: str
    unit: str
    batch: int | None = None
    threads: int | None = None
    observation: str | None = None
    masks: bool | None = None
    auto_reset: bool | None = None
    rules: str | None = None  # the kind of record of the games
    course: str | None = None  # None: the report's course
    players: int | None = None
    decisions: str | None = None
    observe_idle: bool | None = None
    dtype: str | None = None  # of symbolic vectors, where it is not float32
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    rounds_per_second: float | None = None
    decisions_per_second: float | None = None
    ratio: float | None = None  # rate / the yardstick's at the same moment; compare runs and machines by this
    runs: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)  # one for each of `runs`

    @property
    def key(self) -> tuple[object, ...]:
        """What is measured: the same in every report."""
        return tuple(getattr(self, each.name) for each in fields(self) if each.name not in _FIGURES)


YARDSTICK = "yardstick"  # the name of its row
_FORMER = {"idle_rows": "observe_idle"}  # keys of reports before 0.3
_FIGURES = {"median", "low", "high", "rounds_per_second", "decisions_per_second", "ratio", "runs", "ratios"}


@dataclass
class Report:
    """All rows, and the machine and versions that they were measured on."""

    machine: JsonObject
    settings: JsonObject
    rows: list[Row]

    def to_dict(self) -> JsonObject:
        """The report as JSON-ready data."""
        return asdict(self)


def read_report(path: Path) -> Report:
    """The report in a file that `roborally bench --json` or `--out` has written.

    Raises:
        RoboRallyError: if there is none, or it is of another version.
    """
    wanted = "expected a report that 'roborally bench --out FILE' has written"
    try:
        data = read_json(path)
    except RoboRallyError as error:
        raise RoboRallyError(f"{path}: {error}; {wanted}") from None
    try:
        rows = [Row(**{_FORMER.get(key, key): value for key, value in row.items()}) for row in data["rows"]]
        report = Report(dict(data["machine"]), dict(data["settings"]), rows)
        for row in rows:
            hash(row.key)  # TypeError for a list or an object in it
            if not all(isinstance(number, int | float) for number in (row.median, *row.runs, *row.ratios)):
                raise TypeError
            if row.ratio is not None and not row.ratio > 0:
                raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError):
        raise RoboRallyError(f"{path}: {wanted}, by this version") from None
    if not any(row.name == YARDSTICK for row in rows):
        raise RoboRallyError(f"{path}: {wanted}, by this version")
    return report


def machine() -> JsonObject:
    """The machine and the versions that the figures belong to."""
    from importlib.metadata import version

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "roborally_env": version("roborally_env"),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"
