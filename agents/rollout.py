"""Simulated rounds for `learned-search`: candidate programs and purchases, played in common deals and valued.

A deal draws what the seat cannot know, and the other players submit programs in it that the policy, the solo search or
a short search among the others prefers. Further rounds may follow, in which everybody buys and programs as `greedy`.
The network values the position at the end. Random numbers of later rounds are the same after every candidate of a deal,
so hands and positions recur; best programs of hands and values of positions are kept.
"""

from __future__ import annotations

from collections import namedtuple

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
    new_solo,
)
from roborally_env.agents.features import layout_for, new_scratch, write_seat
from roborally_env.agents.greedy_round import PROGRAM_COST, new_hands, play_as_greedy, submit_best
from roborally_env.agents.layers import Net, len_of, size_of
from roborally_env.agents.network import (
    BUY_B,
    CONTEXT_B,
    add_gumbel,
    context_of,
    hidden,
    log_odds,
    new_work,
    score_candidates,
    score_purchases,
    win_logit,
)
from roborally_env.agents.planner import weights_of
from roborally_env.agents.settle import cover, settle

from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, mix, stream_word
from roborally_env.core.driving.advance import answer, play_steps
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs
from roborally_env.core.searching.among_others import play_round, rank, redeal_for, submit_one
from roborally_env.core.searching.best_list import FIVE, copy_row, number_all
from roborally_env.core.state import ASK_PURCHASES, NOBODY

MOST = 200  # candidates, unless a search says how many
TRIED = 16  # programs from which another robot's is drawn
LEAST_ROOM = 64  # for these and for what can be bought
TEMPERATURE = 0.25  # of that draw from the policy: at 1, as in training, the others play worse than they do
KEPT = 1 << 14  # hands and positions that are kept
SAME = 4  # deals after which candidates with equal results count as one
# the short search for another robot's program: programs, the parts of them in its heats, and their deals
SHORT, SHORT_PARTS, SHORT_DEALS = 24, (1, 8, 20), (1, 3, 6)
OTHERS = ("greedy", "policy", "search", "mixed")  # how others find their programs
GREEDY, POLICY, SEARCH, MIXED = range(4)
EVERY = 4  # `mixed`: one deal in so many is of SEARCH, the others of POLICY
LIKING = 0.005  # chance to win for a unit of the network's scores of purchases, in each deal
BASE, DEAL, TRIAL, START, OWN_DEAL, OWN_TRIAL = range(6)  # indices of `Table.records`

# What the network needs to see a position: layout and scratch of the features, and itself
Eyes = namedtuple("Eyes", "at scratch net")
# What is made of a position: `planner`'s weights, and the weights of its log-odds and of the network's
Leaf = namedtuple("Leaf", "weights prior trust")
# All that a search needs: `greedy_round.Hands`, Eyes, Leaf; whether the network has a policy. Scratch: `records` of
# games, the same memory as `words` u8 [6, w], `seen` u8 and `values` f8 [KEPT] positions with their values, `solo` of
# the candidates, their `rows` and `outcomes`, `scores` f4, `contexts` f4 [players, 64] of the policy, `programs` i1
# [.., 5], `order` i8 and `totals` f8 of all that are tried.
# Kernels take the parts that they need: each array of a table is a dozen instructions in every kernel that gets it.
Table = namedtuple(
    "Table",
    "greedy eyes leaf has_policy records words seen values solo rows outcomes scores contexts programs order totals",
)


