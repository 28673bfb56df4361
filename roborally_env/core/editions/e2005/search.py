"""The searches for the 2005 edition: locked registers, small hands, priorities, and races without flags."""

import numpy as np

from roborally_env.core.cards2005 import ACTION, NONE
from roborally_env.core.driving.advance import advance
from roborally_env.core.editions.e2005.locks import programs_now
from roborally_env.core.editions.e2005.programming import lay_program
from roborally_env.core.editions.e2005.specials import (
    CAPTURE_THE_FLAG,
    CLAIMS,
    LAST_TEAM_STANDING,
    RACERS_AND_BLOCKERS,
    SUPERBOT,
    next_flag,
    next_in_order,
)
from roborally_env.core.editions.e2005.steps import LEFTOVERS
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.among_others import chance_to_win
from roborally_env.core.searching.best_list import BEAM_COST, FIVE, WAIT, WIN, follow_tracks, insert, not_to_fill
from roborally_env.core.searching.distances import FALL_COST, STATES, remaining
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import WIDTH

ROOM = 12  # cards of a hand, and more
REPAIR = 3.0  # what a repaired token is worth to a damaged robot, in quarters of a register
HUNT = 2.0  # a space nearer to the prey
TOKEN = 1.5  # an own damage token
LIFE = 24.0  # a life token
OTHERS = 0.2  # what the others have left to go, in the mean, and the nearest of them, beside the own way
GOAL = 100.0  # a flag held (Toggle Boggle) or carried (Capture the Flag), more than the way to the next one
FAR_AWAY = 1000.0
LOSS = 1000.0
# special rules where more than the way to the flags in order decides
OTHER_AIMS = CAPTURE_THE_FLAG | CLAIMS | LAST_TEAM_STANDING | RACERS_AND_BLOCKERS | SUPERBOT


@kernel
def best_programs(maps, game, r, values, programs):
    """See `alone.best_programs`. Of several cards of a kind the fastest is laid first; a robot that is not programmed
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
def lay_one(game, r, programs, i):
    """Robot r lays program i."""
    laid = np.zeros((1, FIVE), np.int8)
    lay_program(game, r, programs[i : i + 1], 0, 0, laid)


@kernel
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`: a turn, clean-up and reentry among it."""
    lay_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = LEFTOVERS
    advance(maps.courses, game)


@kernel
def worth(maps, game, seat, weights):
    """See `among_others.worth`: the chance to win where flags in order win, else how much is ahead of the others."""
    return lead(maps, game, seat) if game.special & OTHER_AIMS else chance_to_win(maps, game, seat, weights)


@kernel
def lead(maps, game, seat):
    """What a seat has ahead of the other teams, in quarters of a register: the way to go, damage, lives."""
    if game.winner != NOBODY:
        return WIN if game.team[game.winner] == game.team[seat] else -LOSS
    theirs, leader, count, goals = 0.0, FAR_AWAY, 0, 0
    for q in range(game.players):
        if game.team[q] != game.team[seat]:
            away = way_to_go(maps, game, q)
            theirs += away - LIFE * game.lives[q] + game.damage[q]
            goals = goals_of(game, np.int64(game.team[q]))
            leader = min(leader, away)
            count += 1
    own = way_to_go(maps, game, seat) + TOKEN * game.damage[seat] - LIFE * game.lives[seat]
    goals = goals_of(game, np.int64(game.team[seat])) - goals
    return GOAL * goals + OTHERS * (theirs / max(1, count) + leader) - own


@kernel
def goals_of(game, team):
    """What a team has got of that which wins: flags that it holds, or the other team's flag in its hands."""
    if game.special & CAPTURE_THE_FLAG:
        return np.int64(game.carrier[1 - game.home[team]] != NOBODY)
    goals = 0
    if game.special & CLAIMS:
        for i in range(game.claim.shape[0]):
            goals += game.claim[i] == team
    return goals


@kernel
def way_to_go(maps, game, r):
    """What robot r still has to go; far where it is out."""
    return to_go(maps, maps.courses[game.tables_at], game, r) if game.lives[r] > 0 else FAR_AWAY


@kernel
def standing(maps, game, r, weights):
    """See `among_others.standing`: damage and life tokens count; a robot that is out has none."""
    if game.lives[r] == 0:
        return 0.0
    away = to_go(maps, maps.courses[game.tables_at], game, r)
    return np.exp(weights.lives * game.lives[r] - weights.damage * game.damage[r]) * (away + weights.start) ** (
        -weights.steep
    )


@kernel
def to_go(maps, course, game, r):
    """What robot r still has to go; without a flag to go for, its way to the prey."""
    if next_flag(course, game, r) == NOBODY and game.cell[r] >= 0:
        prey = cell_of_prey(game, r)
        return HUNT * spaces_between(np.int64(game.cell[r]), prey) if prey >= 0 else 0.0
    return float(remaining(course, maps.distance, game, r))


@kernel
def in_one_team(game, r, seat):
    """Whether two robots win together."""
    return game.team[r] == game.team[seat]


@kernel
def hand_tells(game):
    """See `alone.hand_tells`: not where registers may be locked."""
    return False
