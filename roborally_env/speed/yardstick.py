"""The yardstick: a small race of simplified rules. Every rate is also reported as a ratio to its own.

It does what a simulator of Robo Rally cannot do without: random cards, moves against walls, pushes along rows of
robots, belts, gears, lasers, pits, checkpoints. It has no hands, decks, upgrades, observations or options, and shares
no code with the simulator. It is never changed: then a ratio means the same in every version, on every machine.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.kernel import kernel

Array = NDArray[np.int64]
SIDE, ROBOTS, RACES, ROUNDS, REGISTERS = 12, 4, 64, 20, 5
CELLS = SIDE * SIDE
PIT, GEAR, REPEATS = 5, 6, 12
DECISIONS = RACES * ROUNDS * ROBOTS  # of a call of `play`


def course() -> Array:
    """The tiles [CELLS]: 0 floor, 1 to 4 belts N E S W, PIT, GEAR; 8 is added for a wall on the north side."""
    tiles = np.zeros((SIDE, SIDE), np.int64)
    tiles[2, 1:10], tiles[9, 2:11], tiles[3:9, 10], tiles[3:9, 1] = 2, 4, 3, 1
    tiles[5, 5], tiles[6, 8], tiles[0, 11] = PIT, PIT, PIT
    tiles[4, 4], tiles[7, 6], tiles[2, 10] = GEAR, GEAR, GEAR
    tiles[5, 2:5] += 8
    tiles[8, 6:9] += 8
    return tiles.ravel()


GOALS = np.array([4 * SIDE + 8, 7 * SIDE + 3, 1 * SIDE + 6])
MOVES = np.array([1, 2, 3, -1, 0, 0, 0])  # cards: move 1, 2, 3, back up, right, left, U-turn
TURNS = np.array([0, 0, 0, 0, 1, 3, 2])


@kernel
def neighbour(tiles: Array, cell: int, way: int) -> int:
    """The cell next to one; -1 off the board, the cell itself behind a wall."""
    x, y = cell % SIDE, cell // SIDE
    if way == 0:
        return cell if tiles[cell] & 8 else (cell - SIDE if y > 0 else -1)
    if way == 1:
        return cell + 1 if x + 1 < SIDE else -1
    if way == 2:
        if y + 1 == SIDE:
            return -1
        return cell if tiles[cell + SIDE] & 8 else cell + SIDE
    return cell - 1 if x > 0 else -1


@kernel
def robot_on(cells: Array, cell: int) -> int:
    """The robot on a cell, or -1."""
    for r in range(ROBOTS):
        if cells[r] == cell:
            return r
    return -1


@kernel
def place(tiles: Array, cells: Array, damage: Array, r: int, cell: int) -> None:
    """Put a robot on a cell; from a pit or off the board it comes back at its start."""
    if cell < 0 or tiles[cell] & 7 == PIT:
        damage[r] += 2
        cell = CELLS - 1 - 2 * r
        while robot_on(cells, cell) >= 0:
            cell -= 1
    cells[r] = cell


@kernel
def push(tiles: Array, cells: Array, damage: Array, r: int, way: int) -> bool:
    """Move a robot one step, and all before it; returns whether it moved."""
    row = 0
    end = cells[r]
    while True:
        there = neighbour(tiles, end, way)
        if there == end:
            return False
        row += 1
        if there < 0 or robot_on(cells, there) < 0:
            break
        end = there
    for _ in range(row):  # the foremost first
        there = neighbour(tiles, end, way)
        place(tiles, cells, damage, robot_on(cells, end), there)
        if way == 0:
            end += SIDE
        elif way == 1:
            end -= 1
        elif way == 2:
            end -= SIDE
        else:
            end += 1
    return True


@kernel
def carry(tiles: Array, cells: Array, damage: Array, to: Array) -> None:
    """Let the belts run: robots that would meet stay."""
    for r in range(ROBOTS):
        tile = tiles[cells[r]] & 7
        to[r] = neighbour(tiles, cells[r], tile - 1) if 1 <= tile <= 4 else cells[r]
    for r in range(ROBOTS):
        if to[r] == cells[r]:
            continue
        free = True
        for q in range(ROBOTS):
            if q != r and to[r] >= 0 and (to[q] == to[r] or cells[q] == to[r]):
                free = False
        if free:
            place(tiles, cells, damage, r, to[r])


@kernel
def shoot(tiles: Array, cells: Array, facing: Array, damage: Array) -> None:
    """Each robot hits the first one before it."""
    for r in range(ROBOTS):
        cell = cells[r]
        while True:
            there = neighbour(tiles, cell, facing[r])
            if there < 0 or there == cell:
                break
            hit = robot_on(cells, there)
            if hit >= 0:
                damage[hit] += 1
                break
            cell = there


@kernel
def play(
    tiles: Array, cells: Array, facing: Array, damage: Array,
    goals: Array, words: NDArray[np.uint64],
) -> int:  # fmt: skip
    """Play ROUNDS of all RACES with random cards; returns how often a race was won. Arrays are [RACES, ROBOTS]."""
    won = 0
    to = np.zeros(ROBOTS, np.int64)
    for i in range(cells.shape[0]):
        word = words[i]
        for _ in range(ROUNDS * REGISTERS):
            for r in range(ROBOTS):
                word = word * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                card = np.int64(word >> np.uint64(40)) % 7
                facing[i, r] = (facing[i, r] + TURNS[card]) & 3
                for _ in range(abs(MOVES[card])):
                    if not push(
                        tiles, cells[i], damage[i], r, facing[i, r] if MOVES[card] > 0 else (facing[i, r] + 2) & 3
                    ):
                        break
            carry(tiles, cells[i], damage[i], to)
            for r in range(ROBOTS):
                if tiles[cells[i, r]] & 7 == GEAR:
                    facing[i, r] = (facing[i, r] + 1) & 3
            shoot(tiles, cells[i], facing[i], damage[i])
            for r in range(ROBOTS):
                if cells[i, r] == GOALS[goals[i, r]]:
                    goals[i, r] += 1
                    if goals[i, r] == GOALS.shape[0]:
                        goals[i] = 0
                        won += 1
        words[i] = word
    return won


class Yardstick:
    """The races, ready to be played on."""

    def __init__(self) -> None:
        self.tiles = course()
        starts = np.arange(CELLS - 1, CELLS - 1 - 2 * ROBOTS, -2, dtype=np.int64)
        self.cells = np.tile(starts, (RACES, 1))
        self.facing, self.damage, self.goals = (np.zeros((RACES, ROBOTS), np.int64) for _ in range(3))
        self.words = np.arange(1, RACES + 1, dtype=np.uint64)
        self.won = 0
        self.play()

    def play(self) -> None:
        """Play on for ROUNDS rounds."""
        self.won += play(self.tiles, self.cells, self.facing, self.damage, self.goals, self.words)

    def rate(self) -> float:
        """Decisions a second of the processor's time."""
        start = time.process_time()
        for _ in range(REPEATS):
            self.play()
        return REPEATS * DECISIONS / (time.process_time() - start)
