"""A Ray cluster of several nodes on this machine, and an agent that can be watched and stopped."""

import textwrap

import pytest

from tests.benchmark.conftest import small  # noqa: F401  # the small protocol
from tests.cli.conftest import roborally  # noqa: F401

AGENT = textwrap.dedent(
    """
    import os, signal, sys, time
    from pathlib import Path

    from roborally_env.agents.uniform import RandomAgent
    from roborally_env.evaluation import decisions

    HERE = Path(__file__).parent
    if (HERE / "slice").exists():  # else a part must take five seconds to come back
        decisions.SLICE = float((HERE / "slice").read_text())


    class Watched(RandomAgent):
        "Plays at random; notes the nodes where it plays, takes its time, or kills its worker once in a certain race."

        def __init__(self, seed=0, seconds=0.0, kills=-1, fails=-1):
            super().__init__(seed)
            self.seconds, self.kills, self.fails = seconds, kills, fails

        def act(self, observations, masks, info):
            time.sleep(self.seconds)
            if sys.argv[0].endswith("default_worker.py"):  # not in the driver
                import ray

                (HERE / f"node-{ray.get_runtime_context().get_node_id()}").touch()
            numbers = info.batch.first_game + info.games
            if (HERE / "asked").exists():
                with (HERE / "asked").open("a") as file:
                    print(*numbers, file=file)
            if self.kills in numbers and not (HERE / "killed").exists():
                (HERE / "killed").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if self.fails in numbers:
                raise MemoryError("no room for this")
            return super().act(observations, masks, info)
    """
)


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """The spec of the agent, and a folder of its own as the current one."""
    (tmp_path / "watched.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "watched.py:Watched"


@pytest.fixture
def cluster():
    """A cluster whose head does no work; nodes are added by `add`."""
    ray_cluster = pytest.importorskip("ray.cluster_utils").Cluster
    cluster = ray_cluster(initialize_head=True, head_node_args={"num_cpus": 0, "node_name": "head"})
    yield cluster
    cluster.shutdown()


def add(cluster, number, **more):
    """Add nodes of one core."""
    return [cluster.add_node(num_cpus=1, node_name=f"node-{i}", **more) for i in range(number)]
