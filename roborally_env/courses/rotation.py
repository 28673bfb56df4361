"""Boards that turn during a race: their elements turn, the pieces that players have put on them stay."""

from dataclasses import replace
from functools import lru_cache

from roborally_env.base.errors import CourseError
from roborally_env.courses.model import Board, Course, Element, Placement, rotate, shifted, turned_cell


@lru_cache(maxsize=512)
def turned_course(course: Course, turns: tuple[int, ...]) -> Course:
    """The course after a number of clockwise quarter turns of each board about its own middle.

    Belts, walls, lasers and all else that is printed on a board turn with it; checkpoints, the antenna and
    reboot tokens keep their places. Raises CourseError if a board that is not square should turn.
    """
    if len(turns) != len(course.boards):
        raise CourseError(f"turns: expected one number for each of the {len(course.boards)} boards, got {turns!r}")
    turns = tuple(quarters & 3 for quarters in turns)
    if not any(turns):
        return course
    for board, quarters in zip(course.boards, turns, strict=True):
        if quarters and board.width != board.height:
            size = f"{board.width} x {board.height}"
            raise CourseError(f"board {board.name} is {size}; only square boards can turn")

    def cell(x: int, y: int) -> tuple[int, int]:
        """The place to which a printed element on (x, y) turns."""
        board = course.board_at[y][x]
        return _turned_cell(x, y, course.boards[board], turns[board]) if board >= 0 else (x, y)

    return replace(
        course,
        boards=tuple(
            replace(board, rotation=(board.rotation + 90 * quarters) % 360)
            for board, quarters in zip(course.boards, turns, strict=True)
        ),
        elements=_turned_elements(course, turns),
        docks=tuple((number, *cell(x, y)) for number, x, y in course.docks),
        energy=tuple(cell(x, y) for x, y in course.energy),
    )


def _turned_cell(x: int, y: int, board: Placement, quarters: int) -> tuple[int, int]:
    own = turned_cell(x - board.x, y - board.y, board.width, board.height, quarters)
    return own[0] + board.x, own[1] + board.y


def _turned_elements(course: Course, turns: tuple[int, ...]) -> tuple[Element, ...]:
    """All elements, board by board in the order of the course file; a wall belongs to the board of its cell."""
    by_board: list[list[Element]] = [[] for _ in course.boards]
    for e in course.elements:
        by_board[course.board_at[e.y][e.x]].append(e)
    found: list[Element] = []
    for place, quarters, elements in zip(course.boards, turns, by_board, strict=True):
        found += _turned_board(course.edition, place, quarters, elements) if quarters else elements
    return tuple(found)


def _turned_board(edition: str, place: Placement, quarters: int, elements: list[Element]) -> list[Element]:
    own = tuple(shifted(e, -place.x, -place.y) for e in elements)
    board = rotate(Board(place.name, edition, place.width, place.height, own), quarters)
    return [shifted(e, place.x, place.y) for e in board.elements]


def turn_codes(course: Course) -> tuple[int, ...]:
    """For each board the step between the numbers of its quarter turns, if all turns of all boards are numbered.

    0 for a board that cannot turn: one with start spaces, or one that is not square.
    """
    with_docks = {course.board_at[y][x] for _, x, y in course.docks}
    codes, step = [], 1
    for index, board in enumerate(course.boards):
        turns = index not in with_docks and board.width == board.height
        codes.append(step if turns else 0)
        step *= 4 if turns else 1
    return tuple(codes)


def turned_by(course: Course, codes: tuple[int, ...], number: int) -> Course:
    """The course with its boards turned as the number of its tables says."""
    return turned_course(course, tuple(number // code % 4 if code else 0 for code in codes))
