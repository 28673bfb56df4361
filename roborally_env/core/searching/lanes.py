"""Distances to up to eight cells at once: two words of each state hold eight values of 16 bits, its lanes.

The solo moves of a state are read once for all cells, and one comparison serves four of them.
"""

import numpy as np

from roborally_env.core.kernel import kernel

LANES = 8
WORDS = 2
IN_WORD = LANES // WORDS  # lanes
BITS = 16  # of a lane; the highest one is free for comparisons
MASK = np.uint64(0xFFFF)
ONES = np.uint64(0x0001_0001_0001_0001)
_HIGH = np.uint64(0x8000_8000_8000_8000)
_SHIFT = np.uint64(BITS - 1)
NO_WAY = 30_000  # in a lane; with the cost of an action still below the highest bit
DEAREST_FALL = 1_000  # what costs more to fall is no way


@kernel(often=True)
def least(a, b):
    """The lesser value in each lane of two words."""
    high = ((a | _HIGH) - b) & _HIGH  # where a >= b
    mask = high | (high - (high >> _SHIFT))
    return (b & mask) | (a & ~mask)


@kernel
def fill_lanes(solo, registers, states, costs, fall, goals, work):
    """Fill `work` u8 [5, STATES, WORDS]: the distances from the `states` [m], at the start of each register, to the
    cells `goals` [n]; 0 on them, NO_WAY where there is none.

    `solo` i2 [5, STATES, 8] are the solo moves, of which `registers` have to be told apart; `costs` [8] of the actions,
    and `fall` that is added for a fall.
    """
    work[:registers] = np.uint64(NO_WAY) * ONES
    for i in range(goals.shape[0]):
        lane = MASK << np.uint64(BITS * (i % IN_WORD))
        for k in range(registers):
            for facing in range(4):
                work[k, goals[i] * 4 + facing, i // IN_WORD] &= ~lane
    moved = np.empty(costs.shape[0], np.uint64)
    fell = np.empty(costs.shape[0], np.uint64)
    for action in range(costs.shape[0]):
        moved[action] = np.uint64(costs[action]) * ONES
        fell[action] = np.uint64(costs[action] + min(fall, DEAREST_FALL)) * ONES
    count = states.shape[0]
    changed, sweep = True, 0
    while changed:
        changed = False
        sweep += 1
        for k in range(registers - 1, -1, -1):
            later = (k + 1) % registers
            for j in range(count):
                at = states[j] if sweep % 2 else states[count - 1 - j]  # to and fro, which takes half as many sweeps
                old_low, old_high = work[k, at, 0], work[k, at, 1]
                low, high = old_low, old_high
                for action in range(costs.shape[0]):
                    after = np.int64(solo[k, at, action])
                    cost = moved[action]
                    if after < 0:
                        if fall > DEAREST_FALL:
                            continue
                        after = ~after
                        cost = fell[action]
                    low = least(low, work[later, after, 0] + cost)
                    high = least(high, work[later, after, 1] + cost)
                if low != old_low or high != old_high:
                    work[k, at, 0], work[k, at, 1] = low, high
                    changed = True


@kernel
def read_lane(solo, registers, costs, fall, goals, work, i, far, distance):
    """Fill `distance` [STATES] to goal i at the start of a round, from lane i; on the goal itself that of getting
    there anew; `far` where there is no way."""
    word, shift = i // IN_WORD, np.uint64(BITS * (i % IN_WORD))
    for at in range(distance.shape[0]):
        value = np.int64(work[0, at, word] >> shift & MASK)
        distance[at] = far if value >= NO_WAY else value
    later = 1 % registers
    for at in range(goals[i] * 4, goals[i] * 4 + 4):
        best = far
        for action in range(costs.shape[0]):
            after = np.int64(solo[0, at, action])
            cost = np.int64(costs[action])
            if after < 0:
                after = ~after
                cost += fall
            value = np.int64(work[later, after, word] >> shift & MASK)
            if value < NO_WAY:
                best = min(best, cost + value)
        distance[at] = best
