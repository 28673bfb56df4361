"""A tournament as pandas tables."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from roborally_env.evaluation.analysis.extras import data_frame
from roborally_env.evaluation.tournament import Result

if TYPE_CHECKING:
    from pandas import DataFrame


def tournament_table(result: Result, by_course: bool = False) -> DataFrame:
    """A DataFrame with one row for each agent, best first: win rate with its interval, places, ratings, ...

    The columns are the fields of `tournament.Row`. With `by_course` there is a row for each course and agent.
    """
    if not by_course:
        table = data_frame([dataclasses.asdict(row) for row in result.rows])
        return table.sort_values("win_rate", ascending=False, kind="stable").set_index("agent")
    courses = enumerate(result.setup.courses)
    rows = [{"course": c.slug} | dataclasses.asdict(row) for i, c in courses for row in result.rows_of(i)]
    return data_frame(rows).set_index(["course", "agent"])


SEAT_COLUMNS = [
    "course", "game", "seat", "agent", "won", "place", "rounds", "cut", "checkpoints", "reboots", "damage",
    "registers_to_go",
]  # fmt: skip


def race_table(result: Result) -> DataFrame:
    """A DataFrame with a row for each seat of each race, as in the `races.csv` of `roborally evaluate --out`."""
    setup = result.setup
    rows = [
        (
            race.course_name, race.game, seat, setup.names[agent], race.won(seat), race.place[seat],
            race.rounds, race.winner < 0, race.reached[seat], race.reboots[seat], race.damage[seat], race.to_go[seat],
        )
        for race in result.races
        for seat, agent in enumerate(race.line_up)
    ]  # fmt: skip
    return data_frame(rows, SEAT_COLUMNS)


def upgrade_table(result: Result) -> DataFrame:
    """A DataFrame with a row for each upgrade (2005: option): how often it was bought, owned, and its owners won."""
    names = [field.name for field in dataclasses.fields(_card_row())]
    rows = [dataclasses.asdict(row) for row in result.upgrades]
    return data_frame(rows, names).drop(columns="bought_by").set_index("upgrade")


def _card_row() -> DataFrame:
    from roborally_env.evaluation.tournament import CardRow

    return CardRow
