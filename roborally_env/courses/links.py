"""Letters in drawings that say which ramps a button switches.

R^0a   Ba   R>1-a   R<0b   Bab      Ba switches the ramps with an a, Bab those with an a or a b
"""

from collections.abc import Iterable, Mapping

from roborally_env.base.errors import CourseError
from roborally_env.courses.model import Board, Element, reading_order
from roborally_env.courses.tile_tokens import LABEL, label

Cell = tuple[int, int]
Place = tuple[int, int, str]  # x, y, kind


def linked(elements: list[Element], labels: Mapping[Place, str]) -> tuple[list[Element], list[tuple[Place, str]]]:
    """The elements, with the ramps of its letters in each button; and (place, message) of letters without a
    counterpart.

    labels: the letters of ramps and buttons as they were read.
    """
    ramps: dict[str, list[Cell]] = {}
    used: set[str] = set()
    for (x, y, kind), letters in labels.items():
        if kind == "button":
            used.update(LABEL.findall(letters))
        elif letters:
            ramps.setdefault(letters, []).append((x, y))
    found = []
    for e in elements:
        if e.kind == "button":
            mine = LABEL.findall(labels[e.x, e.y, "button"])
            e = e._replace(ramps=reading_order({cell for each in mine for cell in ramps.get(each, ())}))
        found.append(e)
    return found, [*_buttons_alone(labels, ramps), *_ramps_alone(labels, used)]


def _buttons_alone(labels: Mapping[Place, str], ramps: Mapping[str, object]) -> list[tuple[Place, str]]:
    return [
        (place, f"button {each} switches no ramp: none has the letter {each}, as R^0{each} has")
        for place, letters in labels.items()
        if place[2] == "button"
        for each in LABEL.findall(letters)
        if each not in ramps
    ]


def _ramps_alone(labels: Mapping[Place, str], used: set[str]) -> list[tuple[Place, str]]:
    return [
        (place, f"no button switches ramp {letters}; draw B{letters} somewhere, or leave the letter out")
        for place, letters in labels.items()
        if place[2] == "ramp" and letters and letters not in used
    ]


def labels_of(elements: Iterable[Element]) -> dict[Place, str]:
    """The letters of ramps and buttons; ramps with the same buttons share one."""
    elements = tuple(elements)
    buttons = [e for e in elements if e.kind == "button"]
    switches = {
        (e.x, e.y): tuple((b.x, b.y) for b in buttons if (e.x, e.y) in b.ramps) for e in elements if e.kind == "ramp"
    }
    groups: dict[tuple[Cell, ...], str] = {}
    for cells in switches.values():
        if cells:
            groups.setdefault(cells, label(len(groups)))
    found = {(x, y, "ramp"): groups.get(cells, "") for (x, y), cells in switches.items()}
    for b in buttons:
        found[b.x, b.y, "button"] = "".join(letter for cells, letter in groups.items() if (b.x, b.y) in cells)
    return found


def check_links(board: Board) -> None:
    """Raise CourseError if a button switches no ramp, or one that is not on the board: it cannot be drawn."""
    ramps = {(e.x, e.y) for e in board.elements if e.kind == "ramp"}
    for e in board.elements:
        if e.kind == "button" and (not e.ramps or not ramps.issuperset(e.ramps)):
            at = f"x={e.x}, y={e.y}"
            raise CourseError(f"board {board.name}: the button at {at} must switch ramps of this board, at least one")
