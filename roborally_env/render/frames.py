"""Frames of a race as arrays, quick enough for videos.

All that does not move is drawn once for each course. Robots, beams and other changing things are small cached drawings
that are drawn over it. Cells are whole pixels wide, so that a cached drawing fits on every cell. A frame equals, except
for rounding, the SVG document that `frame_svg` returns.
"""

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.courses import Course, Element
from roborally_env.courses.pictures import CELL, at, moved
from roborally_env.courses.scene import Scene
from roborally_env.courses.tiles.laser import beam
from roborally_env.render.figures import Figure
from roborally_env.render.legend import CARD_HEIGHT, HEAD_HEIGHT, MIN_WIDTH, card_svg, head_svg
from roborally_env.render.picture_cache import cache_pictures
from roborally_env.render.png import needed, rasterized
from roborally_env.render.states import in_the_way, pieces
from roborally_env.render.svg import board_svg, inner, laser_beams
from roborally_env.render.theme import PAGE, THEMES, check_theme, color, colored, resolved

SIZE = 800  # pixels of the longer side
_BOARDS_BYTES = 128 << 20  # of boards that are kept: two of the largest size, 70 of the usual one
_SPRITES_BYTES = 128 << 20  # of other drawings that are kept
_REACH = 60  # how far a drawing may go from the middle of its cell, in SVG units

Pixels = NDArray[np.uint8]
Cells = tuple[tuple[int, int], ...] | None


class Shown(NamedTuple):
    """All that a frame shows."""

    course: Course
    moment: str  # "round 3"
    robots: Sequence[Figure]
    checkpoints: tuple[tuple[int, int, int], ...]
    cubes: tuple[tuple[int, int], ...]
    ramps: Cells = None  # those that are on; None: as at the start


class Box(NamedTuple):
    """A place on a frame, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Layout(NamedTuple):
    """Where everything lies on a frame. Sides are even, as video codecs want them."""

    width: int
    height: int
    cell: int  # pixels a cell
    x: int  # of the corner of cell (0, 0)
    y: int
    scale: float  # pixels a unit of the legend
    head: Box
    cards: tuple[Box, ...]

    @property
    def zoom(self) -> float:
        """Pixels a unit of the board."""
        return self.cell / CELL


def layout_of(course: Course, robots: int, size: int = SIZE) -> Layout:
    """The layout with the larger board: the robots' cards are below it or at its right side."""
    scale = size / SIZE
    below = [_below(course, robots, size, scale, columns) for columns in (2, 3, 4, 5) if columns <= robots]
    return max([*below, _beside(course, robots, size, scale)], key=lambda layout: (layout.cell, -layout.height))


