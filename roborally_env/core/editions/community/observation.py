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
from roborally_env.core.editions.e2016.observation import first_hidden_register, write_shop
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, OVER, PROGRAM, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.priority import rank_of
from roborally_env.core.searching.distances import distance_of
from roborally_env.core.seeing.around import (
    CELL_UNIT,
    DISTANCE_UNIT,
    ahead_of,
    capped,
    right_of,
    write_bits,
    write_cell,
    write_place,
)
from roborally_env.core.seeing.parts import KNOWN_TOP
from roborally_env.core.state import NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.courses.tables import BLOCKED, HAS_LEVELS, WIDTH

NO_RANK = 1 << 20  # rank of a robot off the board: it acts after all others
THIRD = 1.0 / 3.0


@kernel
def count_piles(game, g, counts):
    """Fill row g of `counts` [B, P, 3, 1 + KINDS]: the cards in each robot's discard pile, in its draw pile, and in all
    places together that only its owner can tell apart. Cards in locked registers lie open."""
    hidden = first_hidden_register(game)
    for r in range(game.players):
        for kind in range(1 + KINDS):
            counts[g, r, 0, kind] = counts[g, r, 1, kind] = 0
        drawable = np.int64(game.drawable[r])
        for i in range(drawable):
            counts[g, r, 1, game.pile[r, i]] += 1
        for i in range(drawable, drawable + np.int64(game.discarded[r])):
            counts[g, r, 0, game.pile[r, i]] += 1
        for i in range(PILE - np.int64(game.known[r]), PILE):
            counts[g, r, 1, game.pile[r, i]] += 1
        for kind in range(1 + KINDS):
            counts[g, r, 2, kind] = counts[g, r, 1, kind]
        for i in range(np.int64(game.held[r])):
            counts[g, r, 2, game.hand[r, i]] += 1
        locks = locked(game, r)
        for k in range(hidden, REGISTERS):
            if not locks >> k & 1:
                counts[g, r, 2, game.registers[r, k]] += 1


@kernel
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """See `observe`. Scratch: `ranks` has each robot's place in priority and its distance."""
    at = LAYOUT
    count_piles(game, g, counts)
    players = np.int64(game.players)
    for r in range(players):
        ranks[g, r, 0] = rank_of(course, game, r, game.cell[r]) if game.cell[r] >= 0 else NO_RANK + r
        ranks[g, r, 1] = distance_of(course, distance, game, r)
    for r in range(players):
        if only != NOBODY and r != only:
            continue
        for i in range(out.shape[2]):
            out[g, r, i] = 0.0
        write_robot(course, game, g, r, ranks[g, r, 1], out)
        write_course(course, game, g, r, out)
        write_cards(game, g, r, counts, out)
        write_bits(game.owned[r], g, r, out, at.upgrades)
        write_shop(game, g, r, out)
        before = 0
        row = at.others
        for i in range(1, players):
            q = r + i if r + i < players else r + i - players
            first = ranks[g, q, 0] < ranks[g, r, 0]
            before += first
            write_other(course, game, g, r, q, first, ranks[g, q, 1], out, row)
            write_other_cards(game, g, r, q, counts, out, row)
            row += at.row
        out[g, r, at.priority] = before * 0.125
        if out.shape[2] > row:
            write_choice_parts(game, g, r, out, row)


@kernel
def write_robot(course, game, g, r, distance, out):
    """The own robot."""
    at = LAYOUT
    if game.cell[r] >= 0:
        out[g, r, at.position] = (np.int64(game.cell[r]) % WIDTH) / 32.0
        out[g, r, at.position + 1] = (np.int64(game.cell[r]) // WIDTH) / 32.0
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
    out[g, r, at.distance] = capped(distance * DISTANCE_UNIT)
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
def write_cards(game, g, r, counts, out):
    """The own cards: hand, locked registers, piles."""
    at = LAYOUT
    for i in range(at.slots):
        card = np.int64(game.hand[r, i])
        if card != cards.NONE:
            out[g, r, at.hand + i * KINDS + card - 1] = 1.0
    for kind in range(1, KINDS + 1):
        out[g, r, at.draw_pile + kind - 1] = counts[g, r, 1, kind] * 0.25
        out[g, r, at.discard_pile + kind - 1] = counts[g, r, 0, kind] * 0.25
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
def write_other(course, game, g, r, q, first, distance, out, row):
    """The first part of the row of robot q."""
    cell, facing = np.int64(game.cell[r]), np.int64(game.facing[r])
    there = np.int64(game.cell[q])
    if cell >= 0 and there >= 0:
        out[g, r, row + LAYOUT.row_place] = ahead_of(cell, there, facing) * CELL_UNIT
        out[g, r, row + LAYOUT.row_place + 1] = right_of(cell, there, facing) * CELL_UNIT
        out[g, r, row + LAYOUT.row_level] = (np.int64(course.level[there]) - np.int64(course.level[cell])) * THIRD
    out[g, r, row + LAYOUT.row_heading + ((np.int64(game.facing[q]) - facing) & 3)] = 1.0
    out[g, r, row + LAYOUT.row_reached] = game.reached[q] * 0.125
    out[g, r, row + LAYOUT.row_distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, row + LAYOUT.row_energy] = capped(game.energy[q] * 0.1)
    out[g, r, row + LAYOUT.row_before] = 1.0 if first else 0.0
    out[g, r, row + LAYOUT.row_off_board] = there < 0
    out[g, r, row + LAYOUT.row_damage] = game.damage[q] * 0.1
    out[g, r, row + LAYOUT.row_virtual] = game.virtual >> q & 1
    out[g, r, row + LAYOUT.row_stomped] = game.stomped >> q & 1
    out[g, r, row + LAYOUT.row_down] = game.down >> q & 1
    out[g, r, row + LAYOUT.row_announced] = game.announced >> q & 1
    out[g, r, row + LAYOUT.row_finished] = game.place[q] * 0.125


@kernel
def write_other_cards(game, g, r, q, counts, out, row):
    """The rest of the row: what may be in hand and deck, upgrades, locked registers."""
    for kind in range(1, KINDS + 1):
        out[g, r, row + LAYOUT.row_hidden + kind - 1] = counts[g, q, 2, kind] * 0.25
    write_bits(game.owned[q], g, r, out, row + LAYOUT.row_upgrades)
    locks = locked(game, q)
    if locks:
        for k in range(REGISTERS):
            out[g, r, row + LAYOUT.row_locked] += (locks >> k & 1) * 0.2
        write_registers(game, q, locks, out, g, r, row + LAYOUT.row_cards)


@kernel
def write_choice_parts(game, g, r, out, rest):
    """The parts from `asked` on, which begin at `rest`."""
    if game.step == PROGRAM:
        out[g, r, rest + LAYOUT.last_asked] = programs_now(game, r)
    asked = game.ask_seat == r and game.step != OVER
    if asked:
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
        out[g, r, row + KINDS + 1] = asked and game.ask_about == q
        row += KINDS + 2
