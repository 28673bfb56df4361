"""The searches of `search` for the 2005 edition: locked registers, small hands, priorities, and races without flags."""

import numpy as np

from roborally_env.core.advance import advance
from roborally_env.core.cards2005 import ACTION, NONE
from roborally_env.core.chance import below
from roborally_env.core.editions.rules2005.locks import closed
from roborally_env.core.editions.rules2005.programming import lay_program, programs_now
from roborally_env.core.editions.rules2005.specials import next_flag, next_in_order
from roborally_env.core.editions.steps2005 import LEFTOVERS
from roborally_env.core.kernel import kernel
from roborally_env.core.maps import FALL_COST, STATES, remaining
from roborally_env.core.redeal import redeal_others
from roborally_env.core.search_shared import BEAM_COST, FIVE, OTHERS_TOP, WAIT, WIN, follow_tracks, insert
from roborally_env.core.state import ASK_NOTHING, NOBODY
from roborally_env.courses.tables import WIDTH

ROOM = 12  # cards of a hand, and more
REPAIR = 3.0  # what a repaired token is worth to a damaged robot, in quarters of a register
HUNT = 2.0  # a space nearer to the prey
LIFE = 24.0  # what a life token is worth
POWER_DOWN_FROM = 5  # tokens


@kernel
def best_programs(maps, game, r, values, programs):
    """See `search.best_programs`. Of several cards of a kind the fastest is laid first; a robot that is not programmed
    has one program, of zeros."""
    course = maps.courses[game.tables_at]
    kinds = np.zeros(ROOM, np.int64)
    left = np.zeros(ROOM, np.int64)
    slots = np.zeros((ROOM, ROOM), np.int64)
    count = sort_hand(game, r, kinds, left, slots)
    places = np.zeros((FIVE + 1, 8), np.int64)
    follow_tracks(course, game, places)
    cursor = np.full(FIVE, -1, np.int64)
    slot = np.zeros(FIVE, np.int64)
    state = np.zeros(FIVE + 1, np.int64)
    goal = np.zeros(FIVE + 1, np.int64)  # the flag that is next, NOBODY without one
    cost = np.zeros(FIVE + 1)
    if not programs_now(game, r) or game.held[r] == 0:
        for k in range(FIVE):
            programs[0, k] = 0
        values[0] = 0.0
        return 1
    shut = not_to_fill(game, r)
    in_order = next_in_order(course, game, r) != NOBODY
    prey = cell_of_prey(game, r)
    state[0] = np.int64(game.cell[r]) * 4 + game.facing[r]
    goal[0] = next_flag(course, game, r)
    found = 0
    k = 0
    while k >= 0:
        forced = shut >> k & 1
        if cursor[k] >= 0 and not forced:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while not forced and at < count and left[at] == 0:
            at += 1
        if at == (1 if forced else count):
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        if forced:
            slot[k] = -1
            column = max(ACTION[game.registers[r, k]] - 1, 0) if game.registers[r, k] != NONE else WAIT
        else:
            left[at] -= 1
            slot[k] = slots[at, left[at]]
            column = kinds[at] - 1
        ends = False
        extra = 0.0
        after = np.int64(maps.solo[game.course, k, state[k], column])
        if after < 0:
            after = ~after
            ends = True
            extra = FALL_COST
        state[k + 1] = after
        cost[k + 1] = cost[k] + extra + BEAM_COST * course.beams_on[after >> 2]
        goal[k + 1] = goal[k]
        won = False
        flag = goal[k]
        if flag != NOBODY and course.track[flag, places[k + 1, flag]] == after >> 2:
            won = not in_order or flag + 1 >= course.checkpoints
            goal[k + 1] = NOBODY if won else flag + 1
        if k + 1 < FIVE and not ends and not won:
            k += 1
            continue
        if won:
            value = WIN - 4.0 * k
        else:
            value = -cost_to_go(maps, game, course, r, k + 1, state, goal, cost, places, prey)
        if found < values.shape[0] or value > values[found - 1]:
            found = insert(value, k + 1, slot, shut, game, r, found, values, programs)
    return found


@kernel
def not_to_fill(game, r):
    """The registers that get no card, as bits: closed ones, and the last ones where the hand is too small."""
    shut = closed(game, r)
    free = FIVE
    for k in range(FIVE):
        free -= shut >> k & 1
    for k in range(FIVE - 1, -1, -1):
        if free > game.held[r] and not shut >> k & 1:
            shut |= 1 << k
            free -= 1
    return shut


