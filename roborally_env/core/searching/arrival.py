"""How likely a robot alone, with cards that it did not choose, gets to a checkpoint in some rounds.

In each register it draws some cards at random and plays the one after which the least distance is left. This is what
distances do not tell: a checkpoint in a corner that only a few cards enter is near, and yet takes many rounds.
"""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.distances import ACTIONS
from roborally_env.core.searching.lanes import largest
from roborally_env.core.state import REGISTERS

UNKNOWN, KNOWN, AS_FIRST = 0, 1, 2  # what is kept of a state and a register: nothing, all, or as in the first register
LEAST_MASS = 1e-5  # of a state; less is left out


@kernel
def follow_leg(solo, alike, distance, track, loop, costs, fall, cards, drawn, beams, states, start, rounds, enough):
    """Follow robots that begin at `start` f8 [STATES] to a checkpoint for n rounds. Returns the share that has
    not got there, and how often board lasers have hit a robot, its mean.

    `distance` u2 [length, STATES] and `track` [length] are the checkpoint's; `cards` i8 [ACTIONS] says how many
    cards do each action, `drawn` how many cards a robot has in a register, `beams` [CELLS] how many cross a cell,
    `states` [m] where robots can be. Once the share is `enough` or less, nobody looks on. `alike` i8 [5]: see
    `registers_alike`. See `lanes.fill_distances` for the others.
    """
    length, many = distance.shape[0], states.shape[0]
    count = largest(states) + 1
    rows = (largest(alike) + 1) * many if length == 1 else 1
    known, shares, ends = np.zeros(rows, np.int8), np.empty((rows, ACTIONS)), np.empty((rows, ACTIONS), np.uint16)
    chances, keys = chances_of_rest(cards, drawn), np.zeros(ACTIONS, np.int64)
    mass, after = np.zeros(count + 1), np.zeros(count + 1)  # the last one has arrived
    for state in range(count):  # a slice would compile the check of its shape and its message
        mass[state] = start[state]
    somebody = np.empty(many, np.int64)  # the places in `states` where robots are
    place, left, hits = 0, 1.0, 0.0
    for moment in range(rounds * REGISTERS + 1):
        left = 0.0
        found = 0
        for i in range(many):
            here = mass[states[i]]
            left += here
            if moment > 0:
                hits += here * beams[states[i] >> 2]
            somebody[found] = i
            found += here >= LEAST_MASS
        if (left <= enough and moment > 0) or moment == rounds * REGISTERS:
            break
        k = alike[moment % REGISTERS]
        place = place + 1 if place + 1 < length else loop
        goal = np.int64(track[place])
        after[:] = 0.0
        for j in range(found):
            i = somebody[j]
            at = states[i]
            here = mass[at]
            row = k * many + i if length == 1 else 0
            if k > 0 and length == 1 and known[row] == UNKNOWN:
                same = True
                for action in range(ACTIONS):
                    same &= solo[k, at, action] == solo[0, at, action]
                known[row] = AS_FIRST if same else UNKNOWN
            if known[row] == AS_FIRST:
                row = i
            if known[row] == UNKNOWN:
                known[row] = KNOWN if length == 1 else UNKNOWN
                share_of_actions(solo[k, at], distance[place], goal, costs, fall, cards, chances, keys, shares[row])
                for action in range(ACTIONS):
                    end = np.int64(solo[k, at, action])
                    there = end >= 0 and end >> 2 == goal
                    ends[row, action] = count if there else end if end >= 0 else ~end
            for action in range(ACTIONS):
                after[ends[row, action]] += here * shares[row, action]
        mass, after = after, mass
    return left, hits


