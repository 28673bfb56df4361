"""Boards put together: a `Layout` is a course before its checkpoints and reboot tokens are placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.lazily import lazily
from roborally_env.courses.grids import PLANES, SPEED, WALLS, Grid, cells_and_steps, neighbours, seen_from_both
from roborally_env.courses.model import (
    EDITIONS,
    LIMITED,
    STEP,
    Board,
    Course,
    E,
    Element,
    N,
    Placement,
    S,
    W,
    dock_order,
    problems_of_counts,
    shifted,
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


class BoardSource(Protocol):
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
    def grid(self, quarters: int) -> Grid: ...
    def pits(self, quarters: int) -> NDArray[np.bool_]: ...
    @property
    def floor(self) -> tuple[int, int]: ...


class PlacedBoard(NamedTuple):
    """A board in its place: the top-left cell, which may be negative, and right turns."""

    board: BoardSource
    x: int
    y: int
    quarters: int

    @property
    def width(self) -> int:
        return self.board.width if self.quarters % 2 == 0 else self.board.height

    @property
    def height(self) -> int:
        return self.board.height if self.quarters % 2 == 0 else self.board.width

    @property
    def cells(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    def overlaps(self, other: PlacedBoard) -> bool:
        """Whether the two have a cell in common."""
        across = self.x < other.x + other.width and other.x < self.x + self.width
        return across and self.y < other.y + other.height and other.y < self.y + self.height

    def place(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The course cell of a cell of the board."""
        x, y = turned_cell(*cell, self.board.width, self.board.height, self.quarters)
        return x + self.x, y + self.y


