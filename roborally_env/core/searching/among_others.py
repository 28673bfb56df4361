"""Compiled search among other robots: it simulates the best programs of a hand and compares them.

It draws deals that agree with the seat's knowledge and gives the other players good programs. Every candidate is
played out in the same deals. The candidates that win least drop out, and the rest play more deals. The value of a
position after the round is the chance to win from it.
"""

from collections import namedtuple

import numpy as np

from roborally_env.core import cards
from roborally_env.core.chance import below, key_of, stream_word
from roborally_env.core.driving.advance import wants_to_store
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import program
from roborally_env.core.rule import rule
from roborally_env.core.rule_options import RULE_ADVANCED
from roborally_env.core.searching.alone import best_programs, programs_near_best
from roborally_env.core.searching.best_list import FIVE, OTHERS_TOP, copy_row, number_all
from roborally_env.core.searching.distances import remaining
from roborally_env.core.seeing.redeal import redeal_others
from roborally_env.core.state import ASK_NOTHING, NOBODY

# The standing of a robot is (quarter registers to go + start) ** -steep * exp(energy - damage + lives); its chance to
# win is its share in the sum over all robots. `damage` weighs the share of damage cards among a robot's cards (2005:
# each token), `energy` each cube, `lives` each life token of 2005
Weights = namedtuple("Weights", "start steep damage energy lives")

# heats: in each, 1 / PARTS of the candidates are left, and each plays DEALS times as many deals as in the first heat
PARTS = (1, 3, 8)
DEALS = (1, 2, 4)
FIRST_HEAT = 6.0 / 13.0  # the first heat's part of the simulations: 1 / sum(DEALS / PARTS)
NEAR = 2.0  # quarter registers: other players draw from their programs within this distance of the best


@kernel
def plan_programs(maps, games, rows, seats, seed, simulations, weights, candidates, out):
    """The program of seat seats[k] in game rows[k] that wins most often in simulated rounds: `out` [n, 5].

    `simulations` rounds are played for each, at most; `candidates` i1 [c, 5] is scratch: c programs are tried, the best
    of the solo search. Returns the number of rounds played.
    """
    spent = 0
    for k in range(rows.shape[0]):
        spent += plan(maps, games, rows[k], seats[k], seed, simulations, weights, candidates, out, k)
    return spent


@kernel
def plan(maps, games, row, seat, seed, simulations, weights, candidates, out, k):
    """Choose program `out[k]` by playing the round out: every candidate of a heat meets the same deals. Returns the
    number of rounds played."""
    values = np.zeros(candidates.shape[0])
    count = best_programs(maps, games[row], seat, values, candidates)
    total = np.zeros(count)
    order = np.empty(count, np.int64)  # candidates, best first
    number_all(order)
    deal = games[row : row + 1].copy()
    trial = games[row : row + 1].copy()
    key = key_of(games[row].key, np.uint64(seed))
    word = np.uint64(games[row].round_number) * np.uint64(65536)
    spent = 0
    deals = max(1, int(simulations * FIRST_HEAT / count)) if count > 1 else 0
    for heat in range(len(PARTS)):
        left = (count - 1) // PARTS[heat] + 1
        for _ in range(deals * DEALS[heat]):
            if spent + left > simulations:
                break
            deal[0] = games[row]
            redeal_for(deal[0], seat, stream_word(key, word))
            word += np.uint64(1)
            submit_others(maps, deal[0], seat)
            for i in range(left):
                trial[0] = deal[0]
                play_round(maps, trial[0], seat, candidates, order[i])
                total[order[i]] += worth(maps, trial[0], seat, weights)
            spent += left
        rank(order, left, total)
    copy_row(candidates, order[0], out, k)
    return spent


@kernel
def rank(order, count, total):
    """Sort the first `count` candidates of `order` by their totals, best first; the sort is stable."""
    for i in range(1, count):
        candidate = order[i]
        at = i
        while at > 0 and total[order[at - 1]] < total[candidate]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = candidate


@kernel(apart=True)
def redeal_for(game, seat, word):
    """Draw anew what a seat cannot know, from a random word."""
    game.key = word
    game.draws = 0
    game.asking = ASK_NOTHING
    game.max_rounds = 0
    redeal_others(game, seat)


@kernel(apart=True)
def submit_others(maps, game, seat):
    """Submit one of the best solo programs of their hand for each other player."""
    values = np.zeros(OTHERS_TOP)
    programs = np.zeros((OTHERS_TOP, FIVE), np.int8)
    for r in range(game.players):
        if r != seat:
            found = programs_near_best(maps, game, r, values, programs, NEAR)
            level = 0
            while level < found and values[level] >= values[0] - NEAR:
                level += 1
            submit_one(game, r, programs, below(game, level))


@rule
def submit_one(game, r, programs, i):
    """Submit program i for robot r."""
    program(game, r, programs, i, 0, wants_to_store(game) or game.rules & RULE_ADVANCED)


@rule(required=True)
def play_round(maps, game, seat, candidates, c):
    """Play the round out with the seat's candidate c."""


@rule
def worth(maps, game, seat, weights):
    """The value of a position after a round for a seat; values are comparable within one race."""
    return chance_to_win(maps, game, seat, weights)


@kernel
def chance_to_win(maps, game, seat, weights):
    """The chance that a seat, or its team, wins from a position after a round; 0 or 1 if the race is over."""
    if game.winner != NOBODY:
        return 1.0 if is_with(game, int(game.winner), seat) else 0.0
    own, total = 0.0, 0.0
    for r in range(game.players):
        share = standing(maps, game, r, weights)
        total += share
        if is_with(game, r, seat):
            own += share
    return own / total if total > 0.0 else 0.0


@kernel
def is_with(game, r, seat):
    """Whether robot r is the seat's own or of its team."""
    return r == seat or in_one_team(game, r, seat)


@rule
def in_one_team(game, r, seat):
    """Whether two robots win together."""
    return False


@rule
def standing(maps, game, r, weights):
    """How well robot r stands (see `Weights`)."""
    away = float(remaining(maps.courses[game.course], maps.distance, game, r))
    owned = int(game.drawable[r]) + int(game.discarded[r]) + int(game.known[r]) + int(game.held[r])
    damage = weights.damage * damage_owned(game, r) / max(1, owned)
    return np.exp(weights.energy * game.energy[r] - damage) * (away + weights.start) ** (-weights.steep)


@kernel
def damage_owned(game, r):
    """Damage cards in robot r's piles and hand."""
    owned = 0
    for i in range(game.drawable[r] + game.discarded[r]):
        owned += is_damage(game.pile[r, i])
    for i in range(game.held[r]):
        owned += is_damage(game.hand[r, i])
    return owned


@kernel
def is_damage(card):
    """Whether a card is SPAM, Worm, Virus or Trojan Horse."""
    return cards.SPAM <= card <= cards.TROJAN_HORSE
