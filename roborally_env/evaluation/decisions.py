"""The decisions of races in progress: all that another process needs to go on with them.

A batch plays the same races from the same decisions. So long races are saved as their decisions, a few bytes each;
replaying these takes no time, and the agents decide only what comes after them.
"""

from __future__ import annotations

import io
import json
import pickle
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent
from roborally_env.agents.decisions import decide
from roborally_env.base.arrays import Header, read_npz
from roborally_env.base.documents import parse_json
from roborally_env.base.errors import RoboRallyError, cut
from roborally_env.base.types import Json
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS

SLICE = 5.0  # seconds of play after which decisions are kept: what a worker that is killed loses
_MOST = 256 << 20  # bytes of the decisions of a batch

StepDecisions = tuple[NDArray[np.int8], NDArray[np.int8]]  # programs [B * P, 5] and choices [B * P], or none of them


class Decisions:
    """The decisions of agents in one batch after the other, step by step; known ones are replayed.

    An agent that changes while it plays (a memory, a generator of its own) would go on differently in another process.
    Its decisions are not kept, and its races begin anew.

    Args:
        agents: who decides, before the first decision.
        known: what `dump` gave for the same races, or nothing. What cannot be read counts as nothing.

    Attributes:
        more: what else `dump` gave.
    """

    def __init__(self, agents: Sequence[Agent], known: bytes = b"") -> None:
        self._agents = agents
        self._before = _state(agents)
        self._steps, self.more = _unpacked(known)
        self._next = 0
        self._kept_at: float | None = None  # None: nothing new was decided yet

    def decide(
        self, batch: BatchRace, agents: Sequence[Agent], line_ups: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8] | None]:
        """As `agents.decisions.decide`."""
        shape = (batch.num_games, batch.players)
        if self._next < len(self._steps):
            programs, choices = self._steps[self._next]
            self._next += 1
            return programs.reshape(*shape, REGISTERS), choices.reshape(shape) if batch.asks_choices else None
        if self._kept_at is None:
            self._kept_at = time.monotonic()
        decided: tuple[NDArray[np.int8], NDArray[np.int8] | None] = decide(batch, agents, line_ups)
        flat = np.zeros(0, np.int8) if decided[1] is None else decided[1].reshape(-1)
        self._steps.append((decided[0].reshape(-1, REGISTERS), flat))
        self._next += 1
        return decided

    def stops(self, keep: Callable[[bytes], bool], more: Callable[[], Json] = lambda: None) -> bool:
        """Give what was decided so far to `keep`, if that was not done for a while; returns what it returns.

        `more` gives anything else that is to be kept, as JSON values.
        """
        if self._kept_at is None or self._before is None or time.monotonic() - self._kept_at < SLICE:
            return False
        if _state(self._agents) != self._before:
            self._before = None
            return False
        stop = keep(_packed(self._steps, more()))
        self._kept_at = time.monotonic()
        return stop


class GivenBack:
    """Decisions that are given back, with what was to be played, to who gave it out."""

    decisions: bytes = b""

    def keep(self, decisions: bytes) -> bool:
        """For `Decisions.stops`."""
        self.decisions = decisions
        return True


def _state(agents: Sequence[Agent]) -> bytes | None:
    """The state of agents; None if it cannot be pickled."""
    try:
        return pickle.dumps(list(agents))
    except Exception:  # whatever the parts of an agent raise
        return None


def _packed(steps: Sequence[StepDecisions], more: Json) -> bytes:
    """Decisions as the bytes of an npz file."""
    file = io.BytesIO()
    np.savez(
        file,
        rows=np.array([len(programs) for programs, _ in steps], np.int64),
        programs=np.concatenate([programs for programs, _ in steps]),
        choices=np.concatenate([choices for _, choices in steps]),
        more=np.frombuffer(json.dumps(more).encode(), np.uint8),
    )
    return file.getvalue()


def _unpacked(content: bytes) -> tuple[list[StepDecisions], Json]:
    """The decisions in such bytes, and what else was kept."""
    try:
        found = read_npz(content, _check_headers, _MOST)
        ends = np.cumsum(found["rows"])[:-1]
        programs = np.split(found["programs"], ends)
        some = len(found["choices"]) > 0
        choices = np.split(found["choices"], ends) if some else [found["choices"]] * len(programs)
        return list(zip(programs, choices, strict=True)), parse_json(found["more"].tobytes())
    except (ValueError, KeyError):  # a RoboRallyError is a ValueError
        return [], None


def _check_headers(headers: Mapping[str, Header]) -> None:
    """Raise a RoboRallyError for other arrays than `_packed` writes."""
    wanted = {"rows": (1, "i"), "programs": (2, "i"), "choices": (1, "i"), "more": (1, "u")}
    for name, (shape, dtype) in headers.items():
        if wanted.get(name) != (len(shape), dtype.kind):
            raise RoboRallyError(f"an array {cut(name)!r}, which decisions do not have")
