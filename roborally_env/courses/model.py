"""The data model of a course: plain immutable values in course coordinates.

(0,0) is the top-left cell, x counts columns to the right, y rows down.
Directions are N E S W = 0..3; a right turn is `+1 & 3`, the opposite `+2 & 3`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.registry import Part
from roborally_env.courses.grids import PIT, Grid, cells_and_steps

if TYPE_CHECKING:
    from roborally_env.courses.tile_kinds import TileKind

N, E, S, W = range(4)
DIRECTIONS = "NESW"
ARROWS = "^>v<"
#            N        E       S       W        one step, as (dx, dy)
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
# directions as bits, 1 << d each -> the directions, ascending
SIDES = tuple(tuple(d for d in range(4) if bits >> d & 1) for bits in range(16))

MAX_WIDTH = 32  # columns
MAX_HEIGHT = 40  # rows
MAX_LASERS = 64  # emitters; a two-ended laser counts as two
MAX_ENERGY_SPACES = 64
MAX_CHECKPOINTS = 8
MAX_DOCKS = 8  # start spaces
MAX_TOKENS = 16  # reboot tokens
MAX_RAMPS = 64

# Every kind of tile, in the order in which several in one cell are listed; `add_tile` registers them.
KINDS: dict[str, "TileKind"] = {}
# Features of a course, in the order of the bits: a step of a register is skipped if no feature needs it.
HAS = (
    "blue_belts", "green_belts", "panels", "gears", "lasers", "energy", "moving",
    "ramps", "trapdoors", "stompers", "levels", "cleanup",  # cleanup: radiation and repair sites
    "puddles", "buttons",
)  # fmt: skip


class Edition(NamedTuple):
    """The differences between editions in their courses."""

    players: tuple[int, int]  # fewest, most
    antenna: bool  # whether each course needs one; else courses have none
    tokens: bool  # reboot tokens
    special: tuple[str, ...]  # the tags that `special_rules` may have; if empty, it holds sentences for players
    belts: tuple[tuple[int, ...], ...]  # the speeds of the belts that act in each pass of a register
    belt_names: tuple[str, str]  # what players call them, by speed
    checkpoint: str  # what players call one
    riding: bool = False  # checkpoints ride belts and pushers on every course
    backs: bool = False  # a pusher is a wall on the side that it stands on, drawn or not
    late: bool = False  # a robot that falls comes back at the round's end, not at once
    borrows: tuple[str, ...] = ()  # other editions on whose courses it races
    timer_of_one: bool = False  # the timer runs for the last player that programs; else for all players left
    default_course: str = "dizzy_highway"  # the course of races that name none
    kinds: frozenset[str] = frozenset()  # the kinds of tiles on its boards


EDITIONS: Part[Edition] = Part("courses")  # in the order of preference where several have a course of one name
DEFAULT_EDITION = "2016"
FROM_MAP = "map"  # the source of courses that are the map of a scenario or a replay


class Element(NamedTuple):
    """One board element on cell (x, y). Fields that its kind does not have keep their defaults.

    kind     fields
    belt     speed 1 or 2; out; feeds: the sides of the cell it is fed from
    gear     turn: +1 clockwise, -1 counter-clockwise
    wall     sides: the edges of this cell with a wall
    panel    push: the direction of the push; registers 1..5 in which it pushes
    laser    fires; beams 1..3; two_ended: one end of a line with a pointer at both ends
    crusher  registers
    repair   level 1 or 2
    dock     number 1..8, 0 if unnumbered
    pit, energy (a space; the course lists the cubes)
    level    level 1..3 of the floor
    ramp     out: up; level 0..2 of its foot, its top is one higher; enabled at the start
    one_way  out: the direction of the only steps that enter the cell
    button   ramps: the cells of the ramps that it switches
    stomper, trapdoor  registers
    puddle, radiation
    """

    kind: str
    x: int
    y: int
    speed: int = 0
    out: int = -1  # direction, -1 for none
    feeds: tuple[int, ...] = ()  # directions, ascending
    turn: int = 0
    sides: tuple[int, ...] = ()  # directions, ascending
    push: int = -1
    registers: tuple[int, ...] = ()  # 1..5, ascending
    fires: int = -1
    beams: int = 0
    two_ended: bool = False
    number: int = -1
    level: int = 0
    enabled: bool = True
    ramps: tuple[tuple[int, int], ...] = ()  # (x, y), by row, then column


@dataclass(frozen=True, slots=True)
class Board:
    """One printed board in its own coordinates.

    Elements have a fixed order (by row, column, kind), and each wall is stored on one side of its edge, so that equal
    boards are `==` however they were written.
    """

    name: str
    edition: str
    width: int
    height: int
    elements: tuple[Element, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", canonical(self.elements, self.width, self.height))

    @classmethod
    def in_order(cls, name: str, edition: str, width: int, height: int, elements: tuple[Element, ...]) -> Self:
        """A board of elements that are in that order, and stored so, already."""
        board = object.__new__(cls)
        for field, value in zip(cls.__slots__, (name, edition, width, height, elements), strict=True):
            object.__setattr__(board, field, value)
        return board

    def placed(self, x: int, y: int, quarters: int) -> list[Element]:
        """The elements when the board is turned and moved by a number of columns and rows, in the order of a board."""
        return [shifted(element, x, y) for element in self.turned(quarters).elements]

    def turned(self, quarters: int) -> "Board":
        """The board after this many right turns; it is kept for a while."""
        return _turned_board(self, quarters & 3) if quarters & 3 else self

    def grid(self, quarters: int) -> Grid:
        """What lies on the board after this many right turns; it is kept for a while."""
        return _grid(self.turned(quarters))

    @property
    def floor(self) -> tuple[int, int]:
        """The cells without pits, and the steps from one to the next, walls left out."""
        return cells_and_steps(~self.pits(0))

    def pits(self, quarters: int) -> NDArray[np.bool_]:
        """b1 [height, width] after this many right turns: where they are."""
        return np.asarray(self.grid(quarters).planes[PIT] > 0)

    def count(self, kind: str) -> int:
        """How many elements of a kind there are."""
        return _counts(self)[kind]

    def __hash__(self) -> int:
        """Without the elements, of which there are hundreds."""
        return hash((self.name, self.edition, self.width, self.height, len(self.elements)))


@lru_cache(maxsize=256)
def _turned_board(board: Board, quarters: int) -> Board:
    return rotate(board, quarters)


@lru_cache(maxsize=256)
def _grid(board: Board) -> Grid:
    return Grid.of(board.elements, board.width, board.height)


@lru_cache(maxsize=256)
def _counts(board: Board) -> Counter[str]:
    return Counter(element.kind for element in board.elements)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a board lies on its course: (x, y) of its top-left cell and its size, both after the turn."""

    name: str
    x: int
    y: int
    rotation: int  # degrees clockwise: 0, 90, 180, 270
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Course:
    """A whole course. All coordinates are course cells, all directions 0..3."""

    slug: str
    title: str
    edition: str
    difficulty: str
    length: str
    players: tuple[int, int]  # fewest, most
    width: int
    height: int
    board_at: tuple[tuple[int, ...], ...]  # [y][x]: index into boards, -1 off the boards
    boards: tuple[Placement, ...]
    elements: tuple[Element, ...]
    docks: tuple[tuple[int, int, int], ...]  # (number, x, y) in the order in which robots take them
    antenna: tuple[int, int, int] | None  # (x, y, facing of the dish)
    reboots: tuple[tuple[int, int, int], ...]  # (x, y, facing of the arrow)
    checkpoints: tuple[tuple[int, int, int], ...]  # (number, x, y), numbers 1..n in order
    energy: tuple[tuple[int, int], ...]  # (x, y) of each cube at the start
    start_facing: int
    moving_checkpoints: bool
    special_rules: tuple[str, ...] = ()  # tags of special.SPECIAL_RULES; sentences where the edition has no tags
    source: str = ""  # the file it was read from, or the name from which it can be made again
    section: str = ""  # of the printed course manual
    player_counts: tuple[int, ...] = ()  # the possible numbers of players, if not all within `players`

    def on_board(self, x: int, y: int) -> bool:
        """Whether (x, y) is a cell of one of the boards."""
        return 0 <= x < self.width and 0 <= y < self.height and self.board_at[y][x] >= 0

    @property
    def robots_each(self) -> int:
        """How many robots each player has."""
        return 2 if "racers_and_blockers" in self.special_rules else 1

    @property
    def counts(self) -> tuple[int, ...]:
        """The possible numbers of players."""
        return self.player_counts or tuple(range(self.players[0], self.players[1] + 1))


