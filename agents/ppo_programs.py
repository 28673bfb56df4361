"""Programs of the agent `ppo`: its network's policy and critic, and a beam over the registers of its own robot.

After each register the `beam` likeliest beginnings of a program are kept, by the product of the shares that the policy
gives to their cards. With the last card that can be chosen the critic's value of the position before it counts too:
what it learned tells good ends from likely ones. A beam of one is the policy alone, its likeliest card in each
register. Nothing is played: each beginning has its ghost, which the observation shows to anyone who fills registers.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from roborally_env.agents.layers import add_products, copy_part, size_of
from roborally_env.agents.ppo_network import (
    CONTEXT_B,
    CONTEXT_W,
    DOWN_B,
    DOWN_W,
    LEADS_B,
    MID_B,
    OWN_W,
    ROW_B,
    place,
    score_cards,
    value_before,
)
from roborally_env.agents.registers import (
    begin_program,
    legal_kinds,
    log_total,
    look_for,
    slot_of,
    take_card,
    write_input,
)

from roborally_env.core.kernel import kernel
from roborally_env.core.searching.best_list import copy_row
from roborally_env.core.searching.ghost import CARDS, KINDS, POSE, SIZE
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS

MARGIN = 5.0  # beginnings whose score is lower than the best one's by more are given up: it halves the time

# What is known of the beginnings that are kept, [2, beam, ..]: those before a register, and those after it.
Kept = namedtuple("Kept", "poses counts used scores slots")
# Ways to go on with them, [beam * KINDS]: which one, with which kind of card (-1: no card can be chosen), its score.
Ways = namedtuple("Ways", "of kind score")
# Room for the network's layers; `logits` [beam, KINDS] are of the beginnings before a register.
Layers = namedtuple("Layers", "seen one two half worths logits")


@kernel
def decide_programs(
    net, beam, critic, maps, games, rows, seats, symbolic, columns, others_at, row_size, ghost, slots, down
):
    """The best program of each row: hand slots `slots` i1 [n, 5]; `down` f4 [n], log-odds of a power down.

    `symbolic` [n, size] are the rows' observations; `ghost`: whether the network sees the ghost; `critic`: the weight
    of the critic's value beside log-probabilities.
    """
    width, hidden = size_of(net, CONTEXT_B), size_of(net, MID_B)
    players = np.int64(games[0].players) if games.shape[0] else np.int64(2)
    own = np.empty(size_of(net, OWN_W) // hidden, np.float32)
    others = np.empty((players - 1, row_size), np.float32)
    row, pooled = np.empty(size_of(net, ROW_B), np.float32), np.empty(size_of(net, ROW_B), np.float32)
    first, position = np.empty(hidden, np.float32), np.empty(hidden, np.float32)
    context, answer = np.empty(width, np.float32), np.empty(1, np.float32)
    layers = Layers(
        np.empty(SIZE + KINDS, np.float32), np.empty(width, np.float32), np.empty(width, np.float32),
        np.empty(size_of(net, LEADS_B), np.float32), np.empty(CARDS, np.float32), np.empty((beam, KINDS), np.float32),
    )  # fmt: skip
    kept = Kept(
        np.zeros((2, beam, POSE), np.int32), np.zeros((2, beam, KINDS), np.float32), np.zeros((2, beam), np.int64),
        np.zeros((2, beam), np.float64), np.zeros((2, beam, REGISTERS), np.int8),
    )  # fmt: skip
    room = beam * KINDS
    ways = Ways(np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float64))
    places = np.zeros((REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
    for i in range(rows.shape[0]):
        game, r = games[rows[i]], seats[i]
        write_input(game, r, symbolic[i], columns, others_at, own, others)
        place(net, own, others, row, pooled, first, position)
        copy_part(net, DOWN_B, answer)
        add_products(position, net, DOWN_W, 0, answer)
        down[i] = answer[0]
        copy_part(net, CONTEXT_B, context)
        add_products(position, net, CONTEXT_W, 0, context)
        search_beam(net, critic, maps, game, r, ghost, context, layers, kept, ways, places)
        copy_row(kept.slots[REGISTERS & 1], 0, slots, i)  # they are in order, the best one first


@kernel
def search_beam(net, critic, maps, game, r, ghost, context, layers, kept, ways, places):
    """Fill the registers of robot r; what is kept at the end is in order, the best program first."""
    shut = begin_program(maps, game, r, kept.poses[0, 0], places, kept.counts[0, 0])
    kept.used[0, 0] = 0
    kept.scores[0, 0] = 0.0
    kept.slots[0, 0] = 0
    last = REGISTERS - 1
    while last > 0 and shut >> last & 1:
        last -= 1
    n = 1
    for k in range(REGISTERS):
        now = k & 1
        found = 0
        for b in range(n):
            look_for(maps, game, r, k, kept.poses[now, b], places, kept.counts[now, b], ghost, layers.seen)
            score_cards(net, context, layers.seen, layers.one, layers.two, layers.half, layers.worths, layers.logits[b])
            score = kept.scores[now, b]
            if k == last and critic > 0.0:
                score += critic * value_before(net, layers.seen, layers.two, layers.worths, layers.logits[b])
            bits = np.int64(0) if shut >> k & 1 else np.int64(legal_kinds(game, r, k, kept.used[now, b]))
            found = add_ways(layers.logits[b], bits, b, score, ways, found)
        n = keep_best(maps, game, r, k, shut, layers.logits, places, kept, ways, found)


@kernel
def add_ways(logits, bits, b, score, ways, found):
    """Append the ways to go on with beginning `b`, a kind of card for each bit; returns how many there are now."""
    if bits == 0:
        ways.of[found], ways.kind[found], ways.score[found] = b, -1, score
        return found + 1
    total = log_total(logits, bits)
    for kind in range(KINDS):
        if bits >> kind & 1:
            ways.of[found], ways.kind[found], ways.score[found] = b, kind, score + logits[kind] - total
            found += 1
    return found


@kernel
def keep_best(maps, game, r, k, shut, logits, places, kept, ways, found):
    """Go the best of the first `found` ways, the best one first, and move their ghosts; returns how many are kept."""
    now = k & 1
    after = 1 - now
    n = min(found, kept.scores.shape[1])
    most = -np.inf
    for way in range(found):
        most = max(most, ways.score[way])
    for j in range(n):
        best = 0
        for way in range(1, found):
            if ways.score[way] > ways.score[best]:
                best = way
        if ways.score[best] < most - MARGIN:
            return j
        b, kind = ways.of[best], ways.kind[best]
        kept.scores[after, j] = ways.score[best]
        ways.score[best] = -np.inf
        copy_row(kept.poses[now], b, kept.poses[after], j)
        copy_row(kept.counts[now], b, kept.counts[after], j)
        copy_row(kept.slots[now], b, kept.slots[after], j)
        used = kept.used[now, b]
        given = np.int64(slot_of(game, r, kind + 1, used)) if kind >= 0 else np.int64(-1)
        slot, _, _, _ = take_card(
            maps, game, r, k, logits[b], -1.0, given, kept.poses[after, j], places, shut, kept.counts[after, j], used
        )
        kept.slots[after, j, k] = max(slot, 0)
        kept.used[after, j] = used | (np.int64(1) << slot if slot >= 0 else np.int64(0))
    return n
