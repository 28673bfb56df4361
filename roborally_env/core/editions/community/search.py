"""The searches for the community edition, with locked registers, small hands, damage, places after the first."""

import numpy as np

from roborally_env.core.driving.advance import play_steps
from roborally_env.core.editions.community.programming import begin_registers, submit_one
from roborally_env.core.editions.e2016.steps import STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.rule_options import RULE_RACE_ON
from roborally_env.core.searching.best_list import BEAM_COST, FIVE
from roborally_env.core.searching.distances import STATES, remaining
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import HAS_TRAPDOORS

REPAIR = 3.0  # what a repaired token is worth to a damaged robot, in quarters of a register
MOST_REPAIRED = 2  # tokens, by one site
STOMP = 2.0  # tokens of a stomper


@kernel
def most_spared(course, game, r):
    """See `alone.most_spared`: repairs; nothing is given up where trapdoors may open."""
    if course.has & HAS_TRAPDOORS:
        return np.inf
    return REPAIR * min(MOST_REPAIRED, int(np.int64(game.damage[r])))


@kernel
def cost_of_standing(course, game, cell, k, fell):
    """See `alone.cost_of_standing`: lasers and stompers; nothing to a robot that is out of the round."""
    if fell:
        return 0.0
    stomped = STOMP if course.stomper[cell] >> k & 1 else 0.0
    return BEAM_COST * (course.beams_on[cell] + stomped)


@kernel
def cost_to_go(maps, game, course, r, k, at, goal, cost, places):
    """See `alone.cost_to_go`: radiation and repairs at the end of the round are taken into account."""
    total = cost + BEAM_COST * course.radiation[at >> 2]
    if game.damage[r] > 0:
        total -= REPAIR * min(int(np.int64(course.repair[at >> 2])), int(np.int64(game.damage[r])))
    base = course.distance_at[goal]
    if base >= 0:
        total += maps.distance[base + places[FIVE, goal] * STATES + at]
    return total + course.to_go[goal + 1]


@kernel
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`; the round includes clean-up and re-entry."""
    submit_one(game, seat, candidates, c)
    begin_registers(game)
    play_steps(maps.courses, game, STORE_HANDS)


@kernel
def worth(maps, game, seat, weights):
    """The chance to win from a position after a round; if others race on after the winner, later places count as part
    of a win."""
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
    away = float(remaining(maps.courses[planned_at(maps, game)], maps.distance, game, r))
    good = weights.energy * game.energy[r] - weights.damage * game.damage[r]
    return np.exp(good) * (away + weights.start) ** (-weights.steep)
