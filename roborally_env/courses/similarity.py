"""How alike two courses are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roborally_env.courses.model import STEP, Course, Element, turned_cell, turned_element

Counts = dict[object, int]  # parts of a course with their weights

# What a part of a course counts beside a tile or a wall, which count 1
_WEIGHTS = {"checkpoint": 6, "dock": 2, "token": 2, "antenna": 2}


def distance(a: Course, b: Course) -> float:
    """How different two courses are, from 0 to 1: see `generated.by_name.distance`, which also takes names."""
    mine = _parts(a)
    return min(_jaccard(mine, _parts(b, quarters)) for quarters in range(4))


def same_race(a: Course, b: Course) -> bool:
    """Whether two courses are the same as they are raced, turned or not: whether their `distance` is 0."""
    marks, tiles = _marks(a, 0), _tiles(a, 0)
    return any(_marks(b, quarters) == marks and _tiles(b, quarters) == tiles for quarters in range(4))


def _parts(course: Course, quarters: int = 0) -> Counts:
    """The parts of a course after right turns, with their weights."""
    return _tiles(course, quarters) | _marks(course, quarters)


def _tiles(course: Course, quarters: int) -> Counts:
    """The parts that are tiles and walls."""
    width, height = course.width, course.height
    parts: Counts = {}
    for element in course.elements:
        turned = turned_element(element, width, height, quarters)
        x, y = _from_middle(turned.x, turned.y, width, height, quarters)
        ramps = tuple(_from_middle(*ramp, width, height, quarters) for ramp in turned.ramps)
        for part in _pieces(turned._replace(x=x, y=y, ramps=ramps)):
            parts[part] = _WEIGHTS.get(element.kind, 1)
    return parts


def _from_middle(x: int, y: int, width: int, height: int, quarters: int) -> tuple[int, int]:
    """A cell of a turned course, from its middle in half cells; width and height are those before the turn."""
    wide, high = (width, height) if quarters % 2 == 0 else (height, width)
    return 2 * x - wide + 1, 2 * y - high + 1


def _marks(course: Course, quarters: int) -> Counts:
    """The parts that lie on tiles: checkpoints, reboot tokens, the antenna."""
    width, height = course.width, course.height

    def cell(x: int, y: int) -> tuple[int, int]:
        return _from_middle(*turned_cell(x, y, width, height, quarters), width, height, quarters)

    parts: Counts = {}
    for number, x, y in course.checkpoints:
        parts["checkpoint", number, cell(x, y)] = _WEIGHTS["checkpoint"]
    for x, y, facing in course.reboots:
        parts["token", (facing + quarters) & 3, cell(x, y)] = _WEIGHTS["token"]
    if course.antenna is not None:
        x, y, facing = course.antenna
        parts["antenna", (facing + quarters) & 3, cell(x, y)] = _WEIGHTS["antenna"]
    return parts


def _pieces(element: Element) -> Iterator[object]:
    """An element, walls one for each edge, by the middle of the edge."""
    if element.kind != "wall":
        yield element
        return
    for side in element.sides:
        dx, dy = STEP[side]
        yield "wall", element.x + dx, element.y + dy


def _jaccard(a: Counts, b: Counts) -> float:
    common = sum(weight for part, weight in a.items() if part in b)
    total = sum(a.values()) + sum(b.values()) - common
    return 1.0 - common / total if total else 0.0


def whole_turned(course: Course, quarters: int) -> Course:
    """The course after right turns of the whole table: another picture of the same race."""
    width, height = course.width, course.height
    size = (width, height) if quarters % 2 == 0 else (height, width)

    def cell(x: int, y: int) -> tuple[int, int]:
        return turned_cell(x, y, width, height, quarters)

    rows = [[-1] * size[0] for _ in range(size[1])]
    for y, row in enumerate(course.board_at):
        for x, board in enumerate(row):
            u, v = cell(x, y)
            rows[v][u] = board
    boards = []
    for place in course.boards:
        corners = [cell(place.x, place.y), cell(place.x + place.width - 1, place.y + place.height - 1)]
        w, h = (place.width, place.height) if quarters % 2 == 0 else (place.height, place.width)
        x, y = min(c[0] for c in corners), min(c[1] for c in corners)
        turned = replace(place, x=x, y=y, rotation=(place.rotation + 90 * quarters) % 360, width=w, height=h)
        boards.append(turned)
    antenna = course.antenna and (*cell(*course.antenna[:2]), (course.antenna[2] + quarters) & 3)
    return replace(
        course,
        width=size[0],
        height=size[1],
        board_at=tuple(map(tuple, rows)),
        boards=tuple(boards),
        elements=tuple(turned_element(e, width, height, quarters) for e in course.elements),
        docks=tuple((number, *cell(x, y)) for number, x, y in course.docks),
        antenna=antenna,
        reboots=tuple((*cell(x, y), (facing + quarters) & 3) for x, y, facing in course.reboots),
        checkpoints=tuple((number, *cell(x, y)) for number, x, y in course.checkpoints),
        energy=tuple(cell(x, y) for x, y in course.energy),
        start_facing=(course.start_facing + quarters) & 3,
    )
