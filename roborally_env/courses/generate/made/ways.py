"""Whether the floor of a painted board is one piece: on foot, every cell leads to every other one."""

from __future__ import annotations

from roborally_env.courses.generate.made.canvas import OFF, Canvas
from roborally_env.courses.model import EDITIONS, SIDES


def holds_together(canvas: Canvas) -> bool:
    """Whether steps alone lead from every cell to every other one, pits aside; ramps count as up."""
    if "one_way" not in EDITIONS[canvas.home].kinds:
        return _is_one_piece(canvas)
    steps: list[list[int]] = [[] for _ in range(canvas.cells)]
    back: list[list[int]] = [[] for _ in range(canvas.cells)]
    floor = [cell for cell in range(canvas.cells) if not canvas.is_kind(cell, "pit")]
    for cell in floor:
        for way, to in enumerate(canvas.step[cell]):
            if to != OFF and not canvas.walls[cell] >> way & 1 and _passes(canvas, cell, way, to):
                steps[cell].append(to)
                back[to].append(cell)
    return bool(floor) and all(_reached(graph, floor[0]) == len(floor) for graph in (steps, back))


def _is_one_piece(canvas: Canvas) -> bool:
    """`holds_together` where only walls and pits are in the way, of steps there as of steps back.

    Cells are bits of a whole number, so that a step is made from all that are reached at once.
    """
    width = canvas.width
    everything = (1 << canvas.cells) - 1
    west = everything // ((1 << width) - 1)  # the first column
    stopped = [0, west << (width - 1), 0, west]  # by direction; north and south of the board there are no bits
    for cell, walls in enumerate(canvas.walls):
        if walls:
            for way in SIDES[walls]:
                stopped[way] |= 1 << cell
    floor = everything
    for cell in canvas.cells_of("pit"):
        floor &= ~(1 << cell)
    north, east, south, west = (floor & ~each for each in stopped)
    reached, before = floor & -floor, 0
    while reached != before:
        before = reached
        steps = (reached & north) >> width | (reached & east) << 1 | (reached & south) << width | (reached & west) >> 1
        reached |= steps & floor
    return reached == floor != 0


def _reached(steps: list[list[int]], start: int) -> int:
    seen = {start}
    todo = [start]
    while todo:
        for to in steps[todo.pop()]:
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return len(seen)


def _passes(canvas: Canvas, cell: int, way: int, to: int) -> bool:
    """Whether a robot can step there, over level floor, down a ledge, or up and down a ramp that is up."""
    here, there = canvas.tile[cell], canvas.tile[to]
    if there is not None and (there.kind == "pit" or (there.kind == "one_way" and there.out != way)):
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
