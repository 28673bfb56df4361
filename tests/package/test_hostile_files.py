"""A file of a stranger is safe to open: whatever it says, no code of it runs (docs/security.md)."""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
import random
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import check_from_file, make_agent
from roborally_env.agents.network import read_weights

from roborally_env.base.errors import AgentError, CourseError, ReplayError, RoboRallyError, ScenarioError, SnapshotError
from roborally_env.batch import BatchRace
from roborally_env.cli import main
from roborally_env.courses import load_course
from roborally_env.play.race import PlayRace, going_on
from roborally_env.play.saved_race import resume_command, save_race
from roborally_env.play.setup import check_play
from roborally_env.replay import load, play
from roborally_env.scenario.load import parse
from roborally_env.watch import replay_page
from tests.play.helpers import LIGHTER, answer_all

BOT = """
from pathlib import Path

from roborally_env.agents.uniform import RandomAgent

Path("pwned").touch()


class Bot(RandomAgent):
    pass
"""
# specs that run code, or open a file, when an agent is made of them
SPECS = {
    "a shell command": "subprocess:Popen:args=touch pwned,shell=true",
    "a function": "os:mkdir:path=pwned",
    "a method": "pathlib:Path.touch:self=pwned",
    "a file of Python": "evil.py:Bot",
    "a module here": "evil:Bot",
    "a file in an option": "learned:weights=evil.npz",
    "a file in an option, named by a word": "learned-search:simulations=10,weights=evil",
    "the class of a bot of the package": "roborally_env.agents.learned:LearnedAgent",
    "nothing": "",
}


