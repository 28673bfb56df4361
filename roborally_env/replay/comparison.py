"""Playing a replay again step by step, as far as possible, with its differences from the recording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from roborally_env.base.errors import ReplayError, RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.replay.model import Replay, state_hash
from roborally_env.replay.playback import answer_in_turn, submit


@dataclass
class Comparison:
    """A replay, played again on a batch of its own, which may have a log of events.

    Attributes:
        replay: the replay.
        batch: a batch of its game, at the start.
        compares: whether states are compared with the recorded hashes; False if these belong to other versions.
        differs: the first round after which the state differed from the recording (0: at the start), or in which an
            answer did not fit; None if there was none so far.
        stopped: why playing ended before the replay did, or "".
    """

    replay: Replay
    batch: BatchRace
    compares: bool = True
    differs: int | None = None
    stopped: str = field(default="", init=False)

    def steps(self) -> Iterator[int]:
        """Play on, step by step: the number of the round after each.

        After a difference playing goes on, as long as the recorded answers fit.
        """
        number = 0
        self._compare(number, self.replay.start)
        try:
            for _ in answer_in_turn(self.batch, self.replay.opening, "before round 1"):
                yield number
            for number, recorded in enumerate(self.replay.rounds, 1):
                if self.batch.over[0]:
                    raise ReplayError(f"round {number}: the race was over after round {number - 1}")
                submit(self.batch, recorded, f"round {number}")
                yield number
                for _ in answer_in_turn(self.batch, recorded.choices, f"round {number}"):
                    yield number
                self._compare(number, recorded.hash)
        except RoboRallyError as error:
            self.stopped = str(error).removeprefix("replay: ")
            self._differ(number)

    def check(self) -> None:
        """Raise an error unless the replay went to its end as it was recorded; for after `steps`.

        Raises:
            ReplayError: with the round, and what differed there.
        """
        if self.stopped or self.differs is not None:
            why = self.stopped or f"round {self.differs}: the state is not the recorded one"
            raise ReplayError(f"replay: {why}")

    def _compare(self, number: int, expected: str) -> None:
        if self.compares and state_hash(self.batch.games[0]) != expected:
            self._differ(number)

    def _differ(self, number: int) -> None:
        if self.differs is None:
            self.differs = number
