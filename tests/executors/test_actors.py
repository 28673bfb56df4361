"""`roborally train selfplay --actors N --ray ADDRESS`: the weights of actors in processes, whatever is killed."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from tests.executors.conftest import add
from tests.later import imported_later

with imported_later("ray", "torch", "tensorboard"):
    import torch


WORDS = {
    "courses": "dizzy_highway", "games": 8, "steps": 6, "hidden": 16, "league": "greedy", "deals": 0, "max-rounds": 4,
    "minibatch": 64, "snapshot-every": 60, "snapshots": 1, "evaluate-games": 2, "opponents": "random", "device": "cpu",
    "checkpoint-every": 0, "actors": 2, "behind": 2, "decisions": 1500,
}  # fmt: skip


def words(out, *more):
    """A run of a few seconds."""
    return ["train", "selfplay", "--out", out, *more, *(str(x) for k, v in WORDS.items() for x in (f"--{k}", v))]


def learned(folder):
    """The weights, what Adam knows of them, and the numbers of the run."""
    state = torch.load(folder / "checkpoint.pt", weights_only=False)
    kept = [*state["net"].values(), *(v for s in state["optimizer"]["state"].values() for v in s.values())]
    return [value.numpy().tobytes() for value in kept], state["count"], state["league"]["scores"]


def rows(folder):
    """How many rows the table of progress has."""
    path = folder / "progress.csv"
    return len(path.read_text().splitlines()) - 1 if path.exists() else 0


def wait_for_rows(folder, number, process):
    until = time.monotonic() + 300
    while rows(folder) < number:
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < until
        time.sleep(0.05)


def begin(out, address):
    """A run in a process of its own."""
    command = [sys.executable, "-m", "roborally_env", *map(str, words(out, "--ray", address))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=out.parent)


@pytest.fixture
def whole(roborally, tmp_path):
    """The run with actors in processes."""
    assert roborally(*words(tmp_path / "whole"))[0] == 0
    return tmp_path / "whole"


def test_killed_nodes_and_drivers_change_nothing(cluster, whole, tmp_path):
    out = tmp_path / "run"
    first, second, _ = add(cluster, 3)
    process = begin(out, cluster.address)
    wait_for_rows(out, 2, process)
    cluster.remove_node(first, allow_graceful=False)  # kill -9 of all its processes
    wait_for_rows(out, rows(out) + 2, process)
    process.kill()
    process.wait()
    assert 0 < rows(out) < rows(whole)
    process = begin(out, cluster.address)
    threading.Timer(1.0, cluster.remove_node, [second], {"allow_graceful": False}).start()
    printed = process.communicate(timeout=400)[0]
    assert process.returncode == 0, printed
    assert "going on from" in printed
    assert learned(out) == learned(whole)
    assert rows(out) == rows(whole)


def test_what_cannot_be_used_is_told_in_one_line(roborally, tmp_path, monkeypatch):
    code, out, err = roborally(*words(tmp_path / "run", "--ray", "127.0.0.1:1"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "ray: no cluster at 127.0.0.1:1: ConnectionRefusedError" in err
    monkeypatch.setitem(sys.modules, "ray", None)
    code, out, err = roborally(*words(tmp_path / "run", "--ray", "auto"))
    assert (code, out) == (2, "")
    assert err == 'roborally: ray: Ray is not installed; pip install "roborally_env[ray]" gives it\n'
    assert not (tmp_path / "run").exists()
