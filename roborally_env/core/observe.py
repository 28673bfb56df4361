"""What a seat sees: the symbolic vector, the planes around the robot, the masks.

PARTS and PLANES are the one description of the two layouts; the writers, the spaces and the docs come
from them. Everything is seen from the own robot, heading up. Discard piles lie open on the table; of
another's cards in hand and draw pile a player knows the union, not the split.
"""

from collections import namedtuple
from functools import cache
from typing import Any

import numpy as np
from numba.extending import overload

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.steps2016 import BEGIN_REGISTER, OVER, PROGRAM, STORE_HANDS
from roborally_env.core.kernel import UPGRADES_FIELD, kernel, with_upgrades
from roborally_env.core.maps import distance_of
from roborally_env.core.piles import is_again
from roborally_env.core.priority import rank_of
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.courses.tables import BLOCKED, WIDTH

DISTANCE_UNIT = 1.0 / 64.0  # 16 registers
CELL_UNIT = 1.0 / 16.0
KNOWN_TOP = 3  # cards of the own deck's known top that are shown

Part = tuple[str, tuple[int, ...], str]


def _parts(with_upgrades: bool, every_choice: bool) -> tuple[Part, ...]:
    """Name, shape and meaning of each part of the symbolic vector.

    That of a game with upgrades in which every choice is asked is longer at its end.
    """
    hand, kinds = (HAND_WITH_UPGRADES, cards.KINDS - 1) if with_upgrades else (HAND, cards.TROJAN_HORSE)
    other = 12 + kinds + (upgrades.COUNT if with_upgrades else 0)
    # fmt: off
    parts: list[Part] = [
    #    name             shape            what
        ("hand",          (hand, kinds),   "one-hot: the card in each slot of the hand"),
        ("draw_pile",     (kinds,),        "cards of each kind in the own draw pile / 4"),
        ("discard_pile",  (kinds,),        "cards of each kind in the own discard pile / 4"),
        ("position",      (2,),            "own column and row / 32"),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("energy",        (1,),            "cubes / 10"),
        ("progress",      (3,),            "checkpoints reached / 8, checkpoints of the course / 8, round number / 32"),
        ("distance",      (1,),            "belt-aware distance to the next checkpoint / 16 registers"),
        ("target",        (2, 3),          "next checkpoint, the one after: cells ahead, right / 16, 1 if there"),
        ("antenna",       (3,),            "the priority antenna likewise"),
        ("ways",          (4, 3, 2),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls]"),
        ("cell",          (8,),            "own cell: slow, fast belt, its way (ahead ..), gear, beams / 3"),
        ("priority",      (1,),            "players that would act before / 8"),
        ("damage_piles",  (4,),            "SPAM, Worm, Virus, Trojan Horse left in the box / 32"),
    ]
    if with_upgrades:
        parts += [
        ("decision",      (2,),            "1 if a program, 1 if a purchase is asked of this seat"),
        ("upgrades",      (upgrades.COUNT,), "1 for each upgrade on the own mat, in the order of `roborally cards`"),
        ("shop",          (upgrades.COUNT,), "1 for each upgrade for sale, 2 where this seat is asked and may buy it"),
        ]
    else:
        parts += [
        ("decision",      (3,),            "one-hot: program, reboot_facing, damage_kind is asked of this seat"),
        ("options",       (choices.OPTIONS_WITHOUT_UPGRADES,), "legal options of that decision"),
        ]
    parts += [  # one row for each other player, in seat order after the own seat
        ("others",        (-1, other),
         "cells ahead / 16, to the right / 16, heading relative to the own (one-hot), checkpoints reached / 8, "
         "distance / 16 registers, energy / 10, acts before, rebooted, damage cards in its deck / 16, "
         "then cards of each kind in its hand, face-down registers and draw pile together / 4"
         + (", then 1 for each of its upgrades" if with_upgrades else "")),
    ]
    if with_upgrades and every_choice:
        parts += [
        ("asked",         (choices.KINDS - 1,), "one-hot: the decision that is asked of this seat, in the order below"),
        ("options",       (choices.OPTIONS,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register that is played; zeros before programs are laid"),
        ("registers",     (REGISTERS, kinds), "one-hot: the cards in the own registers"),
        ("known_top",     (KNOWN_TOP, kinds), "one-hot: the uppermost cards that lie known on the own deck"),
        ("marks",         (3,),            "Admin Privilege, Defrag Gizmo used in this round; Deflector Shield is up"),
        ("revealed",      (-1, kinds + 2), "of each other player: the card in its revealed register (one-hot), "
                                           "1 if its Deflector Shield is up, 1 if the own decision is about it"),
        ]
    # fmt: on
    return tuple(parts)


@cache
def parts_of(with_upgrades: bool, every_choice: bool = False) -> tuple[Part, ...]:
    """The parts of the symbolic vector, in their order."""
    return _parts(with_upgrades, every_choice)


PARTS = parts_of(False)


# fmt: off
PLANES = (
    ("floor",         "1 on a board"),
    ("pit",           "1"),
    ("wall_ahead",    "1: a wall on that side"), ("wall_right", "1"), ("wall_behind", "1"), ("wall_left", "1"),
    ("belt_ahead",    "1 slow, 2 fast, running that way"), ("belt_right", ""), ("belt_behind", ""), ("belt_left", ""),
    ("gear_right",    "1"), ("gear_left", "1"),
    ("panel_ahead",   "registers as bits 1 2 4 8 16, pushing that way"),
    ("panel_right", ""), ("panel_behind", ""), ("panel_left", ""),
    ("laser",         "beams that cross the cell"),
    ("antenna",       "1"),
    ("reboot_token",  "1"),
    ("energy_space",  "1 empty, 2 with its cube"),
    ("next_checkpoint", "1"),
    ("later_checkpoint", "1"),
    ("robot_ahead",   "another robot, heading as the own"),
    ("robot_right", ""), ("robot_behind", ""), ("robot_left", ""),
)
# fmt: on
WINDOW = 13  # cells a side; the own robot stands in the middle
MIDDLE = WINDOW // 2
DEPTH = len(PLANES)
_ROBOT_PLANE = DEPTH - 4
_ENERGY_PLANE, _NEXT_PLANE, _LATER_PLANE = DEPTH - 7, DEPTH - 6, DEPTH - 5


def _layout(with_upgrades: bool) -> dict[str, int]:
    """Where each part up to `others` begins, and the sizes that the writers need."""
    at, offsets = 0, {}
    shapes = {name: shape for name, shape, _ in parts_of(with_upgrades)}
    for name, shape in shapes.items():
        offsets[name] = at
        at += int(np.prod([n for n in shape if n > 0]))
    sizes = {
        "slots": shapes["hand"][0],
        "kinds": shapes["hand"][1],
        "option_count": choices.OPTIONS if with_upgrades else choices.OPTIONS_WITHOUT_UPGRADES,
        "row": shapes["others"][1],
    }
    return {**offsets, **sizes}


# Offsets of the parts by name; slots of a hand, kinds of cards, options, length of a row of `others`
Layout: Any = namedtuple("Layout", tuple(_layout(False) | _layout(True)))  # type: ignore[misc]
LIGHT: Any = Layout(**{**dict.fromkeys(Layout._fields, -1), **_layout(False)})
FULL: Any = Layout(**{**dict.fromkeys(Layout._fields, -1), **_layout(True)})


def layout_of(with_upgrades: bool) -> Any:
    """The layout of the symbolic vector, up to the rows of the other players."""
    return FULL if with_upgrades else LIGHT


def layout(game):
    """The layout of a record's game; known when a kernel is compiled."""
    return layout_of(UPGRADES_FIELD in game.dtype.names)


@overload(layout)
def _layout_overload(game):
    if UPGRADES_FIELD in game.fields:
        return lambda game: FULL
    return lambda game: LIGHT


def symbolic_size(players: int, with_upgrades: bool, every_choice: bool = False) -> int:
    """Length of the symbolic vector."""
    shapes = [shape for _, shape, _ in parts_of(with_upgrades, every_choice)]
    return sum(int(np.prod([players - 1 if n < 0 else n for n in shape])) for shape in shapes)


@kernel
def ahead_of(here, there, facing):
    """Cells that `there` lies ahead of `here` for a robot with that facing."""
    dx, dy = there % WIDTH - here % WIDTH, there // WIDTH - here // WIDTH
    if facing & 1:
        return dx if facing == 1 else -dx
    return dy if facing == 2 else -dy


@kernel
def right_of(here, there, facing):
    """Cells that `there` lies to the right of `here` for a robot with that facing."""
    return ahead_of(here, there, (facing + 1) & 3)


@kernel
def count_piles(game, g, counts):
    """`counts` [B, P, 3, KINDS], row g: of each robot's discard pile, draw pile, and all that only its owner can tell
    apart."""
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
        for k in range(first_hidden_register(game), REGISTERS):  # face down: they count as still in the hand
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
        write_surroundings(course, game, g, r, out)
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
            out[g, r, at.hand + i * at.kinds + card - 1] = 1.0
    for kind in range(1, at.kinds + 1):
        out[g, r, at.draw_pile + kind - 1] = counts[g, r, 1, kind] * 0.25
        out[g, r, at.discard_pile + kind - 1] = counts[g, r, 0, kind] * 0.25
    out[g, r, at.position] = (cell % WIDTH) / 32.0
    out[g, r, at.position + 1] = (cell // WIDTH) / 32.0
    out[g, r, at.facing + facing] = 1.0
    out[g, r, at.energy] = game.energy[r] * 0.1
    reached = int(game.reached[r])
    out[g, r, at.progress] = reached * 0.125
    out[g, r, at.progress + 1] = course.checkpoints * 0.125
    out[g, r, at.progress + 2] = game.round_number / 32.0
    out[g, r, at.distance] = distance * DISTANCE_UNIT
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
        out[g, r, at.decision + game.ask_kind - 1] = 1.0
        for option in range(at.option_count):
            out[g, r, at.options + option] = game.ask_options >> option & 1


@kernel
def write_place(cell, facing, there, out, g, r, at):
    out[g, r, at] = ahead_of(cell, there, facing) * CELL_UNIT
    out[g, r, at + 1] = right_of(cell, there, facing) * CELL_UNIT
    out[g, r, at + 2] = 1.0


@kernel
def write_surroundings(course, game, g, r, out):
    """The ways out of the cell, and what the cell does."""
    layout_at = layout(game)
    facing = int(game.facing[r])
    at = layout_at.ways
    for side in range(4):
        direction = (facing + side) & 3
        cell = int(game.cell[r])
        for i in range(3):
            to = int(course.next[cell, direction])
            if to < 0:
                out[g, r, at + i * 2 + (0 if to == BLOCKED else 1)] = 1.0
                break
            cell = to
        at += 6
    cell = int(game.cell[r])
    if course.belt[cell]:
        out[g, r, layout_at.cell + course.belt[cell] - 1] = 1.0
        out[g, r, layout_at.cell + 2 + ((course.belt_out[cell] - facing) & 3)] = 1.0
    if course.gear[cell]:
        out[g, r, layout_at.cell + 6] = 1.0 if course.gear[cell] == 1 else -1.0
    out[g, r, layout_at.cell + 7] = course.beams_on[cell] / 3.0


@kernel
def write_other(game, g, r, q, counts, first, distance, out, at):
    cell, facing = int(game.cell[r]), int(game.facing[r])
    there = int(game.cell[q])
    out[g, r, at] = ahead_of(cell, there, facing) * CELL_UNIT
    out[g, r, at + 1] = right_of(cell, there, facing) * CELL_UNIT
    out[g, r, at + 2 + ((game.facing[q] - facing) & 3)] = 1.0
    out[g, r, at + 6] = game.reached[q] * 0.125
    out[g, r, at + 7] = distance * DISTANCE_UNIT
    out[g, r, at + 8] = game.energy[q] * 0.1
    out[g, r, at + 9] = 1.0 if first else 0.0
    out[g, r, at + 10] = game.rebooted >> q & 1
    damage = 0
    for kind in range(cards.SPAM, cards.TROJAN_HORSE + 1):
        damage += counts[g, q, 0, kind] + counts[g, q, 2, kind]
    out[g, r, at + 11] = damage * 0.0625
    for kind in range(1, layout(game).kinds + 1):
        out[g, r, at + 11 + kind] = counts[g, q, 2, kind] * 0.25


@with_upgrades()
def write_upgrades(game, g, r, out):
    """The own upgrades and the shop; what is only of use where every choice is asked, if there is room for it."""
    at = FULL
    write_bits(game.owned[r], g, r, out, at.upgrades)
    buys = game.ask_seat == r and game.ask_kind == choices.BUY_UPGRADE and game.step != OVER
    if buys:
        out[g, r, at.decision + 1] = 1.0
    for slot in range(game.players):
        card = np.int64(game.shop[slot])
        if card != upgrades.NONE:
            out[g, r, at.shop + card - 1] = 2.0 if buys and np.int64(game.ask_options) >> card & 1 else 1.0
    rest = at.others + (game.players - 1) * at.row
    if out.shape[2] > rest:
        write_choice_parts(game, g, r, out, rest)


@kernel
def write_choice_parts(game, g, r, out, at):
    """The parts from `asked` on."""
    kinds = FULL.kinds
    if game.step == PROGRAM:
        out[g, r, at] = 1.0
    asked = game.ask_seat == r and game.step != OVER
    if asked:
        out[g, r, at + game.ask_kind - 1] = 1.0
        options = np.int64(game.ask_options)
        for option in range(choices.OPTIONS):
            out[g, r, at + choices.KINDS - 1 + option] = options >> option & 1
    at += choices.KINDS - 1 + choices.OPTIONS
    if game.step >= BEGIN_REGISTER:
        out[g, r, at + game.register] = 1.0
    at += REGISTERS
    if game.step >= STORE_HANDS:
        for k in range(REGISTERS):
            if game.registers[r, k] != cards.NONE:
                out[g, r, at + k * kinds + game.registers[r, k] - 1] = 1.0
    at += REGISTERS * kinds
    for i in range(min(KNOWN_TOP, game.known[r])):
        out[g, r, at + i * kinds + game.pile[r, PILE - game.known[r] + i] - 1] = 1.0
    at += KNOWN_TOP * kinds
    out[g, r, at] = game.used[r] >> upgrades.ADMIN_PRIVILEGE & 1
    out[g, r, at + 1] = game.used[r] >> upgrades.DEFRAG_GIZMO & 1
    out[g, r, at + 2] = game.shielded >> r & 1
    at += 3
    for i in range(1, game.players):
        q = (r + i) % game.players
        if game.step >= BEGIN_REGISTER and game.step != OVER and game.registers[q, game.register] != cards.NONE:
            out[g, r, at + game.registers[q, game.register] - 1] = 1.0
        out[g, r, at + kinds] = game.shielded >> q & 1
        out[g, r, at + kinds + 1] = asked and game.ask_about == q
        at += kinds + 2


@kernel
def write_bits(owned, g, r, out, at):
    """1 for each upgrade of a bit set."""
    card = 0
    owned >>= 1
    while owned:
        if owned & 1:
            out[g, r, at + card] = 1.0
        owned >>= 1
        card += 1


@with_upgrades()
def write_other_upgrades(game, g, r, q, out, row):
    """The upgrades of another player."""
    write_bits(game.owned[q], g, r, out, row + 12 + FULL.kinds)


@kernel
def write_masks(game, g, masks, choice_masks):
    """Write `masks` [B, P, 5, slots] and `choice_masks` [B, P, 1 + options] of game g.

    Which hand slot may go into which register; and 0 nothing to choose, 1 + option.

    A seat that is not asked has slot 0 and choice 0 alone.
    """
    at = layout(game)
    for r in range(game.players):
        for option in range(1 + at.option_count):
            choice_masks[g, r, option] = 0
        if game.step == PROGRAM:
            for i in range(at.slots):
                card = game.hand[r, i]
                there = card != cards.NONE
                masks[g, r, 0, i] = there and not is_again(card)
                for k in range(1, REGISTERS):
                    masks[g, r, k, i] = there
            choice_masks[g, r, 0] = 1
            continue
        for k in range(REGISTERS):
            for i in range(at.slots):
                masks[g, r, k, i] = i == 0
        if game.ask_seat == r and game.step != OVER:
            for option in range(at.option_count):
                choice_masks[g, r, 1 + option] = game.ask_options >> option & 1
        else:
            choice_masks[g, r, 0] = 1


# -- planes


@kernel
def draw_static(courses, k, facing, sheet):
    """Draw course k, `facing` up, into `sheet` [rows, columns * DEPTH], with a margin of MIDDLE cells."""
    course = courses[k]
    sheet[:] = 0
    for y in range(course.height):
        for x in range(course.width):
            cell = y * WIDTH + x
            if not course.on_board[cell]:
                continue
            row, column = turned(course, cell, facing)
            at = (column + MIDDLE) * DEPTH
            spot = sheet[row + MIDDLE, at : at + DEPTH]
            spot[0] = 1
            spot[1] = course.pit[cell]
            for side in range(4):
                spot[2 + ((side - facing) & 3)] = course.walls[cell] >> side & 1
            if course.belt[cell]:
                spot[6 + ((course.belt_out[cell] - facing) & 3)] = course.belt[cell]
            if course.gear[cell]:
                spot[10 if course.gear[cell] == 1 else 11] = 1
            if course.panel[cell]:
                spot[12 + ((course.panel_push[cell] - facing) & 3)] = course.panel[cell]
            spot[16] = course.beams_on[cell]
            spot[17] = cell == course.antenna
            for i in range(course.tokens):
                if course.token_cell[i] == cell:
                    spot[18] = 1
            if course.energy_at[cell] >= 0:
                spot[_ENERGY_PLANE] = 1


@kernel
def turned(course, cell, facing):
    """Row and column of a cell on the course turned so that `facing` is up."""
    x, y = cell % WIDTH, cell // WIDTH
    if facing == 0:
        return y, x
    if facing == 1:
        return course.width - 1 - x, y
    if facing == 2:
        return course.height - 1 - y, course.width - 1 - x
    return x, course.height - 1 - y


@kernel
def observe_planes(course, game, g, sheets, only, out):
    """Write the window of every seat of game g, or of seat `only`: `out` [B, P, WINDOW, WINDOW * DEPTH].

    `sheets` [K, 4, rows, columns * DEPTH].
    """
    for r in range(game.players):
        if only != NOBODY and r != only:
            continue
        cell, facing = int(game.cell[r]), int(game.facing[r])
        row, column = turned(course, cell, facing)
        view = out[g, r]
        sheet = sheets[game.course, facing]
        left = column * DEPTH
        for i in range(WINDOW):
            source = sheet[row + i, left : left + WINDOW * DEPTH]
            target = view[i]
            for j in range(WINDOW * DEPTH):  # a plain loop over two slices is copied by vector instructions
                target[j] = source[j]
        if game.cubes:
            mark_cubes(course, game, row, column, facing, view)
        for i in range(game.reached[r], course.checkpoints):
            if game.checkpoint[i] != NOWHERE:
                mark(
                    course,
                    game.checkpoint[i],
                    row,
                    column,
                    facing,
                    view,
                    _NEXT_PLANE if i == game.reached[r] else _LATER_PLANE,
                    1,
                )
        for q in range(game.players):
            if q != r and game.cell[q] >= 0:
                mark(course, game.cell[q], row, column, facing, view, _ROBOT_PLANE + ((game.facing[q] - facing) & 3), 1)


@kernel
def mark(course, cell, row, column, facing, view, plane, value):
    """Set a value on a plane where a cell lies within the window around (row, column)."""
    i, j = turned(course, int(cell), facing)
    i += MIDDLE - row
    j += MIDDLE - column
    if i >= 0 and i < WINDOW and j >= 0 and j < WINDOW:
        view[i, j * DEPTH + plane] = value


@kernel
def mark_cubes(course, game, row, column, facing, view):
    for i in range(course.energy_spaces):
        if int(game.cubes) >> i & 1:
            mark(course, course.energy_cell[i], row, column, facing, view, _ENERGY_PLANE, 2)
