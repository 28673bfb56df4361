"""A checked course as flat read-only tables: geometry is computed once, and rules only look it up.

A cell is the number y * 32 + x, whatever the course's width, so a step north is -32, east +1, south +32,
west -1, and two cells lie in one column when they agree in the low five bits.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from roborally_env.base.registry import cache_until_registered
from roborally_env.courses import tiles  # noqa: F401  # registers the built-in kinds, whose fields are taken here
from roborally_env.courses.grids import FEEDS, LEVEL, OUT, SPEED, WALLS, Grid, bits_of, neighbours, seen_from_both
from roborally_env.courses.grids import PIT as PITS
from roborally_env.courses.model import EDITIONS, HAS, KINDS, N, S, W
from roborally_env.courses.special import special_bits
from roborally_env.courses.yards import yard_cells

if TYPE_CHECKING:
    from roborally_env.courses import Course, Element
    from roborally_env.courses.tile_kinds import TileKind

WIDTH, HEIGHT = 32, 40
CELLS = WIDTH * HEIGHT
MAX_CHECKPOINTS = 8
MAX_LASERS = 64
MAX_RAMPS = 64
REGISTERS = 5  # of a round
TRACK = 255  # the longest track of a moving checkpoint, in registers
MAX_TOKENS = 16
MAX_DOCKS = 8
MOST_RAMP_STATES = 8  # bots know the ways for each, if buttons bring about no more
MAX_BOARDS = 8  # of a course whose boards can turn

STEP = (-WIDTH, 1, WIDTH, -1)

BLOCKED = -1  # in `next` and `belt_to`: a wall or the antenna
EDGE = -2  # off the board; a pit at cell c is -3 - c
PIT = -3

ANY_BELT, GREEN, BLUE = 0, 1, 2  # belt speeds; in `belt_to` 0 stands for a pass in which all belts run

# features of a course: bits of `has` and `machines`
(
    HAS_BLUE, HAS_GREEN, HAS_PANELS, HAS_GEARS, HAS_LASERS, HAS_ENERGY, HAS_MOVING,
    HAS_RAMPS, HAS_TRAPDOORS, HAS_STOMPERS, HAS_LEVELS, HAS_CLEANUP, HAS_PUDDLES, HAS_BUTTONS,
) = (1 << i for i in range(len(HAS)))  # fmt: skip

# fmt: off
FIELDS = (
    ("beams_at",        "u8", (CELLS,)),     # bit i: the beam of laser i crosses the cell
    ("cubes",           "u8", ()),           # bit i: energy space i starts with a cube
    ("button",          "u8", (CELLS,)),     # bit i: a button that switches ramp i
    ("ramps_on",        "u8", ()),           # bit i: ramp i is on at the start
    ("special",         "u4", ()),           # bits of courses.special.SPECIAL_BITS
    ("ways",            "u4", (CELLS,)),     # six bits N E S W: each of the next 3 steps is stopped, is a fall
    ("next",            "i2", (CELLS, 4)),   # the cell of a step N E S W, heights apart; or BLOCKED, EDGE, PIT - cell
    ("belt_to",         "i2", (3, CELLS)),   # [speed]: where such a belt, [0] any, carries from here; else the cell
    ("ray_end",         "i2", (CELLS, 4)),   # the last cell that a shot from here reaches
    ("rank",            "i2", (CELLS,)),     # place in the order of priority (R41); all 0 without an antenna
    ("laser_cell",      "i2", (MAX_LASERS,)),
    ("token_cell",      "i2", (MAX_TOKENS,)),
    ("dock",            "i2", (MAX_DOCKS,)), # start spaces
    ("checkpoint",      "i2", (MAX_CHECKPOINTS,)),  # start cell of checkpoint i + 1, -1 where there is none
    ("antenna",         "i2", ()),           # -1 without one
    ("token",           "i1", (CELLS,)),     # reboot token of a robot that falls here; -1: the own start space
    ("belt",            "u1", (CELLS,)),     # speed, 0 where none
    ("belt_out",        "i1", (CELLS,)),     # direction
    ("belt_turn",       "i1", (CELLS,)),     # quarter turns of a robot carried on from here (R6)
    ("belt_feeds",      "u1", (CELLS,)),     # bit d: fed from side d
    ("gear",            "i1", (CELLS,)),     # quarter turns: 0, 1 (cw), 3 (ccw)
    ("panel",           "u1", (CELLS,)),     # bit k: pushes in register k + 1
    ("panel_push",      "i1", (CELLS,)),     # direction
    ("energy_at",       "i1", (CELLS,)),     # number of the energy space, -1 where none
    ("machines",        "u2", (CELLS,)),     # HAS_* bits of what acts on a robot that stands here
    ("pit",             "u1", (CELLS,)),
    ("on_board",        "u1", (CELLS,)),
    ("repair",          "u1", (CELLS,)),     # level of a repair site, 0 where none
    ("level",           "u1", (CELLS,)),     # of the floor; of a ramp its foot's
    ("ramp",            "i1", (CELLS,)),     # number of the ramp, -1 where none
    ("ramp_up",         "i1", (CELLS,)),     # direction, 0 where none
    ("ramp_cell",       "i2", (MAX_RAMPS,)), # of ramp i, -1 where there is none
    ("ramps",           "i1", ()),
    *((kind.name, kind.dtype, (CELLS,)) for kind in KINDS.values() if kind.dtype),
    ("board",           "i1", (CELLS,)),     # index of the board, -1 off the boards
    ("yard",            "i1", (CELLS,)),     # Capture the Flag: the board of whose back six rows it is; else -1
    ("walls",           "u1", (CELLS,)),     # bit d: a wall on that side of the cell
    ("beams_on",        "u1", (CELLS,)),     # laser beams that cross the cell
    ("energy_cell",     "i2", (64,)),        # of energy space i
    ("energy_spaces",   "i1", ()),
    ("tokens",          "i1", ()),
    ("laser_out",       "i1", (MAX_LASERS,)),
    ("laser_beams",     "u1", (MAX_LASERS,)),
    ("laser_pair",      "i1", (MAX_LASERS,)),  # the other end of a two-ended laser, -1 where none
    ("token_facing",    "i1", (MAX_TOKENS,)),
    ("start_facing",    "i1", ()),
    ("lasers",          "i1", ()),
    ("docks",           "i1", ()),
    ("checkpoints",     "i1", ()),           # the highest number
    ("has",             "u2", ()),
    # filled in by core.maps
    ("distance_at",     "i8", (MAX_CHECKPOINTS,)),  # where the tables of checkpoint i + 1 begin, one a place
    ("later_tables",    "i8", ()),           # from a table to the one for a register later; 0: there is none
    ("to_go",           "i8", (MAX_CHECKPOINTS + 1,)),  # distance from checkpoint i to the last one
    ("track",           "i2", (MAX_CHECKPOINTS, TRACK)),  # cell of a moving checkpoint at each place of its track
    ("next_place",      "u1", (MAX_CHECKPOINTS, TRACK)),  # the place a register later
    ("place_of",        "u1", (MAX_CHECKPOINTS, CELLS)),  # the place by the cell
    ("unturned",        "i2", ()),           # index of the course whose boards or ramps have been changed to give these
    ("solo_at",         "i4", (REGISTERS,)),  # index of the solo moves of each register
    ("first_tables",    "i2", ()),           # index of that course's tables with no board turned
    ("variants",        "i1", ()),           # other states of the ramps for which there are maps
    ("variant_ramps",   "u8", (MOST_RAMP_STATES,)),  # these states, as in `ramps_on`
    ("variant_at",      "i4", (MOST_RAMP_STATES,)),  # and the indices of their tables
    ("turn_code",       "i2", (MAX_BOARDS,)),  # step in table index for a quarter turn of a board; 0: it cannot turn
    ("width",           "i1", ()),
    ("height",          "i1", ()),
)
# fmt: on
COURSE_DTYPE = np.dtype((np.record, np.dtype(list(FIELDS), align=True)))


def course_dtype(edition: str) -> np.dtype:
    """The dtype of an edition's course tables: the built-in fields, and those of tiles from outside."""
    own, names = EDITIONS[edition].kinds, COURSE_DTYPE.names or ()
    more = [(k.name, k.dtype, (CELLS,)) for k in KINDS.values() if k.dtype and k.name in own and k.name not in names]
    return np.dtype((np.record, np.dtype([*FIELDS, *more], align=True))) if more else COURSE_DTYPE


