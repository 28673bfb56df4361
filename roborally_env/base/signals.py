"""Signals that stop a run: Ctrl-C (SIGINT), and SIGTERM, which clusters and service managers send."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """Handle SIGTERM as Ctrl-C: whatever handles Ctrl-C at that moment is called for it too."""

    def forward(_: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            handler(signal.SIGINT, frame)
        else:  # a shell starts a job in the background with Ctrl-C ignored
            raise KeyboardInterrupt

    with handled(signal.SIGTERM, forward):
        yield


@contextmanager
def interrupts_noted(note: Callable[[], None]) -> Iterator[None]:
    """Call `note` on Ctrl-C, which then does not raise KeyboardInterrupt."""
    with handled(signal.SIGINT, lambda *_: note()):
        yield


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C, also within `interrupts_noted`."""
    with handled(signal.SIGINT, signal.default_int_handler):
        yield


class Held:
    """Whether Ctrl-C has come in `interrupt_held`."""

    came = False


@contextmanager
def interrupt_held(first: Callable[[], None]) -> Iterator[Held]:
    """Finish what has started: the first Ctrl-C only calls `first`, a second one raises KeyboardInterrupt."""
    held = Held()

    def hold(*_: object) -> None:
        if held.came:
            raise KeyboardInterrupt
        held.came = True
        first()

    with handled(signal.SIGINT, hold):
        yield held


@contextmanager
def handled(number: signal.Signals, handler: Handler | signal.Handlers) -> Iterator[None]:
    """Handle a signal by a function; only the main thread can, in others nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before if before is not None else signal.SIG_DFL)
