"""The home rows of Capture the Flag, where the robots of each team begin and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roborally_env.courses.model import Course, Placement

DEPTH = 6  # rows


def yard_cells(course: Course) -> dict[tuple[int, int], int]:
    """(x, y) -> 0 or 1: the board whose six rows farthest from the other board contain the cell; without pits.

    Empty for all other courses.
    """
    if "capture_the_flag" not in course.special_rules or len(course.boards) != 2:
        return {}
    pits = {(e.x, e.y) for e in course.elements if e.kind == "pit"}
    cells: dict[tuple[int, int], int] = {}
    for board, (own, other) in enumerate((course.boards, course.boards[::-1])):
        columns, rows = _back(own, other)
        cells |= {(x, y): board for y in rows for x in columns if (x, y) not in pits}
    return cells


def _back(own: Placement, other: Placement) -> tuple[range, range]:
    """The columns and rows of the part of a board that is farthest from the other one."""
    columns, rows = range(own.x, own.x + own.width), range(own.y, own.y + own.height)
    # twice the distance between the middles, which is a whole number
    across = 2 * (own.x - other.x) + own.width - other.width
    down = 2 * (own.y - other.y) + own.height - other.height
    if abs(across) >= abs(down):
        return (columns[-DEPTH:] if across > 0 else columns[:DEPTH]), rows
    return columns, (rows[-DEPTH:] if down > 0 else rows[:DEPTH])
