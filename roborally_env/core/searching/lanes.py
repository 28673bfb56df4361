"""Distances to many goals at once: each state has a row of values of 16 bits, its lanes.

A goal that lies still has a lane. One that rides on belts has a lane for each place of its track: a register later
what counts is the lane after it, and behind its last place lies a copy of the place to which the track loops back. Solo
moves are the same for all goals, so they are read once for all lanes; eight lanes are a block, compared as one.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from roborally_env.core.kernel import JIT, kernel

LANES = 8  # of a block
ACTIONS = 8  # in solo moves
NO_WAY = 30_000  # in a lane; with the cost of an action and of no way again it still has 16 bits
DEAREST_FALL = 1_000  # a way that costs more to fall is closed
MARKED = 2  # blocks from which on it pays to look whether a state can have changed


@kernel
def fill_distances(solo, registers, states, costs, fall, tracks, lengths, loops, far, distance):
    """Fill `distance` u2 [places of all goals, STATES]: the distances at the start of a round from the `states` [m] to
    goals that are on the cells `tracks` [goals, ..] in the first `lengths` [goals] registers, and then again from
    place `loops` [goals] on; `far` where no way leads. Goals that lie still, of length 1, come first.

    `solo` i2 [5, STATES, 8] are the solo moves, of which `registers` differ; `costs` [8] of the actions,
    and `fall` that is added for a fall. On a goal itself it is the distance of getting there anew.
    """
    goals, count = lengths.shape[0], largest(states) + 1
    first = np.empty(goals, np.int64)  # lane of each goal
    lie = 0
    while lie < goals and lengths[lie] == 1:
        first[lie] = lie
        lie += 1
    still = (lie + LANES - 1) // LANES  # blocks
    end = still * LANES
    for i in range(lie, goals):
        first[i] = end
        end += lengths[i] + 1
    blocks = (end + LANES - 1) // LANES
    width = blocks * LANES
    masks = np.zeros(width, np.uint16)  # of the lanes that are values of their own
    values = np.empty(registers * count * width + LANES, np.uint16)  # the last block's lane after is read too
    values[:] = NO_WAY
    noted = np.zeros(registers * count, np.int16)  # the last sweep that changed a state
    for i in range(goals):
        masks[first[i] : first[i] + lengths[i]] = 0xFFFF
        for place in range(lengths[i]):
            cell = np.int64(tracks[i, place])
            if cell < 0 or cell * 4 >= count:
                continue
            for k in range(registers):
                for at in range(k * count + cell * 4, k * count + cell * 4 + 4):
                    values[at * width + first[i] + place] = 0
                    if i >= lie and place == loops[i]:
                        values[at * width + first[i] + lengths[i]] = 0
                    noted[at] = 1
    lower_all(solo, registers, states, costs_of_ends(costs, fall), values, noted, blocks, still, masks,
              first[lie:], lengths[lie:], loops[lie:])  # fmt: skip
    distance[:] = far
    row, later = 0, (1 % registers) * count
    for i in range(goals):
        for place in range(lengths[i]):
            lane = first[i] + place
            ahead = lane + 1 if i >= lie else lane
            for j in range(states.shape[0]):
                at = states[j]
                value = np.int64(values[at * width + lane])
                if at >> 2 == tracks[i, place]:
                    value = np.int64(NO_WAY)
                    for action in range(ACTIONS):
                        after, cost = np.int64(solo[0, at, action]), np.int64(costs[action])
                        if after < 0:
                            after = ~after
                            cost += fall
                        value = min(value, cost + np.int64(values[(later + after) * width + ahead]))
                if value < NO_WAY:
                    distance[row, at] = value
            row += 1


@kernel
def largest(numbers):
    """The largest of some whole numbers [n], n > 0, as i8."""
    found = np.int64(numbers[0])
    for i in range(1, numbers.shape[0]):
        found = max(found, np.int64(numbers[i]))
    return found


@kernel
def costs_of_ends(costs, fall):
    """The cost of each action, and then what a fall adds to it: u2 [16]."""
    found = np.empty(2 * ACTIONS, np.uint16)
    for action in range(ACTIONS):
        found[action] = costs[action]
        found[ACTIONS + action] = fall if fall <= DEAREST_FALL else NO_WAY
    return found


@kernel
def lower_all(solo, registers, states, paid, values, noted, blocks, still, masks, first, lengths, loops):
    """Lower the values of all states until none is above what a move of it leads to.

    `first`, `lengths` and `loops` are those of the goals that ride; see `lower` for the rest.
    """
    count, width = noted.shape[0] // registers, blocks * LANES
    last_change = np.empty(registers, np.int64)  # the sweep
    last_change[:] = 1
    sweep, changed = 1, True
    while changed:
        changed = False
        sweep += 1
        for k in range(registers - 1, -1, -1):
            later = (k + 1) % registers
            if last_change[later] < sweep - 1:
                continue
            least = np.int64(sweep - 1 if blocks >= MARKED else -1)
            for j in range(states.shape[0]):
                at = states[j] if sweep % 2 else states[states.shape[0] - 1 - j]  # to and fro takes half as many sweeps
                row, here = (k * solo.shape[1] + at) * ACTIONS, k * count + at
                if not lower(values, noted, solo, row, paid, here, later * count, blocks, still, masks, least):
                    continue
                changed = True
                last_change[k] = sweep
                noted[here] = sweep
                for i in range(first.shape[0]):
                    lane = here * width + first[i]
                    values[lane + lengths[i]] = values[lane + loops[i]]


if JIT:

    @intrinsic
    def lower(typing_context, values, noted, solo, row, paid, here, later, blocks, still, masks, least):
        """Lower the `blocks` of row `here` of `values` to what the moves of `solo` from number `row` on lead to among
        the rows from `later` on, in the lanes of `masks`; from block `still` on, in the lane after. Whether a value
        changed.

        Nothing is done where none of these rows has been `noted` in sweep `least` or after it. `paid`: `costs_of_ends`.
        """
        i16, i32, i64 = (ir.IntType(bits) for bits in (16, 32, 64))
        block = ir.VectorType(i16, LANES)

        def generate(context, builder, signature, arguments):
            _, _, _, row, _, here, later, blocks, still, _, least = arguments

            def data(k):
                return context.make_array(signature.args[k])(context, builder, arguments[k]).data

            def load(start, at):
                loaded = builder.load(builder.bitcast(builder.gep(start, [at]), block.as_pointer()))
                loaded.align = 2
                return loaded

            def number(value):
                return ir.Constant(i64, value)

            def end_of(action):
                return builder.add(later, builder.zext(builder.extract_element(ends, ir.Constant(i32, action)), i64))

            def everywhere(action):
                lanes = ir.Constant(ir.VectorType(i32, LANES), [action] * LANES)
                return builder.shuffle_vector(costs, ir.Constant(block, ir.Undefined), lanes)

            def lower_blocks():
                width = builder.mul(blocks, number(LANES))
                rows = [builder.mul(end_of(action), width) for action in range(ACTIONS)]
                added = [everywhere(action) for action in range(ACTIONS)]
                own = builder.mul(here, width)
                with cgutils.for_range(builder, blocks) as loop:
                    lane = builder.mul(loop.index, number(LANES))
                    ahead = builder.add(lane, builder.zext(builder.icmp_signed(">=", loop.index, still), i64))
                    old = now = load(start, builder.add(own, lane))
                    for at, cost in zip(rows, added, strict=True):
                        reached = builder.add(load(start, builder.add(at, ahead)), cost)
                        now = builder.select(builder.icmp_unsigned("<", reached, now), reached, now)
                    now = builder.xor(old, builder.and_(builder.xor(old, now), load(mask, lane)))
                    place = builder.bitcast(builder.gep(start, [builder.add(own, lane)]), block.as_pointer())
                    builder.store(now, place).align = 2
                    other = builder.bitcast(builder.xor(now, old), ir.IntType(16 * LANES))
                    differs = builder.icmp_unsigned("!=", other, ir.Constant(other.type, 0))
                    builder.store(builder.or_(differs, builder.load(changed)), changed)

            start, marks, moves, paid, mask = (data(k) for k in (0, 1, 2, 4, 9))
            changed = cgutils.alloca_once_value(builder, ir.Constant(ir.IntType(1), 0))
            codes = load(moves, row)  # the state after each move, or its complement where the robot falls
            fell = builder.ashr(codes, ir.Constant(block, [15] * LANES))
            ends = builder.xor(codes, fell)
            costs = builder.add(load(paid, number(0)), builder.and_(fell, load(paid, number(ACTIONS))))
            with builder.if_else(builder.icmp_signed("<", least, number(0))) as (always, marked):
                with always:
                    lower_blocks()
                with marked:
                    latest = builder.load(builder.gep(marks, [end_of(0)]))
                    for action in range(1, ACTIONS):
                        mark = builder.load(builder.gep(marks, [end_of(action)]))
                        latest = builder.select(builder.icmp_signed(">", mark, latest), mark, latest)
                    with builder.if_then(builder.icmp_signed(">=", builder.sext(latest, i64), least)):
                        lower_blocks()
            return builder.load(changed)

        whole = types.int64
        return types.boolean(values, noted, solo, whole, paid, whole, whole, whole, whole, masks, whole), generate

else:

    def lower(values, noted, solo, row, paid, here, later, blocks, still, masks, least):
        """The same, one state after the other with NumPy."""
        codes = solo.reshape(-1)[row : row + ACTIONS].astype(np.int64)
        ends = later + np.where(codes < 0, ~codes, codes)
        if least >= 0 and noted[ends].max() < least:
            return False
        width = blocks * LANES
        lanes = np.arange(width)
        ahead = lanes + (lanes // LANES >= still)
        costs = paid[:ACTIONS] + paid[ACTIONS:] * (codes < 0)
        reached = (values[ends[:, None] * width + ahead] + costs[:, None].astype(np.uint16)).min(axis=0)
        own = values[here * width : (here + 1) * width]
        lower_ones = (masks != 0) & (reached < own)
        own[lower_ones] = reached[lower_ones]
        return bool(lower_ones.any())
