"""Letters in drawings that say which ramps a button switches.

R^0a   Ba   R>1-a   R<0b   Bab      Ba switches the ramps with an a, Bab those with an a or a b
"""

from collections.abc import Mapping

from roborally_env.courses.model import Board, Element, reading_order
from roborally_env.courses.tokens import LABEL, label
from roborally_env.errors import RoboRallyError

Place = tuple[int, int, str]  # x, y, kind


def linked(elements: list[Element], labels: Mapping[Place, str]) -> tuple[list[Element], list[tuple[Place, str]]]:
    """The elements, each button with the ramps of its letters; and (place, what is wrong) of letters that stand alone.

    labels: the letters of ramps and buttons as they were read.
    """
    ramps: dict[str, list[tuple[int, int]]] = {}
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


def labels_of(board: Board) -> dict[Place, str]:
    """The letters of the board's ramps and buttons; ramps with the same buttons share one.

    Raises RoboRallyError where a button switches no ramp, or one that is not on the board.
    """
    switched: dict[tuple[int, int], list[tuple[int, int]]] = {
        (e.x, e.y): [] for e in board.elements if e.kind == "ramp"
    }
    buttons = [e for e in board.elements if e.kind == "button"]
    for button in buttons:
        for cell in button.ramps:
            if cell not in switched:
                raise RoboRallyError(_no_ramp(board, button, f"x={cell[0]}, y={cell[1]} of it"))
            switched[cell].append((button.x, button.y))
        if not button.ramps:
            raise RoboRallyError(_no_ramp(board, button, "all"))
    groups: dict[tuple[tuple[int, int], ...], str] = {}
    for cells in switched.values():
        if cells:
            groups.setdefault(tuple(cells), label(len(groups)))
    found = {(x, y, "ramp"): groups.get(tuple(cells), "") for (x, y), cells in switched.items()}
    for button in buttons:
        mine = [letters for cells, letters in groups.items() if (button.x, button.y) in cells]
        found[button.x, button.y, "button"] = "".join(mine)
    return found


def _no_ramp(board: Board, button: Element, where: str) -> str:
    return f"board {board.name}: the button at x={button.x}, y={button.y} switches no ramp at {where}"