class Evil:
    """Unpickling it makes the file `pwned`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("pwned"),)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which `pwned` must not appear; evil.py is in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(BOT)
    return tmp_path


def pwned() -> bool:
    return Path("pwned").exists()


def race_file(change: Callable[[dict[str, Any]], object], path: str = "race.json") -> str:
    """The file of a race that was stopped in its second round, changed."""
    race = PlayRace(check_play(**LIGHTER, max_rounds=3))
    answer_all(race, random.Random(1))
    race.step()
    save_race(Path(path), race.kept({}))
    data = json.loads(Path(path).read_text())
    change(data)
    going, _ = data.pop("play"), data.pop("format")
    Path(path).write_text(f'{{\n"format": 1,\n"play": {json.dumps(going)},\n' + json.dumps(data).removeprefix("{"))
    return path


# -- races: what their opponents may be


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_race_that_goes_on_makes_no_agent_that_its_file_alone_names(here: Path, spec: str) -> None:
    file = race_file(lambda data: data["play"].update(opponents=[spec, "random", "random"]))
    with pytest.raises(ReplayError, match=r"race\.json: play: opponents") as caught:
        going_on(file)
    command = f"roborally play --resume race.json --opponents {shlex.quote(spec)} random random"
    assert str(caught.value).endswith(f"repeat them all: {command}")
    assert not pwned()


def test_the_command_refuses_it_in_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = race_file(lambda data: data["play"].update(opponents=[SPECS["a shell command"], "random", "random"]))
    for more in ([], ["--opponents", "random", "random", "random"]):
        with pytest.raises(SystemExit) as ended:
            main(["play", "--no-open", "--port", "0", "--resume", file, *more])
        assert ended.value.code == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1
        assert lines[0].startswith("roborally: race.json: play: opponents: ")
    assert not pwned()


def test_even_repeated_only_a_class_with_act_is_called(here: Path) -> None:
    for spec, expected in (("subprocess:Popen:args=touch pwned,shell=true", "has no method act"), ("os:mkdir", "")):
        given = [spec, "random", "random"]
        file = race_file(lambda data, given=given: data["play"].update(opponents=given))  # type: ignore[misc]
        with pytest.raises(ReplayError, match=expected or "mkdir is not a class"):
            going_on(file, given)
    assert not pwned()


def test_an_agent_of_one_s_own_goes_on_where_it_is_repeated(here: Path) -> None:
    given = ["evil.py:Bot", "greedy", "planner:budget=1ms"]
    file = race_file(lambda data: data["play"].update(opponents=given))
    for other in (["evil.py:Bot", "greedy"], ["greedy", "evil.py:Bot", "planner:budget=1ms"], []):
        with pytest.raises(ReplayError, match=r"opponents.*evil\.py:Bot greedy planner"):
            going_on(file, other)
    assert not pwned()
    race, _ = going_on(file, given)
    assert [agent.name for agent in race.agents] == ["random", "greedy", "planner"]
    assert pwned()  # it is a program that the user has named


@pytest.mark.parametrize(
    "spec", ["greedy", "random:seed=5", "planner:budget=10ms", "planner:simulations=50", "learned-search:others=greedy"]
)
def test_registered_agents_with_plain_options_need_no_repeating(here: Path, spec: str) -> None:
    assert check_from_file(spec) == spec
    assert resume_command("a race.json", [spec]) == "roborally play --resume 'a race.json'"
    file = race_file(lambda data: data["play"].update(opponents=[spec, "random", "random"]))
    assert going_on(file)[0].agents[0].name == spec.partition(":")[0]


@pytest.mark.parametrize("value", [7, None, ["greedy"], {"greedy": 1}, True])
def test_an_opponent_that_is_no_text_is_one_line(here: Path, value: Any) -> None:
    with pytest.raises(AgentError):
        check_from_file(value)
    with pytest.raises(ReplayError, match="opponents"):
        going_on(race_file(lambda data: data["play"].update(opponents=[value, "random", "random"])))


def test_a_number_is_no_path(here: Path) -> None:
    (here / "7").touch()
    assert check_from_file("learned:weights=7")
    with pytest.raises(AgentError, match=r"weights.*/7.*7"):
        make_agent("learned:weights=7")


# -- replays


def test_the_names_in_a_replay_are_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Specs are not made, and elements of a page are not ended."""
    names = [SPECS["a shell command"], "evil.py:Bot", "</script><img src=x onerror=alert(1)>", "x"]
    file = race_file(lambda data: data.update(agents=names))
    assert [each.number for each in play(load(file))]
    assert "<img src=x" not in replay_page(load(file))
    for words in (["replay", file], ["watch", file, "--out", "page.html", "--no-open"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0, capsys.readouterr().err
    assert not pwned()


# -- self-play data


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four races of self-play."""
    pytest.importorskip("pyarrow")
    from roborally_env.selfplay import selfplay

    folder = tmp_path_factory.mktemp("hostile") / "data"
    selfplay(["greedy", "random"], "dizzy_highway", out=folder, games=4, players=4, seed=3, max_rounds=3)
    return folder


def changed(written: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of the data with another manifest."""
    shutil.copytree(written, "data")
    manifest = Path("data/manifest.json")
    found = json.loads(manifest.read_text())
    change(found)
    manifest.write_text(json.dumps(found))
    return Path("data")


@pytest.mark.filterwarnings("ignore::UserWarning:minari")  # fields that may be left out
def test_the_agents_of_a_manifest_are_not_made(here: Path, written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from roborally_env.selfplay import load as load_data
    from roborally_env.selfplay import selfplay

    def change(found: dict[str, Any]) -> None:
        found["config"]["agents"] = [SPECS["a shell command"], "evil.py:Bot"]

    folder = changed(written, change)
    data = load_data(folder)
    assert data.races == 4
    assert data.replay(0).agents
    with pytest.raises(RoboRallyError, match="data"):
        selfplay(["greedy", "random"], "dizzy_highway", out=folder, games=4, players=4, seed=3, max_rounds=3)
    minari = pytest.importorskip("minari")
    from roborally_env.selfplay.minari_data import to_minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(here / "minari"))
    assert to_minari(data, "hostile/data-v0").spec.env_spec is None
    with pytest.raises(ValueError, match="recover"):
        minari.load_dataset("hostile/data-v0").recover_environment()
    assert not pwned()


def test_a_generated_course_of_a_manifest_is_no_path(here: Path, written: Path) -> None:
    from roborally_env.generated.specification import VERSION
    from roborally_env.selfplay import load as load_data

    folder = changed(written, lambda found: found["config"]["courses"][0].update(generator=VERSION))
    with pytest.raises(RoboRallyError, match="'dizzy_highway'"):
        load_data(folder).replay(0)


# -- folders of benchmarks and trainings


def test_the_agent_of_a_benchmark_s_folder_is_not_made(here: Path) -> None:
    from roborally_env.evaluation.benchmark.protocol import NAME
    from roborally_env.evaluation.benchmark.run import benchmark

    folder = here / "bench"
    folder.mkdir()
    config = {"protocol": NAME, "agent": SPECS["a shell command"], "edition": "2016", "quick": True, "files": {}}
    (folder / "manifest.json").write_text(json.dumps({"config": config, "versions": {}}))
    with pytest.raises(RoboRallyError, match=r"config\.agent"):
        benchmark("random", quick=True, out=folder)
    assert not pwned()


def test_the_opponents_of_a_checkpoint_are_not_made(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint is a program, but the spec of an agent that is read from one is made of weights and sizes alone."""
    pytest.importorskip("sb3_contrib")
    from roborally_env.training.sb3 import agent
    from roborally_env.training.sb3.model import make_env, make_model
    from roborally_env.training.sb3.options import Options

    options = Options(opponents=(SPECS["a shell command"], *["random"] * 2), width=8, edition="2005", players=4)
    small = dataclasses.replace(options, games=2, rollout=2, minibatch=2, opponents=())
    model = make_model(small, make_env(small), device="cpu")
    state = {"options": dataclasses.asdict(options), "parameters": model.get_parameters()}
    monkeypatch.setattr(agent, "read_checkpoint", lambda path: state)
    assert agent.Trained("run").name == "run"
    assert not pwned()


# -- folders


@pytest.mark.parametrize("words", [["replay", "race.json"], ["watch", "data"], ["draw", "course.toml"]])
def test_modules_in_a_stranger_s_folder_are_not_found(
    here: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would take the place of libraries that are not installed."""
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry not in ("", str(here))])
    monkeypatch.delenv("ROBORALLY_EDITIONS", raising=False)
    with pytest.raises(SystemExit):
        main(words)
    assert str(here) not in sys.path
    with pytest.raises(SystemExit):
        main(["evaluate", "--agents", "random", "evil:Bot", "--games", "0"])
    assert str(here) in sys.path


# -- courses, scenarios, weights, snapshots: data that is only read


def test_weights_are_never_unpickled(here: Path) -> None:
    np.savez("objects.npz", about=np.array([Evil()], object), x=np.array([Evil()], object))
    Path("pickle.npz").write_bytes(pickle.dumps(Evil()))
    Path("pickle.npy").write_bytes(numpy_object())
    assert not pwned()
    for name in ("objects.npz", "pickle.npz", "pickle.npy"):
        with pytest.raises(AgentError, match=name):
            read_weights(name)
    assert not pwned()


def numpy_object() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([Evil()], object), allow_pickle=True)
    return file.getvalue()


