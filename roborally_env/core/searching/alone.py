"""Compiled search over the programs of a hand for a robot alone on the course.

`best_programs` tries every distinct program of one hand on the solo tables, in which the robot is alone and belts,
panels and gears act. `among_others` simulates the best of these programs among the other robots.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.mechanics.programs import legal_card, programs_now
from roborally_env.core.rule import rule
from roborally_env.core.searching.best_list import (
    BEAM_COST,
    FIVE,
    WAIT,
    WIN,
    copy_row,
    follow_tracks,
    insert,
    not_to_fill,
    packed,
    write_programs,
)
from roborally_env.core.searching.distances import (
    FALL_COST,
    STATES,
    costs_of_actions,
    next_checkpoint,
    next_in_order,
)
from roborally_env.core.searching.plan_tables import back_at, planned_at
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import HAS_MOVING, HAS_PANELS

WASTE = 2.0  # cost of a register with a damage card, which plays a random card
FARTHEST = 1e6  # more than any distance
REPEATS, DEPENDS = -1, -2  # columns of cards for which the solo table has none of their own
DEAREST = 5  # the largest cost of a card's action in `distances.costs_of_actions`


@kernel
def best_programs(maps, game, r, values, programs):
    """The best distinct programs of robot r's hand, alone on the course.

    Fills `values` [n] (best first) and `programs` [n, 5]: slots of the hand, 0 in registers that get no card. Cards in
    closed registers are played. A robot that gets no program has one program, of zeros.

    Returns the number of programs (at most n). A value is minus the quarter registers still to go after the round.
    """
    return programs_near_best(maps, game, r, values, programs, 0.0 if values.shape[0] == 1 else np.inf)


@kernel(apart=True)
def programs_near_best(maps, game, r, values, programs, within):
    """The same for those programs whose values are at most `within` below the best; others may be among them."""
    course = maps.courses[planned_at(maps, game)]
    room = game.hand.shape[1]
    kinds = np.zeros(room, np.int64)  # distinct kinds of cards in the hand
    left = np.zeros(room, np.int64)  # of each kind, how many are unused
    slots = np.zeros((room, room), np.int64)  # of each kind, the slots they lie in
    count = sort_hand(game, r, kinds, left, slots)
    if not programs_now(game, r) or count == 0:
        for k in range(FIVE):
            programs[0, k] = 0
        values[0] = 0.0
        return 1
    places = np.zeros((FIVE + 1, 8), np.int64)  # place of each moving checkpoint along its track after k registers
    follow_tracks(course, game, places)
    shut = not_to_fill(game, r)
    in_order = next_in_order(course, game, r) != NOBODY
    spared = most_spared(course, game, r)
    gains = np.zeros(FIVE + 1, np.int64)
    most_gained(game, r, shut, kinds, left, count, gains)
    by_falls = best_by_falling(maps, game, course, r, places) if spared < np.inf else np.inf
    columns = np.zeros(room, np.int64)  # of each kind, see `plain_column`
    for i in range(count):
        columns[i] = plain_column(kinds[i])
    # first one program is found, so that others can be given up from the beginning
    diving = within < np.inf and gives_up(course, spared)
    sure = -np.inf  # the value of a program that is certain to be found
    kept = np.zeros(values.shape[0], np.int64)  # programs, as `best_list.packed` numbers
    cursor = np.empty(FIVE, np.int64)
    cursor[:] = -1
    slot = np.zeros(FIVE, np.int64)
    state = np.zeros(FIVE + 1, np.int64)
    goal = np.zeros(FIVE + 1, np.int64)  # the next checkpoint, or NOBODY
    cost = np.zeros(FIVE + 1)
    action = np.empty(FIVE + 1, np.int64)  # column carried out in the register before
    action[:] = WAIT
    state[0] = np.int64(game.cell[r]) * 4 + game.facing[r]
    goal[0] = next_checkpoint(course, game, r)
    found = 0
    k = 0
    while k >= 0:
        forced = shut >> k & 1
        if k == FIVE - 1 and not forced and not diving:
            at = -1
            while True:
                worst = values[found - 1] if found == values.shape[0] else -np.inf
                at = next_card(
                    maps, course, game, r, k, kinds, columns, left, count, action[k], state[k], goal[k],
                    cost[k] - spared, places, worst, 0, at + 1,
                )  # fmt: skip
                if at == count:
                    break
                _, after, number, spent, _, won = step_alone(
                    maps, course, game, r, k, kinds[at], action[k], state[k], goal[k], cost[k], in_order, places
                )
                value = WIN - 4.0 * k
                if not won:
                    value = -cost_to_go(maps, game, course, r, FIVE, after, number, spent, places)
                if found < values.shape[0] or value > values[found - 1]:
                    slot[k] = slots[at, left[at] - 1]
                    found = insert(value, packed(slot, FIVE), found, values, kept)
            k -= 1
            continue
        if cursor[k] >= 0 and not forced:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        worst = sure
        if found == values.shape[0]:
            worst = max(sure, values[found - 1])
        if not forced and at < count:
            at = next_card(
                maps, course, game, r, k, kinds, columns, left, count, action[k], state[k], goal[k], cost[k] - spared,
                places, -np.inf if diving or by_falls > worst else worst, gains[k + 1], at,
            )  # fmt: skip
        if diving and at < count and not forced:
            at = nearest(maps, course, game, r, k, kinds, left, count, action[k], state[k], goal[k], places, at)
        if at == (1 if forced else count):
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        if forced:
            slot[k] = -1
            card = kind_of_card(game, game.registers[r, k])
        else:
            left[at] -= 1
            slot[k] = slots[at, left[at]]
            card = kinds[at]
        action[k + 1], state[k + 1], goal[k + 1], cost[k + 1], ends, won = step_alone(
            maps, course, game, r, k, card, action[k], state[k], goal[k], cost[k], in_order, places
        )
        if k + 1 < FIVE and not ends and not won:
            spent = cost[k + 1] - spared
            if (
                spared == np.inf
                or by_falls > worst
                or not is_hopeless(maps, course, k + 1, state[k + 1], goal[k + 1], spent, places, worst, gains[k + 1])
            ):
                k += 1
            continue
        value = WIN - 4.0 * k
        if not won:
            value = -cost_to_go(maps, game, course, r, k + 1, state[k + 1], goal[k + 1], cost[k + 1], places)
        if diving:
            sure = np.nextafter(value - within, -np.inf)
            diving = False
            while k >= 0:
                if cursor[k] >= 0 and not shut >> k & 1:
                    left[cursor[k]] += 1
                cursor[k] = -1
                k -= 1
            k = 0
            continue
        if found < values.shape[0] or value > values[found - 1]:
            found = insert(value, packed(slot, k + 1), found, values, kept)
    write_programs(game, r, shut, found, kept, programs)
    return found


@kernel
def step_alone(maps, course, game, r, k, card, before, state, goal, cost, in_order, places):
    """A card in register k of a robot alone on the course: (its column, the state after it, the next checkpoint, the
    cost so far, whether the program ends, whether the race is won)."""
    column = column_of(course, game, card, before, state, goal)
    after = np.int64(maps.solo[course.solo_at[k], state, column])
    fell = after < 0
    if fell:
        after = np.int64(back_at(game, r, ~after))
    ends = fell
    extra = 0.0
    if card >= cards.SPAM and card <= cards.TROJAN_HORSE:
        extra = WASTE
        ends |= card == cards.WORM
    if ends:
        extra += FALL_COST
    cost += extra + cost_of_standing(course, game, after >> 2, k, fell)
    won = False
    if goal != NOBODY and not fell and course.track[goal, places[k + 1, goal]] == after >> 2:
        won = not in_order or goal + 1 >= course.checkpoints
        goal = np.int64(NOBODY) if won else goal + 1
    return column, after, goal, cost, ends, won


@kernel
def plain_column(card):
    """The column of the solo table for a card whatever the position; REPEATS for an Again, DEPENDS for others."""
    if card > cards.NONE and card <= cards.POWER_UP:
        return np.int64(card) - 1
    return np.int64(REPEATS if is_again(card) else DEPENDS)


@kernel(often=True)
def next_card(
    maps, course, game, r, k, kinds, columns, left, count, before, state, goal, cost, places, worst, gain, first
):
    """The first kind of card, from `first` on, that may go into register k and is not seen at once to be hopeless
    there: that no program with it can be worth more than `worst`. `count` if there is none.

    The bound is that of `is_hopeless`; what is not seen at once is left to it.
    """
    base, bounded = np.int64(0), False
    if worst > -np.inf and goal != NOBODY:
        base = np.int64(course.distance_at[goal])
        bounded = bool(base >= 0 and not (course.has & HAS_PANELS and course.later_tables == 0))
        base += places[k + 1, goal] * STATES + ((k + 1) * course.later_tables if k + 1 < FIVE else 0)
    if not bounded:
        for at in range(first, count):
            if left[at] > 0 and legal_card(game, r, kinds[at], k):
                return at
        return count
    beyond = np.int64(course.to_go[goal + 1])
    # whole distances of `limit` and more are hopeless; below it the next checkpoint may be reached in the round
    limit = np.int64(min(-worst - cost, FARTHEST))
    limit += -(limit + cost) > worst
    limit += -(limit + cost) > worst
    limit = max(limit, 1 + (beyond if course.has & (HAS_MOVING | HAS_PANELS) else 0)) + gain - beyond
    table, aim = np.int64(course.solo_at[k]), np.int64(course.track[goal, places[k + 1, goal]])
    for at in range(first, count):
        if left[at] == 0 or not legal_card(game, r, kinds[at], k):
            continue
        column = before if columns[at] == REPEATS else columns[at]
        if column == DEPENDS:
            return at
        after = np.int64(maps.solo[table, state, column])
        if after < 0 or after >> 2 == aim:
            return at
        if np.int64(maps.distance[base + after]) < limit:
            return at
    return count


@kernel
def gives_up(course, spared):
    """Whether programs can be given up early at all: see `is_hopeless`."""
    return spared < np.inf and (not course.has & HAS_PANELS or course.later_tables > 0)


@kernel
def nearest(maps, course, game, r, k, kinds, left, count, before, state, goal, places, first):
    """The kind of card, from `first` on, that brings the robot nearest to its next checkpoint in register k."""
    best, least = first, np.inf
    base = course.distance_at[goal] if goal != NOBODY else -1
    if base < 0:
        return best
    for at in range(first, count):
        if left[at] == 0 or not legal_card(game, r, kinds[at], k):
            continue
        after = np.int64(maps.solo[course.solo_at[k], state, column_of(course, game, kinds[at], before, state, goal)])
        if after < 0:
            continue
        away = float(maps.distance[base + places[k + 1, goal] * STATES + after])
        if course.track[goal, places[k + 1, goal]] == after >> 2:
            away = -1.0
        away += cost_of_card(game, kinds[at])
        if away < least:
            best, least = at, away
    return best


@kernel
def most_gained(game, r, shut, kinds, left, count, gains):
    """Fill `gains` i8 [6]: by how much registers k, k + 1, .. can shorten the distance at most, by the cards of the
    hand, or those that lie in closed registers `shut`."""
    dear = np.zeros(game.hand.shape[1], np.int64)  # costs of the cards of the hand, the highest first
    held = 0
    for i in range(count):
        cost = cost_of_card(game, kinds[i])
        for _ in range(left[i]):
            at = held
            while at > 0 and dear[at - 1] < cost:
                dear[at] = dear[at - 1]
                at -= 1
            dear[at] = cost
            held += 1
    free = 0
    gains[FIVE] = 0
    for k in range(FIVE - 1, -1, -1):
        if shut >> k & 1:
            gains[k] = gains[k + 1] + cost_of_card(game, kind_of_card(game, game.registers[r, k]))
        else:
            gains[k] = gains[k + 1] + (dear[free] if free < held else 0)
            free += 1


@kernel
def cost_of_card(game, card):
    """What a card's action costs in the distances, at most: a special card may do any of them."""
    if card > cards.NONE and card < cards.POWER_UP:
        return np.int64(costs_of_actions(game)[card - 1])
    return max(np.int64(DEAREST), np.int64(costs_of_actions(game)[WAIT]))


