"""The near part of `learned-search`: all programs of a hand, valued by a network after the round."""

from __future__ import annotations

import numpy as np
from roborally_env.agents.features import is_numbered
from roborally_env.agents.rollout import BASE, DEAL, TRIAL, value_of

from roborally_env.core.chance import stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.searching.alone import sort_hand
from roborally_env.core.searching.among_others import lay_others, play_round, redeal_for
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.seeing.observe import layout


@kernel
def all_programs(game, r, closed, programs):
    """Write every distinct program of robot r's hand into `programs` i1 [m, 5]; returns how many.

    Of equal cards one is used, in 2005 the one with the highest number first. Registers of the bit set `closed` have 0.
    """
    room = layout(game).slots
    kinds = np.zeros(room, np.int64)
    left = np.zeros(room, np.int64)
    slots = np.zeros((room, room), np.int64)
    count = sort_hand(game, r, kinds, left, slots)
    again = not is_numbered(game)
    others = 0  # cards that may be laid in register one
    for at in range(count):
        others += 0 if again and is_again(kinds[at]) else left[at]
    cursor = np.full(FIVE, -1, np.int64)
    found = 0
    k = 0
    while k >= 0:
        shut = closed >> k & 1
        if cursor[k] >= 0 and not shut:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while not shut and at < count and (left[at] == 0 or (k == 0 and again and is_again(kinds[at]) and others)):
            at += 1
        if at == (1 if shut else count) or found == programs.shape[0]:
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        programs[found, k] = 0
        if not shut:
            left[at] -= 1
            programs[found, k] = slots[at, left[at]]
        if k + 1 < FIVE:
            k += 1
            continue
        found += 1
        if found < programs.shape[0]:
            programs[found] = programs[found - 1]
    return found


@kernel
def play_deal(table, seat, programs, order, count, totals):
    """Play out the programs order[:count] in records[DEAL] and add the chances to win after them to `totals`."""
    records = table.records
    for i in range(count):
        records[TRIAL] = records[DEAL]
        play_round(table.maps, records[TRIAL], seat, programs, order[i])
        totals[order[i]] += value_of(table, records[TRIAL], seat)


@kernel
def keep_best(order, count, totals, played, keep):
    """Move the `keep` programs with the best means to the front of `order`, best first; returns how many these are."""
    keep = min(keep, count)
    means = np.empty(count)
    for i in range(count):
        means[i] = -totals[order[i]] / played
    best = np.argsort(means, kind="mergesort")
    kept = order[:count].copy()
    for i in range(keep):
        order[i] = kept[best[i]]
    return keep


@kernel
def best_of_round(table, seat, key, stages, count, programs):
    """The number of the program of programs[:count] after whose round the network sees the best chance to win.

    All programs play the first deal; `stages` i8 [m, 2] has (programs kept, deals) after it. The deals are the same for
    all programs.
    """
    order = np.arange(count)
    totals = np.zeros(count)
    played = 0
    for stage in range(stages.shape[0] + 1):
        deals = 1
        if stage > 0:
            count = keep_best(order, count, totals, played, stages[stage - 1, 0])
            deals = stages[stage - 1, 1] if count > 1 else 0
        for _ in range(deals):
            table.records[DEAL] = table.records[BASE]
            redeal_for(table.records[DEAL], seat, stream_word(key, np.uint64(played)))
            lay_others(table.maps, table.records[DEAL], seat)
            play_deal(table, seat, programs, order, count, totals)
            played += 1
    keep_best(order, count, totals, played, 1)
    return order[0]
