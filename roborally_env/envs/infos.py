"""Infos in numbers, for libraries that keep them in arrays: the same keys at every reset and step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.former import Keys
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core import choices
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import REGISTERS

INFOS = ("full", "numeric", "mask")
NOTHING = -1  # in `program`: no card of the hand is in this register
_OPEN = (np.arange(1 << REGISTERS)[:, None] >> np.arange(REGISTERS) & 1) == 0  # [32, 5]: bits as what they leave


def empty_programs(*shape: int) -> NDArray[np.int8]:
    """The programs of a step without programming: int8 [*shape, 5]."""
    return np.full((*shape, REGISTERS), NOTHING, np.int8)


def registers_shut(batch: BatchRace) -> NDArray[np.uint8]:
    """The registers, as bits, that take no card of the hand in the next step: uint8 [B, P].

    All outside the programming phase, else those that are closed or left empty by the timer.
    """
    shut = batch.closed_registers | batch.actions[2]
    shut[~batch.programming] = ALL
    return np.asarray(shut)


def programs_played(batch: BatchRace, shut: NDArray[np.integer[Any]]) -> NDArray[np.int8]:
    """The hand slot in each register after the last step's corrections, NOTHING without one: int8 [B, P, 5].

    `shut` [B, P] is `registers_shut` before the step.
    """
    played: NDArray[np.int8] = batch.submitted_programs.copy()
    if np.count_nonzero(shut):  # a tenth of the time of `any`
        played[~_OPEN[shut]] = NOTHING
    if batch.kind.has("announced"):  # where hands can have too few cards, 0 stands for none after slot 0 itself
        played[(played == 0) & (np.cumsum(played == 0, axis=-1) > 1)] = NOTHING
    return played


def races_won(batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether these seats [n] of these games [n], or their teams, have won their last finished race: bool [n]."""
    results, rows = batch.results, np.arange(len(games))
    winners, places = results["winner"][games], results["place"][games]
    # a team shares the winner's place
    return np.asarray((winners >= 0) & (places[rows, seats] == places[rows, np.maximum(winners, 0)]))


ROBOTS = (None, "racer", "blocker")  # in infos of agents with two robots: which one acts alone, by its number


def numbers_of(info: Mapping[str, Any], course: int) -> NamedValues:
    """A full info as numbers and arrays alone, with the number of the course; docs/environment.md lists the keys."""
    numbers = {
        "action_mask": info["action_mask"],
        "corrected": int(info["corrected"]),
        **{f"reward_{name}": value for name, value in info["rewards"].items()},
        "decision": choices.NAMES.index(info["decision"]) if info["decision"] else 0,
        "round": int(info["round"]),
        "course": course,
        "place": float(info.get("place", 0.0)),
        "is_success": bool(info.get("is_success", False)),
        "program": info["program"],
    }
    if "seat" in info:
        numbers["seat"] = int(info["seat"])
    if "robot" in info:
        numbers["robot"] = ROBOTS.index(info["robot"])
    return Keys(numbers)
