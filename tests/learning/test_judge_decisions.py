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
    for rival in ("greedy", "planner:simulations=60", "ppo"):  # the last one needs observations
        agents = ("greedy", "random", "greedy")
        assert judged(monkeypatch, *agents, "--games", 2, "--deals", 10, "--rival", rival, "--data", data) == 0
    for known in json.loads(data.read_text()):
        first, random, again = known["rows"]
        assert known["decisions"] > 5
        assert first["points"] == again["points"] == 0.0
        assert random["points"] < -2 * random["error"] < 0


def test_purchases_are_played_to_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = tmp_path / "rows.json"
    for seed in (7, 7, 8):
        agents = ("learned", "random", "learned")
        assert (
            judged(monkeypatch, *agents, "--games", 2, "--deals", 8, "--purchases", "--seed", seed, "--data", data) == 0
        )
    tables = [
        (known["decisions"], [(r["points"], r["same"]) for r in known["rows"]])
        for known in json.loads(data.read_text())
    ]
    assert tables[0] == tables[1] != tables[2]
    decisions, (first, random, again) = tables[0]
    assert decisions > 3
    assert first == again == (0.0, 1.0)
    assert random[1] < 1  # other purchases, which lead elsewhere


@pytest.mark.parametrize("options", [(), ("--purchases",), ("--rival", "ppo")])
def test_races_can_be_played_to_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: tuple[str, ...]
) -> None:
    data = tmp_path / "rows.json"
    for _ in range(2):
        agents = ("learned", "random", "learned", *options, "--own", "learned:deals=0")
        assert judged(monkeypatch, *agents, "--games", 1, "--deals", 6, "--data", data) == 0
    known, again = json.loads(data.read_text())
    first, random, same = known["rows"]
    assert known["own"] == "learned:deals=0"
    assert first["points"] == same["points"] == 0.0
    assert random["same"] < 1
    assert [row["points"] for row in known["rows"]] == [row["points"] for row in again["rows"]]
    if not options:
        assert random["points"] < 0


def test_wrong_arguments_are_answered_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit):
        judged(monkeypatch, "greedy", "--deals", 0)
    assert "--deals" in capsys.readouterr().err
    for arguments in (("gredy",), ("greedy", "--own", "gredy")):
        with pytest.raises(SystemExit, match="'gredy'"):
            judged(monkeypatch, *arguments, "--games", 1)
    broken = tmp_path / "broken.json"
    broken.write_text("broken")
    with pytest.raises(SystemExit, match=r"broken\.json.*--data"):
        judged(monkeypatch, "greedy", "--games", 1, "--data", broken)
    assert broken.read_text() == "broken"
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bot:\n    name, needs_observation = 'bot', False\n    def act(self, *given):\n        raise TypeError\n"
    )
    with pytest.raises(SystemExit, match="purchases"):
        judged(monkeypatch, f"{bot}:Bot", "--games", 1, "--purchases")