def cell_of(x: int, y: int) -> int:
    """The cell number of a column and row."""
    return y * WIDTH + x


def priority_key(dx: int, dy: int, dish: int) -> tuple[int, int]:
    """R41: (distance, key) of an offset from the antenna whose dish points N E S W = 0..3."""
    ahead = (-dy, dx, dy, -dx)[dish]
    right = (dx, dy, -dx, -dy)[dish]
    d = abs(ahead) + abs(right)
    if right >= 0 and ahead > 0:
        return d, right
    if right > 0:
        return d, d - ahead
    if ahead < 0:
        return d, 2 * d - right
    return d, 3 * d + ahead


class _Layout:
    """Lookups over what lies on a Course while its tables are built.

    planes: u1 [PLANES, height, width]. by_kind: the elements that are in no plane, in their order. entered: one-way
    cell -> the steps into it.
    """

    def __init__(self, course: Course, grid: Grid) -> None:
        self.planes = grid.planes
        self.by_kind: defaultdict[str, list[Element]] = defaultdict(list)
        for e in grid.others:
            self.by_kind[e.kind].append(e)
        self.entered = {cell_of(e.x, e.y): e.out for e in self.by_kind["one_way"]}
        self.antenna = cell_of(*course.antenna[:2]) if course.antenna else -1

    def walls(self, course: Course) -> np.ndarray:
        """u1 [height, width]: the walled sides of each cell, as bits; pushers' backs are walls too, where the edition
        says so."""
        walls: np.ndarray = self.planes[WALLS].copy()
        if EDITIONS[course.edition].backs:
            for e in self.by_kind["panel"]:
                walls[e.y, e.x] |= 1 << (e.push ^ 2)
        return seen_from_both(walls)