def element_order(element: Element) -> tuple[object, ...]:
    """Sort key: by row, column, kind, then the rest."""
    return (element.y, element.x, tuple(KINDS).index(element.kind), *element[3:])


def canonical(elements: Iterable[Element], width: int, height: int) -> tuple[Element, ...]:
    """The elements in the fixed order, each wall stored with the cell to its south or east (except at the rim)."""
    edges: dict[tuple[int, int], int] = {}  # sides as bits
    rest = []
    for element in elements:
        if element.kind == "wall":
            for side in element.sides:
                x, y, kept = _kept_side(element.x, element.y, side, width, height)
                edges[x, y] = edges.get((x, y), 0) | 1 << kept
        else:
            rest.append(element)
    rest += [Element("wall", x, y, sides=SIDES[bits]) for (x, y), bits in edges.items()]
    # by row, column and kind, as one number each: to sort them by `element_order` takes far longer
    places = {kind: place for place, kind in enumerate(KINDS)}
    found = {(e.y << 32) + (e.x << 16) + places[e.kind]: e for e in rest}
    if len(found) < len(rest):
        return tuple(sorted(rest, key=element_order))
    return tuple([found[key] for key in sorted(found)])


def _kept_side(x: int, y: int, side: int, width: int, height: int) -> tuple[int, int, int]:
    if side == S and y + 1 < height:
        return x, y + 1, N
    if side == E and x + 1 < width:
        return x + 1, y, W
    return x, y, side


