"""Course files written: the text that `load_course` reads back, for people to go on editing."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from roborally_env.base.errors import CourseError, cut
from roborally_env.courses.boards import shipped_drawing
from roborally_env.courses.drawing import write_board
from roborally_env.courses.model import DIRECTIONS, EDITIONS, Board, Course, Element, dock_order, rotate, shifted
from roborally_env.courses.reader import SHIPPED, slugify

_HEAD = ("title", "edition", "section", "difficulty", "length")
_LEGEND = """\
# Boards as they lie on the course. `roborally courses --tiles` lists the tokens of the drawings; courses/README.md
# explains them under "Drawings", and all keys of this file under "Course files"."""


def write_course(course: Course, comments: Iterable[str] = ()) -> str:
    """The course as the text of a TOML file: see `generated.by_name.write_course`, which also takes names.

    Raises:
        CourseError: as that.
    """
    names = _names(course)
    boards = [_board_text(course, index, name) for index, name in enumerate(names)]
    named = all(name is None for name in names)
    parts = [
        _comment_lines(course, comments),
        _head(course),
        _list("boards", [f"{{ {', '.join(text.splitlines())} }}" for text in boards]) if named else "",
        _pieces(course),
        *([] if named else [_LEGEND, *(f"[[boards]]\n{text}" for text in boards)]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def in_file_order(course: Course) -> Course:
    """The course with its elements, start spaces and cubes in the order in which its file is read back: board by
    board, then the energy spaces that printed boards have only under cubes."""
    elements: list[Element] = []
    added: list[Element] = []
    for index, place in enumerate(course.boards):
        beside = _added_spaces(course, index) or set()
        for e in _lying(course, index).elements:
            (added if e in beside else elements).append(shifted(e, place.x, place.y))
    elements += added
    cubes = tuple((e.x, e.y) for e in elements if e.kind == "energy" and (e.x, e.y) in course.energy)
    return replace(course, elements=tuple(elements), docks=dock_order(elements), energy=cubes)


def _comment_lines(course: Course, comments: Iterable[str]) -> str:
    if isinstance(comments, str):
        raise CourseError(f"comments: expected a list of lines, got {cut(repr(comments))} (the text is returned)")
    lines = list(comments)
    if course.source and Path(course.source).suffix.lower() != ".toml":  # not a file, which may be anywhere by now
        lines.append(f"source: {course.source}")
    for line in lines:
        if not line.isprintable():
            raise CourseError(f"comments: expected lines of text, got {line!r}")
    return "\n".join(f"# {line}" for line in lines)


def _head(course: Course) -> str:
    if not course.title.strip():
        raise CourseError(f"course {course.slug}: title: expected a text, got {course.title!r}")
    lines = [f"{key} = {_text(getattr(course, key))}" for key in _HEAD if getattr(course, key)]
    lines.append(f"players = {list(course.players)}")
    if course.player_counts:
        lines.append(f"player_counts = {list(course.player_counts)}")
    lines.append(f"start_facing = {_text(DIRECTIONS[course.start_facing])}")
    tags = EDITIONS[course.edition].special
    if course.moving_checkpoints and not EDITIONS[course.edition].riding and "moving_flags" not in tags:
        lines.append("moving_checkpoints = true")
    if course.special_rules:
        rules = [_text(rule) for rule in course.special_rules]
        lines.append(f"special_rules = [{', '.join(rules)}]" if tags else _list("special_rules", rules))
    return "\n".join(lines)


def _pieces(course: Course) -> str:
    """Antenna, tokens, checkpoints and cubes."""
    lines = []
    if course.antenna is not None:
        lines.append(f"antenna = {_facing(*course.antenna)}")
    if course.reboots:
        lines.append(_list("reboots", [_facing(*token) for token in course.reboots]))
    if course.checkpoints:
        rows = [f"{{ number = {number}, x = {x}, y = {y} }}" for number, x, y in course.checkpoints]
        lines.append(_list("checkpoints", rows))
    if "energy" in EDITIONS[course.edition].kinds and course.energy != _usual_cubes(course):
        lines.append(_list("energy", [f"{{ x = {x}, y = {y} }}" for x, y in course.energy]))
    return "\n".join(lines)


def _usual_cubes(course: Course) -> tuple[tuple[int, int], ...] | None:
    """The cubes of a file that lists none; None if its boards have fewer spaces than the course."""
    if any(_added_spaces(course, index) for index in range(len(course.boards))):
        return None
    return tuple((e.x, e.y) for e in course.elements if e.kind == "energy")


def _names(course: Course) -> list[str | None]:
    """The names of the boards that are drawn, each its own; None for a board that is printed."""
    drawn = [_added_spaces(course, index) is None for index in range(len(course.boards))]
    count = Counter(place.name for place in course.boards)
    taken = {name for name, times in count.items() if times == 1}
    found: list[str | None] = []
    for place, is_drawn in zip(course.boards, drawn, strict=True):
        name = place.name
        if is_drawn and count[name] > 1:
            name = next(each for number in itertools.count(1) if (each := f"{place.name}_{number}") not in taken)
            taken.add(name)
        found.append(name if is_drawn else None)
    return found


def _board_text(course: Course, index: int, name: str | None) -> str:
    """The lines of one board: its drawing under this name, or that of a printed one, and where it lies."""
    place = course.boards[index]
    where = f"x = {place.x}\ny = {place.y}"
    if name is None:
        return f"board = {_text(place.name)}\n{where}\nrotation = {place.rotation}"
    return f'name = {_text(name)}\n{where}\ndrawing = """\n{write_board(_lying(course, index))}"""'


def _lying(course: Course, index: int) -> Board:
    """A board of the course as it lies, in its own coordinates."""
    place = course.boards[index]
    own = [shifted(e, -place.x, -place.y) for e in course.elements if course.board_at[e.y][e.x] == index]
    return Board(place.name, course.edition, place.width, place.height, tuple(own))


def _added_spaces(course: Course, index: int) -> set[Element] | None:
    """The energy spaces that a printed board has only because a cube lies there at the start; None for a board that
    is not printed, or was changed in other ways."""
    place, lying = course.boards[index], _lying(course, index)
    printed = _printed(course.edition, place.name)
    if printed is None:
        return None
    turned = rotate(printed, place.rotation // 90).elements
    added = set(lying.elements) - set(turned)
    cubes = {(x - place.x, y - place.y) for x, y in course.energy}
    by_cubes = all(e.kind == "energy" and (e.x, e.y) in cubes for e in added)
    return added if by_cubes and set(turned) <= set(lying.elements) else None


def _printed(edition: str, name: str) -> Board | None:
    """The board of that name, which an edition or one that lends it courses has."""
    for each in (edition, *EDITIONS[edition].borrows):
        file = SHIPPED / each / "boards" / f"{slugify(name)}.txt"
        if file.is_file() and file.stem == name:
            drawing = shipped_drawing(file)
            return Board(name, edition, drawing.width, drawing.height, tuple(drawing.elements))
    return None


def _facing(x: int, y: int, facing: int) -> str:
    return f"{{ x = {x}, y = {y}, facing = {_text(DIRECTIONS[facing])} }}"


def _list(key: str, rows: Iterable[str]) -> str:
    return "\n".join([f"{key} = [", *(f"  {row}," for row in rows), "]"])


def _text(value: str) -> str:
    """A TOML string: one of JSON, in which one more character must be escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
