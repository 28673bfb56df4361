"""Painters of gears, pushers and lasers that belong to ways: where lines meet, along belts, across what robots take."""

from __future__ import annotations

from collections.abc import Iterable

from roborally_env.courses.model import Element
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural import machines
from roborally_env.generated.procedural.canvas import OFF, Canvas, picks

_LOOKS = 8  # lines among which the best one for a beam is chosen
_LENGTHS = ((2, 3, 4, 5, 6), (4, 5, 4, 2, 2))  # cells of a beam and their weights


def paint_gears(canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
    """Put gears where belts meet or end, in pairs that turn against each other; anywhere only if `exact`.

    Each turns against those beside it, else so that both ways are equally frequent.
    """
    count = len(canvas.cells_of("gear"))
    for wanted in (_meetings, machines.ends_of_belts, _beside_gears, _inner_corners):
        for cell in picks(wanted(canvas), draws):
            if count >= goal:
                return
            if wanted is not _beside_gears or _makes_pair(canvas, cell):
                count += _put_gears(canvas, cell, goal - count, exact)
    if exact:
        machines.paint_gears(canvas, goal, draws)


def _meetings(canvas: Canvas) -> list[int]:
    """The floor that a belt leads onto and that lies beside another belt."""
    ends = machines.ends_of_belts(canvas)
    return [cell for cell in ends if sum(c != OFF and canvas.out[c] >= 0 for c in canvas.step[cell]) > 1]


def _beside_gears(canvas: Canvas) -> list[int]:
    """The free floor off the rim beside gears."""
    beside = canvas.beside(canvas.cells_of("gear"))
    return [c for c in canvas.free_cells() if c in beside and OFF not in canvas.step[c]]


def _makes_pair(canvas: Canvas, cell: int) -> bool:
    """Whether a gear there is beside one other that has no other beside it."""
    gears = [c for c in canvas.step[cell] if canvas.is_kind(c, "gear")]
    return len(gears) == 1 and not any(c != OFF and canvas.is_kind(c, "gear") for c in canvas.step[gears[0]])


def _inner_corners(canvas: Canvas) -> list[int]:
    """The free floor off the rim in the bend of a belt: beside two belts that lead round it."""
    found = []
    for cell in canvas.free_cells():
        if OFF in canvas.step[cell]:
            continue
        outs = [canvas.out[c] for c in canvas.step[cell]]
        if any(outs[side] >= 0 and outs[(side + 1) & 3] >= 0 for side in range(4)):
            found.append(cell)
    return found


def _put_gears(canvas: Canvas, cell: int, most: int, exact: bool) -> int:
    """Put a gear and its images; without room for all of them none, unless `exact`."""
    images = canvas.images(cell, canvas.turns)
    if len(images) > most:
        if not exact:
            return 0
        images = canvas.images(cell, canvas.alone)
    if any(not canvas.plain(c) or machines.at_ramp(canvas, c) for c, _ in images):
        return 0
    turn = _turn(canvas, cell)
    lone = len(images) == most and not canvas.cells_of("gear")  # the only ones of the board: half of them the other way
    for number, (c, _) in enumerate(images):
        canvas.put(c, Element("gear", 0, 0, turn=-turn if lone and number % 2 else turn))
    return len(images)


def _turn(canvas: Canvas, cell: int) -> int:
    """How a gear turns: against those beside it, else the rarer way."""
    beside = [canvas.tile[c] for c in canvas.step[cell] if c != OFF and canvas.is_kind(c, "gear")]
    others = beside or [canvas.tile[c] for c in canvas.cells_of("gear")]
    return -1 if sum(tile.turn for tile in others if tile is not None) > 0 else 1


def paint_pushers(canvas: Canvas, goal: int, walls: int, draws: Draws, exact: bool) -> None:
    """Put pushers along straight belts, which they push robots onto, in banks of up to three; then at the rim. Anywhere
    only if `exact`. walls: the most that may stand."""
    count = 0
    sets = draws.shuffled(canvas.style.registers)
    for wanted in (_along_belts(canvas), _at_rim(canvas)):
        for cell, push in picks(wanted, draws):
            if count >= goal or canvas.inner_walls >= walls:
                return
            for each in _bank(canvas, cell, push, draws):
                turns = canvas.turns
                if len(turns) > goal - count or canvas.inner_walls + len(turns) > walls:
                    break
                if not machines.fits_pusher(canvas, each, push, canvas.out[canvas.step[each][push]] >= 0, turns):
                    break
                machines.put_pushers(canvas, each, push, sets[count // len(turns) % 2 % len(sets)], turns)
                count += len(turns)
    if exact and count < goal:
        machines.paint_pushers(canvas, goal - count, walls, draws)


def _along_belts(canvas: Canvas) -> list[tuple[int, int]]:
    """(cell, push): the free floor from which a pusher pushes onto the side of a straight run."""
    found = []
    for cell in canvas.free_cells():
        for push, to in enumerate(canvas.step[cell]):
            if to == OFF or canvas.out[to] < 0 or not (canvas.out[to] - push) & 1:
                continue
            before = canvas.step[to][canvas.out[to] ^ 2]
            if before != OFF and canvas.out[before] == canvas.out[to]:
                found.append((cell, push))
    return found


def _at_rim(canvas: Canvas) -> list[tuple[int, int]]:
    """(cell, push): the free floor at the edge, with a push towards the middle; no corners."""
    found = []
    for cell in canvas.free_cells():
        outside = [side for side, to in enumerate(canvas.step[cell]) if to == OFF]
        if len(outside) == 1:
            found.append((cell, outside[0] ^ 2))
    return found


def _bank(canvas: Canvas, cell: int, push: int, draws: Draws) -> Iterable[int]:
    """A pusher's cell and those of others beside it that push the same way."""
    yield cell
    side = draws.one(((push + 1) & 3, (push + 3) & 3))
    for _ in range(draws.weighted((0, 1, 2), (4, 4, 1))):
        cell = canvas.step[cell][side]
        if cell == OFF or canvas.step[cell][push] == OFF:
            return
        yield cell


def paint_lasers(canvas: Canvas, goal: int, walls: int, draws: Draws, exact: bool) -> None:
    """Put lasers across the ways of robots: over belts and between walls that stand already, sometimes in galleries.
    walls: the most that may stand. exact: the number was given, so that others fill what is left."""
    beams = draws.weighted((1, 2, 3), (8, 2, 1))  # those of a board are alike
    for _ in range(3 * goal):
        left = goal - len(canvas.lasers)
        if left < len(canvas.turns) or canvas.inner_walls + 2 > walls:
            break
        cell, way, long = max((_line(canvas, draws) for _ in range(_LOOKS)), key=lambda line: _worth(canvas, *line))
        two_ended = 2 * len(canvas.turns) <= left and draws.chance(0.2)
        beside = draws.one(((way + 1) & 3, (way + 3) & 3))
        for _ in range(draws.weighted((1, 2), (6, 2))):  # a gallery
            emitters = len(canvas.turns) * (2 if two_ended else 1)
            room = walls - 2 * len(canvas.turns)
            if cell == OFF or emitters > goal - len(canvas.lasers) or canvas.inner_walls > room:
                break
            if not machines.put_lasers(canvas, (cell, way, long), beams, two_ended, canvas.turns):
                break
            cell = canvas.step[cell][beside]
    if exact:
        machines.paint_lasers(canvas, goal, walls, draws, exact)


def _line(canvas: Canvas, draws: Draws) -> tuple[int, int, int]:
    return draws.below(canvas.cells), draws.below(4), draws.weighted(*_LENGTHS)


def _worth(canvas: Canvas, cell: int, way: int, long: int) -> int:
    """How good a line is for a beam: what it crosses, and what stands at its ends."""
    worth = 4 if canvas.walls[cell] >> (way ^ 2) & 1 else 3 if canvas.step[cell][way ^ 2] == OFF else 0
    last = cell
    for _ in range(long):
        if cell == OFF or (canvas.tile[cell] is not None and canvas.is_kind(cell, "pit")):
            return -1
        if canvas.out[cell] >= 0:
            worth += 3 if (canvas.out[cell] - way) & 1 else -2
        last, cell = cell, canvas.step[cell][way]
    return worth + (4 if canvas.walls[last] >> way & 1 else 3 if cell == OFF else 0)
