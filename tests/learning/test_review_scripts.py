"""calibration.py and blunders.py of scripts/experiments: what they count, and that they go on where stopped."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learning.nets import load_script

SCRIPTS = Path(__file__).parents[2] / "scripts" / "experiments"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """(calibration, blunders); the second imports the first."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return load_script("calibration"), load_script("blunders")


def races_of_chance(count: int, believed: float) -> list[dict[str, Any]]:
    """Races of two robots that the first wins in three of four cases, and what somebody believes of them."""
    rng = np.random.default_rng(5)
    return [
        {"winner": int(rng.random() > 0.75), "chances": [[[believed, 1 - believed], [believed, 1 - believed]]]}
        for _ in range(count)
    ]


def test_a_true_belief_lies_on_the_diagonal_and_a_false_one_does_not(scripts: Any) -> None:
    calibration, _ = scripts
    low, high = calibration.reliability(races_of_chance(4000, 0.75))
    assert (low["chances"], high["chances"], low["mean"], high["mean"]) == (8000, 8000, 0.25, 0.75)
    assert abs(high["won"] - 0.75) < high["half"]
    # two chances of a race are one observation
    assert high["half"] == pytest.approx(1.96 * np.sqrt(high["won"] * (1 - high["won"]) / 4000), rel=0.01)
    _, false = calibration.reliability(races_of_chance(4000, 0.9))
    assert false["mean"] - false["won"] > 5 * false["half"]
    true_loss, false_loss = (calibration.losses(races_of_chance(4000, p), 0)[0] for p in (0.75, 0.9))
    assert true_loss == pytest.approx(0.5623, abs=0.02)
    assert false_loss > true_loss + 0.05


def test_chances_are_measured_and_go_on(scripts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calibration, _ = scripts
    data, picture = tmp_path / "data.json", tmp_path / "curve.png"
    words = ["--editions", "2016", "--out", str(tmp_path), "--data", str(data), "--races"]
    assert calibration.main([*words, "2"]) == 0
    rows = (tmp_path / "2016_1.jsonl").read_text().splitlines()
    assert len(rows) == json.loads(data.read_text())["2016"]["races"] == 2
    assert calibration.main([*words, "3", "--picture", str(picture)]) == 0
    assert (tmp_path / "2016_1.jsonl").read_text().splitlines()[:2] == rows
    found = json.loads(data.read_text())["2016"]
    chances = [row for line in (tmp_path / "2016_1.jsonl").open() for row in json.loads(line)["chances"][0]]
    assert (found["races"], found["chances"]) == (3, 4 * len(chances))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_blunder_is_agreed_with_at_its_threshold(scripts: Any) -> None:
    _, blunders = scripts
    found = [{"doubted": [[0.05, 0.02, 0.0], [0.11, 0.1, 0.2]]}, {"doubted": [[0.09, 0.09, 0.1], [0.3, 0.04, 0.3]]}]
    rows = {row["threshold"]: (row["blunders"], row["agreed"]) for row in blunders.agreement(found)}
    assert rows[0.04] == (4, 3)
    assert rows[0.08] == (3, 2)
    assert rows[0.2] == (1, 0)
    first, *_, last = blunders.agreement(found)
    assert (first["lost"], first["to_the_end"], last["to_the_end"]) == (0.1375, 0.15, 0.3)
    assert (round(first["half"], 3), last["half"]) == (0.11, 0.0)


def test_a_race_is_judged_twice(scripts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, blunders = scripts
    monkeypatch.setattr(blunders, "SIMULATIONS", 1_000)
    monkeypatch.setattr(blunders, "TIMES", 2)
    data = tmp_path / "data.json"
    assert blunders.main(["--races", "1", "--out", str(tmp_path), "--data", str(data)]) == 0
    found = json.loads(data.read_text())["2016"]
    written = json.loads((tmp_path / "2016_2.jsonl").read_text())
    assert found["programs"] == written["programs"] > 0
    assert found["programs"] % 4 == 0
    assert all(first >= blunders.WORTH and second >= 0 for first, second, _ in written["doubted"])
    assert all(-1 <= end <= 1 for *_, end in written["doubted"])
