"""Stopped and gone on with: nothing is lost, nothing is there twice, and the bytes are those of one run."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from roborally_env.agents.uniform import RandomAgent

from roborally_env import RoboRallyError
from roborally_env.evaluation import decisions
from roborally_env.jobs.storage import Folder
from roborally_env.selfplay import load, selfplay
from tests.selfplay.conftest import GIVEN, contents, whole_files

BOTS = ["greedy", "random"]
SLOW = textwrap.dedent(
    """
    import os, sys, time
    from roborally_env.agents import register_agent
    from roborally_env.agents.uniform import RandomAgent
    from roborally_env.selfplay import selfplay

    class Slow(RandomAgent):
        name = "slow"

        def act(self, observations, masks, info):
            time.sleep(float(os.environ.get("SLOW_SECONDS", "0.03")))
            return super().act(observations, masks, info)

    if __name__ == "__main__":
        register_agent("slow", Slow if int(sys.argv[2]) == 1 else "slow_agent:Slow")
        data = selfplay(
            ["slow"], "dizzy_highway", out=sys.argv[1], games=24, players=4, seed=3, max_rounds=6, shard_games=2,
            workers=int(sys.argv[2]),
        )
        print("whole" if data.complete else "stopped", flush=True)
    """
)


def begin(script, out, workers, seconds=0.03):
    """A run of an agent that takes `seconds` for its programs."""
    words = [sys.executable, str(script), str(out), str(workers)]
    given = {**os.environ, "SLOW_SECONDS": str(seconds)}
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=script.parent, env=given)


def finished_shards(out):
    return len(list((out / "episodes").glob("*.parquet"))) if out.exists() else 0


def wait_for_shards(out, number, process):
    until = time.monotonic() + 120
    while finished_shards(out) < number:
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("script") / "slow_agent.py"
    path.write_text(SLOW, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(script, tmp_path_factory):
    """What comes out without a stop, in one process."""
    out = tmp_path_factory.mktemp("whole") / "data"
    assert begin(script, out, 1).communicate()[0] == "whole\n"
    return contents(out)


@pytest.mark.slow
def test_killed_twice_it_goes_on_and_ends_as_without(script, whole, tmp_path):
    """Two workers, one, and two again."""
    out = tmp_path / "data"
    for shards, workers in ((2, 2), (6, 1)):
        process = begin(script, out, workers)
        wait_for_shards(out, shards, process)
        started = children_of(process)
        assert len(started) >= (workers if workers > 1 else 0)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        wait_for_end(started)
        assert whole_files(out).items() <= whole.items(), "a file that has its name is whole"
        assert not load(out).complete
    written = {path: path.stat().st_mtime_ns for path in (out / "episodes").iterdir()}
    assert begin(script, out, 2).communicate()[0] == "whole\n"
    assert contents(out) == whole
    assert all(path.stat().st_mtime_ns == at for path, at in written.items()), "a finished shard is not played again"


def children_of(process):
    """The process numbers of its children."""
    words = ["ps", "-o", "pid=", "--ppid", str(process.pid)]
    return [int(number) for number in subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()]


def wait_for_end(numbers):
    """Workers do not outlive the process that started them."""
    until = time.monotonic() + 30
    while any(is_alive(number) for number in numbers):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_alive(number):
    words = ["ps", "-o", "stat=", "-p", str(number)]
    state = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_shards(script, whole, tmp_path):
    out = tmp_path / "data"
    process = begin(script, out, 2, seconds=0.15)  # far from its end when it is stopped, on a busy machine too
    wait_for_shards(out, 3, process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "stopped\n"
    assert whole_files(out).items() <= whole.items()  # nothing unfinished is left
    assert not (out / ".partial").exists()
    assert 3 <= len(load(out).shards) < 12


def test_ctrl_c_in_one_process(tmp_path):
    def stop(done, races):
        if done >= 20:
            raise KeyboardInterrupt

    stopped = selfplay(["random"], "dizzy_highway", out=tmp_path / "data", progress=stop, **GIVEN)
    assert (stopped.complete, sorted(stopped.shards)) == (False, [0, 1])
    assert selfplay(["random"], "dizzy_highway", out=tmp_path / "data", **GIVEN).complete


def test_what_is_whole_is_left_alone(data):
    before = {path: path.stat().st_mtime_ns for path in data.folder.rglob("shard-*")}
    reported = []
    options = {**GIVEN, "observations": True, "progress": lambda *numbers: reported.append(numbers)}
    assert selfplay(BOTS, "dizzy_highway", out=data.folder, **options).complete
    assert {path: path.stat().st_mtime_ns for path in data.folder.rglob("shard-*")} == before
    assert reported == [(24, 24)]


def test_a_lost_file_is_made_again(tmp_path):
    out = tmp_path / "data"
    selfplay(["random"], "dizzy_highway", out=out, **GIVEN)
    before = contents(out)
    (out / "steps" / "shard-00001.parquet").unlink()
    assert sorted(load(out).shards) == [0, 2]
    selfplay(["random"], "dizzy_highway", out=out, **GIVEN)
    assert contents(out) == before


CHANGED = {
    "agents": ({"agents": ["greedy"]}, 'config.agents.*"greedy".*"random".*"greedy"'),
    "course": ({"courses": "twister"}, 'config.courses.*"dizzy_highway".*"twister"'),
    "courses": ({"courses": ["dizzy_highway", "twister"]}, '"dizzy_highway".*"twister"'),
    "players": ({"players": 3}, r"config.courses\[0\].players 4.*3"),
    "seed": ({"seed": 4}, "config.seed 3.*4"),
    "games": ({"games": 25}, "config.games 24.*25"),
    "rules": ({"rules": {"advanced": True}}, "config.rules.advanced"),
    "decisions": ({"decisions": "all"}, 'config.decisions "program".*"all"'),
    "observations": ({"observations": False}, "config.observations"),
    "max_rounds": ({"max_rounds": 13}, "config.max_rounds 12.*13"),
    "shard_games": ({"shard_games": 11}, "config.shard_games 10.*11"),
}


@pytest.mark.parametrize(("change", "message"), CHANGED.values(), ids=CHANGED)
def test_another_config_is_refused_and_named(change, message, data):
    options = {"agents": BOTS, "courses": "dizzy_highway", "observations": True, **GIVEN, **change}
    before = contents(data.folder)
    with pytest.raises(RoboRallyError, match=message):
        selfplay(options.pop("agents"), options.pop("courses"), out=data.folder, **options)
    assert contents(data.folder) == before


def test_other_rules_are_refused(data, monkeypatch):
    monkeypatch.setattr("roborally_env.jobs.manifest.RULES_VERSION", 99)
    with pytest.raises(RoboRallyError, match=r"versions.rules \d+.*99"):
        selfplay(BOTS, "dizzy_highway", out=data.folder, observations=True, **GIVEN)


def test_two_runs_into_one_folder(tmp_path):
    (tmp_path / "data").mkdir()
    with Folder(tmp_path / "data").only_writer(), pytest.raises(RoboRallyError, match="run"):
        selfplay(["random"], "dizzy_highway", out=tmp_path / "data", **GIVEN)
    assert selfplay(["random"], "dizzy_highway", out=tmp_path / "data", **GIVEN).complete


def test_a_long_shard_goes_on_from_its_decisions(tmp_path, monkeypatch):
    """A shard that is stopped in its middle asks only for what was not decided; the bytes are those of one run."""
    monkeypatch.setattr(decisions, "SLICE", 0.0)
    given = {**GIVEN, "shard_games": 24}
    asked, act = [], RandomAgent.act

    def counting(self, observations, masks, info):
        asked.append(len(info.games))
        if len(asked) == stop_at:
            raise KeyboardInterrupt
        return act(self, observations, masks, info)

    monkeypatch.setattr(RandomAgent, "act", counting)
    stop_at = 0
    selfplay(["random"], "dizzy_highway", out=tmp_path / "whole", **given)
    once = len(asked)
    stop_at = once + once // 2
    out = tmp_path / "data"
    assert not selfplay(["random"], "dizzy_highway", out=out, **given).complete
    assert [path.name for path in (out / "begun").iterdir()] == ["shard-00000.npz"]
    asked.clear()
    stop_at = 0
    assert selfplay(["random"], "dizzy_highway", out=out, **given).complete
    assert len(asked) == once - once // 2 + 1, "the decision that was lost, and those after it"
    assert contents(out) == contents(tmp_path / "whole")
    assert not (out / "begun").exists()


def test_decisions_of_whole_shards_are_removed(tmp_path):
    out = tmp_path / "data"
    selfplay(["random"], "dizzy_highway", out=out, **GIVEN)
    before = contents(out)
    (out / "begun").mkdir()
    (out / "begun" / "shard-00001.npz").write_bytes(b"of a run that was killed as it removed this")
    selfplay(["random"], "dizzy_highway", out=out, **GIVEN)
    assert contents(out) == before
