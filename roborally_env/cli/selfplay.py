"""`roborally selfplay`: races of agents as data."""

from __future__ import annotations

import time

import click

from roborally_env.arguments import CourseSource
from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import NamedValues
from roborally_env.cli.options import ManyValuesCommand, resumable
from roborally_env.cli.races import no_agents, progress_bar, race_options
from roborally_env.evaluation.setup import check_setup
from roborally_env.selfplay import Data
from roborally_env.selfplay import selfplay as play_into
from roborally_env.selfplay.pages import chosen_episodes, winner_of
from roborally_env.selfplay.plan import SHARD_GAMES, check_plan
from roborally_env.watch.index import each_once, joint_title


@click.command(cls=ManyValuesCommand)
@race_options(games=1000)
@click.option("--observations", is_flag=True, help="Store each robot's observation, the symbolic vector.")
@click.option("--shard-games", default=SHARD_GAMES, show_default=True, metavar="N", help="Races per file.")
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="New folder or URI (s3://bucket/folder), or one to resume."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def selfplay(
    agents: tuple[str, ...],
    chosen: CourseSource,
    races: NamedValues,
    by: NamedValues,
    observations: bool,
    shard_games: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Play races and write every decision to a folder of Parquet files, for learning and analysis.

    However a run ends, the same command continues where it stopped: no race is lost or stored twice. The same seed
    gives the same files for any number of workers.
    """
    if not out:
        raise click.UsageError("Missing option '--out', as in --out data")
    kept: NamedValues = {"observations": observations, "shard_games": shard_games}
    plan = check_plan(check_setup(agents or no_agents(), chosen, **races), **kept)
    started = time.perf_counter()
    with resumable(), progress_bar(plan.episodes) as progress:
        data = play_into(agents, chosen, out=out, progress=progress, **by, **kept, **races)
    _print_report(data, time.perf_counter() - started, as_json)
    if not data.complete:
        done = f"{data.races} of {counted(plan.episodes, 'race')}"
        print_lines(f"roborally: stopped after {done}; the same command resumes", err=True)
        return 130
    return 0


def _print_report(data: Data, seconds: float, as_json: bool) -> None:
    manifest = data.manifest
    if as_json:
        found = {
            "folder": str(data.place),
            "races": data.races,
            "episodes": manifest["episodes"],
            "decisions": data.decisions,
            "bytes": data.size,
            "complete": data.complete,
        }
        print_as_json(found)
        return
    print_lines(
        f"{data.place}: {counted(data.races, 'race')} of {', '.join(manifest['names'])}, "
        f"{counted(data.decisions, 'decision')}, {data.size / 1e6:.1f} MB; {seconds:.0f} s in this run"
    )
    chosen = chosen_episodes(data)
    if chosen:
        rows = each_once(chosen, lambda row: int(row["episode"]))
        titles = [(joint_title(names, winner_of(row)), row["episode"]) for names, row in rows]
        named = ", ".join(f"{episode} ({title[0].lower()}{title[1:]})" for title, episode in titles)
        print_lines(f"Episodes worth watching: {named}; `roborally watch {data.place}` makes pages of them")
