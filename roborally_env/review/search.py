"""Compiled search of a review: what each decision was worth, and how the robots stand before a round.

A program is compared with the best one that a search finds and with the best one for a robot alone on the course. All
three play the same deals of what the seat could not know, so their difference has a small error. The deals in which the
search chooses are others than those in which it is compared, so its choice is not flattered.

The last candidates of the search, and the three, play a further round in which everybody plays as `greedy`.
"""

from __future__ import annotations

import numpy as np

from roborally_env.agents.greedy_round import PROGRAM_COST
from roborally_env.agents.rounds_ahead import FURTHER_COST, compete, deal, play
from roborally_env.core.chance import stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs
from roborally_env.core.searching.among_others import play_round, redeal_for, submit_one, worth
from roborally_env.core.state import NOBODY

MOST = 200  # candidates of the search
# its heats (see `compete`); the rest is the comparison
HEATS = np.array(((MOST, 0.15, 0), (40, 0.3, 0), (8, 0.55, 1)))
LEAST_DEALS = 2  # of the comparison: an error needs two
PLAYED, BEST, OBVIOUS, ERROR, ABOVE_ERROR = range(5)  # what `judge` writes


@kernel
def predict(maps, game, key, deals, weights, work, out):
    """The chance to win of each robot before a round, `out` f8 [P]: means over deals of all hands, in which everybody
    plays the best program for a robot alone."""
    trial = work.records
    out[:] = 0.0
    for d in range(deals):
        trial[0] = game
        redeal_for(trial[0], NOBODY, stream_word(key, np.uint64(d)))
        for r in range(1, game.players):
            best_programs(maps, trial[0], r, work.values[:1], work.programs[:1])
            submit_one(trial[0], r, work.programs, 0)
        best_programs(maps, trial[0], 0, work.values[:1], work.programs[:1])
        play_round(maps, trial[0], 0, work.programs, 0)
        for r in range(game.players):
            out[r] += worth(maps, trial[0], r, weights) / deals


@kernel(apart=True)
def judge(maps, game, seat, key, simulations, weights, work, out):
    """Compare the program `work.programs[MOST]` of a seat with the best of its hand, in about n simulated rounds
    (finding a program of another robot counts as eight).

    Writes `out` f8 [5]: the chance to win with the program PLAYED, the BEST and the OBVIOUS one (the best for a robot
    alone), the standard ERROR of the difference between the first two, and ABOVE_ERROR, that of the difference between
    the first and the third. Returns the number of the best program in `work.programs`.
    """
    number, spent = compete(maps, game, seat, key, simulations, HEATS, weights, work)
    best = work.order[0]
    programming = PROGRAM_COST * (np.int64(game.players) - 1)
    deals = (simulations - spent) // (programming + 3 * (1 + FURTHER_COST))
    compare(maps, game, seat, key, number, deals, best, weights, work, out)
    return best


@kernel
def gain_of_search(maps, game, seat, key, hands, simulations, weights, work, out):
    """How much the best program is better than the obvious one on average over n other hands of a seat, each
    searched by n simulations. Overwrites `out` f8 [5] of `judge`."""
    total = 0.0
    for h in range(hands):
        word = stream_word(key, np.uint64(h))
        work.records[2] = game
        redeal_for(work.records[2], NOBODY, word)
        best_programs(maps, work.records[2], seat, work.values[:1], work.programs[MOST:])
        judge(maps, work.records[2], seat, word, simulations, weights, work, out)
        total += (out[BEST] - out[OBVIOUS]) / hands
    return total


@kernel
def compare(maps, game, seat, key, number, deals, best, weights, work, out):
    """Play the best, submitted and obvious programs in deals from `number` on, and write `out` as `judge` does."""
    deals = max(LEAST_DEALS, deals)
    out[:] = 0.0
    for d in range(deals):
        word = stream_word(key, np.uint64(number + d))
        deal(maps, game, seat, word, work)
        ours = play(maps, seat, best, word, 1, weights, work)
        played = play(maps, seat, MOST, word, 1, weights, work)
        obvious = play(maps, seat, 0, word, 1, weights, work) if best != 0 else ours
        out[BEST] += ours / deals
        out[PLAYED] += played / deals
        out[OBVIOUS] += obvious / deals
        out[ERROR] += (ours - played) ** 2 / deals
        out[ABOVE_ERROR] += (played - obvious) ** 2 / deals
    out[ERROR] = error_of(out[ERROR], out[BEST] - out[PLAYED], deals)
    out[ABOVE_ERROR] = error_of(out[ABOVE_ERROR], out[PLAYED] - out[OBVIOUS], deals)


@kernel
def error_of(square, mean, deals):
    """The standard error of a mean, from the mean of the squares."""
    return np.sqrt(max(0.0, square - mean * mean) / (deals - 1))
