"""Playing a replay again step by step, as far as it can be told, with what is not as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.errors import RoboRallyError
from roborally_env.replay.model import Replay, Round, state_hash
from roborally_env.replay.playing import announcements, answer_in_turn


@dataclass
class Telling:
    """A replay that is played again on a batch of its own, which may have a log of events.

    Attributes:
        replay: what is played.
        batch: its game, at its start.
        compares: whether states are compared with the recorded hashes; not where these belong to other versions.
        differs: the first round after which the state was not the recorded one (0: at the start already), or in which
            an answer did not fit; None so far.
        stopped: why the playing ended before the replay did; "" where it did not.
    """

    replay: Replay
    batch: BatchRace
    compares: bool = True
    differs: int | None = None
    stopped: str = field(default="", init=False)

    def steps(self) -> Iterator[int]:
        """Play on, step by step: the number of the round after each.

        Where the state differs from the recorded one the playing goes on, as long as what was recorded is asked for.
        """
        number = 0
        self._compare(number, self.replay.start)
        try:
            for _ in answer_in_turn(self.batch, self.replay.opening, "before round 1"):
                yield number
            for number, told in enumerate(self.replay.rounds, 1):
                if self.batch.over[0]:
                    raise RoboRallyError(f"round {number}: the race was over after round {number - 1}")
                self._lay(told, f"round {number}")
                yield number
                for _ in answer_in_turn(self.batch, told.choices, f"round {number}"):
                    yield number
                self._compare(number, told.hash)
        except RoboRallyError as error:
            self.stopped = str(error).removeprefix("replay: ")
            self._differ(number)

    def _lay(self, told: Round, where: str) -> None:
        """Lay the programs of a round, and announce what was announced."""
        opened = np.array([told.opened], np.uint8) if told.opened else None
        self.batch.step(np.array([told.programs], np.int8), announcements(self.batch, told, where), opened)

    def _compare(self, number: int, expected: str) -> None:
        if self.compares and state_hash(self.batch.games[0]) != expected:
            self._differ(number)

    def _differ(self, number: int) -> None:
        if self.differs is None:
            self.differs = number
