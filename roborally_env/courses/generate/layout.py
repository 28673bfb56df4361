"""Boards put together: a `Ground` is a course before its checkpoints and reboot tokens are laid out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from roborally_env.courses.model import (
    EDITIONS,
    LIMITED,
    MAX_HEIGHT,
    MAX_WIDTH,
    Board,
    Course,
    E,
    Element,
    Placement,
    S,
    W,
    dock_order,
    problems_of_counts,
    turned_cell,
)


class StartBoard(NamedTuple):
    """A board with start spaces, as it lies beside the others unturned: at the left in 2016, below them in 2005.

    antenna: its cell, None in editions without one. facing: of the robots, 0..3. tokens: cells that are good for a
    reboot token; the arrow points as robots start.
    """

    board: Board
    antenna: tuple[int, int] | None
    facing: int
    tokens: tuple[tuple[int, int], ...]

    @property
    def length(self) -> int:
        """The cells of the side at which it joins the others."""
        return self.board.height if self.facing in (E, W) else self.board.width


class Sheet(Protocol):
    """A board that can lie in a course: a printed one, or one that has been painted and whose elements are made when
    its place is known. Its cells are numbered in reading order."""

    @property
    def name(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    def placed(self, x: int, y: int, quarters: int) -> list[Element]: ...
    def count(self, kind: str) -> int: ...
    def cells_of(self, kind: str) -> list[int]: ...
    def bare_cells(self) -> list[int]: ...


class Piece(NamedTuple):
    """A board in its place: the top-left cell, which may be negative, and right turns."""

    board: Sheet
    x: int
    y: int
    quarters: int

    @property
    def width(self) -> int:
        return self.board.width if self.quarters % 2 == 0 else self.board.height

    @property
    def height(self) -> int:
        return self.board.height if self.quarters % 2 == 0 else self.board.width

    def place(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The course cell of a cell of the board."""
        x, y = turned_cell(*cell, self.board.width, self.board.height, self.quarters)
        return x + self.x, y + self.y


@dataclass(frozen=True)
class Ground:
    """Boards that lie together; the start board is the last. What is known of its cells is in arrays [height, width].

    board_at: [y][x]: index of the piece, -1 off the boards.
    """

    edition: str
    pieces: tuple[Piece, ...]
    start: StartBoard
    width: int
    height: int
    board_at: tuple[tuple[int, ...], ...]

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Those of all boards, turned and in their places. Grounds that are refused before cost no time for them."""
        found: list[Element] = []
        for piece in self.pieces:
            found += piece.board.placed(piece.x, piece.y, piece.quarters)
        return tuple(found)

    @cached_property
    def docks(self) -> tuple[tuple[int, int, int], ...]:
        """(number, x, y) of the start spaces, in the order in which robots take them."""
        return dock_order(self.elements)

    @cached_property
    def floor(self) -> NDArray[np.bool_]:
        """The cells that robots can stand on: all but pits."""
        return self._laid(_floor_of)

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """The cells with nothing but floor, walls around them or not; no cell of the start board."""
        free = self._laid(_bare_of)
        start = self.pieces[-1]
        free[start.y : start.y + start.height, start.x : start.x + start.width] = False
        return free

    def _laid(self, kept: Callable[[Sheet], NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """An array of cells, by row, of each board: of all boards, turned and in their places."""
        found = np.zeros((self.height, self.width), np.bool_)
        for piece in self.pieces:
            board = piece.board
            cells = np.rot90(kept(board).reshape(board.height, board.width), -piece.quarters)
            found[piece.y : piece.y + piece.height, piece.x : piece.x + piece.width] = cells
        return found

    @property
    def facing(self) -> int:
        """The direction in which robots start."""
        return (self.start.facing + self.pieces[-1].quarters) & 3

    def on_start(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The course cell of a cell of the start board."""
        return self.pieces[-1].place(cell)

    def free_cells(self) -> list[tuple[int, int, int]]:
        """(board, x, y) of the cells of `free`, by row."""
        rows, columns = (places.tolist() for places in np.nonzero(self.free))
        return [(self.board_at[y][x], x, y) for y, x in zip(rows, columns, strict=True)]

    def course(
        self,
        reboots: tuple[tuple[int, int, int], ...] = (),
        checkpoints: tuple[tuple[int, int], ...] = (),
        moving: bool = False,
        players: int | None = None,
    ) -> Course:
        """The course with these tokens (x, y, facing) and checkpoints (x, y), in order."""
        edition = EDITIONS[self.edition]
        low, high = edition.players
        antenna = None
        if self.start.antenna is not None:
            antenna = (*self.on_start(self.start.antenna), self.facing)
        return Course(
            slug="generated",
            title="Generated",
            edition=self.edition,
            difficulty="",
            length="",
            players=(low, players or min(high, len(self.docks))),
            width=self.width,
            height=self.height,
            board_at=self.board_at,
            boards=tuple(Placement(p.board.name, p.x, p.y, 90 * p.quarters, p.width, p.height) for p in self.pieces),
            elements=self.elements,
            docks=self.docks,
            antenna=antenna,
            reboots=reboots,
            checkpoints=tuple((number, x, y) for number, (x, y) in enumerate(checkpoints, 1)),
            energy=tuple((e.x, e.y) for e in self.elements if e.kind == "energy"),
            start_facing=self.facing,
            moving_checkpoints=moving or edition.riding,
        )


