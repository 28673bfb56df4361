"""The decisions of all agents of a batch: each agent is called once, for all its seats in all games."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Agent, Info

from roborally_env.base.errors import AgentError, RoboRallyError, one_line
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace


def decide(
    batch: BatchRace, agents: Sequence[Agent], line_ups: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.int8] | None]:
    """Programs [B, P, 5] and, if choices are open, choices [B, P] of all agents for the batch's present state.

    `line_ups` [B, P] is the number of the agent in each seat. Seats with nothing to decide hold zeros.
    """
    programs = np.zeros((batch.num_games, batch.players, 5), np.int8)
    programming = batch.programming
    for number, agent in enumerate(agents):
        games, seats = np.nonzero((line_ups == number) & programming[:, None])
        if len(games):
            programs[games, seats] = _act(agent, batch, games, seats)
    if not batch.asks_choices:
        return programs, None
    choices = np.zeros((batch.num_games, batch.players), np.int8)
    if batch.announces:
        _announce_power_downs(batch, agents, line_ups, choices)
    asked = np.flatnonzero(~programming & ~batch.over)
    asked_seats = batch.games["ask_seat"][asked].astype(np.int64)
    for number, agent in enumerate(agents):
        mine = line_ups[asked, asked_seats] == number
        if mine.any() and hasattr(agent, "choose"):
            choices[asked[mine], asked_seats[mine]] = _choose(agent, batch, asked[mine], asked_seats[mine])
        elif mine.any():
            choices[asked[mine], asked_seats[mine]] = 1 + batch.games["ask_default"][asked[mine]]
    return programs, choices


def _announce_power_downs(
    batch: BatchRace, agents: Sequence[Agent], line_ups: NDArray[np.int64], choices: NDArray[np.int8]
) -> None:
    """Set `choices` [B, P] to 1 where an agent announces a power down with its program. An agent without `announce`
    never does."""
    allowed = batch.programming[:, None] & (batch.observations["choice_masks"][:, :, 1] == 1)
    for number, agent in enumerate(agents):
        games, seats = np.nonzero((line_ups == number) & allowed)
        if len(games) and hasattr(agent, "announce"):
            given = called(agent, "announce", _seen(agent, batch, games, seats), Info(batch, games, seats))
            choices[games, seats] = checked(agent, "announce", given, (len(games),), 1)


def _seen(agent: Agent, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Array | None:
    return batch.vectors[games, seats] if agent.needs_observation else None


def _act(agent: Agent, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Array:
    seen = _seen(agent, batch, games, seats)
    programs = called(agent, "act", seen, batch.observations["masks"][games, seats], Info(batch, games, seats))
    return checked(agent, "act", programs, (len(games), 5), batch.hand_slots - 1)


def _choose(agent: Agent, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Array:
    masks = batch.observations["choice_masks"][games, seats]
    choices = called(agent, "choose", _seen(agent, batch, games, seats), masks, Info(batch, games, seats))
    return checked(agent, "choose", choices, (len(games),), masks.shape[1] - 1)


def called(agent: Agent, method: str, *arguments: object) -> object:
    """The result of an agent's method. An error in the method is reported with the agent's name and the place."""
    try:
        return getattr(agent, method)(*arguments)
    except RoboRallyError as error:
        if str(error).startswith(("agent ", agent.name)):
            raise
        raise AgentError(f"agent {agent.name!r}: {error}") from error
    except (Exception, SystemExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        raise AgentError(f"agent {agent.name!r}: {method} raised {one_line(error)} ({where})") from error


def checked(agent: Agent, method: str, value: object, shape: tuple[int, ...], most: int) -> Array:
    """The value that an agent returned; raises unless it is whole numbers 0..most of the wanted shape."""
    try:
        array = np.asarray(value)
    except Exception:  # such as lists of different lengths
        raise AgentError(
            f"agent {agent.name!r}: {method} returned a {type(value).__name__}; expected an array {shape} of int8"
        ) from None
    if array.shape != shape or array.dtype.kind not in "iu":
        raise AgentError(
            f"agent {agent.name!r}: {method} gave shape {array.shape} of {array.dtype}; expected {shape} of int8"
        )
    if array.size and (array.min() < 0 or array.max() > most):
        given = f"{array.min()} to {array.max()}"
        raise AgentError(f"agent {agent.name!r}: {method} gave {given}; expected 0 to {most}")
    return array