@cache
def turned(directions: tuple[int, ...], quarters: int) -> tuple[int, ...]:
    """Directions after this many right turns, ascending."""
    return tuple(sorted((d + quarters) & 3 for d in directions))


def turned_cell(x: int, y: int, width: int, height: int, quarters: int) -> tuple[int, int]:
    """The place of (x, y) of a `width` x `height` board after this many right turns of the whole board."""
    quarters &= 3
    if quarters == 1:
        return height - 1 - y, x
    if quarters == 2:
        return width - 1 - x, height - 1 - y
    return (y, width - 1 - x) if quarters == 3 else (x, y)


def turned_element(element: Element, width: int, height: int, quarters: int) -> Element:
    """The element of a `width` x `height` board after this many right turns of the board."""
    # as a whole tuple: `_replace` takes three times as long, and generated courses have thousands of elements
    kind, x, y, speed, out, feeds, turn, sides, push, registers, fires, beams, two, number, level, on, ramps = element
    x, y = turned_cell(x, y, width, height, quarters)
    if out >= 0:
        out = (out + quarters) & 3
    if push >= 0:
        push = (push + quarters) & 3
    if fires >= 0:
        fires = (fires + quarters) & 3
    if feeds:
        feeds = turned(feeds, quarters)
    if sides:
        sides = turned(sides, quarters)
    if ramps:
        ramps = reading_order([turned_cell(*cell, width, height, quarters) for cell in ramps])
    return Element._make(
        (kind, x, y, speed, out, feeds, turn, sides, push, registers, fires, beams, two, number, level, on, ramps)
    )


def shifted(element: Element, dx: int, dy: int) -> Element:
    """The element moved `dx` columns to the right and `dy` rows down."""
    if element.ramps:
        element = element._replace(ramps=tuple([(x + dx, y + dy) for x, y in element.ramps]))
    return Element._make((element.kind, element.x + dx, element.y + dy) + element[3:])  # noqa: RUF005  # faster so


def reading_order(cells: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Cells (x, y) by row, then column."""
    return tuple(sorted(cells, key=lambda cell: cell[::-1]))


def rotate(board: Board, quarters: int) -> Board:
    """The board after this many right turns."""
    elements = tuple([turned_element(e, board.width, board.height, quarters) for e in board.elements])
    size = (board.width, board.height) if quarters % 2 == 0 else (board.height, board.width)
    return Board(board.name, board.edition, *size, elements)


def dock_order(elements: Iterable[Element]) -> tuple[tuple[int, int, int], ...]:
    """(number, x, y) of the docks in the order in which robots take them: by number, unnumbered ones in reading
    order."""
    docks = [e for e in elements if e.kind == "dock"]
    return tuple((e.number, e.x, e.y) for e in sorted(docks, key=lambda e: (e.number, e.y, e.x)))


LIMITED = ("laser", "energy", "dock", "ramp")  # kinds that the core's tables hold a limited number of


def limit_problems(
    width: int, height: int, elements: Iterable[Element], reboots: tuple[tuple[int, int, int], ...]
) -> list[str]:
    """Messages about parts of the course that exceed the core's tables."""
    return problems_of_counts(width, height, Counter(element.kind for element in elements), reboots)


def problems_of_counts(
    width: int, height: int, count: Mapping[str, int], reboots: tuple[tuple[int, int, int], ...]
) -> list[str]:
    """`limit_problems` by the number of elements of each kind."""
    rows = (
        (width, MAX_WIDTH, "columns"),
        (height, MAX_HEIGHT, "rows"),
        (count["laser"], MAX_LASERS, "laser emitters"),
        (count["energy"], MAX_ENERGY_SPACES, "energy spaces"),
        (count["dock"], MAX_DOCKS, "start spaces"),
        (len(reboots), MAX_TOKENS, "reboot tokens"),
        (count["ramp"], MAX_RAMPS, "ramps"),
    )
    return [f"{have} {what}; a course has at most {most}" for have, most, what in rows if have > most]
