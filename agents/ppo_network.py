"""The network of the agent `ppo` as compiled code on arrays, a row at a time, so that a decision depends on its own row
alone. `roborally train ppo` has the same network in torch, for training.

    position   own vector and rows of the others -> a position                           (once for each decision)
    cards      position, ghost and cards left -> a score for each kind of card, a value   (for each register)
    worth      the same and where a card takes the ghost -> a score that is added, a value (for each card that is left)
    options    position -> a score for each option of a choice, such as a purchase
    down       position -> log-odds of announcing a power down
"""

from __future__ import annotations

import numpy as np
from roborally_env.agents.layers import (
    Net,
    add,
    add_products,
    add_row,
    copy,
    copy_part,
    joined,
    number_in,
    rectify,
    size_of,
)
from roborally_env.agents.registers import log_total, write_input

from roborally_env.base.types import Array
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, SIZE

# Arrays are [in, out]; zeros in the input are skipped. Names are those of the torch modules. A word in a
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
# the parts of the network, by the places of their names
(
    OWN_W, OWN_B, ROW_W, ROW_B, POOL_W, MID_W, MID_B, CONTEXT_W, CONTEXT_B, SEEN_W, DEEP_W, DEEP_B, CARDS_W, CARDS_B,
    BEFORE_W, BEFORE_B, AFTER_W, KIND_W, LEADS_W, LEADS_B, WORTH_W, WORTH_B, OPTION_W, OPTION_B, DOWN_W, DOWN_B,
    VALUE_W, VALUE_B,
) = range(len(USED))  # fmt: skip


def net_of(arrays: dict[str, Array]) -> Net:
    """The compiled network of these arrays."""
    return joined([arrays[name] for name in USED])


@kernel
def place(net, own, others, row, pooled, first, out):
    """Write the position of an own vector [own] and the others' rows [P - 1, row] into `out` [hidden]."""
    pooled[:] = 0.0
    for q in range(others.shape[0]):
        copy_part(net, ROW_B, row)
        add_products(others[q], net, ROW_W, 0, row)
        rectify(row)
        add(row, pooled)
    copy_part(net, OWN_B, first)
    add_products(own, net, OWN_W, 0, first)
    add_products(pooled, net, POOL_W, 0, first)
    rectify(first)
    copy_part(net, MID_B, out)
    add_products(first, net, MID_W, 0, out)
    rectify(out)


@kernel
def score_cards(net, context, seen, first, deep, half, worths, logits):
    """Write the scores of the kinds of cards into `logits` [KINDS], from the context [width] and what is seen; `worths`
    [CARDS] are what the critic makes of those that are left, `deep` [width] what both make of the register."""
    copy(context, first)
    add_products(seen[:AROUND], net, SEEN_W, 0, first)
    add_products(seen[SIZE:], net, SEEN_W, AROUND, first)
    rectify(first)
    copy_part(net, DEEP_B, deep)
    add_products(first, net, DEEP_W, 0, deep)
    rectify(deep)
    copy_part(net, CARDS_B, logits)
    add_products(deep, net, CARDS_W, 0, logits)
    before = np.empty(size_of(net, BEFORE_B), np.float32)
    copy_part(net, BEFORE_B, before)
    add_products(deep, net, BEFORE_W, 0, before)
    for kind in range(CARDS):
        if seen[SIZE + kind] == 0.0:
            continue
        copy(before, first)
        add_row(net, KIND_W, kind, first)
        add_products(seen[AROUND + kind * AFTER : AROUND + (kind + 1) * AFTER], net, AFTER_W, 0, first)
        rectify(first)
        copy_part(net, LEADS_B, half)
        add_products(first, net, LEADS_W, 0, half)
        rectify(half)
        score, worth = number_in(net, WORTH_B, 0), number_in(net, WORTH_B, 1)
        for j in range(half.shape[0]):
            score += half[j] * number_in(net, WORTH_W, 2 * j)
            worth += half[j] * number_in(net, WORTH_W, 2 * j + 1)
        logits[kind] += score
        worths[kind] = worth


@kernel
def value_before(net, seen, deep, worths, logits):
    """The critic's value of the position before a register, of what `score_cards` left for it: the chance to win, where
    the training's reward is to win."""
    value = float(number_in(net, VALUE_B, 0))
    for j in range(deep.shape[0]):
        value += deep[j] * number_in(net, VALUE_W, j)
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
    hidden = size_of(net, MID_B)
    players = np.int64(games[0].players) if games.shape[0] else np.int64(2)
    own = np.empty(size_of(net, OWN_W) // hidden, np.float32)
    others = np.empty((players - 1, row_size), np.float32)
    row, pooled = np.empty(size_of(net, ROW_B), np.float32), np.empty(size_of(net, ROW_B), np.float32)
    first, position = np.empty(hidden, np.float32), np.empty(hidden, np.float32)
    scores = np.empty(size_of(net, OPTION_B), np.float32)
    for i in range(rows.shape[0]):
        game = games[rows[i]]
        write_input(game, seats[i], symbolic[i], columns, others_at, own, others)
        place(net, own, others, row, pooled, first, position)
        copy_part(net, OPTION_B, scores)
        add_products(position, net, OPTION_W, 0, scores)
        best = np.int64(-1)
        for j in range(scores.shape[0]):
            if game.ask_options >> j & 1 and (best < 0 or scores[j] > scores[best]):
                best = np.int64(j)
        options[i] = best