class _Steps(NamedTuple):
    """Steps from the cells of the course's rectangle in one direction.

    way: [h, w] 1 where a wall, the antenna or a one-way cell is in the way. to: [h, w] the next cell. inside: [h, w]
    whether it lies in the rectangle. board: [h, w] the board on which it lies, -1 for none.
    """

    stopped: np.ndarray
    to: np.ndarray
    inside: np.ndarray
    board: np.ndarray


def _steps(t: SimpleNamespace, course: Course, layout: _Layout) -> list[_Steps]:
    """For each of the four directions."""
    cells = _rectangle(np.arange(CELLS, dtype=np.int16), course)
    boards = neighbours(_rectangle(t.board, course), -1)
    inside = neighbours(np.ones(cells.shape, np.bool_), False)
    walls = _rectangle(t.walls, course)
    found = []
    for d, step in enumerate(STEP):
        to = cells + np.int16(step)
        stopped = (walls >> d & 1).astype(np.bool_)
        for cell in [layout.antenna, *(cell for cell, way in layout.entered.items() if way != d)]:
            stopped |= inside[d] & (to == cell)
        found.append(_Steps(stopped, to, inside[d], boards[d]))
    return found


def _neighbours(t: SimpleNamespace, course: Course, steps: list[_Steps]) -> None:
    on_board = _rectangle(t.on_board, course).astype(np.bool_)
    pits = np.zeros(CELLS + 2 * WIDTH + 1, np.bool_)
    pits[:CELLS] = t.pit
    table = _rectangle(t.next, course)
    for d, step in enumerate(steps):
        value = np.where(pits[step.to], PIT - step.to, step.to)
        value = np.where(step.board < 0, EDGE, value)
        value = np.where(step.stopped, BLOCKED, value)
        table[:, :, d] = np.where(on_board, value, EDGE)


