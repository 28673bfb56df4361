"""Situations of the community edition as pictures: the notation of courses/README.md, and what stands on the cells.

    +      +      +      +      +
      A>     R>0a   1+b^   1
    +      +      +      +      +
      Ba     ~      1      F1
    +      +      +      +      +

`1` `2` `3` are floors of that level, so checkpoints (flags) are `F1` `F2`; `R>0a` is a ramp that rises to the east from
level 0, off with a `-`: `R>0-a`, and `Ba` the button of the ramps with the letter a. Robots are A B C D F G H J with
their facing, in small letters where they are virtual: `A>+bv` is a robot A with a virtual B on its cell. `Y>` is the
antenna and its dish, `R>` a reboot token and its arrow, `e*` an energy space with its cube.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from roborally_env.courses import ARROWS, DIRECTIONS, Element, course_from_map, read_drawing
from roborally_env.courses.drawing import FLOOR, Around, usual_feeds
from roborally_env.courses.links import labels_of
from roborally_env.courses.tokens import BY_KIND
from roborally_env.courses.values import element_as_map
from tests.rules.picture import ROBOTS, _edges, _grid, side_by_side

__all__ = ["ROBOTS", "Picture", "Robots", "draw", "read", "side_by_side"]

MARKS = re.compile(r"[ABCDFGHJabcdfghjYR][>v<^]|F[1-8]|e\*")

Robots = dict[str, tuple[int, int, str, bool]]  # letter -> x, y, facing, virtual


@dataclass
class Picture:
    """A picture that has been read: a scenario's `map`, and the robots."""

    map: dict[str, Any]
    robots: Robots = field(default_factory=dict)


def read(text: str) -> Picture:
    """The map and the robots of a picture. Raises AssertionError for a picture that cannot be read."""
    drawing = read_drawing(text, extra=MARKS)
    assert not drawing.flaws, f"{drawing.flaws[0]} in{text}"
    elements = [element_as_map(element) for element in drawing.elements]
    picture = Picture({"width": drawing.width, "height": drawing.height, "elements": elements})
    for x, y, token in drawing.extras:
        _put(picture, x, y, token)
    return picture


def _put(picture: Picture, x: int, y: int, token: str) -> None:
    cell = {"x": x, "y": y}
    if re.fullmatch("F[1-8]", token):
        picture.map.setdefault("checkpoints", []).append({"number": int(token[1]), **cell})
        return
    if token == "e*":
        picture.map.setdefault("energy", []).append(cell)
        return
    facing = DIRECTIONS[ARROWS.index(token[1])]
    if token[0] == "Y":
        picture.map["antenna"] = {**cell, "facing": facing}
    elif token[0] == "R":
        picture.map.setdefault("reboots", []).append({**cell, "facing": facing})
    else:
        name = token[0].upper()
        assert name not in picture.robots, f"robot {name} stands twice in the picture"
        picture.robots[name] = (x, y, facing, token[0].islower())


def draw(map: dict[str, Any], robots: Robots) -> str:
    """The picture of a scenario's `map` with robots on it; `read` reads it back."""
    elements = course_from_map(map, "community").elements
    cells = _tokens(elements)
    marks = [(spot["x"], spot["y"], f"F{spot['number']}") for spot in map.get("checkpoints", [])]
    marks += [(spot["x"], spot["y"], "e*") for spot in map.get("energy", [])]
    faced = [("R", spot) for spot in map.get("reboots", [])]
    faced += [("Y", map["antenna"])] if map.get("antenna") else []
    marks += [(spot["x"], spot["y"], letter + _arrow(spot["facing"])) for letter, spot in faced]
    for name, (x, y, facing, virtual) in robots.items():
        marks.append((x, y, (name.lower() if virtual else name) + _arrow(facing)))
    for x, y, token in marks:
        cells.setdefault((x, y), []).append(token)
    texts = {cell: "+".join(token for token in tokens if token != "e" or "e*" not in tokens) or FLOOR
             for cell, tokens in cells.items()}  # fmt: skip
    return _grid(map["width"], map["height"], texts, _edges(elements))


def _arrow(facing: str) -> str:
    return ARROWS[DIRECTIONS.index(facing)]


def _tokens(elements: tuple[Element, ...]) -> dict[tuple[int, int], list[str]]:
    belts = {(e.x, e.y): e.out for e in elements if e.kind == "belt"}
    labels = labels_of(elements)
    cells: dict[tuple[int, int], list[str]] = {}
    for e in elements:
        if e.kind != "wall":
            usual = usual_feeds(belts, e.x, e.y) if e.kind == "belt" else ()
            around = Around(usual, labels.get((e.x, e.y, e.kind), ""))
            cells.setdefault((e.x, e.y), []).append(BY_KIND[e.kind].write(e, around))
    return cells
