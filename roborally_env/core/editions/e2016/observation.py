"""The symbolic vector and the masks of the 2016 games; `parts.py` has the parts.

Discard piles lie open on the table; of another's cards in hand and draw pile a player knows the union, not the split.
"""

import numpy as np

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, OVER, PROGRAM, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.priority import rank_of
from roborally_env.core.rule import rule
from roborally_env.core.searching.distances import distance_of
from roborally_env.core.seeing.around import (
    CELL_UNIT,
    DISTANCE_UNIT,
    ahead_of,
    capped,
    right_of,
    write_bits,
    write_place,
    write_surroundings,
)
from roborally_env.core.seeing.parts import KNOWN_TOP, layout
from roborally_env.core.state import NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.core.traits import with_upgrades
from roborally_env.courses.tables import WIDTH


@kernel
def count_piles(game, g, counts):
    """Fill row g of `counts` [B, P, 3, KINDS]: the cards in each robot's discard pile, in its draw pile, and in all
    places together that only its owner can tell apart."""
    for r in range(game.players):
        for kind in range(cards.KINDS):
            counts[g, r, 0, kind] = counts[g, r, 1, kind] = 0
        drawable = int(game.drawable[r])
        for i in range(drawable):
            counts[g, r, 1, game.pile[r, i]] += 1
        for i in range(drawable, drawable + int(game.discarded[r])):
            counts[g, r, 0, game.pile[r, i]] += 1
        for i in range(PILE - int(game.known[r]), PILE):
            counts[g, r, 1, game.pile[r, i]] += 1
        for kind in range(cards.KINDS):
            counts[g, r, 2, kind] = counts[g, r, 1, kind]
        for i in range(game.hand.shape[1]):
            counts[g, r, 2, game.hand[r, i]] += 1
        for k in range(first_hidden_register(game), REGISTERS):  # face-down cards count as still in the hand
            counts[g, r, 2, game.registers[r, k]] += 1


@kernel
def first_hidden_register(game):
    """The first register (0..4) whose cards lie face down; they are revealed when the register begins."""
    return int(game.register) + (0 if game.step == STORE_HANDS else 1)


@kernel
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """Write the symbolic vector of every seat of game g, or of seat `only`: `out` [B, P, size].

    `counts` and `ranks` are scratch.
    """
    count_piles(game, g, counts)
    at = layout(game)
    players = int(game.players)
    for r in range(players):
        ranks[g, r, 0] = rank_of(course, game, r, game.cell[r])
        ranks[g, r, 1] = distance_of(course, distance, game, r)
    for r in range(players):
        if only != NOBODY and r != only:
            continue
        for i in range(out.shape[2]):
            out[g, r, i] = 0.0
        write_own(course, game, g, r, counts, ranks[g, r, 1], out)
        write_surroundings(course, int(game.cell[r]), int(game.facing[r]), out, g, r, at.ways, at.cell)
        write_upgrades(game, g, r, out)
        before = 0
        row = at.others
        for i in range(1, players):
            q = r + i if r + i < players else r + i - players
            first = ranks[g, q, 0] < ranks[g, r, 0]
            before += first
            write_other(game, g, r, q, counts, first, ranks[g, q, 1], out, row)
            write_other_upgrades(game, g, r, q, out, row)
            row += at.row
        out[g, r, at.priority] = before * 0.125