@kernel
def fill_arrived(solo, registers, distances, goals, costs, fall, cards, drawn, states, starts, enough, arrived):
    """Fill `arrived` f8 [n, moments]: the share of the robots that begin at each of `starts` i8 [n] which get to the
    last checkpoint in each register from the start of a race on.

    The checkpoints lie still on the cells `goals` i8 [m], with `distances` u2 [m, STATES]. Robots that fall get
    nowhere. Once the mean share that has not arrived is `enough` or less, the later registers stay as they are. See
    `follow_leg` for the others. Returns the number of registers that are filled.
    """
    count, legs = largest(states) + 1, goals.shape[0]
    known = np.zeros((legs, registers, count), np.bool_)
    shares = np.empty((legs, registers, count, ACTIONS))
    chances, keys = chances_of_rest(cards, drawn), np.zeros(ACTIONS, np.int64)
    mass, after = np.zeros((starts.shape[0], legs, count)), np.zeros((starts.shape[0], legs, count))
    for i in range(starts.shape[0]):
        mass[i, 0, starts[i]] = 1.0
    left = np.float64(starts.shape[0])
    for moment in range(arrived.shape[1]):
        k = moment % REGISTERS % registers
        after[:] = 0.0
        for i in range(starts.shape[0]):
            arrived[i, moment] = 0.0
            for leg in range(legs):
                goal = goals[leg]
                for j in range(states.shape[0]):
                    at = states[j]
                    here = mass[i, leg, at]
                    if here < LEAST_MASS:
                        continue
                    row = shares[leg, k, at]
                    if not known[leg, k, at]:
                        known[leg, k, at] = True
                        share_of_actions(solo[k, at], distances[leg], goal, costs, fall, cards, chances, keys, row)
                    for action in range(ACTIONS):
                        end = np.int64(solo[k, at, action])
                        if end < 0:
                            continue
                        there = end >> 2 == goal
                        if there and leg + 1 == legs:
                            arrived[i, moment] += here * row[action]
                        else:
                            after[i, leg + there, end] += here * row[action]
            left -= arrived[i, moment]
        mass, after = after, mass
        if left <= enough * starts.shape[0]:
            return moment + 1
    return arrived.shape[1]


@kernel
def share_standing(solo, states, tokens, actions, moments):
    """The share of robots that have not fallen after n registers, the first of which is the first of a round.

    Each begins in one of the states `tokens` i8 [n], all equally often, and does any action below `actions`, each
    equally often. `states` [m]: where robots can be, ascending.
    """
    count = largest(states) + 1
    mass, after = np.zeros(count), np.zeros(count)
    for i in range(tokens.shape[0]):
        mass[tokens[i]] = 1.0 / tokens.shape[0]
    for moment in range(moments):
        after[:] = 0.0
        for i in range(states.shape[0]):
            share = mass[states[i]] / actions
            if share == 0.0:
                continue
            for action in range(actions):
                end = np.int64(solo[moment % REGISTERS, states[i], action])
                if end >= 0:
                    after[end] += share
        mass, after = after, mass
    share = 0.0
    for state in range(count):
        share += mass[state]
    return share


@kernel
def chances_of_rest(cards, drawn):
    """f8 [all cards + 1]: how often none of the cards drawn is one of the others, by how many cards are the rest."""
    total = np.int64(0)
    for action in range(cards.shape[0]):
        total += cards[action]
    found = np.empty(total + 1)
    for rest in range(total + 1):
        found[rest] = 1.0
        for _ in range(drawn):
            found[rest] *= rest / total
    return found


@kernel
def share_of_actions(ends, distance, goal, costs, fall, cards, chances, keys, row):
    """Fill `row` [ACTIONS]: how often each is the best of the cards drawn; ties go to the first.

    `chances`: see `chances_of_rest`. `keys` i8 [ACTIONS] is scratch.
    """
    for action in range(ACTIONS):
        end = np.int64(ends[action])
        worth = np.int64(costs[action])
        if end < 0:
            end = ~end
            worth += fall
        if end >> 2 != goal:
            worth += np.int64(distance[end])
        keys[action] = worth * ACTIONS + action
    for action in range(ACTIONS):
        rest = 0  # the cards that are worse
        for other in range(ACTIONS):
            rest += cards[other] * (keys[other] > keys[action])
        row[action] = chances[rest + cards[action]] - chances[rest]
