"""Painters of what lies between the machines: pits, walls, energy, repair sites, one-way cells and hazards."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from roborally_env.courses.model import KINDS, Element, turned_element
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural.canvas import OFF, Canvas, picks
from roborally_env.generated.procedural.ways import holds_together

_PIT_GROUPS = (
    ((0, 0),),
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1)),
    ((0, 0), (1, 0), (0, 1)),
    ((0, 0), (1, 0), (0, 1), (1, 1)),
)
_REGISTERS = ((1, 3), (2, 4), (3, 5), (1, 3, 5), (2, 4, 5))
HAZARDS = ("puddle", "radiation", "stomper", "trapdoor")


def paint_pits(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Put pits in reach of belts, on some boards anywhere off the rim, singly or in groups, never where a belt ends."""
    count = 0
    grouped = draws.chance(0.4)
    at_belts = draws.chance(0.6)
    for near, inside in ((at_belts, True), (at_belts, False), (False, False)):
        if count >= goal:
            return
        for cell in picks(_in_reach(canvas, near, inside), draws):
            if count >= goal:
                return
            group = draws.weighted(_PIT_GROUPS, (2, 3, 3, 2, 4)) if grouped else _PIT_GROUPS[0]
            for each in _group(canvas, cell, group):
                count += _put_pit(canvas, each, goal - count)


def _in_reach(canvas: Canvas, near: bool, inside: bool) -> list[int]:
    """The free cells; near: of those beside belts; inside: of those off the rim."""
    found = canvas.free_cells()
    if near:
        beside = canvas.beside(canvas.belt_cells())
        found = [cell for cell in found if cell in beside]
    return [cell for cell in found if OFF not in canvas.step[cell]] if inside else found


def _group(canvas: Canvas, cell: int, group: Iterable[tuple[int, int]]) -> list[int]:
    x, y = canvas.at(cell)
    spots = [(x + dx, y + dy) for dx, dy in group]
    return [cy * canvas.width + cx for cx, cy in spots if cx < canvas.width and cy < canvas.height]


def _put_pit(canvas: Canvas, cell: int, most: int) -> int:
    """Put a pit and its images where the floor stays in one piece; the number of pits."""
    put = 0
    for c, _ in canvas.images(cell, canvas.turns):
        if put < most and canvas.free(c) and not canvas.walls[c] and canvas.holds_together(c):
            canvas.put_pit(c)
            put += 1
    return put


