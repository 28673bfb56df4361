"""The symbolic vectors of a batch beside those that the reference writes, number by number."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env import BatchRace
from roborally_env.core.choices import NAMES
from roborally_env.core.searching.distances import STATES
from roborally_env.core.state import NOBODY
from roborally_env.courses import Course
from roborally_env.courses.tables import WIDTH
from tests.reference.board import CLOCKWISE
from tests.reference.community.board import Board as CommunityBoard
from tests.reference.comparison import map_of
from tests.reference.e2005.board import Board as Board2005
from tests.reference.e2016.board import Board as Board2016
from tests.reference.seeing import VIEWS

BOARDS = {"2016": Board2016, "2023": Board2016, "2005": Board2005, "community": CommunityBoard}


def assert_seen(batch: BatchRace, where: str = "") -> None:
    """Every number of `observations["symbolic"]` is what the reference says, bit for bit, in every row that is kept up:
    without `observe_idle` of a game that waits for one player only the row of that player."""
    for g in range(batch.num_games):
        for r in rows_written(batch, g):
            expected = encoded(batch, expected_row(batch, g, r))
            assert_row(batch, g, r, batch.observations["symbolic"][g, r], expected, where)


def rows_written(batch: BatchRace, g: int) -> list[int]:
    """The seats of a game whose vectors say how the game stands now."""
    asked = int(batch.games["ask_seat"][g])
    return list(range(batch.players)) if batch._config.observe_idle or asked == NOBODY else [asked]


def assert_row(batch: BatchRace, g: int, r: int, got: NDArray[Any], expected: NDArray[Any], where: str) -> None:
    """One vector; the report names what differs."""
    if got.tobytes() == expected.tobytes():
        return
    names = [f"{name}[{i}]" for name, numbers in parts_of_row(batch, g, r).items() for i in range(len(numbers))]
    assert len(names) == len(got), f"{batch.game}: the vector has {len(got)} numbers, the reference says {len(names)}"
    wrong = [i for i in range(len(got)) if got[i].tobytes() != expected[i].tobytes()]
    game = batch.games[g]
    lines = [f"{batch.game} {batch.courses[game.course].slug}, game {g} (seed {game.seed}, episode {game.episode})"]
    lines[0] += f", seat {r}, round {game.round_number}, step {batch.kind.step_names[game.step]} {where}"
    lines += [f"  {names[i]}: expected {expected[i]!r}, got {got[i]!r}" for i in wrong[:12]]
    raise AssertionError("\n".join(lines + [f"  and {len(wrong) - 12} more"] * (len(wrong) > 12)))


def encoded(batch: BatchRace, numbers: NDArray[np.float32]) -> NDArray[Any]:
    """A vector as the batch's dtype by the documented rounding."""
    name = batch.encoding.name
    if name == "float16":
        return numbers.astype(np.float16)
    if name == "uint8":
        steps, zeros = batch.encoding.steps, batch.encoding.zeros
        # float32 in the order of the docs' formula, halves rounded up
        return np.floor(numbers * steps + zeros + np.float32(0.5)).astype(np.uint8)
    return numbers


def expected_row(batch: BatchRace, g: int, r: int) -> NDArray[np.float32]:
    """The vector of a seat as the reference writes it.

    Each number is computed in double precision from whole numbers by one division (distances: two by powers of two),
    so that rounding it to float32 gives what a division in float32 gives.
    """
    return np.array([number for part in parts_of_row(batch, g, r).values() for number in part], np.float32)


def parts_of_row(batch: BatchRace, g: int, r: int) -> dict[str, list[float]]:
    """Name -> numbers of each part."""
    game = batch.games[g]
    record = {name: game[name].tolist() for name in game.dtype.names}
    board = board_of(batch.courses[game.course], record)
    question = None if record["ask_seat"] == NOBODY else NAMES[record["ask_kind"]]

    def distance_to(checkpoint: int, cell: tuple[int, int], facing: str) -> int:
        course = batch.maps.courses[game.course]
        goal = record["checkpoint"][checkpoint]
        place = int(course.place_of[checkpoint, goal]) if goal >= 0 else 0
        state = (cell[1] * WIDTH + cell[0]) * 4 + CLOCKWISE.index(facing)
        return int(batch.maps.distance[int(course.distance_at[checkpoint]) + place * STATES + state])

    return VIEWS[batch.game](board, record, r, batch.players, distance_to, question).vector()


def board_of(course: Course, record: dict[str, Any]) -> Any:
    """The board as it lies: with its turned parts and its ramps as they are switched."""
    return _board(course, tuple(record.get("turned", ())), record.get("ramps", 0))


@cache
def _board(course: Course, turned: tuple[int, ...], ramps: int) -> Any:
    board = BOARDS[course.edition](map_of(course))
    for part, quarters in zip(list(board.boards), turned, strict=False):
        for _ in range(quarters):
            board = board.turned((part["x"], part["y"]))
    if course.edition == "community":
        board.ramps_on = {
            cell for i, cell in enumerate(sorted(board.ramps, key=lambda cell: cell[::-1])) if ramps >> i & 1
        }
    return board
