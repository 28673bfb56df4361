"""Races on a Ray cluster: the bytes of one process, whatever is killed; one line for what cannot work."""

import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from roborally_env import RoboRallyError
from roborally_env.evaluation.benchmark import benchmark
from roborally_env.evaluation.tournament import evaluate
from roborally_env.executors.cluster import connected
from roborally_env.selfplay import load, selfplay
from tests.executors.conftest import add
from tests.selfplay.conftest import contents, whole_files

ray = pytest.importorskip("ray")
Cluster = pytest.importorskip("ray.cluster_utils").Cluster

RACES = {"courses": "dizzy_highway", "games": 24, "players": 4, "seed": 3, "max_rounds": 6}
SHARDS = {**RACES, "shard_games": 2}


def play(spec, out, **more):
    return selfplay([spec, "random"], out=out, **{**SHARDS, **more})


def nodes_used(folder):
    return len(list(folder.glob("node-*")))


# -- the same bytes


def test_bytes_on_one_two_and_three_nodes(cluster, agent, tmp_path):
    slow = f"{agent}:seconds=0.01"
    play(slow, tmp_path / "alone")
    benchmark("random", quick=True, against=["uniform"], out=tmp_path / "bench")
    alone = evaluate([slow, "random"], **RACES, chunk=2)
    for number in (1, 2, 3):
        add(cluster, 1)
        for path in tmp_path.glob("node-*"):
            path.unlink()
        reported, on = [], {"ray": cluster.address}
        shared = evaluate(
            [slow, "random"], **RACES, chunk=2, progress=lambda *n, reported=reported: reported.append(n), **on
        )
        assert shared.races == alone.races
        assert reported[-1] == (24, 24)
        assert [done for done, _ in reported] == sorted({done for done, _ in reported}), "no race twice"
        assert play(slow, tmp_path / f"data-{number}", **on).complete
        assert contents(tmp_path / f"data-{number}") == contents(tmp_path / "alone")
        assert nodes_used(tmp_path) == number
        measured = benchmark("random", quick=True, against=["uniform"], out=tmp_path / f"bench-{number}", **on)
        assert measured.complete
        mine, its = (contents(tmp_path / name / "parts") for name in ("bench", f"bench-{number}"))
        assert mine == its
        assert mine


# -- killed: kill -9 of a worker, of a node, of the driver


def test_a_killed_worker_s_part_is_played_again(cluster, agent, tmp_path):
    """The race is played in the same batch as before, by another worker."""
    add(cluster, 2)
    play(agent, tmp_path / "alone")
    spec = f"{agent}:kills=7"
    data = play(spec, tmp_path / "data", ray=cluster.address)
    assert (tmp_path / "killed").exists()
    assert data.complete
    assert same_but_for_the_name(tmp_path / "data", tmp_path / "alone")
    (tmp_path / "killed").unlink()
    killed = evaluate([spec, "random"], **RACES, chunk=2, ray=cluster.address)
    assert (tmp_path / "killed").exists()
    assert killed.races == evaluate([agent, "random"], **RACES).races


def same_but_for_the_name(folder, other):
    """Whether two runs have the same rows, but for the agent's name."""
    columns = ["episode", "step", "seat", "hand", "program", "reward_race"]
    mine, its = (
        [{n: a.tolist() for n, a in part.items()} for part in load(f).arrays(columns)] for f in (folder, other)
    )
    return mine == its


def asked(folder):
    """How often the agent was asked since the last time, and nothing of it."""
    found = (folder / "asked").read_text().splitlines()
    (folder / "asked").write_text("")
    return len(found)


def test_long_parts_come_back_and_little_is_lost(cluster, agent, tmp_path):
    """With parts that come back after every step, a killed worker loses one; and the driver has what was decided."""
    add(cluster, 2)
    (tmp_path / "slice").write_text("0")
    (tmp_path / "asked").touch()
    slow = f"{agent}:seconds=0.02"
    alone = evaluate([slow, "random"], **RACES)
    asked(tmp_path)
    assert evaluate([slow, "random"], **RACES, chunk=11, ray=cluster.address).races == alone.races
    asked(tmp_path)
    whole = play(slow, tmp_path / "alone", shard_games=24)
    once = asked(tmp_path)
    killed = play(f"{slow},kills=7", tmp_path / "data", shard_games=24, ray=cluster.address)
    assert (tmp_path / "killed").exists()
    assert killed.complete
    assert whole.complete
    assert same_but_for_the_name(tmp_path / "data", tmp_path / "alone")
    assert not (tmp_path / "data" / "begun").exists()
    assert asked(tmp_path) == once + 1, "the step that was lost"


