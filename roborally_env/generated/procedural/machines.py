"""Painters of gears, pushers and lasers: machines that stand where belts bring robots, and between walls."""

from __future__ import annotations

from roborally_env.courses.model import Element
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural.canvas import OFF, Canvas, Turn, picks

_LENGTHS = ((2, 3, 4, 5, 6), (6, 5, 4, 2, 2))  # cells of a beam and their weights, as on printed boards


def paint_gears(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Put gears: at the ends of belts first, then side by side with belts or with other gears."""
    count = len(canvas.cells_of("gear"))
    for wanted in (ends_of_belts, _beside_machines, Canvas.plain_cells):
        if count >= goal:
            return
        for cell in picks(wanted(canvas), draws):
            if count < goal:
                count += _put_gears(canvas, cell, goal - count, draws)


def ends_of_belts(canvas: Canvas) -> list[int]:
    """The floor that belts lead onto."""
    ends = {steps[out] for steps, out in zip(canvas.step, canvas.out, strict=True) if out >= 0}
    return [cell for cell in canvas.plain_cells() if cell in ends]


def _beside_machines(canvas: Canvas) -> list[int]:
    """The floor off the rim that lies beside belts or gears."""
    beside = canvas.beside([*canvas.belt_cells(), *canvas.cells_of("gear")])
    return [cell for cell in canvas.plain_cells() if cell in beside and OFF not in canvas.step[cell]]


def _put_gears(canvas: Canvas, cell: int, most: int, draws: Draws) -> int:
    images = canvas.images(cell, canvas.turns)
    if len(images) > most:
        images = canvas.images(cell, canvas.alone)
    if any(not canvas.plain(c) or at_ramp(canvas, c) for c, _ in images):
        return 0
    turn = draws.one((1, -1))
    for c, _ in images:
        canvas.put(c, Element("gear", 0, 0, turn=turn))
    return len(images)


def at_ramp(canvas: Canvas, cell: int) -> bool:
    return any(c != OFF and canvas.is_kind(c, "ramp") for c in canvas.step[cell])


def paint_pushers(canvas: Canvas, goal: int, walls: int, draws: Draws) -> None:
    """Put pushers, each with a wall at its back: onto belts first, then onto floor. walls: the most that may stand."""
    count = 0
    registers = draws.one(canvas.style.registers)
    for onto_belt in (True, False):
        if count >= goal or canvas.inner_walls >= walls:
            return
        for spot in picks(range(4 * canvas.cells), draws):
            if count >= goal or canvas.inner_walls >= walls:
                return
            cell, push = divmod(spot, 4)
            turns = canvas.turns if len(canvas.turns) <= goal - count else canvas.alone
            if canvas.inner_walls + len(turns) <= walls and fits_pusher(canvas, cell, push, onto_belt, turns):
                put_pushers(canvas, cell, push, registers, turns)
                count += len(turns)
                registers = draws.one(canvas.style.registers)


def fits_pusher(canvas: Canvas, cell: int, push: int, onto_belt: bool, turns: tuple[Turn, ...]) -> bool:
    """Whether a pusher and its images can stand there."""
    if not canvas.free(cell) or (canvas.out[canvas.step[cell][push]] >= 0) != onto_belt:
        return False
    placed = [(places[cell], (push + quarters) & 3) for places, quarters in turns]
    return len({c for c, _ in placed}) == len(turns) and all(_pushes(canvas, c, way) for c, way in placed)


def _pushes(canvas: Canvas, cell: int, push: int) -> bool:
    """Whether a pusher there has something to push onto, and room for the wall at its back."""
    to, back = canvas.step[cell][push], (push + 2) & 3
    if not canvas.free(cell) or to == OFF or canvas.walls[cell] >> push & 1 or canvas.level[to] != canvas.level[cell]:
        return False
    if canvas.out[to] == back or not (canvas.out[to] >= 0 or canvas.plain(to) or canvas.is_kind(to, "pit")):
        return False
    return bool(canvas.walls[cell] >> back & 1) or canvas.can_wall(cell, back)


def put_pushers(canvas: Canvas, cell: int, push: int, registers: tuple[int, ...], turns: tuple[Turn, ...]) -> None:
    for places, quarters in turns:
        c, way = places[cell], (push + quarters) & 3
        canvas.put(c, Element("panel", 0, 0, push=way, registers=registers))
        if not canvas.walls[c] >> ((way + 2) & 3) & 1:
            canvas.wall(c, (way + 2) & 3)
        canvas.keep_clear(c, way)
        to = canvas.step[c][way]
        if canvas.plain(to):
            canvas.kept[to] = True


def paint_lasers(canvas: Canvas, goal: int, walls: int, draws: Draws, exact: bool) -> None:
    """Put lasers, each between two walls, sometimes several side by side. walls: the most that may stand.

    exact: the number was given, so that beams of one cell fill what longer ones leave.
    """
    for _ in range(12 * goal):
        left = goal - len(canvas.lasers)
        if left <= 0 or canvas.inner_walls + 2 > walls:
            break
        turns = canvas.turns if len(canvas.turns) <= left else canvas.alone
        cell, way, long = draws.below(canvas.cells), draws.below(4), draws.weighted(*_LENGTHS)
        beams = draws.weighted((1, 2, 3), (8, 2, 1))
        two_ended = 2 * len(turns) <= left and draws.chance(0.2)
        beside = draws.one(((way + 1) & 3, (way + 3) & 3))
        for _ in range(draws.weighted((1, 2, 3), (6, 2, 1))):  # a gallery
            emitters = len(turns) * (2 if two_ended else 1)
            if cell == OFF or emitters > goal - len(canvas.lasers) or canvas.inner_walls + 2 * len(turns) > walls:
                break
            if not put_lasers(canvas, (cell, way, long), beams, two_ended, turns):
                break
            cell = canvas.step[cell][beside]
    for lengths in ((3, 2), (1,)) if exact else ((3, 2),):
        _fill(canvas, goal, walls, lengths, draws)


def _fill(canvas: Canvas, goal: int, walls: int, lengths: tuple[int, ...], draws: Draws) -> None:
    """Put the lasers that are left wherever there is room."""
    if len(canvas.lasers) >= goal:
        return
    for spot in picks(range(4 * canvas.cells), draws):
        for long in lengths:
            if len(canvas.lasers) < goal and canvas.inner_walls + 2 <= walls:
                put_lasers(canvas, (*divmod(spot, 4), long), 1, False, canvas.alone)


def put_lasers(
    canvas: Canvas, line: tuple[int, int, int], beams: int, two_ended: bool, turns: tuple[Turn, ...]
) -> bool:
    """Put a laser on a line (cell, direction, length) and its images, if there is room for all."""
    cell, way, long = line
    lines = [_line(canvas, places[cell], (way + quarters) & 3, long) for places, quarters in turns]
    seen = [c for each in lines for c in each]
    if len(set(seen)) != len(seen) or not all(lines):
        return False
    ends = [((way + quarters) & 3) for _, quarters in turns]
    if not all(_walled_in(canvas, each, d) for each, d in zip(lines, ends, strict=True)):
        return False
    for each, d in zip(lines, ends, strict=True):
        _put_laser(canvas, each, d, beams, two_ended)
    return True


def _line(canvas: Canvas, cell: int, way: int, long: int) -> list[int]:
    """The cells of a beam; empty if there is something in its way, or another beam."""
    found: list[int] = []
    level = canvas.level[cell]
    for _ in range(long):
        if cell == OFF or canvas.beamed[cell] or canvas.level[cell] != level or canvas.is_kind(cell, "ramp"):
            return []
        if (found and canvas.walls[cell] >> ((way + 2) & 3) & 1) or canvas.is_kind(cell, "one_way"):
            return []
        found.append(cell)
        cell = canvas.step[cell][way]
    return found if all(_emits(canvas, c) for c in (found[0], found[-1])) else []


def _emits(canvas: Canvas, cell: int) -> bool:
    """Whether an emitter may stand there: on floor, in some editions on belts too."""
    return canvas.tile[cell] is None and (canvas.out[cell] < 0 or canvas.style.lasers_on_belts)


def _walled_in(canvas: Canvas, line: list[int], way: int) -> bool:
    """Whether walls stand, or can be built, at both ends of a beam."""
    ends = ((line[0], (way + 2) & 3), (line[-1], way))
    return all(canvas.walls[c] >> side & 1 or canvas.can_wall(c, side) for c, side in ends)


def _put_laser(canvas: Canvas, line: list[int], way: int, beams: int, two_ended: bool) -> None:
    ends = ((line[0], way), (line[-1], (way + 2) & 3))
    for cell, fires in ends if two_ended else ends[:1]:
        x, y = canvas.at(cell)
        canvas.lasers.append(Element("laser", x, y, fires=fires, beams=beams, two_ended=two_ended))
    for cell, fires in ends:
        back = (fires + 2) & 3
        if not canvas.walls[cell] >> back & 1:
            canvas.wall(cell, back)
    for cell in line:
        canvas.beamed[cell] = True
    for cell in line[:-1]:
        canvas.keep_clear(cell, way)
