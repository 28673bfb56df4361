"""Simulated further rounds for `learned-search`: the value of a position after a round for a seat.

The others lay and buy as `greedy`. The seat is dealt a hand and lays the program that a short search finds. Future
random numbers are the same after every candidate of a deal, so positions and hands recur, and their results are cached.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from roborally_env.agents.features import write_seat
from roborally_env.agents.network import hidden, log_odds, new_work, win_logit
from roborally_env.agents.settle import cover, settle
from roborally_env.agents.shopping import best_purchase

from roborally_env.core.chance import mix
from roborally_env.core.driving.advance import advance, answer
from roborally_env.core.editions.e2016.steps import OVER
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs, hand_tells
from roborally_env.core.searching.among_others import (
    DEALS,
    PARTS,
    chance_to_win,
    lay_one,
    play_round,
    rank,
    redeal_for,
    worth,
)
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.seeing.observe import layout
from roborally_env.core.state import ASK_NOTHING, ASK_PURCHASES, NOBODY
from roborally_env.core.traits import with_upgrades

KEPT = 1 << 14  # cached values of positions
KEPT_HANDS = 1 << 14  # cached best programs of hands
BASE, DEAL, TRIAL, HAND_DEALT, OWN_DEAL, OWN_TRIAL, FORK = range(7)  # indices of `Table.records`

# All that valuing a position needs: the maps, the layout and scratch of the features, the network and `planner`'s
# weights, the weight of each, and scratch: `records` of games, the same memory as `words` u8 [7, w], cached values and
# programs; `spent` i8 [1]: the number of searches for a program of the seat so far
Table = namedtuple("Table", "maps at scratch net weights prior trust records words seen values hands programs spent")


def new_records(dtype: np.dtype[Any]) -> tuple[Any, ...]:
    """The scratch of `Table` for a kind of record, from `records` on."""
    records = np.zeros(7, dtype)
    unit = np.uint64 if dtype.itemsize % 8 == 0 else np.uint8
    words = records.view(unit).reshape(len(records), -1)
    seen, hands = np.zeros(KEPT, np.uint64), np.zeros(KEPT_HANDS, np.uint64)
    return records, words, seen, np.zeros(KEPT), hands, np.zeros((KEPT_HANDS, FIVE), np.int8), np.zeros(1, np.int64)


@kernel
def take_up(table, game, seat):
    """Copy a game into records[BASE], as the seat sees it, and clear the caches: the maps may have changed."""
    table.records[BASE] = game
    cover(table.records[BASE], seat)
    table.seen[:] = np.uint64(0)
    table.hands[:] = np.uint64(0)
    table.spent[0] = 0


@kernel
def value_of(table, game, seat):
    """The network's estimate of a seat's chance to win after a round; 0 or 1 if the race is over. Plays `game` on until
    programs or purchases are wanted."""
    near = chance_to_win(table.maps, game, seat, table.weights)
    if game.winner != NOBODY:
        return near
    own = np.zeros(table.at.own, np.float32)
    others = np.zeros((game.players - 1, table.at.row), np.float32)
    row, pooled, first, position, tower = new_work(table.net)
    advance(table.maps.courses, game)
    scratch = table.scratch
    write_seat(table.maps, game, seat, table.at, scratch[0], scratch[1], scratch[2], own, others)
    hidden(table.net, own, others, row, pooled, first, position)
    odds = table.prior * log_odds(near) + table.trust * win_logit(table.net, position, tower)
    return 1.0 / (1.0 + np.exp(-odds))


@with_upgrades()
def buy_by_table(maps, game):
    """Play the whole upgrade phase, or the rest of it: every robot buys the card with the highest value in the
    table."""
    game.asking = ASK_PURCHASES
    advance(maps.courses, game)
    while game.ask_seat != NOBODY:
        answer(game, best_purchase(game, np.int64(game.ask_seat)))
        advance(maps.courses, game)
    game.asking = ASK_NOTHING


@kernel
def hand_word(maps, game, r):
    """A hash of all that robot r's best solo program depends on."""
    word = np.uint64(0)
    for i in range(layout(game).slots):
        word = word * np.uint64(64) + np.uint64(game.hand[r, i])
    place = np.uint64(game.cell[r]) * np.uint64(1024) + np.uint64(game.facing[r]) * np.uint64(64)
    word = mix(mix(word) ^ (place + np.uint64(game.reached[r])))
    for i in range(maps.courses[game.course].checkpoints):
        word = mix(word ^ np.uint64(game.checkpoint[i] + 2))
    return word | np.uint64(1)


