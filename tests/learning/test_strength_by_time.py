"""scripts/experiments/strength_by_time.py: what several commands raced becomes one row."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.learning.nets import load_script

by_time = load_script("strength_by_time")


def block(seed: int, won: dict[str, float], **more: Any) -> dict[str, Any]:
    given = {
        "agent": "planner",
        "rival": "greedy",
        "milliseconds": 10,
        "games": 4,
        "measured_ms": 10.0,
        "processor": "P",
    }
    return {**given, "seed": seed, "won": won, **more}


def write(path: Path, *blocks: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"blocks": blocks}))
    return path


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> list[dict[str, Any]]:
    monkeypatch.setattr("sys.argv", ["it", "--data", f"{folder}/all.json", "--picture", f"{folder}/it.png", *words])
    by_time.main()
    rows: list[dict[str, Any]] = json.loads((folder / "all.json").read_text())["rows"]
    return rows


def test_blocks_of_several_files_are_added_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    one = write(tmp_path / "one.json", block(1, {"twister": 3, "dizzy_highway": 1}))
    other = write(tmp_path / "other.json", block(1, {"burnout": 2}, measured_ms=13.0), block(2, {"twister": 4}))
    for _ in range(2):
        (row,) = run(monkeypatch, tmp_path, "--join", str(one), str(other))
        assert (row["races"], row["score"], row["seeds"]) == (16, 10 / 16, [1, 2])
        assert (row["courses"]["twister"]["races"], row["courses"]["twister"]["score"]) == (8, 7 / 8)
        assert row["measured_ms"] == pytest.approx(10.75)


def test_what_was_raced_is_not_raced_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    write(tmp_path / "all.json", block(1, {"twister": 3, "burnout": 1}), block(2, {by_time.WHOLE: 70}, games=100))
    raced: list[tuple[int, list[str]]] = []

    def measured(
        agent: str, rival: str, milliseconds: int, games: int, seed: int, courses: list[str]
    ) -> dict[str, Any]:
        raced.append((seed, courses))
        return block(seed, dict.fromkeys(courses, 2))

    monkeypatch.setattr(by_time, "measure", measured)
    words = ["--agents", "planner", "--milliseconds", "10", "--seeds", "1", "2", "3", "--games", "4"]
    run(monkeypatch, tmp_path, *words, "--courses", "twister")
    assert raced == [(3, ["twister"])]
    run(monkeypatch, tmp_path, *words, "--courses", "twister", "undertow")
    assert raced[1:] == [(1, ["undertow"]), (3, ["undertow"])]


def test_races_in_two_blocks_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    one = write(tmp_path / "one.json", block(1, {"twister": 3}))
    wider = write(tmp_path / "wider.json", block(1, {"twister": 3, "burnout": 2}))
    (row,) = run(monkeypatch, tmp_path, "--join", str(one), str(wider))
    assert (row["races"], row["score"]) == (8, 5 / 8)


@pytest.mark.parametrize(
    "data",
    [
        {"rows": []},
        [],
        {"blocks": [block(1, {})]},
        {"blocks": [{name: value for name, value in block(1, {"twister": 3}).items() if name != "games"}]},
        {"blocks": [block(1, {"twister": 3}, measured_ms="x")]},
        {"blocks": [{**block(1, {}), "won": 3}]},
    ],
)
def test_a_foreign_file_is_refused_in_one_line(data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(SystemExit, match=r"x\.json.*blocks"):
        run(monkeypatch, tmp_path, "--join", str(tmp_path / "x.json"))
    assert not (tmp_path / "all.json").exists()
