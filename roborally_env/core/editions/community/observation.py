"""The symbolic vector and the masks of the community edition; `parts.py` has the parts.

Damage, upgrades, discard piles and locked registers lie open on the table. Of another player's hand, face-down
registers and draw pile a player knows only the union. A robot off the board sees nothing around it.
"""

import numpy as np

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.community.damage import locked, programs_now
from roborally_env.core.editions.community.heights import levels_between, way
from roborally_env.core.editions.community.parts import KINDS, LAYOUT, SITE
from roborally_env.core.editions.community.programming import announces_with_program
from roborally_env.core.editions.e2016.observation import (
    discarded_by,
    drawn_from,
    first_hidden_register,
    write_shop,
)
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.mechanics.priority import rank_of
from roborally_env.core.searching.distances import distance_of
from roborally_env.core.seeing.around import (
    DISTANCE_UNIT,
    capped,
    clear,
    copy_row,
    viewer_of,
    ways_out,
    write_bits,
    write_cell,
    write_heading,
    write_offset,
    write_place,
)
from roborally_env.core.seeing.parts import KNOWN_TOP
from roborally_env.core.seeing.tally import tally, write_tally
from roborally_env.core.seeing.wide import fetch_part, game_ahead
from roborally_env.core.state import NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import BLOCKED, HAS_LEVELS

NO_RANK = 1 << 20  # rank of a robot off the board: it acts after all others
THIRD = 1.0 / 3.0


@kernel
def hidden_with(game, r, drawn):
    """The tally of all cards that only robot r's player can tell apart: draw pile, hand, and face-down registers. Cards
    in locked registers lie open."""
    low, middle, high = tally(game.hand, r, 0, int(game.held[r]))
    low, middle, high = low + drawn[0], middle + drawn[1], high + drawn[2]
    locks = locked(game, r)
    for k in range(first_hidden_register(game), REGISTERS):
        if not locks >> k & 1:
            card = tally(game.registers, r, k, k + 1)
            low, middle, high = low + card[0], middle + card[1], high + card[2]
    return low, middle, high


@kernel
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """See `observe`. Scratch: `ranks` has each robot's place in priority and its distance.

    What the others see of a robot is written into the vector of the first that sees it, and copied to the others.
    """
    at = LAYOUT
    players = np.int64(game.players)
    for r in range(players):
        ranks[g, r, 0] = rank_of(course, game, r, game.cell[r]) if game.cell[r] >= 0 else NO_RANK + r
        ranks[g, r, 1] = distance_of(course, distance, game, r)
    rest = at.others + (players - 1) * at.row
    clear(out, g, only)
    ahead = game_ahead(out, g, only)
    for q in range(players):
        fetch_part(out, ahead, q, 0)
        drawn = drawn_from(game, q)
        if only == NOBODY or q == only:
            fetch_part(out, ahead, q, 1)
            write_robot(course, game, g, q, ranks, out)
            fetch_part(out, ahead, q, 2)
            write_course(course, game, g, q, out)
            fetch_part(out, ahead, q, 3)
            write_cards(game, g, q, drawn, out)
            write_bits(game.owned[q], LAYOUT.option_count - 1, g, q, out, at.upgrades)
            write_shop(game, g, q, out)
            if out.shape[2] > rest:
                write_choice_parts(game, g, q, out, rest)
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
                write_other(game, g, r, q, ranks[g, q, 1], out, row)
                fetch_part(out, ahead, q, 5)
                write_other_cards(game, g, r, q, drawn, out, row)
            else:
                copy_row(out, g, source, written, r, row, at.row_reached, at.row)
            write_place_of(course, game, g, r, q, out, row)
            # the sign of the difference: a comparison would become a branch, which cannot be foreseen
            out[g, r, row + at.row_before] = np.float32(np.int32(ranks[g, q, 0] - ranks[g, r, 0] >> 63 & 1))
        fetch_part(out, ahead, q, 6)


