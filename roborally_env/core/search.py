"""Compiled searches over the programs of a hand: alone on the course, and among the others.

`best_programs` tries every distinct program of one hand on the solo tables: the robot alone, belts, panels
and gears acting. `plan` plays the best of them out in the real simulator, against programs of the others drawn
from what the seat can know.
"""

from collections import namedtuple

import numpy as np

from roborally_env.core import cards
from roborally_env.core.advance import advance, wants_to_store
from roborally_env.core.chance import below, key_of, stream_word
from roborally_env.core.editions.steps2016 import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.editions.upgrades2016.policy import best_action, best_turn
from roborally_env.core.kernel import by_edition, kernel, with_upgrades
from roborally_env.core.maps import FALL_COST, STATES, remaining
from roborally_env.core.mats import plays_upgrades
from roborally_env.core.observe import layout
from roborally_env.core.piles import is_again, program
from roborally_env.core.redeal import redeal_robot
from roborally_env.core.search_shared import BEAM_COST, FIVE, OTHERS_TOP, WAIT, WIN, follow_tracks, insert
from roborally_env.core.state import ASK_NOTHING, NOBODY, NOWHERE, RULE_ADVANCED

WASTE = 2.0  # a register spent on a damage card: a random card is played in it

# Weights of a position after a round, in quarters of a register: cards of damage owned, the mean and the best of the
# others' remaining distance, a lost race
Weights = namedtuple("Weights", "damage others leader loss")


@by_edition("search:best_programs_2016", "search2005:best_programs")
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
    state[0] = int(game.cell[r]) * 4 + game.facing[r]
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
            k += 1
            continue
        value = WIN - 4.0 * k if won else -position_cost(maps, game, course, k + 1, state, reached, cost, places)
        if found < values.shape[0] or value > values[found - 1]:
            found = insert(value, k + 1, slot, 0, game, r, found, values, programs)
    return found


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


# -- planning among the others


@kernel
def plan_programs(maps, games, rows, seats, seed, samples, weights, candidates, out):
    """The program of seat seats[k] in game rows[k] that is best on average over `samples` deals: `out` [n, 5].

    `candidates` i1 [c, 5] is scratch; c programs are tried, the best of the solo search.
    """
    for k in range(rows.shape[0]):
        plan(maps, games, rows[k], seats[k], seed, samples, weights, candidates, out[k])


@kernel
def plan(maps, games, row, seat, seed, samples, weights, candidates, out):
    """Choose one program by playing the round out: the same deals and the same programs of the others for every
    candidate."""
    values = np.zeros(candidates.shape[0])
    count = best_programs(maps, games[row], seat, values, candidates)
    total = np.zeros(count)
    deal = games[row : row + 1].copy()
    trial = games[row : row + 1].copy()
    key = key_of(games[row].key, np.uint64(seed))
    for s in range(samples):
        deal[0] = games[row]
        redeal_for(deal[0], seat, stream_word(key, np.uint64(games[row].round_number) * np.uint64(4096) + np.uint64(s)))
        lay_others(maps, deal[0], seat)
        for c in range(count):
            trial[0] = deal[0]
            total[c] += value_of_program(maps, trial[0], seat, candidates, c, weights)
    best = 0
    for c in range(1, count):
        if total[c] > total[best]:
            best = c
    out[:] = candidates[best]


@by_edition("search:redeal_for_2016", "search2005:redeal_for")
def redeal_for(game, seat, word):
    """Draw anew what a seat cannot know, from a random word."""


@kernel
def redeal_for_2016(game, seat, word):
    """See `redeal_for`."""
    game.key = word
    game.draws = 0
    game.asking = ASK_NOTHING
    game.max_rounds = 0
    for r in range(game.players):
        if r != seat:
            redeal_robot(game, r)


@by_edition("search:lay_others_2016", "search2005:lay_others")
def lay_others(maps, game, seat):
    """The other players lay one of the best solo programs of the hand they were dealt."""


@kernel
def lay_others_2016(maps, game, seat):
    """See `lay_others`."""
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
    """Robot r lays program i; what is left stays in the hand where somebody may store it."""
    program(game, r, programs, i, 0, wants_to_store(game) or game.rules & RULE_ADVANCED)


@by_edition("search:value_of_program_2016", "search2005:value_of_program")
def value_of_program(maps, game, seat, candidates, c, weights):
    """Play the round out with the seat's candidate c and value the position after it."""


@kernel
def value_of_program_2016(maps, game, seat, candidates, c, weights):
    """See `value_of_program`."""
    lay_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = STORE_HANDS if wants_to_store(game) else BEGIN_REGISTER
    course = maps.courses[game.course]
    advance(maps.courses, game)
    if game.winner != NOBODY:
        return WIN if game.winner == seat else -weights.loss
    own = remaining(course, maps.distance, game, seat)
    others, leader = 0.0, 1e9
    for r in range(game.players):
        if r != seat:
            away = float(remaining(course, maps.distance, game, r))
            others += away
            leader = min(leader, away)
    others /= max(1, game.players - 1)
    return -own - weights.damage * damage_owned(game, seat) + weights.others * others + weights.leader * leader


@kernel
def damage_owned(game, r):
    """Damage cards in robot r's piles and hand."""
    owned = 0
    for i in range(game.drawable[r] + game.discarded[r]):
        owned += game.pile[r, i] >= cards.SPAM
    for i in range(game.held[r]):
        owned += game.hand[r, i] >= cards.SPAM
    return owned
