"""Checks of a whole course: a list of functions, each of which yields the issues that it finds."""

from collections.abc import Callable, Collection, Iterator
from enum import IntEnum

from roborally_env.courses.height_checks import climbing_issues
from roborally_env.courses.issues import Cell, Issue
from roborally_env.courses.model import EDITIONS, KINDS, STEP, Course, Element, limit_problems
from roborally_env.courses.reach import unreachable
from roborally_env.courses.special import TEAM_RULES


class Known(IntEnum):
    """How much of a course's boards could be read."""

    NOTHING = 0  # a board is missing, or its place is wrong
    PARTS = 1  # every board lies in its place, but mistakes in drawings leave elements out
    ALL = 2


def course_issues(
    course: Course, reachability: bool = True, incomplete: Collection[str] = (), known: Known = Known.ALL
) -> list[Issue]:
    """All that is wrong with a course. Entries of the keys in `incomplete` are not counted: reading dropped some.

    Only the checks are made for which enough of the boards is `known`. Whether robots can reach each checkpoint is
    checked only if nothing else is wrong.
    """
    found = [issue for rule, needed in _RULES.items() if known >= needed for issue in rule(course)]
    issues = [issue for issue in found if issue.entry is not None or issue.key not in incomplete]
    if not issues and reachability and known == Known.ALL:
        issues += _reach_issues(course)
    return issues


def _shared_cells(course: Course) -> dict[Cell, list[Element]]:
    """The cells with several elements."""
    first: dict[Cell, Element] = {}
    cells: dict[Cell, list[Element]] = {}
    for element in course.elements:
        cell = element.x, element.y
        if cell in first:
            cells.setdefault(cell, [first[cell]]).append(element)
        else:
            first[cell] = element
    return cells


def _sizes(course: Course) -> Iterator[Issue]:
    for problem in limit_problems(course.width, course.height, course.elements, course.reboots):
        yield Issue(problem, "boards")


def _kinds(course: Course) -> Iterator[Issue]:
    known = EDITIONS[course.edition].kinds
    for e in course.elements:
        under_cube = e.kind == "energy" and (e.x, e.y) in course.energy  # _absent reports the cube
        if e.kind not in known and not under_cube:
            yield Issue(f"kind {e.kind} is not in edition {course.edition}", cell=(e.x, e.y), kind=e.kind)


def _tiles(course: Course) -> Iterator[Issue]:
    """The issues that the kinds of tiles find."""
    for e in course.elements:
        for message in KINDS[e.kind].check(course, e):
            yield Issue(message, cell=(e.x, e.y), kind=e.kind)


def _combinations(course: Course) -> Iterator[Issue]:
    for cell, elements in _shared_cells(course).items():
        for i, e in enumerate(elements[1:], 1):
            for other in elements[:i]:
                mine, its = KINDS[e.kind], KINDS[other.kind]
                twice = mine is its and not mine.repeats
                if twice or e.kind in its.excludes or other.kind in mine.excludes:
                    what = f"two {mine.title}s" if twice else f"{its.title} and {mine.title}"
                    yield Issue(f"{what} cannot share a cell; keep one of them", cell=cell, kind=e.kind)
                elif e.kind == other.kind == "laser" and e.fires == other.fires:
                    message = "two lasers in one cell fire the same way; two beams are written LL"
                    yield Issue(message, cell=cell, kind="laser")


def _two_ended(course: Course) -> Iterator[Issue]:
    ends = {(e.x, e.y, e.fires): e for e in course.elements if e.kind == "laser" and e.two_ended}
    for (x, y, fires), e in ends.items():
        if not any(_facing_end(ends, e, steps) for steps in range(max(course.width, course.height))):
            back = "NESW"[(fires + 2) & 3]
            message = f"a two-ended laser needs its other end on its line: one with as many beams that fires {back}"
            yield Issue(message, cell=(x, y), kind="laser")


def _facing_end(ends: dict[tuple[int, int, int], Element], end: Element, steps: int) -> bool:
    dx, dy = STEP[end.fires]
    other = ends.get((end.x + dx * steps, end.y + dy * steps, (end.fires + 2) & 3))
    return other is not None and other.beams == end.beams


