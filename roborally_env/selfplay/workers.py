"""Playing a job in parts, in this process or in others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Protocol

from roborally_env.agents import Agent, base
from roborally_env.editions import load_named
from roborally_env.errors import RoboRallyError
from roborally_env.evaluation.workers import WORTH_WORKERS
from roborally_env.threads import interrupts_ignored

_LOOK = 0.25  # seconds between checks of the workers' progress


class Part(Protocol):
    """A part of a job, which one process plays as a whole."""

    @property
    def games(self) -> int:
        """Its races."""
        ...


class Job(Protocol):
    """Races in parts, each of which is written as files into a folder. Every process gets a copy."""

    @property
    def registry(self) -> dict[str, str]:
        """Names given by `register_agent`."""
        ...

    def make_agents(self) -> Sequence[Agent]:
        """The agents of one process."""
        ...

    def rehearse(self, agents: Sequence[Agent]) -> float:
        """Play a little, so that kernels are compiled once and an agent's error is reported in this process. Returns
        the seconds of a race."""
        ...

    def play(
        self,
        agents: Sequence[Agent],
        part: Any,
        folder: Path,
        stopped: Callable[[], bool] = lambda: False,
        tick: Callable[[int], None] = lambda races: None,
    ) -> bool:
        """Play a part and write its files; False, with nothing written, if `stopped` returned True before the end.
        `tick` is called with the number of races played now and then."""
        ...


def play_parts(job: Job, parts: Sequence[Part], folder: Path, workers: int, progress: Callable[[int], None]) -> None:
    """Play parts of a job and write their files; `progress` is called with the races of these parts played so far.

    After Ctrl-C the parts in progress are dropped, and KeyboardInterrupt is raised when all workers have stopped.
    """
    agents = job.make_agents()
    workers = min(workers, len(parts))
    if workers > 1 and job.rehearse(agents) * sum(part.games for part in parts) > WORTH_WORKERS:
        _play_in_processes(job, parts, folder, workers, progress)
        return
    done = 0

    def tick(races: int) -> None:
        nonlocal done
        done += races
        progress(done)

    for part in parts:
        job.play(agents, part, folder, tick=tick)


def _play_in_processes(
    job: Job, parts: Sequence[Part], folder: Path, workers: int, progress: Callable[[int], None]
) -> None:
    context = multiprocessing.get_context("spawn")
    stop, played = context.Event(), context.Value("q", 0)
    given = (job, folder, stop, played)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=given) as pool:
        try:
            with interrupts_ignored():  # the workers inherit this: only this process receives Ctrl-C
                futures = [pool.submit(_work, part) for part in parts]
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


_worker: dict[str, Any] = {}  # of a worker process: job, folder, stop, played, agents


def _begin_worker(job: Job, folder: Path, stop: Any, played: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_named()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    base.REGISTRY.update(job.registry)
    _worker.update(job=job, folder=folder, stop=stop, played=played, agents=job.make_agents())


def _end_with_parent() -> None:
    """End the worker if its parent was killed: it would wait for ever, or write while a new run goes on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(part: Part) -> None:
    if _worker["stop"].is_set():
        return
    _worker["job"].play(_worker["agents"], part, _worker["folder"], _worker["stop"].is_set, _tick)


def _tick(races: int) -> None:
    with _worker["played"].get_lock():
        _worker["played"].value += races
