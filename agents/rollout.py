"""Simulated rounds for `learned-search`: candidate programs and purchases, played in common deals and valued.

A deal draws what the seat cannot know, and the other players lay programs in it that the policy or the solo search
prefers. Further rounds may follow, in which everybody buys and lays as `greedy`. The network values the position at the
end. Random numbers of later rounds are the same after every candidate of a deal, so hands recur; their best programs
are kept.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from roborally_env.agents.candidates import (
    ALONE,
    FEATURES,
    OUTCOMES,
    VALUE,
    candidates_of,
    chance_after,
    describe_all,
    has_other_aims,
)
from roborally_env.agents.candidates import new_work as new_candidates
from roborally_env.agents.features import layout_for, new_scratch, write_seat
from roborally_env.agents.network import (
    add_gumbel,
    context_of,
    hidden,
    log_odds,
    new_work,
    score_candidates,
    win_logit,
)
from roborally_env.agents.planner import weights_of
from roborally_env.agents.settle import cover, settle
from roborally_env.agents.shopping import best_purchase

from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, mix, stream_word
from roborally_env.core.driving.advance import advance, answer
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs, hand_tells
from roborally_env.core.searching.among_others import lay_one, lay_others, play_round, rank, redeal_for
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.seeing.observe import layout
from roborally_env.core.state import ASK_NOTHING, ASK_PURCHASES, NOBODY
from roborally_env.core.steps import OVER
from roborally_env.core.traits import with_upgrades

MOST = 200  # candidates
LOOKED_AT = 300  # programs of the solo search from which they are chosen
TRIED = 16  # programs from which another robot's is drawn
KEPT_HANDS = 1 << 14
LAYING = 8  # the work of finding a program, in simulated rounds
BASE, DEAL, TRIAL, KEPT = range(4)  # indices of `Table.records`

# All that a search needs: the maps, layout and scratch of the features, the network, `planner`'s weights; whether the
# network has a policy; at the leaves the weights of the log-odds of `planner` and of the network. Scratch: `records` of
# games, `words` u8 and `laid` i1 [KEPT_HANDS, 5] the hands that were searched, `work` of the candidates, their `rows`
# and `outcomes`, `scores` f4, `contexts` f4 [players, 64] of the policy, `order` i8 and `totals` f8 [MOST]
Table = namedtuple(
    "Table",
    "maps at scratch net weights has_policy prior trust records words laid work rows outcomes scores contexts order "
    "totals",
)


def new_table(batch: BatchRace, net: Any, has_policy: bool, prior: float, trust: float) -> Any:
    """The `Table` of a batch for a network."""
    return Table(
        batch.maps,
        layout_for(batch.game),
        new_scratch(batch),
        net,
        weights_of(batch.game),
        has_policy,
        prior,
        trust,
        np.zeros(4, batch.games.dtype),
        np.zeros(KEPT_HANDS, np.uint64),
        np.zeros((KEPT_HANDS, FIVE), np.int8),
        new_candidates(batch, 0, MOST, LOOKED_AT),
        np.zeros((MOST, FEATURES), np.float32),
        np.zeros((MOST, OUTCOMES), np.float32),
        np.zeros(MOST, np.float32),
        np.zeros((batch.players, max(1, net.context_b.shape[0])), np.float32),
        np.zeros(MOST, np.int64),
        np.zeros(MOST),
    )


@kernel
def take_up(table, game, seat):
    """Copy a game into records[BASE], as the seat sees it, and forget the hands: the maps may have changed."""
    table.records[BASE] = game
    cover(table.records[BASE], seat)
    table.words[:] = np.uint64(0)


@kernel
def propose(table, games, row, seat):
    """Take up a decision: the candidate programs of a seat, in the order that the policy prefers. Returns how many
    there are."""
    game = games[row]
    take_up(table, game, seat)
    work, order = table.work, table.order
    count = candidates_of(table.maps, game, seat, work.values, work.programs, work.ends, work.chosen, work.order)
    for i in range(count):
        order[i] = i
    if count > 1 and table.has_policy:
        for r in range(game.players):
            write_context(table, table.records[BASE], r)
        describe_all(table.maps, game, seat, work.values, work.programs, work.order, count, table.rows)
        score_alone(table, seat, count)
        for i in range(count):
            table.totals[i] = table.scores[i]
        rank(order, count, table.totals)
    table.totals[:] = 0.0
    return count


@kernel
def write_context(table, game, r):
    """What the policy makes of robot r's position, whatever its hand."""
    own = np.zeros(table.at.own, np.float32)
    others = np.zeros((game.players - 1, table.at.row), np.float32)
    row, pooled, first, position, _ = new_work(table.net)
    scratch = table.scratch
    write_seat(table.maps, game, r, table.at, scratch[0], scratch[1], scratch[2], own, others)
    hidden(table.net, own, others, row, pooled, first, position)
    context_of(table.net, position, table.contexts[r])


