"""A tournament as pandas tables."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from roborally_env.evaluation.analysis.extras import data_frame
from roborally_env.evaluation.files import RACE_COLUMNS, race_lines
from roborally_env.evaluation.tournament import CardRow, Result

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


def race_table(result: Result) -> DataFrame:
    """A DataFrame with a row for each seat of each race, as in the `races.csv` of `roborally evaluate --out`."""
    rows = [row for race in result.races for row in race_lines(race, result.setup.names)]
    return data_frame(rows, list(RACE_COLUMNS)).astype({"won": bool, "cut": bool})


def upgrade_table(result: Result) -> DataFrame:
    """A DataFrame with a row for each upgrade (2005: option): how often it was bought, owned, and its owners won."""
    names = [field.name for field in dataclasses.fields(CardRow)]
    rows = [dataclasses.asdict(row) for row in result.upgrades]
    return data_frame(rows, names).drop(columns="bought_by").set_index("upgrade")
