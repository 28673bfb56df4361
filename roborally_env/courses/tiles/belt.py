"""A conveyor belt, of speed 1 or 2."""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin

from roborally_env.base.types import JsonObject
from roborally_env.courses.glyphs import number
from roborally_env.courses.model import ARROWS, DIRECTIONS, EDITIONS, STEP, Course, Element
from roborally_env.courses.pictures import HALF, POINTERS, Entry, Letters, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.values import ElementKey, direction, directions, integer

_BED, _RAIL = 68, 78  # widths
_OVER = 0.6  # how far a bed goes on into the next cell, so that no seam shows
_CHEVRON = ((-14, 9), (0, -9), (14, 9))  # heading north
# speed -> places of the chevrons on the way through the cell, 0..1; merging belts have them on the common last part
_PLACES = {1: (0.5,), 2: (0.3, 0.7)}
_MERGED = {1: (0.72,), 2: (0.46, 0.82)}
# speed -> lines; index: bit d set where the belt joins side d (N E S W = 1 2 4 8)
LINES = {1: " ╵╶╰╷│╭├╴╯─┴╮┤┬┼", 2: " ║═╚║║╔╠═╝═╩╗╣╦╬"}
_STYLES = {1: ("green", POINTERS), 2: ("blue", "⇑⇒⇓⇐")}  # with the arrows


def _read(match: re.Match[str]) -> JsonObject:
    feeds = tuple(sorted(DIRECTIONS.index(name) for name in set(match["feeds"])))
    return {"speed": len(match["arrow"]), "out": ARROWS.index(match["arrow"][0]), "feeds": feeds}


def _write(belt: Element, around: Around) -> str:
    written = "" if belt.feeds == around.feeds else "".join(DIRECTIONS[d] for d in belt.feeds)
    return written + ARROWS[belt.out] * belt.speed


def _check(course: Course, belt: Element) -> Iterator[str]:
    if belt.out in belt.feeds:
        side = DIRECTIONS[belt.out]
        yield f"belt turns on itself: it moves {side} and is fed from {side}; leave {side} out of its feeds"


def _rails(belts: Sequence[Element], scene: Scene) -> str:
    """The edges of all belts, one path for each speed. Beds cover them, so that merging belts look like one."""
    parts = []
    for speed in (1, 2):
        ways = "".join(_way(belt, feed) for belt in belts if belt.speed == speed for feed in _feeds(belt))
        if ways:
            parts.append(f'<path d="{ways}" fill="none" stroke="$rail{speed}" stroke-width="{_RAIL}"/>')
    return "".join(parts)


def _picture(belt: Element, scene: Scene) -> str:
    """A bed along its way, curved at turns, with as many chevrons as its speed."""
    feeds = _feeds(belt)
    ways = "".join(_way(belt, feed) for feed in feeds)
    feed, places = (feeds[0], _PLACES) if len(feeds) == 1 else ((belt.out + 2) & 3, _MERGED)
    marks = "".join(_chevron(belt, feed, place) for place in places[belt.speed])
    return (
        f'<path d="{ways}" stroke="$belt{belt.speed}" stroke-width="{_BED}" stroke-linecap="butt"/>'
        f'<path d="{marks}" stroke="$arrow{belt.speed}"/>'
    )


def _feeds(belt: Element) -> tuple[int, ...]:
    return belt.feeds or ((belt.out + 2) & 3,)


def _way(belt: Element, feed: int) -> str:
    """The line from the middle of the side that feeds to that of the side to which the belt carries."""
    x, y = middle(belt.x, belt.y)
    (fx, fy), (ox, oy) = STEP[feed], STEP[belt.out]
    far = HALF + _OVER
    start = f"M{number(x + far * fx)} {number(y + far * fy)}"
    end = f"{number(x + far * ox)} {number(y + far * oy)}"
    turn = (feed - belt.out) & 3
    if turn == 2:
        return f"{start}L{end}"
    bend = f"A{HALF} {HALF} 0 0 {int(turn == 1)} {x + HALF * ox} {y + HALF * oy}"
    return f"{start}L{x + HALF * fx} {y + HALF * fy}{bend}L{end}"


def _chevron(belt: Element, feed: int, place: float) -> str:
    """A chevron at a place on the way from a side, heading along it."""
    across, along, angle = _spot((feed - belt.out) & 3, place)
    turn = angle + belt.out * pi / 2
    x, y = middle(belt.x, belt.y)
    x0, y0 = _turned(across, along, belt.out * pi / 2)
    points = (_turned(dx, dy, turn) for dx, dy in _CHEVRON)
    return "M" + "L".join(f"{number(x + x0 + dx)} {number(y + y0 + dy)}" for dx, dy in points)


def _spot(turn: int, place: float) -> tuple[float, float, float]:
    """(x, y) from the middle of the cell and the heading, at a place on a way that leads out to the north."""
    if turn == 2:
        return 0.0, HALF - 2 * HALF * place, 0.0
    side = 1 if turn == 1 else -1  # the corner round which it bends lies on that side
    angle = place * pi / 2
    return side * (HALF - HALF * sin(angle)), -HALF + HALF * cos(angle), side * (angle - pi / 2)


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A right turn."""
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def _text(belt: Element, scene: Scene) -> Iterable[Letters]:
    """The line through the cell, bent as the belt bends, with its arrow right of the middle."""
    lines, (style, arrows) = LINES[belt.speed], _STYLES[belt.speed]
    along, across = lines[0b1010], lines[0b0101]
    sides = {belt.out, *belt.feeds}
    arms = ((across, -1, 2), (along * 2, 0, 4), (across, 1, 2), (along * 2, 0, 0))  # by side: text, row, column
    for side in sides:
        text, row, column = arms[side]
        yield Letters(text, style, row, column)
    yield Letters(lines[sum(1 << side for side in sides)] + arrows[belt.out], style, 0, 2)


def _legend(belts: Sequence[Element], scene: Scene) -> Iterable[Entry]:
    names, speeds = EDITIONS[scene.course.edition].belt_names, {belt.speed for belt in belts}
    if 1 in speeds:
        yield Entry("──→", "green", f"{names[0]}, 1 step")
    if 2 in speeds:
        yield Entry("══⇒", "blue", f"{names[1]}, 2 steps")


TILE = TileKind(
    name="belt",
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
    picture=_picture,
    under=_rails,
    attributes='fill="none" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"',
    over="radiation",
    colors={
        "belt1": ("#a9d3ad", "#3c6b4b"),
        "rail1": ("#5f9a69", "#63a476"),
        "arrow1": ("#27683a", "#b9e8c2"),
        "belt2": ("#a5c8ee", "#345b8e"),
        "rail2": ("#5688c0", "#6d9fdc"),
        "arrow2": ("#1b4f8c", "#c9e1ff"),
    },
    text=_text,
    legend=_legend,
)
