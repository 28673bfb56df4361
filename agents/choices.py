"""Choices of `learned` and `learned-search` beside programs and purchases: each option is played to the round's end.

Every option plays in the same deals of what the seat cannot know; later questions are answered by the default policy.
The option after which the network sees the best chance to win is taken, the default one among equals.
"""

from __future__ import annotations

import numpy as np
from roborally_env.agents.rollout import BASE, DEAL, START, TRIAL, value_of

from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.driving.advance import answer, play_steps, step_asking
from roborally_env.core.kernel import kernel
from roborally_env.core.seeing.redeal import redeal_others
from roborally_env.core.state import ASK_NOTHING
from roborally_env.core.steps import OVER, PROGRAM

DEALS = 8
MARGIN = 0.002  # of the chance to win: options that differ less are equal


@kernel
def play_choice(courses, records, option):
    """Answer the question that is open in records[TRIAL], and play the round to its end."""
    answer(records[TRIAL], option)
    while records[TRIAL].step != PROGRAM and records[TRIAL].step != OVER:
        if step_asking(courses, records[TRIAL : TRIAL + 1], 0, records[START : START + 1]):
            break
        answer(records[TRIAL], np.int64(records[TRIAL].ask_default))
    records[TRIAL].asking = ASK_NOTHING
    play_steps(courses, records[TRIAL], 0)


@kernel
def choose_options(table, games, rows, seats, seed, out):
    """1 + the option that seat seats[k] takes in game rows[k]: `out` i1 [n]."""
    records = table.records
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        options, best = np.uint64(game.ask_options), int(game.ask_default)
        key = stream_word(key_of(game.key, seed), np.uint64(game.round_number))
        chances = np.zeros(64)
        records[BASE] = game
        for d in range(DEALS):
            records[DEAL] = records[BASE]
            records[DEAL].key = stream_word(key, np.uint64(d))
            records[DEAL].draws = 0
            redeal_others(records[DEAL], seats[k])
            for option in range(64):
                if options >> np.uint64(option) & np.uint64(1):
                    records[TRIAL] = records[DEAL]
                    play_choice(table.greedy.maps.courses, records, option)
                    chances[option] += value_of(table.greedy.maps, table.eyes, table.leaf, records[TRIAL], seats[k])
        for option in range(64):
            if options >> np.uint64(option) & np.uint64(1) and chances[option] > chances[best] + MARGIN * DEALS:
                best = option
        out[k] = 1 + best
