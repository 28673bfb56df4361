"""The log for TensorBoard, which is written by a thread of tensorboard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from roborally_env.base.errors import RoboRallyError


class Board(SummaryWriter):
    """A log in a folder, in which what a run wrote after its last `done` steps is no longer shown.

    Its methods raise a RoboRallyError if it cannot be written.
    """

    def __init__(self, folder: str | Path, done: int) -> None:
        self._folder = folder
        _silence_threads()
        with self._errors_in_a_line():
            super().__init__(str(folder), purge_step=done + 1)

    def add_scalar(self, *args: object, **more: object) -> None:
        """See SummaryWriter."""
        with self._errors_in_a_line():
            super().add_scalar(*args, **more)

    def flush(self) -> None:
        """See SummaryWriter."""
        with self._errors_in_a_line():
            super().flush()

    def close(self) -> None:
        """See SummaryWriter."""
        with self._errors_in_a_line():
            super().close()

    @contextmanager
    def _errors_in_a_line(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RoboRallyError(f"{self._folder}: cannot be written: {error.strerror or error}") from None


class _WithoutWriters:
    """A `threading.excepthook` without the errors of tensorboard's threads: the next call of a Board raises them."""

    def __init__(self, other: Callable[[threading.ExceptHookArgs], object]) -> None:
        self.other = other

    def __call__(self, args: threading.ExceptHookArgs) -> None:
        if type(args.thread).__module__.partition(".")[0] != "tensorboard":
            self.other(args)


def _silence_threads() -> None:
    if not isinstance(threading.excepthook, _WithoutWriters):
        threading.excepthook = _WithoutWriters(threading.excepthook)
