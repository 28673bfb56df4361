"""The searches for the 2005 edition, with locked registers, small hands, priorities, and races without flags."""

import numpy as np

from roborally_env.core.cards2005 import ACTION
from roborally_env.core.driving.advance import play_steps
from roborally_env.core.editions.e2005.alone import back_at
from roborally_env.core.editions.e2005.programming import submit_program
from roborally_env.core.editions.e2005.specials import next_flag, next_in_order
from roborally_env.core.editions.e2005.steps import LEFTOVERS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.searching.among_others import chance_to_win
from roborally_env.core.searching.best_list import FIVE, WAIT, WIN, closed_and_damage
from roborally_env.core.searching.distances import FALL_COST, STATES, remaining
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS, OTHER_AIMS
from roborally_env.courses.tables import CELLS

REPAIR = 3.0  # what a repaired token is worth to a damaged robot, in quarters of a register
HUNT = 2.0  # a space nearer to the prey
TOKEN = 1.5  # an own damage token
LIFE = 24.0  # a life token
OTHERS = 0.2  # weight of the others' remaining ways (mean and nearest) against the own way
GOAL = 100.0  # a flag held (Toggle Boggle) or carried (Capture the Flag), more than the way to the next one
FAR_AWAY = 1000.0
LOSS = 1000.0


@kernel
def kind_of_card(game, card):
    """See `alone.kind_of_card`: the kind is the card's action."""
    return np.int64(ACTION[card])


@kernel
def cost_to_go(maps, game, course, r, k, at, goal, cost, places):
    """See `alone.cost_to_go`: takes repairs into account; a robot without a next flag goes to its prey."""
    for register in range(k, FIVE):
        after = np.int64(maps.solo[course.solo_at[register], at, WAIT])
        at = ~after if after < 0 else after
    total = cost
    if course.repair[at >> 2] and game.damage[r] > 0:
        total -= REPAIR
    if goal == NOBODY:
        prey = cell_of_prey(game, r)
        return total + (HUNT * spaces_between(at >> 2, prey) if prey >= 0 else 0.0)
    base = course.distance_at[goal]
    if base >= 0:
        total += maps.distance[base + places[FIVE, goal] * STATES + at]
    return total + (course.to_go[goal + 1] if next_in_order(course, game, r) != NOBODY else 0)


@kernel
def most_spared(course, game, r):
    """See `alone.most_spared`: repairs; nothing is given up in races that are not won by flags in order."""
    if game.special:
        return np.inf
    return REPAIR if game.damage[r] > 0 else 0.0


@kernel
def best_by_falling(maps, game, course, r, places):
    """See `alone.best_by_falling`: from its archive marker, in any register and with any flag next."""
    best = -np.inf
    start = np.int64(back_at(game, r, np.int64(course.start_facing)))
    for goal in range(max(0, int(next_flag(course, game, r))), int(course.checkpoints)):
        for k in range(1, FIVE + 1):
            best = max(best, -cost_to_go(maps, game, course, r, k, start, goal, float(FALL_COST), places))
    return best


@kernel
def spaces_between(here, there):
    """Spaces to walk between two cells of an empty floor."""
    return abs(column_of(here) - column_of(there)) + abs(row_of(here) - row_of(there))


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
def submit_one(game, r, programs, i):
    """Submit program i for robot r."""
    submitted = np.zeros((1, FIVE), np.int8)
    submit_program(game, r, programs[i : i + 1], 0, 0, submitted)


@kernel
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`; the turn includes clean-up and re-entry."""
    submit_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = LEFTOVERS
    play_steps(maps.courses, game, 0)


@kernel
def worth(maps, game, seat, weights):
    """See `among_others.worth`: the chance to win if flags in order win, else the lead over the other teams."""
    return lead(maps, game, seat) if game.special & OTHER_AIMS else chance_to_win(maps, game, seat, weights)


@kernel
def lead(maps, game, seat):
    """The lead of a seat over the other teams, in quarters of a register: the way to go, damage, lives."""
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
    """How many of the winning goals a team has: flags that it holds, or the other team's flag that it carries."""
    if game.special & CAPTURE_THE_FLAG:
        return np.int64(game.carrier[1 - game.home[team]] != NOBODY)
    goals = 0
    if game.special & CLAIMS:
        for i in range(game.claim.shape[0]):
            goals += game.claim[i] == team
    return goals


@kernel
def way_to_go(maps, game, r):
    """Robot r's remaining way; far if it is out of the game."""
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
    """Robot r's remaining way; without a next flag, its way to the prey."""
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
    """See `alone.hand_tells`: not in special races, where robots also follow others."""
    return game.special == 0


@kernel
def beside_hand(game, r):
    """See `alone.beside_hand`: also the archive marker, on which a fall ends."""
    return closed_and_damage(game, r) * np.uint64(CELLS) + np.uint64(game.archive[r])
