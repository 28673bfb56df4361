"""Course files: reads TOML and returns a Course and the list of all mistakes in the file."""

import re
import tomllib
from pathlib import Path

from roborally_env.base.documents import parse_toml
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.boards import Tile, board_at, read_tiles
from roborally_env.courses.checks import Known, course_issues
from roborally_env.courses.issues import Issue
from roborally_env.courses.model import DEFAULT_EDITION, EDITIONS, Course, E, Element, dock_order
from roborally_env.courses.reader import CourseFile, Problem, read_text, slugify
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
    special_rules,
    text,
    with_moving,
)

_KEYS = (
    "title",
    "edition",
    "section",
    "difficulty",
    "length",
    "players",
    "player_counts",
    "start_facing",
    "moving_checkpoints",
    "special_rules",
    "boards",
    "antenna",
    "reboots",
    "checkpoints",
    "energy",
)
_COORDINATE = integer(-1000, 1000)  # the checks of the whole course find cells off the boards
_COORDINATE_HELP = "columns count x from 0 on the left, rows y from 0 at the top of the whole course"


def read_course(path: Path, reachability: bool = True) -> tuple[Course | None, list[Problem]]:
    """The course of a file, or None, and all that is wrong with the file.

    Raises CourseError if the file cannot be read at all.
    """
    source = CourseFile(path)
    content = read_text(path)
    try:
        source.data = parse_toml(content)
    except tomllib.TOMLDecodeError as error:
        problem = _syntax_problem(path, content, error)
        hint = "" if path.suffix == ".toml" else "; a course file is TOML, such as my_course.toml"
        return None, [problem._replace(message=problem.message + hint)]
    except RoboRallyError as error:
        return None, [Problem(str(path), 1, 1, str(error))]
    source.places = TomlPlaces(content.replace("\r\n", "\n"))
    source.known_keys(source.data, _KEYS)
    course, tiles, known = _course(source)
    _add_issues(source, course, tiles, known, reachability)
    return (None if source.problems else course), source.problems


def _syntax_problem(path: Path, content: str, error: tomllib.TOMLDecodeError) -> Problem:
    message = " ".join(str(error).split())
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        return Problem(str(path), int(found[1]), int(found[2]), f"not TOML: {message[: found.start()]}")
    lines = content.split("\n")
    message = message.removesuffix(" (at end of document)")
    return Problem(str(path), len(lines), len(lines[-1]) + 1, f"not TOML: {message} at the end of the file")


def _course(source: CourseFile) -> tuple[Course, list[Tile], Known]:
    """The course as far as the file's values allow, its boards, and how much of them could be read."""
    data = source.data
    edition = source.value(data, "edition", edition_name, "") if "edition" in data else DEFAULT_EDITION
    head = _head(source, edition or DEFAULT_EDITION)
    tiles, known = read_tiles(source, edition or DEFAULT_EDITION)
    antenna = _antenna(source)
    facing = source.value(data, "start_facing", direction, antenna[2] if antenna else E)
    marks = {key: _cells(source, key, extra) for key, extra in _MARKS.items()}
    if not edition:
        edition, tiles, known = DEFAULT_EDITION, [], Known.NOTHING
    elements = [element for tile in tiles for element in tile.elements()]
    cubes = _cubes(source, edition, elements, marks["energy"])
    elements += _spaces_under_cubes(elements, cubes)
    width = max((tile.placement.x + tile.placement.width for tile in tiles), default=0)
    height = max((tile.placement.y + tile.placement.height for tile in tiles), default=0)
    course = Course(
        slug=slugify(source.path.stem),
        edition=edition,
        **head,
        width=width,
        height=height,
        board_at=board_at(tiles, width, height),
        boards=tuple(tile.placement for tile in tiles),
        elements=tuple(elements),
        docks=dock_order(elements),
        antenna=antenna,
        reboots=tuple(marks["reboots"]),
        checkpoints=tuple(sorted(marks["checkpoints"])),
        energy=cubes,
        start_facing=facing,
        source=str(source.path),
    )
    return course, tiles, known


def _head(source: CourseFile, edition: str) -> JsonObject:
    data = source.data
    limits = EDITIONS[edition].players
    counts = source.value(data, "player_counts", _player_counts(limits), ())
    rules = source.value(data, "special_rules", special_rules(edition), ())
    moving = source.value(data, "moving_checkpoints", _rides if EDITIONS[edition].riding else flag, False)
    rules, moving = with_moving(edition, rules, moving)
    return {
        "title": source.value(data, "title", text, source.path.stem, needed='every course has a name: title = "..."'),
        "section": source.value(data, "section", text, ""),
        "difficulty": source.value(data, "difficulty", text, ""),
        "length": source.value(data, "length", text, ""),
        "players": source.value(data, "players", _players(limits), (counts[0], counts[-1]) if counts else limits),
        "player_counts": counts,
        "moving_checkpoints": moving,
        "special_rules": rules,
    }


