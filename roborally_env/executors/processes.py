"""Work in processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.synchronize import Event

from roborally_env.base.children import Guard, starting
from roborally_env.base.types import JsonObject
from roborally_env.executors.work import RETRIES, Part, Result, Shared, Work, WorkerLost, plain, prepared

WORTH_WORKERS = 4.0  # seconds of work left from which on workers are started; their start takes about two


@dataclass(frozen=True)
class Processes:
    """An Executor of at most n processes."""

    workers: int
    shares_files = True

    def pays(self, parts: int, seconds: Callable[[], float]) -> bool:
        """See Executor."""
        return min(self.workers, parts) > 1 and seconds() > WORTH_WORKERS

    def run(self, work: Work, parts: Sequence[Part]) -> Generator[tuple[Part, Result], None, None]:
        """See Executor."""
        context = multiprocessing.get_context("spawn")
        stop, workers = context.Event(), min(self.workers, len(parts))
        with ProcessPoolExecutor(workers, context, Guard(), (_begin_worker, work, stop)) as pool:
            try:
                with starting():
                    futures = {pool.submit(_work, part): part for part in parts}
                for future in as_completed(futures):
                    yield plain(futures[future]), future.result()
            except BrokenProcessPool:
                raise WorkerLost(
                    "a worker process ended early; in a script, put the call under if __name__ == '__main__': "
                    "(or try workers=1)"
                ) from None
            finally:
                stop.set()  # seen after each step
                pool.shutdown(cancel_futures=True)

    def crew(self, work: Work) -> closing[ProcessCrew]:
        """See Executor."""
        return closing(ProcessCrew(work, self.workers))


class ProcessCrew:
    """A WorkerPool of processes. When one dies, all are replaced, as a pool ends with its first loss."""

    def __init__(self, work: Work, workers: int) -> None:
        self.work, self.workers = work, workers
        self.parts: dict[int, tuple[Part, ...]] = {}  # by ticket, until the result is taken
        self.futures: dict[int, Future[Result]] = {}
        self.tickets = self.losses = 0
        self._open()

    def share(self, value: object) -> Shared:
        """See WorkerPool. There is no object store: it goes with each part."""
        return value

    def submit(self, *part: Part) -> int:
        """See WorkerPool."""
        self.tickets += 1
        self.parts[self.tickets] = part
        self._begin(self.tickets)
        return self.tickets

    def result(self, ticket: int) -> Result:
        """See WorkerPool."""
        while True:
            try:
                found = self.futures[ticket].result()
            except BrokenProcessPool:
                self._replace()
            else:
                del self.futures[ticket], self.parts[ticket]
                self.losses = 0
                return found

    def close(self) -> None:
        """End the workers."""
        self.stop.set()
        self.pool.shutdown(cancel_futures=True)

    def _open(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.stop = context.Event()
        self.pool = ProcessPoolExecutor(self.workers, context, Guard(), (_begin_worker, self.work, self.stop))

    def _begin(self, ticket: int) -> None:
        try:
            with starting():
                self.futures[ticket] = self.pool.submit(_work, self.parts[ticket])
        except BrokenProcessPool as error:
            self.futures[ticket] = Future()
            self.futures[ticket].set_exception(error)  # seen when the result is wanted

    def _replace(self) -> None:
        """Begin all parts without a result again, with new workers."""
        self.losses += 1
        if self.losses > RETRIES:
            raise WorkerLost(f"worker processes ended early {self.losses} times, before any part was done")
        self.pool.shutdown()
        self._open()
        for ticket, future in self.futures.items():
            if not future.done() or future.exception() is not None:
                self._begin(ticket)


_worker: JsonObject = {}  # of a worker process: work, stop, made


def _begin_worker(work: Work, stop: Event) -> None:
    _worker.update(work=work, stop=stop)


def _work(part: Part) -> Result:
    if _worker["stop"].is_set():
        return None
    if "made" not in _worker:  # not when the worker begins, where an error would break the pool
        _worker["made"] = prepared(_worker["work"])
    return _worker["work"].do(_worker["made"], part, _worker["stop"].is_set)
