"""Which executor a run has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from roborally_env.base.checks import check_whole
from roborally_env.executors.processes import Processes
from roborally_env.executors.work import Executor


@contextmanager
def executor_for(workers: int, ray: str | None) -> Iterator[Executor]:
    """The executor of a run, while it lasts: `workers` processes at most, or the Ray cluster at the address `ray`.

    Raises:
        RoboRallyError: for a wrong number, or a cluster that cannot be used.
    """
    workers = check_whole(workers, "workers", 1, 1024)
    if ray is None:
        yield Processes(workers)
        return
    from roborally_env.executors.cluster import connected  # which needs Ray

    with connected(ray) as cluster:
        yield cluster