def _rides(value: object) -> bool:
    if not flag(value):
        raise Bad("in this edition belts and pushers always carry checkpoints; leave it out")
    return True


def _players(limits: tuple[int, int]) -> Reader:
    low, high = limits

    def read(value: Json) -> tuple[int, int]:
        good = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
        if not good or not low <= value[0] <= value[1] <= high:
            raise Bad(f"expected [fewest, most] within [{low}, {high}], got {value!r}")
        return value[0], value[1]

    return read


def _player_counts(limits: tuple[int, int]) -> Reader:
    low, high = limits

    def read(value: Json) -> tuple[int, ...]:
        good = isinstance(value, list) and len(value) > 0 and all(type(n) is int and low <= n <= high for n in value)
        if not good or sorted(set(value)) != value:
            raise Bad(f"expected ascending numbers of players from {low} to {high}, got {value!r}")
        return tuple(value)

    return read


# The lists of marked cells: key -> the key besides x and y, its reader, and the message if it is missing
_MARKS: dict[str, tuple[str, Reader, str] | None] = {
    "reboots": ("facing", direction, "the arrow points to one of N, E, S, W"),
    "checkpoints": ("number", CHECKPOINT_NUMBER, "checkpoints are numbered 1, 2, 3, ..."),
    "energy": None,
}


def _cells(source: CourseFile, key: str, extra: tuple[str, Reader, str] | None) -> list[Json]:
    """The well-formed cells of a list: (x, y), (x, y, facing) or (number, x, y)."""
    keys = ("x", "y") if extra is None else ("x", "y", extra[0])
    found: list[tuple[int, Json]] = []
    for index, item in source.tables(key, keys):
        cell = _cell(source, item, key, index)
        more = None if extra is None else source.value(item, extra[0], extra[1], None, key, index, needed=extra[2])
        if cell is None or (extra is not None and more is None):
            continue
        found.append((index, {"energy": cell, "reboots": (*cell, more), "checkpoints": (more, *cell)}[key]))
    source.entries[key] = found
    return [entry for _, entry in found]


def _cell(source: CourseFile, item: JsonObject, *path: Key) -> tuple[int, int] | None:
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


def _cubes(
    source: CourseFile, edition: str, elements: list[Element], listed: list[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """The listed cubes; if the file has no list, one on each energy space."""
    if "energy" in source.data or "energy" not in EDITIONS[edition].kinds:
        return tuple(listed)
    return tuple((e.x, e.y) for e in elements if e.kind == "energy")


def _spaces_under_cubes(elements: list[Element], cubes: tuple[tuple[int, int], ...]) -> list[Element]:
    spaces = {(e.x, e.y) for e in elements if e.kind in ("energy", "pit")}  # the checks report a cube on a pit
    return [Element("energy", x, y) for x, y in dict.fromkeys(cubes) if (x, y) not in spaces]


def _add_issues(source: CourseFile, course: Course, tiles: list[Tile], known: Known, reachability: bool) -> None:
    """Record the issues of the whole course, each with its place in the files."""
    incomplete = {key for key in ("antenna", *source.entries) if _lost_entries(source, course, key)}
    if source.data.get("edition", course.edition) != course.edition:  # an unknown one may need no antenna
        incomplete.add("antenna")
    for issue in course_issues(course, reachability and not source.problems, incomplete, known):
        source.problems.append(_located(source, course, tiles, issue))


def _lost_entries(source: CourseFile, course: Course, key: str) -> bool:
    """Whether an entry under the key was too malformed to be read, so that missing entries are not reported."""
    if key not in source.data:
        return False
    if key == "antenna":
        return course.antenna is None
    items = source.data[key]
    return not isinstance(items, list) or len(source.entries[key]) < len(items)


def _located(source: CourseFile, course: Course, tiles: list[Tile], issue: Issue) -> Problem:
    if issue.cell is not None:
        tile = tiles[course.board_at[issue.cell[1]][issue.cell[0]]]
        return Problem(*tile.spot(*issue.cell, issue.kind), issue.message)
    indexes = [index for index, entry in source.entries.get(issue.key, []) if entry == issue.entry]
    path = (issue.key, indexes[-1]) if indexes else (issue.key,)
    return Problem(str(source.path), *source.places.value(path), issue.message)
