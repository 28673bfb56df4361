"""scripts/strength.py, as a user calls it."""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.learning.nets import load_script

strength = load_script("strength")


def test_a_table_of_strength_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock by which each call of an agent takes a second."""
    ticks = itertools.count()
    monkeypatch.setattr(strength, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    words = ["--courses", "dizzy_highway", "--agents", "greedy", "planner:simulations=20", "--games", "4"]
    assert strength.main([*words, "--rival", "random", "--out", str(tmp_path)]) == 0
    rows = json.loads((tmp_path / "strength.json").read_text())["rows"]
    assert [(row["agent"], row["races"], row["win_rate"]) for row in rows] == [
        ("greedy", 4, 1.0),
        ("planner:simulations=20", 4, 1.0),
    ]
    for row in rows:  # a call has the decisions of one to four races
        assert 250.0 <= row["milliseconds"] <= 1000.0
    assert "| `dizzy_highway` | `greedy` | 100.0%" in (tmp_path / "strength.md").read_text()


def test_a_wrong_agent_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert strength.main(["--agents", "gredy", "--out", str(tmp_path / "x")]) == 1
    assert "did you mean greedy" in capsys.readouterr().err
