"""Parts of the symbolic vectors of all games: places relative to a robot, and its surroundings."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import lowest_bit
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.seeing.parts import MOST
from roborally_env.core.seeing.wide import write_8_bits
from roborally_env.core.state import NOBODY

DISTANCE_UNIT = 1.0 / 64.0  # 16 registers
CELL_UNIT = 1.0 / 16.0
# [facing] what a column and a row count in how far ahead a cell lies
_COLUMN_AHEAD = np.array([0, 1, 0, -1], np.int64)
_ROW_AHEAD = np.array([-1, 0, 1, 0], np.int64)


@kernel
def capped(value):
    """An unbounded number, clipped to the range of the vector."""
    return min(value, MOST)


@kernel
def write_offset(cell, facing, there, out, g, r, at):
    """Write how far ahead and to the right `there` lies. A product, because facings cannot be foreseen."""
    dx, dy = column_of(there) - column_of(cell), row_of(there) - row_of(cell)
    x, y = _COLUMN_AHEAD[facing], _ROW_AHEAD[facing]
    out[g, r, at] = np.int32(dx * x + dy * y) * CELL_UNIT
    out[g, r, at + 1] = np.int32(dy * x - dx * y) * CELL_UNIT


@kernel
def write_place(cell, facing, there, out, g, r, at):
    """Write where a place lies, and that there is one."""
    write_offset(cell, facing, there, out, g, r, at)
    out[g, r, at + 2] = 1.0


@kernel
def ways_out(course, cell, facing):
    """The ways out of a cell on flat ground, ahead, right, behind, left: six bits each, for each of three steps whether
    it is stopped, and whether it is a fall; steps after such a one have none."""
    bits = np.int64(course.ways[cell])
    return np.uint32(bits >> 6 * facing | bits << 24 - 6 * facing)


@kernel
def write_surroundings(course, cell, facing, out, g, r, ways, at):
    """Write the ways out of a cell from index `ways` on, and the effects of the cell from index `at` on."""
    bits = np.int64(ways_out(course, cell, facing))
    for i in range(3):
        write_8_bits(out, g, r, ways + 8 * i, bits >> 8 * i)
    write_cell(course, cell, facing, out, g, r, at)


@kernel
def write_cell(course, cell, facing, out, g, r, at):
    """Write the effects of the own cell: eight numbers from index `at` on."""
    if course.belt[cell]:
        out[g, r, at + np.int64(course.belt[cell]) - 1] = 1.0
        out[g, r, at + 2 + ((int(course.belt_out[cell]) - facing) & 3)] = 1.0
    if course.gear[cell]:
        out[g, r, at + 6] = 1.0 if course.gear[cell] == 1 else -1.0
    out[g, r, at + 7] = capped(course.beams_on[cell] / 3.0)


@kernel
def copy_row(out, g, source, at, target, to, first, last):
    """Copy the numbers `first`..`last` - 1 of a row of another player, which begins at `at` in the vector of seat
    `source`, into the row that begins at `to` in the vector of seat `target`."""
    for i in range(first, last):
        out[g, target, to + i] = out[g, source, at + i]


@kernel
def clear(out, g, only):
    """Write zeros into the vectors of all seats of game g, or of seat `only`.

    All at once: as one block of memory they are in the cache when single numbers are written.
    """
    for r in range(out.shape[1]):
        if only == NOBODY or r == only:
            for i in range(out.shape[2]):
                out[g, r, i] = 0.0


@kernel
def write_heading(facing, own, out, g, r, at):
    """Write which way another robot faces, seen by a robot with facing `own`: one of four numbers, zeros, becomes 1."""
    out[g, r, at + ((facing - own) & 3)] = 1.0


@kernel
def viewer_of(q, i, players):
    """The seat that has seat q in row i - 1 of the others, which come in seat order after the own seat."""
    return q - i if q >= i else q - i + players


@kernel
def write_bits(owned, count, g, r, out, at):
    """Write 1 for each upgrade (option) of a bit set, of which there are `count`, into zeros from index `at` on."""
    bits = np.int64(owned) >> 1  # number 0 is none
    whole = count & ~7
    for i in range(0, whole, 8):
        write_8_bits(out, g, r, at + i, bits >> i)
    bits >>= whole
    while bits:
        out[g, r, at + whole + lowest_bit(bits)] = 1.0
        bits &= bits - 1
