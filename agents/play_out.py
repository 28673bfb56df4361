"""The far part of `learned-search`: programs and purchases are played out to the end of the race, or some rounds far.

Every candidate meets the same deals (what the seat cannot know, drawn anew). In a deal the others lay and buy what
`greedy` would. After the round the seat is dealt a hand, lays what a short search finds, and so on; chance to come is
the same after every candidate. So positions come up again and again, and what was found for one is kept.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from roborally_env.agents.features import write_seat
from roborally_env.agents.network import hidden, log_odds, new_work, win_logit
from roborally_env.agents.shopping import best_purchase

from roborally_env.core import upgrades
from roborally_env.core.advance import advance, answer
from roborally_env.core.chance import mix, stream_word
from roborally_env.core.editions.steps2016 import OVER
from roborally_env.core.kernel import kernel, only_with, with_tokens, with_upgrades
from roborally_env.core.observe import layout
from roborally_env.core.piles import take_top
from roborally_env.core.redeal import add_to_draw_pile
from roborally_env.core.search import best_programs
from roborally_env.core.search_plan import (
    DEALS,
    PARTS,
    chance_to_win,
    lay_one,
    play_round,
    rank,
    redeal_for,
    worth,
)
from roborally_env.core.search_shared import FIVE
from roborally_env.core.state import ASK_NOTHING, ASK_PURCHASES, NOBODY

KEPT = 1 << 14  # positions whose value is kept
KEPT_HANDS = 1 << 14  # hands whose best program is kept
SURE = 16  # deals after which two candidates that never differed count as one
LEAST_VARIANCE = 0.02  # of a lead, where few deals show none
BASE, DEAL, TRIAL, HAND_DEALT, OWN_DEAL, OWN_TRIAL, FORK = range(7)  # what the records of `Table` are for

# What is looked at and how far: `stages` i8 [m, 2] (programs kept, deals), `buying` the same of purchases, `margin`
# standard errors behind the best at which one is dropped, `tried` programs of the seat's own short search in rounds to
# come, `fresh` deals in which what it found is played, `rounds` played after the present one, `budget` of such searches
Far = namedtuple("Far", "stages buying margin tried fresh rounds budget")

# What a look at a position needs: the maps, the seat's layout and scratch of features, the network and `planner`'s
# weights, what each counts for, and scratch: `records` of games, the same as `words` u8 [7, w], values and programs
# kept; `spent` i8 [1]: searches for a program of the seat so far
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
    """Bring a game into records[BASE], as the seat sees it. Nothing of the last one is kept: the maps may be others."""
    table.records[BASE] = game
    cover(table.records[BASE], seat)
    table.seen[:] = np.uint64(0)
    table.hands[:] = np.uint64(0)
    table.spent[0] = 0


@kernel
def value_of(table, game, seat):
    """The chance of a seat to win after a round, as the network sees it; 0 or 1 where the race is over. Plays `game`
    on to where programs or purchases are wanted."""
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
    """The upgrade phase, all of it or the rest: every robot buys what is worth most by the table."""
    game.asking = ASK_PURCHASES
    advance(maps.courses, game)
    while game.ask_seat != NOBODY:
        answer(game, best_purchase(game, np.int64(game.ask_seat), upgrades.VALUES, upgrades.COSTS))
        advance(maps.courses, game)
    game.asking = ASK_NOTHING


@with_tokens(True)
def hand_tells(game):
    """Whether a robot's place and hand tell its best program: not where registers may be locked."""
    return False


@kernel
def hand_word(maps, game, r):
    """A random-looking word for all that robot r's best solo program depends on."""
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
    """The other players lay what `greedy` would."""
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


@only_with("pile", None)
def sort_piles(game):
    """Bring each pile of cards that lie in no order into one, so that equal positions are equal bytes."""
    for r in range(game.players):
        border = np.int64(game.drawable[r])
        sort_cards(game, r, 0, border)
        sort_cards(game, r, border, border + np.int64(game.discarded[r]))


