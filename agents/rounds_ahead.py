"""A search among other robots whose last candidates play further rounds, in which everybody buys and programs as
`greedy`: for `planner` and reviews.

Robots that stand in a crowd after a round differ in what becomes of them in the next one, which the position alone does
not tell. All candidates play the same deals of what the seat cannot know.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from roborally_env.agents.greedy_round import PROGRAM_COST, new_hands, play_on

from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs
from roborally_env.core.searching.among_others import play_round, rank, redeal_for, submit_others, worth
from roborally_env.core.searching.best_list import FIVE, copy_row

FURTHER_COST = 6  # the work of a further round, in simulated ones: many hands come again
KEPT = 1 << 12  # hands whose best programs are kept

# Scratch: values f8 and programs i1 [.., 5] of the candidates, behind them a row for one more program; order i8; totals
# f8; three records; hands with their best programs; a program i1 [1, 5]
Work = namedtuple("Work", "values programs order totals records hands program")


def new_work(batch: BatchRace, most: int) -> Work:
    """The scratch of a search for at most `most` candidates in a batch."""
    return Work(
        np.zeros(most),
        np.zeros((most + 1, FIVE), np.int8),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(3, batch.games.dtype),
        new_hands(batch, KEPT),
        np.zeros((1, FIVE), np.int8),
    )


@kernel
def plan_ahead(maps, games, rows, seats, seed, simulations, heats, weights, work, out):
    """The program of seat seats[k] in game rows[k] that wins most often: `out` [n, 5]; `heats` as in `compete`. Returns
    the work, in simulated rounds."""
    spent = 0
    work.hands.hands[:] = np.uint64(0)  # the maps may have changed
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        key = stream_word(key_of(game.key, np.uint64(seed)), np.uint64(game.round_number))
        spent += compete(maps, game, seats[k], key, simulations, heats, weights, work)[1]
        copy_row(work.programs, work.order[0], out, k)
    return spent


@kernel(apart=True)
def compete(maps, game, seat, key, simulations, heats, weights, work):
    """Let the best solo programs of a seat's hand compete; afterwards `work.order` has the best first.

    `heats` f8 [h, 3]: how many candidates are left, the share of `simulations` that is spent after the heat, and the
    further rounds; finding a program of another robot counts as eight rounds. Returns (the number of deals, the work).
    """
    programming = PROGRAM_COST * (np.int64(game.players) - 1)
    order, totals = work.order, work.totals
    left = best_programs(maps, game, seat, work.values, work.programs[: work.values.shape[0]])
    for i in range(left):
        order[i], totals[i] = i, 0.0
    spent, number = 0, 0
    before = np.int64(0)  # further rounds of the heat before
    for heat in range(heats.shape[0]):
        left = min(left, np.int64(heats[heat, 0]))
        further = np.int64(heats[heat, 2])
        first = number
        if further != before:  # values of another kind
            totals[:] = 0.0
        before = further
        while left > 1 and (number == first or spent < heats[heat, 1] * simulations):
            word = stream_word(key, np.uint64(number))
            deal(maps, game, seat, word, work)
            for i in range(left):
                totals[order[i]] += play(maps, seat, order[i], word, further, weights, work)
            spent += programming + left * (1 + FURTHER_COST * further)
            number += 1
        rank(order, left, totals)
    return number, spent


@kernel
def deal(maps, game, seat, word, work):
    """records[0]: a deal of what the seat cannot know, with the programs of the others."""
    work.records[0] = game
    redeal_for(work.records[0], seat, word)
    submit_others(maps, work.records[0], seat)


@kernel
def play(maps, seat, program, word, further, weights, work):
    """The chance to win after a program in the deal, and after `further` more rounds, whose deals `word` draws."""
    trial = work.records[1]
    work.records[1] = work.records[0]
    play_round(maps, trial, seat, work.programs, program)
    play_on(work.hands, trial, seat, further, word, work.program)
    return worth(maps, trial, seat, weights)
