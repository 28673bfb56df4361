"""Grounds of printed boards: drawn, turned and joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from roborally_env.base.registry import cache_until_registered
from roborally_env.courses.boards import shipped_drawing
from roborally_env.courses.model import Board, E, S, W
from roborally_env.courses.reader import SHIPPED
from roborally_env.generated.draws import Draws
from roborally_env.generated.layout import BoardSource, Layout, PlacedBoard, StartBoard, beside, join
from roborally_env.generated.procedural.starts import depth_of
from roborally_env.generated.style import STYLES

StartFor = Callable[[int], StartBoard]  # length of the side -> a start board for it

# bare cells of a board that makes a course alone, at least: with fewer, checkpoints come to lie alike too often
ROOM = 24
_TRIES = 12  # places of the start board


@cache_until_registered()
def printed_boards(home: str) -> dict[str, Board]:
    """The printed boards of an edition by name that lie beside any others."""
    return {name: board for name, board in large_boards(home).items() if name not in STYLES[home].apart}


@cache_until_registered()
def large_boards(home: str) -> dict[str, Board]:
    """The printed boards of an edition by name, without those with start spaces."""
    boards = {}
    printed = STYLES[home].printed
    for path in sorted((SHIPPED / printed / "boards").glob("*.txt")) if printed else ():
        drawing = shipped_drawing(path)
        board = Board(path.stem, home, drawing.width, drawing.height, tuple(drawing.elements))
        if not any(e.kind == "dock" for e in board.elements):
            boards[path.stem] = board
    return boards


@cache_until_registered()
def printed_starts(home: str) -> tuple[StartBoard, ...]:
    """The printed start boards of an edition."""
    found = []
    for name, (antenna, facing, tokens) in STYLES[home].starts.items():
        drawing = shipped_drawing(SHIPPED / STYLES[home].printed / "boards" / f"{name}.txt")
        board = Board(name, home, drawing.width, drawing.height, tuple(drawing.elements))
        found.append(StartBoard(board, antenna, facing, tokens))
    return tuple(found)


def _sheet(home: str, name: str) -> str:
    return name[:-1] if STYLES[home].two_sided else name


def drawn_boards(home: str, count: int, draws: Draws, most: float = 1.0) -> list[Board]:
    """Different printed boards in random order; fewer than `count` where there are no more, and none where with all of
    them more than the share `most` of steps would lead into a pit or off the boards."""
    sets = _sets(home, count, most)
    return draws.shuffled(draws.one(sets)) if sets else []


@cache_until_registered(64)
def _sets(home: str, count: int, most: float) -> tuple[tuple[Board, ...], ...]:
    """The sets of n printed boards that can lie together."""
    known = printed_boards(home)
    count = min(count, len({_sheet(home, name) for name in known}))
    found = []
    for boards in combinations(known.values(), count):
        sheets = {_sheet(home, board.name) for board in boards}
        alone = count == 1 and _bare(boards[0]) < ROOM
        if (
            len(sheets) == count
            and not alone
            and least_open(boards, count, boards[0].width, boards[0].height, depth_of(home)) <= most
        ):
            found.append(boards)
    return tuple(found)


def _bare(board: Board) -> int:
    """The cells of a board with nothing but floor and walls."""
    return board.width * board.height - len({(e.x, e.y) for e in board.elements if e.kind not in ("wall", "level")})


def joined(edition: str, boards: Sequence[BoardSource], start_for: StartFor, draws: Draws) -> Layout | None:
    """Boards of one size side by side, in rows and columns, each turned at random, with a start board at a side of one;
    None where they do not fit together. `start_for` makes the start board for a side of a number of cells."""
    pieces: list[PlacedBoard] = []
    for board, (column, row) in zip(boards, draws.one(SHAPES[len(boards)]), strict=True):
        quarters = draws.below(4)
        if board.width != board.height:
            quarters &= 2
        pieces.append(PlacedBoard(board, column * board.width, row * board.height, quarters))
    for _ in range(_TRIES):
        host, side = draws.one(pieces), draws.below(4)
        # half a board aside, so that robots start between two boards, or flush with the board
        aside = draws.weighted((0, 1, -1), (6, 1, 1)) if len(boards) > 1 else 0
        start = start_for(host.height if side in (E, W) else host.width)
        piece = beside(start, host, side, aside * (host.width // 2))
        ground = join(edition, [*pieces, piece], start) if _is_lined(piece, side, pieces) else None
        if ground is not None:
            return ground
    return None


def least_open(known: Sequence[BoardSource], count: int, width: int, height: int, deep: int) -> float:
    """The least `open_share` of a ground, however `joined` arranges it, that has these boards, all of one size.

    Pits of other boards can only raise it: none is put where fewer than two steps lead.

    Args:
        known: some of the boards. The others have no pit here.
        count: boards of the ground, without its start board.
        width, height: of each.
        deep: columns of the start board from the side at which it joins the others.
    """
    bare = width * height, _steps(width, height)
    boards = [*(board.floor for board in known), *[bare] * (count - len(known))]
    shapes = [_touching(shape, width, height) for shape in SHAPES[count]]
    cells = sum(floor for floor, _ in boards)
    steps = sum(inside for _, inside in boards) + 2 * max(along for along, _ in shapes)
    ends = deep if any(cornered for _, cornered in shapes) else 0
    shares = []
    for length in (width, height):
        start = _steps(length, deep) + 2 * (length + ends)
        shares.append(1 - (steps + start) / (4 * (cells + length * deep)))
    return min(shares)


def room_for_pits(painted: Sequence[BoardSource], count: int, width: int, height: int, deep: int, most: float) -> int:
    """About how many pits further boards may have so that `least_open` is not above `most`; see there."""
    share = least_open(painted, count, width, height, deep)
    cells = count * width * height + max(width, height) * deep
    # a pit takes a cell away, and up to eight steps
    return max(0, int((most - share) * 4 * cells / (PIT_STEPS - 4 * (1 - most))))


PIT_STEPS = 6.5  # that one takes away, in groups and alone


def _steps(width: int, height: int) -> int:
    """Steps between the cells of a rectangle."""
    return 2 * (2 * width * height - width - height)


@cache
def _touching(shape: tuple[tuple[int, int], ...], width: int, height: int) -> tuple[int, bool]:
    """Cells at which the boards of a shape lie side by side, and whether a start board may touch two of them."""
    along = sum(height for column, row in shape if (column + 1, row) in shape)
    along += sum(width for column, row in shape if (column, row + 1) in shape)
    columns, rows = (max(place[i] for place in shape) + 1 for i in (0, 1))
    return along, len(shape) < columns * rows


def _is_lined(start: PlacedBoard, side: int, boards: list[PlacedBoard]) -> bool:
    """Whether boards, which do not overlap, lie along the whole side of a start board at this side of them."""
    if side in (E, W):
        x = start.x - 1 if side == E else start.x + start.width
        met = [(board.y, board.y + board.height) for board in boards if board.x <= x < board.x + board.width]
        first, last = start.y, start.y + start.height
    else:
        y = start.y - 1 if side == S else start.y + start.height
        met = [(board.x, board.x + board.width) for board in boards if board.y <= y < board.y + board.height]
        first, last = start.x, start.x + start.width
    return sum(max(0, min(end, last) - max(begin, first)) for begin, end in met) == last - first


# by the number of boards: the columns and rows in which they lie
SHAPES = {
    1: (((0, 0),),),
    2: (((0, 0), (1, 0)), ((0, 0), (0, 1))),
    3: (
        ((0, 0), (1, 0), (2, 0)),
        ((0, 0), (0, 1), (0, 2)),
        ((0, 0), (1, 0), (0, 1)),
        ((0, 0), (1, 0), (1, 1)),
    ),
    4: (((0, 0), (1, 0), (0, 1), (1, 1)),),
}