@kernel
def score_alone(table, r, count):
    """The policy's scores, without deals, of robot r's programs that table.rows describe."""
    table.outcomes[:count] = 0.0
    for i in range(count):
        table.outcomes[i, ALONE] = table.rows[i, VALUE]
    score_candidates(table.net, table.contexts[r], table.rows, table.outcomes, count, table.scores)


@kernel
def lay_policy(table, game, r, word):
    """Robot r lays a program that is drawn from the policy."""
    values = np.zeros(TRIED)
    programs = np.zeros((TRIED, FIVE), np.int8)
    count = best_programs(table.maps, game, r, values, programs)
    best = 0
    if count > 1:
        describe_all(table.maps, game, r, values, programs, np.arange(count), count, table.rows)
        score_alone(table, r, count)
        add_gumbel(word, r, 1.0, table.scores[:count])
        for i in range(count):
            best = i if table.scores[i] > table.scores[best] else best
    lay_one(game, r, programs, best)


@kernel
def deal_out(table, seat, word, by_policy):
    """records[DEAL]: a deal of records[BASE] in which the others have laid. Returns the work."""
    game = table.records[DEAL : DEAL + 1]
    game[0] = table.records[BASE]
    redeal_for(game[0], seat, word)
    if by_policy and table.has_policy:
        for r in range(game[0].players):
            if r != seat:
                lay_policy(table, game[0], r, word)
        return 2 * LAYING * (np.int64(game[0].players) - 1)
    lay_others(table.maps, game[0], seat)
    return LAYING * (np.int64(game[0].players) - 1)


@kernel
def play_deal(table, seat, key, number, count, rounds, by_policy):
    """Play the candidates order[:count] out in deal `number` and `rounds` rounds more, and add the chances to win to
    `totals`. Returns the work, in simulated rounds."""
    word = stream_word(key, np.uint64(number))
    spent = deal_out(table, seat, word, by_policy)
    work = table.work
    for i in range(count):
        c = table.order[i]
        table.records[TRIAL] = table.records[DEAL]
        play_round(table.maps, table.records[TRIAL], seat, work.programs, work.order[c])
        chance, more = look_on(table, seat, word, rounds)
        table.totals[c] += chance
        spent += 1 + more
    return spent


@kernel
def look_on(table, seat, word, rounds):
    """(the chance to win after records[TRIAL] and `rounds` more rounds, the work). The record is changed."""
    game = table.records[TRIAL]
    spent = 0
    for k in range(rounds):
        if game.winner != NOBODY:
            break
        word = mix(word + np.uint64(k))
        settle(game, word)
        buy_by_table(table.maps, game)
        advance(table.maps.courses, game)
        if game.step == OVER:
            break
        at = np.int64(0)
        for r in range(game.players):
            found, searched = best_of_hand(table, game, r)
            spent += LAYING if searched else 0
            if r == seat:
                at = found
            else:
                lay_one(game, r, table.laid, found)
        play_round(table.maps, game, seat, table.laid, at)
        spent += 1
    return value_of(table, game, seat), spent


@kernel
def best_of_hand(table, game, r):
    """(the index in `laid` of the best solo program of robot r's hand, whether it was searched for)."""
    word = hand_word(table.maps, game, r)
    at = np.int64(word % np.uint64(KEPT_HANDS - 16))
    known = hand_tells(game)
    if not known:
        at = np.int64(KEPT_HANDS - 16 + r)
    if known and table.words[at] == word:
        return at, False
    values = np.zeros(1)
    best_programs(table.maps, game, r, values, table.laid[at : at + 1])
    table.words[at] = word
    return at, True


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
def value_of(table, game, seat):
    """The estimate of a seat's chance to win after a round; 0 or 1 if the race is over. Plays `game` on until programs
    or purchases are wanted."""
    near = chance_after(table.maps, game, seat, table.weights)
    if game.winner != NOBODY or table.trust == 0.0 or has_other_aims(game):
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


@kernel
def drop_worse(table, left, keep, deals):
    """Sort the candidates order[:left] by what they brought in so many deals, and return how many to keep."""
    if deals > 0:
        rank(table.order, left, table.totals)
    return min(left, keep)


@kernel
def forget(table):
    """Forget what the candidates brought."""
    table.totals[:] = 0.0


@kernel
def stream_of(game, seed):
    """The random stream of a decision."""
    return stream_word(key_of(game.key, seed), np.uint64(game.round_number))
