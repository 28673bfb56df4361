"""The data model of a replay."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from roborally_env.base.types import Fields
from roborally_env.batch import BatchRace
from roborally_env.core.state import portable
from roborally_env.courses import Course


@dataclass(frozen=True)
class Round:
    """The players' decisions in a round, and the hash of the state after it."""

    programs: tuple[tuple[int, ...], ...]  # [P][5] hand slots, P being robots
    choices: tuple[tuple[int, int], ...]  # (seat, option) in the order asked
    opened: tuple[int, ...]  # [P] registers that the timer caught, as bits; empty without the timer
    hash: str
    announced: tuple[int, ...] = ()  # seats that announced a power down (2005, community)


@dataclass(frozen=True)
class Replay:
    """A recorded race."""

    edition: str
    courses: tuple[Course, ...]  # more than one if the race's seed draws the course
    players: int  # in Interference each has two robots
    decisions: str
    max_rounds: int | None
    rules: Fields
    seed: int
    game: int
    episode: int
    agents: tuple[str, ...]
    start: str
    rounds: tuple[Round, ...]
    opening: tuple[tuple[int, int], ...] = ()  # (seat, option) of the purchases before the first programs

    @property
    def robots(self) -> int:
        """The number of robots, P."""
        return self.players * self.courses[0].robots_each

    def batch(
        self, *, games: int = 1, observation: str = "none", events: bool = False, frames: bool = False
    ) -> BatchRace:
        """A batch of this game, or of n games from it on, at their start; other arguments as `BatchRace`."""
        batch = BatchRace(
            games,
            list(self.courses),
            edition=self.edition,
            players=self.players,
            decisions=self.decisions,
            observation=observation,
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            first_game=self.game,
            auto_reset=False,
            events=events,
            frames=frames,
        )
        if self.episode:
            batch.games["episode"] = self.episode - 1
            batch.reset()
        return batch


def state_hash(game: np.void) -> str:
    """The first eight bytes of the SHA-256 of a game's record, in hex; a log of events does not count."""
    return hashlib.sha256(portable(game).tobytes()).hexdigest()[:16]
