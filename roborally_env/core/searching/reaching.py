"""Which states a robot alone on a course can get into: the closure of the solo moves."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.distances import STATES
from roborally_env.core.state import REGISTERS


@kernel
def fill_reached(solo, docks, facing, actions, reached):
    """Mark in `reached` b1 [5, STATES] the states at the start of each register that a robot alone can get into.

    It starts on any of the cells `docks` [n] with this facing and does any action below `actions` (the last of the
    eight waits) in every register. A robot that falls is back in the next round with any facing, where its token is;
    one that comes back on a start space may come back on any of them.
    """
    todo = np.empty(REGISTERS * STATES, np.int64)
    count = 0
    for i in range(docks.shape[0]):
        count = _enter(np.int64(docks[i]) * 4 + facing, 0, reached, todo, count)
    while count > 0:
        count -= 1
        k, state = todo[count] // STATES, todo[count] % STATES
        for action in range(actions):
            after = np.int64(solo[k, state, action])
            if after >= 0:
                count = _enter(after, (k + 1) % REGISTERS, reached, todo, count)
                continue
            home = ~after >> 2
            for turn in range(4):
                count = _enter(home * 4 + turn, 0, reached, todo, count)
            if not _in(docks, home):
                continue
            for i in range(docks.shape[0]):
                for turn in range(4):
                    count = _enter(np.int64(docks[i]) * 4 + turn, 0, reached, todo, count)


@kernel
def _enter(state, k, reached, todo, count):
    """Note a state at the start of register k, once; returns how many wait in `todo`."""
    if not reached[k, state]:
        reached[k, state] = True
        todo[count] = k * STATES + state
        count += 1
    return count


@kernel
def _in(cells, cell):
    found = False
    for i in range(cells.shape[0]):
        found |= cells[i] == cell
    return found