def paint_walls(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Build walls until there are `goal`: angles and bars with all images first, then single ones."""
    for spot in picks(range(4 * canvas.cells), draws):
        left = goal - canvas.inner_walls
        if left < 2 * len(canvas.turns):
            break
        cell, side = divmod(spot, 4)
        bar = draws.chance(0.5)
        other = canvas.step[cell][(side + 1) & 3] if bar else cell
        if other != OFF:
            build(canvas, [(cell, side), (other, side if bar else (side + 1) & 3)])
    for spot in picks(range(4 * canvas.cells), draws):
        if canvas.inner_walls >= goal:
            return
        cell, side = divmod(spot, 4)
        if canvas.can_wall(cell, side) and _useful(canvas, cell, side):
            canvas.wall(cell, side)


def build(canvas: Canvas, walls: list[tuple[int, int]]) -> None:
    """Build walls and their images; all of them or none."""
    built: list[tuple[int, int]] = []
    for places, quarters in canvas.turns:
        for cell, side in walls:
            c, turned = places[cell], (side + quarters) & 3
            if not canvas.can_wall(c, turned) or not _useful(canvas, c, turned):
                for wall in built:
                    canvas.unwall(*wall)
                return
            canvas.wall(c, turned)
            built.append((c, turned))


def _useful(canvas: Canvas, cell: int, side: int) -> bool:
    """Whether robots walk on both sides of a wall."""
    return not canvas.is_kind(cell, "pit") and not canvas.is_kind(canvas.step[cell][side], "pit")


def paint_energy(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Put energy spaces, apart from each other while there is room."""
    _spread(canvas, goal, lambda cell: Element("energy", 0, 0), draws)


def paint_repairs(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Put repair sites: wrenches at corners first, sites of both kinds in the middle parts."""
    first, last = 0, canvas.cells - 1
    corners = [first, last] if draws.chance(0.5) else [canvas.width - 1, last - canvas.width + 1]
    put = 0
    for cell in corners[:goal]:
        if canvas.plain(cell):
            canvas.put(cell, Element("repair", 0, 0, level=1))
            put += 1
    _spread(canvas, goal - put, lambda cell: Element("repair", 0, 0, level=draws.weighted((1, 2), (1, 3))), draws)


def _spread(canvas: Canvas, goal: int, tile: Callable[[int], Element], draws: Draws) -> None:
    """Put tiles of a kind with their images, three steps apart and off the beams; then anywhere."""
    put: list[int] = []
    for apart, beamed in ((4, False), (2, False), (1, False), (1, True)):
        if len(put) >= goal:
            return
        for cell in picks([cell for cell in canvas.plain_cells() if canvas.beamed[cell] == beamed], draws):
            images = canvas.images(cell, canvas.turns if draws.chance(0.7) else canvas.alone)
            if len(images) > goal - len(put):
                images = canvas.images(cell, canvas.alone)
            if len(put) >= goal:
                return
            if all(
                canvas.plain(c)
                and canvas.kept[c] == canvas.kept[cell]
                and canvas.beamed[c] == beamed
                and far(canvas, c, put, apart)
                for c, _ in images
            ):
                each = tile(cell)
                for c, _ in images:
                    canvas.put(c, each)
                    put.append(c)


def far(canvas: Canvas, cell: int, others: list[int], apart: int) -> bool:
    x, y = canvas.at(cell)
    return all(abs(x - o % canvas.width) + abs(y - o // canvas.width) >= apart for o in others)


def paint_hazards(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Put puddles, radiation, stompers and trapdoors: some kinds of them, several of each."""
    kinds = draws.shuffled(HAZARDS)[: draws.between(2 if goal > 5 else 1, 4)]
    _spread(canvas, goal, lambda cell: _hazard(canvas, cell, kinds, draws), draws)


def _hazard(canvas: Canvas, cell: int, kinds: list[str], draws: Draws) -> Element:
    kind = draws.one(kinds)
    if kind == "trapdoor" and canvas.kept[cell]:  # belts and pushers bring robots to floor
        kind = "stomper"
    if kind in ("puddle", "radiation"):
        return Element(kind, 0, 0)
    return Element(kind, 0, 0, registers=draws.one(_REGISTERS))


def paint_own(canvas: Canvas, draws: Draws) -> None:
    """Put the tiles of the edition's own that its style lists, each turned at random."""
    for kind, (least, most) in canvas.style.tiles.items():
        example = KINDS[kind].example
        goal = draws.between(least, most) * canvas.cells // 1000

        def turned(cell: int, example: Element = example) -> Element:
            return turned_element(example, 1, 1, draws.below(4))

        _spread(canvas, goal, turned, draws)


def paint_one_ways(canvas: Canvas, goal: int, walls: int, draws: Draws) -> None:
    """Put one-way cells as gates: with a wall, a pit, another one or the edge beside them on one side at least, so that
    they stand in somebody's way. walls: the most that may stand."""
    put = 0
    for spot in picks(range(4 * canvas.cells), draws):
        if put >= goal:
            return
        cell, way = divmod(spot, 4)
        room = canvas.inner_walls < walls
        behind, ahead = canvas.step[cell][(way + 2) & 3], canvas.step[cell][way]
        if not (canvas.free(cell) and not canvas.beamed[cell] and _walkable(canvas, behind, cell)):
            continue
        if not _walkable(canvas, ahead, cell) or canvas.walls[cell]:
            continue
        posts = [canvas.step[cell][(way + 1) & 3], canvas.step[cell][(way + 3) & 3]]
        if not any(_is_post(canvas, post, way) or (room and _can_be_post(canvas, post, way)) for post in posts):
            continue
        canvas.put(cell, Element("one_way", 0, 0, out=way))
        if not _stays_open(canvas, cell) and not holds_together(canvas):
            canvas.take(cell)
            continue
        put += 1
        for edge in (way, (way + 2) & 3):
            canvas.keep_clear(cell, edge)
        for post in posts:
            if canvas.inner_walls < walls and _can_be_post(canvas, post, way):
                canvas.wall(post, (way + 2) & 3)


def _is_post(canvas: Canvas, cell: int, way: int) -> bool:
    """Whether a cell beside a one-way cell lets nobody by who goes this way, or back."""
    if cell == OFF or canvas.is_kind(cell, "pit") or canvas.is_kind(cell, "one_way"):
        return True
    return bool(canvas.walls[cell] & (1 << way | 1 << (way ^ 2)))


def _can_be_post(canvas: Canvas, cell: int, way: int) -> bool:
    """Whether a wall can be built across that cell."""
    return cell != OFF and canvas.can_wall(cell, (way + 2) & 3)


def _stays_open(canvas: Canvas, cell: int) -> bool:
    """Whether robots get round a cell anyway: over floor without walls and one-way cells."""
    near = [c for c in canvas.around[cell] if c != OFF]
    return canvas.holds_together(cell) and not any(canvas.walls[c] or canvas.is_kind(c, "one_way") for c in near)


def _walkable(canvas: Canvas, cell: int, beside: int) -> bool:
    """Whether it is floor of the level of its neighbour, on which a robot can stand."""
    return cell != OFF and canvas.level[cell] == canvas.level[beside] and canvas.plain(cell)
