"""Pages for the races of self-play data that are worth watching."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.text import counted, file_name
from roborally_env.base.types import Json, JsonObject
from roborally_env.selfplay.reader import Data
from roborally_env.watch.index import Listed, each_once, index_page, joint_title, outcome
from roborally_env.watch.races import replay_page, write_page

FOLDER = "watch"  # of the pages, within the data's
COLUMNS = ["episode", "course", "rounds", "winner", "agents", "teams", "checkpoints", "reboots"]
Ended = JsonObject  # a row of `episodes`


def chosen_episodes(data: Data) -> dict[str, Ended]:
    """Races worth watching, chosen by their outcomes only; the keys are names for files.

    They are the closest finish (the runner-up fewest checkpoints behind, then the longest race), the most reboots, and
    the quickest win of each agent; among equals the first. A robot that has lost all its lives (2005) is no runner-up.
    """
    chosen: dict[str, Ended] = {}
    given = data.manifest["config"]["rules"].get("lives")
    lives = given if isinstance(given, int) else math.inf
    for row in _outcomes(data):
        _take(chosen, "most_reboots", row, lambda r: -sum(r["reboots"]))
        if row["winner"] >= 0:
            _take(chosen, "closest_finish", row, lambda r: (_margin(r, lives), -r["rounds"]))
            _take(chosen, f"win_{file_name(row['agents'][row['winner']])}", row, lambda r: r["rounds"])
    wins = sorted(name for name in chosen if name.startswith("win_"))
    return {name: chosen[name] for name in ("closest_finish", "most_reboots", *wins) if name in chosen}


def _take(chosen: dict[str, Ended], name: str, row: Ended, key: Callable[[Ended], Json]) -> None:
    """Store a race under a name if it is better than the stored one."""
    if name not in chosen or key(row) < key(chosen[name]):
        chosen[name] = row


def _outcomes(data: Data) -> list[Ended]:
    """The outcomes of the races in the data, in order."""
    rows = [row for shard in data.shards for row in data.ended(shard, COLUMNS)]
    return sorted(rows, key=lambda row: int(row["episode"]))


def _margin(row: Ended, lives: float) -> float:
    """How many checkpoints the next team was behind the winner's; infinite if the others had lost all their lives."""
    winner, teams = row["winner"], row["teams"]
    robots = zip(row["checkpoints"], teams, row["reboots"], strict=True)
    others = [reached for reached, team, lost in robots if team != teams[winner] and lost < lives]
    if not others and any(team != teams[winner] for team in teams):
        return math.inf
    return float(row["checkpoints"][winner] - max(others, default=0))


def write_pages(data: Data) -> Path:
    """Write a page for each chosen race and a page that lists them; returns the path of the list.

    Raises:
        RoboRallyError: for data without races or of other versions, or if nothing can be written.
    """
    chosen = chosen_episodes(data)
    if not chosen:
        raise RoboRallyError(f"{data.place}: no race is there yet")
    listed = []
    for (name, *more), row in each_once(chosen, lambda row: int(row["episode"])):
        page = f"{name}.html"
        title = joint_title([name, *more], winner_of(row))
        write_page(replay_page(data.replay(row["episode"]), title=title), data.folder / FOLDER / page)
        listed.append(Listed(title, _story(row), page))
    names = ", ".join(data.manifest["names"])
    path = data.folder / FOLDER / "index.html"
    write_page(index_page("Self-play races", f"{counted(data.races, 'race')} of {names}", listed), path)
    return path


def _story(row: Ended) -> str:
    result = outcome(winner_of(row), row["rounds"], sum(row["reboots"]))
    return f"Episode {row['episode']} on {row['course']}: {result}"


def winner_of(row: Ended) -> str:
    """The agent that won a race, or ""."""
    return str(row["agents"][row["winner"]]) if row["winner"] >= 0 else ""
