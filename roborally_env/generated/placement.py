"""Reboot tokens and checkpoints on a ground, as far apart as the difficulty asks for."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.searching.distances import FAR, CourseMaps
from roborally_env.courses.grids import SPEED, neighbours
from roborally_env.courses.model import EDITIONS, MAX_CHECKPOINTS, Course
from roborally_env.courses.tables import WIDTH
from roborally_env.generated.difficulty import BANDS, rounds_of, way_for, way_of
from roborally_env.generated.draws import Draws
from roborally_env.generated.fairness import best_share
from roborally_env.generated.layout import Layout
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import STYLES

Cell = tuple[int, int]
CANDIDATES = MAX_CHECKPOINTS  # cells that are tried out as checkpoints
TRIES = 120  # orders of them
START = -1  # where a leg begins that begins on start spaces
LANE = 5  # cells ahead of a reboot token from which nobody falls, at least; every printed course has them
APART = 4  # steps between two checkpoints, at least
SHORTEST = 8  # quarter registers from one checkpoint to the next, at least
# start spaces of a fair course differ in their distance from checkpoint 1 by at most the quarter registers of its
# edition, or by this share of the way to the last checkpoint, which is more where the way is long
FAIR_SHARE = 0.08
FEW = 6  # orders of checkpoints on a ground that are looked at so closely
_ON_START = {1: 0.5, 2: 0.2}  # number of boards -> how often one token on the start board serves all
# how many checkpoints, by band and without one, and their weights
_COUNTS = {
    1: ((1, 2), (2, 1)),
    2: ((1, 2, 3), (1, 3, 2)),
    3: ((2, 3, 4), (1, 3, 2)),
    4: ((3, 4, 5), (2, 3, 2)),
    5: ((4, 5, 6), (2, 3, 3)),
}


class Legs(NamedTuple):
    """Distances in quarter registers: `first` [docks, n] from the start spaces, `between` [n, n] from row to column."""

    first: NDArray[np.int64]
    between: NDArray[np.int64]


def tokens(ground: Layout, draws: Draws) -> tuple[tuple[int, int, int], ...] | None:
    """Reboot tokens: on a small course often one on the start board, else one on each other board; None where there is
    no room.

    Robots that come back push each other along a token's arrow. Where that ends in a pit or off the board, a crowd
    falls and comes back for ever, so each lane has some cells of floor.
    """
    if not EDITIONS[ground.edition].tokens:
        return ()
    boards = len(ground.pieces) - 1
    lanes = _lanes(ground.floor)
    if ground.start.tokens and draws.chance(_ON_START.get(boards, 0.0)):
        x, y = ground.on_start(draws.one(ground.start.tokens))
        return ((x, y, ground.facing),) if lanes[y, x, ground.facing] else None
    for d, ahead in enumerate(neighbours(ground.free, False)):
        lanes[:, :, d] &= ground.free & ahead
    found = []
    for piece in ground.pieces[:boards]:
        ways = np.argwhere(lanes[piece.y : piece.y + piece.height, piece.x : piece.x + piece.width])
        if not len(ways):
            return None
        y, x, facing = ways[draws.below(len(ways))].tolist()
        found.append((piece.x + x, piece.y + y, facing))
    return tuple(found)


def _lanes(floor: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[y, x, facing]: whether the cells ahead of a token, onto which robots are pushed, are floor."""
    height, width = floor.shape
    around = np.zeros((height + 2 * LANE, width + 2 * LANE), np.bool_)
    around[LANE:-LANE, LANE:-LANE] = floor
    columns, rows = around[:, LANE:-LANE], around[LANE:-LANE]
    down, right = columns[: 1 - LANE].copy(), rows[:, : 1 - LANE].copy()  # whether it and the next ones are floor
    for i in range(1, LANE):
        down &= columns[i : i + len(down)]
        right &= rows[:, i : i + right.shape[1]]
    return np.stack([down[:height], right[:, LANE + 1 :], down[LANE + 1 :], right[:, :width]], axis=2)  # N E S W


