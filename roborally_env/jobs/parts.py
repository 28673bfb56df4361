"""Playing a job in parts, in this process or by workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar

from roborally_env.agents import Agent
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json
from roborally_env.evaluation.decisions import GivenBack
from roborally_env.executors import Executor, PartialResult, WorkerLost
from roborally_env.jobs.manifest import MANIFEST
from roborally_env.jobs.storage import UNFINISHED, Folder, Storage


class Part(Protocol):
    """A part of a job, which one worker plays as a whole."""

    @property
    def games(self) -> int:
        """Its races."""
        ...


@dataclass(frozen=True)
class Progress:
    """Of one part: what was decided in it before, and what becomes of what is decided now (`evaluation.decisions`)."""

    known: bytes = b""
    keep: Callable[[bytes], bool] = lambda _: False  # returns whether to stop


P = TypeVar("P", bound=Part, contravariant=True)


class Job(Protocol[P]):
    """Races in parts, each of which is written as files into a folder. Every worker gets a copy."""

    @property
    def registry(self) -> dict[str, str]:
        """Names given by `register_agent`."""
        ...

    def make_agents(self) -> Sequence[Agent]:
        """The agents of one process."""
        ...

    def rehearse(self, agents: Sequence[Agent]) -> float:
        """Play a little, so that kernels are compiled once and an agent's error is reported in this process. Returns
        the seconds of a race."""
        ...

    def play(
        self, agents: Sequence[Agent], part: P, place: Storage, stopped: Callable[[], bool], progress: Progress
    ) -> bool:
        """Play a part and write its files; False, with nothing written, if `stopped` or `progress.keep` returned True
        before the end."""
        ...

    def files(self, part: P) -> Sequence[str]:
        """The names of a part's files in the folder, in the order in which they are written: the last one makes the
        part valid."""
        ...


@dataclass(frozen=True)
class _Played:
    """A job as work for an executor. The results are the files of a part by name, or empty if they are written into
    `place` at once."""

    job: Job[Json]
    place: Storage | None  # None: the workers do not see the files of the process that collects the parts

    @property
    def registry(self) -> dict[str, str]:
        """See Work."""
        return self.job.registry

    def begin(self) -> Sequence[Agent]:
        """See Work.

        Raises:
            RoboRallyError: in a worker with a file system of its own, such as one in memory.
        """
        if self.place is not None and MANIFEST not in self.place.names():
            raise RoboRallyError(
                f"{self.place}: a worker finds nothing there; give workers=1 or a file system that all processes share"
            )
        return self.job.make_agents()

    def do(
        self, made: Sequence[Agent], part: Json, stopped: Callable[[], bool]
    ) -> dict[str, bytes] | PartialResult | None:
        """See Work."""
        part, known = part if isinstance(part, PartialResult) else (part, b"")
        if self.place is not None:
            return {} if self._do_there(made, part, known, self.place, stopped) else None
        back = GivenBack()
        with TemporaryDirectory(prefix="roborally-") as name:
            place = Folder(Path(name))
            if not self.job.play(made, part, place, stopped, Progress(known, back.keep)):
                return PartialResult(part, back.decisions) if back.decisions else None
            return {file: place.read(file) for file in self.job.files(part)}

    def _do_there(
        self, made: Sequence[Agent], part: Json, known: bytes, place: Storage, stopped: Callable[[], bool]
    ) -> bool:
        """Play a part into `place`, where its decisions are too until it is whole."""
        name, there = partial_name(self.job, part), bool(known)

        def keep(decisions: bytes) -> bool:
            nonlocal there
            place.put(name, decisions)
            there = True
            return False

        whole = self.job.play(made, part, place, stopped, Progress(known, keep))
        if whole and there:
            place.remove(name)
        return whole


def partial_name(job: Job[P], part: P) -> str:
    """The file of the decisions of a part that is not whole yet."""
    return f"{UNFINISHED}/{PurePosixPath(job.files(part)[-1]).stem}.npz"


def play_parts(
    job: Job[P], parts: Sequence[P], place: Storage, executor: Executor, progress: Callable[[int], None]
) -> None:
    """Play parts of a job and write their files; `progress` is called with the races of these parts played so far.

    Parts go on from their decisions in the folder. After Ctrl-C these are what stays of the parts in progress, and
    KeyboardInterrupt is raised when all workers have stopped.
    """
    agents, done, races = job.make_agents(), 0, sum(part.games for part in parts)
    partial = _partial(job, parts, place)
    names = [(part, partial_name(job, part)) for part in parts]
    missing = [PartialResult(part, partial[name]) if name in partial else part for part, name in names]
    if not executor.pays(len(parts), lambda: job.rehearse(agents) * races):
        alone = _Played(job, place)
        for part, each in zip(parts, missing, strict=True):
            alone.do(agents, each, lambda: False)
            done += part.games
            progress(done)
        return
    work = _Played(job, place if executor.shares_files else None)
    try:
        with closing(executor.run(work, missing)) as played:
            for part, files in played:
                if isinstance(files, PartialResult):
                    partial[partial_name(job, part)] = files.known
                    place.put(partial_name(job, part), files.known)
                    continue
                for name, content in files.items():
                    place.put(name, content)
                if files and partial_name(job, part) in partial:
                    place.remove(partial_name(job, part))
                done += part.games
                progress(done)
    except WorkerLost as error:
        raise RoboRallyError(f"{place}: {error}; the same call resumes it") from None


def _partial(job: Job[P], parts: Sequence[P], place: Storage) -> dict[str, bytes]:
    """The decisions of unfinished parts, by the names of their files; those of whole parts are removed."""
    missing = {partial_name(job, part) for part in parts}
    there = {f"{UNFINISHED}/{name}" for name in place.names(UNFINISHED)}
    for name in there - missing:
        place.remove(name)
    return {name: place.read(name) for name in there & missing}
