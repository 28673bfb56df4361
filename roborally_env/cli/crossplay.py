"""`roborally crossplay`: every agent alone against every other, with a matrix, a rating and a heat map."""

from __future__ import annotations

import click

from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.cli.options import ManyValuesCommand, json_option, resumable
from roborally_env.cli.races import RaceArguments, progress_on_terminal, race_options, stopped
from roborally_env.cli.tables import Column, print_table
from roborally_env.evaluation.crossplay import RESULTS, Cell, CrossPlay, check_crossplay, races_of
from roborally_env.evaluation.crossplay import crossplay as play_all
from roborally_env.evaluation.files import NO_MATPLOTLIB, prepare_folder
from roborally_env.evaluation.heat_map import plot_matrix


@click.command(cls=ManyValuesCommand)
@click.argument("agents", nargs=-1, metavar="AGENT AGENT ...")
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
@json_option()
def crossplay(
    asked: RaceArguments,
    out: str | None,
    drawing: str | None,
    as_json: bool,
) -> int:
    """Race every AGENT alone against every other, which has all other seats, in both roles.

    Prints the win rate of the lone agent with 95 % intervals, and a rating from all races. --games counts
    the races of each pair on each course. The same seed gives the same result for any number of workers. Put the
    agents before the options.
    """
    agents = asked.agents
    if len(agents) < 2:
        raise click.UsageError("expected two agents at least, before the options, as in crossplay greedy random")
    setup, _ = check_crossplay(agents, asked.source, **asked.race)
    races = races_of(setup, agents)
    playing = asked.playing
    folder = prepare_folder(out) if out else None
    with resumable(folder):
        with progress_on_terminal(races) as progress:
            found = play_all(agents, asked.source, out=folder, progress=progress, **playing, **asked.race)
        if not found.cells:
            raise click.Abort
    if as_json:
        print_as_json(found.to_dict())
    else:
        _print_report(found)
    if drawing:
        _draw(found, drawing)
    if folder:
        print_lines(f"the results are in {folder / RESULTS}", err=True)
    if not found.complete:
        return stopped(int(found.outcomes.sum()), races, bool(folder))
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
    title = f"Races won alone, 95 % intervals; an equal share is {1 / found.sides:.1%}"
    print_table([Column("agent", left=True), *columns], rows, title)
    ratings = [[row.agent, f"{row.rating:+.0f}", f"{row.low:+.0f} to {row.high:+.0f}"] for row in found.ratings]
    heads = (Column("agent", left=True), Column("rating"), Column("95 % interval", rank=1))
    print_table(heads, ratings, "Ratings: 400 points are odds of 10 to 1, the mean is 0")
    if cut := sum(cell.cut for cell in found.cells):
        print_lines(f"{cut} of {counted(int(found.outcomes.sum()), 'race')}: nobody won; they do not count in ratings.")


def _words(cell: Cell | None) -> str:
    """A cell of the matrix: the share of races won and its interval."""
    return "" if cell is None else f"{cell.win_rate:.1%} ({100 * cell.win_low:.0f} - {100 * cell.win_high:.0f})"