def candidates(ground: Layout, reboots: tuple[tuple[int, int, int], ...], moving: bool, draws: Draws) -> list[Cell]:
    """Cells for checkpoints, at most eight, spread over the boards; moving ones lie on belts too."""
    free = ground.free.copy()
    for x, y, _ in reboots:
        free[y, x] = False
    cells = ground.cells_where(free)
    if moving:
        belts = ground.grid.planes[SPEED] > 0
        for ramp in (e for e in ground.grid.others if e.kind == "ramp"):
            belts[ramp.y, ramp.x] = False
        boards = range(len(ground.pieces) - 1)
        cells += [cell for board in boards for cell in ground.cells_where(belts & (ground.board == board))] * 2
    cells = draws.shuffled(cells)
    found: list[Cell] = []
    by_board = [0] * len(ground.pieces)
    most = -(-CANDIDATES // (len(ground.pieces) - 1))
    for b, x, y in cells:
        if len(found) == CANDIDATES:
            break
        if by_board[b] < most and all(abs(x - u) + abs(y - v) >= APART for u, v in found):
            found.append((x, y))
            by_board[b] += 1
    return found


def legs_of(course: Course, maps: CourseMaps) -> Legs:
    """The distances between the checkpoints of a course as they lie at the start, in any order."""
    docks = np.array([(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks])
    cells = np.array([(y * WIDTH + x) * 4 for _, x, y in course.checkpoints])
    states = cells[:, None] + np.arange(4)
    first = np.stack([block[docks] for block in maps.blocks], axis=1).astype(np.int64)
    return Legs(first, np.stack([block[states].min(1) for block in maps.blocks], axis=1).astype(np.int64))


def choose(
    trial: Course,
    maps: CourseMaps,
    ground: Layout,
    spec: Specification,
    longest: float,
    hard: Collection[tuple[int, int]],
    draws: Draws,
) -> list[int] | None:
    """Which checkpoints of a course become checkpoints 1, 2, ..; None if no order of them is as difficult and as fair
    as asked for.

    `maps`: those of the course, with distances to where checkpoints lie at the start. `longest`: the most quarter
    registers from a start space to the last one. `hard`: legs that are out of question, from START or a checkpoint to
    another.
    """
    rules = _Rules(trial, legs_of(trial, maps), ground, spec, longest)
    for here, there in hard:
        rules.refuse(here, there)
    unfair: set[tuple[int, ...]] = set()
    numbers = range(len(trial.checkpoints))
    for _ in range(TRIES):
        count = spec.checkpoints or draws.weighted(*_COUNTS[spec.difficulty or draws.one((1, 2, 3, 4, 5))])
        order = draws.shuffled(numbers)[:count]
        if len(order) == count and rules.allow(order):
            most = STYLES[spec.home].best_share
            if not spec.fair or most is None:
                return order
            if tuple(order) not in unfair and len(unfair) < FEW:
                if best_share(trial, maps, order) <= most:
                    return order
                unfair.add(tuple(order))
    return None


def meets_specification(course: Course, maps: CourseMaps, ground: Layout, spec: Specification, longest: float) -> bool:
    """Whether the checkpoints of a course are as `choose` wants them when they ride on belts, too."""
    if all(maps.follow(i) == (1, 0) for i in range(len(course.checkpoints))):
        return True
    rules = _Rules(course, legs_of(course, maps), ground, spec, longest)
    return rules.allow(list(range(len(course.checkpoints))))


def least_way(spec: Specification) -> float:
    """The quarter registers of the shortest way of the requested difficulty."""
    assert spec.difficulty is not None
    counts = (spec.checkpoints,) if spec.checkpoints else _COUNTS[spec.difficulty][0]
    return min(way_for(spec.home, BANDS[spec.difficulty][0], count) for count in counts)


class _Rules:
    """Tests orders of a course's checkpoints against the specification. Over a hundred are tried, so results for each
    checkpoint and leg are cached."""

    def __init__(self, trial: Course, legs: Legs, ground: Layout, spec: Specification, longest: float) -> None:
        self.spec, self.longest = spec, longest
        self.between = legs.between.tolist()
        self.mean = legs.first.mean(axis=0).tolist()
        self.way = [way_of(ways, ()) for ways in legs.first.T]  # to each, as `way_of` counts it
        least, most = legs.first.min(axis=0), legs.first.max(axis=0)
        self.begins = ((least >= SHORTEST) & (most < FAR)).tolist()
        if spec.fair:
            self.apart = (most - least).tolist()
        self.board = [int(ground.board[y, x]) for _, x, y in trial.checkpoints]
        self.boards = len(ground.pieces) - 1

    def refuse(self, here: int, there: int) -> None:
        """Allow no order with this leg, from START or a checkpoint."""
        if here == START:
            self.begins[there] = False
        else:
            self.between[here][there] = FAR

    def allow(self, order: list[int]) -> bool:
        """Whether checkpoints in this order meet the specification."""
        if not self.begins[order[0]] or len({self.board[i] for i in order}) < min(self.boards, len(order)):
            return False  # every board is used
        between = []
        for here, there in pairwise(order):
            leg = self.between[here][there]
            if not SHORTEST <= leg < FAR:
                return False
            between.append(leg)
        if self.mean[order[0]] + sum(between) > self.longest:
            return False
        way = self.way[order[0]] + sum(between)
        if self.spec.fair and self.apart[order[0]] > max(STYLES[self.spec.home].fair, FAIR_SHARE * way):
            return False
        if self.spec.difficulty is None:
            return True
        low, high = BANDS[self.spec.difficulty]
        return low <= rounds_of(self.spec.home, way, len(order)) <= high