@kernel
def write_robot(course, game, g, r, ranks, out):
    """The own robot."""
    at = LAYOUT
    if game.cell[r] >= 0:
        out[g, r, at.position] = column_of(game.cell[r]) / 32.0
        out[g, r, at.position + 1] = row_of(game.cell[r]) / 32.0
    out[g, r, at.facing + np.int64(game.facing[r])] = 1.0
    out[g, r, at.energy] = capped(game.energy[r] * 0.1)
    out[g, r, at.damage] = game.damage[r] * 0.1
    out[g, r, at.power] = game.down >> r & 1
    out[g, r, at.power + 1] = game.announced >> r & 1
    out[g, r, at.power + 2] = game.virtual >> r & 1
    out[g, r, at.power + 3] = game.stomped >> r & 1
    out[g, r, at.power + 4] = game.cell[r] < 0
    out[g, r, at.progress] = game.reached[r] * 0.125
    out[g, r, at.progress + 1] = course.checkpoints * 0.125
    out[g, r, at.progress + 2] = capped(game.round_number / 32.0)
    out[g, r, at.distance] = capped(ranks[g, r, 1] * DISTANCE_UNIT)
    before = 0
    for q in range(game.players):
        before += ranks[g, q, 0] < ranks[g, r, 0]
    out[g, r, at.priority] = before * 0.125
    if game.step == PROGRAM:
        out[g, r, at.decision] = programs_now(game, r)
        out[g, r, at.decision + 2] = announces_with_program(game, r)
    elif game.ask_seat == r and game.step != OVER:
        out[g, r, at.decision + 1] = 1.0


@kernel
def write_course(course, game, g, r, out):
    """What lies around, and where checkpoints and antenna are."""
    at = LAYOUT
    cell, facing = np.int64(game.cell[r]), np.int64(game.facing[r])
    if cell < 0:
        return
    reached = np.int64(game.reached[r])
    for i in range(2):
        if reached + i < course.checkpoints and game.checkpoint[reached + i] != NOWHERE:
            write_place(cell, facing, np.int64(game.checkpoint[reached + i]), out, g, r, at.target + i * 3)
    if course.antenna >= 0:
        write_place(cell, facing, np.int64(course.antenna), out, g, r, at.antenna)
    write_ways(course, game, cell, facing, out, g, r, at.ways)
    write_cell(course, cell, facing, out, g, r, at.cell)
    write_site(course, game, cell, facing, out, g, r, at.cell + SITE)


@kernel
def write_ways(course, game, cell, facing, out, g, r, at):
    """The ways out of a cell: three numbers for each of three cells in four directions."""
    if not course.has & HAS_LEVELS:
        bits = ways_out(course, cell, facing)
        for step in range(12):
            for end in range(2):
                bit = np.uint32(bits >> np.uint32(2 * step + end)) & np.uint32(1)
                out[g, r, at + 3 * step + end] = np.float32(np.int32(bit))
        return
    for side in range(4):
        direction = (facing + side) & 3
        here = cell
        for i in range(3):
            to = np.int64(way(course, game, here, direction))
            if to < 0:
                out[g, r, at + i * 3 + (0 if to == BLOCKED else 1)] = 1.0
                break
            if course.has & HAS_LEVELS:
                out[g, r, at + i * 3 + 2] = levels_between(course, game, here, to, direction) * 0.5
            here = to
        at += 9


@kernel
def write_site(course, game, cell, facing, out, g, r, at):
    """What the own cell does beyond belts, gears and beams."""
    out[g, r, at] = course.repair[cell] * 0.5
    out[g, r, at + 1] = course.level[cell] * THIRD
    ramp = np.int64(course.ramp[cell])
    if ramp >= 0:
        rises = (np.int64(course.ramp_up[cell]) - facing) & 3
        out[g, r, at + 2 + rises] = 1.0 if np.int64(game.ramps >> np.uint64(ramp)) & 1 else 0.5
    out[g, r, at + 6] = course.puddle[cell]
    out[g, r, at + 7] = course.button[cell] != 0
    out[g, r, at + 8] = course.radiation[cell]
    out[g, r, at + 9] = course.trapdoor[cell] != 0
    out[g, r, at + 10] = course.stomper[cell] != 0


@kernel
def write_cards(game, g, r, drawn, out):
    """The own cards: hand, locked registers, piles."""
    at = LAYOUT
    for i in range(at.slots):
        card = np.int64(game.hand[r, i])
        if card != cards.NONE:
            out[g, r, at.hand + i * KINDS + card - 1] = 1.0
    write_tally(drawn, KINDS, out, g, r, at.draw_pile)
    write_tally(discarded_by(game, r), KINDS, out, g, r, at.discard_pile)
    locks = locked(game, r)
    for k in range(REGISTERS):
        out[g, r, at.locked + k] = locks >> k & 1
    write_registers(game, r, locks, out, g, r, at.locked_cards)