@kernel
def lay_best(table, game, seat):
    """The other players lay the programs of `greedy`."""
    values = np.zeros(1)
    programs = np.zeros((1, FIVE), np.int8)
    for r in range(game.players):
        if r == seat:
            continue
        if not hand_tells(game):
            best_programs(table.maps, game, r, values, programs)
            lay_one(game, r, programs, 0)
            continue
        word = hand_word(table.maps, game, r)
        at = np.int64(word % np.uint64(KEPT_HANDS))
        if table.hands[at] != word:
            best_programs(table.maps, game, r, values, programs)
            table.hands[at] = word
            table.programs[at] = programs[0]
        lay_one(game, r, table.programs, at)


@kernel
def draw_program(table, source, seat, word, far, out):
    """Set `out` i1 [1, 5] to the seat's program in records[source], found by a short search like that of `planner`."""
    records = table.records
    table.spent[0] += 1
    values = np.zeros(far.tried)
    candidates = np.zeros((far.tried, FIVE), np.int8)
    count = best_programs(table.maps, records[source], seat, values, candidates)
    total = np.zeros(count)
    order = np.arange(count)
    for heat in range(len(PARTS) if count > 1 else 0):
        left = (count - 1) // PARTS[heat] + 1
        for _ in range(DEALS[heat]):
            records[OWN_DEAL] = records[source]
            redeal_for(records[OWN_DEAL], seat, word)
            word = mix(word)
            lay_best(table, records[OWN_DEAL], seat)
            for i in range(left):
                records[OWN_TRIAL] = records[OWN_DEAL]
                play_round(table.maps, records[OWN_TRIAL], seat, candidates, order[i])
                total[order[i]] += worth(table.maps, records[OWN_TRIAL], seat, table.weights)
        rank(order, left, total)
    out[0] = candidates[order[0]]


@kernel
def begin_round(table, at, seat, word, far, out):
    """Play purchases and hands of the round that begins in records[at], and write the seat's program to `out` i1 [1,
    5].

    False if the race is over. Random numbers come from `word`.
    """
    game = table.records[at]
    settle(game, word)
    buy_by_table(table.maps, game)
    advance(table.maps.courses, game)
    if game.step == OVER:
        return False
    draw_program(table, at, seat, mix(word + np.uint64(1)), far, out)
    return True


@kernel
def play_rest(table, at, seat, word, rounds, far, out):
    """The chance to win after records[at], after `rounds` more rounds. The record is changed."""
    game = table.records[at]
    for _ in range(rounds):
        if game.winner != NOBODY or not begin_round(table, at, seat, word, far, out):
            break
        lay_best(table, game, seat)
        play_round(table.maps, game, seat, out, 0)
        word = mix(word + np.uint64(2))
    return value_of(table, game, seat)


@kernel
def look_on(table, seat, word, far):
    """The chance to win after the round that has ended in records[TRIAL], which is changed."""
    records = table.records
    out = np.zeros((1, FIVE), np.int8)
    game = records[TRIAL]
    if game.winner != NOBODY or far.rounds == 0:
        return play_rest(table, TRIAL, seat, word, 0, far, out)
    word = mix(word)  # later draws are independent of the deal
    settle(game, word)
    found = np.uint64(seat)
    for i in range(table.words.shape[1]):
        found = mix(found ^ np.uint64(table.words[TRIAL, i]))
    at = np.int64(found % np.uint64(KEPT))
    if table.seen[at] == found:
        return table.values[at]
    if not begin_round(table, TRIAL, seat, word, far, out):
        return play_rest(table, TRIAL, seat, word, 0, far, out)
    mine = out.copy()
    total = 0.0
    for i in range(far.fresh):
        fresh = mix(word + np.uint64(3 + i))
        records[FORK] = records[TRIAL]
        redeal_for(records[FORK], seat, fresh)
        lay_best(table, records[FORK], seat)
        play_round(table.maps, records[FORK], seat, mine, 0)
        total += play_rest(table, FORK, seat, mix(fresh), far.rounds - 1, far, out)
    table.seen[at] = found
    table.values[at] = total / far.fresh
    return total / far.fresh
