"""`roborally bench`: the yardstick, reports in files, and what became faster."""

import dataclasses
import hashlib
import importlib.util
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.speed import Report, Row, compare, read_report
from roborally_env.speed.tasks import tasks
from roborally_env.speed.yardstick import CELLS, PIT, RACES, Yardstick, course


def test_the_yardstick_never_changes():
    stick = Yardstick()
    for _ in range(4):
        stick.play()
    state = (stick.cells, stick.facing, stick.damage, stick.goals, stick.words)
    assert hashlib.sha256(b"".join(each.tobytes() for each in state)).hexdigest()[:16] == "6981a50189cd2432"
    assert stick.won > 0


def test_the_yardstick_is_a_race():
    stick = Yardstick()
    tiles = course()
    for _ in range(10):
        before = stick.cells.copy()
        stick.play()
        assert (stick.cells != before).mean() > 0.5
        assert ((stick.cells >= 0) & (stick.cells < CELLS)).all()
        assert all(len(set(cells)) == len(cells) for cells in stick.cells.tolist())
        assert not np.isin(stick.cells, np.flatnonzero(tiles & 7 == PIT)).any()
    assert stick.cells.shape[0] == RACES


def report(ratios: dict[str, list[float]], **settings: Any) -> Report:
    rows = [Row("yardstick", "decisions/s", ratio=1.0)]
    for name, of_runs in ratios.items():
        rows.append(Row(name, "rounds/s", 256, 1, runs=of_runs, ratios=of_runs, ratio=float(np.median(of_runs))))
    return Report({"processor": "one"}, {"course": "dizzy_highway", "players": 4, **settings}, rows)


STEADY = [0.20, 0.21, 0.20, 0.19, 0.20]


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ([0.30, 0.31, 0.29, 0.30, 0.10], "faster"),  # one bad run does not hide it
        ([0.15, 0.16, 0.14, 0.15, 0.15], "slower"),
        ([0.20, 0.22, 0.19, 0.21, 0.18], "the same"),
        ([0.203, 0.204, 0.205, 0.204, 0.203], "the same"),  # too little
        ([0.30, 0.15, 0.33, 0.14, 0.31], "the same"),  # too noisy
    ],
)
def test_verdicts(now, verdict):
    found = compare(report({"core": now}), report({"core": STEADY}))
    assert [each.verdict for each in found] == [verdict]
    assert found[0].change == pytest.approx(np.median(now) / 0.20)


def test_a_row_that_was_not_there_is_new():
    found = compare(report({"core": STEADY, "planes": STEADY}), report({"core": STEADY, "gone": STEADY}))
    assert [(each.row.name, each.verdict) for each in found] == [("core", "the same"), ("planes", "new")]


def test_reports_of_other_races_are_not_compared():
    with pytest.raises(RoboRallyError, match=r"compare.*twister.*dizzy_highway"):
        compare(report({}), report({}, course="twister"))


def test_a_report_is_read_as_it_was_written(tmp_path: Path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report({"core": STEADY}).to_dict()), encoding="utf-8")
    assert read_report(path) == report({"core": STEADY})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file"),
        ("{", "not JSON"),
        ("[]", "expected a report that 'roborally bench --out FILE' has written, by this version"),
        ('{"machine": {}, "settings": {}, "rows": []}', "by this version"),
        ('{"machine": {}, "settings": {}, "rows": [1]}', "by this version"),
        ('{"machine": {}, "settings": {}, "rows": [{"name": "yardstick", "unit": "s", "runs": ["x"]}]}', "by this"),
        ('{"machine": {}, "settings": {}, "rows": [{"name": "calibration", "unit": "s", "old": 1}]}', "by this"),
        ('{"machine": {}, "settings": {}, "rows": [{"name": ["yardstick"], "unit": "s"}]}', "by this"),
        ('{"machine": {}, "settings": {}, "rows": [{"name": "yardstick", "unit": "s", "ratio": "1"}]}', "by this"),
        ('{"machine": {}, "settings": {}, "rows": [{"name": "yardstick", "unit": "s", "ratio": 0}]}', "by this"),
    ],
)
def test_no_report(text, message, tmp_path: Path, roborally):
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    code, out, err = roborally("bench", "--compare", str(path))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_folder_that_is_not_there(tmp_path: Path, roborally):
    code, _, err = roborally("bench", "--out", str(tmp_path / "no" / "report.json"))
    assert code == 2
    assert "there is no folder" in err


WORDS = ("bench", "--quick", "--seconds", "0.001", "--runs", "2", "--no-start")


@pytest.mark.slow
def test_training_has_rows_of_its_own(tmp_path: Path, roborally, monkeypatch):
    monkeypatch.setattr("roborally_env.speed.runner.tasks", lambda *some: itertools.islice(tasks(*some), 1))
    path = tmp_path / "report.json"
    code, _, _ = roborally(*WORDS, "--out", str(path))
    assert code == 0
    trained = [row for row in read_report(path).rows if row.name.startswith("train ppo")]
    assert [(row.threads, row.median > 0) for row in trained] == [(1, True), (2, True), (2, True)] * (
        importlib.util.find_spec("torch") is not None
    )


def test_the_command_compares_with_its_own_report(tmp_path: Path, roborally, monkeypatch):
    """With the first rows only."""
    monkeypatch.setattr("roborally_env.speed.runner.tasks", lambda *some: itertools.islice(tasks(*some), 2))
    monkeypatch.setattr("roborally_env.cli.bench._training", lambda *_: [])
    path = tmp_path / "report.json"
    code, out, _ = roborally(*WORDS, "--out", str(path))
    assert code == 0
    assert "yardstick" in out
    first = read_report(path)
    assert [row.name for row in first.rows[:3]] == ["yardstick", "core", "core"]
    assert all(len(row.ratios) == 2 and row.ratio > 0 for row in first.rows[1:3])
    assert first.rows[1].ratio != first.rows[1].median
    code, out, _ = roborally(*WORDS, "--compare", str(path))
    assert code == 0
    assert any(verdict in out for verdict in ("the same", "faster", "slower"))
    code, out, _ = roborally(*WORDS, "--compare", str(path), "--json")
    assert dataclasses.asdict(Report(**json.loads(out)))["settings"] == first.settings
