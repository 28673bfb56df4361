"""The planes: a window of the board around the robot, heading up."""

from roborally_env.core.advance import tables_at
from roborally_env.core.editions.rules2005.specials import next_flag
from roborally_env.core.kernel import by_edition, kernel, with_tokens
from roborally_env.core.observe2005 import cell_of_flag, still_wanted
from roborally_env.core.state import CLASSIC, NOBODY, NOWHERE
from roborally_env.courses.tables import WIDTH

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
(_ANTENNA_PLANE, _TOKEN_PLANE, _ENERGY_PLANE, _NEXT_PLANE, _LATER_PLANE, _ROBOT_PLANE) = range(DEPTH - 9, DEPTH - 3)
# the planes that mean something else in the 2005 edition
_PLANES_2005 = {
    "antenna": ("own_archive", "1: the own archive marker"),
    "reboot_token": ("other_archive", "1: another's archive marker"),
    "energy_space": ("repair_site", "1 wrench, 2 wrench and hammer"),
    "next_checkpoint": ("next_flag", "1"),
    "later_checkpoint": ("later_flag", "1: another flag that the robot still goes for"),
}
PLANES_2005 = tuple(_PLANES_2005.get(name, (name, meaning)) for name, meaning in PLANES)


def planes_of(game: str) -> tuple[tuple[str, str], ...]:
    """Name and meaning of each plane in a game (`state.LIGHTER`, ..)."""
    return PLANES_2005 if game == CLASSIC else PLANES


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
            for j in range(WINDOW * DEPTH):  # a plain loop over two slices is copied by vector instructions
                target[j] = source[j]
        mark_course(course, game, r, row, column, facing, view)
        for q in range(game.players):
            if q != r and game.cell[q] >= 0:
                heading = (int(game.facing[q]) - facing) & 3
                mark(course, game.cell[q], row, column, facing, view, _ROBOT_PLANE + heading, 1)


@with_tokens(NOWHERE)
def marker_of(game, r):
    """The cell of robot r's archive marker, around which it sees while it is off the board."""
    return int(game.archive[r])


@by_edition("observe_planes:mark_course_2016", "observe_planes:mark_course_2005")
def mark_course(course, game, r, row, column, facing, view):
    """What lies on the course for robot r, into its window around (row, column)."""


@kernel
def mark_course_2016(course, game, r, row, column, facing, view):
    """Energy cubes and checkpoints."""
    if game.cubes:
        mark_cubes(course, game, row, column, facing, view)
    for i in range(game.reached[r], course.checkpoints):
        if game.checkpoint[i] != NOWHERE:
            plane = _NEXT_PLANE if i == game.reached[r] else _LATER_PLANE
            mark(course, game.checkpoint[i], row, column, facing, view, plane, 1)


@kernel
def mark_course_2005(course, game, r, row, column, facing, view):
    """Archive markers and flags."""
    for q in range(game.players):
        if game.archive[q] >= 0 and game.lives[q] > 0:
            mark(course, game.archive[q], row, column, facing, view, _ANTENNA_PLANE if q == r else _TOKEN_PLANE, 1)
    following = next_flag(course, game, r)
    for i in range(course.checkpoints):
        cell = cell_of_flag(game, i)
        if cell >= 0 and still_wanted(game, r, i):
            mark(course, cell, row, column, facing, view, _NEXT_PLANE if i == following else _LATER_PLANE, 1)


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
