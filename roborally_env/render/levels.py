"""Floors, ramps and the ledges between them, seen from above (community edition).

The higher a floor, the stronger its colour. A ledge is a line with strokes downhill and a shade at its foot, which is
wider for a higher ledge. A ramp that is on has chevrons uphill and rails at its sides; a ramp that is off is floor with
a dashed line.
"""

from collections.abc import Iterator

from roborally_env.courses import STEP, Element
from roborally_env.courses.heights import CLOSED
from roborally_env.render.glyphs import text_svg
from roborally_env.render.scene import CELL, HALF, Scene, middle
from roborally_env.render.shapes import at
from roborally_env.render.theme import color

_STRIPS = 8  # of the slope of a ramp
_CHEVRONS = "M-24 30L0 14 24 30M-24 8L0 -8 24 8M-24 -14L0 -30 24 -14"


def level(scene: Scene, e: Element) -> str:
    """A raised floor with its number."""
    return _ground(e.x, e.y, e.level) + _number(e.x, e.y, e.level)


def ramp(scene: Scene, e: Element) -> str:
    """A ramp as it is now, with its letter where a button switches it."""
    return _ramp_on(scene, e) if (e.x, e.y) in scene.heights.on else _ramp_off(scene, e)


def both_ramps(scene: Scene, e: Element) -> str:
    """A ramp on and off, one over the other and one of them hidden, for pages that switch it."""
    hidden = 'display="none"'
    is_on = (e.x, e.y) in scene.heights.on
    on, off = scene.with_ramp((e.x, e.y), True), scene.with_ramp((e.x, e.y), False)
    return (
        f'<g class="rr-on" {"" if is_on else hidden}>{_ramp_on(on, e)}</g>'
        f'<g class="rr-off" {hidden if is_on else ""}>{_ramp_off(off, e)}</g>'
    )


def ledges(scene: Scene) -> str:
    """The ledges of a course, but for those at ramps, which come and go with them."""
    parts = []
    for y in range(scene.course.height):
        for x in range(scene.course.width):
            parts += [_ledge(x, y, side, drop) for side, drop in _drops(scene, x, y)]
    return f'<g class="rr-ledges">{"".join(parts)}</g>' if parts else ""


def _drops(scene: Scene, x: int, y: int) -> Iterator[tuple[int, int]]:
    """(side, levels) of each ledge down from a cell to one that is no ramp either."""
    if not scene.course.on_board(x, y) or (x, y) in scene.heights.ramps:
        return
    for side, (dx, dy) in enumerate(STEP):
        beyond = (x + dx, y + dy)
        if scene.course.on_board(*beyond) and beyond not in scene.heights.ramps:
            drop = scene.heights.level((x, y)) - scene.heights.level(beyond)
            if drop > 0:
                yield side, drop


def _ledges_of_ramp(scene: Scene, e: Element) -> str:
    """The ledges at the edges of a ramp's cell, up or down."""
    parts = []
    for side, (dx, dy) in enumerate(STEP):
        here, beyond = scene.height((e.x, e.y), side), (e.x + dx, e.y + dy)
        if not scene.course.on_board(*beyond) or here == CLOSED:
            continue
        there = scene.height(beyond, (side + 2) & 3)
        if there == CLOSED or here == there:
            continue
        upper = (e.x, e.y, side) if here > there else (*beyond, (side + 2) & 3)
        parts.append(_ledge(*upper, abs(here - there)))
    return "".join(parts)


def _ramp_on(scene: Scene, e: Element) -> str:
    rise = "".join(
        f'<rect x="-50" y="{HALF - CELL * (i + 1) / _STRIPS:g}" width="100" height="{CELL / _STRIPS:g}" '
        f'opacity="{(i + 1) / (_STRIPS + 1):.2f}"/>'
        for i in range(_STRIPS)
    )
    slope = (
        f'<g fill="{color(f"level{e.level + 1}")}">{rise}</g>'
        f'<path d="{_CHEVRONS}" fill="none" stroke="{color("ramp")}" stroke-width="8" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
        f'<path d="M-46 49V-49M46 49V-49" stroke="{color("ledge")}" stroke-width="7"/>'
    )
    return _ground(e.x, e.y, e.level) + _turned(e, slope) + _ledges_of_ramp(scene, e) + _letter(scene, e)


