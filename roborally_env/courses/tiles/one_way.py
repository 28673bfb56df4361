"""One-way walls around a cell, which can be entered only by a step in their direction."""

from collections.abc import Iterator

from roborally_env.courses.model import DIRECTIONS, STEP, Course, Element
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.values import ElementKey, direction

# bars on the three sides that let nobody in, with points outwards, and an arrow where the way in is
_BARS = (
    '<path d="M-42 42V-42H42V42" fill="none" stroke="$one-way" stroke-width="7" stroke-linejoin="round"/>'
    '<path d="M-9 -42L0 -49 9 -42ZM-42 -9L-49 0 -42 9ZM42 -9L49 0 42 9ZM0 12L-13 28H-5V46H5V28H13Z" fill="$one-way" '
    'stroke="$one-way" stroke-width="2" stroke-linejoin="round"/>'
)


def _check(course: Course, e: Element) -> Iterator[str]:
    back = (e.out + 2) & 3
    before = e.x + STEP[back][0], e.y + STEP[back][1]
    if not course.on_board(*before) or _walled(course, (e.x, e.y), back) or _walled(course, before, e.out):
        yield f"no robot can enter the one-way cell: its {DIRECTIONS[back]} side, the only open one, is closed"


def _walled(course: Course, cell: tuple[int, int], side: int) -> bool:
    x, y = cell
    return any(e.x == x and e.y == y and e.kind == "wall" and side in e.sides for e in course.elements)


TILE = TileKind(
    name="one_way",
    title="one-way wall",
    token="!{out}",
    examples=("!>",),
    meaning="one-way wall: the cell is entered only by a step that way (community)",
    keys=(ElementKey("dir", "out", direction),),
    excludes=("pit",),
    check=_check,
    svg=lambda e: _BARS,
    over="button",
    colors={"one-way": ("#0b7f86", "#4cc9d0")},
    style="wall",
)
