"""How a run of self-play goes: rows of tables, TensorBoard, and the progress line."""

from __future__ import annotations

from collections.abc import Mapping

from roborally_env.evaluation.statistics import Row
from roborally_env.training.board import Board
from roborally_env.training.evaluations import COLUMNS, TABLE
from roborally_env.training.folder import Folder
from roborally_env.training.progress import ProgressLine
from roborally_env.training.selfplay import levels

PROGRESS = (
    "decisions", "seconds", "rate", "program/policy", "program/value", "program/win", "program/entropy",
    "program/expert", "program/clipped", "purchase/policy", "purchase/value", "purchase/win", "purchase/entropy",
    "share/env", "share/policy", "share/league", "share/update", "share/other", *levels.COLUMNS,
)  # fmt: skip
WITH_ACTORS = (
    *(name for name in PROGRESS if name not in ("share/env", "share/league")), "share/wait", "behind",
)  # fmt: skip
TABLES = {"progress.csv": PROGRESS, TABLE: COLUMNS}


class Progress:
    """Reports the progress of a run, from `total` decisions on."""

    def __init__(self, folder: Folder, total: int) -> None:
        self.folder = folder
        self.line = ProgressLine()
        self.writer = Board(folder.path / "tensorboard", total)

    def report(
        self,
        what: str,
        total: int,
        seconds: float,
        rate: float,
        metrics: Mapping[str, float],
        shares: Mapping[str, float],
        ahead: Mapping[str, float],
    ) -> None:
        """An iteration.

        Args:
            what: what it did, in words.
            total: decisions learned from, up to now.
            seconds: of training, up to now.
            rate: decisions per second.
            metrics: the losses.
            shares: of the time, by what took it.
            ahead: the share of pairs of seats in which the network was placed before a member, by its name.
        """
        ahead_of = {f"share/{name}": share for name, share in shares.items()}
        row = {"seconds": seconds, "rate": rate, **metrics, **ahead_of}
        for name, number in {**row, **{f"league/{name}": score for name, score in ahead.items()}}.items():
            self.writer.add_scalar(name, number, total)
        self.folder.append("progress.csv", {"decisions": total, **row})
        self.line.show(
            f"{what} {total:,} decisions",
            f"{rate:,.0f}/s",
            " ".join(f"{name} {share:.0%}" for name, share in shares.items() if name != "other"),
            *(f"ahead of {name} {score:.0%}" for name, score in ahead.items()),
        )

    def report_races(self, total: int, seconds: float, course: str, opponent: str, rivals: int, row: Row) -> None:
        """Report the races of an evaluation on a course against `rivals` opponents."""
        self.line.say(
            f"  {course}: {row.win_rate:.0%} ({row.win_low:.0%} - {row.win_high:.0%}) of {row.races} races against "
            f"{rivals} {opponent}"
        )
        self.writer.add_scalar(f"won/{course}/{opponent}", row.win_rate, total)
        about = {"decisions": total, "seconds": seconds, "course": course, "opponent": opponent, "races": row.races}
        numbers = {"win_rate": row.win_rate, "win_low": row.win_low, "win_high": row.win_high}
        self.folder.append(TABLE, about | numbers)

    def close(self) -> None:
        """End the line and the log."""
        self.line.close()
        self.writer.close()
