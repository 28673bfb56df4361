"""Each kind of wrong input has its subclass of RoboRallyError."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roborally_env
from agents.base import check_from_file, make_agent
from agents.weight_files import read_arrays
from roborally_env import (
    ActionError,
    AgentError,
    BatchRace,
    CourseError,
    ReplayError,
    RoboRallyError,
    ScenarioError,
    SnapshotError,
    load_course,
    parallel_env,
    replay,
    scenario,
)
from roborally_env.base.errors import raised_as
from roborally_env.courses import check_course, parse_board
from roborally_env.generated import Generator, mutate

KINDS = (CourseError, ActionError, AgentError, ReplayError, ScenarioError, SnapshotError)


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_public_and_survive_pickling(kind: type[RoboRallyError]) -> None:
    assert issubclass(kind, RoboRallyError)
    assert kind.__name__ in roborally_env.__all__
    error = pickle.loads(pickle.dumps(kind("here: expected 1, got 2")))
    assert type(error) is kind
    assert str(error) == "here: expected 1, got 2"


WRONG: list[tuple[type[RoboRallyError], Callable[[Path], Any]]] = [
    (CourseError, lambda path: load_course("nowhere")),
    (CourseError, lambda path: load_course(path / "none.toml")),
    (CourseError, lambda path: load_course("generated:difficulty=x")),
    (CourseError, lambda path: parallel_env("nowhere")),
    (CourseError, lambda path: BatchRace(1, course=[], players=2)),
    (CourseError, lambda path: check_course(3)),
    (CourseError, lambda path: parse_board("?", "any")),
    (CourseError, lambda path: Generator(difficulty=-1)),
    (CourseError, lambda path: Generator(seed=1).course(-1)),
    (CourseError, lambda path: mutate("dizzy_highway", -1)),
    (AgentError, lambda path: make_agent("nobody")),
    (AgentError, lambda path: make_agent("planner:simulations=x")),
    (AgentError, lambda path: make_agent("greedy", -1)),
    (AgentError, lambda path: check_from_file("my_bot.py:Bot")),
    (AgentError, lambda path: make_agent(f"{path}/none.py:Bot")),
    (AgentError, lambda path: read_arrays(path / "none.npz", {}, "weights", "expected some")),
    (ReplayError, lambda path: replay.load(path / "none.json")),
    (ReplayError, lambda path: replay.load(text(path, "[]"))),
    (ReplayError, lambda path: replay.load(text(path, "{"))),
    (ScenarioError, lambda path: scenario.load(path / "none.json")),
    (ScenarioError, lambda path: scenario.load(text(path, "{"))),
    (ScenarioError, lambda path: scenario.load({"edition": "2017"})),
    (ScenarioError, lambda path: scenario.load({"edition": "2016", "course": "nowhere"})),
    (RoboRallyError, lambda path: parallel_env(players=99)),
    (RoboRallyError, lambda path: parallel_env(reward="gold")),
]


def text(folder: Path, content: str) -> Path:
    """A file with this content."""
    path = folder / "file.json"
    path.write_text(content)
    return path


@pytest.mark.parametrize(("kind", "wrong"), WRONG)
def test_wrong_input_raises_its_kind(kind: type[RoboRallyError], wrong: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError) as caught:
        wrong(tmp_path)
    assert type(caught.value) is kind


def test_actions_and_snapshots_have_their_kinds() -> None:
    env = parallel_env(players=2)
    env.reset(seed=1)
    action = np.arange(len(env.action_space("robot_0").nvec))
    for wrong in ({}, {"robot_0": action}, {"robot_0": action, "robot_1": action + 99}, {"robot_0": 1, "robot_1": 1}):
        with pytest.raises(ActionError):
            env.step(wrong)
    with pytest.raises(SnapshotError):
        env.restore(env.snapshot()[:-1])
    batch = BatchRace(1, course="dizzy_highway", players=2)
    batch.reset(1)
    for programs in (np.zeros((1, 2, 4), int), np.full((1, 2, 5), 99), np.zeros((1, 2, 5))):
        with pytest.raises(ActionError):
            batch.step(programs)
    with pytest.raises(SnapshotError):
        batch.restore(b"not one")


def test_raised_as_keeps_other_kinds_and_the_cause() -> None:
    with pytest.raises(CourseError), raised_as(ActionError):
        raise CourseError("course")
    with pytest.raises(ActionError) as caught, raised_as(ActionError):
        raise RoboRallyError("number\x1b") from OSError("why")
    assert str(caught.value) == "number\\x1b"
    assert isinstance(caught.value.__cause__, OSError)