@rule
def best_by_falling(maps, game, course, r, places):
    """The most that a program may be worth in which the robot falls; minus infinity if the distances know ways by
    falling, so that `is_hopeless` does too."""
    return -np.inf


@rule
def kind_of_card(game, card):
    """The kind of a card in the search, which treats cards of one kind as equal: a programming card's number."""
    return card


@rule
def most_spared(course, game, r):
    """The most that a place at the round's end can take off a program's cost; infinity means: give up no program
    early."""
    return 0.0


@rule
def cost_of_standing(course, game, cell, k, fell):
    """The cost of a cell, at least 0, for a robot at the end of register k, where it stands there, or `fell` and came
    back."""
    return BEAM_COST * course.beams_on[cell]


@rule
def cost_to_go(maps, game, course, r, k, at, goal, cost, places):
    """The cost of a program that ends in a position after k registers; after a fall the robot first waits for the
    rest."""
    for register in range(k, FIVE):
        at = np.int64(maps.solo[course.solo_at[register], at, WAIT])
        if at < 0:
            at = ~at
    base = course.distance_at[goal]
    away = np.int64(maps.distance[base + places[FIVE, goal] * STATES + at]) if base >= 0 else 0
    return away + course.to_go[goal + 1] + cost


@kernel(often=True)
def column_of(course, game, card, before, state, goal):
    """The column of the solo table for a card; `before` is the column of the previous register."""
    if card > cards.NONE and card <= cards.POWER_UP:
        return np.int64(card) - 1
    return column_of_others(course, game, card, before, state, goal)


