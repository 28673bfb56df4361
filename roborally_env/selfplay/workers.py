"""Playing shards in this process or in others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.agents import Agent, base
from roborally_env.editions import load_named
from roborally_env.errors import RoboRallyError
from roborally_env.evaluation.racing import decide
from roborally_env.evaluation.workers import WORTH_WORKERS, _interrupts_ignored
from roborally_env.selfplay.plan import Plan, Shard
from roborally_env.selfplay.shards import make_shard

_LOOK = 0.25  # seconds between checks of the workers' progress


def play_shards(
    plan: Plan, shards: Sequence[Shard], folder: Path, workers: int, progress: Callable[[int], None]
) -> None:
    """Play shards and write their files; `progress` is called with the races of these shards played so far.

    After Ctrl-C the shards in progress are dropped, and KeyboardInterrupt is raised when all workers have stopped.
    """
    agents = plan.setup.make_agents()
    workers = min(workers, len(shards))
    if workers > 1 and _rehearse(plan, agents) * sum(shard.games for shard in shards) > WORTH_WORKERS:
        _play_in_processes(plan, shards, folder, workers, progress)
        return
    done = 0

    def tick(races: int) -> None:
        nonlocal done
        done += races
        progress(done)

    for shard in shards:
        make_shard(plan, agents, shard, folder, tick=tick)


def _rehearse(plan: Plan, agents: Sequence[Agent]) -> float:
    """Play a race with each number of players, so that kernels are compiled once and an agent's error is reported in
    this process. Returns the seconds of the last race."""
    counts = plan.setup.counts
    for count in dict.fromkeys(counts):
        course = counts.index(count)
        batch, line_up = plan.batch(course, 0, 1, agents), plan.setup.line_ups(course, 0, 1)
        begun = time.perf_counter()
        while not batch.over.all():
            batch.step(*decide(batch, agents, np.asarray(line_up)))
    return time.perf_counter() - begun


def _play_in_processes(
    plan: Plan, shards: Sequence[Shard], folder: Path, workers: int, progress: Callable[[int], None]
) -> None:
    context = multiprocessing.get_context("spawn")
    stop, played = context.Event(), context.Value("q", 0)
    given = (plan, folder, stop, played)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=given) as pool:
        try:
            with _interrupts_ignored():  # the workers inherit this: only this process receives Ctrl-C
                futures = [pool.submit(_work, shard) for shard in shards]
            _watch(futures, lambda: progress(played.value))
        except BrokenProcessPool:
            raise RoboRallyError(
                f"{folder}: a worker process ended early; the same call goes on from there (in a script, put it under "
                "if __name__ == '__main__':)"
            ) from None
        finally:
            stop.set()  # seen after each step
            pool.shutdown(cancel_futures=True)


def _watch(futures: Sequence[Future[None]], look: Callable[[], None]) -> None:
    """Wait for all; raises the first exception."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, _LOOK, FIRST_EXCEPTION)
        for future in done:
            future.result()
        look()


_worker: dict[str, Any] = {}  # of a worker process: plan, folder, stop, played, agents


def _begin_worker(plan: Plan, folder: Path, stop: Any, played: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_named()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    base.REGISTRY.update(plan.setup.registry)
    _worker.update(plan=plan, folder=folder, stop=stop, played=played, agents=plan.setup.make_agents())


def _end_with_parent() -> None:
    """End the worker if its parent was killed: it would wait for ever, or write while a new run goes on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(shard: Shard) -> None:
    if _worker["stop"].is_set():
        return
    make_shard(_worker["plan"], _worker["agents"], shard, _worker["folder"], _worker["stop"].is_set, _tick)


def _tick(races: int) -> None:
    with _worker["played"].get_lock():
        _worker["played"].value += races