SCRIPT = """
import sys
from roborally_env.selfplay import selfplay

if __name__ == "__main__":
    given = {given!r}
    address = sys.argv[2]
    data = selfplay(["watched.py:Watched:seconds=0.1", "random"], out=sys.argv[1], ray=address, **given)
    print("whole" if data.complete else "stopped", flush=True)
"""


def begin(out, address):
    """A run in a process of its own, slow enough to be stopped."""
    words = [sys.executable, "-c", SCRIPT.format(given=SHARDS), str(out), address]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=out.parent)


def finished_shards(out):
    return len(list((out / "episodes").glob("*.parquet"))) if out.exists() else 0


def wait_for_shards(out, number, process):
    until = time.monotonic() + 120
    while finished_shards(out) < number:
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def whole(agent, tmp_path):
    """What comes out in one process."""
    selfplay([f"{agent}:seconds=0.1", "random"], out=tmp_path / "whole", **SHARDS)
    return contents(tmp_path / "whole")


def test_a_killed_node_s_parts_are_played_elsewhere(cluster, agent, whole, tmp_path):
    first, _ = add(cluster, 2)
    process = begin(tmp_path / "data", cluster.address)
    wait_for_shards(tmp_path / "data", 3, process)
    cluster.remove_node(first, allow_graceful=False)  # kill -9 of all its processes
    assert process.communicate(timeout=120)[0] == "whole\n"
    assert contents(tmp_path / "data") == whole


