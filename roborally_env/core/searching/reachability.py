"""Which states a robot alone on a course can get into, and from which it gets to a checkpoint: closures of the solo
moves."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.distances import STATES
from roborally_env.core.state import REGISTERS

ALWAYS = (1 << REGISTERS) - 1  # all registers, as bits


@kernel
def fill_reached(solos, alike, docks, facing, actions, reached):
    """Note in `reached` u1 [STATES] by bits at the start of which registers a robot alone can be in each state, by the
    moves of any of the solo tables `solos` [n, 5, STATES, 8].

    It starts on any of the cells `docks` [n] with this facing and does any action below `actions` (the last of the
    eight waits) in every register. A robot that falls is back in the next round with any facing, where its token is;
    one that comes back on a start space may come back on any of them. `alike` i8 [5]: see `registers_alike`.
    """
    together = registers_together(alike)
    todo, count = np.empty(STATES, np.int64), 0
    fresh = np.zeros(STATES, np.uint8)  # the bits of a state in `todo` that are not followed yet
    back = np.zeros(STATES // 4, np.bool_)  # the cells on which robots have come back
    for i in range(docks.shape[0]):
        count = _enter(np.int64(docks[i]) * 4 + facing, 1, reached, fresh, todo, count)
    while count > 0:
        count -= 1
        state = todo[count]
        bits = int(fresh[state])
        fresh[state] = 0
        for k in range(REGISTERS):
            some = bits & together[k]
            if some == 0:
                continue
            later = (some << 1 | some >> (REGISTERS - 1)) & ALWAYS
            for table in range(solos.shape[0]):
                for action in range(actions):
                    after = np.int64(solos[table, k, state, action])
                    if after >= 0:
                        count = _enter(after, later, reached, fresh, todo, count)
                    elif not back[~after >> 2]:
                        count = _come_back(~after >> 2, docks, back, reached, fresh, todo, count)


@kernel
def registers_together(alike):
    """For each register that is the first of its likes the bits of all of them, else 0: i8 [5]."""
    together = np.zeros(REGISTERS, np.int64)
    for k in range(REGISTERS):
        together[alike[k]] |= 1 << k
    return together


@kernel
def _come_back(home, docks, back, reached, fresh, todo, count):
    """Note that robots come back on a cell, on all start spaces if it is one; returns how many wait in `todo`."""
    on_dock = _in(docks, home)
    for i in range(docks.shape[0] if on_dock else 1):
        cell = np.int64(docks[i]) if on_dock else np.int64(home)
        back[cell] = True
        for turn in range(4):
            count = _enter(cell * 4 + turn, 1, reached, fresh, todo, count)
    return count


@kernel
def _enter(state, bits, reached, fresh, todo, count):
    """Note a state at the start of some registers, once; returns how many wait in `todo`."""
    more = bits & ~np.int64(reached[state])
    if more:
        reached[state] |= np.uint8(more)
        if fresh[state] == 0:
            todo[count] = state
            count += 1
        fresh[state] |= np.uint8(more)
    return count


@kernel
def _in(cells, cell):
    found = False
    for i in range(cells.shape[0]):
        found |= cells[i] == cell
    return found


@kernel
def share_falling(solo, alike, reached, actions):
    """The share of the actions below `actions` that end in a fall, of the states and registers in `reached`, see
    `fill_reached`."""
    together = registers_together(alike)
    falls, of = 0, 0
    for state in range(reached.shape[0]):
        bits = int(reached[state])
        if bits == 0:
            continue
        for k in range(REGISTERS):
            some = bits & together[k]
            count, ends = 0, 0
            while some:
                some &= some - 1
                count += 1
            if count:
                for action in range(actions):
                    ends += solo[k, state, action] < 0
            of += count * actions
            falls += count * ends
    return falls / of


@kernel
def fill_safe(solo, shut, fall, alike, states, actions, registers, goals, last, loops, safe):
    """Note in `safe` u8 [STATES, words] by bits, 64 a word, in which moments some cards bring a robot from each of the
    `states` i2 [m] to a checkpoint.

    In moment i register registers[i] is played, at whose end the checkpoint lies on goals[i] (below 0: nowhere, it has
    fallen). Then comes the next moment, after last[j] however loops[j]: so the moments of several checkpoints stand one
    after the other. A robot that falls goes on where the solo table says, if `fall`; else falls are no moves. Nor are
    those marked in `shut` b1 of the shape of `solo`, unless it is empty. `alike` i8 [5]: see `registers_alike`.
    """
    words, moments = safe.shape[1], registers.shape[0]
    played = np.zeros((REGISTERS, words), np.uint64)  # the moments of each register and of those alike
    there = np.zeros((STATES // 4, words), np.uint64)  # the moments at whose end a checkpoint lies on each cell
    wanted, found = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for i in range(moments):
        bit = np.uint64(1) << np.uint64(i & 63)
        played[alike[registers[i]], i >> 6] |= bit
        if goals[i] >= 0:
            there[goals[i], i >> 6] |= bit
        wanted[i >> 6] |= bit
    ahead = np.empty((STATES, words), np.uint64)  # the moments at whose end being in a state is enough
    for at in range(STATES):
        for word in range(words):
            ahead[at, word] = there[at >> 2, word]
    changed, forth = True, False
    while changed:
        changed, forth = False, not forth
        for j in range(states.shape[0]):
            state = np.int64(states[j] if forth else states[states.shape[0] - 1 - j])
            missing = np.uint64(0)
            for word in range(words):
                found[word] = safe[state, word]
                missing |= wanted[word] ^ found[word]
            if missing == 0:
                continue
            for k in range(REGISTERS):
                if alike[k] != k:
                    continue
                for action in range(actions):
                    after = np.int64(solo[k, state, action])
                    if (after < 0 and not fall) or (shut.size > 0 and shut[k, state, action]):
                        continue
                    after = after if after >= 0 else ~after
                    for word in range(words):
                        found[word] |= ahead[after, word] & played[k, word]
            more = False
            for word in range(words):
                more |= found[word] != safe[state, word]
                safe[state, word] = found[word]
            if more:
                changed = True
                look_ahead(found, last, loops, ahead[state])
                for word in range(words):
                    ahead[state, word] |= there[state >> 2, word]


@kernel
def look_ahead(found, last, loops, ahead):
    """Fill `ahead` with the moments, as bits, that are followed by those in `found`; see `fill_safe`."""
    one = np.uint64(1)
    for word in range(found.shape[0]):
        ahead[word] = found[word] >> one
        if word + 1 < found.shape[0]:
            ahead[word] |= found[word + 1] << np.uint64(63)
    for j in range(last.shape[0]):
        bit = one << np.uint64(last[j] & 63)
        word = last[j] >> 6
        if found[loops[j] >> 6] >> np.uint64(loops[j] & 63) & one:
            ahead[word] |= bit
        else:
            ahead[word] &= ~bit
