"""`roborally bench`."""

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import click

from roborally_env.base.files import check_writable, write_whole
from roborally_env.base.terminal import print_lines, printable
from roborally_env.base.types import OptionValue


class Seconds(click.FloatRange):
    """A range of numbers that does not hold nan, as no range does."""

    name = "number"

    def convert(self, value: OptionValue, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


@click.command()
@click.option("--course", default="dizzy_highway", show_default=True, help="A course, by name or file.")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="Players in a race.")
@click.option(
    "--runs", type=click.IntRange(1, 1000), help="Number of runs; the median is reported.  [default: 5; with --quick 3]"
)
@click.option("--seconds", type=Seconds(0.001, 600), help="Time for each row of a run.  [default: 1; with --quick 0.5]")
@click.option(
    "--threads", type=click.IntRange(1, 256), default=2, show_default=True, help="Measure with 1 to N threads."
)
@click.option("--quick", is_flag=True, help="Batch size 256 only, and less time for each row.")
@click.option("--no-start", is_flag=True, help="Skip the rows for start-up time, with and without compiling.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to this file as JSON.")
@click.option("--compare", type=click.Path(path_type=Path), help="Earlier report: show what is faster or slower now.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def bench(
    course: str,
    players: int,
    runs: int | None,
    seconds: float | None,
    threads: int,
    quick: bool,
    no_start: bool,
    out: Path | None,
    compare: Path | None,
    as_json: bool,
) -> None:
    """Measure the simulator: rounds and decisions per second, searches, start-up time.

    The complete game of 2016 has upgrades, the lighter one does not. The 2023 rows use the same course, the 2005 rows
    Risky Exchange with four and eight robots, and the community rows Dizzy Highway and Summit Works with four robots
    that never power down. A decision is one program or one choice of one robot. "acting rows": only the seat that
    decides is observed while a purchase is open. "train ppo" acts and learns, on one thread and on two, if torch is
    installed. Use the ratio column to compare runs and machines: it divides the decisions per second (or the rate, for
    rows without decisions) by those of a small fixed race with simplified rules, which is timed beside each row. The
    default course is a fixed workload, so that reports of other machines and versions are comparable.
    """
    from rich.console import Console
    from rich.text import Text

    from roborally_env.arguments import check_players, course_source
    from roborally_env.courses.model import DEFAULT_EDITION
    from roborally_env.speed import compare as compare_reports
    from roborally_env.speed import read_report, run

    runs = runs or (3 if quick else 5)
    seconds = seconds or (0.5 if quick else 1.0)
    source = course_source(course, DEFAULT_EDITION)  # the rows of 2005 have a course of their own
    check_players(players, source.courses)
    earlier = None if compare is None else read_report(compare)
    if out is not None:
        check_writable(out, "--out")
    notes = Console(stderr=True)

    def progress(what: str, done: int, steps: int) -> None:
        notes.print(Text(printable(f"bench: {what} ({done} of {steps} done)"), "dim"))

    report = run(
        course, players, runs=runs, seconds=seconds, threads=threads, quick=quick, start=not no_start,
        more=_training(course, players), progress=progress,
    )  # fmt: skip
    text = json.dumps(report.to_dict(), indent=1)
    compared = None if earlier is None else compare_reports(report, earlier)
    if out is not None:
        write_whole(out, text + "\n")
    if as_json:
        print_lines(*text.splitlines())
    elif compared is not None:
        _print_comparison(compared, earlier)
    else:
        _print_table(report)


def _training(course: str, players: int) -> list[Any]:
    """The rows of `roborally train ppo`, where torch is installed."""
    if importlib.util.find_spec("torch") is None:
        return []
    from roborally_env.training.ppo.speed import training_tasks

    return training_tasks(course, players)


_WORDS = ("what", "game", "asked", "masks", "reset")  # columns of words


def _print_table(report: Any) -> None:
    from roborally_env.cli.tables import Column, print_table

    ranks = {  # columns that distinguish rows stay longest, beside the figures
        "what": 0, "game": 1, "robots": 4, "asked": 5, "batch": 2, "thr.": 3, "masks": 6, "reset": 7,
        "median": 0, "low .. high": 9, "decisions/s": 8, "ratio": 0,
    }  # fmt: skip
    columns = [Column(name, rank, left=name in _WORDS) for name, rank in ranks.items()]
    where = f"{report.settings['course']}, {report.settings['players']} robots"
    print_table(columns, [_cells(row) for row in report.rows], f"{where}; other rows name their course")
    print_lines(", ".join(f"{key} {value}" for key, value in report.machine.items()))


def _print_comparison(compared: list[Any], earlier: Any) -> None:
    from roborally_env.cli.tables import Column, print_table

    ranks = {
        "what": 0, "game": 0, "robots": 1, "asked": 4, "batch": 5, "thr.": 6, "masks": 7, "reset": 8,
        "ratio": 2, "before": 3, "now / before": 0, "verdict": 0,
    }  # fmt: skip
    columns = [Column(name, rank, left=name in (*_WORDS, "verdict")) for name, rank in ranks.items()]
    rows = []
    for row, before, change, verdict in compared:
        figures = (_ratio(row.ratio), _ratio(before), "" if change is None else f"{change:.2f}", verdict)
        rows.append((*_cells(row)[:8], *figures))
    print_table(columns, rows, "ratios to the yardstick, now and before")
    print_lines("before: " + ", ".join(f"{key} {value}" for key, value in earlier.machine.items()))


def _cells(row: Any) -> tuple[str, ...]:
    """The cells of a row, as text."""
    return (
        row.name + ", acting rows" * (row.observe_idle is False) + (f", {row.dtype}" if row.dtype else ""),
        _game_of(row), _number(row.players), row.decisions or "",
        _number(row.batch), _number(row.threads), _yes(row.masks), _yes(row.auto_reset),
        f"{_number(row.median)} {row.unit}", f"{_number(row.low)} .. {_number(row.high)}" if row.runs else "",
        _number(row.decisions_per_second), _ratio(row.ratio),
    )  # fmt: skip


def _game_of(row: Any) -> str:
    """The game of a row, and its course if it differs from the report's."""
    course = (row.course or "").rpartition("/")[2]
    return f"{row.rules or ''}{', ' * bool(course)}{course}"


def _ratio(value: float | None) -> str:
    if not value:
        return ""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.2e}"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
