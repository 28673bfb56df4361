"""The searches of the 2016 games; see `core.searching`."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.driving.advance import wants_to_store
from roborally_env.core.editions.e2016.race import play_step
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.editions.e2016.upgrades.policy import best_action, best_turn
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.mats import plays_upgrades
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.searching.alone import WASTE, is_hopeless, position_cost, sort_hand
from roborally_env.core.searching.among_others import lay_one
from roborally_env.core.searching.best_list import BEAM_COST, FIVE, WAIT, WIN, follow_tracks, insert
from roborally_env.core.searching.distances import FALL_COST
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import NOWHERE
from roborally_env.core.steps import OVER
from roborally_env.core.traits import with_upgrades


@kernel
def best_programs(maps, game, r, values, programs):
    """See `alone.best_programs`."""
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
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`."""
    lay_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = STORE_HANDS if wants_to_store(game) else BEGIN_REGISTER
    while game.step >= STORE_HANDS and game.step != OVER:
        play_step(maps.courses[game.course], game)
