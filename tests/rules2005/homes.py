"""Capture the Flag on two small boards side by side, the left one the home of A and C, the right one of B and D."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rules.scene import Scene, race_on

ROWS, COLUMNS = 3, 8  # of a board; its six columns farthest from the other board are the back rows
FLOOR = "\n".join(["+    " * COLUMNS + "+", *(["  .  " * COLUMNS, "+    " * COLUMNS + "+"] * ROWS)])
COURSE = '''\
title = "Two Homes"
edition = "2005"
player_counts = [2, 4, 6, 8]
start_facing = "N"
special_rules = ["two_teams", "capture_the_flag"]
checkpoints = [
  {{ number = 1, x = 6, y = 1 }},
  {{ number = 2, x = 9, y = 1 }},
]
[[boards]]
drawing = """
{left}
"""
[[boards]]
x = 8
drawing = """
{right}
"""
'''
Homes = Callable[..., Scene]


def put(drawing: str, x: int, y: int, token: str) -> str:
    """The drawing with a token of up to four letters in a cell."""
    lines = drawing.split("\n")
    line, at = lines[2 * y + 1], 5 * x + (0 if token == "|" else 2)
    lines[2 * y + 1] = line[:at] + token + line[at + len(token) :]
    return "\n".join(lines)


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    """Makes scenes: robots as "x y facing", `mats` as in race_on, `tokens` as {(x, y): token} in course cells.

    The token `|` is a wall on the west side of its cell.
    """

    def make(
        tokens: dict[tuple[int, int], str] | None = None,
        *,
        mats: dict[str, dict[str, Any]] | None = None,
        **robots: str,
    ) -> Scene:
        boards = [FLOOR, FLOOR]
        for (x, y), token in (tokens or {}).items():
            boards[x // COLUMNS] = put(boards[x // COLUMNS], x % COLUMNS, y, token)
        path = tmp_path / "two_homes.toml"
        path.write_text(COURSE.format(left=boards[0], right=boards[1]), encoding="utf-8")
        sheets = {name: {"team": "ABCD".index(name) & 1, **(mats or {}).get(name, {})} for name in robots}
        return race_on(str(path), edition="2005", mats=sheets, **robots)

    return make