def _docks(course: Course) -> Iterator[Issue]:
    have, players = len(course.docks), course.players[1]
    need = players * course.robots_each
    robots = f"players with {course.robots_each} robots each" if course.robots_each > 1 else "players"
    if have == 0 and "capture_the_flag" not in course.special_rules:
        yield Issue(f"no start spaces; mark {need} cells with d", "boards")
    elif 0 < have < need:
        yield Issue(f"{have} start spaces (d) for up to {players} {robots}; add more, or lower players", "boards")


def _dock_numbers(course: Course) -> Iterator[Issue]:
    seen: set[int] = set()
    for number, x, y in course.docks:
        if number in seen - {0}:
            message = f"start space {number} is there twice; number them 1, 2, 3, ... or not at all"
            yield Issue(message, cell=(x, y), kind="dock")
        seen.add(number)


def _absent(course: Course) -> Iterator[Issue]:
    """Parts of a course that only other editions have."""
    edition = EDITIONS[course.edition]
    for key, words, has in (
        ("antenna", "antenna", edition.antenna),
        ("reboots", "reboot tokens", edition.tokens),
        ("energy", "energy cubes", "energy" in edition.kinds),
    ):
        if getattr(course, key) and not has:
            yield Issue(f"edition {course.edition} has no {words}; take {key} out", key)


def _no_antenna(course: Course) -> Iterator[Issue]:
    if EDITIONS[course.edition].antenna and course.antenna is None:
        message = f'missing antenna; edition {course.edition} needs one: antenna = {{ x = 0, y = 4, facing = "E" }}'
        yield Issue(message, "antenna")


def _antenna(course: Course) -> Iterator[Issue]:
    if not EDITIONS[course.edition].antenna or course.antenna is None:
        return
    x, y, _ = course.antenna
    cell = f"x={x}, y={y}"
    if not course.on_board(x, y):
        yield Issue(f"the antenna at {cell} is off the board; {_extent(course)}", "antenna", ())
    for e in [e for e in course.elements if (e.x, e.y) == (x, y)]:
        if ground := KINDS[e.kind].no_antenna:
            yield Issue(f"the antenna at {cell} stands on {ground}; move it to a plain cell", "antenna", ())


def _extent(course: Course) -> str:
    return f"the boards lie within columns 0 to {course.width - 1}, rows 0 to {course.height - 1}"


def _marks(course: Course) -> Iterator[tuple[str, str, tuple[int, ...], Cell]]:
    """(key, words, entry, cell) of all that the course puts on its boards and its edition has."""
    edition = EDITIONS[course.edition]
    for number, x, y in course.checkpoints:
        yield "checkpoints", f"checkpoint {number}", (number, x, y), (x, y)
    for x, y, facing in course.reboots if edition.tokens else ():
        yield "reboots", "the reboot token", (x, y, facing), (x, y)
    for x, y in course.energy if "energy" in edition.kinds else ():
        yield "energy", "the energy cube", (x, y), (x, y)


def _mark_cells(course: Course) -> Iterator[Issue]:
    pits = {(e.x, e.y) for e in course.elements if e.kind == "pit"}
    antenna = course.antenna[:2] if course.antenna else None
    for key, words, entry, (x, y) in _marks(course):
        cell = f"x={x}, y={y}"
        if not course.on_board(x, y):
            yield Issue(f"{words} at {cell} is off the board; {_extent(course)}", key, entry)
        elif (x, y) in pits:
            yield Issue(f"{words} at {cell} lies on a pit; move it to a cell where a robot can stand", key, entry)
        elif (x, y) == antenna:
            message = f"{words} at {cell} lies under the antenna, where no robot can go; move one of them"
            yield Issue(message, key, entry)


def _doubled_marks(course: Course) -> Iterator[Issue]:
    seen: set[tuple[str, Cell]] = set()
    for key, words, entry, cell in _marks(course):
        if (key, cell) in seen:
            yield Issue(f"{words} at x={cell[0]}, y={cell[1]}: another one lies there already; remove one", key, entry)
        seen.add((key, cell))


def _tokens(course: Course) -> Iterator[Issue]:
    seen: dict[int, Cell] = {}
    for x, y, facing in course.reboots if EDITIONS[course.edition].tokens else ():
        board = course.board_at[y][x] if course.on_board(x, y) else -1
        if board in seen:
            name, first = course.boards[board].name, seen[board]
            message = f"a second reboot token on board {name}, which has one at x={first[0]}, y={first[1]}"
            yield Issue(message, "reboots", (x, y, facing))
        elif board >= 0:
            seen[board] = (x, y)


