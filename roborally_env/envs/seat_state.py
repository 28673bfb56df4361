"""What a snapshot of `RoboRallyEnv` has beside the race: the learner's seat, its opponents, and the state of chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError, SnapshotError, cut, listed
from roborally_env.base.types import NamedValues
from roborally_env.core.state import REGISTERS
from roborally_env.envs.snapshots import check_numbers

_WORD, _LONG = 2**32 - 1, 2**128 - 1
_GENERATOR = "PCG64"  # Gymnasium's


class SeatState(NamedTuple):
    """The state of a RoboRallyEnv without that of its race. What it has for opponents is in the order of their seats.

    Attributes:
        seat: the learner's.
        seeds: of the opponents.
        programs: what they play in this round: a list of five hand slots for each of them, or none.
        announced: 1 where one announces a power down with it; or empty.
        chance: the state of `np_random`: state, increment, whether a half of a word is left, and that half.
        seed: `np_random_seed`.
    """

    seat: int
    seeds: list[int]
    programs: list[list[int]]
    announced: list[int]
    chance: list[int]
    seed: int

    def packed(self, opponents: Sequence[Any]) -> NamedValues:
        """As values of JSON, with the names of the opponents."""
        return {"opponents": names_of(opponents), **self._asdict()}


def names_of(opponents: Sequence[Any]) -> list[str]:
    """The spec of each opponent, or the class of an object."""
    return [each if isinstance(each, str) else f"{type(each).__name__} (an object)" for each in opponents]


def chance_of(generator: np.random.Generator) -> list[int]:
    """The state of a generator as numbers.

    Raises:
        RoboRallyError: for another kind of generator than Gymnasium's.
    """
    state: Mapping[str, Any] = generator.bit_generator.state
    if state["bit_generator"] != _GENERATOR:
        raise RoboRallyError(f"snapshot: expected an np_random of {_GENERATOR}, got one of {state['bit_generator']}")
    inner = state["state"]
    return [int(n) for n in (inner["state"], inner["inc"], state["has_uint32"], state["uinteger"])]


def generator_of(chance: Sequence[int]) -> np.random.Generator:
    """A generator in this state, see `chance_of`."""
    generator = np.random.Generator(np.random.PCG64(0))
    state, increment, half, word = chance
    generator.bit_generator.state = {
        "bit_generator": _GENERATOR,
        "state": {"state": state, "inc": increment},
        "has_uint32": half,
        "uinteger": word,
    }
    return generator


def read_seat_state(own: Mapping[str, Any], opponents: Sequence[Any], hand_slots: int) -> SeatState:
    """The state in the values of a snapshot, for an env with these opponents.

    Raises:
        SnapshotError: for other opponents, and for values that no env has written.
    """
    wanted, count = names_of(opponents), len(opponents)
    found = own.get("opponents")
    if found != wanted:
        its = listed(map(str, found)) if isinstance(found, list) else repr(found)
        raise SnapshotError(f"snapshot: it was taken with opponents {cut(its)}, this env has {cut(listed(wanted))}")
    programs, announced = own.get("programs"), own.get("announced")
    if not isinstance(programs, list) or len(programs) not in (0, count):
        raise SnapshotError(f"snapshot: programs: expected {count} lists or none, got {cut(repr(programs))}")
    for row in programs:
        check_numbers({"programs": row}, "programs", REGISTERS, 0, hand_slots - 1)
    chance = check_numbers(own, "chance", 4, 0, _LONG)
    check_numbers({"chance": chance[2:]}, "chance", 2, 0, _WORD)
    return SeatState(
        seat=_whole(own, "seat", 0, count),
        seeds=check_numbers(own, "seeds", count, 0, 2**31 - 1),
        programs=programs,
        announced=[] if announced == [] else check_numbers(own, "announced", count, 0, 1),
        chance=chance,
        seed=_whole(own, "seed", -1, _LONG),  # -1: a generator that the caller has set
    )


def _whole(own: Mapping[str, Any], name: str, low: int, high: int) -> int:
    try:
        return check_whole(own.get(name), f"snapshot: {name}", low, high)
    except RoboRallyError as error:
        raise SnapshotError(str(error)) from None