@kernel
def write_own(course, game, g, r, counts, distance, out):
    at = layout(game)
    cell, facing = int(game.cell[r]), int(game.facing[r])
    for i in range(at.slots):
        card = game.hand[r, i]
        if card != cards.NONE:
            out[g, r, at.hand + i * at.kinds + np.int64(card) - 1] = 1.0
    for kind in range(1, at.kinds + 1):
        out[g, r, at.draw_pile + kind - 1] = counts[g, r, 1, kind] * 0.25
        out[g, r, at.discard_pile + kind - 1] = counts[g, r, 0, kind] * 0.25
    out[g, r, at.position] = (cell % WIDTH) / 32.0
    out[g, r, at.position + 1] = (cell // WIDTH) / 32.0
    out[g, r, at.facing + facing] = 1.0
    out[g, r, at.energy] = capped(game.energy[r] * 0.1)
    reached = int(game.reached[r])
    out[g, r, at.progress] = reached * 0.125
    out[g, r, at.progress + 1] = course.checkpoints * 0.125
    out[g, r, at.progress + 2] = capped(game.round_number / 32.0)
    out[g, r, at.distance] = capped(distance * DISTANCE_UNIT)
    for i in range(2):
        if reached + i < course.checkpoints and game.checkpoint[reached + i] != NOWHERE:
            write_place(cell, facing, int(game.checkpoint[reached + i]), out, g, r, at.target + i * 3)
    if course.antenna >= 0:
        write_place(cell, facing, int(course.antenna), out, g, r, at.antenna)
    for kind in range(cards.DAMAGE_KINDS):
        out[g, r, at.damage_piles + kind] = game.damage_pile[kind] / 32.0
    if game.step == PROGRAM:
        out[g, r, at.decision] = 1.0
    elif game.ask_seat == r and game.step != OVER and at.options >= 0:
        out[g, r, at.decision + np.int64(game.ask_kind) - 1] = 1.0
        for option in range(at.option_count):
            out[g, r, at.options + option] = np.int64(game.ask_options) >> option & 1


@kernel
def write_other(game, g, r, q, counts, first, distance, out, row):
    at = layout(game)
    cell, facing = int(game.cell[r]), int(game.facing[r])
    there = int(game.cell[q])
    out[g, r, row + at.row_place] = ahead_of(cell, there, facing) * CELL_UNIT
    out[g, r, row + at.row_place + 1] = right_of(cell, there, facing) * CELL_UNIT
    out[g, r, row + at.row_heading + ((int(game.facing[q]) - facing) & 3)] = 1.0
    out[g, r, row + at.row_reached] = game.reached[q] * 0.125
    out[g, r, row + at.row_distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, row + at.row_energy] = capped(game.energy[q] * 0.1)
    out[g, r, row + at.row_before] = 1.0 if first else 0.0
    out[g, r, row + at.row_rebooted] = game.rebooted >> q & 1
    damage = np.int64(0)
    for kind in range(cards.SPAM, cards.TROJAN_HORSE + 1):
        damage += np.int64(counts[g, q, 0, kind]) + np.int64(counts[g, q, 2, kind])
    out[g, r, row + at.row_damage] = damage * 0.0625
    for kind in range(1, at.kinds + 1):
        out[g, r, row + at.row_hidden + kind - 1] = counts[g, q, 2, kind] * 0.25


@with_upgrades()
def write_upgrades(game, g, r, out):
    """Write the own upgrades and the shop, or the own collection, and in a layout for decisions="all" the parts that
    only it has."""
    at = layout(game)
    write_bits(game.owned[r], g, r, out, at.upgrades)
    if at.shop >= 0:
        write_shop(game, g, r, out)
    write_collection(game, g, r, out)
    rest = at.others + (int(game.players) - 1) * at.row
    if out.shape[2] > rest:
        write_choice_parts(game, g, r, out, rest)


@kernel
def write_shop(game, g, r, out):
    """Write the cards for sale, and whether this seat is asked to buy one."""
    at = layout(game)
    buys = game.ask_seat == r and game.ask_kind == choices.BUY_UPGRADE and game.step != OVER
    if buys:
        out[g, r, at.decision + 1] = 1.0
    for slot in range(game.players):
        card = np.int64(game.shop[slot])
        if card != upgrades.NONE:
            out[g, r, at.shop + card - 1] = 2.0 if buys and np.int64(game.ask_options) >> card & 1 else 1.0


@rule
def write_collection(game, g, r, out):
    """Write the own collection, and the public facts of the upgrade phase (2023)."""


@rule
def write_collection_of(game, g, r, q, out, row):
    """How many cards another player's collection has (2023)."""


@rule
def kinds_of_2023(game):
    """How many of the decision kinds that 2023 adds the edition has."""
    return 0


@kernel
def place_of_decision(game):
    """The index of the open decision among the decision kinds of the game."""
    kind = int(game.ask_kind)
    if kind < choices.KINDS_2016:
        return kind - 1
    if kind < choices.LATER:
        return kind - 1 - (choices.DRAW_UPGRADE - choices.KINDS_2016)
    return kind - choices.LATER + choices.KINDS_2016 - 1 + kinds_of_2023(game)


@kernel
def write_choice_parts(game, g, r, out, rest):
    """The parts from `asked` on, which begin at `rest`."""
    at = layout(game)
    kinds = at.kinds
    if game.step == PROGRAM:
        out[g, r, rest + at.last_asked] = 1.0
    asked = game.ask_seat == r and game.step != OVER
    if asked:
        out[g, r, rest + at.last_asked + place_of_decision(game)] = 1.0
        options = np.int64(game.ask_options)
        for option in range(at.option_count):
            out[g, r, rest + at.last_options + option] = options >> option & 1
    if game.step >= BEGIN_REGISTER:
        out[g, r, rest + at.last_register + int(game.register)] = 1.0
    if game.step >= STORE_HANDS:
        for k in range(REGISTERS):
            if game.registers[r, k] != cards.NONE:
                out[g, r, rest + at.last_registers + k * kinds + np.int64(game.registers[r, k]) - 1] = 1.0
    known = int(np.int64(game.known[r]))
    for i in range(min(KNOWN_TOP, known)):
        out[g, r, rest + at.last_known_top + i * kinds + np.int64(game.pile[r, PILE - known + i]) - 1] = 1.0
    out[g, r, rest + at.last_marks] = game.used[r] >> upgrades.ADMIN_PRIVILEGE & 1
    out[g, r, rest + at.last_marks + 1] = game.used[r] >> upgrades.DEFRAG_GIZMO & 1
    out[g, r, rest + at.last_marks + 2] = game.shielded >> r & 1
    row = rest + at.last_revealed
    for i in range(1, game.players):
        q = (r + i) % game.players
        if game.step >= BEGIN_REGISTER and game.step != OVER and game.registers[q, game.register] != cards.NONE:
            out[g, r, row + np.int64(game.registers[q, game.register]) - 1] = 1.0
        out[g, r, row + kinds] = game.shielded >> q & 1
        out[g, r, row + kinds + 1] = asked and game.ask_about == q
        row += kinds + 2


@with_upgrades()
def write_other_upgrades(game, g, r, q, out, row):
    """Write the upgrades of another player."""
    at = layout(game)
    write_bits(game.owned[q], g, r, out, row + at.row_upgrades)
    write_collection_of(game, g, r, q, out, row)
