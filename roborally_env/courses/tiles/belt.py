"""A conveyor belt, of speed 1 or 2."""

import re
from collections.abc import Iterator
from typing import Any

from roborally_env.courses.model import ARROWS, DIRECTIONS, Course, Element
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.values import ElementKey, direction, directions, integer


def _read(match: re.Match[str]) -> dict[str, Any]:
    feeds = tuple(sorted(DIRECTIONS.index(name) for name in set(match["feeds"])))
    return {"speed": len(match["arrow"]), "out": ARROWS.index(match["arrow"][0]), "feeds": feeds}


def _write(belt: Element, around: Around) -> str:
    written = "" if belt.feeds == around.feeds else "".join(DIRECTIONS[d] for d in belt.feeds)
    return written + ARROWS[belt.out] * belt.speed


def _check(course: Course, belt: Element) -> Iterator[str]:
    if belt.out in belt.feeds:
        side = DIRECTIONS[belt.out]
        yield f"belt turns on itself: it moves {side} and is fed from {side}; leave {side} out of its feeds"


TILE = TileKind(
    name="belt",
    editions=("2016", "2023", "2005", "community"),
    token=Token(re.compile(r"(?P<feeds>[NESW]*)(?P<arrow>([>v<^])\3?)"), _read, _write),
    examples=(">", "vv", "S>"),
    meaning="belt: one arrow is green (one step), two are blue (two steps; express in 2005). It is fed from the "
    "neighbours that point at it, or from behind where none does; other feeds are written before the arrow: "
    "`S>` comes from the south",
    keys=(
        ElementKey("speed", "speed", integer(1, 2)),
        ElementKey("out", "out", direction),
        ElementKey("in", "feeds", directions),
    ),
    fills=("carrier",),
    no_antenna="a belt",
    check=_check,
)