def test_a_killed_driver_goes_on_on_another_cluster(cluster, agent, whole, tmp_path):
    out = tmp_path / "data"
    add(cluster, 2)
    process = begin(out, cluster.address)
    wait_for_shards(out, 3, process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    kept = whole_files(out)
    assert 3 <= finished_shards(out) < 12
    assert kept.items() <= whole.items(), "a file that has its name is whole"
    written = {path: path.stat().st_mtime_ns for path in (out / "episodes").iterdir()}
    cluster.shutdown()
    other = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        assert begin(out, other.address).communicate(timeout=120)[0] == "whole\n"
    finally:
        other.shutdown()
    assert contents(out) == whole
    assert all(path.stat().st_mtime_ns == at for path, at in written.items()), "a finished shard is not played again"


def test_ctrl_c_ends_the_tasks_and_processes_go_on(cluster, agent, whole, tmp_path):
    out = tmp_path / "data"
    add(cluster, 2)
    process = begin(out, cluster.address)
    wait_for_shards(out, 3, process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "stopped\n"
    assert whole_files(out).items() <= whole.items(), "nothing unfinished is left"
    assert not (out / ".partial").exists()
    assert 3 <= finished_shards(out) < 12
    ray.init(cluster.address, log_to_driver=False)
    try:
        until = time.monotonic() + 30
        while ray.available_resources().get("CPU") != 2:
            assert time.monotonic() < until, "tasks go on"
            time.sleep(0.1)
    finally:
        ray.shutdown()
    spec = f"{agent}:seconds=0.1"
    assert selfplay([spec, "random"], out=out, **SHARDS, workers=2).complete
    assert contents(out) == whole


# -- one line


def refused(roborally, *words):
    """The one line of a command that is refused."""
    code, out, err = roborally("evaluate", "--agents", "random", "--games", 40, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    return err


def test_addresses_that_cannot_be_used(roborally, monkeypatch):
    started = time.monotonic()
    assert "ray: no cluster at 127.0.0.1:1: ConnectionRefusedError" in refused(roborally, "--ray", "127.0.0.1:1")
    assert "expected HOST:PORT, ray://HOST:PORT or auto, got 'here'" in refused(roborally, "--ray", "here")
    assert "no cluster at ray://127.0.0.1:1" in refused(roborally, "--ray", "ray://127.0.0.1:1")
    assert "ray: cannot use a cluster at 'auto': Could not find any" in refused(roborally, "--ray", "auto")
    assert "either --workers or --ray" in refused(roborally, "--ray", "auto", "--workers", 2)
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    assert "no cluster at 127.0.0.1:1" in refused(roborally, "--ray", "auto")
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_ports_of_other_servers_are_reported(scheme, roborally, monkeypatch):
    """A web server, and one that says nothing: Ray would try for half a minute and print pages."""
    monkeypatch.setattr("roborally_env.executors.cluster.ANSWER", 0.5)
    page = b"HTTP/1.0 400 Bad Request\r\n\r\n"
    for answer, why in ((page, "but another server: expected HOST:6379"), (b"", "it does not answer; expected HOST:")):
        with answering(answer) as port:
            line = refused(roborally, "--ray", f"{scheme}127.0.0.1:{port}")
        assert f"ray: no cluster at {scheme}127.0.0.1:{port}" in line
        assert why in line


@contextmanager
def answering(answer):
    """The port of a server that gives this answer to whatever it is sent; b"" for none."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.recv(100)
            if answer:
                self.request.sendall(answer)
            else:
                self.request.recv(100)  # until the other side ends it

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def test_without_ray(roborally, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert 'Ray is not installed; pip install "roborally_env[ray]"' in refused(roborally, "--ray", "auto")


def with_distribution(folder, name, version):
    """A folder that a node finds first, where a package has another version."""
    folder = folder / "other"
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


@pytest.mark.parametrize("name", ["numba", "roborally_env"])
def test_a_node_with_another_version_is_refused_by_name(name, cluster, roborally, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # nodes look for packages in the driver's folder first
    add(cluster, 1)
    cluster.add_node(num_cpus=1, node_name="old-one", env_vars=with_distribution(tmp_path, name, "0.0.7"))
    line = refused(roborally, "--ray", cluster.address)
    assert f"ray: node old-one has {name} 0.0.7" in line
    assert ", this process " in line


def test_a_cluster_without_cores(cluster, roborally):
    assert "no node of the cluster has a core" in refused(roborally, "--ray", cluster.address)


def test_errors_of_agents_name_the_node(cluster, agent, roborally, tmp_path):
    add(cluster, 1)
    line = refused(roborally, "--agents", f"{agent}:fails=30", "--ray", cluster.address)
    assert "node node-0: agent 'random': act raised MemoryError: no room for this" in line


def test_out_of_memory_on_a_node(cluster, agent, tmp_path, monkeypatch):
    """Ray's own watch over the memory of a node, with a bound that is always passed."""
    monkeypatch.setenv("RAY_task_oom_retries", "1")  # each waits longer than the last
    cluster.add_node(num_cpus=1, env_vars={"RAY_memory_usage_threshold": "0.01", "RAY_memory_monitor_refresh_ms": "50"})
    with pytest.raises(RoboRallyError, match=r"ray: .*[0-9.]+"):
        play(f"{agent}:seconds=0.5", tmp_path / "data", ray=cluster.address)


def test_a_connection_of_the_caller_is_kept(cluster, agent):
    add(cluster, 1)
    ray.init(cluster.address, log_to_driver=False)
    try:
        with connected("auto"):
            pass
        assert ray.is_initialized()
    finally:
        ray.shutdown()


def test_a_cluster_by_ray_s_client(agent, roborally, tmp_path):
    """`ray://HOST:PORT`: this process is no node, and a server in the cluster speaks for it."""
    pytest.importorskip("grpc")
    port = free_port()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "ray_client_server_port": port})
    on = {"ray": f"ray://127.0.0.1:{port}"}
    try:
        wait_for_port(port)
        assert evaluate([agent, "random"], **RACES, **on).races == evaluate([agent, "random"], **RACES).races
        play(agent, tmp_path / "alone")
        assert play(agent, tmp_path / "data", **on).complete
        assert contents(tmp_path / "data") == contents(tmp_path / "alone")
        # the ports taken for each other
        other = cluster.address
        assert f"server for clients: expected ray://127.0.0.1:{port}" in refused(
            roborally, "--ray", f"127.0.0.1:{port}"
        )
        line = refused(roborally, "--ray", f"ray://{other}")
        assert f"ray: ray://{other} is the cluster itself, not its server for clients" in line
        old = with_distribution(tmp_path, "roborally_env", "0.0.7")
        cluster.add_node(num_cpus=1, node_name="old-one", env_vars=old)
        line = refused(roborally, "--ray", on["ray"])
        assert "ray: node old-one has roborally_env 0.0.7" in line
    finally:
        cluster.shutdown()


def wait_for_port(port):
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.1)
    raise AssertionError("Ray's server does not answer")


def free_port():
    """A port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
