"""A course, and a state of a game on it, as SVG.

A cell is 100 x 100 units; cell (x, y) has its corner at (100x, 100y), and round the course is a margin of 50 units.
Colours are CSS custom properties (`render.theme`); `resolved` gives a drawing plain ones.
"""

from collections.abc import Callable, Iterable, Iterator

from roborally_env.base.terminal import printable
from roborally_env.courses import EDITIONS, STEP, Course, Element, Placement
from roborally_env.courses.glyphs import labels_svg
from roborally_env.courses.pictures import CELL, HALF, at, plate
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind, bottom_up
from roborally_env.courses.tiles.laser import beam
from roborally_env.courses.tiles.level import ledge
from roborally_env.render import shapes
from roborally_env.render.robots import (
    ROBOT_COLORS,
    ROBOT_NAMES,
    archive_svg,
    checkpoint_svg,
    cube_svg,
    robot_svg,
)
from roborally_env.render.theme import PAGE, color, colored, resolved, theme_css

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

MARGIN = 50  # round the course, for the numbers of columns and rows


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
    scene = Scene(course, (), ramps, both_ramps=both_ramps)
    parts = [_floor(course), *_elements(scene, docks)]
    if beams:
        parts += laser_beams(scene)
    parts += _places(course)
    if cubes:
        parts += [tagged("cube", x, y, at(x, y, cube_svg())) for x, y in course.energy]
    if checkpoints:
        word = EDITIONS[course.edition].checkpoint
        parts += [tagged("checkpoint", x, y, at(x, y, checkpoint_svg(n, word))) for n, x, y in course.checkpoints]
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
    """A text of any origin in XML, which has no place for characters that a terminal obeys."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;")


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


def _numbers(course: Course) -> str:
    across = ((str(x), CELL * x + HALF, -MARGIN / 2) for x in range(course.width))
    down = ((str(y), -MARGIN / 2, CELL * y + HALF) for y in range(course.height))
    return f'<g class="rr-numbers">{labels_svg((*across, *down), 22, color("muted"))}</g>'


def _elements(scene: Scene, docks: bool) -> Iterator[str]:
    for kind in bottom_up():
        elements = [e for e in scene.course.elements if e.kind == kind.name]
        if kind.name in _UNDER:
            yield _UNDER[kind.name](scene)
        if elements and kind.under:
            yield colored(kind.under(elements, scene))
        if elements and (kind.name != "dock" or docks):
            yield colored(f"<g {kind.attributes}>" if kind.attributes else "<g>")
            yield from (tagged(e.kind, e.x, e.y, colored(_picture(kind, e, scene))) for e in elements)
            yield "</g>"


def _picture(kind: TileKind, e: Element, scene: Scene) -> str:
    """The picture of a tile in the units of the course. `TileKind.svg` is put on its cell and turned, and the registers
    on it; without any picture it is the token on a plate."""
    if kind.picture:
        return kind.picture(e, scene)
    registers = plate("".join(map(str, e.registers)) if kind.svg else kind.letters(e))
    drawn = kind.svg(e) if kind.svg else ""
    if e.out > 0:
        return at(e.x, e.y, drawn, e.out) + at(e.x, e.y, registers)
    return at(e.x, e.y, drawn + registers)


def _rims(scene: Scene) -> str:
    """The rims of boards once more, over raised floors at the edge."""
    return "" if scene.heights.flat else "".join(map(_rim, scene.course.boards))


def _ledges(scene: Scene) -> str:
    """The ledges of a course, but for those at ramps, which come and go with them."""
    parts = []
    for y in range(scene.course.height):
        for x in range(scene.course.width):
            parts += [ledge(x, y, side, drop) for side, drop in _drops(scene, x, y)]
    return colored(f'<g class="rr-ledges">{"".join(parts)}</g>') if parts else ""


def _drops(scene: Scene, x: int, y: int) -> Iterator[tuple[int, int]]:
    """(side, levels) of each ledge down from a cell to one that is no ramp either."""
    if not scene.course.on_board(x, y) or (x, y) in scene.heights.ramps:
        return
    for side, (dx, dy) in enumerate(STEP):
        beyond = (x + dx, y + dy)
        if scene.course.on_board(*beyond) and beyond not in scene.heights.ramps:
            drop = scene.heights.level((x, y)) - scene.heights.level(beyond)
            if drop > 0:
                yield side, drop


# what the heights of the whole course look like, below the kinds over which a ledge must not lie
_UNDER: dict[str, Callable[[Scene], str]] = {"pit": _rims, "trapdoor": _ledges}


def laser_beams(scene: Scene) -> Iterator[str]:
    """The beams of all lasers, as far as they go."""
    lasers = (e for e in scene.course.elements if e.kind == "laser")
    return (tagged("beam", e.x, e.y, colored(beam(e, scene))) for e in lasers)


def _places(course: Course) -> Iterator[str]:
    """Reboot tokens and the antenna."""
    for x, y, facing in course.reboots:
        yield tagged("token", x, y, at(x, y, shapes.token(facing)))
    if course.antenna:
        x, y, facing = course.antenna
        yield tagged("antenna", x, y, at(x, y, shapes.antenna(facing)))
