"""`roborally benchmark`: one agent by RoboRally-Bench."""

from __future__ import annotations

import shlex

import click
from rich.console import Console
from rich.text import Text

from roborally_env.base.checks import check_choice
from roborally_env.base.terminal import print_as_json, print_lines, printable
from roborally_env.base.types import JsonObject, NamedValues
from roborally_env.cli.options import resumable, some_path
from roborally_env.cli.races import progress_bar, worker_options
from roborally_env.cli.tables import Column, columns_of_terminal, print_table
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.evaluation.benchmark.card import CARD, PAGE, TRACEBACK, card_of, percent, time_line, write_files
from roborally_env.evaluation.benchmark.protocol import NAME, PROTOCOLS, TIME_CLASSES, protocol_of
from roborally_env.evaluation.benchmark.run import Measured
from roborally_env.evaluation.benchmark.run import benchmark as measure

WIDTH = 80


@click.command()
@click.argument("agent", metavar="AGENT")
@click.option(
    "--class", "asked_class", default="", metavar="C", help=f"Check this time class: {', '.join(TIME_CLASSES)}."
)
@click.option("--quick", is_flag=True, help="Run about a tenth of the races.")
@click.option("--against", multiple=True, metavar="O", help="Opponent: greedy or planner; repeatable.  [default: both]")
@click.option("--edition", default=DEFAULT_EDITION, show_default=True, metavar="E", help=f"{', '.join(PROTOCOLS)}.")
@worker_options
@click.option(
    "--out",
    type=click.Path(),
    metavar="DIR",
    callback=some_path,
    help="Folder of the results.  [default: out/benchmark/AGENT]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the card as JSON and nothing else.")
def benchmark(
    agent: str,
    asked_class: str,
    quick: bool,
    against: tuple[str, ...],
    edition: str,
    by: NamedValues,
    out: str | None,
    as_json: bool,
) -> int:
    """Measure AGENT with RoboRally-Bench: fixed courses, races, seats and opponents.

    AGENT is a name (greedy), a name with options (planner:simulations=300), package.module:Class, or a file
    (my_bot.py:MyBot). Its score is the win rate against three copies of one opponent, averaged over the courses. After
    Ctrl-C the finished parts stay, and the same command continues. With --class the exit code is 1 if its decisions
    take longer.
    """
    if asked_class:
        check_choice(asked_class, "--class", tuple(TIME_CLASSES))
    protocol = protocol_of(edition)
    races = protocol.races_of(quick) * len(protocol.courses) * len(set(against) or protocol.opponents)
    with resumable(), progress_bar(races) as progress:
        measured = measure(agent, edition=edition, quick=quick, against=against, out=out, progress=progress, **by)
    if not measured.parts:
        raise click.Abort
    with resumable():
        card = card_of(measured, command=_command(agent, asked_class, quick, against, edition), asked_class=asked_class)
        write_files(measured, card)
    if as_json:
        print_as_json(card)
    else:
        _print_report(card)
    _print_where(measured)
    if not measured.complete:
        return 130
    return 1 if asked_class and not card["run"]["class_held"] else 0


def _command(agent: str, asked_class: str, quick: bool, against: tuple[str, ...], edition: str) -> str:
    """The command line without what changes no outcome."""
    words = ["roborally", "benchmark", agent]
    words += ["--class", asked_class] if asked_class else []
    words += ["--quick"] if quick else []
    words += [word for name in against for word in ("--against", name)]
    words += ["--edition", edition] if edition != DEFAULT_EDITION else []
    return shlex.join(words)


def _print_report(card: JsonObject) -> None:
    console = Console(width=columns_of_terminal() or WIDTH)
    more = ", quick" * card["quick"] + ", not finished" * (not card["complete"])
    console.print(Text(printable(f"{card['agent']}: {NAME}, edition {card['edition']}{more}")))
    print_lines()
    _print_scores(card)
    print_lines()
    _print_courses(card)
    print_lines()
    console.print(Text(printable(time_line(card))))
    for line in card["crashes"]:
        console.print(Text(printable(f"lost by an error: {line}")))


SCORES = (
    Column("against", left=True),
    Column("courses", rank=1, left=True),
    Column("races", rank=5),
    Column("score"),
    Column("cut", rank=4),
    Column("illegal", rank=3),
    Column("crashes", rank=2),
)


def _print_scores(card: JsonObject) -> None:
    """The scores against each opponent, on each set of courses."""
    rows = []
    for name, against in card["against"].items():
        for each, row in against["scores"].items():
            counts = [str(row[key]) for key in ("cut", "repairs", "crashes")]
            rows.append((name, f"{each} ({row['courses']})", str(row["races"]), percent(row), *counts))
    print_table(SCORES, rows, plain=True)


def _print_courses(card: JsonObject) -> None:
    """The share of races won on each course, in columns by opponent."""
    found = {name: {row["course"]: row for row in each["courses"]} for name, each in card["against"].items()}
    sets = {course: row["set"] for rows in found.values() for course, row in rows.items()}
    rows = [
        (course, each, *(percent(rows[course]) if course in rows else "" for rows in found.values()))
        for course, each in sets.items()
    ]
    columns = (Column("course", left=True), Column("set", rank=1, left=True))
    print_table([*columns, *(Column(f"against {name}") for name in found)], rows, plain=True)


def _print_where(measured: Measured) -> None:
    folder = measured.folder
    if measured.traceback:
        print_lines(f"the traceback of the first error is in {folder / TRACEBACK}", err=True)
    print_lines(f"Card: {folder / CARD}; open {folder / PAGE} to view it", err=True)
    if not measured.complete:
        print_lines("roborally: stopped; the same command resumes", err=True)
