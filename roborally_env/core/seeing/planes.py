"""The planes: a window of the board around the robot, heading up."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.driving.advance import tables_at
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY, NOWHERE, kind_of
from roborally_env.courses import KINDS, Course
from roborally_env.courses.model import turned_cell
from roborally_env.courses.tables import BLOCKED, MAX_LASERS, WIDTH

# the greatest number on a plane, by its name and meaning; see `noted`
HIGHEST: dict[tuple[str, str], int] = {}


def noted(*rows: tuple[str, str, int]) -> tuple[tuple[str, str], ...]:
    """Name and meaning of planes, whose greatest numbers go into HIGHEST."""
    HIGHEST.update({(name, meaning): most for name, meaning, most in rows})
    return tuple((name, meaning) for name, meaning, _ in rows)


# fmt: off
PLANES = noted(
    ("floor",         "1 on a board", 1),
    ("pit",           "1", 1),
    ("wall_ahead",    "1: a wall on that side", 1), ("wall_right", "1", 1), ("wall_behind", "1", 1),
    ("wall_left",     "1", 1),
    ("belt_ahead",    "1 slow, 2 fast, running that way", 2), ("belt_right", "", 2), ("belt_behind", "", 2),
    ("belt_left",     "", 2),
    ("gear_right",    "1", 1), ("gear_left", "1", 1),
    ("panel_ahead",   "registers as bits 1 2 4 8 16, pushing that way", 31),
    ("panel_right",   "", 31), ("panel_behind", "", 31), ("panel_left", "", 31),
    ("laser",         "beams that cross the cell", 3 * MAX_LASERS),
    ("antenna",       "1", 1),
    ("reboot_token",  "1", 1),
    ("energy_space",  "1 empty, 2 with its cube", 2),
    ("next_checkpoint", "1", 1),
    ("later_checkpoint", "1", 1),
    ("robot_ahead",   "another robot, heading as the own", 1),
    ("robot_right",   "", 1), ("robot_behind", "", 1), ("robot_left", "", 1),
)
# fmt: on
WINDOW = 13  # cells per side; the own robot stands in the middle
MIDDLE = WINDOW // 2
DEPTH = len(PLANES)
(_ANTENNA_PLANE, _TOKEN_PLANE, _ENERGY_PLANE, _NEXT_PLANE, _LATER_PLANE, _ROBOT_PLANE) = range(DEPTH - 9, DEPTH - 3)
_PIT_PLANE, _WALL_PLANE, _RAMP_PLANE, _STOMPER_PLANE = 1, 2, 11, _ANTENNA_PLANE
ON = 16  # on the plane of ramps


def planes_of(game: str) -> tuple[tuple[str, str], ...]:
    """Name and meaning of each plane in a kind of game."""
    return kind_of(game).planes or PLANES


def most_on_planes(game: str) -> NDArray[np.uint8]:
    """The greatest number on each plane in a kind of game: [DEPTH]; 255 where a plane from outside says none."""
    return np.array([HIGHEST.get(plane, 255) for plane in planes_of(game)], np.uint8)


def draw_tiles(course: Course, game: str, sheets: Any) -> None:
    """Draw the kinds of tiles that name a plane into the `sheets` [4, rows, columns * DEPTH] of a course,
    on which the kernels below have drawn everything else."""
    names = [name for name, _ in planes_of(game)]
    for e in course.elements:
        kind = KINDS[e.kind]
        for facing in range(4) if kind.plane in names else ():
            column, row = turned_cell(e.x, e.y, course.width, course.height, -facing)
            at = (column + MIDDLE) * DEPTH + names.index(kind.plane)
            sheets[facing, row + MIDDLE, at] |= kind.shown(e, facing)


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
                spot[6 + ((int(course.belt_out[cell]) - facing) & 3)] = course.belt[cell]
            if course.gear[cell]:
                spot[10 if course.gear[cell] == 1 else 11] = 1
            if course.panel[cell]:
                spot[12 + ((int(course.panel_push[cell]) - facing) & 3)] = course.panel[cell]
            spot[16] = course.beams_on[cell]
            spot[_ANTENNA_PLANE] = cell == course.antenna
            for i in range(course.tokens):
                if course.token_cell[i] == cell:
                    spot[_TOKEN_PLANE] = 1
            if course.energy_at[cell] >= 0:
                spot[_ENERGY_PLANE] = 1
            elif course.repair[cell]:
                spot[_ENERGY_PLANE] = course.repair[cell]


@kernel
def draw_static_community(courses, k, facing, sheet):
    """As draw_static, with the meanings that planes have in the community edition."""
    draw_static(courses, k, facing, sheet)
    course = courses[k]
    for y in range(course.height):
        for x in range(course.width):
            cell = y * WIDTH + x
            if course.on_board[cell]:
                row, column = turned(course, cell, facing)
                at = (column + MIDDLE) * DEPTH
                draw_tile(course, cell, facing, sheet[row + MIDDLE, at : at + DEPTH])


@kernel
def draw_tile(course, cell, facing, spot):
    """Write what the community edition shows differently of one cell onto `spot` [DEPTH]."""
    spot[0] = 1 + course.level[cell]
    spot[_PIT_PLANE] = 32 if course.pit[cell] else course.trapdoor[cell]
    for side in range(4):
        if not_entered_from(course, cell, side):
            spot[_WALL_PLANE + ((side - facing) & 3)] |= 2
    spot[10] = 0 if not course.gear[cell] else 1 if course.gear[cell] == 1 else 2
    spot[_RAMP_PLANE] = 1 << ((int(course.ramp_up[cell]) - facing) & 3) if course.ramp[cell] >= 0 else 0
    spot[_STOMPER_PLANE] = course.stomper[cell]
    token = spot[_TOKEN_PLANE]
    spot[_TOKEN_PLANE] = token | (2 if cell == course.antenna else 0) | (16 if course.button[cell] else 0)
    spot[_ENERGY_PLANE] = (1 if course.energy_at[cell] >= 0 else 0) | course.repair[cell] << 2


@kernel
def not_entered_from(course, cell, side):
    """Whether a one-way cell cannot be entered over a side that has no wall."""
    if course.walls[cell] >> side & 1 or cell == course.antenna:
        return False
    x = cell % WIDTH + (1 if side == 1 else -1 if side == 3 else 0)
    y = cell // WIDTH + (1 if side == 2 else -1 if side == 0 else 0)
    if x < 0 or y < 0 or x >= course.width or y >= course.height or not course.on_board[y * WIDTH + x]:
        return False
    return course.next[y * WIDTH + x, (side + 2) & 3] == BLOCKED


@kernel
def turned(course, cell, facing):
    """Row and column of a cell on the course turned so that `facing` is up."""
    x, y = cell % WIDTH, cell // WIDTH
    if facing == 0:
        return y, x
    if facing == 1:
        return int(course.width) - 1 - x, y
    if facing == 2:
        return int(course.height) - 1 - y, int(course.width) - 1 - x
    return x, int(course.height) - 1 - y


@kernel
def observe_planes(course, game, g, sheets, only, out):
    """Write the window of every seat of game g, or of seat `only`: `out` [B, P, WINDOW, WINDOW * DEPTH].

    `sheets` [K, 4, rows, columns * DEPTH].
    """
    for r in range(game.players):
        if only != NOBODY and r != only:
            continue
        cell, facing = int(game.cell[r]), int(game.facing[r])
        view = out[g, r]
        if cell < 0:
            cell = marker_of(game, r)
        if cell < 0:
            view[:] = 0
            continue
        row, column = turned(course, cell, facing)
        sheet = sheets[tables_at(game), facing]
        left = column * DEPTH
        for i in range(WINDOW):
            source = sheet[row + i, left : left + WINDOW * DEPTH]
            target = view[i]
            for j in range(WINDOW * DEPTH):  # LLVM turns this plain loop into vector instructions
                target[j] = source[j]
        mark_course(course, game, r, row, column, facing, view)
        for q in range(game.players):
            if q != r and game.cell[q] >= 0:
                heading = (int(game.facing[q]) - facing) & 3
                value = 1 + virtual(game, q)
                mark(course, game.cell[q], row, column, facing, view, _ROBOT_PLANE + heading, value)


@rule
def virtual(game, q):
    """1 where robot q is in virtual mode."""
    return 0


@rule
def marker_of(game, r):
    """The cell of robot r's archive marker, around which it sees while it is off the board."""
    return NOWHERE


@rule
def mark_course(course, game, r, row, column, facing, view):
    """Mark the things on the course, as robot r sees them, in its window around (row, column)."""
    if game.cubes:
        mark_cubes(course, game, row, column, facing, view)
    for i in range(game.reached[r], course.checkpoints):
        if game.checkpoint[i] != NOWHERE:
            plane = _NEXT_PLANE if i == game.reached[r] else _LATER_PLANE
            mark(course, game.checkpoint[i], row, column, facing, view, plane, 1)


@kernel
def mark(course, cell, row, column, facing, view, plane, value):
    """Set a value on a plane if the cell lies within the window around (row, column)."""
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
