"""Spreading games over threads: plain Python threads, because compiled code runs without the interpreter's lock.

This thread pool survives a fork (the child starts a new one), which numba's OpenMP layer does not.
"""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager

_pools: dict[int, ThreadPoolExecutor] = {}  # by number of threads


def most_threads() -> int:
    """The largest number of threads: the processors that this process may use, or `NUMBA_NUM_THREADS`."""
    given = os.environ.get("NUMBA_NUM_THREADS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `work(first, last)` for parts of the range 0..`count` - 1, on `threads` threads at once."""
    threads = min(threads, count)
    if threads <= 1:
        work(0, count)
        return
    pool = _pools.get(threads)
    if pool is None:
        pool = _pools[threads] = ThreadPoolExecutor(threads - 1, thread_name_prefix="roborally")
    edges = [count * part // threads for part in range(threads + 1)]
    others = [pool.submit(work, *edge) for edge in itertools.pairwise(edges[1:])]
    try:
        work(edges[0], edges[1])
    finally:
        wait(others)
    for other in others:
        other.result()  # raises the exception of that thread


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C in this process while processes are started, which inherit that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # a child has none of the parent's threads
