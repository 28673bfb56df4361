"""Messages while machine code is made: a progress line on a terminal, else one warning in the log."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

from roborally_env.base.terminal import overwrite
from roborally_env.compiling import cache
from roborally_env.compiling.fingerprint import reach_of
from roborally_env.compiling.hooks import record_fields

_WORTH_SAYING = 20  # functions; fewer are compiled within a second
_AFTER = 0.4  # seconds until the progress line appears
_FINISH = 0.6  # the time for linking, optimising and emitting / the time for typing all of it
_PRIOR = 0.1  # how much the pace of an entry before counts, at most, as a part of this one's work
_EARLY = 0.1  # the part of the typing before which nothing is said of the time that is left
_STAGES = {"linking": 0.1, "optimising": 0.75, "emitting": 0.15}
_NOTE = 0.5  # seconds between notes for processes that wait
_WAITING = "waiting for another process that compiles it"
LINE = "compiling the simulator (once: the machine code is kept) ..."


class Compiling(NamedTuple):
    """What this process compiles, or waits for while another process compiles it."""

    entry: str  # the name of the function that Python called
    share: float  # of the work that is done, from 0 to 1
    seconds_left: float | None  # None while too little is done to know
    seconds: float | None  # that all of it takes


class _State(NamedTuple):
    share: float = 0.0
    end: float | None = None  # by the clock, as estimated at the last function or stage
    seconds: float | None = None

    def seconds_left(self) -> float | None:
        """They count down between two estimates."""
        return None if self.end is None else max(0.0, self.end - time.time())


class Progress:
    """The progress of one entry. `quiet` writes nothing: `roborally compile` has messages of its own.

    `show` is called with the line instead, and with "" at the end, where something else draws on the terminal.
    A process that waits for the entry shows the progress of the one that compiles it, which leaves a note beside the
    lock.

    Args:
        kernel: the entry.
        args: numba's types of its arguments.
        file: the name of its file in the cache.
    """

    quiet: ClassVar[bool] = False
    show: ClassVar[Callable[[str], None] | None] = None
    _now: ClassVar[Progress | None] = None
    _before: ClassVar[tuple[float, float]] = 0.0, 0.0  # seconds and work of the largest entry so far

    def __init__(self, kernel: Any, args: Any, file: str = "") -> None:
        self.name = kernel.py_func.__name__
        self._file = file
        self._noted = 0.0
        self._others: _State | None = None  # of the process that compiles, where this one waits
        fields = record_fields(args)
        reached = list(reach_of(kernel, fields).kernels.values())
        self.total = len(reached)
        # The work is the length of the functions to type, and _FINISH times that of those whose machine code is made.
        # By the functions' ids: what this process or the cache has is left out.
        self._to_type = {id(one): _weight(one) for one in reached if not one.is_typed(fields)}
        self._to_make = {id(one): _weight(one) for one in reached}
        self.done = self.total - len(self._to_type)
        self._typed = 0.0
        self._making = 0.0  # of the machine code that is being made: of the entry, or of a kernel apart
        self._made = 0.0
        for one in reached:
            if one.has_code(fields):
                self._leave_out(reach_of(one, fields).kernels.values())
        self._stage = ""
        self._began = time.monotonic()
        self._state = _State()
        self._drawn = 0
        self._drawing = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> Progress:
        self._outer, Progress._now = Progress._now, self
        moves = sys.stderr is not None and sys.stderr.isatty()
        self._moves = moves and not Progress.quiet
        if self._moves:  # LLVM works for many seconds without a word
            threading.Thread(target=self._count_down, name="countdown", daemon=True).start()
        if not moves and not Progress.quiet and self.total >= _WORTH_SAYING and cache.folder() is not None:
            cache.say_once(LINE)  # without a folder a line has said that each process compiles
        return self

    def __exit__(self, *_: object) -> None:
        Progress._now = self._outer
        self._over.set()
        self._close_stage()
        passed = time.monotonic() - self._began
        if self._others is None and self._work() > Progress._before[1]:
            Progress._before = passed, self._work()  # of the largest: short ones are mostly numba's own beginning
        if self._noted:
            cache.write_note(self._file, "")
        with self._drawing:
            if self._drawn:
                self._put("")

    @classmethod
    def count(cls, kernel: Any, loaded: bool) -> None:
        """Count one more function as typed, or as loaded from the cache."""
        now = cls._now
        if now is not None:
            now.done += 1
            weight = now._to_type.pop(id(kernel), 0)
            now._typed += 0 if loaded else weight
            now._went_on()

    @classmethod
    def of_entry(cls) -> Progress | None:
        """The progress of the entry that is being compiled."""
        return cls._now

    @classmethod
    def leave_out(cls, kernels: Iterable[Any]) -> None:
        """The machine code of these, a kernel apart with all that it reaches, is there."""
        if cls._now is not None:
            cls._now._leave_out(kernels)

    def _leave_out(self, kernels: Iterable[Any]) -> None:
        for kernel in kernels:
            self._to_type.pop(id(kernel), 0)
            self._to_make.pop(id(kernel), 0)

    def begin_code(self, kernels: Iterable[Any], last: bool) -> None:
        """The machine code of these is made next, in one piece; `last`: that of the entry, after all kernels apart."""
        self._close_stage()
        self._making = float(sum(self._to_make.pop(id(kernel), 0) for kernel in kernels))
        if last:  # what is named and never called for these records is not made
            self._to_make.clear()

    def stage(self, name: str) -> None:
        """All functions are typed; show the name of the stage that begins."""
        share = _STAGES.get(self._stage, 0.0) * self._making
        self._stage = name
        self._made += share
        self.done = self.total
        self._to_type.clear()
        self._went_on()

    def _close_stage(self) -> None:
        """The machine code that was being made is there."""
        last = _STAGES.get(self._stage, 0.0) * self._making
        self._made += last
        self._making, self._stage = 0.0, ""

    def _work(self) -> float:
        """What is done of the work."""
        return self._typed + _FINISH * self._made

    def _left(self) -> float:
        """What is left of it."""
        return sum(self._to_type.values()) + _FINISH * (sum(self._to_make.values()) + self._unmade())

    def _unmade(self) -> float:
        """What is left of the machine code that is being made."""
        stages = list(_STAGES)
        later = stages[stages.index(self._stage) :] if self._stage in stages else stages
        return self._making * sum(_STAGES[name] for name in later)

    def show_again(self) -> None:
        """Show the line again, while another process makes the machine code of a kernel apart."""
        self._draw()

    def wait(self) -> None:
        """Show how far another process is that makes the same machine code; called again and again until it has."""
        if self._others is None and not self._moves and not Progress.quiet and self.total >= _WORTH_SAYING:
            cache.say_once("waiting for another process that compiles the simulator ...")
        try:
            self._others = _State(*json.loads(cache.read_note(self._file)))
        except (TypeError, ValueError):  # there is none yet, or it is being written
            self._others = self._others or _State()
        self._stage = _WAITING
        self._draw()

    @classmethod
    def now(cls) -> Compiling | None:
        """What this process compiles at present, or None. May be called from any thread."""
        now = cls._now
        if now is None:
            return None
        state = now._others or now._state
        return Compiling(now.name, state.share, state.seconds_left(), state.seconds)

    def share(self) -> float:
        """The part of the work that is done, from 0 to 1. Long functions are more work than short ones."""
        done = self._work()
        return done / (done + self._left()) if done else 0.0

    def seconds_left(self, passed: float) -> float | None:
        """The seconds until it is done, after `passed` of them; None while too little is done to know. At the begin
        the pace is that of the largest entry before, if there was one."""
        done, left = self._work(), self._left()
        seconds, work = Progress._before
        prior = min(work, _PRIOR * (done + left))
        known = done + prior
        if known == 0.0 or known < _EARLY * (done + left):
            return None
        return left * (passed + (prior * seconds / work if work else 0.0)) / known

    def _went_on(self) -> None:
        """Estimate the end anew, and show it; leave a note for processes that wait."""
        if self._others is not None:  # the process that was waited for ended without a result
            self._others, self._began = None, time.monotonic()
            self._stage = "" if self._stage == _WAITING else self._stage
        passed = time.monotonic() - self._began
        left = self.seconds_left(passed)
        known = (None, None) if left is None else (time.time() + left, passed + left)
        self._state = _State(self.share(), *known)
        if self._file and passed - self._noted > _NOTE:
            self._noted = passed
            cache.write_note(self._file, json.dumps(self._state))
        self._draw()

    def _count_down(self) -> None:
        """Draw the line every second, in a thread of its own."""
        while not self._over.wait(1.0):
            self._draw()

    def _draw(self) -> None:
        if not self._moves or time.monotonic() - self._began < _AFTER:
            return
        state = self._others or self._state
        seconds = state.seconds_left()
        left = "" if seconds is None else f", {max(1, round(seconds))} s left"
        doing = self._stage or f"function {min(self.done, self.total)} of {self.total}"
        with self._drawing:
            if not self._over.is_set():
                self._put(f"roborally_env: compiling {self.name} (once): {state.share:4.0%}, {doing}{left}")

    def _put(self, line: str) -> None:
        """Put the line in the place of the last one; one that is longer than the terminal would stay there."""
        if Progress.show is not None:
            Progress.show(line)
        else:
            line = line[: shutil.get_terminal_size().columns - 1]
            overwrite(line, self._drawn, err=True)
        self._drawn = len(line)


def _weight(kernel: Any) -> int:
    return len(kernel.py_func.__code__.co_code)


@contextmanager
def shown_by(show: Callable[[str], None]) -> Iterator[None]:
    """Give the progress line to a function, which is called with each new line and at the end with ""."""
    before, Progress.show = Progress.show, show
    try:
        yield
    finally:
        Progress.show = before
