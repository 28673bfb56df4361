"""The searches for the community edition: locked registers, small hands, damage, places after the first."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.driving.advance import play_step
from roborally_env.core.editions.community.damage import programs_now
from roborally_env.core.editions.community.programming import begin_registers, lay_one, only_agains
from roborally_env.core.editions.e2016.search import special_column
from roborally_env.core.editions.e2016.steps import OVER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.searching.alone import is_hopeless, sort_hand
from roborally_env.core.searching.best_list import BEAM_COST, FIVE, WAIT, WIN, follow_tracks, insert, not_to_fill
from roborally_env.core.searching.distances import FALL_COST, STATES, remaining
from roborally_env.core.seeing.observe import layout
from roborally_env.core.state import NOBODY, RULE_RACE_ON
from roborally_env.courses.tables import HAS_TRAPDOORS

REPAIR = 3.0  # what a repaired token is worth to a damaged robot, in quarters of a register
MOST_REPAIRED = 2  # tokens, by one site
STOMP = 2.0  # tokens of a stomper


@kernel
def best_programs(maps, game, r, values, programs):
    """See `alone.best_programs`. What lies in locked registers is played; a robot that is not programmed has one
    program, of zeros."""
    course = maps.courses[game.course]
    room = layout(game).slots
    kinds = np.zeros(room, np.int64)
    left = np.zeros(room, np.int64)
    slots = np.zeros((room, room), np.int64)
    count = sort_hand(game, r, kinds, left, slots)
    places = np.zeros((FIVE + 1, 8), np.int64)
    follow_tracks(course, game, places)
    cursor = np.full(FIVE, -1, np.int64)
    slot = np.zeros(FIVE, np.int64)
    state = np.zeros(FIVE + 1, np.int64)
    reached = np.zeros(FIVE + 1, np.int64)
    cost = np.zeros(FIVE + 1)
    action = np.full(FIVE + 1, WAIT, np.int64)  # column carried out in the register before
    if not programs_now(game, r) or game.held[r] == 0:
        for k in range(FIVE):
            programs[0, k] = 0
        values[0] = 0.0
        return 1
    shut = not_to_fill(game, r)
    again_first = only_agains(game, r)
    most_repaired = REPAIR * min(MOST_REPAIRED, int(np.int64(game.damage[r])))
    state[0] = np.int64(game.cell[r]) * 4 + game.facing[r]
    reached[0] = game.reached[r]
    found = 0
    k = 0
    while k >= 0:
        forced = shut >> k & 1
        if cursor[k] >= 0 and not forced:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while not forced and at < count and (left[at] == 0 or (k == 0 and is_again(kinds[at]) and not again_first)):
            at += 1
        if at == (1 if forced else count):
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        if forced:
            slot[k] = -1
            card = np.int64(game.registers[r, k])
        else:
            left[at] -= 1
            slot[k] = slots[at, left[at]]
            card = kinds[at]
        column = column_of(course, game, card, action[k], state[k], reached[k])
        action[k + 1] = column
        after = np.int64(maps.solo[game.course, k, state[k], column])
        falls = after < 0
        if falls:
            after = ~after
        state[k + 1] = after
        cost[k + 1] = cost[k] + (FALL_COST if falls else cost_of_standing(course, after >> 2, k))
        reached[k + 1] = reached[k]
        if not falls and reached[k] < course.checkpoints:
            if course.track[reached[k], places[k + 1, reached[k]]] == after >> 2:
                reached[k + 1] = reached[k] + 1
        won = reached[k + 1] >= course.checkpoints
        if k + 1 < FIVE and not falls and not won:
            worst = values[found - 1] if found == values.shape[0] else -np.inf
            spent = cost[k + 1] - most_repaired
            if course.has & HAS_TRAPDOORS or not is_hopeless(
                maps, course, k + 1, after, reached[k + 1], spent, places, worst
            ):
                k += 1
            continue
        value = WIN - 4.0 * k if won else -cost_to_go(maps, game, course, r, after, reached[k + 1], cost[k + 1], places)
        if found < values.shape[0] or value > values[found - 1]:
            found = insert(value, k + 1, slot, shut, game, r, found, values, programs)
    return found


@kernel
def column_of(course, game, card, before, state, reached):
    """The column of the solo table that a card comes to; `before` is that of the register before."""
    if is_again(card):
        return before
    if card == cards.NONE or card > cards.POWER_UP:
        return np.int64(special_column(course, game, card, state, reached))
    return np.int64(card - 1)


@kernel
def cost_of_standing(course, cell, k):
    """What a cell does to a robot at the end of register k: lasers, stompers."""
    stomped = STOMP if course.stomper[cell] >> k & 1 else 0.0
    return BEAM_COST * (course.beams_on[cell] + stomped)


@kernel
def cost_to_go(maps, game, course, r, at, number, cost, places):
    """What a position at the end of the round costs, radiation and repairs taken into account."""
    total = cost + BEAM_COST * course.radiation[at >> 2]
    if game.damage[r] > 0:
        total -= REPAIR * min(int(np.int64(course.repair[at >> 2])), int(np.int64(game.damage[r])))
    base = course.distance_at[number]
    if base >= 0:
        total += maps.distance[base + places[FIVE, number] * STATES + at]
    return total + course.to_go[number + 1]


@kernel
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`: clean-up and re-entry among it."""
    lay_one(game, seat, candidates, c)
    begin_registers(game)
    while game.step >= STORE_HANDS and game.step != OVER:
        play_step(maps.courses[game.course], game)


@kernel
def worth(maps, game, seat, weights):
    """The chance to win from a position after a round; where others race on after the first, part of a win for the
    places after it."""
    at_goal = 0
    for r in range(game.players):
        at_goal += game.place[r] > 0
    if game.winner != NOBODY and not game.rules & RULE_RACE_ON:
        return 1.0 if game.winner == seat else 0.0
    if game.place[seat] > 0:
        return 1.0 / game.place[seat]
    own, total = 0.0, 0.0
    for r in range(game.players):
        if game.place[r] == 0:
            share = standing(maps, game, r, weights)
            total += share
            if r == seat:
                own = share
    return own / (total * (1.0 + at_goal)) if total > 0.0 else 0.0


@kernel
def standing(maps, game, r, weights):
    """See `among_others.standing`: damage tokens and energy count."""
    away = float(remaining(maps.courses[game.course], maps.distance, game, r))
    good = weights.energy * game.energy[r] - weights.damage * game.damage[r]
    return np.exp(good) * (away + weights.start) ** (-weights.steep)
