"""Belts: a bed with rails along its way, curved at turns, with as many chevrons as its speed."""

from math import cos, pi, sin

from roborally_env.courses import STEP, Element
from roborally_env.render.glyphs import number
from roborally_env.render.scene import HALF, middle
from roborally_env.render.theme import color

_BED, _RAIL = 68, 78  # widths
_OVER = 0.6  # how far a bed goes on into the next cell, so that no seam shows
_CHEVRON = ((-14, 9), (0, -9), (14, 9))  # heading north
# speed -> places of the chevrons on the way through the cell, 0..1; merging belts have them on the common last part
_PLACES = {1: (0.5,), 2: (0.3, 0.7)}
_MERGED = {1: (0.72,), 2: (0.46, 0.82)}


def rails(belts: list[Element]) -> str:
    """The edges of all belts, one path for each speed. Beds cover them, so that merging belts look like one."""
    parts = []
    for speed in (1, 2):
        ways = "".join(_way(belt, feed) for belt in belts if belt.speed == speed for feed in _feeds(belt))
        if ways:
            parts.append(f'<path d="{ways}" fill="none" stroke="{color(f"rail{speed}")}" stroke-width="{_RAIL}"/>')
    return "".join(parts)


def belt(element: Element) -> str:
    """The bed and the chevrons."""
    feeds = _feeds(element)
    ways = "".join(_way(element, feed) for feed in feeds)
    if len(feeds) == 1:
        marks = "".join(_chevron(element, feeds[0], place) for place in _PLACES[element.speed])
    else:
        marks = "".join(_chevron(element, (element.out + 2) & 3, place) for place in _MERGED[element.speed])
    return (
        f'<path d="{ways}" stroke="{color(f"belt{element.speed}")}" stroke-width="{_BED}" stroke-linecap="butt"/>'
        f'<path d="{marks}" stroke="{color(f"arrow{element.speed}")}"/>'
    )


def _feeds(element: Element) -> tuple[int, ...]:
    return element.feeds or ((element.out + 2) & 3,)


def _way(element: Element, feed: int) -> str:
    """The line from the middle of the side that feeds to that of the side to which the belt carries."""
    x, y = middle(element.x, element.y)
    (fx, fy), (ox, oy) = STEP[feed], STEP[element.out]
    far = HALF + _OVER
    start = f"M{number(x + far * fx)} {number(y + far * fy)}"
    end = f"{number(x + far * ox)} {number(y + far * oy)}"
    turn = (feed - element.out) & 3
    if turn == 2:
        return f"{start}L{end}"
    bend = f"A{HALF} {HALF} 0 0 {int(turn == 1)} {x + HALF * ox} {y + HALF * oy}"
    return f"{start}L{x + HALF * fx} {y + HALF * fy}{bend}L{end}"


def _chevron(element: Element, feed: int, place: float) -> str:
    """A chevron at a place on the way from a side, heading along it."""
    across, along, angle = _at((feed - element.out) & 3, place)
    turn = angle + element.out * pi / 2
    x, y = middle(element.x, element.y)
    x0, y0 = _turned(across, along, element.out * pi / 2)
    points = (_turned(dx, dy, turn) for dx, dy in _CHEVRON)
    return "M" + "L".join(f"{number(x + x0 + dx)} {number(y + y0 + dy)}" for dx, dy in points)


def _at(turn: int, place: float) -> tuple[float, float, float]:
    """(x, y) from the middle of the cell and the heading, at a place on a way that leads out to the north."""
    if turn == 2:
        return 0.0, HALF - 2 * HALF * place, 0.0
    side = 1 if turn == 1 else -1  # the corner round which it bends lies on that side
    angle = place * pi / 2
    return side * (HALF - HALF * sin(angle)), -HALF + HALF * cos(angle), side * (angle - pi / 2)


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A right turn."""
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
