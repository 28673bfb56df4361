"""A course, and a state of a game on it, as SVG.

A cell is 100 x 100 units; cell (x, y) has its corner at (100x, 100y), and round the course is a margin of 50 units.
Colours are CSS custom properties (`render.theme`); `resolved` gives a drawing plain ones.
"""

from collections.abc import Callable, Iterable, Iterator

from roborally_env.courses import EDITIONS, KINDS, Course, Element, Placement
from roborally_env.render import levels, shapes
from roborally_env.render.belts import belt, rails
from roborally_env.render.glyphs import labels_svg
from roborally_env.render.robots import (
    ROBOT_COLORS,
    ROBOT_NAMES,
    archive_svg,
    checkpoint_svg,
    cube_svg,
    robot_svg,
)
from roborally_env.render.scene import CELL, HALF, MARGIN, Scene
from roborally_env.render.theme import PAGE, color, resolved, theme_css

__all__ = [
    "CELL",
    "MARGIN",
    "ROBOT_COLORS",
    "ROBOT_NAMES",
    "archive_svg",
    "board_svg",
    "checkpoint_svg",
    "cube_svg",
    "robot_svg",
    "theme_css",
]

Tile = Callable[[Scene, Element], str]

# kind -> its drawing function, from bottom to top; other kinds have `TileKind.svg`
_TILES: dict[str, Tile] = {
    "level": levels.level,
    "ramp": levels.ramp,
    "pit": shapes.pit,
    "belt": lambda scene, e: belt(e),
    "gear": shapes.gear,
    "dock": shapes.dock,
    "panel": shapes.panel,
    "button": levels.button,
    "wall": shapes.wall,
    "laser": shapes.laser,
}
# SVG attributes of all elements of a kind, unless an element overrides them
STYLES = {
    "belt": 'fill="none" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"',
    "wall": f'stroke="{color("wall")}" stroke-width="{shapes.BAR}" stroke-linecap="round"',
}
# functions that draw the layer under all elements of a kind at once
UNDER: dict[str, Callable[[Scene, list[Element]], str]] = {
    "pit": lambda scene, _: _rims(scene.course),
    "belt": lambda scene, belts: rails(belts),
    "trapdoor": lambda scene, _: levels.ledges(scene),
    "button": lambda scene, _: levels.links(scene),
    "wall": lambda scene, walls: shapes.wall_lines(walls),
}


def tiles() -> dict[str, Tile]:
    """The drawing function of each kind of tile, from bottom to top."""
    order = list(_TILES)
    for kind in KINDS.values():
        if kind.name not in _TILES:
            order.insert(order.index(kind.over) + 1, kind.name)
    return {name: _TILES.get(name, shapes.tile) for name in order}


def board_svg(
    course: Course,
    *,
    checkpoints: bool = True,
    cubes: bool = True,
    docks: bool = True,
    beams: bool = True,
    ramps: Iterable[tuple[int, int]] | None = None,
    both_ramps: bool = False,
    theme: str = PAGE,
) -> str:
    """The static parts of a course as an SVG document, on request without checkpoints, cubes, docks or beams.

    Every element carries data-kind, data-x and data-y. ramps: the cells of those that are on, left out: as at the
    start. both_ramps: each ramp on and off, one of them hidden, for pages that switch it. theme: "page" (colours are
    custom properties with the light value to fall back on), "light" or "dark".
    """
    scene = Scene(course, (), ramps)
    parts = [_floor(course), *_elements(scene, docks, both_ramps)]
    if beams:
        parts += _beams(scene)
    parts += _places(course)
    if cubes:
        parts += [tagged("cube", x, y, shapes.at(x, y, cube_svg())) for x, y in course.energy]
    if checkpoints:
        parts += _checkpoints(course, course.checkpoints)
    return resolved(document(course, "".join(parts)), theme)


def document(course: Course, content: str) -> str:
    """The SVG document round a drawing of the course."""
    width, height = course.width * CELL + 2 * MARGIN, course.height * CELL + 2 * MARGIN
    return (
        f'<svg class="rr-board" xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}" '
        f'role="img"><title>{_escaped(course.title)}</title>{content}</svg>'
    )


def inner(svg: str) -> str:
    """The content of an SVG document from `document`."""
    return svg[svg.index("</title>") + len("</title>") : svg.rindex("</svg>")]


def tagged(kind: str, x: int, y: int, content: str) -> str:
    """A drawing with attributes for its kind and cell."""
    return f'<g data-kind="{kind}" data-x="{x}" data-y="{y}">{content}</g>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _floor(course: Course) -> str:
    """The boards with their cells, and the numbers of columns and rows."""
    starts = {course.board_at[y][x] for _, x, y in course.docks}
    parts = []
    for index, board in enumerate(course.boards):
        x, y, width, height = (CELL * n for n in (board.x, board.y, board.width, board.height))
        lines = "".join(f"M{x + CELL * i} {y}v{height}" for i in range(1, board.width))
        lines += "".join(f"M{x} {y + CELL * i}h{width}" for i in range(1, board.height))
        small = index in starts and board.width != board.height
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{color("start" if small else "floor")}"/>'
            f'<path d="{lines}" stroke="{color("grid")}" stroke-width="2"/>{_rim(board)}'
        )
    return f'<g class="rr-floor">{"".join(parts)}</g>{_numbers(course)}'


def _rim(board: Placement) -> str:
    x, y, width, height = (CELL * n for n in (board.x, board.y, board.width, board.height))
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{color("rim")}" '
        'stroke-width="4"/>'
    )


def _rims(course: Course) -> str:
    """The rims of boards once more, over raised floors at the edge."""
    raised = any(e.kind in ("level", "ramp") for e in course.elements)
    return "".join(map(_rim, course.boards)) if raised else ""


def _numbers(course: Course) -> str:
    across = ((str(x), CELL * x + HALF, -MARGIN / 2) for x in range(course.width))
    down = ((str(y), -MARGIN / 2, CELL * y + HALF) for y in range(course.height))
    return f'<g class="rr-numbers">{labels_svg((*across, *down), 22, color("muted"))}</g>'


def _elements(scene: Scene, docks: bool, both_ramps: bool) -> Iterator[str]:
    for kind, draw in (tiles() | ({"ramp": levels.both_ramps} if both_ramps else {})).items():
        elements = [e for e in scene.course.elements if e.kind == kind]
        if kind in UNDER:
            yield UNDER[kind](scene, elements)
        if elements and (kind != "dock" or docks):
            yield f"<g {STYLES[kind]}>" if kind in STYLES else "<g>"
            yield from (tagged(kind, e.x, e.y, draw(scene, e)) for e in elements)
            yield "</g>"


def _beams(scene: Scene) -> Iterator[str]:
    lasers = (e for e in scene.course.elements if e.kind == "laser")
    return (tagged("beam", e.x, e.y, shapes.beam(scene, e)) for e in lasers)


def _places(course: Course) -> Iterator[str]:
    """Reboot tokens and the antenna."""
    for x, y, facing in course.reboots:
        yield tagged("token", x, y, shapes.at(x, y, shapes.token(facing)))
    if course.antenna:
        x, y, facing = course.antenna
        yield tagged("antenna", x, y, shapes.at(x, y, shapes.antenna(facing)))


def _checkpoints(course: Course, places: tuple[tuple[int, int, int], ...]) -> Iterator[str]:
    word = EDITIONS[course.edition].checkpoint
    for number, x, y in places:
        yield tagged("checkpoint", x, y, shapes.at(x, y, checkpoint_svg(number, word)))
