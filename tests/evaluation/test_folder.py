"""A tournament in a folder: what is finished is kept, and the same call plays the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from roborally_env.agents import make_agent
from roborally_env.agents.uniform import RandomAgent

from roborally_env import RoboRallyError
from roborally_env.evaluation import decisions, folder
from roborally_env.evaluation.folder import MOST_PARTS, TournamentJob
from roborally_env.evaluation.setup import check_setup
from roborally_env.evaluation.tournament import Result, evaluate
from roborally_env.executors import processes

GIVEN: dict[str, Any] = {"games": 40, "seed": 3, "max_rounds": 8, "rules": {"upgrades": False}}
COURSES = ["dizzy_highway", "twister"]


@pytest.fixture
def whole() -> Result:
    """The races, played without a folder."""
    return evaluate(["greedy", "random"], COURSES, **GIVEN)


def test_a_stopped_tournament_goes_on_and_ends_as_without(whole: Result, tmp_path: Path) -> None:
    def stop(done: int, of: int) -> None:
        if done >= 32:
            raise KeyboardInterrupt

    given = {**GIVEN, "out": tmp_path / "out"}
    stopped = evaluate(["greedy", "random"], COURSES, progress=stop, **given)
    assert (stopped.complete, len(stopped.races)) == (False, 32)
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "parts").iterdir()}
    reported: list[tuple[int, int]] = []
    again = evaluate(["greedy", "random"], COURSES, progress=lambda *numbers: reported.append(numbers), **given)
    assert again.races == whole.races
    assert (reported[0], reported[-1]) == ((32, 80), (80, 80))
    assert all(path.stat().st_mtime_ns == at for path, at in written.items()), "finished parts are not played again"


@pytest.mark.slow
def test_workers_write_the_same(whole: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    found = evaluate(["greedy", "random"], COURSES, out=tmp_path / "out", workers=2, **GIVEN)
    assert found.races == whole.races


def test_a_damaged_part_is_played_again(whole: Result, tmp_path: Path) -> None:
    given = {**GIVEN, "out": tmp_path}
    evaluate(["greedy", "random"], COURSES, **given)
    first, second, third, *_ = sorted((tmp_path / "parts").iterdir())
    before = [path.read_bytes() for path in (first, second, third)]
    first.write_bytes(b"{")
    second.write_bytes(before[2])
    third.unlink()
    assert evaluate(["greedy", "random"], COURSES, **given).races == whole.races
    assert [path.read_bytes() for path in (first, second, third)] == before


def test_a_part_goes_on_from_its_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "SLICE", 0.0)
    asked, act, stop_at = [0], RandomAgent.act, 20

    def counting(self: Any, observations: Any, masks: Any, info: Any) -> Any:
        asked[0] += 1
        if asked[0] == stop_at:
            raise KeyboardInterrupt
        return act(self, observations, masks, info)

    monkeypatch.setattr(RandomAgent, "act", counting)
    given = {**GIVEN, "out": tmp_path, "games": 16, "max_rounds": 30}
    assert not evaluate(["random"], "dizzy_highway", **given).races
    assert [path.name for path in (tmp_path / "begun").iterdir()] == ["000-00000000.npz"]
    asked[0] = stop_at
    assert evaluate(["random"], "dizzy_highway", **given).complete
    assert asked[0] < 2 * 30
    assert not (tmp_path / "begun").exists()


CHANGED = {
    "agents": ({"agents": ["greedy"]}, 'config.agents.*"greedy".*"random".*"greedy"'),
    "games": ({"games": 41}, "config.games 40.*41"),
    "seed": ({"seed": 4}, "config.seed 3.*4"),
    "rules": ({"rules": {"upgrades": True}}, "config.rules.upgrades"),
    "course": ({"courses": "twister"}, r"config\.courses"),
}


@pytest.mark.parametrize(("change", "message"), CHANGED.values(), ids=CHANGED)
def test_other_options_are_refused_in_one_line(change: Any, message: str, tmp_path: Path) -> None:
    options = {"agents": ["greedy", "random"], "courses": COURSES, "out": tmp_path, **GIVEN}
    begin(options)
    with pytest.raises(RoboRallyError, match=message) as caught:
        evaluate(**{**options, **change})
    assert "\n" not in str(caught.value)


def begin(options: dict[str, Any]) -> None:
    """Begin a tournament, and stop before its first race."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(folder, "play_parts", lambda *given: None)
        assert not evaluate(**options).races


def test_an_agent_whose_file_has_changed_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    text = "from roborally_env.agents.uniform import RandomAgent\n\n\nclass Bot(RandomAgent):\n    name = 'bot'\n"
    bot.write_text(text)
    options = {"agents": [f"{bot}:Bot"], "courses": COURSES, "out": tmp_path / "out", **GIVEN}
    begin(options)
    begin(options)
    bot.write_text(text + "# changed\n")
    with pytest.raises(RoboRallyError, match=r"config\.files\.bot\.py"):
        evaluate(**options)


def test_folders_of_other_things_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(RoboRallyError, match=r"results\.json.*manifest\.json"):
        evaluate(["random"], out=tmp_path, **GIVEN)
    (tmp_path / "manifest.json").write_text(json.dumps({"config": {}, "versions": {}}))
    with pytest.raises(RoboRallyError, match="manifest"):
        evaluate(["random"], out=tmp_path, **GIVEN)


def test_agents_of_a_folder_are_specs(tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match="out"):
        evaluate([make_agent("random")], out=tmp_path, **GIVEN)


def test_many_races_have_few_parts() -> None:
    parts = TournamentJob(check_setup(["random"], COURSES, games=100_000)).parts()
    assert len(parts) <= 2 * MOST_PARTS
    assert sum(part.games for part in parts) == 200_000
