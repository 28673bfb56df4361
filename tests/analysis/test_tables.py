"""A tournament as tables."""

import subprocess
import sys
from typing import Any

import pytest

from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import Result


def test_a_row_an_agent_the_most_successful_first(result: Result) -> None:
    table = analysis.tournament_table(result)
    best = max(result.rows, key=lambda row: row.win_rate)
    assert table.index[0] == best.agent
    assert table.loc["greedy", "win_rate"] == next(row.win_rate for row in result.rows if row.agent == "greedy")
    assert (table["win_low"] <= table["win_rate"]).all()


def test_a_row_for_each_course_and_agent(result: Result) -> None:
    table = analysis.tournament_table(result, by_course=True)
    assert list(table.index.names) == ["course", "agent"]
    assert table.loc[("twister", "random"), "wins"] == result.rows_of(1)[1].wins
    assert table["races"].sum() == 6 * 2 * 6


def test_a_row_for_each_seat_of_each_race(result: Result) -> None:
    table = analysis.race_table(result)
    assert len(table) == 6 * len(result.races)
    race = result.races[7]
    rows = table[(table["course"] == "twister") & (table["game"] == race.game)]
    assert rows["reboots"].tolist() == list(race.reboots)
    assert rows["won"].tolist() == [race.won(seat) for seat in range(6)]
    assert rows["agent"].tolist() == [result.setup.names[agent] for agent in race.line_up]


def test_a_row_an_upgrade(result: Result) -> None:
    table = analysis.upgrade_table(result)
    assert table.loc["hack", "cost"] == 1
    assert table["bought"].sum() == sum(row.bought for row in result.upgrades)


@pytest.mark.parametrize("library", ["pandas", "matplotlib"])
def test_a_missing_library_is_named_with_what_installs_it(library: str) -> None:
    call = {
        "pandas": "analysis.race_table(Result(check_setup(['random'], 'twister', games=1), ()))",
        "matplotlib": "analysis.plot_course(load_course('twister'))",
    }[library]
    program = f"""
import sys
sys.modules[{library!r}] = None
from roborally_env import RoboRallyError, load_course
from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import Result, check_setup
try:
    {call}
except RoboRallyError as error:
    print(error)
"""
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert f"{library} is not installed" in printed
    assert 'pip install "roborally_env[notebooks]"' in printed


def test_what_is_no_table_is_refused(result: Result, events: Any) -> None:
    for wrong in (result, events[["course"]]):
        with pytest.raises(ValueError, match="race_events"):
            analysis.checkpoint_times(result, wrong)
