"""Boards as drawings: tokens in cells, walls drawn between the cells.

    +    +    +    +----+    +
      .    vv   .  | L>   cw
    +    +    +    +----+    +

Lines of corners (`+`, with `----` for a wall) and lines of cells alternate; a wall to the left or right of a cell is a
`|` below a corner. Several tokens of one cell are joined with `+`. Lines that begin with `#` are comments.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from roborally_env.base.errors import CourseError, nearest
from roborally_env.courses.links import check_links, labels_of, linked
from roborally_env.courses.model import ARROWS, DEFAULT_EDITION, KINDS, STEP, Board, E, Element, N, S, W, turned
from roborally_env.courses.tile_tokens import FLOOR, Around, examples

if TYPE_CHECKING:
    from roborally_env.courses.tile_kinds import TileKind

Cell = tuple[int, int]


class Flaw(NamedTuple):
    """A mistake in a drawing: line and column from 1, and a message with the correction."""

    line: int
    column: int
    message: str


@dataclass(slots=True)
class Drawing:
    """The content of a drawing, its mistakes, and the place of each element in the text."""

    width: int = 0
    height: int = 0
    elements: list[Element] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    places: dict[tuple[int, int, str], tuple[int, int]] = field(default_factory=dict)  # (x, y, kind) -> line, column
    labels: dict[tuple[int, int, str], str] = field(default_factory=dict)  # (x, y, ramp or button) -> its letters
    extras: list[tuple[int, int, str]] = field(default_factory=list)  # (x, y, token) of the reader's `extra` tokens
    start: tuple[int, int] = (1, 1)  # line and column of the first corner

    def place(self, x: int, y: int, kind: str = "") -> tuple[int, int]:
        """Line and column of an element, else of its cell."""
        return self.places.get((x, y, kind)) or self.places.get((x, y, "")) or self.start


def read_drawing(text: str, first_line: int = 1, extra: re.Pattern[str] | None = None) -> Drawing:
    """Read a drawing and go on after each mistake, so that all of them are listed in `flaws`.

    `first_line` is the number of the text's first line in its file. Tokens that match `extra` in full are
    not looked up but handed back in `extras` (scenes put robots in the cells).
    """
    drawing = Drawing(start=(first_line, 1))
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.split("\n"), first_line)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    corners = _corners(lines, drawing)
    if corners:
        _Grid(drawing, corners, extra).read(lines)
        _add_usual_feeds(drawing)
        _link_buttons(drawing)
    return drawing


def _corners(lines: list[tuple[int, str]], drawing: Drawing) -> list[int]:
    """The columns of the corners, taken from the first line."""
    if not lines:
        drawing.flaws.append(Flaw(*drawing.start, "no drawing; expected lines like '+    +    +' and '  .    >>'"))
        return []
    number, line = lines[0]
    columns = _corners_of(line)
    if len(columns) < 2 or not re.fullmatch(r" *\+([ -]+\+)+", line):
        message = "a drawing begins with its line of corners, like '+    +----+'"
        drawing.flaws.append(Flaw(number, len(line) - len(line.lstrip()) + 1, message))
        return []
    drawing.start = (number, columns[0] + 1)
    drawing.width = len(columns) - 1
    return columns


_MISSING = {True: "a line of corners here; a line is missing or too many", False: "a row of cells here, not corners"}
_REPORTED = "\0"  # replaces letters whose mistake has been reported


def _is_corners(line: str) -> bool:
    """Whether a line looks like one of corners: nothing but corners and walls."""
    return re.fullmatch(r"[\s+-]*\+[\s+-]*", line) is not None


def _corners_of(line: str) -> list[int]:
    """The columns of the corners in a line."""
    return [column for column, letter in enumerate(line) if letter == "+"]


@dataclass
class _Grid:
    """Reads the lines of one drawing whose corners stand in the known columns."""

    drawing: Drawing
    corners: list[int]
    extra: re.Pattern[str] | None

    def read(self, lines: list[tuple[int, str]]) -> None:
        """Read all lines. After a line that is missing or too many it goes on with the kind that a line looks like."""
        self.drawing.height = sum(not _is_corners(line) for _, line in lines)
        y, corners_next = 0, True
        for index, (number, line) in enumerate(lines):
            is_corners = _is_corners(line)
            if is_corners != corners_next:
                self._flaw(number, 0, f"ragged grid: expected {_MISSING[corners_next]}")
            if is_corners:
                self._corner_line(number, line, y)
            else:
                # in rows between lines whose corners stand elsewhere, every cell would be a mistake
                if any(_corners_of(near) == self.corners for _, near in lines[index - 1 : index + 2 : 2]):
                    self._cell_line(number, line, y)
                y += 1
            corners_next = not is_corners
        if corners_next:
            self._flaw(lines[-1][0], 0, "the last row of cells has no line of corners below it")
        if self.drawing.height == 0:
            self._flaw(lines[0][0], self.corners[0], "no row of cells")

    def _flaw(self, line: int, column: int, message: str) -> None:
        self.drawing.flaws.append(Flaw(line, column + 1, message))

    def _corner_line(self, number: int, line: str, y: int) -> None:
        found = _corners_of(line)
        if found != self.corners:
            column = next((a for a, b in zip(found, self.corners, strict=False) if a != b), len(line))
            message = f"ragged grid: expected the {len(self.corners)} corners of the first line, in its columns"
            self._flaw(number, column, message)
            return
        for x, (left, right) in enumerate(zip(self.corners, self.corners[1:], strict=False)):
            edge = line[left + 1 : right]
            if "-" in edge:
                self._wall(x, y, N, number, left + 1)
                if " " in edge:
                    self._flaw(number, left + 1, f"half a wall; draw it from corner to corner: {'-' * len(edge)!r}")

    def _cell_line(self, number: int, line: str, y: int) -> None:
        width = self._cells_in(number, line)
        if line[self.corners[-1] + 1 :].strip() or line[: self.corners[0]].strip():
            column = next(c for c, letter in enumerate(line) if letter != " " and not self._inside(c))
            many = self.drawing.width
            self._flaw(number, column, f"ragged grid: text outside of the {many} columns that the first line has")
        line = line.ljust(self.corners[-1] + 1)
        for x, corner in enumerate(self.corners[: width + 1]):
            if line[corner] == "|":
                self._wall(x, y, W, number, corner)
            elif line[corner] not in (" ", _REPORTED):
                line = self._across(number, line, corner)
        for x in range(width):
            self._cell(line[self.corners[x] + 1 : self.corners[x + 1]], x, y, number, self.corners[x] + 1)

    def _across(self, number: int, line: str, corner: int) -> str:
        """Report a text that stands across the border of two cells, and its tokens if they are unknown; returns the
        line with `_REPORTED` in the place of the text."""
        message = "ragged grid: below a corner stands a space or a wall |; long tokens need wider columns"
        self._flaw(number, corner, message)
        start = max(line.rfind(mark, 0, corner) for mark in " |") + 1
        text = re.split("[ |]", line[start:], maxsplit=1)[0]
        column = start
        for part in text.split("+"):
            if part != FLOOR and self._kind_of(part) is None:
                self._flaw(number, column, f"unknown token {part!r}{_hint(part)}")
            column += len(part) + 1
        return line[:start] + _REPORTED * len(text) + line[start + len(text) :]

    def _cells_in(self, number: int, line: str) -> int:
        """How many cells a row has."""
        width = self.drawing.width
        if len(line) > self.corners[width - 1] + 1:
            return width
        have = sum(1 for corner in self.corners if corner + 1 < len(line))
        message = f"ragged grid: this row has {have} cells; the first line of corners has room for {width}"
        self._flaw(number, len(line), message)
        return have

    def _inside(self, column: int) -> bool:
        return self.corners[0] <= column <= self.corners[-1]

    def _wall(self, x: int, y: int, side: int, line: int, column: int) -> None:
        if side == W and x == self.drawing.width:
            x, side = x - 1, E
        if side == N and y == self.drawing.height:
            y, side = y - 1, S
        self.drawing.elements.append(Element("wall", x, y, sides=(side,)))
        self.drawing.places.setdefault((x, y, "wall"), (line, column + 1))

    def _cell(self, cell: str, x: int, y: int, line: int, column: int) -> None:
        text = cell.replace(_REPORTED, " ").strip()
        column += cell.index(text) if text else 1
        self.drawing.places[x, y, ""] = (line, column + 1)
        if not text and _REPORTED in cell:
            return
        if not text:
            self._flaw(line, column, "empty cell; plain floor is written .")
        elif re.search(r"\s", text):
            self._flaw(line, column, f"two tokens in one cell are joined with +: {'+'.join(text.split())!r}")
        elif text != FLOOR:
            for part in text.split("+"):
                self._token(part, x, y, line, column)
                column += len(part) + 1

    def _token(self, part: str, x: int, y: int, line: int, column: int) -> None:
        if self.extra is not None and self.extra.fullmatch(part):
            self.drawing.extras.append((x, y, part))
            return
        found = self._kind_of(part)
        if found is None:
            self._flaw(line, column, f"unknown token {part!r}{_hint(part)}")
            return
        kind, match = found
        self.drawing.elements.append(Element(kind.name, x, y, **kind.token.read(match)))
        self.drawing.places.setdefault((x, y, kind.name), (line, column + 1))
        if "label" in match.re.groupindex:
            self.drawing.labels[x, y, kind.name] = match["label"]

    @staticmethod
    def _kind_of(part: str) -> "tuple[TileKind, re.Match[str]] | None":
        """The kind of tile that a token stands for, with the match of its pattern; None for an unknown one."""
        for kind in KINDS.values():
            match = kind.token and kind.token.pattern.fullmatch(part)
            if match:
                return kind, match
        return None


def _hint(part: str) -> str:
    """A hint: how a kind is written if only digits or arrows are wrong; else the nearest tokens, else all."""
    for kind in KINDS.values():
        numbered = [example for example in kind.examples if re.search("[0-9]", example)]
        if _before_digits(part) in map(_before_digits, numbered):
            words = [f"; {key.words}" for key in kind.keys if key.words]
            return f"; {', '.join(kind.examples)}: {kind.meaning.replace('`', '')}{''.join(words)}"
    return nearest(part, examples()) or f"; tokens are like {' '.join(examples())}"


def _before_digits(part: str) -> str:
    """The beginning of a token, without the arrow at its end."""
    beginning = part[: re.search("[0-9]|$", part).start()]  # type: ignore[union-attr]  # it finds the end at least
    return beginning.rstrip(ARROWS) or beginning


def usual_feeds(belts: dict[Cell, int], x: int, y: int) -> tuple[int, ...]:
    """The feeds of the belt at (x, y): the neighbours that point at it, or the cell behind it if none does.

    `belts` holds the out direction of each belt.
    """
    out = belts[x, y]
    around = (belts.get((x + dx, y + dy)) for dx, dy in STEP)
    feeds = tuple(side for side, its in enumerate(around) if side != out and its == (side + 2) & 3)
    return feeds or turned((out,), 2)


def _belts(elements: Iterable[Element]) -> dict[Cell, int]:
    return {(e.x, e.y): e.out for e in elements if e.kind == "belt"}


def _add_usual_feeds(drawing: Drawing) -> None:
    belts = _belts(drawing.elements)
    drawing.elements = [
        e._replace(feeds=usual_feeds(belts, e.x, e.y)) if e.kind == "belt" and not e.feeds else e
        for e in drawing.elements
    ]


def _link_buttons(drawing: Drawing) -> None:
    """Give each button the ramps that its letters name."""
    drawing.elements, alone = linked(drawing.elements, drawing.labels)
    drawing.flaws += [Flaw(*drawing.places[place], message) for place, message in alone]


def parse_board(text: str, name: str = "board", edition: str = DEFAULT_EDITION) -> Board:
    """The board of a drawing. Raises CourseError with line and column of the first mistake."""
    drawing = read_drawing(text)
    for line, column, message in drawing.flaws:
        raise CourseError(f"{name}:{line}:{column}: {message}")
    return Board(name, edition, drawing.width, drawing.height, tuple(drawing.elements))


def write_board(board: Board, comments: Iterable[str] = ()) -> str:
    """The board as the text that `parse_board` reads back equal, below the given comment lines.

    Raises CourseError if a button switches no ramp of the board, which cannot be drawn.
    """
    cells = _cell_texts(board)
    walls = {(e.x, e.y, side) for e in board.elements if e.kind == "wall" for side in e.sides}
    pitch = max(5, 3 + max(len(text) for text in cells.values()))
    lines = list(comments)
    for y in range(board.height):
        lines.append(_corner_text(walls, board.width, y, N, pitch))
        lines.append(_row_text(cells, walls, board.width, y, pitch))
    lines.append(_corner_text(walls, board.width, board.height - 1, S, pitch))
    return "\n".join(lines) + "\n"


def _cell_texts(board: Board) -> dict[Cell, str]:
    belts = _belts(board.elements)
    check_links(board)
    labels = labels_of(board.elements)
    parts: dict[Cell, list[str]] = {(x, y): [] for y in range(board.height) for x in range(board.width)}
    for element in board.elements:
        if element.kind != "wall":
            feeds = usual_feeds(belts, element.x, element.y) if element.kind == "belt" else ()
            around = Around(feeds, labels.get((element.x, element.y, element.kind), ""))
            parts[element.x, element.y].append(KINDS[element.kind].token.write(element, around))
    return {cell: "+".join(tokens) or FLOOR for cell, tokens in parts.items()}


def _corner_text(walls: set[tuple[int, int, int]], width: int, y: int, side: int, pitch: int) -> str:
    edges = (("-" if (x, y, side) in walls else " ") * (pitch - 1) for x in range(width))
    return "+" + "".join(edge + "+" for edge in edges)


def _row_text(cells: dict[Cell, str], walls: set[tuple[int, int, int]], width: int, y: int, pitch: int) -> str:
    text = ""
    for x in range(width):
        text += ("|" if (x, y, W) in walls else " ") + " " + cells[x, y].ljust(pitch - 2)
    return (text + ("|" if (width - 1, y, E) in walls else "")).rstrip()