@kernel
def sort_hand(game, r, kinds, left, slots):
    """The hand by actions, in each the fastest card last (it is laid first). Returns the number of kinds."""
    count = 0
    for i in range(np.int64(game.held[r])):
        action = ACTION[game.hand[r, i]]
        at = 0
        while at < count and kinds[at] != action:
            at += 1
        if at == count:
            kinds[at] = action
            count += 1
        place = left[at]
        while place > 0 and game.hand[r, slots[at, place - 1]] > game.hand[r, i]:
            slots[at, place] = slots[at, place - 1]
            place -= 1
        slots[at, place] = i
        left[at] += 1
    return count


@kernel
def cost_to_go(maps, game, course, r, k, state, goal, cost, places, prey):
    """What a position after k registers costs, repairs taken into account; without a flag the way to the prey."""
    at = state[k]
    for register in range(k, FIVE):
        after = np.int64(maps.solo[game.course, register, at, WAIT])
        at = ~after if after < 0 else after
    total = cost[k]
    if course.repair[at >> 2] and game.damage[r] > 0:
        total -= REPAIR
    flag = goal[k]
    if flag == NOBODY:
        return total + (HUNT * spaces_between(at >> 2, prey) if prey >= 0 else 0.0)
    base = course.distance_at[flag]
    if base >= 0:
        total += maps.distance[base + places[FIVE, flag] * STATES + at]
    return total + (course.to_go[flag + 1] if next_in_order(course, game, r) != NOBODY else 0)


@kernel
def spaces_between(here, there):
    """Spaces to walk between two cells of an empty floor."""
    return abs(here % WIDTH - there % WIDTH) + abs(here // WIDTH - there // WIDTH)


@kernel
def cell_of_prey(game, r):
    """The cell of the robot that one without a flag hunts: the SuperBot, else the nearest of another team."""
    if game.superbot != NOBODY:
        return np.int64(game.cell[game.superbot]) if game.superbot != r else NOBODY
    best, nearest = np.int64(NOBODY), 1 << 30
    for q in range(game.players):
        if game.team[q] != game.team[r] and game.cell[q] >= 0:
            away = spaces_between(np.int64(game.cell[r]), np.int64(game.cell[q]))
            if away < nearest:
                best, nearest = np.int64(game.cell[q]), away
    return best


@kernel
def redeal_for(game, seat, word):
    """Draw anew what a seat cannot know, from a random word."""
    game.key = word
    game.draws = 0
    game.asking = ASK_NOTHING
    game.max_rounds = 0
    redeal_others(game, seat)


@kernel
def lay_others(maps, game, seat):
    """The other players lay one of the best solo programs of the hand they were dealt."""
    values = np.zeros(OTHERS_TOP)
    programs = np.zeros((OTHERS_TOP, FIVE), np.int8)
    for r in range(game.players):
        if r != seat:
            found = best_programs(maps, game, r, values, programs)
            level = 0  # those within half a register of the best
            while level < found and values[level] >= values[0] - 2.0:
                level += 1
            lay_one(game, r, programs, below(game, level))


@kernel
def lay_one(game, r, programs, i):
    """Robot r lays program i."""
    laid = np.zeros((1, FIVE), np.int8)
    lay_program(game, r, programs[i : i + 1], 0, 0, laid)


@kernel
def value_of_program(maps, game, seat, candidates, c, weights):
    """Play the turn out with the seat's candidate c and value the position after it."""
    lives = np.int64(game.lives[seat])
    lay_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = LEFTOVERS
    advance(maps.courses, game)
    if game.winner != NOBODY:
        return WIN if game.team[game.winner] == game.team[seat] else -weights.loss
    course = maps.courses[game.tables_at]
    own = to_go(maps, course, game, seat)
    others, leader, count = 0.0, 1e9, 0
    theirs = 0.0
    for q in range(game.players):
        if game.team[q] != game.team[seat]:
            away = to_go(maps, course, game, q)
            others += away
            leader = min(leader, away)
            theirs += LIFE * game.lives[q] - game.damage[q]
            count += 1
    count = max(1, count)
    lost = lives - game.lives[seat]
    value = -own - 2.0 * weights.damage * game.damage[seat] - LIFE * lost
    return value + weights.others * others / count + weights.leader * min(leader, 1e6) - weights.others * theirs / count


@kernel
def to_go(maps, course, game, r):
    """What robot r still has to go; without a flag to go for, its way to the prey."""
    if game.lives[r] == 0:
        return 1000.0
    if next_flag(course, game, r) == NOBODY and game.cell[r] >= 0:
        prey = cell_of_prey(game, r)
        return HUNT * spaces_between(np.int64(game.cell[r]), prey) if prey >= 0 else 0.0
    return float(remaining(course, maps.distance, game, r))