@kernel
def sort_cards(game, r, first, last):
    """Sort part of robot r's pile."""
    for i in range(first + 1, last):
        card = game.pile[r, i]
        at = i
        while at > first and game.pile[r, at - 1] > card:
            game.pile[r, at] = game.pile[r, at - 1]
            at -= 1
        game.pile[r, at] = card


@kernel
def settle(game, word):
    """Make what may be drawn later depend on the position and on a random word alone."""
    game.key = word
    game.draws = 0
    sort_piles(game)


@only_with("pile", None)
def cover(game, seat):
    """Put away what the seat cannot know: the hands of the others and the order of piles become those of one fixed
    deal, so that nothing can depend on them. Others' known tops go back into their piles, as in a redeal."""
    settle(game, np.uint64(0))
    for r in range(game.players):
        if r == seat:
            continue
        for i in range(game.held[r]):
            add_to_draw_pile(game, r, game.hand[r, i])
        while game.known[r] > 0:
            add_to_draw_pile(game, r, take_top(game, r))
        settle(game, np.uint64(r))
        for i in range(game.held[r]):
            game.hand[r, i] = take_top(game, r)
    settle(game, np.uint64(0))


@kernel
def draw_program(table, source, seat, word, far, out):
    """What the seat lays in records[source], by a short search as `planner`'s: `out` i1 [1, 5]."""
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
    """Purchases and hands of the round that begins in records[at], and the seat's program into `out` i1 [1, 5].

    False where the race is over. Chance is from `word`.
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
    """The chance to win after records[at], with so many rounds played first. The record is changed."""
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
    word = mix(word)  # what is drawn from now on has nothing to do with the deal
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


@kernel
def drop_worse(results, order, count, played, keep, margin):
    """Sort the candidates order[:count] by their means of results[c, :played], best first; how many to go on with.

    At most `keep`, and none that lies `margin` standard errors of the difference behind the best, or is its equal.
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
    """Whether a lead f8 [deals] is real, or always 0 in so many deals that it will stay 0."""
    played = lead.shape[0]
    error = np.sqrt((lead.var() + LEAST_VARIANCE) / played)
    if played >= SURE and np.abs(lead).max() == 0.0:
        return True
    return lead.mean() > margin * error


@kernel
def race_programs(table, seat, key, programs, count, far):
    """The number of the program of programs[:count] i1 [.., 5] after which the seat wins most often."""
    records = table.records
    results = np.zeros((count, far.stages[:, 1].sum()))
    order = np.arange(count)
    played = 0
    for stage in range(far.stages.shape[0]):
        if stage > 0:
            count = drop_worse(results, order, count, played, far.stages[stage, 0], far.margin)
        enough = far.budget * (stage + 1) // far.stages.shape[0]
        for _ in range(far.stages[stage, 1] if count > 1 else 0):
            if table.spent[0] >= enough and played > 0:
                break
            word = stream_word(key, np.uint64(played))
            records[DEAL] = records[BASE]
            redeal_for(records[DEAL], seat, word)
            lay_best(table, records[DEAL], seat)
            for i in range(count):
                records[TRIAL] = records[DEAL]
                play_round(table.maps, records[TRIAL], seat, programs, order[i])
                results[order[i], played] = look_on(table, seat, word, far)
            played += 1
    drop_worse(results, order, count, played, 1, far.margin)
    return order[0]


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
    results = np.zeros((count, far.buying[:, 1].sum()))
    order = np.arange(count)
    played = 0
    for stage in range(far.buying.shape[0]):
        if stage > 0:
            count = drop_worse(results, order, count, played, far.buying[stage, 0], far.margin)
        enough = far.budget * (stage + 1) // far.buying.shape[0]
        for _ in range(far.buying[stage, 1] if count > 1 else 0):
            if table.spent[0] >= enough and played > 0:
                break
            word = stream_word(key, np.uint64(played))
            for i in range(count):
                results[order[i], played] = buy_and_look(table, seat, word, options[order[i]], far, out)
            played += 1
    drop_worse(results, order, count, played, 1, far.margin)
    return options[order[0]]
