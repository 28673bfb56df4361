"""What is shared out, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeAlias

from roborally_env.agents import base
from roborally_env.base.errors import RoboRallyError
from roborally_env.editions import load_named

# all picklable; their types are those of the work
Part: TypeAlias = Any  # that one worker does as a whole
Made: TypeAlias = Any  # what a worker makes once
Result: TypeAlias = Any  # of a part
Shared: TypeAlias = Any  # what stands for a value that a machine gets once
Ticket: TypeAlias = Any  # for the result of a part
RETRIES = 5  # times that a part is done again after its worker or node died


class WorkerLost(RoboRallyError):
    """A worker ended before its part was done, and nobody else can do it."""


class PartialResult(NamedTuple):
    """A part that is not finished, with its state. The next worker continues from there."""

    part: Part
    known: bytes


def plain(part: Part | PartialResult) -> Part:
    """The part itself, also of one that continues."""
    return part.part if isinstance(part, PartialResult) else part


class Work(Protocol):
    """Something to do in parts. It must be picklable: every worker gets a copy."""

    @property
    def registry(self) -> dict[str, str]:
        """Names given by `register_agent`."""
        ...

    def begin(self) -> Made:
        """What a worker makes once and uses for all its parts, such as agents."""
        ...

    def do(self, made: Made, part: Part, stopped: Callable[[], bool]) -> Result:
        """The result of a part (picklable); None if `stopped` returned True before the end. It must depend on nothing
        but the part, because a part may be done twice.

        Where the workers do not see the files of this process, it may be a PartialResult: a part that takes long is
        returned from time to time, so that little is lost with its worker.
        """
        ...


class WorkerPool(Protocol):
    """Workers that stay, for parts that follow from the results of earlier ones."""

    def share(self, value: object) -> Shared:
        """What stands for a value in `submit`. Where there is an object store, a machine gets the value once."""
        ...

    def submit(self, *part: Part) -> Ticket:
        """Begin a part, which is the tuple of these; what `share` gave arrives as the value. Returns its ticket."""
        ...

    def result(self, ticket: Ticket) -> Result:
        """Wait for the result of a part. If its worker dies, the part is done again.

        Raises:
            RoboRallyError: the one raised by the worker.
            WorkerLost: if its worker died each time.
        """
        ...


class Executor(Protocol):
    """Workers that share out the parts of a work."""

    shares_files: bool  # whether the workers see the files of this process

    def pays(self, parts: int, seconds: Callable[[], float]) -> bool:
        """Whether starting is worth it for this number of parts. `seconds` estimates how long this process alone
        would take, and is called only if that matters."""
        ...

    def run(self, work: Work, parts: Sequence[Part]) -> Generator[tuple[Part, Result], None, None]:
        """Yield each part with its result, in the order in which they are finished. A PartialResult is yielded too, and
        its part is given out again.

        Closing the generator ends the workers; parts in progress are dropped.

        Raises:
            RoboRallyError: the first one raised by a worker.
            WorkerLost: if a worker ended early.
        """
        ...

    def crew(self, work: Work) -> AbstractContextManager[WorkerPool]:
        """Workers for parts that are not known beforehand. At the end parts in progress are dropped."""
        ...


def prepared(work: Work) -> Made:
    """What a new worker needs for its parts, after editions and agents from outside are known to it."""
    load_named()
    base.REGISTRY.update(work.registry)
    return work.begin()
