"""`roborally crossplay`: every agent alone against every other, with a matrix, a rating and a heat map."""

from __future__ import annotations

from pathlib import Path

import click

from roborally_env.arguments import CourseSource
from roborally_env.base.files import check_writable
from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import NamedValues
from roborally_env.cli.options import ManyValuesCommand, resumable
from roborally_env.cli.races import progress_bar, race_options
from roborally_env.cli.tables import Column, print_table
from roborally_env.evaluation.crossplay import RESULTS, Cell, CrossPlay, check_crossplay, races_of
from roborally_env.evaluation.crossplay import crossplay as play_all
from roborally_env.evaluation.files import NO_MATPLOTLIB, prepare_folder
from roborally_env.evaluation.heat_map import plot_matrix


def _two_at_least(context: click.Context, parameter: click.Parameter, agents: tuple[str, ...]) -> tuple[str, ...]:
    if len(agents) < 2:
        raise click.UsageError("expected at least two agents before the options, as in crossplay greedy random")
    return agents


@click.command(cls=ManyValuesCommand)
@click.argument("agents", nargs=-1, metavar="AGENT AGENT ...", is_eager=True, callback=_two_at_least)
@race_options(games=100, agents=False)
@click.option(
    "--out",
    type=click.Path(),
    metavar="DIR",
    help="Keep the races in this folder. The same command resumes a stopped run, also with more agents.",
)
@click.option(
    "--draw", "drawing", type=click.Path(), metavar="FILE", help="Write the matrix to this PNG file, as a heat map."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def crossplay(
    agents: tuple[str, ...],
    chosen: CourseSource,
    races: NamedValues,
    by: NamedValues,
    out: str | None,
    drawing: str | None,
    as_json: bool,
) -> int:
    """Race each pair of AGENTs in both roles: one alone in a seat, the other in all other seats.

    Prints the win rate of the lone agent with 95% intervals, and a rating from all races. --games counts
    the races of each pair on each course. The same seed gives the same result for any number of workers. Put the
    agents before the options.
    """
    setup, _ = check_crossplay(agents, chosen, **races)
    total = races_of(setup, agents)
    if drawing is not None:
        check_writable(Path(drawing), "--draw")
    folder = None if out is None else prepare_folder(out)
    with resumable(folder):
        with progress_bar(total) as progress:
            found = play_all(agents, chosen, out=folder, progress=progress, **by, **races)
        if not found.cells:
            raise click.Abort
    if as_json:
        print_as_json(found.to_dict())
    else:
        _print_report(found)
    if drawing is not None:
        _draw(found, drawing)
    if folder:
        print_lines(f"the results are in {folder / RESULTS}", err=True)
    if not found.complete:
        more = "; the same command resumes" if folder else ""
        print_lines(f"roborally: stopped after {found.outcomes.sum():,} of {counted(total, 'race')}{more}", err=True)
        return 130
    return 0


def _draw(found: CrossPlay, path: str) -> None:
    try:
        plot_matrix(found, path)
        print_lines(f"the heat map is in {path}", err=True)
    except ImportError:
        print_lines(NO_MATPLOTLIB, err=True)


def _print_report(found: CrossPlay) -> None:
    cells = {(cell.agent, cell.against): cell for cell in found.cells}
    names = [row.agent for row in found.ratings]
    others = found.sides - 1
    columns = [Column(f"against {others} {name}", rank=i + 1) for i, name in enumerate(names)]
    rows = [[name, *(_words(cells.get((name, other))) for other in names)] for name in names]
    title = f"Races won alone, 95% intervals; an equal share is {1 / found.sides:.1%}"
    print_table([Column("agent", left=True), *columns], rows, title)
    ratings = [[row.agent, f"{row.rating:+.0f}", f"{row.low:+.0f} to {row.high:+.0f}"] for row in found.ratings]
    heads = (Column("agent", left=True), Column("rating"), Column("95% interval", rank=1))
    print_table(heads, ratings, "Ratings: 400 points are odds of 10 to 1, the mean is 0")
    if cut := sum(cell.cut for cell in found.cells):
        print_lines(f"{cut} of {counted(int(found.outcomes.sum()), 'race')}: nobody won; they do not count in ratings.")


def _words(cell: Cell | None) -> str:
    """A cell of the matrix: the share of races won and its interval."""
    return "" if cell is None else f"{cell.win_rate:.1%} ({100 * cell.win_low:.0f} - {100 * cell.win_high:.0f})"