def _floor_of(board: Sheet) -> NDArray[np.bool_]:
    floor = np.ones(board.width * board.height, np.bool_)
    floor[board.cells_of("pit")] = False
    return floor


def _bare_of(board: Sheet) -> NDArray[np.bool_]:
    bare = np.zeros(board.width * board.height, np.bool_)
    bare[board.bare_cells()] = True
    return bare


def join(edition: str, pieces: list[Piece], start: StartBoard) -> Ground | None:
    """The boards as a Ground, the start board last in `pieces`; None where they overlap or make too large a course."""
    left, top = min(p.x for p in pieces), min(p.y for p in pieces)
    moved = tuple([Piece(p.board, p.x - left, p.y - top, p.quarters) for p in pieces])
    width, height = max(p.x + p.width for p in moved), max(p.y + p.height for p in moved)
    if width > MAX_WIDTH or height > MAX_HEIGHT:
        return None
    rows = [[-1] * width for _ in range(height)]
    for index, piece in enumerate(moved):
        across, bare, own = slice(piece.x, piece.x + piece.width), [-1] * piece.width, [index] * piece.width
        for row in rows[piece.y : piece.y + piece.height]:
            if row[across] != bare:
                return None
            row[across] = own
    counts = {kind: sum(piece.board.count(kind) for piece in moved) for kind in LIMITED}
    if problems_of_counts(width, height, counts, ()):
        return None
    return Ground(edition, moved, start, width, height, tuple(map(tuple, rows)))


def open_share(ground: Ground) -> float:
    """The share of steps from cell to cell that lead into a pit or off the boards, walls left out."""
    floor = ground.floor
    sides = [floor[1:] & floor[:-1], floor[:, 1:] & floor[:, :-1]]  # each is crossed both ways
    inside, cells = 2 * sum(int(np.count_nonzero(side)) for side in sides), int(np.count_nonzero(floor))
    return 1 - inside / (4 * cells)


def beside(start: StartBoard, host: Piece, side: int, offset: int) -> Piece:
    """The start board at a side (N E S W) of another board, turned so that robots face that board.

    `offset`: cells along the side from where the two boards' ends meet.
    """
    piece = Piece(start.board, 0, 0, (side + 2 - start.facing) & 3)
    if side in (E, W):
        return piece._replace(x=host.x + (host.width if side == E else -piece.width), y=host.y + offset)
    return piece._replace(x=host.x + offset, y=host.y + (host.height if side == S else -piece.height))
