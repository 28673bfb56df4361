"""Playing a tournament in chunks of games, in this process or by workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from roborally_env.agents import Agent
from roborally_env.base.types import OptionValue
from roborally_env.evaluation.decisions import Decisions, GivenBack
from roborally_env.evaluation.races import Race, play_races
from roborally_env.evaluation.setup import Setup
from roborally_env.executors import Executor, PartialResult

CHUNK = 16  # games of one batch
ALONE = 2  # the number of first games that are batches of their own

Chunk = tuple[int, int, int]  # course, first game, games


def make_chunks(setup: Setup, size: int) -> list[Chunk]:
    """All games in chunks of `size`; the first two games are chunks of their own, to measure the time of a game."""
    chunks: list[Chunk] = []
    for course in range(len(setup.courses)):
        first = 0
        while first < setup.games:
            count = min(size if len(chunks) >= ALONE else 1, setup.games - first)
            chunks.append((course, first, count))
            first += count
    return chunks


def _play_chunk(setup: Setup, agents: Sequence[Agent], chunk: Chunk, **more: OptionValue) -> list[Race] | None:
    """The races of a chunk; `more`: arguments of `play_races`."""
    course, first, count = chunk
    batch = setup.batch(course, first, count, agents)
    return play_races(batch, agents, setup.line_ups(course, first, count), course, **more)


def seconds_of_a_race(setup: Setup, agents: Sequence[Agent]) -> float:
    """Play a race with each number of players, so that kernels are compiled; returns the seconds of the last one."""
    for count in dict.fromkeys(setup.counts):
        started = time.perf_counter()
        _play_chunk(setup, agents, (setup.counts.index(count), 0, 1))
    return time.perf_counter() - started


@dataclass(frozen=True)
class _Tournament:
    """A tournament as work for an executor; parts are chunks."""

    setup: Setup
    comes_back: bool  # whether a chunk that takes long comes back as PartialResult

    @property
    def registry(self) -> dict[str, str]:
        """See Work."""
        return self.setup.registry

    def begin(self) -> list[Agent]:
        """See Work."""
        return self.setup.make_agents()

    def do(
        self, made: Sequence[Agent], part: Chunk | PartialResult, stopped: Callable[[], bool]
    ) -> list[Race] | PartialResult | None:
        """See Work."""
        chunk, known = part if isinstance(part, PartialResult) else (part, b"")
        if not self.comes_back:
            return _play_chunk(self.setup, made, chunk, stopped=stopped)
        decisions, back = Decisions(made, known), GivenBack()

        def stops() -> bool:
            return stopped() or decisions.stops(back.keep)

        races = _play_chunk(self.setup, made, chunk, stopped=stops, asked=decisions.decide)
        return PartialResult(chunk, back.decisions) if back.decisions else races


def play_chunks(setup: Setup, chunks: Sequence[Chunk], executor: Executor) -> Generator[list[Race], None, None]:
    """The races of each chunk, in any order.

    This process plays the first ones, so that kernels are compiled once and an agent's error is reported here. Workers
    play the rest if that pays.
    """
    agents = setup.make_agents()
    for done, chunk in enumerate(chunks, 1):
        started = time.perf_counter()
        yield _play_chunk(setup, agents, chunk) or []
        one = (time.perf_counter() - started) / chunk[2]
        rest = chunks[done:]
        if done >= ALONE and executor.pays(len(rest), lambda: one * sum(chunk[2] for chunk in rest)):  # noqa: B023
            with closing(executor.run(_Tournament(setup, not executor.shares_files), rest)) as played:
                yield from (races or [] for _, races in played if not isinstance(races, PartialResult))
            return
