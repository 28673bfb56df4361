"""The symbolic vector and the masks of the 2005 edition; `parts.py` has the parts.

Options, damage, lives, archive markers, locked and revealed registers lie open on the table. While a robot is off the
board it sees from its archive marker.
"""

import numpy as np

from roborally_env.core import cards, choices, options
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, NONE, PACE
from roborally_env.core.driving.advance import about_whom
from roborally_env.core.editions.e2005.locks import locked, programs_now
from roborally_env.core.editions.e2005.parts import CARD, KINDS, LAYOUT
from roborally_env.core.editions.e2005.specials import is_blocker, next_flag
from roborally_env.core.editions.e2005.steps import ANNOUNCE, BEGIN_REGISTER, LEFTOVERS, TOUCH
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.mechanics.programs import ALL
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
from roborally_env.core.seeing.wide import fetch_part, game_ahead
from roborally_env.core.state import NOBODY, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS

NUMBER = PACE.astype(np.float32) / np.float32(DECK_SIZE)  # priority number / 840
OF_A_KIND = np.bincount(ACTION[1 : DECK_SIZE + 1], minlength=cards.U_TURN + 1)  # cards of each kind in the deck
_MOST = 1.0 / 18.0


@kernel
def shown_registers(game):
    """The registers that have been revealed in this turn, as bits. Locked ones lie open besides."""
    step = int(game.step)
    if step <= ANNOUNCE:
        return 0
    shown = int(game.register) + 1
    if step == BEGIN_REGISTER and game.ask_kind != choices.OPTION + options.ABORT_SWITCH:
        shown -= 1
    elif step > TOUCH and step != OVER:
        shown = REGISTERS
    return (1 << shown) - 1 & ALL


@kernel
def view_point(game, r):
    """The cell from which robot r sees: its own, or while it is off the board the cell of its archive marker."""
    return int(game.cell[r]) if game.cell[r] >= 0 else int(game.archive[r])


@kernel
def cell_of_flag(game, i):
    """The cell of flag i (from 0), also while a robot carries it; NOWHERE without such a flag."""
    if game.special & CAPTURE_THE_FLAG and i < 2 and game.carrier[i] != NOBODY:
        return int(game.cell[game.carrier[i]])
    return int(game.checkpoint[i])


@kernel
def still_wanted(game, r, i):
    """Whether flag i is one of those that robot r, or its team, still goes for."""
    if game.special & CAPTURE_THE_FLAG:
        return True
    if game.special & CLAIMS:
        return game.claim[i] != game.team[r]
    return i >= game.reached[r]


@kernel
def flag_after(course, game, r, first):
    """The flag that robot r goes for after flag `first`, or NOBODY."""
    count = int(course.checkpoints)
    if first == NOBODY:
        return NOBODY
    if game.special & (CAPTURE_THE_FLAG | CLAIMS):
        for i in range(1, count):
            flag = (first + i) % count
            if still_wanted(game, r, flag):
                return flag
        return NOBODY
    return first + 1 if first + 1 < count else NOBODY


@kernel
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """See `observe`. Scratch: `ranks` has each robot's registers that lie open, as bits, and its distance; `counts`
    the cards of each kind that lie open.

    What the others see of a robot is written into the vector of the first that sees it, and copied to the others.
    """
    at = LAYOUT
    players = int(game.players)
    shown = shown_registers(game)
    for kind in range(KINDS + 1):  # kind 0: empty places
        counts[g, 0, 0, kind] = 0
    for q in range(players):
        bits = shown | locked(game, q)
        ranks[g, q, 0] = bits
        ranks[g, q, 1] = distance_of(course, distance, game, q)
        if bits:
            for k in range(REGISTERS):
                if bits >> k & 1:
                    counts[g, 0, 0, ACTION[game.registers[q, k]]] += 1
                    counts[g, 0, 0, ACTION[game.laid_on[q, k]]] += 1
    rest = at.others + (players - 1) * at.row
    clear(out, g, only)
    ahead = game_ahead(out, g, only)
    for q in range(players):
        fetch_part(out, ahead, q, 0)
        if only == NOBODY or q == only:
            fetch_part(out, ahead, q, 1)
            write_robot(course, game, g, q, ranks[g, q, 1], out)
            fetch_part(out, ahead, q, 2)
            write_course(course, game, g, q, out)
            fetch_part(out, ahead, q, 3)
            write_cards(game, g, q, ranks[g, q, 0], counts, out)
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
                write_other(game, g, r, q, ranks[g, q, 0], ranks[g, q, 1], out, row)
                fetch_part(out, ahead, q, 5)
            else:
                copy_row(out, g, source, written, r, row, at.row_reached, at.row)
            write_place_of(game, g, r, q, out, row)
        fetch_part(out, ahead, q, 6)


