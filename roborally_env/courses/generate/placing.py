"""Reboot tokens and checkpoints on a ground, as far apart as the difficulty asks for."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.searching.distances import FAR, STATES, CourseMaps
from roborally_env.courses.generate.difficulty import BANDS, rounds_of, way_for, way_of
from roborally_env.courses.generate.draws import Draws
from roborally_env.courses.generate.fairness import best_share
from roborally_env.courses.generate.layout import Ground
from roborally_env.courses.generate.specification import Specification
from roborally_env.courses.model import EDITIONS, MAX_CHECKPOINTS, STEP, Course
from roborally_env.courses.tables import WIDTH

Cell = tuple[int, int]
CANDIDATES = MAX_CHECKPOINTS  # cells that are tried out as checkpoints
TRIES = 120  # orders of them
LANE = 5  # cells ahead of a reboot token from which nobody falls, at least; every printed course has them
APART = 4  # steps between two checkpoints, at least
SHORTEST = 8  # quarter registers from one checkpoint to the next, at least
# start spaces of a fair course differ in their distance from checkpoint 1 by at most so many quarter registers, or by
# this share of the way to the last checkpoint, which is more where the way is long
FAIR = {"2016": 4, "2005": 14, "community": 4}
FAIR_SHARE = 0.08
# In 2005 eight start spaces lie in a row, and few cells are equally far from all of them. But it is no distance that
# wins: a robot on the best start space wins at most so many times its share, as `fairness.best_share` tells it.
BEST_SHARE = {"2005": 1.44}
FEW = 6  # orders of checkpoints on a ground that are looked at so closely
_ON_START = {1: 0.5, 2: 0.2}  # number of boards -> how often one token on the start board serves all
# how many checkpoints, by band and where none is asked for, and their weights
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


def tokens(ground: Ground, draws: Draws) -> tuple[tuple[int, int, int], ...] | None:
    """Reboot tokens: on a small course often one on the start board, else one on each other board; None where there is
    no room.

    Robots that come back push each other along a token's arrow. Where that ends in a pit or off the board, a crowd
    falls and comes back for ever, so each lane has some cells of floor.
    """
    if not EDITIONS[ground.edition].tokens:
        return ()
    boards = len(ground.pieces) - 1
    floor = ground.floor()
    if ground.start.tokens and draws.chance(_ON_START.get(boards, 0.0)):
        x, y = ground.on_start(draws.one(ground.start.tokens))
        return ((x, y, ground.facing),) if _has_lane(x, y, ground.facing, floor) else None
    free = ground.free_cells()
    solid = {(x, y) for _, x, y in free}
    found = []
    for board in range(boards):
        cells = [(x, y) for b, x, y in free if b == board]
        facings = [(x, y, d) for x, y in cells for d in range(4) if (x + STEP[d][0], y + STEP[d][1]) in solid]
        ways = [way for way in facings if _has_lane(*way, floor)]
        if not ways:
            return None
        found.append(draws.one(ways))
    return tuple(found)


def _has_lane(x: int, y: int, facing: int, floor: set[Cell]) -> bool:
    """Whether the cells ahead of a token, onto which robots are pushed, are floor."""
    dx, dy = STEP[facing]
    for _ in range(LANE):
        x, y = x + dx, y + dy
        if (x, y) not in floor:
            return False
    return True


def candidates(ground: Ground, reboots: tuple[tuple[int, int, int], ...], moving: bool, draws: Draws) -> list[Cell]:
    """Cells for checkpoints, at most eight, spread over the boards; moving ones lie on belts too."""
    taken = {(x, y) for x, y, _ in reboots}
    cells = [(b, x, y) for b, x, y in ground.free_cells() if (x, y) not in taken]
    if moving:
        last = len(ground.pieces) - 1
        belts = [(ground.board_at[e.y][e.x], e.x, e.y) for e in ground.elements if e.kind == "belt"]
        ramps = {(e.x, e.y) for e in ground.elements if e.kind == "ramp"}
        cells += [(b, x, y) for b, x, y in belts if b != last and (x, y) not in ramps] * 2
    cells = draws.shuffled(cells)
    found: list[Cell] = []
    by_board = [0] * len(ground.pieces)
    most = -(-CANDIDATES // (len(ground.pieces) - 1))
    for b, x, y in cells:
        if len(found) < CANDIDATES and by_board[b] < most and all(abs(x - u) + abs(y - v) >= APART for u, v in found):
            found.append((x, y))
            by_board[b] += 1
    return found


def legs_of(course: Course, maps: CourseMaps) -> Legs:
    """The distances between the checkpoints of a course as they lie at the start, in any order."""
    blocks = [block[:STATES].astype(np.int64) for block in maps.blocks]
    docks = [(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks]
    cells = np.array([(y * WIDTH + x) * 4 for _, x, y in course.checkpoints])
    first = np.stack([block[docks] for block in blocks], axis=1)
    states = cells[:, None] + np.arange(4)
    return Legs(first, np.stack([block[states].min(1) for block in blocks], axis=1))


def choose(
    trial: Course, maps: CourseMaps, ground: Ground, spec: Specification, longest: float, draws: Draws
) -> list[int] | None:
    """Which checkpoints of a course become checkpoints 1, 2, ..; None if no order of them is as difficult and as fair
    as asked for.

    `maps`: those of the course, with distances to where checkpoints lie at the start. `longest`: the most quarter
    registers from a start space to the last one.
    """
    legs, cells = legs_of(trial, maps), [(x, y) for _, x, y in trial.checkpoints]
    unfair: set[tuple[int, ...]] = set()
    boards = [ground.board_at[y][x] for x, y in cells]
    for _ in range(TRIES):
        count = spec.checkpoints or draws.weighted(*_COUNTS[spec.difficulty or draws.one((1, 2, 3, 4, 5))])
        order = draws.shuffled(range(len(cells)))[:count]
        if len(order) == count and _suits(order, legs, boards, len(ground.pieces) - 1, spec, longest):
            if not spec.fair or spec.home not in BEST_SHARE:
                return order
            if tuple(order) not in unfair and len(unfair) < FEW:
                if best_share(trial, maps, order) <= BEST_SHARE[spec.home]:
                    return order
                unfair.add(tuple(order))
    return None


def least_way(spec: Specification) -> float:
    """The quarter registers of the shortest way that is as difficult as asked for."""
    assert spec.difficulty is not None
    counts = (spec.checkpoints,) if spec.checkpoints else _COUNTS[spec.difficulty][0]
    return min(way_for(spec.home, BANDS[spec.difficulty][0], count) for count in counts)


def _suits(order: list[int], legs: Legs, boards: list[int], number: int, spec: Specification, longest: float) -> bool:
    """Whether checkpoints in this order are a course as asked for."""
    if len({boards[i] for i in order}) < min(number, len(order)):
        return False  # every board is used
    first = legs.first[:, order[0]]
    between = [int(legs.between[a, b]) for a, b in pairwise(order)]
    if first.max() >= FAR or any(not SHORTEST <= leg < FAR for leg in between) or first.min() < SHORTEST:
        return False
    if float(first.mean()) + sum(between) > longest:
        return False
    way = way_of(first, between)
    if spec.fair and first.max() - first.min() > max(FAIR[spec.home], FAIR_SHARE * way):
        return False
    if spec.difficulty is None:
        return True
    low, high = BANDS[spec.difficulty]
    return low <= rounds_of(spec.home, way, len(order)) <= high
