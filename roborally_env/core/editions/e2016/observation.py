"""The symbolic vector and the masks of the 2016 games; `parts.py` has the parts.

Discard piles lie open on the table; of another's cards in hand and draw pile a player knows the union, not the split.
"""

import numpy as np

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.mechanics.priority import rank_of
from roborally_env.core.rule import rule
from roborally_env.core.searching.distances import distance_of
from roborally_env.core.seeing.around import (
    DISTANCE_UNIT,
    capped,
    clear,
    copy_row,
    viewer_of,
    write_bits,
    write_heading,
    write_offset,
    write_place,
    write_surroundings,
)
from roborally_env.core.seeing.parts import KNOWN_TOP, layout
from roborally_env.core.seeing.tally import count_in, tally, write_tally
from roborally_env.core.seeing.wide import fetch_part, game_ahead
from roborally_env.core.state import NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.core.traits import with_upgrades


@kernel
def drawn_from(game, r):
    """The tally of robot r's draw pile."""
    low, middle, high = tally(game.pile, r, 0, int(game.drawable[r]))
    known = tally(game.pile, r, PILE - int(game.known[r]), PILE)
    return low + known[0], middle + known[1], high + known[2]


@kernel
def discarded_by(game, r):
    """The tally of robot r's discard pile."""
    first = int(game.drawable[r])
    return tally(game.pile, r, first, first + int(game.discarded[r]))


@kernel
def hidden_with(game, r, drawn):
    """The tally of all cards that only robot r's player can tell apart: draw pile, hand, and face-down registers, which
    count as still in the hand."""
    hand = tally(game.hand, r, 0, game.hand.shape[1])
    face_down = tally(game.registers, r, first_hidden_register(game), REGISTERS)
    return drawn[0] + hand[0] + face_down[0], drawn[1] + hand[1] + face_down[1], drawn[2] + hand[2] + face_down[2]


@kernel
def first_hidden_register(game):
    """The first register (0..4) whose cards lie face down; they are revealed when the register begins."""
    return int(game.register) + (0 if game.step == STORE_HANDS else 1)


@kernel
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """Write the symbolic vector of every seat of game g, or of seat `only`: `out` [B, P, size]. `ranks` is scratch.

    What the others see of a robot is written into the vector of the first that sees it, and copied to the others.
    """
    at = layout(game)
    players = int(game.players)
    for r in range(players):
        ranks[g, r, 0] = rank_of(course, game, r, game.cell[r])
        ranks[g, r, 1] = distance_of(course, distance, game, r)
    clear(out, g, only)
    ahead = game_ahead(out, g, only)
    for q in range(players):
        fetch_part(out, ahead, q, 0)
        drawn = drawn_from(game, q)
        discarded = discarded_by(game, q)
        if only == NOBODY or q == only:
            fetch_part(out, ahead, q, 1)
            write_own(course, game, g, q, ranks, out)
            fetch_part(out, ahead, q, 2)
            write_tally(drawn, at.kinds, out, g, q, at.draw_pile)
            write_tally(discarded, at.kinds, out, g, q, at.discard_pile)
            write_surroundings(course, int(game.cell[q]), int(game.facing[q]), out, g, q, at.ways, at.cell)
            fetch_part(out, ahead, q, 3)
            write_upgrades(game, g, q, out)
        source = NOBODY
        written = 0
        fetch_part(out, ahead, q, 4)
        for i in range(1, players):
            r = viewer_of(q, i, players)
            if only != NOBODY and r != only:
                continue
            row = at.others + (i - 1) * at.row
            if source == NOBODY:
                source, written = r, row
                write_other(game, g, r, q, drawn, discarded, ranks[g, q, 1], out, row)
                fetch_part(out, ahead, q, 5)
            else:
                copy_row(out, g, source, written, r, row, at.row_reached, at.row)
            write_place_of(game, g, r, q, out, row)
            # the sign of the difference: a comparison would become a branch, which cannot be foreseen
            out[g, r, row + at.row_before] = np.float32(np.int32(ranks[g, q, 0] - ranks[g, r, 0] >> 63 & 1))
        fetch_part(out, ahead, q, 6)