def _below(course: Course, robots: int, size: int, scale: float, columns: int) -> Layout:
    rows = -(-robots // columns)
    head, card = round(HEAD_HEIGHT * scale), round(CARD_HEIGHT * scale)
    fits = size // columns >= MIN_WIDTH * scale
    cell = _cell(course, size, size - head - card * rows) if fits else 1
    across, down = _board(course, cell)
    width, height = _padded(max(across, round(columns * MIN_WIDTH * scale)), down + head + card * rows, size)
    each = width // columns
    cards = tuple(Box(each * (i % columns), down + head + card * (i // columns), each, card) for i in range(robots))
    x = (width - across) // 2 + cell // 2
    return Layout(width, height, cell, x, cell // 2, scale, Box(0, down, width, head), cards)


def _beside(course: Course, robots: int, size: int, scale: float) -> Layout:
    head, card = round(HEAD_HEIGHT * scale), round(CARD_HEIGHT * scale)
    wide = round(1.2 * MIN_WIDTH * scale)
    cell = _cell(course, size - wide, size)
    across, down = _board(course, cell)
    width, height = _padded(across + wide, max(down, head + card * robots), size)
    y = (height - down) // 2 + cell // 2
    cards = tuple(Box(across, y + head + card * i, width - across, card) for i in range(robots))
    return Layout(width, height, cell, cell // 2, y, scale, Box(across, y, width - across, head), cards)


def _padded(width: int, height: int, size: int) -> tuple[int, int]:
    """The longer side `size` long, both even."""
    width, height = (size, height) if width >= height else (width, size)
    return (width + 1) // 2 * 2, (height + 1) // 2 * 2


def _cell(course: Course, width: int, height: int) -> int:
    return max(1, min(width // (course.width + 1), height // (course.height + 1)))


def _board(course: Course, cell: int) -> tuple[int, int]:
    """Width and height of the board with its margin."""
    return cell * (course.width + 1), cell * (course.height + 1)


def frame(shown: Shown, *, size: int = SIZE, theme: str = "light") -> Pixels:
    """The frame as uint8 [height, width, 3], `size` pixels on the longer side or a little less.

    Raises:
        RoboRallyError: for an unknown theme, or where resvg_py or Pillow is not installed.
    """
    layout = layout_of(shown.course, len(shown.robots), size)
    pixels = _static(shown.course, shown.ramps, layout, check_theme(theme, THEMES)).copy()
    scene = _scene(shown)
    for laser in (e for e in shown.course.elements if e.kind == "laser"):
        _overlay_beam(pixels, layout, scene, laser, theme)
    cell, reach = layout.cell, _reach(layout.cell)
    for piece in pieces(shown.course, list(shown.robots), shown.checkpoints, shown.cubes):
        sprite = _piece(piece.content, cell, theme)
        x, y = layout.x + cell * piece.x, layout.y + cell * piece.y
        _overlay(pixels, sprite, x - reach, y - reach)
    for content, box in _texts(shown, layout):
        _overlay(pixels, _sprite(content, box.width, box.height, theme), box.x, box.y)
    return pixels


def frame_svg(shown: Shown, *, size: int = SIZE, theme: str = "light") -> str:
    """The same frame as an SVG document, crisp at any size."""
    layout = layout_of(shown.course, len(shown.robots), size)
    lying = pieces(shown.course, list(shown.robots), shown.checkpoints, shown.cubes)
    moving = [*laser_beams(_scene(shown)), *(at(p.x, p.y, p.content) for p in lying)]
    texts = "".join(moved(content, box.x, box.y) for content, box in _texts(shown, layout))
    content = moved("".join((_still(shown.course, shown.ramps), *moving)), layout.x, layout.y, layout.zoom) + texts
    return resolved(_document(content, layout.width, layout.height, color("paper")), theme)


def _scene(shown: Shown) -> Scene:
    return Scene(shown.course, in_the_way(shown.robots), shown.ramps)


def _still(course: Course, ramps: Cells) -> str:
    return inner(board_svg(course, checkpoints=False, cubes=False, beams=False, ramps=ramps, theme=PAGE))


def _texts(shown: Shown, layout: Layout) -> Iterator[tuple[str, Box]]:
    """The headline and the cards, each in its box."""
    head, scale, total = layout.head, layout.scale, len(shown.course.checkpoints)
    yield moved(head_svg(shown.course.title, shown.moment, head.width / scale), 0, 0, scale), head
    for robot, box in zip(shown.robots, layout.cards, strict=True):
        yield moved(card_svg(robot, total, box.width / scale), 0, 0, scale), box


def _document(content: str, width: int, height: int, background: str = "") -> str:
    paper = f'<rect width="{width}" height="{height}" fill="{background}"/>' if background else ""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{paper}{content}</svg>'


# -- drawings that are kept


@cache_pictures(lambda pixels: pixels.nbytes, _BOARDS_BYTES)
def _static(course: Course, ramps: Cells, layout: Layout, theme: str) -> Pixels:
    """The course and the paper round it: uint8 [height, width, 3], read-only."""
    content = moved(_still(course, ramps), layout.x, layout.y, layout.zoom)
    svg = _document(content, layout.width, layout.height, color("paper"))
    pixels = np.ascontiguousarray(_decoded(resolved(svg, theme), layout.width)[:, :, :3])
    pixels.flags.writeable = False
    return pixels


class _Sprite(NamedTuple):
    color: NDArray[np.uint16]  # [h, w, 3] colour times opacity, * 255
    through: NDArray[np.uint16]  # [h, w, 1] 255 - opacity


@cache_pictures(lambda sprite: sprite.color.nbytes + sprite.through.nbytes, _SPRITES_BYTES)
def _sprite(content: str, width: int, height: int, theme: str) -> _Sprite:
    """A drawing in pixels, clipped to its box."""
    pixels = _decoded(resolved(_document(content, width, height), theme), width).astype(np.uint16)
    opacity = pixels[:, :, 3:]
    return _Sprite(pixels[:, :, :3] * opacity + 127, 255 - opacity)


def _reach(cell: int) -> int:
    """The distance from the corner of a cell to the corner of a drawing around it, in pixels."""
    return round(cell * (_REACH - CELL / 2) / CELL) + 1


def _piece(content: str, cell: int, theme: str) -> _Sprite:
    """A drawing around (0, 0) on a cell, including the parts beyond the cell's edge."""
    reach = _reach(cell)
    side = cell + 2 * reach
    return _sprite(moved(content, reach + cell / 2, reach + cell / 2, cell / CELL), side, side, theme)


def _overlay_beam(pixels: Pixels, layout: Layout, scene: Scene, laser: Element, theme: str) -> None:
    """A beam, as one drawing as long as it is."""
    cells = scene.beam_cells(laser)
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    width = layout.cell * (1 + max(x for x, _ in cells) - left)
    height = layout.cell * (1 + max(y for _, y in cells) - top)
    content = moved(colored(beam(laser, scene)), -layout.cell * left, -layout.cell * top, layout.zoom)
    sprite = _sprite(content, width, height, theme)
    _overlay(pixels, sprite, layout.x + layout.cell * left, layout.y + layout.cell * top)


def _overlay(pixels: Pixels, sprite: _Sprite, x: int, y: int) -> None:
    """Draw a drawing over the frame, with its corner at (x, y); parts outside are cut off."""
    height, width = sprite.through.shape[:2]
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(width, pixels.shape[1] - x), min(height, pixels.shape[0] - y)
    if right <= left or bottom <= top:
        return
    under = pixels[y + top : y + bottom, x + left : x + right]
    part = np.s_[top:bottom, left:right]
    under[:] = (under * sprite.through[part] + sprite.color[part]) // 255


def _decoded(svg: str, width: int) -> Pixels:
    """uint8 [h, w, 4], colours not multiplied by opacity."""
    with needed("PIL.Image", "frames"):
        from PIL import Image
    with Image.open(io.BytesIO(rasterized(svg, width))) as png:
        return np.array(png.convert("RGBA"))
