"""The far part of `learned-search`: compares programs and purchases in the same deals, played on (`rollout`)."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from roborally_env.agents.rollout import (
    BASE,
    DEAL,
    HAND_DEALT,
    TRIAL,
    buy_by_table,
    draw_program,
    lay_best,
    look_on,
)

from roborally_env.core.chance import mix, stream_word
from roborally_env.core.driving.advance import advance, answer
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.among_others import play_round, redeal_for
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.state import ASK_PURCHASES

SURE = 16  # deals after which two candidates with equal results count as one
LEAST_VARIANCE = 0.02  # lower bound for the variance of a lead, for small numbers of deals

# The extent of the search: `stages` i8 [m, 2] (programs kept, deals), `buying` the same for purchases, `margin` (in
# standard errors behind the best) at which a candidate is dropped, `tried` programs of the seat's short search in later
# rounds, `fresh` deals in which the result is played, `rounds` played after the present one, `budget` of such searches
Far = namedtuple("Far", "stages buying margin tried fresh rounds budget")


@kernel
def drop_worse(results, order, count, played, keep, margin):
    """Sort the candidates order[:count] by their means of results[c, :played], best first; returns how many to keep.

    Keeps at most `keep`, and drops those `margin` standard errors of the difference behind the best, or equal to it.
    """
    means = np.empty(count)
    for i in range(count):
        means[i] = -results[order[i], :played].mean()
    best = np.argsort(means, kind="mergesort")
    before = order[:count].copy()
    left = 0
    for i in range(min(keep, count)):
        c = before[best[i]]
        if i > 0 and is_behind(results[order[0], :played] - results[c, :played], margin):
            continue
        order[left] = c
        left += 1
    return left


@kernel
def is_behind(lead, margin):
    """Whether a lead f8 [deals] is significant, or was 0 in all of so many deals that it will stay 0."""
    played = lead.shape[0]
    error = np.sqrt((lead.var() + LEAST_VARIANCE) / played)
    if played >= SURE and np.abs(lead).max() == 0.0:
        return True
    return lead.mean() > margin * error


@kernel
def enough(table, far, stage, stages):
    """Whether a stage has used up its part of the budget: about half of the whole in the first stage."""
    return table.spent[0] >= far.budget * (stages + stage + 1) // (2 * stages)


@kernel
def play_programs(table, seat, word, programs, names, order, count, far, results, played):
    """Play the programs of the candidates order[:count] on in one deal, and write results[c, played].

    Candidate c is programs[names[c]].
    """
    records = table.records
    records[DEAL] = records[BASE]
    redeal_for(records[DEAL], seat, word)
    lay_best(table, records[DEAL], seat)
    for i in range(count):
        records[TRIAL] = records[DEAL]
        play_round(table.maps, records[TRIAL], seat, programs, names[order[i]])
        results[order[i], played] = look_on(table, seat, word, far)


@kernel
def race_programs(table, seat, key, programs, count, far):
    """The number of the program of programs[:count] i1 [.., 5] after which the seat wins most often."""
    names = np.arange(count)
    order = np.arange(count)
    results = np.zeros((count, far.stages[0, 1]), np.float32)
    played = 0
    for stage in range(far.stages.shape[0]):
        if stage > 0:
            count = drop_worse(results, order, count, played, far.stages[stage, 0], far.margin)
        if stage == 1:  # only now do the results fit into the array
            names = order[:count].copy()
            before = results
            results = np.zeros((count, far.stages[:, 1].sum()), np.float32)
            for i in range(count):
                results[i, :played] = before[names[i], :played]
            order = np.arange(count)
        for _ in range(far.stages[stage, 1] if count > 1 else 0):
            if played > 0 and enough(table, far, stage, far.stages.shape[0]):
                break
            word = stream_word(key, np.uint64(played))
            play_programs(table, seat, word, programs, names, order, count, far, results, played)
            played += 1
    if count > 1:
        drop_worse(results, order, count, played, 1, far.margin)
    return names[order[0]]


@kernel
def buy_and_look(table, seat, word, option, far, out):
    """The chance to win after a purchase, in one deal."""
    records = table.records
    records[HAND_DEALT] = records[BASE]
    redeal_for(records[HAND_DEALT], seat, word)
    records[HAND_DEALT].asking = ASK_PURCHASES
    answer(records[HAND_DEALT], option)
    buy_by_table(table.maps, records[HAND_DEALT])
    advance(table.maps.courses, records[HAND_DEALT])
    draw_program(table, HAND_DEALT, seat, mix(word + np.uint64(1)), far, out)
    records[TRIAL] = records[HAND_DEALT]
    lay_best(table, records[TRIAL], seat)
    play_round(table.maps, records[TRIAL], seat, out, 0)
    return look_on(table, seat, mix(word + np.uint64(2)), far)


@kernel
def race_purchases(table, seat, key, far):
    """The option of the open purchase after which the seat wins most often."""
    out = np.zeros((1, FIVE), np.int8)
    options = np.zeros(64, np.int64)
    count = 0
    for option in range(63):
        if np.int64(table.records[BASE].ask_options) >> option & 1:
            options[count] = option
            count += 1
    results = np.zeros((count, far.buying[:, 1].sum()), np.float32)
    order = np.arange(count)
    played = 0
    for stage in range(far.buying.shape[0]):
        if stage > 0:
            count = drop_worse(results, order, count, played, far.buying[stage, 0], far.margin)
        for _ in range(far.buying[stage, 1] if count > 1 else 0):
            if played > 0 and enough(table, far, stage, far.buying.shape[0]):
                break
            word = stream_word(key, np.uint64(played))
            for i in range(count):
                results[order[i], played] = buy_and_look(table, seat, word, options[order[i]], far, out)
            played += 1
    drop_worse(results, order, count, played, 1, far.margin)
    return options[order[0]]
