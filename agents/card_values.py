"""What each card of a hand leads to: the best program of a robot alone that goes on with it. `roborally train ppo` can
learn from this what to choose; the network that plays does not see it.
"""

import numpy as np
from roborally_env.agents.registers import KINDS, legal_kinds

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.searching import ghost
from roborally_env.core.searching.alone import (
    DEAREST,
    best_by_falling,
    cost_to_go,
    is_hopeless,
    kind_of_card,
    most_spared,
    step_alone,
)
from roborally_env.core.searching.best_list import FIVE, WAIT, WIN
from roborally_env.core.searching.distances import next_in_order
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.state import NOBODY


@kernel
def card_values(maps, game, r, begin, pose, places, shut, counts, bits, out):
    """The value of each kind of card in register `begin` (0..4): `out` f8 [KINDS], -inf for kinds that are not in
    `bits`.

    It is that of the best program which begins with the cards that led to `pose` and goes on with this one: minus the
    quarter registers still to go after the round, as in `alone.best_programs`. `counts` f4 [KINDS] are the cards left,
    `shut` the registers that get none, as bits.
    """
    course = maps.courses[planned_at(maps, game)]
    in_order = next_in_order(course, game, r) != NOBODY
    spared = most_spared(course, game, r)
    by_falls = best_by_falling(maps, game, course, r, places) if spared < np.inf else np.inf
    left = np.zeros(KINDS, np.int64)
    for j in range(KINDS):
        left[j] = np.int64(counts[j])
        out[j] = -np.inf
    cursor = np.empty(FIVE, np.int64)
    cursor[:] = -1
    state, goal = np.zeros(FIVE + 1, np.int64), np.zeros(FIVE + 1, np.int64)
    before, cost = np.empty(FIVE + 1, np.int64), np.zeros(FIVE + 1)
    before[:] = WAIT
    state[begin], goal[begin], before[begin] = pose[ghost.STATE], pose[ghost.GOAL], pose[ghost.BEFORE]
    k, first = begin, np.int64(0)
    while k >= begin:
        forced = shut >> k & 1
        if cursor[k] >= 0 and not forced:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while not forced and at < KINDS and (left[at] == 0 or (k == begin and not bits >> at & 1)):
            at += 1
        if at >= (1 if forced else KINDS):
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        card = np.int64(at + 1)
        if forced:
            card = np.int64(game.registers[r, k])
            card = np.int64(kind_of_card(game, card)) if card != cards.NONE else card
        else:
            left[at] -= 1
        if k == begin:
            first = np.int64(at)
        before[k + 1], state[k + 1], goal[k + 1], cost[k + 1], ends, won = step_alone(
            maps, course, game, r, k, card, before[k], state[k], goal[k], cost[k], in_order, places
        )
        if k + 1 < FIVE and not ends and not won:
            spent = cost[k + 1] - spared
            gain = DEAREST * (FIVE - k - 1)
            if (
                spared == np.inf
                or by_falls > out[first]
                or not is_hopeless(maps, course, k + 1, state[k + 1], goal[k + 1], spent, places, out[first], gain)
            ):
                k += 1
            continue
        value = WIN - 4.0 * k
        if not won:
            value = -cost_to_go(maps, game, course, r, k + 1, state[k + 1], goal[k + 1], cost[k + 1], places)
        out[first] = max(out[first], value)


@kernel
def soft_choices(maps, games, rows, seats, k, poses, places, shut, counts, used, temperature, out):
    """How a robot alone would choose the card of register k (0..4): `out` f4 [n, KINDS], the softmax of the cards'
    values / `temperature` (quarter registers). Zeros where there is nothing to choose: in registers that get no card,
    and after a fall or the last checkpoint.
    """
    values = np.zeros(KINDS)
    for i in range(rows.shape[0]):
        game, r = games[rows[i]], seats[i]
        out[i, :] = 0.0
        if shut[i] >> k & 1 or poses[i, ghost.ENDED] != ghost.ON:
            continue
        bits = np.int64(legal_kinds(game, r, k, used[i]))
        if bits == 0:
            continue
        card_values(maps, game, r, k, poses[i], places[i], shut[i], counts[i], bits, values)
        best = -np.inf
        for j in range(KINDS):
            best = max(best, values[j])
        if best == -np.inf:
            continue
        total = 0.0
        for j in range(KINDS):
            total += np.exp((values[j] - best) / temperature)
        for j in range(KINDS):
            out[i, j] = np.exp((values[j] - best) / temperature) / total
