"""Drawings of board elements that depend on more than their own cell, and helpers for all elements."""

from math import cos, pi, sin

from roborally_env.courses import EDITIONS, KINDS, STEP, Element
from roborally_env.render.glyphs import number, text_svg
from roborally_env.render.scene import CELL, HALF, Scene, middle
from roborally_env.render.theme import color, colored

BAR, _BAR_LINE = 9, 14  # widths of a wall and of its outline
_BEAM, _BEAM_GAP = 4, 12
_NOZZLE = 18  # from the middle of the cell to the end of an emitter, from which its beam comes


def at(x: int, y: int, content: str, facing: int = 0) -> str:
    """A drawing round (0, 0) that heads north, put on a cell and turned."""
    cx, cy = middle(x, y)
    turn = f" rotate({90 * facing})" if facing else ""
    return f'<g transform="translate({cx} {cy}){turn}">{content}</g>'


def tile(scene: Scene, e: Element) -> str:
    """The drawing of the tile's kind, with its registers on a plate; without a drawing its token."""
    kind = KINDS[e.kind]
    plate = label("".join(map(str, e.registers)) if kind.svg else kind.letters(e), 0, 0, 17)
    drawn = colored(kind.svg(e)) if kind.svg else ""
    if e.out > 0:
        return at(e.x, e.y, drawn, e.out) + at(e.x, e.y, plate)
    return at(e.x, e.y, drawn + plate)


def pit(scene: Scene, e: Element) -> str:
    """A hole with a rim; pits side by side are one hole."""
    open_to = [(e.x + dx, e.y + dy) in scene.pits for dx, dy in STEP]
    top, right, bottom, left = (0 if beside else 12 for beside in open_to)
    x, y = e.x * CELL, e.y * CELL
    rims = ("h100", "m100 0v100", "m0 100h100", "v100")
    rim = "".join(f"M{x} {y}{line}" for line, beside in zip(rims, open_to, strict=True) if not beside)
    deep = f"M{x + left} {y + top}H{x + CELL - right}V{y + CELL - bottom}H{x + left}Z"
    return (
        f'<path d="M{x} {y}h100v100h-100Z" fill="{color("pit")}"/><path d="{deep}" fill="{color("pit-deep")}"/>'
        f'<path d="{rim}" stroke="{color("pit-rim")}" stroke-width="4" stroke-linecap="square"/>'
    )


def gear(scene: Scene, e: Element) -> str:
    """A toothed wheel with an arrow round its hub."""
    sense = "cw" if e.turn > 0 else "ccw"
    flip = "" if e.turn > 0 else ' transform="scale(-1 1)"'
    ink = color(sense)
    return at(
        e.x,
        e.y,
        f'<path d="{_WHEEL}" fill="{color("gear")}" stroke="{color("gear-line")}" stroke-width="3" '
        f'stroke-linejoin="round"/><g{flip}><path d="{_SWEEP}" fill="none" stroke="{ink}" stroke-width="8" '
        f'stroke-linecap="round"/><path d="{_SWEEP_HEAD}" fill="{ink}"/></g>'
        f'<circle r="5" fill="{color("gear-line")}"/>',
    )


def panel(scene: Scene, e: Element) -> str:
    """A plate at the side from which it pushes, with its registers, and an arrow."""
    plate = (
        f'<rect x="-45" y="20" width="90" height="26" rx="5" fill="{color("panel")}" stroke="{color("panel-line")}" '
        f'stroke-width="3"/><path d="M0 -38L25 -10H10V16H-10V-10H-25Z" fill="{color("push")}"/>'
    )
    if EDITIONS[scene.course.edition].backs:  # a wall, listed or not
        plate = (
            f'<path d="M-50 50H50" stroke="{color("wall-line")}" stroke-width="{_BAR_LINE}" stroke-linecap="round"/>'
            f'<path d="M-50 50H50" stroke="{color("wall")}" stroke-width="{BAR}" stroke-linecap="round"/>{plate}'
        )
    return at(e.x, e.y, plate, e.push) + _registers(e, (e.push + 2) & 3)


