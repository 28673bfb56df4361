"""scripts/learning_track.py: its protocol, how it is stopped and resumed, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env.evaluation.benchmark import PROTOCOLS
from tests.later import imported_later
from tests.learning.nets import load_script

with imported_later("torch"):
    from roborally_env.training.ppo import Options
    from roborally_env.training.sb3.options import Options as Sb3Options

SMALL = {"games": 8, "steps": 4, "minibatch": 32, "hidden": 8, "width": 8, "max_rounds": 8, "opponents": ["greedy"]}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script with runs of a moment."""
    script = load_script("learning_track")
    monkeypatch.setattr(script, "BUDGETS", {"1M": 128})
    monkeypatch.setattr(script, "SHARED", {**SMALL, "levels": 1})
    monkeypatch.setattr(script, "LEVELS", 1)
    monkeypatch.setattr(script, "RACES", 2)
    monkeypatch.setattr(script, "CURVE_RACES", 2)
    monkeypatch.setattr(script, "SETS", {"training": ("dizzy_highway",), "test": ("sprint_cramp",)})
    monkeypatch.setattr(script, "COURSES", {"training": ("dizzy_highway",)})
    return script


def arguments(folder: Path, *more: str) -> list[str]:
    places = ["--out", str(folder / "runs"), "--results", str(folder)]
    return [*more, "--game", "lighter", "--players", "2", *places]


@pytest.mark.slow
def test_rows_are_trained_and_compared(script: Any, tmp_path: Path) -> None:
    assert script.main(arguments(tmp_path, "ppo", "pqn", "--seeds", "1", "2")) == 0
    found = json.loads((tmp_path / "track_1M_2016_lighter_2_robots.json").read_text())
    assert list(found["rows"]) == ["ppo", "pqn"]
    assert found["protocol"]["sets"]["test"] == ["sprint_cramp"]
    row = found["rows"]["pqn"]
    assert row["command"].endswith("learning_track.py pqn --budget 1M --game lighter --players 2")
    assert list(row["seeds"]) == ["1", "2"]
    run = row["seeds"]["1"]
    assert run["decisions"] >= 128
    assert {"commit", "machine", "seconds"} <= set(run)
    assert run["curve"][-1]["decisions"] == run["decisions"]
    scores = [row["seeds"][seed]["scores"]["test"]["sprint_cramp"] for seed in row["seeds"]]
    assert row["test"]["score"] == pytest.approx(np.mean(scores))
    assert row["test"]["low"] <= row["test"]["score"] <= row["test"]["high"]
    assert 0 <= row["better_than_ppo"]["low"] <= row["better_than_ppo"]["high"] <= 1
    assert "better_than_ppo" not in found["rows"]["ppo"]
    script.draw(found, tmp_path / "track.png")
    assert (tmp_path / "track.png").stat().st_size > 1000


def test_what_is_done_is_not_done_again(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores_of = script.scores_of

    def interrupted(*given: Any) -> Any:
        raise script.Stopped

    monkeypatch.setattr(script, "scores_of", interrupted)
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "1")) == 130
    assert not list(tmp_path.glob("*.json"))
    trained = (script.Track("1M", "lighter", 2, tmp_path / "runs").folder("ppo", 1) / "weights.npz").read_bytes()
    monkeypatch.setattr(script, "scores_of", scores_of)
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "1")) == 0
    first = (tmp_path / "track_1M_2016_lighter_2_robots.json").read_bytes()
    monkeypatch.setattr(script, "train", interrupted)
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "1")) == 0
    assert (tmp_path / "track_1M_2016_lighter_2_robots.json").read_bytes() == first
    assert trained == (tmp_path / "runs/track_1M_2016_lighter_2_robots/ppo/seed1/weights.npz").read_bytes()


def test_runs_from_elsewhere_are_kept_if_their_protocol_is_the_same(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "track_1M_2016_lighter_2_robots.json"
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "2")) == 0
    other = json.loads(file.read_text())["rows"]["ppo"]["seeds"]["2"]
    (tmp_path / "runs").rename(tmp_path / "elsewhere")
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "1")) == 0
    seeds = json.loads(file.read_text())["rows"]["ppo"]["seeds"]
    assert list(seeds) == ["1", "2"]
    assert seeds["2"] == other
    monkeypatch.setattr(script, "VERSION", script.VERSION + 1)
    assert script.main(arguments(tmp_path, "ppo", "--seeds", "1")) == 0
    assert list(json.loads(file.read_text())["rows"]["ppo"]["seeds"]) == ["1"]


def test_a_row_of_stable_baselines_is_trained_and_raced(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sb3_contrib")
    small = {"algorithm": "maskable", "ghost": True, "games": 4, "rollout": 8, "minibatch": 16, "width": 8}
    monkeypatch.setattr(script, "ROWS", {"maskable_ppo": script.Row("MaskablePPO", small, sb3=True)})
    monkeypatch.setattr(script, "BUDGETS", {"1M": 8})
    assert script.main(arguments(tmp_path, "maskable_ppo", "--seeds", "3")) == 0
    found = json.loads((tmp_path / "track_1M_2016_lighter_2_robots.json").read_text())
    run = found["rows"]["maskable_ppo"]["seeds"]["3"]
    assert run["decisions"] == 4 * 2 * 8 // script.STEPS  # a whole rollout
    assert set(run["scores"]) == {"training", "test"}


def test_wrong_words_are_refused(script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        script.main(arguments(tmp_path, "dqn"))
    assert ended.value.code == 2
    assert "mappo" in capsys.readouterr().err


def test_rows_have_options_that_there_are_and_nobody_trains_on_what_is_tested() -> None:
    script = load_script("learning_track")
    for row in script.ROWS.values():
        if row.sb3:
            Sb3Options(**row.options).check()
        else:
            Options(**script.SHARED, **row.options).check()
    assert not {*script.SETS["test"], *script.SETS["generated"]} & set(script.COURSES["training"])
    assert script.SETS["test"] == PROTOCOLS["2016"].sets[1].courses
    assert script.TRAINING_SEED != script.UNSEEN_SEED
    assert all(script.RACES % players == 0 for players in script.PLAYERS)
