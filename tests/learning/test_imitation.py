"""Imitation from recorded races: `roborally train selfplay --imitate FOLDER`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.selfplay import load, selfplay
from tests.later import imported_later
from tests.learning.test_train_selfplay import options, weights_of

with imported_later("torch", "tensorboard", "pyarrow"):
    import torch

    from roborally_env.training.selfplay.run import Run


COURSES = ["dizzy_highway", "twister"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Races of greedy and random; those of greedy are to be copied."""
    out = tmp_path_factory.mktemp("recorded") / "data"
    selfplay(["greedy", "random"], COURSES, out=out, games=30, players=4, seed=5, shard_games=8, max_rounds=30)
    return out


@pytest.fixture(scope="module")
def recorded(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return Run(options(tmp_path_factory.mktemp("run"), imitate=str(folder), imitate_decisions=400))


def test_the_decisions_of_the_first_agent_are_traced_as_they_were_recorded(recorded: Any, folder: Path) -> None:
    races, net = recorded.recorded, recorded.learner.net
    programmed, bought = [], []
    for number in range(len(races.parts)):
        for moment in races.play(number, net, recorded.generator):
            programmed += [] if moment.programs is None else moment.programs.slots.tolist()
            bought += [] if moment.purchases is None else moment.purchases.choice.tolist()
    wanted = {"program": [], "buy_upgrade": []}  # type: dict[str, list[Any]]
    for kind, column in (("program", "program"), ("buy_upgrade", "option")):
        for part in load(folder).arrays([column], decision=kind, agent="greedy"):
            wanted[kind] += part[column].tolist()
    assert len(programmed) > 200
    assert sorted(programmed) == sorted(wanted["program"])
    assert sorted(bought) == sorted(1 + option for option in wanted["buy_upgrade"])


def test_recorded_races_end_as_they_did(recorded: Any, folder: Path) -> None:
    races = recorded.recorded
    won, ended = set(), []
    for number in range(len(races.parts)):
        episodes = races.parts[races.order[number]]
        for moment in races.play(number, recorded.learner.net, recorded.generator):
            won |= {(int(episodes[game]), int(seat)) for game, seat in np.argwhere(moment.won)}
            ended += episodes[moment.done].tolist()
    rows = list(load(folder).arrays(["won", "episode", "seat"], decision=None))
    winners = {(int(p["episode"][i]), int(p["seat"][i])) for p in rows for i in np.flatnonzero(p["won"])}
    assert winners
    assert won == winners
    assert sorted(ended) == list(range(load(folder).races))  # each once


def test_copying_recorded_decisions_makes_them_likelier(folder: Path, tmp_path: Path) -> None:
    run = Run(options(tmp_path, imitate=str(folder), imitate_decisions=10**6, lr=3e-3))
    with torch.no_grad():
        run.learner.net.skip.weight.zero_()  # the prior is greedy's
    first = run.iterate()["program/policy"]
    for _ in range(12):
        last = run.iterate()["program/policy"]
    assert last < first - 0.3  # minus the log-probability of a program


def test_a_stopped_run_that_copies_a_folder_comes_out_as_one_that_was_not(folder: Path, tmp_path: Path) -> None:
    given = {"imitate": str(folder), "imitate_decisions": 400, "decisions": 300}
    Run(options(tmp_path / "whole", **given)).work()
    run = Run(options(tmp_path / "parts", **given))
    run.iterate()
    run.save()
    run.iterate()  # lost
    Run(options(tmp_path / "parts", **given)).work()
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "parts")


def test_races_of_another_game_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match=r"--imitate .*.*'complete'.*'lighter'"):
        Run(options(tmp_path / "a", imitate=str(folder), rules='{"upgrades": false}'))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(RoboRallyError, match="manifest"):
        Run(options(tmp_path / "b", imitate=str(empty)))
