"""The network of the agent `ppo` as compiled code on arrays, a row at a time, so that a decision depends on its own row
alone. `roborally train ppo` has the same network in torch, for training.

    position   own vector and rows of the others -> a position                           (once for each decision)
    cards      position, ghost and cards left -> a score for each kind of card, a value   (for each register)
    worth      the same and where a card takes the ghost -> a score that is added, a value (for each card that is left)
    options    position -> a score for each option of a choice, such as a purchase
    down       position -> log-odds of announcing a power down
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from roborally_env.agents.network import rectify
from roborally_env.agents.registers import log_total, write_input

from roborally_env.base.types import Array
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, SIZE

# All arrays are float32 [in, out]; zeros in the input are skipped. Names are those of the torch modules. A word in a
# shape is a size that all arrays share; "seen", "kinds", "shown" and "led" are AROUND + KINDS, KINDS, CARDS and AFTER
# of the version that made a file.
SHAPES: dict[str, tuple[int | str, ...]] = {
    "own_w": ("own", "hidden"), "own_b": ("hidden",), "row_w": ("row", "pooled"), "row_b": ("pooled",),
    "pool_w": ("pooled", "hidden"), "mid_w": ("hidden", "hidden"), "mid_b": ("hidden",),
    "context_w": ("hidden", "width"), "context_b": ("width",), "seen_w": ("seen", "width"),
    "deep_w": ("width", "width"), "deep_b": ("width",), "cards_w": ("width", "kinds"), "cards_b": ("kinds",),
    "before_w": ("width", "width"), "before_b": ("width",), "after_w": ("led", "width"), "kind_w": ("shown", "width"),
    "leads_w": ("width", "half"), "leads_b": ("half",), "worth_w": ("half", 2), "worth_b": (2,),
    "option_w": ("hidden", "options"), "option_b": ("options",), "down_w": ("hidden", 1), "down_b": (1,),
    "value_w": ("width", 1), "value_b": (1,), "option_value_w": ("hidden", 1), "option_value_b": (1,),
}  # fmt: skip
NAMES = tuple(SHAPES)
USED = tuple(name for name in NAMES if not name.startswith("option_value"))  # these are only for training
Net = namedtuple("Net", USED)  # type: ignore[misc]


def net_of(arrays: dict[str, Array]) -> Net:
    """The compiled network's arrays."""
    return Net(*(np.ascontiguousarray(arrays[name], np.float32) for name in USED))


@kernel(seldom=True)
def add_products(x, weights, out):
    """out += x @ weights, as `network.add_rows` with sums in another order. x [n], weights [n, m], out [m].

    Half of the numbers are zeros, at random places: they are passed over without a branch, and four of the others are
    taken at once, so that `out` is read and written a quarter as often. A decision takes a sixth less time.
    """
    at = np.empty(x.shape[0], np.int64)
    n = 0
    for i in range(x.shape[0]):
        at[n] = i
        n += x[i] != 0.0
    k = 0
    while k + 4 <= n:
        i0, i1, i2, i3 = at[k], at[k + 1], at[k + 2], at[k + 3]
        x0, x1, x2, x3 = x[i0], x[i1], x[i2], x[i3]
        for j in range(out.shape[0]):
            out[j] += x0 * weights[i0, j] + x1 * weights[i1, j] + x2 * weights[i2, j] + x3 * weights[i3, j]
        k += 4
    while k < n:
        i0 = at[k]
        x0 = x[i0]
        for j in range(out.shape[0]):
            out[j] += x0 * weights[i0, j]
        k += 1


@kernel
def place(net, own, others, row, pooled, first, out):
    """Write the position of an own vector [own] and the others' rows [P - 1, row] into `out` [hidden]."""
    pooled[:] = 0.0
    for q in range(others.shape[0]):
        row[:] = net.row_b
        add_products(others[q], net.row_w, row)
        rectify(row)
        pooled += row
    first[:] = net.own_b
    add_products(own, net.own_w, first)
    add_products(pooled, net.pool_w, first)
    rectify(first)
    out[:] = net.mid_b
    add_products(first, net.mid_w, out)
    rectify(out)


@kernel
def score_cards(net, context, seen, first, deep, half, worths, logits):
    """Write the scores of the kinds of cards into `logits` [KINDS], from the context [width] and what is seen; `worths`
    [CARDS] are what the critic makes of those that are left, `deep` [width] what both make of the register."""
    first[:] = context
    add_products(seen[:AROUND], net.seen_w, first)
    add_products(seen[SIZE:], net.seen_w[AROUND:], first)
    rectify(first)
    deep[:] = net.deep_b
    add_products(first, net.deep_w, deep)
    rectify(deep)
    logits[:] = net.cards_b
    add_products(deep, net.cards_w, logits)
    before = net.before_b.copy()
    add_products(deep, net.before_w, before)
    for kind in range(CARDS):
        if seen[SIZE + kind] == 0.0:
            continue
        first[:] = before
        first += net.kind_w[kind]
        add_products(seen[AROUND + kind * AFTER : AROUND + (kind + 1) * AFTER], net.after_w, first)
        rectify(first)
        half[:] = net.leads_b
        add_products(first, net.leads_w, half)
        rectify(half)
        score, worth = net.worth_b[0], net.worth_b[1]
        for j in range(half.shape[0]):
            score += half[j] * net.worth_w[j, 0]
            worth += half[j] * net.worth_w[j, 1]
        logits[kind] += score
        worths[kind] = worth


@kernel
def value_before(net, seen, deep, worths, logits):
    """The critic's value of the position before a register, of what `score_cards` left for it: the chance to win, where
    the training's reward is to win."""
    value = float(net.value_b[0])
    for j in range(deep.shape[0]):
        value += deep[j] * net.value_w[j, 0]
    left = np.int64(0)
    for kind in range(CARDS):
        if seen[SIZE + kind] > 0.0:
            left |= np.int64(1) << kind
    if left:
        total = log_total(logits[:CARDS], left)
        for kind in range(CARDS):
            if left >> kind & 1:
                value += np.exp(logits[kind] - total) * worths[kind]
    return value


@kernel
def decide_options(net, games, rows, seats, symbolic, columns, others_at, row_size, options):
    """The likeliest option of each deciding row: `options` i1 [n], from 0."""
    hidden = net.mid_b.shape[0]
    players = np.int64(games[0].players) if games.shape[0] else np.int64(2)
    own = np.empty(net.own_w.shape[0], np.float32)
    others = np.empty((players - 1, row_size), np.float32)
    row, pooled = np.empty(net.row_b.shape[0], np.float32), np.empty(net.row_b.shape[0], np.float32)
    first, position = np.empty(hidden, np.float32), np.empty(hidden, np.float32)
    scores = np.empty(net.option_b.shape[0], np.float32)
    for i in range(rows.shape[0]):
        game = games[rows[i]]
        write_input(game, seats[i], symbolic[i], columns, others_at, own, others)
        place(net, own, others, row, pooled, first, position)
        scores[:] = net.option_b
        add_products(position, net.option_w, scores)
        best = np.int64(-1)
        for j in range(scores.shape[0]):
            if game.ask_options >> j & 1 and (best < 0 or scores[j] > scores[best]):
                best = np.int64(j)
        options[i] = best
