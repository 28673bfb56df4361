"""Recording a race while it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import ReplayError
from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of
from roborally_env.core.state import portable
from roborally_env.replay.model import Replay, Round, state_hash


class Recorder:
    """Plays one game of a batch to its end and records all that is needed to play it again.

    A race whose course was chosen (`BatchRace.reset(courses=..)`) is recorded as one on that course alone, which is the
    same race.

    Args:
        batch: a batch without auto-reset, at its start.
        seed: the seed with which the batch was made.
        agents: one name for each seat.
        index: the index of the game in the batch.
    """

    def __init__(self, batch: BatchRace, seed: int, agents: Sequence[str] = (), index: int = 0) -> None:
        if _game_seed(seed, batch.first_game + index) != int(batch.games[index]["seed"]):
            raise ReplayError(f"replay: expected the seed that the batch was made with, got {seed!r}")
        if batch.auto_reset:
            raise ReplayError("replay: expected a batch with auto_reset=False, so that the last state can be seen")
        if agents and len(agents) != batch.players:
            raise ReplayError(f"replay: expected {batch.players} names of agents, got {len(agents)}")
        self.batch, self.index, self.seed = batch, index, int(seed)
        # on generated courses the one of this race is all that it needs
        only = (batch.courses[int(batch.games[index]["course"])],)
        self._courses = tuple(batch.courses) if batch.generator is None else only
        self._shift: int | None = None  # of `tables_at` from a batch of this course alone; None: nobody has chosen it
        self.agents = tuple(agents) or tuple(f"robot_{seat}" for seat in range(batch.players))
        self._start = self._digest()
        self._rounds: list[Round] = []
        self._programs: tuple[tuple[int, ...], ...] = ()
        self._opened: tuple[int, ...] = ()
        self._choices: list[tuple[int, int]] = []
        self._announced: tuple[int, ...] = ()
        self._opening: tuple[tuple[int, int], ...] | None = None  # None: no programs were submitted yet
        if self._begins():
            return
        if self._courses != only:  # a chosen course is not drawn
            self._courses, at = only, int(batch.games[index]["course"])
            self._shift = _first_tables(batch, at) - _first_tables(self.replay().batch(), 0)
            self._start = self._digest()
        if self._shift is None or not self._begins():
            raise ReplayError("replay: expected a game at its start")

    def _begins(self) -> bool:
        """Whether the replay begins as the game is now."""
        fresh = self.replay().batch().games[0]
        return portable(fresh).tobytes() == portable(self._game()).tobytes()

    def _game(self) -> np.void:
        """The record of the game, as it is in a batch of the replay's courses."""
        game: np.void = self.batch.games[self.index]
        if self._shift is None:
            return game
        alone = game.copy()
        alone["course"] = 0
        if self.batch.kind.has("tables_at"):
            alone["tables_at"] -= self._shift
        return alone

    def _digest(self) -> str:
        return state_hash(self._game())

    def step(
        self, programs: ArrayLike, choices: ArrayLike | None = None, open_registers: ArrayLike | None = None
    ) -> None:
        """`BatchRace.step`, recorded."""
        batch, i = self.batch, self.index
        if batch.over[i]:
            batch.step(programs, choices, open_registers)
            return
        programming, asked = bool(batch.programming[i]), int(batch.games[i]["ask_seat"])
        default = int(batch.games[i]["ask_default"])
        may_announce = batch.may_announce[i]
        batch.step(programs, choices, open_registers)
        if programming:
            if self._opening is None:
                self._opening, self._choices = tuple(self._choices), []
            self._programs = tuple(tuple(row) for row in batch.submitted_programs[i].tolist())
            powers_down = may_announce & (choices is not None and np.asarray(choices)[i] == 1)
            self._announced = tuple(np.flatnonzero(powers_down).tolist())
            self._opened = () if open_registers is None else tuple(np.asarray(open_registers)[i].tolist())
        else:
            chosen = 0 if choices is None else int(np.asarray(choices)[i, asked])
            legal = chosen > 0 and not batch.corrected[i, asked]
            self._choices.append((asked, chosen - 1 if legal else default))
        if batch.over[i] or (batch.programming[i] and self._opening is not None):
            self._end_round()

    def _end_round(self) -> None:
        digest = self._digest()
        self._rounds.append(Round(self._programs, tuple(self._choices), self._opened, digest, self._announced))
        self._choices = []

    def partial_round(self) -> Round | None:
        """The decisions so far of the round that is being played, with the hash of the present state; None between two
        rounds. Before the first programs it has choices only."""
        batch, opening = self.batch, self._opening is None
        if batch.over[self.index] or (batch.programming[self.index] and not (opening and self._choices)):
            return None
        digest = self._digest()
        if opening:
            return Round((), tuple(self._choices), (), digest)
        return Round(self._programs, tuple(self._choices), self._opened, digest, self._announced)

    def replay(self) -> Replay:
        """The rounds played so far as a replay."""
        batch = self.batch
        return Replay(
            edition=batch.edition,
            courses=self._courses,
            players=batch.players // batch.robots_each,
            decisions=batch.decisions,
            max_rounds=batch.max_rounds or None,
            rules=dict(batch.rules),
            seed=self.seed,
            game=batch.first_game + self.index,
            episode=int(batch.games[self.index]["episode"]),
            agents=self.agents,
            start=self._start,
            rounds=tuple(self._rounds),
            opening=self._opening or (),
        )


def record(
    batch: BatchRace,
    seed: int,
    decide: Callable[[BatchRace], tuple[ArrayLike, ArrayLike | None]],
    agents: Sequence[str] = (),
) -> Replay:
    """Play the only game of a batch made with `seed` to its end, with decisions `decide(batch) -> (programs, choices)`.

    Returns its replay.
    """
    if batch.num_games != 1:
        raise ReplayError(f"replay: expected a batch of one game, got {batch.num_games}")
    recorder = Recorder(batch, seed, agents)
    while not batch.over.all():
        recorder.step(*decide(batch))
    return recorder.replay()


def _first_tables(batch: BatchRace, course: int) -> int:
    """Where the tables of a course with turned boards begin."""
    return int(batch.maps.courses["first_tables"][course])


def _game_seed(seed: int, game: int) -> int:
    """The seed in the record of a batch's game, by the batch's seed."""
    return int(key_of(np.uint64(check_whole(seed, "seed", 0, 2**64 - 1)), np.uint64(game)))
