"""Situations as pictures: the notation of the boards, and what stands on them.

    +    +    +----+    +
      A>   B^ | .    Y<
    +    +    +    +    +
      >+C>  R^   1    e*
    +    +    +    +    +

Beside the tokens of courses/README.md: robots A B C D F G H J with their facing (no E: `E<` is a belt fed from the
east), `Y>` the antenna and its dish, `R>` a reboot token and its arrow, `1` a checkpoint or flag, `e*` an energy space
with its cube. Tokens that share a cell are joined with `+`. Of the 2005 edition: `r1` a wrench, `r2` wrench and hammer,
`P>135` a pusher.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from roborally_env.courses import ARROWS, DIRECTIONS, KINDS, Element, course_from_map, read_drawing
from roborally_env.courses.drawing import FLOOR, Around, usual_feeds
from roborally_env.courses.links import labels_of
from roborally_env.courses.values import element_as_map

ROBOTS = "ABCDFGHJ"
MARKS = re.compile(r"[ABCDFGHJYR][>v<^]|[1-8]|e\*")

Robots = dict[str, tuple[int, int, str]]  # letter -> x, y, facing


@dataclass
class Picture:
    """A picture that has been read: a scenario's `map`, and the robots."""

    map: dict[str, Any]
    robots: dict[str, Any] = field(default_factory=dict)


def read(text: str) -> Picture:
    """The map and the robots of a picture. Raises AssertionError for a picture that cannot be read."""
    return read_marked(text, MARKS, lambda letter, x, y, facing: (letter, (x, y, facing)))


def read_marked(text: str, marks: re.Pattern[str], robot: Callable[[str, int, int, str], tuple[str, Any]]) -> Picture:
    """The same with other marks; `robot` returns a robot's name and entry from letter, x, y and facing."""
    drawing = read_drawing(_with_posts(text), extra=marks)
    assert not drawing.flaws, f"{drawing.flaws[0]} in{text}"
    elements = [element_as_map(element) for element in drawing.elements]
    picture = Picture({"width": drawing.width, "height": drawing.height, "elements": elements})
    for x, y, token in drawing.extras:
        if token[0].upper() in ROBOTS and token[-1] in ARROWS:
            name, entry = robot(token[0], x, y, _facing(token))
            assert name not in picture.robots, f"robot {name} occurs twice in the picture"
            picture.robots[name] = entry
        else:
            _put(picture.map, {"x": x, "y": y}, token)
    return picture


def _with_posts(text: str) -> str:
    """The drawing that a row of cells and the walls between them stands for; any other text as it is."""
    if text.lstrip().startswith("+"):
        return text
    cells: list[str] = []
    walls = set()
    for token in text.replace("|", " | ").split():
        if token == "|":
            walls.add((len(cells), 0, "|"))
        else:
            cells.append(token)
    return _grid(len(cells), 1, {(x, 0): cell for x, cell in enumerate(cells)}, walls)


def _put(map: dict[str, Any], cell: dict[str, Any], token: str) -> None:
    if token[-1].isdigit():
        map.setdefault("checkpoints", []).append({"number": int(token[-1]), **cell})
    elif token == "e*":
        map.setdefault("energy", []).append(cell)
    elif token[0] == "Y":
        map["antenna"] = {**cell, "facing": _facing(token)}
    else:
        map.setdefault("reboots", []).append({**cell, "facing": _facing(token)})


def _facing(token: str) -> str:
    return DIRECTIONS[ARROWS.index(token[1])]


def draw(map: dict[str, Any], robots: Robots, edition: str = "2016") -> str:
    """The picture of a scenario's `map` with robots on it; `read` reads it back."""
    return draw_marked(map, [(x, y, letter + arrow(facing)) for letter, (x, y, facing) in robots.items()], edition)


def draw_marked(map: dict[str, Any], robots: list[tuple[int, int, str]], edition: str, flag: str = "") -> str:
    """The same with these tokens for robots, and `flag` before a checkpoint's number."""
    elements = course_from_map(map, edition).elements
    cells = _tokens(elements)
    marks = [(spot["x"], spot["y"], f"{flag}{spot['number']}") for spot in map.get("checkpoints", [])]
    marks += [(spot["x"], spot["y"], "e*") for spot in map.get("energy", [])]
    faced = [("R", spot) for spot in map.get("reboots", [])]
    faced += [("Y", map["antenna"])] if map.get("antenna") else []
    marks += [(spot["x"], spot["y"], letter + arrow(spot["facing"])) for letter, spot in faced]
    for x, y, token in marks + robots:
        cells.setdefault((x, y), []).append(token)
    texts = {cell: "+".join(_without_space(tokens)) or FLOOR for cell, tokens in cells.items()}
    return _grid(map["width"], map["height"], texts, _edges(elements))


def arrow(facing: str) -> str:
    """`>` for E, as in tokens."""
    return ARROWS[DIRECTIONS.index(facing)]


def _without_space(tokens: list[str]) -> list[str]:
    """`e*` stands for its energy space too."""
    return [token for token in tokens if token != "e" or "e*" not in tokens]


def _tokens(elements: tuple[Element, ...]) -> dict[tuple[int, int], list[str]]:
    belts = {(e.x, e.y): e.out for e in elements if e.kind == "belt"}
    labels = labels_of(elements)
    cells: dict[tuple[int, int], list[str]] = {}
    for e in elements:
        if e.kind != "wall":
            usual = usual_feeds(belts, e.x, e.y) if e.kind == "belt" else ()
            around = Around(usual, labels.get((e.x, e.y, e.kind), ""))
            cells.setdefault((e.x, e.y), []).append(KINDS[e.kind].token.write(e, around))
    return cells


def _edges(elements: tuple[Element, ...]) -> set[tuple[int, int, str]]:
    """Walls as (x, y, "-") for the edge above a cell and (x, y, "|") for the one at its left."""
    shifted = {0: (0, 0, "-"), 1: (1, 0, "|"), 2: (0, 1, "-"), 3: (0, 0, "|")}
    edges = set()
    for e in elements:
        for side in e.sides if e.kind == "wall" else ():
            dx, dy, mark = shifted[side]
            edges.add((e.x + dx, e.y + dy, mark))
    return edges


def _grid(width: int, height: int, texts: dict[tuple[int, int], str], edges: set[tuple[int, int, str]]) -> str:
    pitch = max([5, *(len(text) + 3 for text in texts.values())])
    lines = []
    for y in range(height + 1):
        corners = "".join("+" + ("-" if (x, y, "-") in edges else " ") * (pitch - 1) for x in range(width))
        lines.append(corners + "+")
        if y < height:
            cells = (
                ("|" if (x, y, "|") in edges else " ") + " " + texts.get((x, y), FLOOR).ljust(pitch - 2)
                for x in range(width)
            )
            lines.append(("".join(cells) + ("|" if (width, y, "|") in edges else "")).rstrip())
    return "\n".join(lines)


def side_by_side(left: str, right: str, titles: tuple[str, str]) -> str:
    """Two texts beside each other."""
    rows = [titles[0], *left.split("\n")], [titles[1], *right.split("\n")]
    wide = max(len(line) for line in rows[0]) + 4
    count = max(len(rows[0]), len(rows[1]))
    padded = [side + [""] * (count - len(side)) for side in rows]
    return "\n".join((a.ljust(wide) + b).rstrip() for a, b in zip(*padded, strict=True))