def _ways(t: SimpleNamespace) -> None:
    """What an observation shows of the ways out of each cell: where the first of three steps that is none ends."""
    ends = np.zeros((CELLS + 1, 4), np.uint32)  # how a step from a cell ends; the last one stands for steps that ended
    ends[:-1] = np.where(t.next >= 0, 0, np.where(t.next == BLOCKED, 1, 2))
    to = np.full((CELLS + 1, 4), CELLS, np.int16)
    to[:-1] = np.where(t.next >= 0, t.next, CELLS)
    sides = np.arange(4)
    cells = np.flatnonzero(t.on_board)
    second = to[cells]
    third = to[second, sides]
    ways = ends[cells] | ends[second, sides] << 2 | ends[third, sides] << 4
    t.ways[cells] = np.bitwise_or.reduce(ways << (6 * sides).astype(np.uint32), axis=1)


def _rays(t: SimpleNamespace, course: Course, steps: list[_Steps]) -> None:
    """How far a shot goes from each cell.

    It crosses gaps between boards and ends at walls, one-way cells and the antenna (R33, R35).
    """
    table = _rectangle(t.ray_end, course)
    for d, step in enumerate(steps):
        ends, cell = step.stopped | ~step.inside, step.to - np.int16(STEP[d])
        along = 0 if d in (N, S) else 1
        if d in (N, W):  # the nearest end before a cell has the highest number
            table[:, :, d] = np.maximum.accumulate(np.where(ends, cell, -1), axis=along)
        else:
            ahead = np.flip(np.where(ends, cell, CELLS), along)
            table[:, :, d] = np.flip(np.minimum.accumulate(ahead, axis=along), along)


def _belts(t: SimpleNamespace, course: Course, layout: _Layout) -> None:
    for table, plane in ((t.belt, SPEED), (t.belt_out, OUT), (t.belt_feeds, FEEDS)):
        _rectangle(table, course)[:] = layout.planes[plane]
    cells = np.flatnonzero(t.belt)
    if not len(cells):
        return
    speeds, outs = t.belt[cells], t.belt_out[cells]
    t.has |= (HAS_BLUE if (speeds == BLUE).any() else 0) | (HAS_GREEN if (speeds != BLUE).any() else 0)
    to = t.next[cells, outs]
    runs = to != BLOCKED
    t.belt_to[speeds[runs], cells[runs]] = t.belt_to[0, cells[runs]] = to[runs]
    ahead = np.maximum(to, 0)
    follows = (to >= 0) & (t.belt[ahead] > 0) & (t.belt_feeds[ahead] >> (outs ^ 2) & 1 > 0)
    turn = (t.belt_out[ahead] - outs) & 3
    t.belt_turn[cells] = np.where(follows & (turn != 2), turn, 0)


def _lasers(t: SimpleNamespace, lasers: list[Element]) -> None:
    t.lasers = len(lasers)
    for i, e in enumerate(lasers):
        start, end = e.y * WIDTH + e.x, int(t.ray_end[e.y * WIDTH + e.x, e.fires])
        t.laser_cell[i], t.laser_out[i], t.laser_beams[i], t.laser_pair[i] = start, e.fires, e.beams, -1
        step = STEP[e.fires]
        for cell in range(start, end + step, step):
            t.beams_at[cell] |= np.uint64(1 << i)
            t.beams_on[cell] += e.beams
        t.has |= HAS_LASERS
    for _, i, j in sorted(_facing_ends(t, lasers)):  # where more than two lie in a line, neighbours belong together
        if t.laser_pair[i] < 0 and t.laser_pair[j] < 0:
            t.laser_pair[i], t.laser_pair[j] = j, i