def dock(scene: Scene, e: Element) -> str:
    """A bay with its number, open to the side to which robots start."""
    bay = (
        f'<path d="M-36 -22V28A8 8 0 0 0 -28 36H28A8 8 0 0 0 36 28V-22" fill="{color("dock")}" '
        f'stroke="{color("dock-line")}" stroke-width="5" stroke-linecap="round"/>'
        f'<path d="M-13 -26L0 -38 13 -26" fill="none" stroke="{color("dock-line")}" stroke-width="6" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )
    name = text_svg(str(e.number), *middle(e.x, e.y), 32, color("dock-line"), weight=0.17) if e.number > 0 else ""
    return at(e.x, e.y, bay, scene.course.start_facing) + name


def laser(scene: Scene, e: Element) -> str:
    """The emitter, on the side opposite to its direction, with one nozzle for each beam."""
    nozzles = "".join(f"M{x - 4} 27V{_NOZZLE}H{x + 4}V27Z" for x in _lines(e.beams))
    wide = max(18, 9 + _BEAM_GAP * (e.beams - 1) // 2 + 6)
    return at(
        e.x,
        e.y,
        f'<path d="{nozzles}" fill="{color("laser-line")}"/><path d="M{-wide} 44V33L{8 - wide} 25H{wide - 8}L{wide} 33'
        f'V44Z" fill="{color("laser")}" stroke="{color("laser-line")}" stroke-width="3" stroke-linejoin="round"/>',
        e.fires,
    )


def beam(scene: Scene, e: Element) -> str:
    """The beams of a laser, side by side, as far as they go."""
    dx, dy = STEP[e.fires]
    (x0, y0), (x1, y1) = middle(e.x, e.y), middle(*(last := scene.beam_cells(e)[-1]))
    end = 0 if last in scene.blocked else HALF - (_BAR_LINE / 2 if (*last, e.fires) in scene.walls else 0)
    lines = "".join(
        f"M{number(x0 - dx * _NOZZLE - dy * aside)} {number(y0 - dy * _NOZZLE + dx * aside)}"
        f"L{number(x1 + dx * end - dy * aside)} {number(y1 + dy * end + dx * aside)}"
        for aside in _lines(e.beams)
    )
    return f'<path d="{lines}" stroke="{color("beam")}" stroke-width="{_BEAM}" opacity=".75"/>'


def wall(scene: Scene, e: Element) -> str:
    """A bar on each of its sides."""
    return f'<path d="{_bars(e)}"/>'


def wall_lines(walls: list[Element]) -> str:
    """The outline of all walls, under them, so that walls that meet become one."""
    bars = "".join(map(_bars, walls))
    style = f'stroke="{color("wall-line")}" stroke-width="{_BAR_LINE}" stroke-linecap="round"'
    return f'<path d="{bars}" {style}/>' if bars else ""


def token(facing: int) -> str:
    """A reboot token round (0, 0) with its arrow."""
    return (
        f'<circle r="40" fill="{color("token")}" stroke="{color("token-line")}" stroke-width="4"/>'
        f'<g transform="rotate({90 * facing})" fill="none" stroke="{color("token-line")}" stroke-linejoin="round" '
        'stroke-linecap="round" stroke-width="8"><path d="M0 22V-22M-16 -7L0 -23 16 -7"/>'
        '<path d="M-25 -2A25 25 0 0 0 25 -2" stroke-width="5"/></g>'
    )


def antenna(facing: int) -> str:
    """The antenna round (0, 0), its dish open to where it faces."""
    line = f'stroke="{color("antenna-dish")}" stroke-width="6" stroke-linecap="round" fill="none"'
    return (
        f'<rect x="-46" y="-46" width="92" height="92" rx="14" fill="{color("antenna")}" '
        f'stroke="{color("antenna-line")}" stroke-width="4"/><g transform="rotate({90 * facing})">'
        f'<path d="M-28 -4A28 28 0 0 0 28 -4Z" fill="{color("antenna-dish")}"/><path d="M0 22V34M-14 36H14" {line}/>'
        f'<circle cy="-12" r="5" fill="{color("antenna-dish")}"/>'
        f'<path d="M-11 -22A14 14 0 0 1 11 -22M-19 -30A25 25 0 0 1 19 -30" {line}/></g>'
    )


def _registers(e: Element, side: int) -> str:
    """The registers of a panel, upright, along one side of its cell."""
    x, y = middle(e.x, e.y)
    dx, dy = STEP[side]
    ink, first = color("panel-line"), -(len(e.registers) - 1) / 2
    spots = ((k, 25 * (first + i) if len(e.registers) < 4 else 17 * (first + i)) for i, k in enumerate(e.registers))
    return "".join(
        text_svg(str(k), x + 33 * dx + along * abs(dy), y + 33 * dy + along * abs(dx), 15, ink, weight=0.2)
        for k, along in spots
    )


def label(text: str, x: float, y: float, height: float) -> str:
    """Digits on a small plate."""
    if not text:
        return ""
    half = 9 + 5 * len(text)
    return (
        f'<rect x="{x - half}" y="{y - 13}" width="{2 * half}" height="26" rx="6" fill="{color("panel")}" '
        f'stroke="{color("panel-line")}" stroke-width="2.5"/>'
        f"{text_svg(text, x, y, height * 0.85, color('panel-line'), weight=0.2)}"
    )


def _lines(beams: int) -> list[float]:
    """The offset of each beam from the middle."""
    return [_BEAM_GAP * (i - (beams - 1) / 2) for i in range(beams)]


def _bars(e: Element) -> str:
    parts = []
    for side in e.sides:
        dx, dy = STEP[side]
        x, y = middle(e.x, e.y)
        x, y = x + HALF * dx, y + HALF * dy
        parts.append(f"M{x - HALF * abs(dy)} {y - HALF * abs(dx)}L{x + HALF * abs(dy)} {y + HALF * abs(dx)}")
    return "".join(parts)


def _wheel(teeth: int = 9, inner: float = 36, outer: float = 45) -> str:
    """The outline of a toothed wheel."""
    points = []
    for tooth in range(teeth):
        for part, radius in ((-0.30, inner), (-0.19, outer), (0.19, outer), (0.30, inner)):
            angle = 2 * pi * (tooth + part) / teeth
            points.append(f"{number(radius * sin(angle))} {number(-radius * cos(angle))}")
    return f"M{'L'.join(points)}Z"


_WHEEL = _wheel()
_SWEEP = "M-21.7 -8A23 23 0 1 1 -11.5 20"  # clockwise, almost round
_SWEEP_HEAD = "M-24 11L-7 8 -6 31Z"