def _numbers(course: Course) -> Iterator[Issue]:
    numbers = [number for number, _, _ in course.checkpoints]
    if not numbers:
        if "last_team_standing" in course.special_rules:
            return
        example = "checkpoints = [{ number = 1, x = 5, y = 5 }]"
        yield Issue(f"missing checkpoints; a race needs at least one: {example}", "checkpoints")
        return
    for i, (number, x, y) in enumerate(course.checkpoints):
        if number in numbers[:i]:
            yield Issue(f"checkpoint {number} is there twice; each number once", "checkpoints", (number, x, y))
    missing = sorted(set(range(1, max(numbers) + 1)) - set(numbers))
    if missing:
        words = ", ".join(map(str, missing))
        yield Issue(f"checkpoint {words} is missing; numbers run from 1 to {max(numbers)} without a gap", "checkpoints")


def _player_counts(course: Course) -> Iterator[Issue]:
    counts = course.player_counts
    if counts and course.players != (counts[0], counts[-1]):
        message = f"it goes from {counts[0]} to {counts[-1]}, and players is {list(course.players)}; make them agree"
        yield Issue(f"player_counts: {message}", "player_counts")
    team = next((tag for tag in course.special_rules if tag in TEAM_RULES), None)
    if team and any(count % 2 for count in course.counts):
        even = [count for count in course.counts if count % 2 == 0]
        yield Issue(f"{team} needs even numbers of players; write player_counts = {even}", "player_counts")


# tags that make no sense together, and those that need another one
_AT_MOST_ONE = (("program_time_30", "program_time_60"), ("shared_flags", "two_teams"))
_NEEDS = {"capture_the_flag": "two_teams", "claims": "two_teams", "last_team_standing": "two_teams"}


def _special(course: Course) -> Iterator[Issue]:
    tags = course.special_rules
    for one, other in _AT_MOST_ONE:
        if one in tags and other in tags:
            yield Issue(f"special rules {one} and {other} exclude each other; keep one", "special_rules")
    for tag, other in _NEEDS.items():
        if tag in tags and other not in tags:
            yield Issue(f"special rule {tag} needs {other} beside it", "special_rules")


def _capture(course: Course) -> Iterator[Issue]:
    if "capture_the_flag" not in course.special_rules:
        return
    boards = [course.board_at[y][x] for _, x, y in course.checkpoints if course.on_board(x, y)]
    if len(course.boards) != 2:
        yield Issue(f"capture_the_flag needs two boards, a home for each team; got {len(course.boards)}", "boards")
    elif sorted(boards) != [0, 1]:
        yield Issue("capture_the_flag needs two checkpoints, one on each board", "checkpoints")


def _turning(course: Course) -> Iterator[Issue]:
    if "turning_boards" not in course.special_rules:
        return
    for number, x, y in course.checkpoints:
        board = course.boards[course.board_at[y][x]] if course.on_board(x, y) else None
        if board and board.width != board.height:
            size = f"{board.width} x {board.height}"
            message = f"checkpoint {number} lies on board {board.name}, which is {size}; only square boards can turn"
            yield Issue(message, "checkpoints", (number, x, y))


# each check, with what it must know of the boards
_RULES: dict[Callable[[Course], Iterator[Issue]], Known] = {
    _sizes: Known.PARTS,
    _kinds: Known.PARTS,
    _tiles: Known.PARTS,
    _combinations: Known.PARTS,
    _two_ended: Known.ALL,
    _docks: Known.ALL,
    _dock_numbers: Known.PARTS,
    _player_counts: Known.NOTHING,
    _special: Known.NOTHING,
    _capture: Known.PARTS,
    _turning: Known.PARTS,
    _absent: Known.NOTHING,
    _no_antenna: Known.NOTHING,
    _antenna: Known.PARTS,
    _mark_cells: Known.PARTS,
    _doubled_marks: Known.NOTHING,
    _tokens: Known.PARTS,
    _numbers: Known.NOTHING,
    climbing_issues: Known.ALL,
}


def _reach_issues(course: Course) -> Iterator[Issue]:
    for number, origin in unreachable(course):
        entry = next(mark for mark in course.checkpoints if mark[0] == number)
        yield Issue(f"checkpoint {number} cannot be reached from {origin}; no robot can finish", "checkpoints", entry)
