"""Two reports beside each other: what became faster or slower."""

from __future__ import annotations

import statistics
from typing import NamedTuple

from roborally_env.base.errors import RoboRallyError
from roborally_env.speed.rows import Report, Row

FEW = 5  # runs
LEAST_CHANGE = 0.03  # of the ratio to the yardstick; less is called the same


class Compared(NamedTuple):
    """A row, its ratio to the yardstick in an earlier report, and the verdict."""

    row: Row
    before: float | None  # None: the earlier report has no such row
    change: float | None  # ratio now / before
    verdict: str  # "faster", "slower", "the same" or "new"


def compare(report: Report, earlier: Report) -> list[Compared]:
    """The rows with a ratio beside those of an earlier report.

    A row is faster or slower if the middle halves of its runs' ratios do not overlap with those before, and their
    medians differ by LEAST_CHANGE at least. Rates do not matter, so reports of different machines can be compared.

    Raises:
        RoboRallyError: if the reports are of different courses or numbers of players.
    """
    for name in ("course", "players"):
        now, then = report.settings.get(name), earlier.settings.get(name)
        if now != then:
            raise RoboRallyError(f"compare: the earlier report has {name} {then}, this one {now}; expected equal ones")
    known = {row.key: row for row in earlier.rows if row.ratios}
    return [_compared(row, known.get(row.key)) for row in report.rows if row.ratios]


def _compared(row: Row, before: Row | None) -> Compared:
    if before is None or before.ratio is None or row.ratio is None:
        return Compared(row, None, None, "new")
    change = row.ratio / before.ratio
    low, high = _middle(row.ratios)
    low_before, high_before = _middle(before.ratios)
    if change >= 1 + LEAST_CHANGE and low > high_before:
        return Compared(row, before.ratio, change, "faster")
    if change <= 1 - LEAST_CHANGE and high < low_before:
        return Compared(row, before.ratio, change, "slower")
    return Compared(row, before.ratio, change, "the same")


def _middle(ratios: list[float]) -> tuple[float, float]:
    """The first and the third quartile; of a few figures the least and the greatest."""
    if len(ratios) < FEW:
        return min(ratios), max(ratios)
    first, _, third = statistics.quantiles(ratios, n=4, method="inclusive")
    return first, third
