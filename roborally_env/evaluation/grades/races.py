"""The races behind a grade: a robot alone, and four that meet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import make_agent
from roborally_env.agents.decisions import decide
from roborally_env.batch import BatchRace
from roborally_env.core import log
from roborally_env.courses import Course

MOST_ROUNDS = 100  # after which a race is cut
ROBOTS = 4
DRAWS = 4  # random programs that are tried out in each state along the way
_STRUCK = (log.PUSH, log.ROBOT_LASER, log.REAR_LASER)  # what one robot does to another


class Alone(NamedTuple):
    """rounds: the mean. falls: the share of random legal programs, of hands along the way, that end in a fall."""

    rounds: float
    falls: float


class Together(NamedTuple):
    """rounds: the mean. finished: the share of races that somebody won. pushes: of a robot in a round. met: the share
    of its rounds in which another robot pushes or shoots it."""

    rounds: float
    finished: float
    pushes: float
    met: float


def alone(course: Course, races: int, seed: int) -> Alone:
    """Races of one `greedy` without others."""
    batch = _batch(course, 1, races, seed, MOST_ROUNDS)
    greedy, seats = [make_agent("greedy")], np.zeros((races, 1), np.int64)
    fell, tried = 0, 0
    while not batch.over.all():
        programming = batch.programming & batch.programmed[:, 0]
        if programming.any():
            fell += sum(_falls(batch, programming, draw) for draw in range(DRAWS))
            tried += DRAWS * int(programming.sum())
        batch.step(*decide(batch, greedy, seats))
    return Alone(float(_rounds(batch, MOST_ROUNDS).mean()), fell / tried)


def _falls(batch: BatchRace, programming: NDArray[np.bool_], draw: int) -> int:
    """How many of the asked robots fall by a random program; the batch stays as it is."""
    twin = batch.copy()
    twin.sample(draw)
    twin.step_prepared()
    return int((twin.games["reboots"][programming, 0] > batch.games["reboots"][programming, 0]).sum())


def together(
    course: Course, robots: int, races: int, seed: int, agent: str = "greedy", most: int = MOST_ROUNDS
) -> Together:
    """Races of robots with the same agent, cut after `most` rounds."""
    batch = _batch(course, robots, races, seed, most, events=True)
    agents, seats = [make_agent(agent, seed)], np.zeros((races, robots), np.int64)
    pushes, struck, rounds = 0, 0, 0
    while not batch.over.all():
        programming = batch.programming
        rounds += int(batch.programmed[programming].sum())
        batch.step(*decide(batch, agents, seats))
        for game in np.flatnonzero(programming):
            kinds, robot = batch.event_rows(int(game))[:, :2].T
            pushes += int((kinds == log.PUSH).sum())
            struck += len(set(robot[np.isin(kinds, _STRUCK)].tolist()))
    finished = float((batch.results["winner"] >= 0).mean())
    return Together(float(_rounds(batch, most).mean()), finished, pushes / rounds, struck / rounds)


def _batch(course: Course, robots: int, races: int, seed: int, most: int, events: bool = False) -> BatchRace:
    return BatchRace(
        races,
        course,
        players=robots,
        observation="none",
        max_rounds=most,
        seed=seed,
        auto_reset=False,
        events=events,
    )


def _rounds(batch: BatchRace, most: int) -> NDArray[np.int64]:
    """[B]: the rounds of each race; the most where nobody won, because it was cut or all lives were lost."""
    return np.where(batch.results["winner"] >= 0, batch.results["rounds"], most)
