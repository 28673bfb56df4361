"""Random legal actions."""

import numpy as np

from roborally_env.core.cards2005 import NONE
from roborally_env.core.chance import key_of, scaled, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import count_bits
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.mechanics.programs import announces_with_program
from roborally_env.core.rule import rule
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import PROGRAM

_ROUND = np.uint64(1 << 32)  # random words reserved for a round


@rule
def sample_program(game, r, key, counter, slots, row):
    """Write a uniform legal program of robot r into `slots[row]` [5], drawn from words `counter`.. of the stream
    `key`."""
    count = 0
    agains = 0
    hand = 0  # slots left, four bits each
    for i in range(layout(game).slots):
        card = game.hand[r, i]
        if card != NONE:
            if is_again(card):
                agains += 1
            hand |= i << 4 * count
            count += 1
    for k in range(REGISTERS):
        slots[row, k] = 0
    for k in range(min(REGISTERS, count)):
        pool = count - k
        pick = scaled(stream_word(key, counter + np.uint64(k)), pool - agains if k == 0 and agains < pool else pool)
        if k == 0:  # the pick-th card that is not an Again
            at = 0
            while True:
                if not is_again(game.hand[r, hand >> 4 * at & 15]) or agains >= pool:
                    if pick == 0:
                        break
                    pick -= 1
                at += 1
            pick = at
        slots[row, k] = hand >> 4 * pick & 15
        last = hand >> 4 * (pool - 1) & 15
        hand = hand & ~(15 << 4 * pick) | last << 4 * pick


@kernel
def sample_announcement(game, r, key, counter):
    """1 to announce a power down with the program, in half of the cases where this is legal; else 0."""
    if not announces_with_program(game, r):
        return 0
    return scaled(stream_word(key, counter + np.uint64(REGISTERS)), 2)


@kernel
def sample_option(game, key, counter):
    """1 + a uniform legal option of the open choice."""
    options = np.int64(game.ask_options)
    pick = scaled(stream_word(key, counter), count_bits(options))
    option = 0
    while True:
        if options >> option & 1:
            if pick == 0:
                return 1 + option
            pick -= 1
        option += 1


@rule
def round_of(game):
    """The round, if it must be part of the stream: with all robots powered down a round may pass without a draw."""
    return 0


@kernel
def sample_actions(games, seed, actions):
    """Write uniform legal actions of every game, from a stream of the race's key, `seed` and the place in the race."""
    for i in range(games.shape[0]):
        game = games[i]
        key = key_of(game.key, np.uint64(seed))
        counter = np.uint64(game.draws) * np.uint64(8) + np.uint64(round_of(game)) * _ROUND
        for r in range(game.players):
            actions.choices[i, r] = 0
            if game.step == PROGRAM:
                words = counter + np.uint64(1024 * (r + 1)) * np.uint64(65536)
                sample_program(game, r, key, words, actions.programs, i * int(game.players) + r)
                actions.choices[i, r] = sample_announcement(game, r, key, words)
        if game.step != PROGRAM and game.ask_seat >= 0:
            actions.choices[i, game.ask_seat] = sample_option(game, key, counter + np.uint64(game.answered))
