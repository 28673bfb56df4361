"""Worker processes: they leave Ctrl-C to the process that started them, and end when it ends."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from roborally_env.base.signals import handled

_LOOKS = 0.25  # seconds between two looks whether the parent is there
_GRACE = 5.0  # seconds after SIGTERM, in which the parent, which was sent it too, may stop the workers in order
_STOPPING = (signal.SIGINT, signal.SIGTERM)
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


@contextmanager
def starting() -> Iterator[None]:
    """Start processes in here: a Ctrl-C or SIGTERM that comes before they can handle it does not end them.

    This process receives its own signals when the processes are started.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        with handled(signal.SIGINT, signal.SIG_IGN):
            yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)  # the processes inherit this
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Guard:
    """The `initializer` of a pool of new processes: it calls the first of `initargs` with the others.

    A process is guarded from the moment in which this is unpickled there, before it imports what its work needs: it
    ignores Ctrl-C, ends a while after SIGTERM, and ends within a second of the process that started it, however that
    one ends.
    """

    def __reduce__(self) -> tuple[Callable[..., Guard], tuple[int, bool]]:
        from_main = threading.current_thread() is threading.main_thread()
        return _guarded, (os.getpid(), from_main)

    def __call__(self, begin: Callable[..., None], *given: object) -> None:
        """Begin the work of this process."""
        parent = multiprocessing.parent_process()
        if os.name == "nt" and parent is not None:
            threading.Thread(target=_end_after, args=(parent.join,), daemon=True).start()
        begin(*given)


def _guarded(parent: int, from_main: bool) -> Guard:
    """Guard this process; `from_main`: whether the main thread of the parent has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_later)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
    if os.name != "nt":
        # Linux kills a process when the thread ends that has started it: only the main thread stays to the end
        if sys.platform == "linux" and from_main:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        threading.Thread(target=_end_after, args=(lambda: _wait_for_end_of(parent),), daemon=True).start()
    return Guard()


def _end_later(*_: object) -> None:
    """On SIGTERM. A pool sends it to workers that it cannot use any more, a cluster to all processes of a job."""
    threading.Thread(target=_end_after, args=(lambda: time.sleep(_GRACE),), daemon=True).start()


def _wait_for_end_of(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOKS)


def _end_after(wait: Callable[[], object]) -> None:
    """End this process at once, after `wait`: it would wait for ever, or write while a new run goes on."""
    wait()
    os._exit(1)
