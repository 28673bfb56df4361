"""Compiled search over the programs of a hand, alone on the course.

`best_programs` tries every distinct program of one hand on the solo tables: the robot alone, belts, panels
and gears acting. `among_others` plays the best of them out among the others.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.searching.best_list import FIVE, WAIT
from roborally_env.core.searching.distances import STATES
from roborally_env.core.seeing.observe import layout
from roborally_env.courses.tables import HAS_MOVING, HAS_PANELS

WASTE = 2.0  # a register spent on a damage card: a random card is played in it
DEAREST = 5  # what a register costs at most in `distances.COSTS`


@rule(required=True)
def best_programs(maps, game, r, values, programs):
    """The best distinct programs of robot r's hand, alone on the course.

    Fills `values` [n] (best first) and `programs` [n, 5].

    Returns how many there are (n at most). Values are minus the quarter registers still to go after the round.
    """


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


@rule
def hand_tells(game):
    """Whether a robot's place and hand tell its best program; known when a kernel is compiled."""
    return True
