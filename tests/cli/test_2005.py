"""The commands on the 2005 edition."""

import json

import pytest

from roborally_env.replay import save
from tests.evaluation.test_2005 import recorded

QUICK = ("--games", 2, "--seed", 3, "--max-rounds", 8, "--workers", 1)


@pytest.mark.parametrize(
    "words",
    [
        ("--course", "2005/risky_exchange"),
        ("--course", "risky_exchange"),
        ("--edition", "2005"),
        ("--edition", "2005", "--course", "risky exchange"),
    ],
)
def test_a_tournament_by_any_name_of_its_course(words, roborally):
    code, out, err = roborally("evaluate", "--agents", "greedy", "random", "--json", *words, *QUICK)
    found = json.loads(out)
    assert code == 0, err
    assert (found["edition"], found["courses"], found["races_played"]) == ("2005", ["risky_exchange"], 2)
    assert "upgrades" not in found


def test_the_table_and_the_options(roborally):
    code, out, _ = roborally(
        "evaluate", "--agents", "greedy", "random", "--course", "tricksy", "--draw", "--cards", *QUICK
    )
    assert code == 0
    assert out.startswith("Tricksy: 2 races of 2, seed 3")
    assert "Options: how often their owners won" in out
    assert "flag " in out
    assert "lives " in out


def test_a_table_of_teams(roborally):
    code, out, _ = roborally("evaluate", "--agents", "greedy", "random", "--course", "interference", "--json", *QUICK)
    found = json.loads(out)
    assert (code, found["players"]) == (0, 2)
    assert [row["races"] for row in found["table"]] == [2, 2]


WRONG = {
    "edition": (("--course", "2005/twister", "--edition", "2016"), "course 2005/twister is not of edition '2016'"),
    "lighter": (("--course", "2005/twister", "--lighter"), "unknown option 'upgrades'"),
    "mixed": (("--course", "2005/twister", "dizzy_highway"), "course dizzy_highway is of edition 2016, not 2005"),
    "players": (("--course", "2005/twister", "--players", 4), "expected a whole number from 5 to 8, got 4 on twister"),
    "counts": (("--course", "capture_the_flag", "--players", 5), "players: expected 4 or 6 or 8, got 5"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_2(words, message, roborally):
    code, out, err = roborally("evaluate", "--agents", "random", "--games", 1, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("course", ["risky_exchange", "interference", "capture_the_flag"])
def test_a_replay_is_checked_and_drawn(course, roborally, tmp_path):
    _, replay = recorded(course, players=2 if course == "interference" else 4, decisions="all", max_rounds=6)
    save(replay, tmp_path / "race.json")
    code, out, err = roborally("replay", tmp_path / "race.json", "--no-color")
    assert (code, err) == (0, "")
    assert "checked: 6 rounds" in out or f"checked: {len(replay.rounds)} rounds" in out
    assert "flag" in out
    assert "chooses power_down: " in out
    found = json.loads(roborally("replay", tmp_path / "race.json", "--json")[1])
    assert found["edition"] == "2005"
    assert {"damage", "lives", "archive", "options", "powered_down", "team"} <= set(found["rounds"][-1]["robots"][0])
