"""Playing batches of races with agents in the seats; all decisions of one agent in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent, Info
from roborally_env.batch import BatchRace
from roborally_env.core.kernel import kernel
from roborally_env.core.maps import remaining
from roborally_env.errors import RoboRallyError


class Race(NamedTuple):
    """How one race went. Tuples have one entry a seat."""

    course: int  # place in the tournament's list
    game: int  # number of the game
    line_up: tuple[int, ...]  # number of the agent in each seat
    rounds: int
    winner: int  # seat, -1 where max_rounds cut the race
    place: tuple[float, ...]  # 1 is first; those level share the mean of their places
    reached: tuple[int, ...]  # checkpoints
    reboots: tuple[int, ...]
    damage: tuple[int, ...]  # damage cards taken
    to_go: tuple[float, ...]  # belt-aware distance left, in registers
    repairs: tuple[int, ...]  # illegal registers that were replaced: an agent's fault
    bought: tuple[int, ...] = ()  # upgrades bought, as bits; all 0 in the lighter game
    had: tuple[int, ...] = ()  # upgrades owned at some time


def play_races(
    batch: BatchRace,
    agents: Sequence[Agent],
    line_ups: NDArray[np.int64],
    course: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Race] | None:
    """Play every game of a batch (without auto-reset) to its end; None where `stopped` said so on the way."""
    repairs = np.zeros((batch.num_games, batch.players), np.int64)
    while not batch.over.all():
        if stopped():
            return None
        batch.step(*decide(batch, agents, line_ups))
        repairs += batch.repairs
    to_go = np.zeros((batch.num_games, batch.players), np.int64)
    _distances(batch.maps, batch.games, to_go)
    return [_race(batch, i, course, line_ups[i], to_go[i], repairs[i]) for i in range(batch.num_games)]


def _race(batch: BatchRace, i: int, course: int, line_up: Any, to_go: Any, repairs: Any) -> Race:
    result = batch.results[i]
    return Race(
        course=course,
        game=batch.first_game + i,
        line_up=tuple(line_up.tolist()),
        rounds=int(result["rounds"]),
        winner=int(result["winner"]),
        place=tuple(result["place"].tolist()),
        reached=tuple(result["reached"].tolist()),
        reboots=tuple(result["reboots"].tolist()),
        damage=tuple(result["taken"].sum(axis=1).tolist()),
        to_go=tuple((to_go / 4.0).tolist()),
        repairs=tuple(repairs.tolist()),
        bought=tuple(result["bought"].tolist()),
        had=tuple(result["had"].tolist()),
    )


def decide(
    batch: BatchRace, agents: Sequence[Agent], line_ups: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.int8] | None]:
    """Programs [B, P, 5] and, where choices are asked, choices [B, P] of all agents for the batch as it stands.

    `line_ups` [B, P] is the number of the agent in each seat. Seats that are not asked hold zeros.
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
    asked = np.flatnonzero(~programming & ~batch.over)
    asked_seats = batch.games["ask_seat"][asked].astype(np.int64)
    for number, agent in enumerate(agents):
        mine = line_ups[asked, asked_seats] == number
        if mine.any() and hasattr(agent, "choose"):
            choices[asked[mine], asked_seats[mine]] = _choose(agent, batch, asked[mine], asked_seats[mine])
        elif mine.any():
            choices[asked[mine], asked_seats[mine]] = 1 + batch.games["ask_default"][asked[mine]]
    return programs, choices


def _act(agent: Agent, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[Any]:
    parts = batch.observations
    seen = parts["symbolic"][games, seats] if agent.needs_observation else None
    programs = agent.act(seen, parts["masks"][games, seats], Info(batch, games, seats))
    return _checked(agent, "act", programs, (len(games), 5), batch.hand_slots - 1)


def _choose(agent: Any, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[Any]:
    parts = batch.observations
    seen = parts["symbolic"][games, seats] if agent.needs_observation else None
    choices = agent.choose(seen, parts["choice_masks"][games, seats], Info(batch, games, seats))
    return _checked(agent, "choose", choices, (len(games),), parts["choice_masks"].shape[2] - 1)


def _checked(agent: Agent, method: str, value: Any, shape: tuple[int, ...], most: int) -> NDArray[Any]:
    """What an agent gave, if it is whole numbers 0..most of the wanted shape."""
    array = np.asarray(value)
    if array.shape != shape or array.dtype.kind not in "iu":
        raise RoboRallyError(
            f"agent {agent.name!r}: {method} gave shape {array.shape} of {array.dtype}; expected {shape} of int8"
        )
    if array.size and (array.min() < 0 or array.max() > most):
        given = f"{array.min()} to {array.max()}"
        raise RoboRallyError(f"agent {agent.name!r}: {method} gave {given}; expected 0 to {most}")
    return array


@kernel
def _distances(maps, games, to_go):  # type: ignore[no-untyped-def]
    """`to_go` [B, P]: what is left to the last checkpoint, in quarter registers."""
    for i in range(to_go.shape[0]):
        game = games[i]
        for r in range(to_go.shape[1]):
            to_go[i, r] = remaining(maps.courses[game.course], maps.distance, game, r)
