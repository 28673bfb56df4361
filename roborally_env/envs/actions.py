"""Checks of the users' actions before anything is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import shown
from roborally_env.base.errors import ActionError, nearest
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS


def action_sizes(batch: BatchRace) -> tuple[int, ...]:
    """How many values each component of the `program` action form has.

    Five registers and, if choices are open, one component for the answer: 0 for nothing to choose, else 1 + option.
    In the 2005 edition with decisions="program" 1 in this component, beside a program, announces a power down.
    """
    return (*(batch.hand_slots,) * REGISTERS, *((1 + batch.options,) if batch.asks_choices else ()))


class ActionReader(PicklableArrays):
    """Reads the agents' actions into one int64 array, [P, components] or of one component [P], and checks shape, dtype
    and range.

    Messages name an agent's action by `action_names`.
    """

    def __init__(self, agents: Sequence[str], sizes: Sequence[int], action_names: Mapping[str, str]) -> None:
        self.agents = tuple(agents)
        self.action_names = action_names
        self._names = frozenset(agents)
        self.shape = (len(sizes),) if len(sizes) > 1 else ()
        self.sizes = np.array(sizes, np.uint64)
        self.values = np.zeros((len(agents), *self.shape), np.int64)

    def read(self, actions: Mapping[str, Any]) -> NDArray[np.int64]:
        """The numbers in `actions`, each in range; the array is written anew at the next call.

        Raises:
            ActionError: for a missing or unknown agent, a wrong shape, dtype or range.
        """
        values, shape = self.values, self.shape
        if not isinstance(actions, dict) or actions.keys() != self._names:
            check_agents(actions, self.agents)
        for r, agent in enumerate(self.agents):
            action = actions[agent]
            if type(action) is not np.ndarray or action.shape != shape or action.dtype.kind not in "iu":
                action = self._checked(agent, action)
            values[r] = action
        if np.count_nonzero(values.view(np.uint64) >= self.sizes):  # a negative number is a huge one here
            raise ActionError(self._out_of_range(actions))
        return values

    def _checked(self, agent: str, action: Any) -> NDArray[Any]:
        """An action in any other form, such as a list, as an array; raises an ActionError unless it fits."""
        where = self.action_names[agent]
        array = whole_numbers(action, where)
        if array.shape != self.shape:
            expected = f"shape {self.shape}" if self.shape else "one whole number"
            raise ActionError(f"{where}: expected {expected}, got {'' if self.shape else 'shape '}{array.shape}")
        return array

    def _out_of_range(self, actions: Mapping[str, Any]) -> str:
        r, *at = np.argwhere(self.values.view(np.uint64) >= self.sizes)[0]
        agent, i = self.agents[r], tuple(at)
        size = self.sizes[at[0] if at else 0]
        where = self.action_names[agent] + "".join(f"[{k}]" for k in i)
        return f"{where}: expected 0 to {size - np.uint64(1)}, got {np.asarray(actions[agent])[i]}"


def check_agents(actions: Any, agents: Sequence[str]) -> None:
    """Raise an ActionError unless `actions` has one action for each agent and none for anybody else."""
    if not isinstance(actions, Mapping):
        raise ActionError(f"actions: expected a dict with an action for each agent, got {type(actions).__name__}")
    if len(actions) == len(agents) and all(map(actions.__contains__, agents)):
        return
    for name in actions:
        if name not in agents:
            hint = nearest(str(name), agents)
            raise ActionError(f"actions: unknown agent {name!r}{hint}; expected {', '.join(agents)}")
    missing = next(agent for agent in agents if agent not in actions)
    raise ActionError(f"actions: {missing!r} has no action; every agent of the race acts at once")


def whole_numbers(value: Any, where: str) -> NDArray[Any]:
    """The value as an array of an integer dtype, or an ActionError that names the type given."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ActionError(f"{where}: expected whole numbers, got {shown(value)}") from error
    if array.dtype.kind not in "iu":
        raise ActionError(f"{where}: expected whole numbers, got dtype {array.dtype}")
    return array


def refuse_illegal_programs(
    action_names: Sequence[str],
    programs: NDArray[np.int64],
    masks: NDArray[np.int8],
    caught: Sequence[int],
    closed: Sequence[int],
) -> None:
    """Raise an ActionError for a hand slot that the mask forbids or that is used twice.

    `programs` [P, 5 or more], `masks` [P, 5, slots]. As bits: `caught` [P], the registers that are not read; `closed`
    [P], the registers that take no card, for which one value is legal.
    """
    for r, where in enumerate(action_names):
        register_of: dict[int, int] = {}
        for k, slot in enumerate(programs[r, :REGISTERS].tolist()):
            if caught[r] >> k & 1:
                continue
            if slot in register_of and not closed[r] >> k & 1:
                raise ActionError(f"{where}[{k}]: slot {slot} is already used in register {register_of[slot] + 1}")
            if not masks[r, k, slot]:
                legal = ", ".join(map(str, np.flatnonzero(masks[r, k])))
                raise ActionError(
                    f"{where}[{k}]: slot {slot} is not legal in register {k + 1}; expected one of {legal}"
                )
            if not closed[r] >> k & 1:
                register_of[slot] = k


def refuse_illegal_choices(
    action_names: Sequence[str], choices: NDArray[np.int64], masks: NDArray[np.int8], meaning: Callable[[int], str]
) -> None:
    """Raise an ActionError for a choice [P] that its mask [P, 1 + options] forbids."""
    for r, where in enumerate(action_names):
        choice = int(choices[r])
        if not masks[r, choice]:
            legal = ", ".join(f"{i} ({meaning(i)})" for i in np.flatnonzero(masks[r]).tolist())
            raise ActionError(f"{where}[{REGISTERS}]: choice {choice} is not legal; expected {legal}")