@kernel
def write_own(course, game, g, r, ranks, out):
    """The own robot, its hand, and where it goes; the vector is zeros here."""
    at = layout(game)
    cell, facing = int(game.cell[r]), int(game.facing[r])
    for i in range(at.slots):
        card = game.hand[r, i]
        if card != cards.NONE:
            out[g, r, at.hand + i * at.kinds + np.int64(card) - 1] = 1.0
    out[g, r, at.position] = column_of(cell) / 32.0
    out[g, r, at.position + 1] = row_of(cell) / 32.0
    out[g, r, at.facing + facing] = 1.0
    out[g, r, at.energy] = capped(game.energy[r] * 0.1)
    reached = int(game.reached[r])
    out[g, r, at.progress] = reached * 0.125
    out[g, r, at.progress + 1] = course.checkpoints * 0.125
    out[g, r, at.progress + 2] = capped(game.round_number / 32.0)
    out[g, r, at.distance] = capped(ranks[g, r, 1] * DISTANCE_UNIT)
    for i in range(2):
        if reached + i < course.checkpoints and game.checkpoint[reached + i] != NOWHERE:
            write_place(cell, facing, int(game.checkpoint[reached + i]), out, g, r, at.target + i * 3)
    if course.antenna >= 0:
        write_place(cell, facing, int(course.antenna), out, g, r, at.antenna)
    before = 0
    for q in range(game.players):
        before += ranks[g, q, 0] < ranks[g, r, 0]
    out[g, r, at.priority] = before * 0.125
    for kind in range(cards.DAMAGE_KINDS):
        out[g, r, at.damage_piles + kind] = game.damage_pile[kind] / 32.0
    if game.step == PROGRAM:
        out[g, r, at.decision] = 1.0
    elif game.ask_seat == r and game.step != OVER and at.options >= 0:
        out[g, r, at.decision + np.int64(game.ask_kind) - 1] = 1.0
        for option in range(at.option_count):
            out[g, r, at.options + option] = np.int32(np.int64(game.ask_options) >> option & 1)


@kernel
def write_place_of(game, g, r, q, out, row):
    """Where robot q stands and faces, seen by robot r."""
    at = layout(game)
    cell, facing = int(game.cell[r]), int(game.facing[r])
    there = int(game.cell[q])
    write_offset(cell, facing, there, out, g, r, row + at.row_place)
    write_heading(int(game.facing[q]), facing, out, g, r, row + at.row_heading)


@kernel
def write_other(game, g, r, q, drawn, discarded, distance, out, row):
    """What every other player sees of robot q, into a row of zeros in the vector of seat r."""
    at = layout(game)
    out[g, r, row + at.row_reached] = game.reached[q] * 0.125
    out[g, r, row + at.row_distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, row + at.row_energy] = capped(game.energy[q] * 0.1)
    out[g, r, row + at.row_rebooted] = game.rebooted >> q & 1
    hidden = hidden_with(game, q, drawn)
    damage = 0
    for kind in range(cards.SPAM, cards.TROJAN_HORSE + 1):
        damage += count_in(discarded, kind) + count_in(hidden, kind)
    out[g, r, row + at.row_damage] = damage * 0.0625
    write_tally(hidden, at.kinds, out, g, r, row + at.row_hidden)
    write_other_upgrades(game, g, r, q, out, row)


@with_upgrades()
def write_upgrades(game, g, r, out):
    """Write the own upgrades and the shop, or the own collection, and in a layout for decisions="all" the parts that
    only it has."""
    at = layout(game)
    write_bits(game.owned[r], at.option_count - 1, g, r, out, at.upgrades)
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
    """How many cards another player's collection has (2023): what all others see alike, in the vector of seat r."""


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
    """The parts from `deciding` on, which begin at `rest`."""
    at = layout(game)
    kinds = at.kinds
    if game.step == PROGRAM:
        out[g, r, rest + at.last_asked] = 1.0
    deciding = game.ask_seat == r and game.step != OVER
    if deciding:
        out[g, r, rest + at.last_asked + place_of_decision(game)] = 1.0
        options = np.int64(game.ask_options)
        for option in range(at.option_count):
            out[g, r, rest + at.last_options + option] = np.int32(options >> option & 1)
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
        out[g, r, row + kinds + 1] = deciding and game.ask_about == q
        row += kinds + 2


@with_upgrades()
def write_other_upgrades(game, g, r, q, out, row):
    """Write the upgrades of another player, which all see alike."""
    at = layout(game)
    write_bits(game.owned[q], at.option_count - 1, g, r, out, row + at.row_upgrades)
    write_collection_of(game, g, r, q, out, row)
