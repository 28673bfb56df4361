"""Distances to a checkpoint that rides on belts: the values of all places of its track side by side.

The words of a state hold, 16 bits each, its distances while the checkpoint is at place 0, 1, .. of the track. Solo
moves are the same at each place, so they are read once for all, and a comparison of words serves four places.
"""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.lanes import BITS, DEAREST_FALL, IN_WORD, MASK, NO_WAY, ONES, least


@kernel
def fill_track(solo, registers, states, costs, fall, track, loop, far, distance):
    """Fill `distance` u2 [places, STATES]: at the start of a round, from the `states` [m] to a checkpoint that is on
    the cells `track` [places] in successive registers, and then again from place `loop` on; `far` where there is no
    way. See `lanes.fill_lanes`."""
    places, count = distance.shape[0], np.int64(states.max()) + 1
    words = (places + IN_WORD - 1) // IN_WORD
    now = np.full((registers, count, words), np.uint64(NO_WAY) * ONES)  # 0 where the robot has arrived
    ahead = np.full(now.shape, np.uint64(NO_WAY) * ONES)  # the same one place later
    noted = np.zeros((registers, count), np.int64)  # the last sweep that changed a state
    for k in range(registers):
        for place in range(places):
            if track[place] < 0 or track[place] * 4 >= count:
                continue
            for at in range(np.int64(track[place]) * 4, np.int64(track[place]) * 4 + 4):
                now[k, at, place // IN_WORD] &= ~(MASK << np.uint64(BITS * (place % IN_WORD)))
                noted[k, at] = 1
        for at in range(count):
            if noted[k, at] > 0:
                look_ahead(now[k, at], ahead[k, at], places, loop)
    row = np.empty(words, np.uint64)
    changed, sweep = True, 1
    while changed:
        changed = False
        sweep += 1
        for k in range(registers - 1, -1, -1):
            later = (k + 1) % registers
            for j in range(states.shape[0]):
                at = states[j] if sweep % 2 else states[states.shape[0] - 1 - j]
                touched = False
                for action in range(costs.shape[0]):
                    after = np.int64(solo[k, at, action])
                    cost = np.int64(costs[action])
                    if after < 0:
                        if fall > DEAREST_FALL:
                            continue
                        after = ~after
                        cost += fall
                    if noted[later, after] < sweep - 1:
                        continue
                    if not touched:
                        touched = True
                        for i in range(words):
                            row[i] = now[k, at, i]
                    more = np.uint64(cost) * ONES
                    for i in range(words):
                        row[i] = least(row[i], ahead[later, after, i] + more)
                if not touched:
                    continue
                other = np.uint64(0)
                for i in range(words):
                    other |= row[i] ^ now[k, at, i]
                if other != 0:
                    changed = True
                    noted[k, at] = sweep
                    for i in range(words):
                        now[k, at, i] = row[i]
                    look_ahead(now[k, at], ahead[k, at], places, loop)
    read_places(solo, registers, states, costs, fall, track, now, ahead, far, distance)


@kernel
def look_ahead(now, ahead, places, loop):
    """Fill `ahead` with the values of `now` one place later: word by word, and the last place from where the track
    loops back."""
    shift, rest = np.uint64(BITS), np.uint64(BITS * (IN_WORD - 1))
    last = now.shape[0] - 1
    for i in range(last):
        ahead[i] = now[i] >> shift | now[i + 1] << rest
    lane = np.uint64(BITS * ((places - 1) % IN_WORD))
    first = now[loop // IN_WORD] >> np.uint64(BITS * (loop % IN_WORD)) & MASK
    ahead[last] = (now[last] >> shift | np.uint64(NO_WAY) << rest) & ~(MASK << lane) | first << lane


@kernel
def read_places(solo, registers, states, costs, fall, track, now, ahead, far, distance):
    """Fill `distance` from the words; where the robot has arrived with the distance of getting there anew."""
    distance[:] = far
    later = 1 % registers
    for place in range(distance.shape[0]):
        word, shift = place // IN_WORD, np.uint64(BITS * (place % IN_WORD))
        for j in range(states.shape[0]):
            at = states[j]
            value = np.int64(now[0, at, word] >> shift & MASK)
            if at >> 2 == track[place]:
                value = np.int64(NO_WAY)
                for action in range(costs.shape[0]):
                    after = np.int64(solo[0, at, action])
                    cost = np.int64(costs[action])
                    if after < 0:
                        after = ~after
                        cost += fall
                    value = min(value, cost + np.int64(ahead[later, after, word] >> shift & MASK))
            if value < NO_WAY:
                distance[place, at] = value
