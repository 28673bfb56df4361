"""Compiled search over the programs of a hand, alone on the course.

`best_programs` tries every distinct program of one hand on the solo tables: the robot alone, belts, panels
and gears acting. `search_plan` plays the best of them out among the others.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.editions.e2016.upgrades.policy import best_action, best_turn
from roborally_env.core.kernel import by_edition, kernel, with_upgrades
from roborally_env.core.mechanics.mats import plays_upgrades
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.searching.best_list import BEAM_COST, FIVE, WAIT, WIN, follow_tracks, insert
from roborally_env.core.searching.distances import FALL_COST, STATES
from roborally_env.core.seeing.observe import layout
from roborally_env.core.state import NOWHERE
from roborally_env.courses.tables import HAS_MOVING, HAS_PANELS

WASTE = 2.0  # a register spent on a damage card: a random card is played in it
DEAREST = 5  # what a register costs at most in `maps.COSTS`


@by_edition(
    "searching.alone:best_programs_2016",
    "editions.e2005.search:best_programs",
    "editions.community.search:best_programs",
)
def best_programs(maps, game, r, values, programs):
    """The best distinct programs of robot r's hand, alone on the course.

    Fills `values` [n] (best first) and `programs` [n, 5].

    Returns how many there are (n at most). Values are minus the quarter registers still to go after the round.
    """


@kernel
def best_programs_2016(maps, game, r, values, programs):
    """Again and damage cards taken into account."""
    course = maps.courses[game.course]
    room = layout(game).slots
    kinds = np.zeros(room, np.int64)  # distinct cards of the hand
    left = np.zeros(room, np.int64)  # of each, how many are not laid
    slots = np.zeros((room, room), np.int64)  # of each, the slots they lie in
    count = sort_hand(game, r, kinds, left, slots)
    places = np.zeros((FIVE + 1, 8), np.int64)  # place of each moving checkpoint along its track after k registers
    follow_tracks(course, game, places)
    cursor = np.full(FIVE, -1, np.int64)
    slot = np.zeros(FIVE, np.int64)
    state = np.zeros(FIVE + 1, np.int64)
    reached = np.zeros(FIVE + 1, np.int64)
    cost = np.zeros(FIVE + 1)
    action = np.full(FIVE + 1, WAIT, np.int64)  # column carried out in the register before
    state[0] = int(game.cell[r]) * 4 + int(game.facing[r])
    reached[0] = game.reached[r]
    found = 0
    k = 0
    while k >= 0:
        if cursor[k] >= 0:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while at < count and (left[at] == 0 or (k == 0 and is_again(kinds[at]))):
            at += 1
        if at == count:
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        left[at] -= 1
        slot[k] = slots[at, left[at]]
        card = kinds[at]
        column = card - 1
        extra = 0.0
        ends = card == cards.WORM
        if is_again(card):
            column = action[k]
        elif card >= cards.SPAM:
            column = WAIT
            extra = WASTE
            if plays_upgrades(game) and card > cards.TROJAN_HORSE:
                extra = 0.0
                column = special_column(course, game, card, state[k], reached[k])
        action[k + 1] = column
        after = int(maps.solo[game.course, k, state[k], column])
        if after < 0:
            after = ~after
            ends = True
        if ends:
            extra += FALL_COST
        state[k + 1] = after
        cost[k + 1] = cost[k] + extra + BEAM_COST * course.beams_on[after >> 2]
        reached[k + 1] = reached[k]
        if reached[k] < course.checkpoints and course.track[reached[k], places[k + 1, reached[k]]] == after >> 2:
            reached[k + 1] = reached[k] + 1
        won = reached[k + 1] >= course.checkpoints
        if k + 1 < FIVE and not ends and not won:
            worst = values[found - 1] if found == values.shape[0] else -np.inf
            if not is_hopeless(maps, course, k + 1, after, reached[k + 1], cost[k + 1], places, worst):
                k += 1
            continue
        value = WIN - 4.0 * k if won else -position_cost(maps, game, course, k + 1, state, reached, cost, places)
        if found < values.shape[0] or value > values[found - 1]:
            found = insert(value, k + 1, slot, 0, game, r, found, values, programs)
    return found


@kernel
def is_hopeless(maps, course, k, state, reached, cost, places, worst):
    """Whether no program that goes on from a position after k registers can be worth more than `worst`.

    A register brings a robot nearer by no more than it costs. Panels make distances depend on the register, and a
    checkpoint that rides on belts makes the legs after it depend on when it is reached: where that may matter, the
    answer is no.
    """
    base = course.distance_at[reached]
    if worst == -np.inf or course.has & HAS_PANELS or base < 0:
        return False
    leg = int(maps.distance[base + places[k, reached] * STATES + state]) - DEAREST * (FIVE - k)
    least = leg + course.to_go[reached + 1]
    can_end = leg <= 0 if course.has & HAS_MOVING else least <= 0
    return not can_end and -(least + cost) <= worst


@with_upgrades(WAIT)
def special_column(course, game, card, state, reached):
    """The column of the solo table that a special card comes to, by the default policy of its choice."""
    if card == cards.SPEED_ROUTINE:
        return cards.MOVE_3 - 1
    goal = int(game.checkpoint[reached]) if reached < course.checkpoints else NOWHERE
    if card == cards.WEASEL_ROUTINE:
        return best_turn(state >> 2, state & 3, goal) - 1
    if card == cards.SANDBOX_ROUTINE:
        return best_action(course, state >> 2, state & 3, goal) - 1
    return WAIT


@kernel
def sort_hand(game, r, kinds, left, slots):
    """The hand by kinds of card: fills the three arrays, returns the number of kinds."""
    count = 0
    for i in range(layout(game).slots):
        card = int(game.hand[r, i])
        if card == cards.NONE:
            continue
        at = 0
        while at < count and kinds[at] != card:
            at += 1
        if at == count:
            kinds[at] = card
            count += 1
        slots[at, left[at]] = i
        left[at] += 1
    return count


@kernel
def position_cost(maps, game, course, k, state, reached, cost, places):
    """What a position after k registers costs: registers lost by a fall are waited out first."""
    at = state[k]
    for register in range(k, FIVE):
        at = int(maps.solo[game.course, register, at, WAIT])
        if at < 0:
            at = ~at
    number = reached[k]
    base = course.distance_at[number]
    away = 0
    if base >= 0:
        away = int(maps.distance[base + places[FIVE, number] * STATES + at])
    return away + course.to_go[number + 1] + cost[k]


@kernel
def greedy_programs(maps, games, rows, seats, out):
    """The best solo program of seat seats[k] in game rows[k]: `out` [n, 5]."""
    values = np.zeros(1)
    programs = np.zeros((1, FIVE), np.int8)
    for k in range(rows.shape[0]):
        best_programs(maps, games[rows[k]], seats[k], values, programs)
        out[k] = programs[0]