def _facing_ends(t: SimpleNamespace, lasers: list[Element]) -> Iterator[tuple[int, int, int]]:
    """(distance, i, j) of the ends of two-ended lasers that fire at each other; a one-way cell may stop one beam."""
    for i, e in enumerate(lasers):
        for j, other in enumerate(lasers[:i]):
            facing = other.fires == e.fires ^ 2 and e.two_ended and other.two_ended
            if facing and int(t.beams_at[t.laser_cell[j]]) >> i & 1 | int(t.beams_at[t.laser_cell[i]]) >> j & 1:
                yield abs(e.x - other.x) + abs(e.y - other.y), i, j


def _tokens(t: SimpleNamespace, course: Course) -> None:
    """The reboot place of each cell (R16): the token of the board; on a start board the own start space, unless a token
    there serves all boards."""
    boards = course.board_at
    start_boards = {boards[y][x] for _, x, y in course.docks}
    token_of: dict[int, int] = {}
    common = -1
    t.tokens = len(course.reboots)
    for i, (x, y, facing) in enumerate(course.reboots):
        t.token_cell[i], t.token_facing[i] = cell_of(x, y), facing
        token_of.setdefault(boards[y][x], i)
        if boards[y][x] in start_boards and common < 0:
            common = i
    own = np.full(max(map(max, boards)) + 2, common, np.int8)  # by board; the last one is for cells off the boards, -1
    if common < 0:
        for board, i in token_of.items():
            own[board] = i
    _rectangle(t.token, course)[:] = own[np.array(boards)]


def _ranks(t: SimpleNamespace, course: Course) -> None:
    if course.antenna is None:
        return
    ax, ay, dish = course.antenna
    keys = _priority_keys(dish)
    rows, columns = HEIGHT - ay, WIDTH - ax  # of the antenna's surroundings, where the course begins
    near = keys[rows : rows + course.height, columns : columns + course.width].ravel()
    ranks = np.empty(near.size, np.int16)
    ranks[np.argsort(near, kind="stable")] = np.arange(near.size)
    _rectangle(t.rank, course)[:] = ranks.reshape(course.height, course.width)


@cache
def _priority_keys(dish: int) -> np.ndarray:
    """`priority_key` as one number, of the cells around an antenna: [HEIGHT + dy, WIDTH + dx]."""
    keys = np.zeros((2 * HEIGHT, 2 * WIDTH), np.int64)
    for dy in range(-HEIGHT, HEIGHT):
        for dx in range(-WIDTH, WIDTH):
            distance, key = priority_key(dx, dy, dish)
            keys[HEIGHT + dy, WIDTH + dx] = distance << 32 | key + CELLS
    return keys


def _rectangle(table: np.ndarray, course: Course) -> np.ndarray:
    """A view [height, width, ..] of the course's cells in a table of all cells."""
    return table.reshape(HEIGHT, WIDTH, *table.shape[1:])[: course.height, : course.width]


def _energy_space(t: SimpleNamespace, cell: int) -> None:
    """Number the energy space on a cell, once."""
    if t.energy_at[cell] < 0:
        t.energy_at[cell] = t.energy_spaces
        t.energy_cell[t.energy_spaces] = cell
        t.energy_spaces += 1
        t.has |= HAS_ENERGY


def _tiles(t: SimpleNamespace, kind: TileKind, elements: list[Element]) -> None:
    """Fill the table of a kind of tiles."""
    cells = [cell_of(e.x, e.y) for e in elements]
    if kind.dtype:
        getattr(t, kind.name)[cells] = [kind.value(e) for e in elements]
    for name in kind.has:
        t.has |= 1 << HAS.index(name)
    if kind.acts:
        t.has |= 1 << HAS.index(kind.acts)
        t.machines[cells] |= 1 << HAS.index(kind.acts)


