"""A simulated round in which everybody buys and programs as `greedy`, for searches that look one round further.

In such a search the same hands come again and again, so the best programs of hands are kept.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from roborally_env.agents.purchases import best_purchase
from roborally_env.agents.settle import settle

from roborally_env.batch import BatchRace
from roborally_env.core.chance import mix
from roborally_env.core.driving.advance import answer, play_steps
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import beside_hand, best_programs, hand_tells
from roborally_env.core.searching.among_others import play_round, submit_one
from roborally_env.core.searching.best_list import FIVE, copy_row
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.seeing.observe import layout
from roborally_env.core.state import ASK_NOTHING, ASK_PURCHASES, NOBODY
from roborally_env.core.steps import OVER
from roborally_env.core.traits import with_upgrades

PROGRAM_COST = 8  # the work of finding a program, in simulated rounds
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no card's number drops out of a hash
SEATS = 16  # places behind the kept hands, for hands whose best program depends on more than their cards

# The maps, `hands` u8 [n] and their best programs `best` i1 [n, 5]: what the kernels below need of a table
Hands = namedtuple("Hands", "maps hands best")


def new_hands(batch: BatchRace, kept: int) -> Hands:
    """`Hands` of a batch that keep the best programs of up to `kept` hands."""
    return Hands(batch.maps, np.zeros(kept + SEATS, np.uint64), np.zeros((kept + SEATS, FIVE), np.int8))


@kernel(apart=True)
def play_as_greedy(table, game, seat, out):
    """Play a round in which everybody buys and programs as `greedy`; `out` i1 [1, 5] is scratch. Returns the work, 0 if
    the race was over before."""
    buy_by_table(table.maps, game)
    play_steps(table.maps.courses, game, 0)
    if game.step == OVER:
        return 0
    mine, searched = best_of_hand(table, game, seat)
    copy_row(table.best, mine, out, 0)
    spent = submit_best(table, game, seat) + 1 + (PROGRAM_COST if searched else 0)
    play_round(table.maps, game, seat, out, 0)
    return spent


@kernel
def play_on(table, game, seat, rounds, word, program):
    """Play up to `rounds` rounds in which everybody buys and programs as `greedy`; their deals depend on a random
    `word` and the positions alone, so that hands are the same after every candidate."""
    for _ in range(rounds):
        if game.winner != NOBODY:
            return
        word = mix(word)
        settle(game, word)
        play_as_greedy(table, game, seat, program)


@kernel
def submit_best(table, game, seat):
    """Submit the programs of `greedy` for the other players. Returns the work."""
    spent = 0
    for r in range(game.players):
        if r != seat:
            at, searched = best_of_hand(table, game, r)
            submit_one(game, r, table.best, at)
            spent += PROGRAM_COST if searched else 0
    return spent


@kernel(apart=True)
def best_of_hand(table, game, r):
    """(the index in `best` of the best solo program of robot r's hand, whether it was searched for)."""
    kept = table.hands.shape[0] - SEATS
    word = hand_word(table.maps, game, r)
    at = np.int64(word % np.uint64(kept))
    known = hand_tells(game)
    if not known:
        at = np.int64(kept + r)
    if known and table.hands[at] == word:
        return at, False
    values = np.zeros(1)
    best_programs(table.maps, game, r, values, table.best[at : at + 1])
    table.hands[at] = word
    return at, True


@kernel
def hand_word(maps, game, r):
    """A hash of all that robot r's best solo program depends on."""
    word = np.uint64(0)
    for i in range(layout(game).slots):
        word = word * SPREAD + np.uint64(game.hand[r, i])
    place = np.uint64(game.cell[r]) * np.uint64(1024) + np.uint64(game.facing[r]) * np.uint64(64)
    word = mix(mix(word) ^ (place + np.uint64(game.reached[r])))
    word = mix(word ^ beside_hand(game, r))
    for i in range(maps.courses[game.course].checkpoints):
        word = mix(word ^ np.uint64(game.checkpoint[i] + 2))
    word = mix(word ^ np.uint64(planned_at(maps, game)))
    return word | np.uint64(1)


@with_upgrades()
def buy_by_table(maps, game):
    """Play the whole upgrade phase, or the rest of it: every robot buys the card with the highest value in the
    table."""
    game.asking = ASK_PURCHASES
    play_steps(maps.courses, game, 0)
    while game.ask_seat != NOBODY:
        answer(game, best_purchase(game, np.int64(game.ask_seat)))
        play_steps(maps.courses, game, 0)
    game.asking = ASK_NOTHING