@kernel
def write_robot(course, game, g, r, distance, out):
    """The own robot and its options."""
    at = LAYOUT
    if game.cell[r] >= 0:
        cell = int(game.cell[r])
        out[g, r, at.position] = column_of(cell) / 32.0
        out[g, r, at.position + 1] = row_of(cell) / 32.0
    out[g, r, at.facing + int(game.facing[r])] = 1.0
    out[g, r, at.damage] = game.damage[r] * 0.1
    out[g, r, at.lives] = game.lives[r] * 0.25
    out[g, r, at.power] = game.down >> r & 1
    out[g, r, at.power + 1] = game.announced >> r & 1
    out[g, r, at.power + 2] = game.cell[r] < 0
    out[g, r, at.progress] = game.reached[r] * 0.125
    out[g, r, at.progress + 1] = course.checkpoints * 0.125
    out[g, r, at.progress + 2] = capped(game.round_number / 32.0)
    out[g, r, at.distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, at.role] = game.superbot == r
    out[g, r, at.role + 1] = is_blocker(game, r)
    write_bits(game.options[r], options.COUNT, g, r, out, at.own_options)
    if game.step == PROGRAM:
        out[g, r, at.decision] = programs_now(game, r)
    elif game.ask_seat == r and game.step != OVER:
        out[g, r, at.decision + 1] = 1.0


@kernel
def write_course(course, game, g, r, out):
    """What lies around, and where the flags are."""
    at = LAYOUT
    cell, facing = view_point(game, r), int(game.facing[r])
    if cell < 0:
        return
    if game.archive[r] >= 0:
        write_place(cell, facing, int(game.archive[r]), out, g, r, at.archive)
    write_surroundings(course, cell, facing, out, g, r, at.ways, at.cell)
    out[g, r, at.cell + 8] = course.repair[cell]
    flag = next_flag(course, game, r)
    for i in range(2):
        if flag != NOBODY and flag < course.checkpoints and cell_of_flag(game, flag) >= 0:
            write_place(cell, facing, cell_of_flag(game, flag), out, g, r, at.target + i * 3)
        flag = flag_after(course, game, r, flag)
    if game.special & (CLAIMS | CAPTURE_THE_FLAG):
        for i in range(course.checkpoints):
            team = team_with_flag(game, i)
            if team != NOBODY:
                out[g, r, at.flags + i] = 1.0 if team == game.team[r] else -1.0


@kernel
def team_with_flag(game, i):
    """The team that holds flag i (Toggle Boggle) or carries it (Capture the Flag), or NOBODY."""
    if game.special & CLAIMS:
        return int(game.claim[i])
    return int(game.team[game.carrier[i]]) if i < 2 and game.carrier[i] != NOBODY else NOBODY


@kernel
def write_card(card, out, g, r, at):
    """Kind and number of a card."""
    if card != NONE:
        out[g, r, at + np.int64(ACTION[card]) - 1] = 1.0
        out[g, r, at + KINDS] = NUMBER[card]


@kernel
def write_cards(game, g, r, bits, counts, out):
    """The own cards, and which cards may be anywhere else."""
    at = LAYOUT
    for i in range(at.slots):
        write_card(game.hand[r, i], out, g, r, at.hand + i * CARD)
    locks = locked(game, r)
    if locks:
        for k in range(REGISTERS):
            if locks >> k & 1:
                out[g, r, at.locked + k] = 1.0
                write_card(game.registers[r, k], out, g, r, at.locked_cards + k * CARD)
    for kind in range(KINDS + 1):
        counts[g, 0, 1, kind] = counts[g, 0, 0, kind]
    for i in range(game.held[r]):
        counts[g, 0, 1, ACTION[game.hand[r, i]]] += 1
    if game.step >= LEFTOVERS:
        for k in range(REGISTERS):
            if not bits >> k & 1:
                counts[g, 0, 1, ACTION[game.registers[r, k]]] += 1
                counts[g, 0, 1, ACTION[game.laid_on[r, k]]] += 1
    counts[g, 0, 1, ACTION[game.conditional[r]]] += 1
    counts[g, 0, 1, ACTION[game.flywheel[r]]] += 1
    for kind in range(1, KINDS + 1):
        out[g, r, at.unseen + kind - 1] = (OF_A_KIND[kind] - np.int64(counts[g, 0, 1, kind])) * _MOST