@kernel
def write_registers(game, q, which, out, g, r, at):
    """The cards in some registers of robot q, a bit set."""
    for k in range(REGISTERS):
        card = np.int64(game.registers[q, k])
        if which >> k & 1 and card != cards.NONE:
            out[g, r, at + k * KINDS + card - 1] = 1.0


@kernel
def write_place_of(course, game, g, r, q, out, row):
    """Where robot q stands and faces, seen by robot r; the place is zeros while one of them is off the board."""
    at = LAYOUT
    cell, facing = np.int64(game.cell[r]), np.int64(game.facing[r])
    there = np.int64(game.cell[q])
    above = 0.0  # also where the row was copied from a player on the board
    if cell >= 0 and there >= 0:
        write_offset(cell, facing, there, out, g, r, row + at.row_place)
        above = (np.int64(course.level[there]) - np.int64(course.level[cell])) * THIRD
    out[g, r, row + at.row_level] = above
    write_heading(np.int64(game.facing[q]), facing, out, g, r, row + at.row_heading)


@kernel
def write_other(game, g, r, q, distance, out, row):
    """The first part of what every other player sees of robot q, into a row of zeros in the vector of seat r."""
    out[g, r, row + LAYOUT.row_reached] = game.reached[q] * 0.125
    out[g, r, row + LAYOUT.row_distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, row + LAYOUT.row_energy] = capped(game.energy[q] * 0.1)
    out[g, r, row + LAYOUT.row_off_board] = game.cell[q] < 0
    out[g, r, row + LAYOUT.row_damage] = game.damage[q] * 0.1
    out[g, r, row + LAYOUT.row_virtual] = game.virtual >> q & 1
    out[g, r, row + LAYOUT.row_stomped] = game.stomped >> q & 1
    out[g, r, row + LAYOUT.row_down] = game.down >> q & 1
    out[g, r, row + LAYOUT.row_announced] = game.announced >> q & 1
    out[g, r, row + LAYOUT.row_finished] = game.place[q] * 0.125


@kernel
def write_other_cards(game, g, r, q, drawn, out, row):
    """The rest of the row: what may be in hand and deck, upgrades, locked registers."""
    write_tally(hidden_with(game, q, drawn), KINDS, out, g, r, row + LAYOUT.row_hidden)
    write_bits(game.owned[q], LAYOUT.option_count - 1, g, r, out, row + LAYOUT.row_upgrades)
    locks = locked(game, q)
    if locks:
        for k in range(REGISTERS):
            out[g, r, row + LAYOUT.row_locked] += (locks >> k & 1) * 0.2
        write_registers(game, q, locks, out, g, r, row + LAYOUT.row_cards)


@kernel
def write_choice_parts(game, g, r, out, rest):
    """The parts from `deciding` on, which begin at `rest`."""
    if game.step == PROGRAM:
        out[g, r, rest + LAYOUT.last_asked] = programs_now(game, r)
    deciding = game.ask_seat == r and game.step != OVER
    if deciding:
        out[g, r, rest + LAYOUT.last_asked + np.int64(game.ask_kind) - 1] = 1.0
        legal = np.int64(game.ask_options)
        for option in range(choices.OPTIONS_COMMUNITY):
            out[g, r, rest + LAYOUT.last_options + option] = legal >> option & 1
    played = game.step >= BEGIN_REGISTER and game.step != OVER
    if played:
        out[g, r, rest + LAYOUT.last_register + np.int64(game.register)] = 1.0
    if game.step >= STORE_HANDS:
        write_registers(game, r, (1 << REGISTERS) - 1, out, g, r, rest + LAYOUT.last_registers)
    known = int(np.int64(game.known[r]))
    for i in range(min(KNOWN_TOP, known)):
        out[g, r, rest + LAYOUT.last_known_top + i * KINDS + np.int64(game.pile[r, PILE - known + i]) - 1] = 1.0
    out[g, r, rest + LAYOUT.last_marks] = game.used[r] >> upgrades.ADMIN_PRIVILEGE & 1
    out[g, r, rest + LAYOUT.last_marks + 1] = game.shielded >> r & 1
    row = rest + LAYOUT.last_revealed
    for i in range(1, game.players):
        q = (r + i) % game.players
        if played and game.registers[q, game.register] != cards.NONE:
            out[g, r, row + np.int64(game.registers[q, game.register]) - 1] = 1.0
        out[g, r, row + KINDS] = game.shielded >> q & 1
        out[g, r, row + KINDS + 1] = deciding and game.ask_about == q
        row += KINDS + 2
