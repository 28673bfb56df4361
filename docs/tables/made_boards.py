"""What made boards are like beside printed ones, and how dense they can be: numbers for docs/generated.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from roborally_env.courses.model import STEP, Board, Element
from roborally_env.generated.draws import Draws
from roborally_env.generated.printed import large_boards
from roborally_env.generated.procedural import make_board
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import DENSITIES, STYLES

HOMES = ("2016", "2005", "community")
BOARDS = 300  # made ones of an edition
ASKED = 1.0  # the density at which the most is found
TRIES = 10  # boards of which each kind has the most
# kinds of tiles that a density counts, where they have another name
COUNTED = {
    "belts": ("belt",), "gears": ("gear",), "pushers": ("panel",), "lasers": ("laser",), "pits": ("pit",),
    "energy": ("energy",), "repairs": ("repair",), "one_ways": ("one_way",), "heights": ("level",),
    "hazards": ("trapdoor", "stomper", "puddle", "radiation"),
}  # fmt: skip

Cell = tuple[int, int]


def side_of(home: str) -> int:
    """Columns and rows of most boards of an edition."""
    return 12 if home == "2005" else 10


def made(home: str, specification: Specification | None = None, count: int = BOARDS) -> list[Board]:
    """Boards without a band, from draws of their own."""
    side, spec = side_of(home), specification or Specification(edition=home)
    return [make_board(home, side, side, spec, Draws(1000 + number)) for number in range(count)]


class Likeness(NamedTuple):
    """Means over boards: shares of the cells, except where another unit is given."""

    belts: float
    run: float  # belts of a run
    ring: float  # share of the boards with a ring of belts
    walls: float  # share of the edges between cells
    pits: float
    at_belts: float  # share of the pits with a belt among the eight cells around
    gears: float
    pushers: float
    lasers: float
    beam: float  # cells of a beam
    half_turn: float  # share of the boards whose belts and pits are alike after a half turn


def likeness(boards: Sequence[Board]) -> Likeness:
    """What boards of an edition are like."""
    cells = sum(board.width * board.height for board in boards)
    belts = [_belts(board) for board in boards]
    rings = [{cell for cell in found if _comes_back(found, cell)} for found in belts]
    heads = sum(len(_heads(found)) for found in belts)
    pits = [(found, e) for board, found in zip(boards, belts, strict=True) for e in _of(board, "pit")]
    beams = [length for board in boards for length in _beams(board)]

    def share(kind: str) -> float:
        return sum(len(_of(board, kind)) for board in boards) / cells

    return Likeness(
        belts=share("belt"),
        run=(sum(map(len, belts)) - sum(map(len, rings))) / heads,
        ring=fmean(map(bool, rings)),
        walls=sum(map(inner_walls, boards)) / sum(map(edges_of, boards)),
        pits=share("pit"),
        at_belts=fmean(any(cell in found for cell in _around(e)) for found, e in pits),
        gears=share("gear"),
        pushers=share("panel"),
        lasers=share("laser"),
        beam=fmean(beams),
        half_turn=fmean(map(_is_like_its_half_turn, boards)),
    )


def most(home: str, kind: str) -> float:
    """The share of the cells (walls: of the edges) that boards have where all are asked for."""
    boards = made(home, Specification(edition=home, **{kind: ASKED}), TRIES)
    if kind == "walls":
        return sum(map(inner_walls, boards)) / sum(map(edges_of, boards))
    kinds = COUNTED[kind]
    return fmean(sum(e.kind in kinds for e in board.elements) / (board.width * board.height) for board in boards)


def inner_walls(board: Board) -> int:
    """Walls that are not at the rim."""
    walls = [(e, side) for e in _of(board, "wall") for side in e.sides]
    return sum(_inside(board, (e.x + STEP[side][0], e.y + STEP[side][1])) for e, side in walls)


def edges_of(board: Board) -> int:
    """Edges between cells."""
    return 2 * board.width * board.height - board.width - board.height


def compared() -> Iterator[str]:
    """Printed boards and made ones side by side."""
    heads = "belts", "belts a run", "boards with a ring", "walls", "pits", "of them at belts", "gears", "pushers"
    heads += "lasers", "cells of a beam", "boards like their half turn"
    yield f"| | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * len(heads)}"
    for home in HOMES:
        for word, boards in (("printed", list(large_boards(home).values())), ("made", made(home))):
            yield f"| {home}, {word} | {' | '.join(_cells(likeness(boards)))} |"


def _cells(found: Likeness) -> Iterator[str]:
    digits = {"run": 1, "beam": 1, "walls": 3, "pits": 3, "gears": 3, "pushers": 3, "lasers": 3}
    return (f"{value:.{digits.get(name, 2)}f}" for name, value in found._asdict().items())


def densest() -> Iterator[str]:
    """How much of each density a board has room for."""
    yield f"| | {' | '.join(f'`{kind}`' for kind in DENSITIES)} |"
    yield f"| --- |{' ---: |' * len(DENSITIES)}"
    for home in HOMES:
        cells = [f"{most(home, kind):.2f}" if kind in STYLES[home].shares else "" for kind in DENSITIES]
        yield f"| {home} | {' | '.join(cells)} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {"made boards": compared, "densest boards": densest}


def _of(board: Board, kind: str) -> list[Element]:
    return [e for e in board.elements if e.kind == kind]


def _inside(board: Board, cell: Cell) -> bool:
    return 0 <= cell[0] < board.width and 0 <= cell[1] < board.height


def _belts(board: Board) -> dict[Cell, Cell]:
    """The cell of each belt, and the one to which it leads."""
    return {(e.x, e.y): (e.x + STEP[e.out][0], e.y + STEP[e.out][1]) for e in _of(board, "belt")}


def _comes_back(belts: dict[Cell, Cell], start: Cell) -> bool:
    cell = start
    for _ in belts:
        cell = belts[cell]
        if cell == start or cell not in belts:
            return cell == start
    return False


def _heads(belts: dict[Cell, Cell]) -> list[Cell]:
    """The belts to which no other one leads."""
    led_to = set(belts.values())
    return [cell for cell in belts if cell not in led_to]


def _around(e: Element) -> list[Cell]:
    return [(e.x + dx, e.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def _beams(board: Board) -> Iterator[int]:
    """The cells of each beam, up to a wall or the rim."""
    walls = {(e.x, e.y, side) for e in _of(board, "wall") for side in e.sides}
    walls |= {(x + STEP[side][0], y + STEP[side][1], side ^ 2) for x, y, side in walls}
    for e in _of(board, "laser"):
        cell, length = (e.x, e.y), 1
        ahead = e.x + STEP[e.fires][0], e.y + STEP[e.fires][1]
        while (*cell, e.fires) not in walls and _inside(board, ahead):
            cell, ahead, length = ahead, (ahead[0] + STEP[e.fires][0], ahead[1] + STEP[e.fires][1]), length + 1
        yield length


def _is_like_its_half_turn(board: Board) -> bool:
    marks = {(e.kind, e.x, e.y) for e in board.elements if e.kind in ("belt", "pit")}
    same = sum((kind, board.width - 1 - x, board.height - 1 - y) in marks for kind, x, y in marks)
    return same >= 0.8 * len(marks)
