"""Course files: TOML in, a Course and the list of everything that is wrong with the file out."""

import functools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from roborally_env.courses.checks import Issue, course_issues
from roborally_env.courses.drawing import Drawing, read_drawing
from roborally_env.courses.model import (
    EDITIONS,
    MAX_HEIGHT,
    MAX_WIDTH,
    Board,
    Course,
    E,
    Element,
    Placement,
    dock_order,
    rotate,
    turned_cell,
)
from roborally_env.courses.toml_places import TomlPlaces
from roborally_env.courses.values import (
    CHECKPOINT_NUMBER,
    Bad,
    Key,
    Reader,
    direction,
    edition_name,
    flag,
    integer,
    text,
)
from roborally_env.errors import RoboRallyError, nearest

INSTALLED = Path(__file__).parent / "files"
CHECKOUT = Path(__file__).parents[2] / "courses"
# The shipped courses lie inside the package when installed, beside it in a checkout.
SHIPPED = INSTALLED if INSTALLED.is_dir() else CHECKOUT


class Problem(NamedTuple):
    """One mistake in a file. Line and column count from 1."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


def slugify(name: str) -> str:
    """'Dizzy Highway' as dizzy_highway."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


@dataclass
class Tile:
    """A board in its place, with the drawing that it came from."""

    index: int  # in the file's list of boards
    placement: Placement
    board: Board  # not turned
    drawing: Drawing
    file: str  # the file that holds the drawing

    def elements(self) -> Iterator[Element]:
        """In course coordinates."""
        place = self.placement
        for element in rotate(self.board, place.rotation // 90).elements:
            yield element._replace(x=element.x + place.x, y=element.y + place.y)

    def spot(self, x: int, y: int, kind: str) -> tuple[str, int, int]:
        """File, line and column of an element, by its course cell."""
        place = self.placement
        back = -(place.rotation // 90) & 3
        own = turned_cell(x - place.x, y - place.y, place.width, place.height, back)
        return (self.file, *self.drawing.place(*own, kind))


@dataclass
class CourseFile:
    """A course file while it is read: its values, and the mistakes found so far."""

    path: Path
    data: dict[str, Any] = field(default_factory=dict)
    places: TomlPlaces = field(default_factory=lambda: TomlPlaces(""))
    problems: list[Problem] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list)
    # "checkpoints", "reboots", "energy" -> (index in the file's list, value) of the well-formed entries
    entries: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)

    def wrong(self, message: str, path: tuple[Key, ...], at_key: bool = False) -> None:
        """Note a mistake at the value (or the key) that `path` names."""
        line, column = self.places.key(path) if at_key else self.places.value(path)
        self.problems.append(Problem(str(self.path), line, column, message))

    def value(self, holder: Any, key: str, read: Reader, default: Any, *path: Key, needed: str = "") -> Any:
        """holder[key] as read; the default, with the mistake noted, where it is wrong or missing."""
        if key not in holder:
            if needed:
                self.wrong(f"missing {key}; {needed}", path, at_key=True)
            return default
        try:
            return read(holder[key])
        except Bad as bad:
            self.wrong(f"{key}: {bad.message}", (*path, key, *bad.path))
            return default

    def tables(self, key: str, keys: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The tables of the list `key`, each looked through for unknown keys."""
        items = self.data.get(key, [])
        if not isinstance(items, list):
            self.wrong(f"{key}: expected a list of tables, like [{{ x = 0, y = 0 }}]", (key,))
            return
        for index, item in enumerate(items):
            if isinstance(item, dict):
                self.known_keys(item, keys, key, index)
                yield index, item
            else:
                self.wrong(f"{key}: expected a table with {', '.join(keys)}, got {item!r}", (key, index))

    def known_keys(self, holder: dict[str, Any], keys: tuple[str, ...], *path: Key) -> None:
        for key in holder:
            if key not in keys:
                hint = nearest(key, keys) or f"; known: {', '.join(keys)}"
                self.wrong(f"unknown key {key!r}{hint}", (*path, key), at_key=True)


_KEYS = (
    "title",
    "edition",
    "difficulty",
    "length",
    "players",
    "start_facing",
    "moving_checkpoints",
    "special_rules",
    "boards",
    "antenna",
    "reboots",
    "checkpoints",
    "energy",
)
_BOARD_KEYS = ("board", "drawing", "x", "y", "rotation")
_OFFSET = integer(-MAX_HEIGHT, MAX_HEIGHT)
_COORDINATE = integer(-1000, 1000)  # whether a cell is on a board is asked later, of the whole course
_COORDINATE_HELP = "columns count x from 0 on the left, rows y from 0 at the top of the whole course"


def read_course(path: Path, reachability: bool = True) -> tuple[Course | None, list[Problem]]:
    """The course of a file, and all that is wrong with the file; None where no course comes of it.

    Raises RoboRallyError where the file cannot be read at all.
    """
    source = CourseFile(path)
    content = read_text(path)
    try:
        source.data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        return None, [_syntax_problem(path, content, error)]
    source.places = TomlPlaces(content.replace("\r\n", "\n"))
    source.known_keys(source.data, _KEYS)
    course = _course(source)
    if course is not None:
        _add_issues(source, course, reachability)
    return (None if source.problems else course), source.problems


def read_text(path: Path) -> str:
    """The text of a file; RoboRallyError where there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot read it: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RoboRallyError(f"{path}: not a text file in UTF-8 ({error.reason} at byte {error.start})") from None


def _syntax_problem(path: Path, content: str, error: tomllib.TOMLDecodeError) -> Problem:
    message = " ".join(str(error).split())
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        return Problem(str(path), int(found[1]), int(found[2]), f"not TOML: {message[: found.start()]}")
    lines = content.split("\n")
    message = message.removesuffix(" (at end of document)")
    return Problem(str(path), len(lines), len(lines[-1]) + 1, f"not TOML: {message} at the end of the file")


def _course(source: CourseFile) -> Course | None:
    """The course as far as the file's values allow; None where its boards or its edition are wrong."""
    data = source.data
    edition = source.value(data, "edition", edition_name, "2016")
    head = _head(source, edition)
    _read_tiles(source, edition)
    antenna = _antenna(source)
    marks = {key: _cells(source, key, extra) for key, extra in _MARKS.items()}
    if not source.tiles or any(problem.message.startswith("edition:") for problem in source.problems):
        return None
    elements = [element for tile in source.tiles for element in tile.elements()]
    cubes = _cubes(source, elements, marks["energy"])
    elements += _spaces_under_cubes(elements, cubes)
    width = max(tile.placement.x + tile.placement.width for tile in source.tiles)
    height = max(tile.placement.y + tile.placement.height for tile in source.tiles)
    facing = source.value(data, "start_facing", direction, antenna[2] if antenna else E)
    return Course(
        slug=slugify(source.path.stem),
        edition=edition,
        **head,
        width=width,
        height=height,
        board_at=_board_at(source.tiles, width, height),
        boards=tuple(tile.placement for tile in source.tiles),
        elements=tuple(elements),
        docks=dock_order(elements),
        antenna=antenna,
        reboots=tuple(marks["reboots"]),
        checkpoints=tuple(sorted(marks["checkpoints"])),
        energy=cubes,
        start_facing=facing,
        source=str(source.path),
    )


def _head(source: CourseFile, edition: str) -> dict[str, Any]:
    data = source.data
    return {
        "title": source.value(data, "title", text, source.path.stem, needed='every course has a name: title = "..."'),
        "difficulty": source.value(data, "difficulty", text, ""),
        "length": source.value(data, "length", text, ""),
        "players": source.value(data, "players", _players(EDITIONS[edition].players), EDITIONS[edition].players),
        "moving_checkpoints": source.value(data, "moving_checkpoints", flag, False),
        "special_rules": source.value(data, "special_rules", _texts, ()),
    }


def _players(limits: tuple[int, int]) -> Reader:
    low, high = limits

    def read(value: Any) -> tuple[int, int]:
        good = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
        if not good or not low <= value[0] <= value[1] <= high:
            raise Bad(f"expected [fewest, most] within [{low}, {high}], got {value!r}")
        return value[0], value[1]

    return read


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Bad(f"expected a list of texts, got {value!r}")
    return tuple(text(item) for item in value)


# The lists of marked cells: key -> its key besides x and y, how that is read, and what to say where it is missing
_MARKS: dict[str, tuple[str, Reader, str] | None] = {
    "reboots": ("facing", direction, "the arrow points to one of N, E, S, W"),
    "checkpoints": ("number", CHECKPOINT_NUMBER, "checkpoints are numbered 1, 2, 3, ..."),
    "energy": None,
}


def _cells(source: CourseFile, key: str, extra: tuple[str, Reader, str] | None) -> list[Any]:
    """The well-formed cells of a list: (x, y), (x, y, facing) or (number, x, y)."""
    keys = ("x", "y") if extra is None else ("x", "y", extra[0])
    found: list[tuple[int, Any]] = []
    for index, item in source.tables(key, keys):
        cell = _cell(source, item, key, index)
        more = None if extra is None else source.value(item, extra[0], extra[1], None, key, index, needed=extra[2])
        if cell is None or (extra is not None and more is None):
            continue
        found.append((index, {"energy": cell, "reboots": (*cell, more), "checkpoints": (more, *cell)}[key]))
    source.entries[key] = found
    return [entry for _, entry in found]


def _cell(source: CourseFile, item: dict[str, Any], *path: Key) -> tuple[int, int] | None:
    x = source.value(item, "x", _COORDINATE, None, *path, needed=_COORDINATE_HELP)
    y = source.value(item, "y", _COORDINATE, None, *path, needed=_COORDINATE_HELP)
    return None if x is None or y is None else (x, y)


def _antenna(source: CourseFile) -> tuple[int, int, int] | None:
    item = source.data.get("antenna")
    if item is None:
        return None
    if not isinstance(item, dict):
        source.wrong('antenna: expected a table like { x = 0, y = 4, facing = "E" }', ("antenna",))
        return None
    source.known_keys(item, ("x", "y", "facing"), "antenna")
    cell = _cell(source, item, "antenna")
    facing = source.value(item, "facing", direction, None, "antenna", needed="the dish points to one of N, E, S, W")
    return None if cell is None or facing is None else (*cell, facing)


def _cubes(source: CourseFile, elements: list[Element], listed: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The listed cubes; where the file lists none at all, one on each energy space."""
    if "energy" in source.data:
        return tuple(listed)
    return tuple((e.x, e.y) for e in elements if e.kind == "energy")


def _spaces_under_cubes(elements: list[Element], cubes: tuple[tuple[int, int], ...]) -> list[Element]:
    spaces = {(e.x, e.y) for e in elements if e.kind in ("energy", "pit")}  # a cube on a pit is told by the checks
    return [Element("energy", x, y) for x, y in dict.fromkeys(cubes) if (x, y) not in spaces]


def _board_at(tiles: list[Tile], width: int, height: int) -> tuple[tuple[int, ...], ...]:
    rows = [[-1] * width for _ in range(height)]
    for index, tile in enumerate(tiles):
        place = tile.placement
        for y in range(place.y, place.y + place.height):
            rows[y][place.x : place.x + place.width] = [index] * place.width
    return tuple(map(tuple, rows))


def _read_tiles(source: CourseFile, edition: str) -> None:
    """Read and place the boards. `source.tiles` is left empty where any of them is wrong."""
    if not source.data.get("boards"):
        example = 'boards = [{ board = "5b", x = 0, y = 0 }]'
        source.wrong(f"missing boards; a course lies on at least one: {example}", ("boards",))
        return
    before = len(source.problems)
    tiles: list[Tile] = []
    for index, item in source.tables("boards", _BOARD_KEYS):
        tile = _tile(source, edition, index, item)
        if tile is not None:
            _check_place(source, tile, tiles)
            tiles.append(tile)
    if len(source.problems) == before:
        source.tiles = tiles


def _tile(source: CourseFile, edition: str, index: int, item: dict[str, Any]) -> Tile | None:
    x = source.value(item, "x", _OFFSET, 0, "boards", index)
    y = source.value(item, "y", _OFFSET, 0, "boards", index)
    rotation = source.value(item, "rotation", _rotation, 0, "boards", index)
    found = _drawing(source, edition, index, item)
    if found is None:
        return None
    name, file, drawing = found
    source.problems += [Problem(file, *flaw) for flaw in drawing.flaws]
    board = Board(name, edition, drawing.width, drawing.height, tuple(drawing.elements))
    size = (board.width, board.height) if rotation % 180 == 0 else (board.height, board.width)
    return Tile(index, Placement(name, x, y, rotation, *size), board, drawing, file)


def _rotation(value: Any) -> int:
    if type(value) is not int or value not in (0, 90, 180, 270):
        raise Bad(f"expected 0, 90, 180 or 270 degrees clockwise, got {value!r}")
    return value


def _drawing(source: CourseFile, edition: str, index: int, item: dict[str, Any]) -> tuple[str, str, Drawing] | None:
    """Name, file and drawing of a board: drawn here, or named."""
    if ("board" in item) == ("drawing" in item):
        message = 'give either board = "NAME" or drawing = """...""", not both and not neither'
        source.wrong(message, ("boards", index), at_key=True)
        return None
    if "drawing" in item:
        content = source.value(item, "drawing", text, None, "boards", index)
        if content is None:
            return None
        first = source.places.string_start(("boards", index, "drawing"))
        return f"board_{index}", str(source.path), read_drawing(content, first)
    name = source.value(item, "board", text, None, "boards", index)
    file = None if name is None else _board_file(source, edition, name, index)
    return None if file is None else (file.stem, str(file), board_drawing(file))


def _board_file(source: CourseFile, edition: str, name: str, index: int) -> Path | None:
    """The file of a named board: beside the course, in its boards folder, or shipped with its edition."""
    here, shipped = source.path.parent, SHIPPED / edition / "boards"
    if "/" in name or name.endswith(".txt"):
        tried = [here / name]
    else:
        tried = [folder / f"{slugify(name)}.txt" for folder in (here, here / "boards", shipped)]
    for file in tried:
        if file.is_file():
            return file
    known = [file.stem for file in sorted(shipped.glob("*.txt"))]
    hint = nearest(name, known) or f"; known: {', '.join(known)}"
    source.wrong(f"unknown board {name!r}{hint}", ("boards", index, "board"))
    return None


def board_drawing(file: Path) -> Drawing:
    """The drawing of a board file; those of shipped boards are kept."""
    return _shipped_drawing(file) if is_shipped(file) else read_drawing(read_text(file))


@functools.lru_cache(maxsize=64)
def _shipped_drawing(file: Path) -> Drawing:
    return read_drawing(read_text(file))


def is_shipped(file: Path) -> bool:
    """Whether the file is one that comes with the package."""
    return SHIPPED in file.parents


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


def _add_issues(source: CourseFile, course: Course, reachability: bool) -> None:
    """Note what the checks of the whole course find, each where it stands in the files."""
    incomplete = {key for key in ("antenna", *source.entries) if _lost_entries(source, course, key)}
    for issue in course_issues(course, reachability and not source.problems, incomplete):
        source.problems.append(_located(source, course, issue))


def _lost_entries(source: CourseFile, course: Course, key: str) -> bool:
    """Whether something under the key was too malformed to be read, so that to count it missing were only noise."""
    if key not in source.data:
        return False
    if key == "antenna":
        return course.antenna is None
    items = source.data[key]
    return not isinstance(items, list) or len(source.entries[key]) < len(items)


def _located(source: CourseFile, course: Course, issue: Issue) -> Problem:
    if issue.cell is not None:
        tile = source.tiles[course.board_at[issue.cell[1]][issue.cell[0]]]
        return Problem(*tile.spot(*issue.cell, issue.kind), issue.message)
    indexes = [index for index, entry in source.entries.get(issue.key, []) if entry == issue.entry]
    path = (issue.key, indexes[-1]) if indexes else (issue.key,)
    return Problem(str(source.path), *source.places.value(path), issue.message)