@kernel
def column_of_others(course, game, card, before, state, goal):
    """`column_of` for cards that are no plain moves and turns."""
    return before if is_again(card) else np.int64(special_column(course, game, card, state, goal))


@rule
def special_column(course, game, card, state, goal):
    """The column for a special card, by the default policy of its choice; damage cards wait."""
    return WAIT


@kernel
def is_hopeless(maps, course, k, state, reached, cost, places, worst, gain):
    """Whether no program that continues from a position after k registers can be worth more than `worst`.

    The bound: a register shortens the distance by at most its own cost, all that are left by at most `gain`. Where
    panels act, distances depend on the register, and without tables for each the answer is False; so it is where the
    next checkpoint may be reached in the round and the time of that changes the next legs.
    """
    base = course.distance_at[reached]
    if worst == -np.inf or (course.has & HAS_PANELS and course.later_tables == 0) or base < 0:
        return False
    base += k * course.later_tables
    leg = int(maps.distance[base + places[k, reached] * STATES + state]) - gain
    least = leg + course.to_go[reached + 1]
    can_end = leg <= 0 if course.has & (HAS_MOVING | HAS_PANELS) else least <= 0
    return not can_end and -(least + cost) <= worst


@kernel
def sort_hand(game, r, kinds, left, slots):
    """Sort the hand by kinds: fills the three arrays and returns the number of kinds.

    In each kind the card with the highest number comes last and is played first: in 2005 it is the fastest.
    """
    count = 0
    for i in range(np.int64(game.held[r])):
        kind = kind_of_card(game, game.hand[r, i])
        at = 0
        while at < count and kinds[at] != kind:
            at += 1
        if at == count:
            kinds[at] = kind
            count += 1
        place = left[at]
        while place > 0 and game.hand[r, slots[at, place - 1]] > game.hand[r, i]:
            slots[at, place] = slots[at, place - 1]
            place -= 1
        slots[at, place] = i
        left[at] += 1
    return count


@kernel
def greedy_programs(maps, games, rows, seats, out):
    """The best solo program of seat seats[k] in game rows[k]: `out` [n, 5]."""
    values = np.zeros(1)
    programs = np.zeros((1, FIVE), np.int8)
    for k in range(rows.shape[0]):
        best_programs(maps, games[rows[k]], seats[k], values, programs)
        copy_row(programs, 0, out, k)


@rule
def hand_tells(game):
    """Whether a robot's best program depends on nothing but its place, its hand and `beside_hand`."""
    return True


@rule
def beside_hand(game, r):
    """A number of what robot r's best program depends on beside its place and hand."""
    return np.uint64(0)
