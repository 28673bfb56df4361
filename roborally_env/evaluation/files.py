"""The files in a tournament's folder: results.json, races.csv, win_rate.png, replays, and pages that show them."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from roborally_env.base.checks import check_path
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.text import file_name
from roborally_env.core.options import NAMES as OPTION_NAMES
from roborally_env.core.upgrades import ALL_NAMES as UPGRADE_NAMES
from roborally_env.evaluation.folder import RESULTS
from roborally_env.evaluation.pages import write_pages
from roborally_env.evaluation.plot import plot_win_rates
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.tournament import CardRow, Result
from roborally_env.replay import save

NO_MATPLOTLIB = 'no plot: matplotlib is not installed; pip install "roborally_env[render]" gives it'


def prepare_folder(path: str | Path) -> Path:
    """Make the folder; raises a RoboRallyError if files cannot be written into it."""
    if not str(check_path(path, "out")):
        raise RoboRallyError("out: expected a folder, got ''")
    folder = Path(path)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise RoboRallyError(f"out: {folder} is a file; expected a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RoboRallyError(f"{folder}: cannot write there: {error.strerror or error}") from None
    return folder


def chosen_races(result: Result) -> dict[str, Race]:
    """The races worth watching: the closest finish, the most reboots, and the quickest win of each agent."""
    won = [race for race in result.races if race.winner >= 0]
    chosen = {}
    if won:
        chosen["closest_finish"] = min(won, key=_margin)
    if result.races:
        chosen["most_reboots"] = max(result.races, key=lambda race: sum(race.reboots))
    for number, name in enumerate(result.setup.names):
        wins = [race for race in won if race.line_up[race.winner] == number]  # a team has one agent
        if wins:
            chosen[f"win_{file_name(name)}"] = min(wins, key=lambda race: race.rounds)
    return chosen


def _margin(race: Race) -> float:
    """The distance of the next robot to the end when the winner finished, in registers; infinite if the others were all
    out of the race."""
    left = [left for seat, left in enumerate(_left(race)) if not race.won(seat)]
    return min((math.inf if each is None else each for each in left), default=0.0)


def _left(race: Race) -> list[float | None]:
    """The distance of each robot to the end, in registers; None for those that were out of the race."""
    out = race.out or (0,) * len(race.to_go)
    return [None if gone else left for left, gone in zip(race.to_go, out, strict=True)]


def write_results(result: Result, folder: Path, *, pages: bool = True) -> list[str]:
    """Write everything, pages only if wanted; returns notes on things that could not be made.

    Raises RoboRallyError if writing fails.
    """
    try:
        notes = _write_all(result, folder)
        if pages:
            write_pages(result, chosen_races(result), folder)
        return notes
    except OSError as error:
        raise RoboRallyError(f"{folder}: cannot write there: {error.strerror or error}") from None


def _write_all(result: Result, folder: Path) -> list[str]:
    write_whole(folder / RESULTS, json.dumps(result.to_dict(), indent=1) + "\n")
    _write_races(result, folder / "races.csv")
    notes = []
    try:
        plot_win_rates(result, folder / "win_rate.png")
    except ImportError:
        notes.append(NO_MATPLOTLIB)
    if result.upgrades:
        columns = OPTION_COLUMNS if result.setup.kind.has("options") else UPGRADE_COLUMNS
        _write_upgrades(result.upgrades, folder / f"{result.setup.card_word}.csv", columns)
    (folder / "replays").mkdir(exist_ok=True)
    for name, race in chosen_races(result).items():
        save(result.replay(race), folder / "replays" / f"{name}.json")
    return notes


UPGRADE_COLUMNS = ("upgrade", "kind", "cost", "bought", "owned", "wins", "win_rate", "win_low", "win_high")
OPTION_COLUMNS = ("option", *UPGRADE_COLUMNS[4:])


def _write_upgrades(rows: Sequence[CardRow], path: Path, columns: Sequence[str]) -> None:
    """Write one line for each upgrade (option)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.upgrade, *(getattr(row, column) for column in columns[1:])] for row in rows)
    write_whole(path, text.getvalue())


RACE_COLUMNS = (
    "course", "game", "seat", "agent", "won", "place", "rounds", "cut",
    "checkpoints", "reboots", "damage", "registers_to_go",
)  # fmt: skip


def _write_races(result: Result, path: Path) -> None:
    """Write one line for each seat of each race."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = OPTION_NAMES if result.setup.kind.has("options") else UPGRADE_NAMES
    has_teams = result.setup.kind.has("team")
    writer.writerow((*RACE_COLUMNS, result.setup.card_word, *(("team",) if has_teams else ())))
    for race in result.races:
        teams = race.team or range(len(race.line_up))
        for line, bits, team in zip(race_lines(race, result.setup.names), race.had, teams, strict=True):
            writer.writerow((*line, _card_names(bits, names), *((team,) if has_teams else ())))
    write_whole(path, text.getvalue())


def _card_names(bits: int, names: Sequence[str]) -> str:
    """The upgrades or options of a bit set."""
    return " ".join(name for number, name in enumerate(names) if number and bits >> number & 1)


def race_lines(race: Race, names: Sequence[str]) -> list[tuple[object, ...]]:
    """`RACE_COLUMNS` of each seat of a race; `names` are those of the agents. A robot that was out of the race has no
    registers to go."""
    left = _left(race)
    return [
        (
            race.course_name,
            race.game,
            seat,
            names[agent],
            int(race.won(seat)),
            race.place[seat],
            race.rounds,
            int(race.winner < 0),
            race.reached[seat],
            race.reboots[seat],
            race.damage[seat],
            left[seat],
        )
        for seat, agent in enumerate(race.line_up)
    ]
