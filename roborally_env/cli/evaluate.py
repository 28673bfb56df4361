"""`roborally evaluate`: agents race against each other, with a table, a plot and replays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from roborally_env.arguments import CourseSource
from roborally_env.base.signals import interrupt_held
from roborally_env.base.terminal import has_color, print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import NamedValues
from roborally_env.cli.options import ManyValuesCommand, resumable
from roborally_env.cli.races import no_agents, progress_bar, race_options
from roborally_env.cli.tables import Column, note_width, print_table
from roborally_env.evaluation.files import chosen_races, prepare_folder, write_results
from roborally_env.evaluation.plot import title_of
from roborally_env.evaluation.statistics import Row
from roborally_env.evaluation.tournament import CardRow, Result, check_setup
from roborally_env.evaluation.tournament import evaluate as play_tournament

ENOUGH = 1000  # races; with fewer, intervals of single cards are too wide to tell anything


@click.command(cls=ManyValuesCommand)
@race_options(games=100)
@click.option(
    "--out",
    type=click.Path(),
    metavar="DIR",
    help="Write results, a plot, replays and pages to this folder. The same command resumes a stopped run.",
)
@click.option("--pages/--no-pages", default=True, show_default=True, help="Write pages of selected races to --out.")
@click.option(
    "--cards", "with_cards", is_flag=True, help=f"Report win rates by card, even for fewer than {ENOUGH:,} races."
)
@click.option("--draw", "drawn", is_flag=True, help="Draw the final position of one race in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def evaluate(
    agents: tuple[str, ...],
    chosen: CourseSource,
    races: NamedValues,
    by: NamedValues,
    out: str | None,
    pages: bool,
    with_cards: bool,
    drawn: bool,
    as_json: bool,
) -> int:
    """Race agents against each other and report win rates, places, rounds, damage and a rating.

    Seats are rotated. The same seed gives the same result for any number of workers. After Ctrl-C the finished races
    count. With --out, running the same command again plays the remaining races, however the run ended.
    """
    total = races["games"] * len(check_setup(agents or no_agents(), chosen, **races).courses)
    folder = None if out is None else prepare_folder(out)
    with resumable(folder):
        with progress_bar(total) as progress:
            result = play_tournament(agents, chosen, out=folder, progress=progress, **by, **races)
        if not result.races:
            raise click.Abort
        notes = _write(result, folder, pages) if folder else []  # first: printing may be interrupted
    _print_report(result, as_json, with_cards, drawn)
    for note in notes:
        print_lines(note, err=True)
    if not result.complete:
        more = "; the same command resumes" if folder else ""
        print_lines(f"roborally: stopped after {len(result.races):,} of {counted(total, 'race')}{more}", err=True)
        return 130
    return 0


def _write(result: Result, folder: Path, pages: bool) -> list[str]:
    """Write the files of the results, also if Ctrl-C comes meanwhile; returns what there is to say about them."""
    wait = "the results are being written; another Ctrl-C leaves that to the next run of the same command"
    with interrupt_held(lambda: print_lines(f"roborally: {wait}", err=True)):
        notes = write_results(result, folder, pages=pages)
    notes.append(f"results, plot and replays are in {folder}")
    return [*notes, f"look at them: {folder / 'index.html'}"] if pages else notes


def _print_report(result: Result, as_json: bool, with_cards: bool, drawn: bool) -> None:
    if as_json:
        print_as_json(result.to_dict())
        return
    _print_rows(title_of(result), result.rows)
    if len(set(result.setup.agents)) == 1:
        agent = result.setup.agents[0]
        print_lines(f"{agent} races itself, so these are the shares of its seats; --agents {agent} greedy compares it.")
    if len(result.setup.courses) > 1:
        for i, course in enumerate(result.setup.courses):
            _print_rows(course.title, result.rows_of(i))
    _print_cards(result, with_cards)
    if result.cut:
        rounds = counted(result.setup.max_rounds, "round")
        why = f"no winner in {rounds}" if result.setup.kind.has("lives") else f"cut after {rounds}"
        print_lines(f"{result.cut} of {counted(len(result.races), 'race')}: {why}; nobody won.")
    for row in result.rows:
        if row.repairs:
            count = counted(row.repairs, "illegal register")
            unanswered = ", also where the program gave no answer" if row.agent.startswith("exec:") else ""
            print_lines(f"{row.agent}: {count} {'was' if row.repairs == 1 else 'were'} replaced{unanswered}.")
    if drawn:
        _draw(result)


def _print_cards(result: Result, wanted: bool) -> None:
    """A table of the cards, if it is wanted or there are races enough, else that there is one."""
    owned = sum(row.owned > 0 for row in result.upgrades)
    if owned and (wanted or len(result.races) >= ENOUGH):
        (_print_options if result.setup.kind.has("options") else _print_upgrades)(result.upgrades)
    elif owned:
        card = result.setup.card_word.removesuffix("s")
        print_lines(f"{counted(owned, card)} came up; --cards reports who won with them.")


COLUMNS = (
    Column("agent", left=True),
    Column("races", rank=2),
    Column("won"),
    Column("95% interval", rank=1),
    Column("mean place", rank=3),
    Column("rounds to win", rank=5),
    Column("(median)", rank=9),
    Column("all rounds", rank=8),
    Column("reboots", rank=6),
    Column("damage", rank=7),
    Column("rating", rank=4),
)
CARDS_WON = (Column("owned", rank=2), Column("won"), Column("95% interval", rank=1))
UPGRADES = (
    Column("upgrade", left=True),
    Column("type", rank=4, left=True),
    Column("cost", rank=3),
    Column("bought"),
    *CARDS_WON,
)


def _print_rows(title: str, rows: Sequence[Row]) -> None:
    print_table(COLUMNS, [_cells(row) for row in sorted(rows, key=lambda row: -row.win_rate)], title)


def _cells(row: Row) -> list[str]:
    return [
        row.agent,
        str(row.races),
        f"{row.win_rate:.1%}",
        f"{row.win_low:.1%} - {row.win_high:.1%}",
        f"{row.mean_place:.2f}",
        _number(row.rounds_won_mean),
        _number(row.rounds_won_median),
        _number(row.rounds_mean),
        f"{row.reboots:.2f}",
        f"{row.damage:.2f}",
        f"{row.mu:.1f} ± {row.sigma:.1f}",
    ]


def _print_upgrades(found: Sequence[CardRow]) -> None:
    """A table of purchases, the most bought upgrade first."""
    rows = [
        (row.upgrade, row.kind, str(row.cost), str(row.bought), *_cells_of_owners(row))
        for row in sorted(found, key=lambda row: -row.bought)
        if row.win_rate is not None
    ]
    print_table(UPGRADES, rows, "Upgrades: purchases, and how often their owners won")


def _print_options(found: Sequence[CardRow]) -> None:
    """A table of the options drawn, the most owned first."""
    owned = sorted((row for row in found if row.win_rate is not None), key=lambda row: -row.owned)
    rows = [(row.upgrade, *_cells_of_owners(row)) for row in owned]
    print_table((Column("option", left=True), *CARDS_WON), rows, "Options: how often their owners won")


def _cells_of_owners(row: CardRow) -> tuple[str, str, str]:
    return str(row.owned), f"{row.win_rate:.1%}", f"{row.win_low:.1%} - {row.win_high:.1%}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _draw(result: Result) -> None:
    """The last position of the closest finish, else of the first race."""
    from roborally_env.cli.replay import picture, standings
    from roborally_env.replay import play

    race = chosen_races(result).get("closest_finish", result.races[0])
    replay = result.replay(race)
    *_, end = play(replay)
    color = has_color()
    print_lines("", f"Game {race.game} on {end.course.title} after round {end.number}:", "")
    drawing = picture(end, color)
    click.echo(drawing, color=True, nl=False)
    print_lines("", *standings(replay, end))
    note_width(drawing, "--out DIR writes it as a page")