def _points(t: SimpleNamespace, course: Course, layout: _Layout) -> None:
    """Gears, panels, repair sites, energy and start spaces, and all that tiles' kinds have in the tables."""
    for e in layout.by_kind["gear"]:
        t.gear[cell_of(e.x, e.y)] = e.turn & 3
        t.has |= HAS_GEARS
    for e in layout.by_kind["panel"]:
        cell = cell_of(e.x, e.y)
        t.panel[cell] = bits_of(e.registers) >> 1
        t.panel_push[cell] = e.push
        t.has |= HAS_PANELS
    for e in layout.by_kind["repair"]:
        t.repair[cell_of(e.x, e.y)] = e.level
    for e in layout.by_kind["energy"]:
        _energy_space(t, cell_of(e.x, e.y))
    for name, elements in layout.by_kind.items():
        kind = KINDS[name]
        if elements and (kind.dtype or kind.has or kind.acts):
            _tiles(t, kind, elements)
    for x, y in course.energy:
        cell = cell_of(x, y)
        _energy_space(t, cell)
        t.cubes |= np.uint64(1 << int(t.energy_at[cell]))
    t.docks = min(len(course.docks), MAX_DOCKS)
    for i, (_, x, y) in enumerate(course.docks[:MAX_DOCKS]):
        t.dock[i] = cell_of(x, y)


def _heights(t: SimpleNamespace, course: Course, layout: _Layout) -> None:
    """Floors, ramps (numbered by cell) and the buttons that switch them."""
    _rectangle(t.level, course)[:] = layout.planes[LEVEL]
    ramps = sorted(layout.by_kind["ramp"], key=lambda e: cell_of(e.x, e.y))
    t.ramps = len(ramps)
    for i, e in enumerate(ramps):
        cell = cell_of(e.x, e.y)
        t.ramp_cell[i], t.ramp[cell], t.ramp_up[cell], t.level[cell] = cell, i, e.out, e.level
        t.ramps_on |= np.uint64(e.enabled << i)
    for e in layout.by_kind["button"]:
        t.button[cell_of(e.x, e.y)] = sum(1 << int(t.ramp[cell_of(x, y)]) for x, y in e.ramps)


def _has_more(t: SimpleNamespace, course: Course) -> None:
    """Set the bits for elements of the community edition."""
    for bit, there in (
        (HAS_RAMPS, t.ramps > 0),
        (HAS_LEVELS, t.ramps > 0 or t.level.any()),
        (HAS_CLEANUP, EDITIONS[course.edition].riding and t.repair.any()),
        (HAS_BUTTONS, t.button.any()),
    ):
        t.has |= bit if there else 0


def _checkpoints(t: SimpleNamespace, course: Course) -> None:
    t.checkpoint[:] = -1
    t.checkpoints = 0
    for number, x, y in course.checkpoints:
        t.checkpoint[number - 1] = cell_of(x, y)
        t.checkpoints = max(int(t.checkpoints), number)
    t.has &= ~np.uint16(HAS_MOVING)
    if course.moving_checkpoints and _may_move(t, course):
        t.has |= HAS_MOVING


def _may_move(t: SimpleNamespace, course: Course) -> bool:
    """Whether a checkpoint lies on a belt or a pusher, in an edition whose checkpoints always ride."""
    cells = [cell_of(x, y) for _, x, y in course.checkpoints]
    return not EDITIONS[course.edition].riding or any(t.belt[cell] or t.panel[cell] for cell in cells)


def _machines(t: SimpleNamespace) -> None:
    """Which elements act on each cell, as bits."""
    for bit, acts in (
        (HAS_BLUE, t.belt == BLUE),
        (HAS_GREEN, t.belt == GREEN),
        (HAS_PANELS, t.panel > 0),
        (HAS_GEARS, t.gear > 0),
        (HAS_LASERS, t.beams_at > 0),
        (HAS_ENERGY, t.energy_at >= 0),
        (HAS_RAMPS, t.ramp >= 0),
    ):
        t.machines |= acts.astype(np.uint16) * np.uint16(bit)


def _opened(tables: np.ndarray) -> SimpleNamespace:
    """The only record of an array as plain attributes, which are far faster than fields of a record: arrays are views,
    single numbers are copies that `_close` writes back."""
    return SimpleNamespace(**{name: tables[name][0] for name in tables.dtype.names or ()})


def _close(t: SimpleNamespace, tables: np.ndarray) -> None:
    for name, _, shape in FIELDS:
        if not shape:
            tables[name] = getattr(t, name)


