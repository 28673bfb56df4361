"""`roborally train ppo --seeds`: several runs that differ in their seed alone."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.cli import main
from tests.later import imported_later
from tests.learning.test_ppo import tiny

with imported_later("torch"):
    from roborally_env.training.ppo import train
    from roborally_env.training.ppo.seeds import LOG, folder_of, train_seeds


def same_weights(first: Path, second: Path) -> bool:
    with np.load(first / "weights.npz") as one, np.load(second / "weights.npz") as other:
        names = [name for name in one.files if name.endswith(("_w", "_b"))]
        return bool(names) and all((one[name] == other[name]).all() for name in names)


@pytest.mark.slow
def test_ctrl_c_stops_all_runs_and_each_resumed_one_is_the_run_of_its_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"decisions": 2048, "evaluate_every": 1024, "checkpoint_every": 1e6}
    options = tiny(tmp_path / "many", **more)
    logs = [folder_of(options, seed) / LOG for seed in (1, 2)]
    done = threading.Event()

    def interrupt() -> None:
        while not done.is_set() and not all((log.parent / "checkpoint.pt").exists() for log in logs):
            done.wait(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=interrupt)
    watcher.start()
    assert train_seeds(options, [1, 2], processes=2) == 130
    watcher.join()
    assert train_seeds(options, [1, 2], processes=2) == 0
    assert "the interquartile mean of 2 runs" in capsys.readouterr().out
    train(tiny(tmp_path / "alone", **more, seed=2))
    assert same_weights(folder_of(options, 2), tmp_path / "alone")
    assert not same_weights(folder_of(options, 1), tmp_path / "alone")


@pytest.mark.parametrize("seeds", [[1, 1], [-1]])
def test_wrong_seeds_are_refused_before_anything_is_written(tmp_path: Path, seeds: list[int]) -> None:
    with pytest.raises(RoboRallyError):
        train_seeds(tiny(tmp_path / "run"), seeds)
    assert not (tmp_path / "run").exists()


def test_a_run_that_fails_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--seeds", "1", "--courses", "nowhere", "--out", str(tmp_path / "run")]
    with pytest.raises(SystemExit) as ended:
        main(["train", "ppo", *given])
    assert ended.value.code == 1
    assert "nowhere" in capsys.readouterr().out
