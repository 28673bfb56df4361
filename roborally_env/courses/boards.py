"""The boards of a course: found by name or drawn in the course file, turned, and put in their places."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roborally_env.base.errors import nearest
from roborally_env.base.registry import cache_until_registered
from roborally_env.base.types import JsonObject
from roborally_env.courses.checks import Known
from roborally_env.courses.drawing import Drawing, read_drawing
from roborally_env.courses.model import (
    EDITIONS,
    MAX_HEIGHT,
    MAX_WIDTH,
    Board,
    Element,
    Placement,
    rotate,
    shifted,
    turned_cell,
)
from roborally_env.courses.reader import SHIPPED, CourseFile, Problem, is_shipped, read_text, slugify
from roborally_env.courses.values import Bad, integer, text

_BOARD_KEYS = ("board", "drawing", "name", "x", "y", "rotation")
_OFFSET = integer(-MAX_HEIGHT, MAX_HEIGHT)


@dataclass
class Tile:
    """A board in its place, with the drawing that it came from."""

    index: int  # in the file's list of boards
    placement: Placement
    board: Board  # not turned
    drawing: Drawing
    file: str  # the file that holds the drawing

    def elements(self) -> Iterator[Element]:
        """The elements of the board in course coordinates."""
        place = self.placement
        for element in rotate(self.board, place.rotation // 90).elements:
            yield shifted(element, place.x, place.y)

    def spot(self, x: int, y: int, kind: str) -> tuple[str, int, int]:
        """File, line and column of an element, by its course cell."""
        place = self.placement
        back = -(place.rotation // 90) & 3
        own = turned_cell(x - place.x, y - place.y, place.width, place.height, back)
        return (self.file, *self.drawing.place(*own, kind))


def read_tiles(source: CourseFile, edition: str) -> tuple[list[Tile], Known]:
    """The boards of a course in their places, and how much of them could be read; no boards if one cannot be placed."""
    if not source.data.get("boards"):
        example = 'boards = [{ board = "5b", x = 0, y = 0 }]'
        source.wrong(f"missing boards; a course lies on at least one: {example}", ("boards",))
        return [], Known.NOTHING
    tiles: list[Tile] = []
    before = len(source.problems)
    for index, item in source.tables("boards", _BOARD_KEYS):
        tile = _tile(source, edition, index, item)
        if tile is not None:
            _check_place(source, tile, tiles)
            tiles.append(tile)
    flaws = [Problem(tile.file, *flaw) for tile in tiles for flaw in tile.drawing.flaws]
    placed = len(source.problems) == before and all(tile.board.width * tile.board.height for tile in tiles)
    source.problems += flaws
    if not placed:
        return [], Known.NOTHING
    return tiles, Known.PARTS if flaws else Known.ALL


def _tile(source: CourseFile, edition: str, index: int, item: JsonObject) -> Tile | None:
    x = source.value(item, "x", _OFFSET, 0, "boards", index)
    y = source.value(item, "y", _OFFSET, 0, "boards", index)
    rotation = source.value(item, "rotation", _rotation, 0, "boards", index)
    found = _drawing(source, edition, index, item)
    if found is None:
        return None
    name, file, drawing = found
    board = Board(name, edition, drawing.width, drawing.height, tuple(drawing.elements))
    size = (board.width, board.height) if rotation % 180 == 0 else (board.height, board.width)
    return Tile(index, Placement(name, x, y, rotation, *size), board, drawing, file)


def _rotation(value: object) -> int:
    if type(value) is not int or value not in (0, 90, 180, 270):
        raise Bad(f"expected 0, 90, 180 or 270 degrees clockwise, got {value!r}")
    return value


def _drawing(source: CourseFile, edition: str, index: int, item: JsonObject) -> tuple[str, str, Drawing] | None:
    """Name, file and drawing of a board, which is drawn in the course file or named there."""
    if ("board" in item) == ("drawing" in item):
        message = 'give either board = "NAME" or drawing = """...""", not both and not neither'
        source.wrong(message, ("boards", index), at_key=True)
        return None
    if "drawing" in item:
        content = source.value(item, "drawing", text, None, "boards", index)
        if content is None:
            return None
        first = source.places.string_start(("boards", index, "drawing"))
        called = source.value(item, "name", text, f"board_{index}", "boards", index)
        return called, str(source.path), read_drawing(content, first)
    if "name" in item:
        source.wrong(
            "name is that of a board drawn here; a board of that name has it already", ("boards", index, "name")
        )
        return None
    name = source.value(item, "board", text, None, "boards", index)
    file = None if name is None else _board_file(source, edition, name, index)
    return None if file is None else (file.stem, str(file), board_drawing(file))


def _board_file(source: CourseFile, edition: str, name: str, index: int) -> Path | None:
    """The file of a named board: beside the course, in its boards folder, or shipped with its edition or an edition
    that lends it courses."""
    here = source.path.parent
    shipped = [SHIPPED / each / "boards" for each in (edition, *EDITIONS[edition].borrows)]
    if "/" in name or name.endswith(".txt"):
        tried = [here / name]
    else:
        tried = [folder / f"{slugify(name)}.txt" for folder in (here, here / "boards", *shipped)]
    for file in tried:
        if os.path.isfile(file):  # unlike Path.is_file, for names of any length
            return file
    known = [file.stem for folder in shipped for file in sorted(folder.glob("*.txt"))]
    hint = nearest(name, known) or f"; known: {', '.join(known)}"
    source.wrong(f"unknown board {name!r}{hint}", ("boards", index, "board"))
    return None


def board_drawing(file: Path) -> Drawing:
    """The drawing of a board file; drawings of shipped boards are cached."""
    return shipped_drawing(file) if is_shipped(file) else read_drawing(read_text(file))


@cache_until_registered(64)
def shipped_drawing(file: Path) -> Drawing:
    """The drawing of a board that comes with the package."""
    return read_drawing(read_text(file))


def _check_place(source: CourseFile, tile: Tile, others: list[Tile]) -> None:
    place = tile.placement
    path = ("boards", tile.index)
    if place.x < 0 or place.y < 0:
        key = "x" if place.x < 0 else "y"
        message = f"board {place.name} lies outside: {key} must be 0 or more, got {getattr(place, key)}"
        source.wrong(message, (*path, key))
    elif place.x + place.width > MAX_WIDTH or place.y + place.height > MAX_HEIGHT:
        message = f"the course becomes too large: at most {MAX_WIDTH} columns and {MAX_HEIGHT} rows"
        source.wrong(message, path, at_key=True)
    for other in others:
        if _overlap(place, other.placement):
            message = f"board {place.name} overlaps board {other.placement.name} at {_free_hint(other.placement)}"
            source.wrong(message, path, at_key=True)


def _overlap(a: Placement, b: Placement) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def _free_hint(other: Placement) -> str:
    columns = f"columns {other.x} to {other.x + other.width - 1}"
    return f"{columns}, rows {other.y} to {other.y + other.height - 1}; move one of them"


def board_at(tiles: list[Tile], width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """[y][x] -> which of the tiles covers the cell, -1 for none."""
    rows = [[-1] * width for _ in range(height)]
    for index, tile in enumerate(tiles):
        place = tile.placement
        for y in range(place.y, place.y + place.height):
            rows[y][place.x : place.x + place.width] = [index] * place.width
    return tuple(map(tuple, rows))