@dataclass(frozen=True)
class Layout:
    """Boards that lie together; the start board is the last. Arrays of its cells are [height, width]."""

    edition: str
    pieces: tuple[PlacedBoard, ...]
    start: StartBoard
    width: int
    height: int

    @lazily
    def board(self) -> NDArray[np.int8]:
        """The index of the piece, -1 off the boards."""
        found: NDArray[np.int8] = np.full((self.height, self.width), -1, np.int8)
        for index, piece in enumerate(self.pieces):
            found[piece.cells] = index
        return found

    @lazily
    def grid(self) -> Grid:
        """What lies on all boards, turned and in their places; the elements by board. Grounds that are refused before
        cost no time for it."""
        planes: NDArray[np.uint8] = np.zeros((PLANES, self.height, self.width), np.uint8)
        others: list[Element] = []
        for piece in self.pieces:
            own = piece.board.grid(piece.quarters)
            planes[:, *piece.cells] = own.planes
            others += [shifted(element, piece.x, piece.y) for element in own.others]
        return Grid(planes, others)

    @lazily
    def walls(self) -> NDArray[np.uint8]:
        """The walled sides of each cell, as bits."""
        return seen_from_both(self.grid.planes[WALLS])

    @lazily
    def elements(self) -> tuple[Element, ...]:
        """Those of all boards."""
        found: list[Element] = []
        for piece in self.pieces:
            found += piece.board.placed(piece.x, piece.y, piece.quarters)
        return tuple(found)

    @lazily
    def docks(self) -> tuple[tuple[int, int, int], ...]:
        """(number, x, y) of the start spaces, in the order in which robots take them."""
        return dock_order(self.grid.others)

    @lazily
    def floor(self) -> NDArray[np.bool_]:
        """The cells that robots can stand on: all but pits."""
        found: NDArray[np.bool_] = np.zeros((self.height, self.width), np.bool_)
        for piece in self.pieces:
            found[piece.cells] = ~piece.board.pits(piece.quarters)
        return found

    @lazily
    def free(self) -> NDArray[np.bool_]:
        """The cells with nothing but floor, walls around them or not; no cell of the start board."""
        free: NDArray[np.bool_] = self.floor & (self.grid.planes[SPEED] == 0)
        free[tuple(np.array([(e.y, e.x) for e in self.grid.others], np.int64).reshape(-1, 2).T)] = False
        free[self.pieces[-1].cells] = False
        return free

    @property
    def facing(self) -> int:
        """The direction in which robots start."""
        return (self.start.facing + self.pieces[-1].quarters) & 3

    def on_start(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The course cell of a cell of the start board."""
        return self.pieces[-1].place(cell)

    def cells_where(self, wanted: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
        """(board, x, y) of the cells where an array [height, width] is true, by row."""
        rows, columns = np.nonzero(wanted)
        return list(zip(self.board[rows, columns].tolist(), columns.tolist(), rows.tolist(), strict=True))

    def course(
        self,
        reboots: tuple[tuple[int, int, int], ...] = (),
        checkpoints: tuple[tuple[int, int], ...] = (),
        moving: bool = False,
        players: int | None = None,
        *,
        bare: bool = False,
    ) -> Course:
        """The course with these tokens (x, y, facing) and checkpoints (x, y), in order; `bare`: without its elements,
        which take long to make. What lies on it is in `grid`."""
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
            board_at=tuple(map(tuple, self.board.tolist())),
            boards=tuple(Placement(p.board.name, p.x, p.y, 90 * p.quarters, p.width, p.height) for p in self.pieces),
            elements=() if bare else self.elements,
            docks=self.docks,
            antenna=antenna,
            reboots=reboots,
            checkpoints=tuple((number, x, y) for number, (x, y) in enumerate(checkpoints, 1)),
            energy=tuple((e.x, e.y) for e in self.grid.others if e.kind == "energy"),
            start_facing=self.facing,
            moving_checkpoints=moving or edition.riding,
        )


def join(edition: str, pieces: list[PlacedBoard], start: StartBoard) -> Layout | None:
    """The boards as a Layout, the start board last in `pieces`; None where they overlap or make too large a course."""
    if any(one.overlaps(other) for i, one in enumerate(pieces) for other in pieces[:i]):
        return None
    left, top = min(p.x for p in pieces), min(p.y for p in pieces)
    moved = tuple([PlacedBoard(p.board, p.x - left, p.y - top, p.quarters) for p in pieces])
    width, height = max(p.x + p.width for p in moved), max(p.y + p.height for p in moved)
    counts = {kind: sum(piece.board.count(kind) for piece in moved) for kind in LIMITED}
    if problems_of_counts(width, height, counts, ()):
        return None
    return Layout(edition, moved, start, width, height)


def open_share(ground: Layout) -> float:
    """The share of steps from cell to cell that lead into a pit or off the boards, walls left out."""
    cells, steps = cells_and_steps(ground.floor)
    return 1 - steps / (4 * cells)


def falls_by_cards(ground: Layout) -> float:
    """The share of cards, a card of each kind that moves or turns, after which a robot has fallen, from all cells with
    all facings, as if machines stood still. It is within some percent of what robots alone meet with."""
    floor = ground.floor
    sides = np.arange(4, dtype=np.uint8)[:, None, None]
    open_side = floor & (ground.walls >> sides & 1 == 0)
    beside = np.stack(neighbours(floor, False))
    first, goes_on = open_side & ~beside, open_side & beside
    second = first | goes_on & _ahead(first)
    third = first | goes_on & _ahead(second)
    falls = sum(int(np.count_nonzero(each)) for each in (first, first, second, third))  # one of them steps back
    return falls / (4 * _CARDS * int(np.count_nonzero(floor)))


def _ahead(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For an array [direction, y, x] what the next cell in that direction has, no beyond the edge."""
    found = np.zeros_like(cells)
    found[N, 1:], found[S, :-1] = cells[N, :-1], cells[S, 1:]
    found[E, :, :-1], found[W, :, 1:] = cells[E, :, 1:], cells[W, :, :-1]
    return found


_CARDS = 7  # one to three steps, one back, turns to the left, to the right and about


def share_beamed(ground: Layout) -> float:
    """The share of cells in a laser's beam, those in two beams counted twice."""
    walls = ground.walls.tolist()
    beams = 0
    for e in ground.grid.others:
        if e.kind == "laser":
            x, y, (dx, dy) = e.x, e.y, STEP[e.fires]
            while 0 <= x < ground.width and 0 <= y < ground.height:
                beams += e.beams
                if walls[y][x] >> e.fires & 1:
                    break
                x, y = x + dx, y + dy
    return beams / int(np.count_nonzero(ground.board >= 0))


def clashes(ground: Layout) -> bool:
    """Whether something goes wrong where boards join: a belt runs against a wall, the antenna or a belt that comes the
    other way, up or down a ledge, into a pit or a trapdoor, or three walls are around a cell."""
    board = ground.board.ravel()
    own, speed, out, _, pit, level = (plane.ravel() for plane in ground.grid.planes)
    walls = ground.walls.ravel()
    ends = [(e.x, e.y) for e in ground.grid.others if e.kind == "trapdoor"]
    if ground.start.antenna is not None:  # it stops belts as a pit does
        ends.append(ground.on_start(ground.start.antenna))
    if ends:
        pit = pit.copy()
        pit[[y * ground.width + x for x, y in ends]] = 1
    for d, apart in ((E, 1), (S, ground.width)):
        here = np.flatnonzero((board[:-apart] != board[apart:]) & (board[:-apart] >= 0) & (board[apart:] >= 0))
        if d == E:
            here = here[here % ground.width < ground.width - 1]
        there = here + apart
        walled = walls[here] >> d & 1
        forth, back = (speed[here] > 0) & (out[here] == d), (speed[there] > 0) & (out[there] == d ^ 2)
        stopped = walled | (level[there] != level[here])
        if (forth & (stopped | pit[there] | back) | back & (stopped | pit[here])).any():
            return True
    return bool((_SIDES[walls[walls != own]] > 2).any())


_SIDES = np.array([bits.bit_count() for bits in range(16)])


def beside(start: StartBoard, host: PlacedBoard, side: int, offset: int) -> PlacedBoard:
    """The start board at a side (N E S W) of another board, turned so that robots face that board.

    `offset`: cells along the side from where the two boards' ends meet.
    """
    piece = PlacedBoard(start.board, 0, 0, (side + 2 - start.facing) & 3)
    if side in (E, W):
        return piece._replace(x=host.x + (host.width if side == E else -piece.width), y=host.y + offset)
    return piece._replace(x=host.x + offset, y=host.y + (host.height if side == S else -piece.height))
