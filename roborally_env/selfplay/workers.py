"""Playing a job in parts, in this process or by workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from roborally_env.agents import Agent
from roborally_env.errors import RoboRallyError
from roborally_env.executors import Executor, WorkerLost
from roborally_env.selfplay.places import Folder, Place
from roborally_env.selfplay.writing import MANIFEST


class Part(Protocol):
    """A part of a job, which one worker plays as a whole."""

    @property
    def games(self) -> int:
        """Its races."""
        ...


class Job(Protocol):
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
        self, agents: Sequence[Agent], part: Any, place: Place, stopped: Callable[[], bool] = lambda: False
    ) -> bool:
        """Play a part and write its files; False, with nothing written, if `stopped` returned True before the end."""
        ...

    def files(self, part: Any) -> Sequence[str]:
        """The names of a part's files in the folder, in the order in which they are written: the last one makes the
        part valid."""
        ...


@dataclass(frozen=True)
class _Played:
    """A job as work for an executor. The results are the files of a part by name, or empty if they are written into
    `place` at once."""

    job: Job
    place: Place | None  # None: the workers do not see the files of the process that collects the parts

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

    def do(self, made: Sequence[Agent], part: Any, stopped: Callable[[], bool]) -> dict[str, bytes] | None:
        """See Work."""
        if self.place is not None:
            return {} if self.job.play(made, part, self.place, stopped) else None
        with TemporaryDirectory(prefix="roborally-") as name:
            place = Folder(Path(name))
            if not self.job.play(made, part, place, stopped):
                return None
            return {file: place.read(file) for file in self.job.files(part)}


def play_parts(
    job: Job, parts: Sequence[Part], place: Place, executor: Executor, progress: Callable[[int], None]
) -> None:
    """Play parts of a job and write their files; `progress` is called with the races of these parts played so far.

    After Ctrl-C the parts in progress are dropped, and KeyboardInterrupt is raised when all workers have stopped.
    """
    agents, done, races = job.make_agents(), 0, sum(part.games for part in parts)
    if not executor.pays(len(parts), lambda: job.rehearse(agents) * races):
        for part in parts:
            job.play(agents, part, place)
            done += part.games
            progress(done)
        return
    work = _Played(job, place if executor.shares_files else None)
    try:
        with closing(executor.run(work, parts)) as played:
            for part, files in played:
                for name, content in files.items():
                    place.put(name, content)
                done += part.games
                progress(done)
    except WorkerLost as error:
        raise RoboRallyError(f"{place}: {error}; the same call goes on from there") from None
