"""Whether the floor of a painted board is one piece: on foot, every cell leads to every other one.

Cells are bits of a whole number, so that a step is made from all cells at once.
"""

from __future__ import annotations

from roborally_env.courses.model import SIDES, E, N, S, W
from roborally_env.generated.procedural.canvas import OFF, Canvas


def holds_together(canvas: Canvas) -> bool:
    """Whether steps alone lead from every cell to every other one, pits aside; ramps count as up."""
    width = canvas.width
    everything = (1 << canvas.cells) - 1
    floor = everything & ~_bits(canvas.cells_of("pit"))
    leave = _open(canvas, floor)
    if any(canvas.level) or any(tile is not None and tile.kind == "one_way" for tile in canvas.tile):
        _mind_heights(canvas, floor, leave)
    north, east, south, west = leave
    first = floor & -floor
    there, before = first, 0
    while there != before:
        before = there
        there |= (there & north) >> width | (there & east) << 1 | (there & south) << width | (there & west) >> 1
    back, before = first, 0
    while back != before:
        before = back
        back |= (back << width & north) | (back >> 1 & east) | (back >> width & south) | (back << 1 & west)
    return there == back == floor != 0


def _bits(cells: list[int]) -> int:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def _open(canvas: Canvas, floor: int) -> list[int]:
    """By direction, the cells of the floor from which a step leads to floor, heights and one-way cells left out."""
    width = canvas.width
    west = ((1 << canvas.cells) - 1) // ((1 << width) - 1)  # the first column
    stopped = [0, west << (width - 1), 0, west]
    for cell, walls in enumerate(canvas.walls):
        if walls:
            for way in SIDES[walls]:
                stopped[way] |= 1 << cell
    ahead = floor << width, floor >> 1, floor >> width, floor << 1  # the cells before floor, by direction
    return [floor & ahead[way] & ~stopped[way] for way in (N, E, S, W)]


def _mind_heights(canvas: Canvas, floor: int, leave: list[int]) -> None:
    """Take the steps away that lead up a ledge, over the side of a ramp, or into a one-way cell from elsewhere."""
    width = canvas.width
    for level in range(1, max(canvas.level) + 1):
        high = _bits([cell for cell, here in enumerate(canvas.level) if here >= level])
        up = high << width, high >> 1, high >> width, high << 1
        for way in (N, E, S, W):
            leave[way] &= ~(up[way] & ~high)
    for to in [*canvas.cells_of("ramp"), *canvas.cells_of("one_way")]:
        for way, beside in enumerate(canvas.step[to]):
            if beside != OFF:
                _mind_step(canvas, to, way, beside, floor, leave)
                _mind_step(canvas, beside, way ^ 2, to, floor, leave)


def _mind_step(canvas: Canvas, cell: int, way: int, to: int, floor: int, leave: list[int]) -> None:
    """Whether there is that step, to or from a ramp or a one-way cell."""
    both = 1 << cell | 1 << to
    if floor & both == both and not canvas.walls[cell] >> way & 1 and _passes(canvas, cell, way, to):
        leave[way] |= 1 << cell
    else:
        leave[way] &= ~(1 << cell)


def _passes(canvas: Canvas, cell: int, way: int, to: int) -> bool:
    """Whether a robot can step there, over level floor, down a ledge, or up and down a ramp that is up."""
    here, there = canvas.tile[cell], canvas.tile[to]
    if there is not None and there.kind == "one_way" and there.out != way:
        return False
    high, low = canvas.level[cell], canvas.level[to]
    if here is not None and here.kind == "ramp":
        if (here.out - way) & 1:
            return False
        high += here.out == way
    if there is not None and there.kind == "ramp":
        if (there.out - way) & 1:
            return False
        low += there.out != way
    return high >= low
