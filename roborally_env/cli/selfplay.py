"""`roborally selfplay`: races of agents as data."""

from __future__ import annotations

import json
import sys
import time
from contextlib import nullcontext
from typing import Any

import click

from roborally_env.arguments import check_whole
from roborally_env.cli.evaluate import _cores, _courses, _no_agents, _progress_bar
from roborally_env.cli.options import ManyValues, ManyValuesCommand, read_rules
from roborally_env.evaluation.setup import MAX_ROUNDS
from roborally_env.selfplay import Data
from roborally_env.selfplay import selfplay as play_into
from roborally_env.selfplay.pages import chosen_episodes, winner_of
from roborally_env.selfplay.plan import SHARD_GAMES, check_plan
from roborally_env.watch.index import chosen_title


@click.command(cls=ManyValuesCommand)
@click.option("--agents", cls=ManyValues, metavar="A...", help="As planner greedy random or planner:simulations=300.")
@click.option(
    "--course", "courses", cls=ManyValues, metavar="C...", help="Courses, by name or file: dizzy_highway 2005/twister."
)
@click.option("--all-courses", is_flag=True, help="On every course of the edition.")
@click.option("--games", default=1000, show_default=True, metavar="N", help="Races on each course.")
@click.option("--players", type=int, metavar="N", help="Of a race; as agents or the course ask for, if not given.")
@click.option("--edition", metavar="E", help="The rules: 2016, 2005, 2023, community; the courses', if not given.")
@click.option("--rules", cls=ManyValues, metavar="NAME=VALUE...", help="Rule options, as upgrades=false advanced=true.")
@click.option("--lighter", is_flag=True, help="The lighter game of 2016, without upgrades.")
@click.option(
    "--decisions",
    default="program",
    show_default=True,
    metavar="D",
    help="program: programs and purchases are asked; all: every choice.",
)
@click.option("--seed", default=0, show_default=True, metavar="N", help="Of the races and of the agents.")
@click.option(
    "--max-rounds", default=MAX_ROUNDS, show_default=True, metavar="N", help="Rounds after which a race is cut."
)
@click.option("--observations", is_flag=True, help="Keep what each robot saw, the symbolic vector.")
@click.option("--shard-games", default=SHARD_GAMES, show_default=True, metavar="N", help="Races of one file.")
@click.option("--workers", type=int, metavar="N", help="Processes; as many as cores, if not given.")
@click.option("--out", type=click.Path(), metavar="DIR", help="A new folder, or one to go on with.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def selfplay(
    agents: tuple[str, ...],
    courses: tuple[str, ...],
    all_courses: bool,
    rules: tuple[str, ...],
    lighter: bool,
    edition: str | None,
    workers: int | None,
    out: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Play races and write every decision as Parquet into a folder, for learning and analysis.

    After Ctrl-C, or whatever ended it, the same command goes on where it was: nothing is lost, nothing is played into
    the data twice. The files are the same for the same seed, whatever the number of workers.
    """
    if not out:
        raise click.UsageError("Missing option '--out', as in --out data")
    chosen = _courses(courses, all_courses, edition)
    given = {**given, "edition": edition, "rules": read_rules(rules, lighter)}
    plan = check_plan(agents or _no_agents(), chosen, **given)
    workers = check_whole(_cores() if workers is None else workers, "workers", 1, 1024)
    begun = time.perf_counter()
    # without a terminal there is nothing to draw on, and the bar would leave an empty line
    with _progress_bar(plan.episodes) if sys.stderr.isatty() else nullcontext() as progress:
        data = play_into(agents, chosen, out=out, workers=workers, progress=progress, **given)
    _tell(data, time.perf_counter() - begun, as_json)
    if not data.complete:
        click.echo(
            f"roborally: stopped after {data.races} of {plan.episodes} races; the same command goes on", err=True
        )
        return 130
    return 0


def _tell(data: Data, seconds: float, as_json: bool) -> None:
    manifest = data.manifest
    if as_json:
        found = {
            "folder": str(data.folder),
            "races": data.races,
            "episodes": manifest["episodes"],
            "decisions": data.decisions,
            "bytes": data.size,
            "complete": data.complete,
        }
        click.echo(json.dumps(found, indent=1))
        return
    click.echo(
        f"{data.folder}: {data.races:,} races of {', '.join(manifest['names'])}, {data.decisions:,} decisions, "
        f"{data.size / 1e6:.1f} MB; {seconds:.0f} s in this run"
    )
    chosen = chosen_episodes(data)
    if chosen:
        titles = [(chosen_title(name, winner_of(row)), row["episode"]) for name, row in chosen.items()]
        named = ", ".join(f"{title[0].lower()}{title[1:]} {episode}" for title, episode in titles)
        click.echo(f"to look at, by episode: {named}; `roborally watch {data.folder}` makes pages of them")