def test_snapshots_are_never_unpickled(here: Path) -> None:
    batch = BatchRace(2, seed=1, players=2, observation="none", rules={"upgrades": False})
    snapshot = batch.snapshot()
    at = snapshot.index(b"\n") + 1
    for forged in (pickle.dumps(Evil()), numpy_object(), snapshot[:at] + pickle.dumps(Evil()), snapshot[:-40]):
        with pytest.raises(SnapshotError):
            batch.restore(forged)
    assert not pwned()


HOSTILE_COURSES = {
    "code": "title = \"x\"\nboards = [{ board = \"__import__('os').mkdir('pwned')\", x = 0, y = 0 }]\n",
    "a program for a board": 'title = "x"\nboards = [{ board = "./evil.py", x = 0, y = 0 }]\n',
    "a pickle": pickle.dumps(Evil()).decode("latin-1"),
}


@pytest.mark.parametrize("text", HOSTILE_COURSES.values(), ids=HOSTILE_COURSES)
def test_a_course_runs_nothing(here: Path, text: str) -> None:
    Path("course.toml").write_text(text)
    with pytest.raises(CourseError):
        load_course(Path("course.toml"))
    assert not pwned()


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_scenario_runs_nothing(here: Path, spec: str) -> None:
    given = {"edition": "2016", "course": spec, "agents": [spec], "robots": [{"name": spec, "agent": spec}]}
    for text in (json.dumps(given), json.dumps({"edition": spec}), json.dumps({"edition": "2016", "map": spec})):
        with pytest.raises(ScenarioError):
            parse(text)
    assert not pwned()
