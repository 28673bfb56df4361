"""Painters of higher floor: plateaus, one on another, with ramps, and the buttons that switch those."""

from __future__ import annotations

from roborally_env.courses.model import STEP, E, Element, N, S, W, reading_order
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural.canvas import OFF, Canvas, Turn

_TRIES, _TRIES_ASKED = 12, 60
_LEAST = 4  # cells of a plateau
_LOOKS = 3  # a button lies at the nearest of this number of places
_TOP = 3  # the highest level
Rect = tuple[int, int, int, int]  # left, top, right and bottom, the last two excluded


def paint_plateaus(canvas: Canvas, goal: int, draws: Draws, asked: bool) -> tuple[list[list[int]], list[Rect]]:
    """Raise about `goal` cells; `asked`: as closely as there is room for.

    Returns the ramps that buttons shall switch, in groups of one button; and the plateaus with nothing on them.
    """
    groups: list[list[int]] = []
    tops: list[Rect] = []
    failed = 0
    for _ in range(_TRIES_ASKED if asked else _TRIES):
        left = goal - sum(1 for level in canvas.level if level)
        if left < 6 or not canvas.width > 5 < canvas.height:
            break
        turns = draws.one((canvas.turns, canvas.alone))
        area = left // len(turns) if draws.chance(0.8) else left
        if asked:  # a plateau that leaves no room for a ramp is tried smaller
            area = max(_LEAST, area * (_TRIES_ASKED - failed) // _TRIES_ASKED)
        rect = _fitting(canvas, area, draws)
        if _feet(canvas, rect) and _raise(canvas, rect, turns):
            groups += _ramps(canvas, rect, turns, draws)
            if not _upper(canvas, rect, groups, draws):
                tops.append(rect)
        else:
            failed += 1
    return groups, tops


def _fitting(canvas: Canvas, area: int, draws: Draws) -> Rect:
    """A rectangle of about that many cells, off the rim or at one edge of the board."""
    sizes = [
        (abs(wide * high - area), wide, high)
        for wide in range(2, canvas.width - 1)
        for high in range(2, canvas.height - 1)
        if 2 * wide >= high <= 2 * wide and 2 * high >= wide
    ]
    best = min(sizes)[0]
    _, wide, high = draws.one([size for size in sizes if size[0] <= best + 1])
    left, top = draws.between(2, max(2, canvas.width - wide - 2)), draws.between(2, max(2, canvas.height - high - 2))
    if draws.chance(0.25):
        left = draws.one((0, canvas.width - wide))
    return left, top, min(left + wide, canvas.width), min(top + high, canvas.height)


def _cells(canvas: Canvas, rect: Rect) -> list[int]:
    left, top, right, bottom = rect
    return [y * canvas.width + x for y in range(top, bottom) for x in range(left, right)]


def _raise(canvas: Canvas, rect: Rect, turns: tuple[Turn, ...]) -> bool:
    """Raise a rectangle and its images by a level, if they lie apart, on floor of one level."""
    cells = [places[cell] for places, _ in turns for cell in _cells(canvas, rect)]
    raised = set(cells)
    level = canvas.level[cells[0]]
    around = {c for cell in cells for c in canvas.around[cell] if c != OFF}
    if len(raised) != len(cells) or any(canvas.level[c] != level or not canvas.plain(c) for c in around):
        return False
    if any(canvas.kept[c] for c in cells):
        return False
    if len(turns) > 1 and _near(canvas, rect, turns):
        return False
    for cell in cells:
        canvas.level[cell] = level + 1
    return True


def _near(canvas: Canvas, rect: Rect, turns: tuple[Turn, ...]) -> bool:
    """Whether the images of a rectangle have less than two cells between them."""
    own = _cells(canvas, rect)
    mine = {c for cell in own for c in canvas.around[cell]} - {OFF}
    other = {c for places, _ in turns[1:] for cell in own for c in canvas.around[places[cell]]} - {OFF}
    return bool(mine & other)


def _upper(canvas: Canvas, rect: Rect, groups: list[list[int]], draws: Draws) -> bool:
    """A smaller plateau on a large one."""
    left, top, right, bottom = rect
    wide, high = right - left, bottom - top
    if wide < 5 or high < 5 or not draws.chance(0.6) or canvas.level[top * canvas.width + left] >= _TOP:
        return False
    inner = (left + draws.between(2, wide - 4), top + draws.between(1, 2), right - 1, bottom - 1)
    if inner[3] - inner[1] > 1 and _feet(canvas, inner) and _raise(canvas, inner, canvas.alone):
        groups += _ramps(canvas, inner, canvas.alone, draws)
        return True
    return False


def _ramps(canvas: Canvas, rect: Rect, turns: tuple[Turn, ...], draws: Draws) -> list[list[int]]:
    """Put ramps at the sides of a plateau; the first is always up, or of two one is up."""
    spots = draws.shuffled(_feet(canvas, rect))
    ramps: list[tuple[int, int]] = []
    wanted = draws.between(2, 4)
    for cell, up in spots:
        if len(ramps) < wanted and not any(up == other for _, other in ramps) and canvas.free(cell):
            ramps.append((cell, up))
    if not ramps:
        ramps = spots[:1]
    paired = len(ramps) > 1 and draws.chance(0.5)  # one button for an upper and a lowered ramp
    groups = []
    for places, quarters in turns:
        placed = [(places[cell], (up + quarters) & 3) for cell, up in ramps]
        for i, (cell, up) in enumerate(placed):
            _ramp(canvas, cell, up, enabled=i < (1 if paired else 2))
        switched = [cell for cell, _ in placed[0 if paired else 1 :]]
        groups += [switched[:2], switched[2:]] if paired else [[cell] for cell in switched]
    return [group for group in groups if group]


def _feet(canvas: Canvas, rect: Rect) -> list[tuple[int, int]]:
    """(cell, way up) of each place for a ramp to a rectangle: with floor of its own level at its foot.

    None begins at the rim: where robots must turn there, between a plateau and the edge, a crowd pushes itself off the
    board.
    """
    left, top, right, bottom = rect
    spots = [(x, bottom, N) for x in range(left, right)] + [(x, top - 1, S) for x in range(left, right)]
    spots += [(left - 1, y, E) for y in range(top, bottom)] + [(right, y, W) for y in range(top, bottom)]
    found = []
    for x, y, up in spots:
        foot = x - STEP[up][0], y - STEP[up][1]
        if all(0 <= cx < canvas.width and 0 <= cy < canvas.height for cx, cy in ((x, y), foot)):
            cell, below = y * canvas.width + x, foot[1] * canvas.width + foot[0]
            flat = canvas.level[cell] == canvas.level[below] and canvas.free(cell) and canvas.free(below)
            if flat and canvas.step[below][up ^ 2] != OFF:
                found.append((cell, up))
    return found


def _ramp(canvas: Canvas, cell: int, up: int, enabled: bool) -> None:
    """Put a ramp; the floor at its foot and top stays free, and no wall comes near it."""
    canvas.put(cell, Element("ramp", 0, 0, out=up, level=canvas.level[cell], enabled=enabled))
    for way in (up, (up + 2) & 3):
        canvas.kept[canvas.step[cell][way]] = True
    for way in range(4):
        canvas.keep_clear(cell, way)


def paint_buttons(canvas: Canvas, groups: list[list[int]], draws: Draws) -> None:
    """A button for each group of ramps, on floor below them; one that finds no place leaves its ramps up for good."""
    for group in groups:
        level = canvas.level[group[0]]
        cells = [c for c in canvas.plain_cells() if canvas.level[c] <= level]
        cells = [c for c in cells if not canvas.beamed[c]] or cells
        if cells:
            spots = [draws.one(cells) for _ in range(_LOOKS)]
            ramps = reading_order(canvas.at(cell) for cell in group)
            canvas.put(
                min(spots, key=lambda spot: _apart(canvas, spot, group[0])), Element("button", 0, 0, ramps=ramps)
            )
            continue
        for cell in group:
            tile = canvas.tile[cell]
            assert tile is not None
            canvas.tile[cell] = tile._replace(enabled=True)


def _apart(canvas: Canvas, cell: int, other: int) -> int:
    """Steps between two cells."""
    (x, y), (ox, oy) = canvas.at(cell), canvas.at(other)
    return abs(x - ox) + abs(y - oy)
