"""scripts/experiments/judge_decisions.py: agents compared by positions that are played out."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.learning.nets import load_script

script = load_script("judge_decisions")


@pytest.fixture(autouse=True)
def _one_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "PROTOCOLS", {"2016": SimpleNamespace(courses=("twister",))})


def judged(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["judge_decisions.py", *map(str, arguments)])
    return int(script.main())


def test_programs_of_greedy_are_worth_more_than_random_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = tmp_path / "rows.json"
    for rival in ("greedy", "planner:simulations=60"):
        agents = ("greedy", "random", "greedy")
        assert judged(monkeypatch, *agents, "--games", 2, "--deals", 10, "--rival", rival, "--data", data) == 0
    for known in json.loads(data.read_text()):
        first, random, again = known["rows"]
        assert known["decisions"] > 5
        assert first["points"] == again["points"] == 0.0
        assert random["points"] < -2 * random["error"] < 0


def test_purchases_are_played_to_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(monkeypatch, "greedy", "learned", "--games", 2, "--deals", 4, "--purchases") == 0
    assert "learned" in capsys.readouterr().out


def test_wrong_arguments_are_answered_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        judged(monkeypatch, "greedy", "--deals", 0)
    assert "--deals" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="'gredy'"):
        judged(monkeypatch, "gredy", "--games", 1)
