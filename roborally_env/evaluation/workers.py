"""Playing a tournament in chunks of games, in this process or in others."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from roborally_env.agents import Agent, base
from roborally_env.editions import load_named
from roborally_env.errors import RoboRallyError
from roborally_env.evaluation.racing import Race, play_races
from roborally_env.evaluation.setup import Setup
from roborally_env.threads import interrupts_ignored

CHUNK = 16  # games of one batch
ALONE = 2  # the number of first games that are batches of their own
WORTH_WORKERS = 4.0  # seconds of play left from which on workers are started; their start takes about two

Chunk = tuple[int, int, int]  # course, first game, games


def make_chunks(setup: Setup, size: int) -> list[Chunk]:
    """All games in chunks of `size`; the first two games are chunks of their own, to measure the time of a game."""
    chunks: list[Chunk] = []
    for course in range(len(setup.courses)):
        first = 0
        while first < setup.games:
            count = min(size if len(chunks) >= ALONE else 1, setup.games - first)
            chunks.append((course, first, count))
            first += count
    return chunks


def _play_chunk(
    setup: Setup, agents: Sequence[Agent], chunk: Chunk, stopped: Callable[[], bool] = lambda: False
) -> list[Race]:
    course, first, count = chunk
    batch = setup.batch(course, first, count, agents)
    return play_races(batch, agents, setup.line_ups(course, first, count), course, stopped) or []


def play_chunks(setup: Setup, chunks: Sequence[Chunk], workers: int) -> Generator[list[Race], None, None]:
    """The races of each chunk, in any order.

    This process plays the first ones, so that kernels are compiled once and an agent's error is reported here. Workers
    play the rest if it takes longer than starting them.
    """
    agents = setup.make_agents()
    for done, chunk in enumerate(chunks, 1):
        begun = time.perf_counter()
        yield _play_chunk(setup, agents, chunk)
        one = (time.perf_counter() - begun) / chunk[2]
        rest = chunks[done:]
        if workers > 1 and len(rest) > 1 and done >= ALONE and one * sum(count for _, _, count in rest) > WORTH_WORKERS:
            yield from _play_in_processes(setup, rest, min(workers, len(rest)))
            return


def _play_in_processes(setup: Setup, chunks: Sequence[Chunk], workers: int) -> Generator[list[Race], None, None]:
    """The races of each chunk, in the order in which they are finished."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(setup, stop))
    with pool:
        try:
            with interrupts_ignored():  # the workers inherit this: only this process receives Ctrl-C
                futures = [pool.submit(_work, chunk) for chunk in chunks]
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise RoboRallyError(
                "a worker process ended early; in a script, put the call under if __name__ == '__main__': "
                "(or try workers=1)"
            ) from None
        finally:
            stop.set()  # seen after each round
            pool.shutdown(cancel_futures=True)


_worker: dict[str, Any] = {}  # the state of a worker process: setup, stop, agents


def _begin_worker(setup: Setup, stop: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_named()
    _worker.update(setup=setup, stop=stop)


def _work(chunk: Chunk) -> list[Race]:
    setup: Setup = _worker["setup"]
    if _worker["stop"].is_set():
        return []
    if "agents" not in _worker:
        base.REGISTRY.update(setup.registry)
        _worker["agents"] = setup.make_agents()
    return _play_chunk(setup, _worker["agents"], chunk, _worker["stop"].is_set)
