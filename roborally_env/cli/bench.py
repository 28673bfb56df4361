"""`roborally bench`."""

import json
from typing import Any

import click


@click.command()
@click.option("--course", default="dizzy_highway", show_default=True, help="Course name or file.")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True)
@click.option("--runs", type=click.IntRange(1, 1000), help="The median of so many is quoted: 5, with --quick 3.")
@click.option("--seconds", type=click.FloatRange(0.001, 600), help="Each row in each run: 1, with --quick 0.5.")
@click.option("--threads", type=click.IntRange(1, 256), default=2, show_default=True, help="Measure 1 to so many.")
@click.option("--quick", is_flag=True, help="Batch 256 only, and less time for each row.")
@click.option("--no-start", is_flag=True, help="Leave out the cold compile and the cached start.")
@click.option("--json", "as_json", is_flag=True, help="Every row as an object; stdout holds JSON alone.")
def bench(
    course: str,
    players: int,
    runs: int | None,
    seconds: float | None,
    threads: int,
    quick: bool,
    no_start: bool,
    as_json: bool,
) -> None:
    """Measure the simulator: rounds and decisions a second, searches, starts.

    The complete game of 2016 has upgrades, the lighter one has not; 2023 races on the same course; the rows of 2005
    are on Risky Exchange with four and eight robots, those by community rules on Dizzy Highway and Summit Works with
    four that never power down. One decision is one program or one choice of one robot. "asked rows": only the
    seat that is asked is observed while a purchase is open. Compare the ratio column between runs and machines: it is
    the rate divided by that of a fixed integer loop in the same run.
    """
    from rich.console import Console

    from roborally_env.arguments import check_courses, check_players
    from roborally_env.bench import run
    from roborally_env.courses.model import DEFAULT_EDITION

    runs = runs or (3 if quick else 5)
    seconds = seconds or (0.5 if quick else 1.0)
    check_players(players, check_courses(course, DEFAULT_EDITION))  # the rows of 2005 have a course of their own
    notes = Console(stderr=True)

    def progress(what: str, done: int, steps: int) -> None:
        notes.print(f"[dim]bench: {what} ({done} of {steps} done)[/dim]", highlight=False)

    report = run(
        course, players, runs=runs, seconds=seconds, threads=threads, quick=quick, start=not no_start, progress=progress
    )  # fmt: skip
    if as_json:
        click.echo(json.dumps(report.to_dict(), indent=1))
    else:
        _print_table(report)


def _print_table(report: Any) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=160)  # also if the output is no terminal: figures must not be cut off
    where = f"{report.settings['course']}, {report.settings['players']} robots"
    table = Table(title=f"{where}; 2005 and community: the course named")
    words = ("what", "game", "asked", "masks", "reset")
    heads = (*words[:2], "robots", words[2], "batch", "thr.", *words[3:])
    for name in (*heads, "median", "low .. high", "decisions/s", "ratio"):
        table.add_column(name, justify="left" if name in words else "right", no_wrap=True)
    for row in report.rows:
        table.add_row(
            row.name + ("" if row.idle_rows in (None, True) else ", asked rows"),
            _game_of(row), _number(row.players), row.decisions or "",
            _number(row.batch), _number(row.threads), _yes(row.masks), _yes(row.auto_reset),
            f"{_number(row.median)} {row.unit}", f"{_number(row.low)} .. {_number(row.high)}" if row.runs else "",
            _number(row.decisions_per_second), f"{row.ratio:.2e}" if row.ratio else "",
        )  # fmt: skip
    console.print(table)
    console.print(", ".join(f"{key} {value}" for key, value in report.machine.items()), style="dim")


def _game_of(row: Any) -> str:
    """The game of a row, and its course if it differs from the report's."""
    course = (row.course or "").rpartition("/")[2]
    return f"{row.rules or ''}{', ' * bool(course)}{course}"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
