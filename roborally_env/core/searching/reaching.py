"""Which states a robot alone on a course can get into: the closure of the solo moves."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.distances import STATES
from roborally_env.core.state import REGISTERS


@kernel
def fill_reached(solos, docks, facing, actions, reached):
    """Mark in `reached` b1 [5, STATES] the states at the start of each register that a robot alone can get into, by the
    moves of any of the solo tables `solos` [n, 5, STATES, 8].

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
        for table in range(solos.shape[0]):
            for action in range(actions):
                after = np.int64(solos[table, k, state, action])
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


@kernel
def share_falling(solo, reached, actions):
    """The share of the actions below `actions` that end in a fall, of the states marked in `reached` b1 [5, STATES]."""
    falls, of = 0, 0
    for k in range(reached.shape[0]):
        for state in range(reached.shape[1]):
            if not reached[k, state]:
                continue
            of += actions
            for action in range(actions):
                falls += solo[k, state, action] < 0
    return falls / of


@kernel
def fill_safe(solo, states, actions, registers, goals, loop, safe):
    """Mark in `safe` b1 [n, STATES] from which of the `states` i2 [m] some cards bring a robot to a checkpoint.

    Time runs through n moments, and after the last one back to `loop`. In moment i register registers[i] is played, at
    whose end the checkpoint lies on goals[i]. A robot that falls goes on where the solo table says.
    """
    changed, forth = True, False
    while changed:
        changed, forth = False, not forth
        for i in range(registers.shape[0] - 1, -1, -1):
            then = i + 1 if i + 1 < registers.shape[0] else loop
            k, goal = registers[i], goals[i]
            for j in range(states.shape[0]):
                state = np.int64(states[j] if forth else states[states.shape[0] - 1 - j])
                if safe[i, state]:
                    continue
                for action in range(actions):
                    after = np.int64(solo[k, state, action])
                    after = after if after >= 0 else ~after
                    if after >> 2 == goal or safe[then, after]:
                        safe[i, state] = True
                        changed = True
                        break


@kernel
def fill_safe_at_once(solo, states, actions, goals, safe):
    """`fill_safe` for checkpoints that lie still, on the cells `goals` i8 [n] (below 0: none): bit i of `safe` u1
    [registers, STATES] says that some cards bring a robot to checkpoint i."""
    there, wanted = np.zeros(safe.shape[1] // 4, np.uint8), np.uint8(0)
    for i in range(goals.shape[0]):
        if goals[i] >= 0:
            there[goals[i]] |= np.uint8(1 << i)
            wanted |= np.uint8(1 << i)
    count = safe.shape[0]
    changed, forth = True, False
    while changed:
        changed, forth = False, not forth
        for k in range(count - 1, -1, -1):
            then = (k + 1) % count
            for j in range(states.shape[0]):
                state = np.int64(states[j] if forth else states[states.shape[0] - 1 - j])
                found = safe[k, state]
                if found == wanted:
                    continue
                for action in range(actions):
                    after = np.int64(solo[k, state, action])
                    after = after if after >= 0 else ~after
                    found |= there[after >> 2] | safe[then, after]
                if found != safe[k, state]:
                    safe[k, state] = found
                    changed = True