@lru_cache(maxsize=64)
def _bare(dtype: np.dtype) -> np.ndarray:
    """The tables of a course without boards."""
    tables = np.zeros(1, dtype)
    t = _opened(tables)
    cells = np.arange(CELLS, dtype=np.int16)
    t.next[:] = EDGE
    t.belt_to[:] = cells
    t.ray_end[:] = cells[:, None]
    t.token[:] = t.energy_at[:] = t.board[:] = t.yard[:] = t.ramp[:] = -1
    t.dock[:] = t.laser_pair[:] = t.ramp_cell[:] = -1
    return tables


def compile_tables(course: Course, grid: Grid | None = None) -> np.ndarray:
    """The course's tables: an array of one record, read-only. `grid`: that of its elements, if it is known."""
    tables = copied(_bare(course_dtype(course.edition)))
    t = _opened(tables)
    layout = _Layout(course, grid or Grid.of(course.elements, course.width, course.height))
    t.width, t.height, t.start_facing, t.antenna = course.width, course.height, course.start_facing, layout.antenna
    _rectangle(t.board, course)[:] = course.board_at
    _rectangle(t.on_board, course)[:] = _rectangle(t.board, course) >= 0
    _rectangle(t.walls, course)[:] = layout.walls(course)
    _rectangle(t.pit, course)[:] = layout.planes[PITS]
    for (x, y), board in yard_cells(course).items():
        t.yard[y * WIDTH + x] = board
    steps = _steps(t, course, layout)
    _neighbours(t, course, steps)
    _ways(t)
    _rays(t, course, steps)
    _belts(t, course, layout)
    _lasers(t, layout.by_kind["laser"])
    _tokens(t, course)
    _ranks(t, course)
    _points(t, course, layout)
    _heights(t, course, layout)
    _machines(t)
    _has_more(t, course)
    _checkpoints(t, course)
    t.special = special_bits(course.special_rules)
    _close(t, tables)
    tables.setflags(write=False)
    return tables


def copied(tables: np.ndarray, times: int = 1) -> np.ndarray:
    """Copies of the only record of an array, writable; NumPy copies a record field by field, in ten times as
    long."""
    raw = np.empty((times, tables.dtype.itemsize), np.uint8)
    raw[:] = tables.view(np.uint8).reshape(1, -1)
    return raw.view(tables.dtype).reshape(times)


def with_checkpoints(tables: np.ndarray, course: Course) -> np.ndarray:
    """The tables of a course, from those of one that has other checkpoints and is the same otherwise."""
    changed = copied(tables)
    t = SimpleNamespace(**{name: changed[name][0] for name in ("checkpoint", "checkpoints", "has", "belt", "panel")})
    _checkpoints(t, course)
    changed["checkpoints"], changed["has"] = t.checkpoints, t.has
    changed.setflags(write=False)
    return changed


@cache_until_registered(256)
def tables_of(course: Course) -> np.ndarray:
    """`compile_tables`, cached for each course."""
    return compile_tables(course)


@cache_until_registered(256)
def course_digest(course: Course) -> str:
    """A hash, sixteen hex digits, of everything in a course that matters to the rules."""
    tables = tables_of(course)
    fields = [field for field in tables.dtype.names or () if field != "later_tables"]  # younger than kept digests
    kinds = {field: tables.dtype[field] for field in fields} | {"solo_at": np.dtype("i4")}  # then one for all registers
    kept = np.zeros(tables.shape, np.dtype([(field, kinds[field]) for field in fields], align=True))
    for field in fields:
        kept[field] = tables[field][..., 0] if field == "solo_at" else tables[field]
    return hashlib.sha256(kept.tobytes()).hexdigest()[:16]


@cache_until_registered(16)
def course_digests(courses: tuple[Course, ...]) -> list[str]:
    """`course_digest` of each course. Training races on thousands of courses, of which a batch takes a snapshot after
    each rollout: more than are cached one by one."""
    return [course_digest(course) for course in courses]