def new_table(batch: BatchRace, net: Net, has_policy: bool, prior: float, trust: float, most: int = MOST) -> Table:
    """The `Table` of a batch for a network, for `most` candidates out of half as many programs again."""
    room = max(most, LEAST_ROOM)
    records = np.zeros(6, batch.games.dtype)
    unit = np.uint64 if records.dtype.itemsize % 8 == 0 else np.uint8
    return Table(
        new_hands(batch, KEPT),
        Eyes(layout_for(batch.game), new_scratch(batch), net),
        Leaf(weights_of(batch.game), prior, trust),
        has_policy,
        records,
        records.view(unit).reshape(len(records), -1),
        np.zeros(KEPT, np.uint64),
        np.zeros(KEPT),
        new_solo(most, most + most // 2),
        np.zeros((room, FEATURES), np.float32),
        np.zeros((room, OUTCOMES), np.float32),
        np.zeros(room, np.float32),
        np.zeros((batch.players, len_of(net, CONTEXT_B)), np.float32),
        np.zeros((room, FIVE), np.int8),
        np.zeros(room, np.int64),
        np.zeros(room),
    )


@kernel
def take_up(table, game, seat):
    """Copy a game into records[BASE], as the seat sees it, and forget what is kept: the maps may have changed."""
    table.records[BASE] = game
    cover(table.records[BASE], seat)
    table.greedy.hands[:] = np.uint64(0)
    table.seen[:] = np.uint64(0)


@kernel
def propose(table, games, row, seat):
    """Take up a decision: the candidate programs of a seat, in the order that the policy prefers. Returns how many
    there are."""
    game = games[row]
    take_up(table, game, seat)
    order, solo = table.order, table.solo
    count = candidates_of(table.greedy.maps, game, seat, solo)
    for i in range(count):
        order[i] = i
        copy_row(solo.programs, solo.order[i], table.programs, i)
    if count > 1 and table.has_policy:
        write_contexts(table.greedy.maps, table.eyes, table.records[BASE], table.contexts)
        scores = table.scores
        describe_all(table.greedy.maps, game, seat, solo.values, solo.programs, solo.order, count, table.rows)
        score_alone(table.eyes.net, table.contexts[seat], table.rows, table.outcomes, count, scores)
        for i in range(count):
            table.totals[i] = scores[i]
        rank(order, count, table.totals)
    forget(table.totals)
    return count


@kernel
def write_contexts(maps, eyes, game, contexts):
    """What the policy makes of each robot's position, whatever its hand: `contexts` f4 [players, 64]."""
    at, scratch, net = eyes
    own = np.zeros(at.own, np.float32)
    others = np.zeros((game.players - 1, at.row), np.float32)
    row, pooled, first, position, _ = new_work(net)
    for r in range(game.players):
        write_seat(maps, game, r, at, scratch[0], scratch[1], scratch[2], own, others)
        hidden(net, own, others, row, pooled, first, position)
        context_of(net, position, contexts[r])


@kernel
def score_alone(net, context, rows, outcomes, count, scores):
    """The policy's scores, without deals, of a robot's programs that `rows` describe, in its position's `context`."""
    for i in range(count):
        for j in range(outcomes.shape[1]):
            outcomes[i, j] = 0.0
        outcomes[i, ALONE] = rows[i, VALUE]
    score_candidates(net, context, rows, outcomes, count, scores)


@kernel
def submit_policy(table, game, r, word):
    """Submit a program drawn from the policy for robot r."""
    values = np.zeros(TRIED)
    programs = np.zeros((TRIED, FIVE), np.int8)
    count = best_programs(table.greedy.maps, game, r, values, programs)
    best = 0
    if count > 1:
        order, scores = np.empty(TRIED, np.int64), table.scores
        number_all(order)
        describe_all(table.greedy.maps, game, r, values, programs, order, count, table.rows)
        score_alone(table.eyes.net, table.contexts[r], table.rows, table.outcomes, count, scores)
        add_gumbel(word, r, TEMPERATURE, scores[:count])
        for i in range(count):
            best = i if scores[i] > scores[best] else best
    submit_one(game, r, programs, best)


@kernel(apart=True)
def submit_search(table, records, weights, r, word):
    """Submit the program for robot r in records[DEAL] that a short search like that of `planner` finds; `table`:
    `greedy_round.Hands`. Returns the work."""
    values = np.zeros(SHORT)
    candidates = np.zeros((SHORT, FIVE), np.int8)
    count = best_programs(table.maps, records[DEAL], r, values, candidates)
    spent = PROGRAM_COST
    totals = np.zeros(SHORT)
    order = np.empty(SHORT, np.int64)
    number_all(order)
    for heat in range(len(SHORT_PARTS) if count > 1 else 0):
        left = (count - 1) // SHORT_PARTS[heat] + 1
        for _ in range(SHORT_DEALS[heat]):
            records[OWN_DEAL] = records[DEAL]
            redeal_for(records[OWN_DEAL], r, word)
            word = mix(word)
            spent += submit_best(table, records[OWN_DEAL], r) // 4 + left  # a best program alone takes less time
            for i in range(left):
                records[OWN_TRIAL] = records[OWN_DEAL]
                play_round(table.maps, records[OWN_TRIAL], r, candidates, order[i])
                totals[order[i]] += chance_after(table.maps, records[OWN_TRIAL], r, weights)
        rank(order, left, totals)
    submit_one(records[DEAL], r, candidates, order[0])
    return spent


@kernel
def deal_out(table, seat, word, others):
    """records[DEAL]: a deal of records[BASE] in which the others have submitted: each the best program of its hand for
    a robot alone (`others` GREEDY), what the policy draws or what a short search finds. Returns the work."""
    game = table.records[DEAL : DEAL + 1]
    game[0] = table.records[BASE]
    redeal_for(game[0], seat, word)
    players = np.int64(game[0].players)
    if others == GREEDY or (others == POLICY and not table.has_policy):
        return submit_best(table.greedy, game[0], seat)
    spent = 2 * PROGRAM_COST * (players - 1) if others == POLICY else 0
    for r in range(players):
        if r != seat and others == POLICY:
            submit_policy(table, game[0], r, word)
        elif r != seat:
            spent += submit_search(table.greedy, table.records, table.leaf.weights, r, mix(word + np.uint64(1 + r)))
    return spent


@kernel
def play_deal(table, seat, stream, number, count, rounds, others):
    """Play the programs order[:count] out in deal `number` and `rounds` rounds more, in which everybody buys and
    programs as `greedy`, and add the chances to win to `totals`. Returns the work, in simulated rounds."""
    word = stream_word(stream, np.uint64(number))
    if others == MIXED:
        others = SEARCH if number % EVERY == 0 else POLICY
    spent = deal_out(table, seat, word, others)
    for i in range(count):
        c = table.order[i]
        table.records[TRIAL] = table.records[DEAL]
        play_round(table.greedy.maps, table.records[TRIAL], seat, table.programs, c)
        chance, more = follow_greedy(table, seat, word, rounds)
        table.totals[c] += chance
        spent += 1 + more
    return spent


@kernel
def propose_purchases(table, games, row, seat, mask):
    """Take up a purchase: the options of `mask` i1 [1 + options], with what the network thinks of them in `scores`.
    Returns how many there are."""
    take_up(table, games[row], seat)
    count = 0
    for option in range(mask.shape[0] - 1):
        if mask[1 + option]:
            table.order[count] = option
            count += 1
    forget(table.totals)
    if count > 1:
        at, scratch, net = table.eyes
        scores = np.zeros((1, size_of(net, BUY_B)), np.float32)
        one, who = np.zeros(1, np.int64), np.zeros(1, np.int64)
        one[0], who[0] = row, seat
        score_purchases(table.greedy.maps, games, one, who, at, scratch, net, scores)
        for i in range(count):
            table.scores[table.order[i]] = scores[0, 1 + table.order[i]]
    return count


@kernel
def play_purchase(table, seat, stream, number, count, rounds):
    """The same for the purchases order[:count], which are options: everybody buys and programs as `greedy` from then
    on. The chances to win include what the network thinks of the purchases (`LIKING`)."""
    word = stream_word(stream, np.uint64(number))
    out = np.zeros((1, FIVE), np.int8)
    spent = 0
    for i in range(count):
        c = table.order[i]
        table.records[TRIAL] = table.records[BASE]
        game = table.records[TRIAL]
        redeal_for(game, seat, word)
        game.asking = ASK_PURCHASES
        answer(game, c)
        spent += go_on(table.greedy, game, seat, word, 1 + rounds, out)
        table.totals[c] += value_of(table.greedy.maps, table.eyes, table.leaf, game, seat) + LIKING * table.scores[c]
    return spent


@kernel
def follow_greedy(table, seat, word, rounds):
    """(the chance to win after records[TRIAL], the work): the mean of its estimates now and after `rounds` more rounds
    in which everybody buys and programs as `greedy`. The record is changed.

    The estimate now lacks who gets out of the crowd next, that later is blurred by chance. What comes next does not
    depend on the deal of the round that was played, and is the same after every candidate: so equal positions have
    equal values, which are kept.
    """
    game = table.records[TRIAL]
    now = value_of(table.greedy.maps, table.eyes, table.leaf, game, seat)
    if game.winner != NOBODY or rounds == 0:
        return now, 0
    word = mix(word)
    settle(game, word)
    found = position_word(table.words[TRIAL], seat)
    at = np.int64(found % np.uint64(KEPT))
    if table.seen[at] == found:
        return table.values[at], 0
    spent = go_on(table.greedy, game, seat, word, rounds, np.zeros((1, FIVE), np.int8))
    table.seen[at] = found
    table.values[at] = 0.5 * (now + value_of(table.greedy.maps, table.eyes, table.leaf, game, seat))
    return table.values[at], spent


@kernel
def go_on(table, game, seat, word, rounds, out):
    """Play up to `rounds` rounds in which everybody buys and programs as `greedy`, with random numbers that come from
    `word`; `out` i1 [1, 5] is scratch. Returns the work."""
    spent = 0
    for _ in range(rounds):
        more = play_as_greedy(table, game, seat, out)
        spent += more
        if more == 0 or game.winner != NOBODY:
            break
        word = mix(word + np.uint64(2))
        settle(game, word)
    return spent


@kernel
def position_word(words, seat):
    """A hash of a record's memory and a seat."""
    found = np.uint64(seat)
    for i in range(words.shape[0]):
        found = mix(found ^ np.uint64(words[i]))
    return found


@kernel(apart=True)
def value_of(maps, eyes, leaf, game, seat):
    """The estimate of a seat's chance to win after a round; 0 or 1 if the race is over. Plays `game` on until programs
    or purchases are wanted."""
    near = chance_after(maps, game, seat, leaf.weights)
    if game.winner != NOBODY or leaf.trust == 0.0 or has_other_aims(game):
        return near
    at, scratch, net = eyes
    own = np.zeros(at.own, np.float32)
    others = np.zeros((game.players - 1, at.row), np.float32)
    row, pooled, first, position, tower = new_work(net)
    play_steps(maps.courses, game, 0)
    write_seat(maps, game, seat, at, scratch[0], scratch[1], scratch[2], own, others)
    hidden(net, own, others, row, pooled, first, position)
    odds = leaf.prior * log_odds(near) + leaf.trust * win_logit(net, position, tower)
    return 1.0 / (1.0 + np.exp(-odds))


@kernel
def drop_worse(order, totals, left, keep, deals):
    """Sort the candidates order[:left] by their totals over n deals, and return how many to keep: of those
    with equal results one."""
    if deals == 0:
        return min(left, keep)
    rank(order, left, totals)
    kept = 0
    for i in range(left):
        c = order[i]
        if kept < keep and (kept == 0 or deals < SAME or totals[c] != totals[order[kept - 1]]):
            order[kept] = c
            kept += 1
    return kept


@kernel
def forget(totals):
    """Forget what the candidates brought."""
    totals[:] = 0.0


@kernel
def stream_of(game, seed):
    """The random stream of a decision."""
    return stream_word(key_of(game.key, seed), np.uint64(game.round_number))
