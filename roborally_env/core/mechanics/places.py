"""Columns and rows of cells.

A cell is its row * WIDTH + its column, and WIDTH is a power of two. A shift takes a fraction of the time of a division,
which also has to look at signs.
"""

from roborally_env.core.kernel import kernel
from roborally_env.courses.tables import WIDTH

COLUMN = WIDTH - 1  # the bits of a cell that are its column
_ROW = WIDTH.bit_length() - 1


@kernel
def column_of(cell):
    """The column of a cell."""
    return int(cell) & COLUMN


@kernel
def row_of(cell):
    """The row of a cell; of a negative number, such as the value of a robot off the board, a negative one."""
    return int(cell) >> _ROW
