"""`roborally selfplay`: races of agents as data."""

from __future__ import annotations

import time
from typing import Any

import click

from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.cli.options import ManyValuesCommand, json_option, resumable
from roborally_env.cli.races import RaceArguments, no_agents, progress_on_terminal, race_options, stopped
from roborally_env.evaluation.setup import check_setup
from roborally_env.selfplay import Data
from roborally_env.selfplay import selfplay as play_into
from roborally_env.selfplay.pages import chosen_episodes, winner_of
from roborally_env.selfplay.plan import SHARD_GAMES, check_plan
from roborally_env.watch.index import chosen_title


@click.command(cls=ManyValuesCommand)
@race_options(games=1000)
@click.option("--observations", is_flag=True, help="Store each robot's observation, the symbolic vector.")
@click.option("--shard-games", default=SHARD_GAMES, show_default=True, metavar="N", help="Races per file.")
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="New folder or URI (s3://bucket/folder), or one to resume."
)
@json_option()
def selfplay(
    asked: RaceArguments,
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
    kept: dict[str, Any] = {"observations": observations, "shard_games": shard_games}
    plan = check_plan(check_setup(asked.agents or no_agents(), asked.source, **asked.race), **kept)
    playing = asked.playing
    begun = time.perf_counter()
    with resumable(), progress_on_terminal(plan.episodes) as progress:
        data = play_into(asked.agents, asked.source, out=out, progress=progress, **kept, **playing, **asked.race)
    _print_report(data, time.perf_counter() - begun, as_json)
    if not data.complete:
        return stopped(data.races, plan.episodes)
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
        titles = [(chosen_title(name, winner_of(row)), row["episode"]) for name, row in chosen.items()]
        named = ", ".join(f"{title[0].lower()}{title[1:]} {episode}" for title, episode in titles)
        print_lines(f"to look at, by episode: {named}; `roborally watch {data.place}` makes pages of them")
