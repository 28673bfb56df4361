"""Generated courses made ahead, in a thread or in processes, each with its maps."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import NamedTuple

from roborally_env.base.children import Guard, starting
from roborally_env.base.errors import CourseError
from roborally_env.base.types import Json
from roborally_env.core.editions import game_dtype
from roborally_env.core.searching.distances import CourseMaps
from roborally_env.courses import Course
from roborally_env.editions import is_from_outside, load_named
from roborally_env.generated import Generator

AHEAD = 64  # courses that wait to be raced on, at most; each takes 0.6 MB


class Made(NamedTuple):
    """A course and its maps."""

    course: Course
    maps: CourseMaps


def make(generator: Generator, game: str, number: int) -> Made:
    """Course `number` with its maps for a kind of game."""
    maps = generator.maps(number, game_dtype(game))
    return Made(generator.course(number), maps)


class Supply:
    """Makes the next courses of a generator in advance, while the races go on.

    A thread of this process makes them, or as many processes as `generator.workers` says. Which course is made where
    and when changes nothing in it.
    """

    def __init__(self, generator: Generator, game: str) -> None:
        self.generator, self.game = generator, game
        # a daemonic process, such as a worker of a vector env, may have no children
        self.workers = 0 if multiprocessing.current_process().daemon else generator.workers
        self._wanted: dict[int, None] = {}  # numbers, the most urgent first
        self._ready: dict[int, Made] = {}
        self._started = False  # a process is there; before, this process makes what is needed
        self._broken = False  # a process has ended by itself
        self._lock = threading.RLock()
        self._making: dict[int, Future[Made]] = {}
        self._executor: Executor | None = None
        _supplies.add(self)

    def want(self, numbers: Iterable[int]) -> None:
        """Make these courses next, in this order, and forget what is made and not among them."""
        with self._lock:
            self._wanted = dict.fromkeys(numbers)
            self._ready = {number: made for number, made in self._ready.items() if number in self._wanted}
        self._go_on()

    def take(self, number: int) -> Made:
        """Course `number`: if it is being made this waits for it, and if nobody has started on it, it is made here.

        Raises:
            RoboRallyError: if it cannot be made, or if the processes that make courses have ended.
        """
        with self._lock:
            made = self._ready.pop(number, None)
            future = self._making.get(number)
            self._wanted.pop(number, None)
        self._go_on()
        if made is not None:
            return made
        if future is not None:
            try:
                return future.result()
            except BrokenProcessPool:
                self._broken = True
            except Exception:  # raised again below, where the course is made once more
                pass
        if self._broken:
            raise CourseError(
                "a process that makes courses ended early; try workers=0, or, if a script has registered the edition, "
                "put what makes the env under if __name__ == '__main__':"
            )
        return make(self.generator, self.game, number)

    def close(self) -> None:
        """End the thread or the processes. They start again when courses are needed."""
        with self._lock:
            executor, self._executor, self._started = self._executor, None, False
            self._wanted = {}
        if executor is not None:
            executor.shutdown(cancel_futures=True)

    def _start_anew(self) -> None:
        """Begin without a thread, in the child of a fork, which has none of its parent's threads."""
        self._lock, self._making, self._executor, self._started = threading.RLock(), {}, None, False

    def _go_on(self) -> None:
        """Give the executor work."""
        with self._lock:
            try:
                if self._wanted and self._executor is None:
                    self._start()
                if self._started:
                    self._hand_out()
            except BrokenProcessPool:
                self._broken = True
            except RuntimeError as error:
                if "cannot schedule new futures" not in str(error):  # that means that the program ends
                    raise  # as in a process that was started by a script without its guard

    def _start(self) -> None:
        """Start the thread or the processes. Until they run, after seconds, callers make the courses themselves."""
        self._executor = _executor(self.workers, self.generator, self.game)
        weakref.finalize(self, self._executor.shutdown, wait=False, cancel_futures=True)
        if not self.workers:
            self._started = True
            return
        with starting(), _main_script(self.generator.edition):
            for _ in range(self.workers):
                first = self._executor.submit(int)  # each starts a process
        first.add_done_callback(_Callback(self, "started", self._executor))

    def started(self, executor: Executor, future: Future[int]) -> None:
        """The processes of an executor are there, or have ended before."""
        with self._lock:
            if self._executor is not executor or future.cancelled():
                return  # it was closed
            self._broken = future.exception() is not None
            self._started = not self._broken
        self._go_on()

    def _hand_out(self) -> None:
        """Submit a few courses, no more, because the executor finishes what it has at the end of the program."""
        assert self._executor is not None
        for number in list(self._wanted):
            if len(self._making) > self.workers or len(self._ready) + len(self._making) >= AHEAD:
                return
            if number not in self._ready and number not in self._making:
                given = (_work, number) if self.workers else (make, self.generator, self.game, number)
                self._making[number] = self._executor.submit(*given)
                self._making[number].add_done_callback(_Callback(self, "arrived", number))

    def arrived(self, number: int, future: Future[Made]) -> None:
        """Keep a course that was made, if it is still wanted; one that failed is made again when it is taken."""
        with self._lock:
            if self._making.get(number) is not future:
                return  # of before a fork
            del self._making[number]
            if future.cancelled() or future.exception() is not None:
                self._wanted.pop(number, None)
                self._broken = not future.cancelled() and isinstance(future.exception(), BrokenProcessPool)
            elif number in self._wanted:
                self._ready[number] = future.result()
        self._go_on()


_supplies: weakref.WeakSet[Supply] = weakref.WeakSet()


class _Callback:
    """Passes a future's result to a method of a Supply, unless nobody uses the Supply any more."""

    def __init__(self, supply: Supply, method: str, what: object) -> None:
        self.supply, self.method, self.what = weakref.ref(supply), method, what

    def __call__(self, future: Future[Json]) -> None:
        supply = self.supply()
        if supply is not None:
            getattr(supply, self.method)(self.what, future)


def _executor(workers: int, generator: Generator, game: str) -> Executor:
    """A thread, or processes. These are new interpreters, because a fork would copy locks of running threads."""
    if not workers:
        return ThreadPoolExecutor(1, thread_name_prefix="roborally-courses")
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        workers, mp_context=context, initializer=Guard(), initargs=(_begin_process, generator, game)
    )


@contextmanager
def _main_script(edition: str) -> Iterator[None]:
    """While processes are started: leave the script that runs out of them, which otherwise import it.

    They need nothing of it, and one without `if __name__ == "__main__":` would begin its races in each of them. For an
    edition from outside they import it, because it may be the script that registers the edition.
    """
    main = sys.modules["__main__"]
    if not is_from_outside(edition):
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


_maker: dict[str, Callable[[int], Made]] = {}  # of a process that makes courses


def _begin_process(generator: Generator, game: str) -> None:
    load_named()
    _maker["make"] = lambda number: make(generator, game, number)


def _work(number: int) -> Made:
    return _maker["make"](number)


def _after_fork() -> None:
    for supply in _supplies:
        supply._start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
