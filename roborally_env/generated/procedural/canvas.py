"""The board that is being painted: a grid of cells, and the turns that leave it as it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.lazily import lazily
from roborally_env.courses.grids import (
    FEEDS,
    LEVEL,
    OUT,
    PIT,
    PLANES,
    SPEED,
    WALLS,
    Grid,
    cells_and_steps,
    neighbours,
    turned_planes,
)
from roborally_env.courses.model import (
    KINDS,
    SIDES,
    STEP,
    Board,
    E,
    Element,
    N,
    S,
    W,
    shifted,
    turned,
    turned_cell,
    turned_element,
)
from roborally_env.generated.draws import Draws
from roborally_env.generated.style import STYLES

T = TypeVar("T")
_BUT = np.array([15 ^ 1 << N, 15 ^ 1 << E, 15 ^ 1 << S, 15 ^ 1 << W, 0], np.uint8)  # all sides but that one, likewise
_BEHIND = np.array([1 << S, 1 << W, 1 << N, 1 << E, 0], np.uint8)  # by direction, the last one for none
OFF = -1  # the neighbour of a cell beyond the edge of the board
_AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # clockwise from the north
SYMMETRIES = {"none": (0,), "half": (0, 2), "quarter": (0, 1, 2, 3)}  # the turns that leave the board as it is

Turn = tuple[tuple[int, ...], int]  # cell -> its place after a turn; the number of quarters


def picks(items: Iterable[T], draws: Draws) -> Iterator[T]:
    """The items in random order, drawn one by one, so that those that nobody asks for cost nothing."""
    left = list(items)
    while left:
        i = draws.below(len(left))
        left[i], left[-1] = left[-1], left[i]
        yield left.pop()


@lru_cache(maxsize=256)
def _cells_at(steps: tuple[tuple[int, int], ...], width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """[cell][step]: the cell to which each step (dx, dy) leads, or OFF."""
    return tuple(
        tuple((y + dy) * width + x + dx if 0 <= x + dx < width and 0 <= y + dy < height else OFF for dx, dy in steps)
        for y in range(height)
        for x in range(width)
    )


@lru_cache(maxsize=256)
def _turns(width: int, height: int, symmetry: str) -> tuple[Turn, ...]:
    found = []
    for quarters in SYMMETRIES[symmetry]:
        cells = [turned_cell(x, y, width, height, quarters) for y in range(height) for x in range(width)]
        found.append((tuple(y * width + x for x, y in cells), quarters))
    return tuple(found)


@lru_cache(maxsize=256)
def _rim(width: int, height: int) -> tuple[int, ...]:
    """By corner between cells, 1 at the edge of the board."""
    return tuple(int(x in (0, width) or y in (0, height)) for y in range(height + 1) for x in range(width + 1))


@lru_cache(maxsize=256)
def _sources(width: int, height: int, quarters: int) -> tuple[int, ...]:
    """By the cells of a turned board, the cells of the board."""
    columns = width if quarters % 2 == 0 else height
    places = [turned_cell(x, y, width, height, quarters) for y in range(height) for x in range(width)]
    return tuple(sorted(range(width * height), key=lambda cell: places[cell][1] * columns + places[cell][0]))


class Canvas:
    """A board of `width` x `height` cells, numbered in reading order, while it is painted.

    tile: the tile of each cell but belts, walls, lasers and floor; out, speed: its belt; walls: its walled sides, a
    bit each; clear: its sides that must stay without a wall; kept: cells that must stay floor, because something
    brings robots there; level: of the floor. busy: how much each corner between cells is touched by what stops
    robots.
    """

    name = "made"

    def __init__(self, home: str, width: int, height: int, symmetry: str) -> None:
        self.home, self.style = home, STYLES[home]
        self.width, self.height, self.cells = width, height, width * height
        self.step, self.around = _cells_at(STEP, width, height), _cells_at(_AROUND, width, height)
        self.turns = _turns(width, height, symmetry)
        self.alone = _turns(width, height, "none")
        self.tile: list[Element | None] = [None] * self.cells
        self._kinds: defaultdict[str, set[int]] = defaultdict(set)
        self.out, self.speed = [-1] * self.cells, [0] * self.cells
        self.walls, self.clear = [0] * self.cells, [0] * self.cells
        self.level = [0] * self.cells
        self.kept = [False] * self.cells
        self.beamed = [False] * self.cells
        self.lasers: list[Element] = []
        self.belts = self.inner_walls = 0
        self.busy = list(_rim(width, height))

    def at(self, cell: int) -> tuple[int, int]:
        """(x, y) of a cell."""
        return cell % self.width, cell // self.width

    def free(self, cell: int) -> bool:
        """Whether nothing lies in the cell, and nothing needs it as floor."""
        return self.plain(cell) and not self.kept[cell]

    def plain(self, cell: int) -> bool:
        """Whether it is floor, with walls and beams at most."""
        return self.tile[cell] is None and self.out[cell] < 0

    def plain_cells(self) -> list[int]:
        """The cells that are `plain`."""
        return [
            cell for cell, (tile, out) in enumerate(zip(self.tile, self.out, strict=True)) if tile is None and out < 0
        ]

    def free_cells(self) -> list[int]:
        """The cells that are `free`."""
        return [cell for cell in self.plain_cells() if not self.kept[cell]]

    def belt_cells(self) -> list[int]:
        """The cells with belts."""
        return [cell for cell, out in enumerate(self.out) if out >= 0]

    def cells_of(self, kind: str) -> list[int]:
        """The cells whose tile is one of that kind."""
        return sorted(self._kinds[kind])

    def is_kind(self, cell: int, kind: str) -> bool:
        """Whether the tile of the cell is one of that kind."""
        tile = self.tile[cell]
        return tile is not None and tile.kind == kind

    def images(self, cell: int, turns: Sequence[Turn]) -> list[tuple[int, int]]:
        """(cell, quarters) of the images of a cell, each cell once."""
        found: dict[int, int] = {}
        for places, quarters in turns:
            found.setdefault(places[cell], quarters)
        return list(found.items())

    def put(self, cell: int, tile: Element) -> None:
        """Put a tile into a cell; its directions are those of the board."""
        x, y = self.at(cell)
        self.tile[cell] = tile._replace(x=x, y=y)
        self._kinds[tile.kind].add(cell)

    def take(self, cell: int) -> None:
        """Take the tile of a cell away."""
        tile = self.tile[cell]
        assert tile is not None
        self.tile[cell] = None
        self._kinds[tile.kind].remove(cell)

    def put_pit(self, cell: int) -> None:
        """Put a pit into a cell."""
        self.put(cell, Element("pit", 0, 0))
        for corner in self._corners(cell):
            self.busy[corner] += 1

    def _corners(self, cell: int) -> tuple[int, int, int, int]:
        x, y = self.at(cell)
        first = y * (self.width + 1) + x
        return first, first + 1, first + self.width + 2, first + self.width + 1

    def ends(self, cell: int, side: int) -> tuple[int, int]:
        """The two corners of one side of a cell."""
        corners = self._corners(cell)
        return corners[side], corners[(side + 1) & 3]

    def can_wall(self, cell: int, side: int) -> bool:
        """Whether a wall may stand there: in nobody's way, between two cells of a level, and it shuts nothing in."""
        beside = self.step[cell][side]
        if beside == OFF or (self.walls[cell] | self.clear[cell]) >> side & 1:
            return False
        if self.level[cell] != self.level[beside]:
            return False
        if self.walls[cell].bit_count() > 1 or self.walls[beside].bit_count() > 1:
            return False
        first, second = self.ends(cell, side)
        return self.busy[first] == 0 or self.busy[second] == 0

    def wall(self, cell: int, side: int) -> None:
        """Build a wall, seen from both of its cells."""
        self.walls[cell] |= 1 << side
        for corner in self.ends(cell, side):
            self.busy[corner] += 1
        beside = self.step[cell][side]
        if beside != OFF:
            self.walls[beside] |= 1 << ((side + 2) & 3)
            self.inner_walls += 1

    def unwall(self, cell: int, side: int) -> None:
        """Take an inner wall away."""
        self.walls[cell] &= ~(1 << side)
        self.walls[self.step[cell][side]] &= ~(1 << ((side + 2) & 3))
        self.inner_walls -= 1
        for corner in self.ends(cell, side):
            self.busy[corner] -= 1

    def keep_clear(self, cell: int, side: int) -> None:
        """No wall may be built there."""
        self.clear[cell] |= 1 << side
        beside = self.step[cell][side]
        if beside != OFF:
            self.clear[beside] |= 1 << ((side + 2) & 3)

    def holds_together(self, cell: int) -> bool:
        """Whether the floor round a cell stays in one piece without it."""
        ring = self.around[cell]
        level = self.level[cell]
        open_cells = [
            c != OFF and self.level[c] == level and not self.is_kind(c, "pit") and not self.is_kind(c, "ramp")
            for c in ring
        ]
        changes = sum(open_cells[i] and not open_cells[i - 1] for i in range(8))
        return changes <= 1 and sum(open_cells[::2]) >= 2

    def beside(self, cells: Iterable[int]) -> set[int]:
        """The cells beside these, OFF among them where one lies at the edge."""
        return {to for cell in cells for to in self.step[cell]}

    def board(self) -> Board:
        """The finished board."""
        return Board.in_order(self.name, self.home, self.width, self.height, tuple(self.placed(0, 0, 0)))

    def placed(self, x: int, y: int, quarters: int) -> list[Element]:
        """The elements when the finished board is turned and moved, in the order of a Board: by row, column and kind,
        walls at the north and west sides of cells."""
        size = self.width, self.height
        width, height = size if quarters % 2 == 0 else size[::-1]
        places = {kind: place for place, kind in enumerate(KINDS)}
        lasers = {laser.y * self.width + laser.x: laser for laser in self.lasers}
        sources = _sources(*size, quarters)
        fed = self._planes[FEEDS].ravel().tolist()
        found: list[Element] = []
        for to, cell in enumerate(sources):
            down, across = divmod(to, width)
            here = []
            for tile in (lasers.get(cell), self.tile[cell]):
                if tile is not None:
                    here.append(shifted(turned_element(tile, *size, quarters), x, y))
            if self.level[cell] and not self.is_kind(cell, "ramp"):
                here.append(Element("level", x + across, y + down, level=self.level[cell]))
            walls = self.walls[cell] << quarters
            walls = (walls | walls >> 4) & (1 << N | 1 << W | (across == width - 1) << E | (down == height - 1) << S)
            if walls:
                here.append(Element("wall", x + across, y + down, sides=SIDES[walls]))
            out = self.out[cell]
            if out >= 0:
                feeds = turned(SIDES[fed[cell]], quarters)
                here.append(Element("belt", x + across, y + down, self.speed[cell], (out + quarters) & 3, feeds))
            if len(here) > 1:
                here.sort(key=lambda element: places[element.kind])
            found += here
        return found

    def count(self, kind: str) -> int:
        """How many tiles of a kind, or lasers, there are."""
        return len(self.lasers) if kind == "laser" else len(self._kinds[kind])

    @lazily
    def floor(self) -> tuple[int, int]:
        """The cells of the finished board without pits, and the steps from one to the next, walls left out."""
        return cells_and_steps(~self.pits(0))

    def pits(self, quarters: int) -> NDArray[np.bool_]:
        """b1 [height, width] after this many right turns: where they are."""
        found: NDArray[np.bool_] = np.zeros(self.cells, np.bool_)
        found[self.cells_of("pit")] = True
        return np.rot90(found.reshape(self.height, self.width), -quarters)

    def grid(self, quarters: int) -> Grid:
        """What lies on the finished board after this many right turns."""
        size = self.width, self.height
        tiles = [tile for tile in (*self.lasers, *self.tile) if tile is not None and tile.kind != "pit"]
        others = [turned_element(tile, *size, quarters) for tile in tiles]
        return Grid(turned_planes(self._planes, quarters), sorted(others, key=lambda tile: (tile.y, tile.x)))

    @lazily
    def _planes(self) -> NDArray[np.uint8]:
        """Those of its grid as it was painted."""
        planes: NDArray[np.uint8] = np.zeros((PLANES, self.height, self.width), np.uint8)
        rows = planes.reshape(PLANES, -1)
        rows[WALLS], rows[SPEED], rows[LEVEL] = self.walls, self.speed, self.level
        outs = np.array(self.out, np.int8).reshape(self.height, self.width)
        planes[OUT], planes[FEEDS] = np.maximum(outs, 0), usual_feeds(outs)
        rows[PIT][self.cells_of("pit")] = 1
        return planes


def usual_feeds(outs: NDArray[np.int8]) -> NDArray[np.uint8]:
    """The sides from which belts are fed, as bits: see `drawing.usual_feeds`.

    `outs` i1 [height, width]: their directions, -1 where there is none.
    """
    feeds: NDArray[np.uint8] = np.zeros(outs.shape, np.uint8)
    for side, beside in enumerate(neighbours(outs, -1)):
        feeds |= (beside == side ^ 2).astype(np.uint8) << side
    feeds &= _BUT[outs]
    return np.where(feeds == 0, _BEHIND[outs], feeds)