@kernel
def write_place_of(game, g, r, q, out, row):
    """Where robot q stands and faces, and what else of it depends on who looks, here robot r. The place is zeros while
    robot q is off the board."""
    cell, facing = view_point(game, r), int(game.facing[r])
    there = int(game.cell[q])
    if cell >= 0 and there >= 0:
        write_offset(cell, facing, there, out, g, r, row + LAYOUT.row_place)
    write_heading(int(game.facing[q]), facing, out, g, r, row + LAYOUT.row_heading)
    out[g, r, row + LAYOUT.row_own_team] = game.team[q] == game.team[r]
    out[g, r, row + LAYOUT.row_asked_about] = game.ask_seat == r and about_whom(game) == q


@kernel
def write_other(game, g, r, q, bits, distance, out, row):
    """What every other player sees of robot q, into a row of zeros in the vector of seat r."""
    out[g, r, row + LAYOUT.row_reached] = game.reached[q] * 0.125
    out[g, r, row + LAYOUT.row_distance] = capped(distance * DISTANCE_UNIT)
    out[g, r, row + LAYOUT.row_damage] = game.damage[q] * 0.1
    out[g, r, row + LAYOUT.row_lives] = game.lives[q] * 0.25
    out[g, r, row + LAYOUT.row_down] = game.down >> q & 1
    out[g, r, row + LAYOUT.row_announced] = game.announced >> q & 1
    out[g, r, row + LAYOUT.row_off_board] = game.cell[q] < 0
    out[g, r, row + LAYOUT.row_superbot] = game.superbot == q
    out[g, r, row + LAYOUT.row_blocker] = is_blocker(game, q)
    if game.special & CAPTURE_THE_FLAG:
        out[g, r, row + LAYOUT.row_carries] = game.carrier[0] == q or game.carrier[1] == q
    write_bits(game.options[q], options.COUNT, g, r, out, row + LAYOUT.row_options)
    if bits:
        locks = locked(game, q)
        for k in range(REGISTERS):
            out[g, r, row + LAYOUT.row_locked] += (locks >> k & 1) * 0.2
            if bits >> k & 1:
                write_card(game.registers[q, k], out, g, r, row + LAYOUT.row_cards + k * CARD)


@kernel
def write_choice_parts(game, g, r, out, rest):
    """The parts from `deciding` on, which begin at `rest`."""
    if game.ask_seat == r and game.step != OVER:
        out[g, r, rest + LAYOUT.last_asked + max(0, 1 + np.int64(game.ask_kind) - choices.KINDS_2016)] = 1.0
        legal = np.int64(game.ask_options)
        for option in range(choices.OPTIONS_2005):
            out[g, r, rest + LAYOUT.last_options + option] = legal >> option & 1
    if game.step >= BEGIN_REGISTER:
        out[g, r, rest + LAYOUT.last_register + min(int(game.register), REGISTERS - 1)] = 1.0
    if game.step >= LEFTOVERS:
        for k in range(REGISTERS):
            write_card(game.registers[r, k], out, g, r, rest + LAYOUT.last_registers + k * CARD)
    write_card(game.conditional[r], out, g, r, rest + LAYOUT.last_laid_by)
    write_card(game.flywheel[r], out, g, r, rest + LAYOUT.last_laid_by + CARD)
    out[g, r, rest + LAYOUT.last_marks] = game.aborted >> r & 1
    out[g, r, rest + LAYOUT.last_marks + 1] = game.stabilized >> r & 1
    out[g, r, rest + LAYOUT.last_marks + 2] = game.recompiled >> r & 1
