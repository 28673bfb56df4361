"""Small changes of a course that can be raced as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import CourseError, raised_as
from roborally_env.courses.catalogue import name_of
from roborally_env.courses.checks import course_issues
from roborally_env.courses.model import (
    EDITIONS,
    MAX_CHECKPOINTS,
    STEP,
    Course,
    Element,
    canonical,
    dock_order,
    element_order,
)
from roborally_env.courses.rotation import turned_course
from roborally_env.courses.similarity import same_race
from roborally_env.courses.writer import in_file_order
from roborally_env.generated.draws import Draws
from roborally_env.generated.proof import check_raced, proof_of

Cell = tuple[int, int]
NEAR = 3  # steps that a piece moves, at most
ATTEMPTS = 200


@raised_as(CourseError)
def changed_course(course: Course, seed: int) -> Course:
    """The course with one small change: see `mutate`, which also takes names and files.

    Raises:
        CourseError: as `mutate`.
    """
    seed = check_whole(seed, "seed", 0, 2**63 - 1)
    if EDITIONS[course.edition].special and course.special_rules:
        raise CourseError(f"course {course.slug} has special rules ({course.special_rules[0]}); it is not changed")
    check_raced(course)
    for attempt in range(ATTEMPTS):
        draws = Draws(seed, attempt, *(value for mark in course.checkpoints for value in mark))
        changed = draws.weighted(list(_CHANGES), list(_CHANGES.values()))(course, draws)
        if changed is None or same_race(changed, course) or course_issues(changed, reachability=False):
            continue
        if not proof_of(changed).problem:
            return _named(in_file_order(changed), course, seed)
    raise CourseError(f"course {course.slug}: no change found that leaves it solvable")


def _named(changed: Course, course: Course, seed: int) -> Course:
    """The changed course with a name that says so, without the words of the course that it was."""
    slug, title = f"{name_of(course)}~{seed}", re.sub(r" ~[0-9]+$", "", course.title)
    return replace(changed, slug=slug, title=f"{title} ~{seed}", source=slug, section="", difficulty="", length="")


def _bare_cells(course: Course) -> list[Cell]:
    """Cells with plain floor and nothing on it."""
    taken = {(e.x, e.y) for e in course.elements if e.kind not in ("wall", "level")} | _piece_cells(course)
    return [(x, y) for y in range(course.height) for x in range(course.width) if _free(course, (x, y), taken)]


def _free(course: Course, cell: Cell, taken: set[Cell]) -> bool:
    return course.on_board(*cell) and cell not in taken


def _piece_cells(course: Course) -> set[Cell]:
    """The cells of checkpoints, tokens and the antenna."""
    cells = {(x, y) for _, x, y in course.checkpoints} | {(x, y) for x, y, _ in course.reboots}
    return cells | ({course.antenna[:2]} if course.antenna else set())


def _near(cells: list[Cell], x: int, y: int) -> list[Cell]:
    return [(u, v) for u, v in cells if 0 < abs(u - x) + abs(v - y) <= NEAR]


def _move_checkpoint(course: Course, draws: Draws) -> Course | None:
    index = draws.below(len(course.checkpoints))
    number, x, y = course.checkpoints[index]
    near = _near(_bare_cells(course), x, y)
    if not near:
        return None
    marks = list(course.checkpoints)
    marks[index] = (number, *draws.one(near))
    return replace(course, checkpoints=tuple(marks))


def _swap_checkpoints(course: Course, draws: Draws) -> Course | None:
    cells = [(x, y) for _, x, y in course.checkpoints]
    if len(cells) < 2:
        return None
    i = draws.below(len(cells) - 1)
    cells[i], cells[i + 1] = cells[i + 1], cells[i]
    return _with_checkpoints(course, cells)


def _add_checkpoint(course: Course, draws: Draws) -> Course | None:
    cells = [(x, y) for _, x, y in course.checkpoints]
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    bare = [(x, y) for x, y in _bare_cells(course) if course.board_at[y][x] not in start_boards]
    if len(cells) == MAX_CHECKPOINTS or not bare:
        return None
    cells.insert(draws.below(len(cells) + 1), draws.one(bare))
    return _with_checkpoints(course, cells)


def _remove_checkpoint(course: Course, draws: Draws) -> Course | None:
    cells = [(x, y) for _, x, y in course.checkpoints]
    if len(cells) < 2:
        return None
    del cells[draws.below(len(cells))]
    return _with_checkpoints(course, cells)


def _with_checkpoints(course: Course, cells: list[Cell]) -> Course:
    return replace(course, checkpoints=tuple((number, x, y) for number, (x, y) in enumerate(cells, 1)))


def _move_token(course: Course, draws: Draws) -> Course | None:
    if not course.reboots:
        return None
    index = draws.below(len(course.reboots))
    x, y, facing = course.reboots[index]
    board = course.board_at[y][x]
    near = [(u, v) for u, v in _near(_bare_cells(course), x, y) if course.board_at[v][u] == board]
    tokens = list(course.reboots)
    tokens[index] = (*draws.one(near), facing) if near and draws.chance(0.7) else (x, y, (facing + 1) & 3)
    return replace(course, reboots=tuple(tokens))


def _turn_board(course: Course, draws: Draws) -> Course | None:
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    square = [i for i, b in enumerate(course.boards) if b.width == b.height and i not in start_boards]
    if not square:
        return None
    turns = [0] * len(course.boards)
    turns[draws.one(square)] = draws.between(1, 3)
    return turned_course(course, tuple(turns))


def _change_wall(course: Course, draws: Draws) -> Course | None:
    """A wall where none was, or none where one was."""
    x, y, side = draws.below(course.width), draws.below(course.height), draws.below(4)
    there = x + STEP[side][0], y + STEP[side][1]
    if not course.on_board(x, y) or not course.on_board(*there):
        return None
    other = (*there, (side + 2) & 3)
    walls = {(e.x, e.y, s) for e in course.elements if e.kind == "wall" for s in e.sides}
    gone = walls & {(x, y, side), other}
    rest = [e for e in course.elements if e.kind != "wall"]
    kept = sorted(walls - gone if gone else walls | {(x, y, side)})
    return _with_elements(course, [*rest, *(Element("wall", u, v, sides=(s,)) for u, v, s in kept)])


def _change_tile(course: Course, draws: Draws) -> Course | None:
    """A pit, gear, energy or repair site comes, goes, or moves by some cells."""
    kinds = [kind for kind in ("pit", "gear", "energy", "repair") if kind in EDITIONS[course.edition].kinds]
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    bare = [(x, y) for x, y in _bare_cells(course) if course.board_at[y][x] not in start_boards]
    pieces = _piece_cells(course)
    alone = [e for e in course.elements if e.kind in kinds and (e.x, e.y) not in pieces]
    alone = [e for e in alone if sum((f.x, f.y) == (e.x, e.y) for f in course.elements if f.kind != "wall") == 1]
    way = draws.below(3)
    if way == 0 and bare:
        x, y = draws.one(bare)
        return _with_elements(course, [*course.elements, _new_tile(draws.one(kinds), x, y, draws)])
    if not alone:
        return None
    old = draws.one(alone)
    rest = [e for e in course.elements if e != old]
    near = _near(bare, old.x, old.y)
    if way == 1 and near:
        x, y = draws.one(near)
        rest.append(old._replace(x=x, y=y))
    return _with_elements(course, rest)


def _new_tile(kind: str, x: int, y: int, draws: Draws) -> Element:
    if kind == "gear":
        return Element(kind, x, y, turn=draws.one((1, -1)))
    return Element(kind, x, y, level=1) if kind == "repair" else Element(kind, x, y)


def _with_elements(course: Course, elements: list[Element]) -> Course:
    """The course with other elements; each energy space that is new starts with a cube."""
    spaces = [(e.x, e.y) for e in elements if e.kind == "energy"]
    before = {(e.x, e.y) for e in course.elements if e.kind == "energy"}
    cubes = [cell for cell in spaces if cell not in before or cell in course.energy]
    found = _walls_on_boards(course, canonical(elements, course.width, course.height))
    return replace(course, elements=found, energy=tuple(cubes), docks=dock_order(found) or course.docks)


def _walls_on_boards(course: Course, elements: Iterable[Element]) -> tuple[Element, ...]:
    """The elements with each wall stored on a cell of a board: beside a board there may be none."""
    rest, walls = [], dict[Cell, set[int]]()
    for e in elements:
        if e.kind != "wall":
            rest.append(e)
        for side in e.sides:
            cell, kept = ((e.x, e.y), side)
            if not course.on_board(*cell):
                cell, kept = (e.x + STEP[side][0], e.y + STEP[side][1]), (side + 2) & 3
            walls.setdefault(cell, set()).add(kept)
    rest += [Element("wall", x, y, sides=tuple(sorted(sides))) for (x, y), sides in walls.items()]
    return tuple(sorted(rest, key=element_order))


_Change = Callable[[Course, Draws], Course | None]
_CHANGES: dict[_Change, int] = {
    _move_checkpoint: 30,
    _swap_checkpoints: 8,
    _add_checkpoint: 8,
    _remove_checkpoint: 8,
    _move_token: 8,
    _turn_board: 8,
    _change_wall: 15,
    _change_tile: 15,
}
