"""Situations of the community edition as pictures: the notation of courses/README.md, and what stands on the cells.

    +      +      +      +      +
      A>     R>0a   1+b^   1
    +      +      +      +      +
      Ba     ~      1      F1
    +      +      +      +      +

`1` `2` `3` are floors of that level, so checkpoints (flags) are `F1` `F2`; `R>0a` is a ramp that rises to the east from
level 0, off with a `-`: `R>0-a`, and `Ba` the button of the ramps with the letter a. Robots are A B C D F G H J with
their facing, in small letters where they are virtual: `A>+bv` is a robot A with a virtual B on its cell. `Y>` is the
antenna and its dish, `R>` a reboot token and its arrow, `e*` an energy space with its cube. A board of one row may
be its row alone, as in tests/rules/picture.py.
"""

import re
from typing import Any

from tests.rules.picture import ROBOTS, Picture, arrow, draw_marked, read_marked

__all__ = ["ROBOTS", "Robots", "draw", "read"]

MARKS = re.compile(r"[ABCDFGHJabcdfghjYR][>v<^]|F[1-8]|e\*")

Robots = dict[str, tuple[int, int, str, bool]]  # letter -> x, y, facing, virtual


def read(text: str) -> Picture:
    """The map and the robots of a picture. Raises AssertionError for a picture that cannot be read."""
    return read_marked(text, MARKS, lambda letter, x, y, facing: (letter.upper(), (x, y, facing, letter.islower())))


def draw(map: dict[str, Any], robots: Robots) -> str:
    """The picture of a scenario's `map` with robots on it; `read` reads it back."""
    marks = [
        (x, y, (name.lower() if virtual else name) + arrow(facing)) for name, (x, y, facing, virtual) in robots.items()
    ]
    return draw_marked(map, marks, "community", "F")
