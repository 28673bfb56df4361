"""Spreading games over threads: plain Python threads, because compiled code runs without the interpreter's lock.

These threads survive a fork (the child starts new ones), which numba's OpenMP layer does not.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue

LEAST_SHARE = 16  # games of a thread: fewer are played in the time that it takes to wake it
LEAST_PART = 32  # games that a thread takes at once


def most_threads() -> int:
    """The largest number of threads: the processors that this process may use, or `NUMBA_NUM_THREADS`."""
    given = os.environ.get("NUMBA_NUM_THREADS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    return cores()


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `work(first, last)` for parts of the range 0..`count` - 1, on up to `threads` threads at once.

    Each thread has a share, the caller always the first one, so that games stay in a processor's cache from step to
    step. The last tenth goes in small parts to threads that are free: one that was woken late, or had to share its
    processor, is not waited for long.
    """
    threads = min(threads, count // LEAST_SHARE)
    if threads <= 1:
        work(0, count)
        return
    parts = _parts(count, threads)
    mine = parts.popleft()
    awaited = len(parts)
    done: SimpleQueue[BaseException | None] = SimpleQueue()  # what became of each part that a helper took

    def help_out() -> None:
        for first, last in _taken(parts):
            error = None
            try:
                work(first, last)
            except BaseException as raised:
                error = raised
            done.put(error)

    _crew.ask(help_out, threads - 1)
    try:
        work(*mine)
        for first, last in _taken(parts):
            awaited -= 1
            work(first, last)
    finally:
        awaited -= sum(1 for _ in _taken(parts))  # after an error: nobody does these
        errors = [error for error in (done.get() for _ in range(awaited)) if error is not None]
    if errors:
        raise errors[0]


def _parts(count: int, threads: int) -> deque[tuple[int, int]]:
    """First and last + 1 of the parts: the threads' shares, and then small ones."""
    share = count * 9 // (10 * threads)
    shares = range(0, share * threads, share)
    return deque(itertools.pairwise([*shares, *range(share * threads, count, LEAST_PART), count]))


def _taken(parts: deque[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Parts until none is left: each goes to one thread, for `popleft` is one operation."""
    while True:
        try:
            part = parts.popleft()
        except IndexError:
            return
        yield part


class _Workers:
    """Threads that wait for calls: the most that any call needed. `concurrent.futures` takes 20 us longer to hand a
    call over and to learn of its end, a tenth of a step of small batches."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._size = 0
        self._growing = threading.Lock()

    def ask(self, call: Callable[[], None], helpers: int) -> None:
        """Let this number of threads make a call, which must not raise, as soon as they are free."""
        if self._size < helpers:
            with self._growing:
                for number in range(self._size, helpers):
                    threading.Thread(target=self._help, name=f"roborally_{number}", daemon=True).start()
                self._size = max(self._size, helpers)
        for _ in range(helpers):
            self._calls.put(call)

    def _help(self) -> None:
        while True:
            self._calls.get()()


_crew = _Workers()


def _begin_anew() -> None:
    global _crew
    _crew = _Workers()  # a child has none of the parent's threads


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