def _ramp_off(scene: Scene, e: Element) -> str:
    outline = (
        f'<g fill="none" stroke="{color("ramp-off")}" stroke-width="4" stroke-dasharray="9 7">'
        f'<path d="M-43 -43H43V43H-43Z"/><path d="{_CHEVRONS}" stroke-width="3"/></g>'
    )
    number = _number(e.x, e.y, e.level) if e.level else ""
    return _ground(e.x, e.y, e.level) + _turned(e, outline) + _ledges_of_ramp(scene, e) + number + _letter(scene, e)


def _turned(e: Element, content: str) -> str:
    cx, cy = middle(e.x, e.y)
    return f'<g transform="translate({cx} {cy}) rotate({90 * e.out})">{content}</g>'


def _ground(x: int, y: int, height: int) -> str:
    fill = color(f"level{height}" if height else "floor")
    return (
        f'<rect x="{x * CELL}" y="{y * CELL}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{color("grid")}" '
        'stroke-width="2"/>'
    )


def _number(x: int, y: int, height: int) -> str:
    ink = color("ramp")
    return f'<g opacity=".75">{text_svg(str(height), x * CELL + 23, y * CELL + 24, 14, ink, weight=0.17)}</g>'


def _letter(scene: Scene, e: Element) -> str:
    letter = scene.labels[e.x, e.y, "ramp"]
    return link_letters(letter, e.x * CELL + 84 - 5 * len(letter), e.y * CELL + 83) if letter else ""


def button(scene: Scene, e: Element) -> str:
    """A round button on a plate, with the letters of its ramps."""
    letters = scene.labels[e.x, e.y, "button"]
    cx, cy = middle(e.x, e.y)
    knob = (
        f'<rect x="-36" y="-36" width="72" height="72" rx="14" fill="{color("stomper")}" '
        f'stroke="{color("stomper-line")}" stroke-width="3"/><circle r="27" fill="{color("button-line")}"/>'
        f'<circle cy="-4" r="24" fill="{color("button")}" stroke="{color("button-line")}" stroke-width="3"/>'
        '<path d="M-13 -15A19 19 0 0 1 13 -15" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="4" '
        'stroke-linecap="round"/>'
    )
    return at(e.x, e.y, knob) + (link_letters(letters, cx, cy + 1) if letters else "")


def link_letters(letters: str, cx: float, cy: float) -> str:
    """The letters of ramps on a small plate."""
    half = 8 + 5.5 * len(letters)
    return (
        f'<rect x="{cx - half:g}" y="{cy - 12:g}" width="{2 * half:g}" height="24" rx="7" fill="{color("link")}" '
        f'stroke="{color("link-ink")}" stroke-width="2"/>{text_svg(letters, cx, cy, 14, color("link-ink"), weight=0.2)}'
    )


def links(scene: Scene) -> str:
    """A thin line from each button to each of its ramps."""
    lines = []
    for e in scene.course.elements:
        for cell in e.ramps:
            (x0, y0), (x1, y1) = middle(e.x, e.y), middle(*cell)
            lines.append(f"M{x0} {y0}L{x1} {y1}")
    style = f'stroke="{color("link")}" stroke-width="4" stroke-dasharray="2 10" stroke-linecap="round" opacity=".8"'
    return f'<path class="rr-links" d="{"".join(lines)}" {style}/>' if lines else ""


def _ledge(x: int, y: int, side: int, drop: int) -> str:
    """The edge of a floor at one side of its cell, with a drop of `drop` levels."""
    cx, cy = middle(x, y)
    shade = "".join(
        f'<rect x="-50" y="{-HALF - wide}" width="100" height="{wide}"/>' for wide in (8 * drop, 14 * drop, 20 * drop)
    )
    strokes = "".join(f"M{i} -50V{-50 + 13}" for i in range(-45, 50, 10))
    double = "M-50 -44H50" if drop > 1 else ""
    return (
        f'<g transform="translate({cx} {cy}) rotate({90 * side})"><g fill="{color("shade")}" opacity=".2">{shade}</g>'
        f'<path d="M-50 -49H50{double}" stroke="{color("ledge")}" stroke-width="6"/>'
        f'<path d="{strokes}" stroke="{color("ledge")}" stroke-width="2.5" opacity=".7"/></g>'
    )
