"""The pages of a tournament's folder: one for each chosen race, and one with the table of results that lists them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from roborally_env.evaluation.plot import title_of
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.statistics import Row
from roborally_env.evaluation.tournament import Result
from roborally_env.replay import load
from roborally_env.watch.index import Bar, Listed, each_once, index_page, joint_title, outcome
from roborally_env.watch.races import replay_page, write_page

COLUMNS = ("races", "mean place", "rounds to win", "reboots", "damage", "rating")


def write_pages(result: Result, chosen: Mapping[str, Race], folder: Path) -> None:
    """Write `index.html`, and in `watch` a page for each race in `replays`."""
    listed = []
    for (name, *more), race in each_once(chosen, lambda race: (race.course, race.game)):
        replay = f"replays/{name}.json"
        page = f"watch/{name}.html"
        title = joint_title([name, *more], _winner(result, race))
        write_page(replay_page(load(folder / replay), title=title), folder / page)
        listed.append(Listed(title, _story(result, race), page, replay))
    rows = [_bar(row) for row in sorted(result.rows, key=lambda row: -row.win_rate)]
    files = [name for name in FILES if (folder / name).exists()]
    names = ", ".join(result.setup.names)
    page = index_page(names, title_of(result), listed, rows=rows, columns=COLUMNS, files=files)
    write_page(page, folder / "index.html")


FILES = ("results.json", "races.csv", "upgrades.csv", "options.csv", "win_rate.png")


def _story(result: Result, race: Race) -> str:
    """What happened in a race, in a line."""
    agents = ", ".join(result.setup.names[agent] for agent in race.line_up)
    what = outcome(_winner(result, race), race.rounds, sum(race.reboots))
    return f"{race.course_title}, game {race.game}: {what} ({agents})"


def _winner(result: Result, race: Race) -> str:
    """The agent that won a race, or ""."""
    return result.setup.names[race.line_up[race.winner]] if race.winner >= 0 else ""


def _bar(row: Row) -> Bar:
    rounds = "-" if row.rounds_won_mean is None else f"{row.rounds_won_mean:.1f}"
    numbers = (f"{row.mean_place:.2f}", rounds, f"{row.reboots:.2f}", f"{row.damage:.2f}")
    rating = f"{row.mu:.1f} ± {row.sigma:.1f}"
    return Bar(row.agent, row.win_rate, row.win_low, row.win_high, (str(row.races), *numbers, rating))
