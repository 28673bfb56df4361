"""Playing one shard and writing its two files."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent
from roborally_env.agents.decisions import decide
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.state import REGISTERS
from roborally_env.evaluation.decisions import Decisions
from roborally_env.jobs.parts import Progress
from roborally_env.jobs.storage import Storage
from roborally_env.selfplay import schema
from roborally_env.selfplay.answers import Answers
from roborally_env.selfplay.plan import BATCH, Plan, Shard
from roborally_env.selfplay.recorder import Notes, play_noted
from roborally_env.selfplay.tables import arrow_schema, arrow_table
from roborally_env.selfplay.writer import TableFile

if TYPE_CHECKING:
    from pyarrow import Schema


ROW_GROUP_BYTES = 1 << 26  # of rows in memory, before they become a row group


@dataclass(frozen=True)
class ShardJob:
    """The shards of a plan, as a job for workers (`jobs.parts.Job`)."""

    plan: Plan

    @property
    def registry(self) -> dict[str, str]:
        """See Job."""
        return self.plan.setup.registry

    def make_agents(self) -> list[Agent]:
        """See Job."""
        return self.plan.setup.make_agents()

    def rehearse(self, agents: Sequence[Agent]) -> float:
        """Play a race with each number of players; returns the seconds of the last one."""
        counts = self.plan.setup.counts
        for count in dict.fromkeys(counts):
            course = counts.index(count)
            batch, line_up = self.plan.batch(course, 0, 1, agents), self.plan.setup.line_ups(course, 0, 1)
            started = time.perf_counter()
            while not batch.over.all():
                batch.step(*decide(batch, agents, np.asarray(line_up)))
        return time.perf_counter() - started

    def play(
        self, agents: Sequence[Agent], part: Shard, place: Storage, stopped: Callable[[], bool], progress: Progress
    ) -> bool:
        """See Job. The file of episodes is written last and makes the shard valid."""
        return _make_shard(self.plan, agents, part, place, stopped, progress)

    def files(self, part: Shard) -> tuple[str, str]:
        """See Job."""
        return part.files


def _make_shard(
    plan: Plan,
    agents: Sequence[Agent],
    shard: Shard,
    place: Storage,
    stopped: Callable[[], bool],
    progress: Progress,
) -> bool:
    """See ShardJob.play."""
    tables, decisions = _Tables(plan, shard, place), Decisions(agents, progress.known)

    def stops() -> bool:
        return stopped() or decisions.stops(progress.keep)

    try:
        for first in range(shard.first, shard.first + shard.games, BATCH):
            count = min(BATCH, shard.first + shard.games - first)
            batch = plan.batch(shard.course, first, count, agents)
            notes = tables.notes(batch, first)
            if not play_noted(batch, agents, notes, stops, decisions.decide):
                return False
            tables.add(notes)
        tables.keep()
        return True
    finally:
        tables.drop()


class _Tables:
    """The rows of a shard, and the files for them."""

    def __init__(self, plan: Plan, shard: Shard, place: Storage) -> None:
        self._plan, self._shard, self._place = plan, shard, place
        self._columns = schema.steps_columns(plan.observations)
        self._answers = Answers()
        self._courses: dict[str, int] = {}  # the name of each course of the shard -> its number, as they come
        self._waiting: list[Array] = []  # rows that are not in the file yet
        self._seen: list[Array] = []  # and their observations
        self._episodes: list[Array] = []
        self._files: list[TableFile] = []
        self._schema: Schema | None = None

    def notes(self, batch: BatchRace, first: int) -> Notes:
        """The recorder for a batch of the shard that begins with game `first`."""
        course, setup = self._shard.course, self._plan.setup
        if self._schema is None:
            lengths = {
                schema.HAND: batch.games["hand"].shape[-1],
                schema.REGISTERS: REGISTERS,
                schema.SYMBOLIC: batch.symbolic_size,
            }
            self._schema = arrow_schema(self._columns, lengths)
        return Notes(
            batch,
            setup.line_ups(course, first, batch.num_games),
            self._answers,
            courses=self._numbers(batch),
            episode=course * setup.games + first,
            observations=self._plan.observations,
        )

    def _numbers(self, batch: BatchRace) -> NDArray[np.int64]:
        """[B] the number of the course of each race."""
        names = [batch.courses[k].slug for k in batch.games["course"].tolist()]
        return np.array([self._courses.setdefault(name, len(self._courses)) for name in names], np.int64)

    def add(self, notes: Notes) -> None:
        """Add the rows of a batch whose races are over."""
        self._waiting.append(notes.rows())
        if self._plan.observations:
            self._seen.append(notes.seen())
        self._episodes.append(notes.episodes())
        if sum(rows.nbytes for rows in (*self._waiting, *self._seen)) >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        """Write the waiting rows as a row group."""
        rows = np.concatenate(self._waiting)
        values = {column.name: rows[column.name] for column in schema.STEPS}
        if self._plan.observations:
            values["observation"] = np.concatenate(self._seen)
        self._waiting, self._seen = [], []
        if not self._files:
            self._files.append(TableFile(self._place, self._shard.files[0], self._schema))
        self._files[0].write(arrow_table(values, self._columns, self._texts(), self._schema))

    def keep(self) -> None:
        """Give the files their final names, after all races are added."""
        if self._waiting:
            self._flush()
        wanted = arrow_schema(schema.EPISODES, {})
        rows = np.concatenate(self._episodes)
        values = {column.name: rows[column.name] for column in schema.EPISODES}
        self._files.append(TableFile(self._place, self._shard.files[1], wanted))
        self._files[1].write(arrow_table(values, schema.EPISODES, self._texts(), wanted))
        for file in self._files:
            file.keep()

    def drop(self) -> None:
        """Remove unfinished files."""
        for file in self._files:
            file.drop()

    def _texts(self) -> dict[str, Sequence[str]]:
        names = self._plan.setup.names
        return {"course": list(self._courses), "agent": names, "decision": DECISIONS, "answer": self._answers.texts}
