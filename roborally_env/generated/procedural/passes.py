"""Painters of pits, walls, energy spaces and hazards, which leave a short way past them and a safe one round."""

from __future__ import annotations

from collections.abc import Iterable

from roborally_env.courses.model import Element
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural import scatter
from roborally_env.generated.procedural.canvas import OFF, Canvas, picks

_AREAS = ((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 0), (0, 1))  # groups of pits
_LATTICES = ((1, 2, 5), (2, 1, 5), (1, 1, 4), (1, 3, 4))  # a, b, m: the cells of which a x + b y has one rest by m
_REGISTERS = (((1, 3), (2, 4)), ((1, 3, 5), (2, 4)), ((2, 4, 5), (1, 3)))  # what is open or falls by turns


def paint_pits(canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
    """Put pits where ways go by, by one or two ideas a board; anywhere only if `exact`.

    Ideas: behind bends, where who comes too far falls; on both sides of a straight run; in the middle of a ring or of
    the board; in a row that leaves a gap.
    """
    if not goal:
        return
    ideas = draws.shuffled((_behind_bends, _gates, _middles, _rows))
    count = 0
    for idea in (*ideas[: draws.between(1, 2)], _behind_bends, _gates):
        for cells in picks(idea(canvas), draws):
            if count >= goal:
                return
            count += _put_pits(canvas, cells, goal - count)
    if exact:
        scatter.paint_pits(canvas, goal - count, draws)


def _put_pits(canvas: Canvas, cells: tuple[int, ...], most: int) -> int:
    """Put pits and their images, all of them or none."""
    places = {c for cell in cells for c, _ in canvas.images(cell, canvas.turns)}
    if len(places) > most or any(not canvas.free(c) or canvas.walls[c] for c in places):
        return 0
    put = 0
    for c in sorted(places):
        if canvas.holds_together(c):
            canvas.put_pit(c)
            put += 1
    return put


def _behind_bends(canvas: Canvas) -> list[tuple[int, ...]]:
    """The floor straight ahead of belts that turn, of those that lead past the side of another belt, two in a group."""
    found: list[tuple[int, ...]] = []
    for cell in canvas.belt_cells():
        out = canvas.out[cell]
        for side, before in enumerate(canvas.step[cell]):
            if before != OFF and canvas.out[before] == side ^ 2 != out:
                ahead = canvas.step[cell][side ^ 2]
                if ahead != OFF and OFF not in canvas.step[ahead]:
                    found.append((ahead,))
    return found


def _gates(canvas: Canvas) -> list[tuple[int, ...]]:
    """The floor at both sides of a belt in the middle of a straight run."""
    found: list[tuple[int, ...]] = []
    for cell in canvas.belt_cells():
        out = canvas.out[cell]
        ahead, before = canvas.step[cell][out], canvas.step[cell][out ^ 2]
        if OFF in (ahead, before) or canvas.out[ahead] != out or canvas.out[before] != out:
            continue
        posts = tuple(canvas.step[cell][(out + turn) & 3] for turn in (1, 3))
        if OFF not in posts and all(canvas.free(c) and OFF not in canvas.step[c] for c in posts):
            found.append(posts)
    return found


def _middles(canvas: Canvas) -> list[tuple[int, ...]]:
    """Groups in the middle of the board, and cells that belts go round."""
    x, y = canvas.width // 2, canvas.height // 2
    found: list[tuple[int, ...]] = []
    for cell in (y * canvas.width + x, (y - 1) * canvas.width + x):
        cx, cy = canvas.at(cell)
        found += [tuple((cy + dy) * canvas.width + cx + dx for dx, dy in area) for area in _AREAS]
    return found + [(cell,) for cell in _enclosed(canvas)]


def _rows(canvas: Canvas) -> list[tuple[int, ...]]:
    """Two cells side by side off the rim, a cell away from belts, in line with another two."""
    found: list[tuple[int, ...]] = []
    for cell in canvas.free_cells():
        for way in (1, 2):
            line = [cell]
            for _ in range(2):
                line.append(canvas.step[line[-1]][way])
                if line[-1] == OFF:
                    break
            if OFF in line or any(OFF in canvas.step[c] for c in line):
                continue
            if canvas.free(line[2]) and canvas.out[line[1]] >= 0:
                found.append((line[0], line[2]))
            elif canvas.free(line[1]):
                found.append((line[0], line[1]))
    return found


def _enclosed(canvas: Canvas) -> list[int]:
    """The free floor from which straight lines in all four directions meet belts within five cells."""
    return [cell for cell in canvas.free_cells() if all(_meets_belt(canvas, cell, way) for way in range(4))]


def _meets_belt(canvas: Canvas, cell: int, way: int) -> bool:
    for _ in range(5):
        cell = canvas.step[cell][way]
        if cell == OFF:
            return False
        if canvas.out[cell] >= 0:
            return True
    return False


def paint_walls(canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
    """Build angles round pockets and bars along belts, with all images; single ones only if `exact`."""
    images = len(canvas.turns)
    bars = draws.chance(0.5)
    for wanted in (_bars, _angles) if bars else (_angles, _bars):
        left = goal - canvas.inner_walls
        part = left // 2 if wanted is (_bars if bars else _angles) else left
        for walls in picks(wanted(canvas), draws):
            if part < len(walls) * images:
                break
            before = canvas.inner_walls
            scatter.build(canvas, walls)
            part -= canvas.inner_walls - before
    if exact:
        scatter.paint_walls(canvas, goal, draws)


def _angles(canvas: Canvas) -> list[list[tuple[int, int]]]:
    """Two sides of free floor off the rim, those that look away from the middle of the board."""
    found = []
    for cell in canvas.free_cells():
        if OFF in canvas.step[cell]:
            continue
        x, y = canvas.at(cell)
        across = 1 if 2 * x >= canvas.width - 1 else 3
        down = 2 if 2 * y >= canvas.height - 1 else 0
        found.append([(cell, across), (cell, down)])
    return found


def _bars(canvas: Canvas) -> list[list[tuple[int, int]]]:
    """Two walls in a line, between floor and a belt that runs along them."""
    found = []
    for cell in canvas.belt_cells():
        out = canvas.out[cell]
        ahead = canvas.step[cell][out]
        if ahead == OFF or canvas.out[ahead] != out:
            continue
        for turn in (1, 3):
            side = (out + turn) & 3
            besides = canvas.step[cell][side], canvas.step[ahead][side]
            if OFF not in besides and all(canvas.plain(c) for c in besides):
                found.append([(cell, side), (ahead, side)])
    return found


def paint_energy(canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
    """Put energy spaces with all their images: one in a pocket or beside a danger, then apart from each other.

    Anywhere only if `exact`.
    """
    put: list[int] = []
    for wanted, apart in ((_pockets(canvas), 3), (_enclosed(canvas), 3), (canvas.free_cells(), 4)):
        for cell in picks([c for c in wanted if not canvas.beamed[c]], draws):
            if len(put) >= goal:
                return
            images = [c for c, _ in canvas.images(cell, canvas.turns)]
            if len(images) > goal - len(put) or not scatter.far(canvas, cell, put, apart):
                continue
            close = any(not scatter.far(canvas, c, images[:i], apart - 1) for i, c in enumerate(images))
            if not close and all(canvas.free(c) and not canvas.beamed[c] for c in images):
                put += images
                for c in images:
                    canvas.put(c, Element("energy", 0, 0))
    if exact or not put:
        scatter.paint_energy(canvas, goal - len(put), draws)


def _pockets(canvas: Canvas) -> list[int]:
    """The free floor with walls at two sides, or beside a pit."""
    found = []
    for cell in canvas.free_cells():
        risky = any(c != OFF and canvas.is_kind(c, "pit") for c in canvas.step[cell])
        if risky or canvas.walls[cell].bit_count() > 1:
            found.append(cell)
    return found


def paint_hazards(canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
    """Put puddles, radiation, stompers and trapdoors of one or two kinds on a lattice, so that there is a way between
    them: a longer one than straight through. Anywhere only if `exact`."""
    if not goal:
        return
    kinds = draws.shuffled(scatter.HAZARDS)[: 1 + (goal > 4)]
    sets = draws.one(_REGISTERS)
    a, b, m = draws.one(_LATTICES)
    rest = draws.below(m)
    put = 0
    for near in (True, False):
        for cell in _in_rows(canvas, _lattice(canvas, a, b, m, rest, near), draws):
            if put >= goal:
                return
            images = [c for c, _ in canvas.images(cell, canvas.turns)]
            if any(not canvas.plain(c) or canvas.beamed[c] for c in images):
                continue
            kind = kinds[put // len(canvas.turns) % len(kinds)]
            if kind == "trapdoor" and any(canvas.kept[c] for c in images):  # belts and pushers bring robots there
                continue
            for c in images:
                x, y = canvas.at(c)
                timed = kind in ("stomper", "trapdoor")
                canvas.put(c, Element(kind, 0, 0, registers=sets[(x + y) // 2 % 2] if timed else ()))
                put += 1
    if exact:
        scatter.paint_hazards(canvas, goal - put, draws)


def _lattice(canvas: Canvas, a: int, b: int, m: int, rest: int, near: bool) -> list[int]:
    """The floor of a lattice, that beside belts or the other."""
    wide = canvas.width
    on = [cell for cell in canvas.free_cells() if (a * (cell % wide) + b * (cell // wide)) % m == rest]
    return [cell for cell in on if _by_belt(canvas, cell) == near]


def _by_belt(canvas: Canvas, cell: int) -> bool:
    """Whether one of the eight cells around is a belt."""
    return any(c != OFF and canvas.out[c] >= 0 for c in canvas.around[cell])


def _in_rows(canvas: Canvas, cells: list[int], draws: Draws) -> Iterable[int]:
    """The cells, those nearest to one of them first, so that hazards make a field."""
    if not cells:
        return []
    x, y = canvas.at(draws.one(cells))
    return sorted(cells, key=lambda c: (abs(c % canvas.width - x) + abs(c // canvas.width - y), c))
