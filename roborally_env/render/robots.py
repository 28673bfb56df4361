"""Robots, and what moves or is taken: checkpoints, cubes, archive markers."""

from math import cos, pi, sin
from typing import Final

from roborally_env.courses.glyphs import number as short
from roborally_env.courses.glyphs import text_svg
from roborally_env.render.theme import PAGE, color, resolved

# one colour for each robot, distinct also for colour-blind people, and on light and dark floors
ROBOT_COLORS: Final = ("#1f77d0", "#e8640c", "#12a06e", "#d860b4", "#f4c81a", "#63c8f5", "#8a4b1c", "#c9ced6")
ROBOT_NAMES: Final = ("blue", "orange", "green", "pink", "yellow", "sky", "brown", "silver")
_DARK_INK: Final = frozenset({4, 5, 7})  # robots whose colour is light


def _outline(radii: tuple[float, ...], first: float = 0.0) -> str:
    """A closed line through points at these distances from the middle, clockwise at equal angles."""
    points = (
        f"{short(r * sin(angle))} {short(-r * cos(angle))}"
        for i, r in enumerate(radii)
        for angle in (first + 2 * pi * i / len(radii),)
    )
    return f"M{'L'.join(points)}Z"


# the body of each robot, distinct without colour
_BODIES: Final = (
    "M0 -29A29 29 0 1 1 0 29 29 29 0 1 1 0 -29Z",
    "M-27 -27H27V27H-27Z",
    _outline((31,) * 6),
    _outline((36,) * 4),
    "M-12 -29H12V-12H29V12H12V29H-12V12H-29V-12H-12Z",
    _outline((33, 25) * 8),
    _outline((33,) * 5),
    "M0 -24A12.5 12.5 0 0 1 24 0 12.5 12.5 0 0 1 0 24 12.5 12.5 0 0 1 -24 0 12.5 12.5 0 0 1 0 -24Z",
)
_NOSE: Final = "M0 -49L13 -31H-13Z"


def _eyes(shape: str, pupil: str) -> str:
    """A pair of eyes, each a shape with a pupil round (0, 0)."""
    return "".join(f'<g transform="translate({x} -23)">{shape}{pupil}</g>' for x in (-11, 11))


_WHITE: Final = 'fill="$eye" stroke="$line" stroke-width="2.5"'
_ROUND: Final = f'<circle r="8" {_WHITE}/>'
_SQUARE: Final = f'<rect x="-8" y="-7.5" width="16" height="15" rx="3" {_WHITE}/>'
_DOT: Final = '<circle cy="-2" r="4" fill="$line"/>'
_VISOR: Final = f'<rect x="-21" y="-31" width="42" height="15" rx="7.5" {_WHITE}/>'
# what each robot looks ahead with: eyes, a visor, one great eye
_FACES: Final = (
    _eyes(_ROUND, _DOT),
    _eyes(_SQUARE, '<rect x="-4" y="-6" width="8" height="8" fill="$line"/>'),
    '<rect x="-21" y="-31" width="42" height="15" rx="7.5" fill="$line"/><path d="M-13 -23.5H13" stroke="$eye" '
    'stroke-width="6" stroke-linecap="round"/>',
    f'<circle cy="-25" r="9.5" {_WHITE}/><circle cy="-27" r="5" fill="$line"/>',
    _eyes(_ROUND, '<circle cx="0" cy="-2" r="4" fill="$line"/><path d="M-9 -6L9 -6" stroke="$line" stroke-width="5"/>'),
    f'{_VISOR}<circle cx="-9" cy="-24.5" r="4.5" fill="$line"/><circle cx="9" cy="-24.5" r="4.5" fill="$line"/>',
    _eyes(f'<path d="M0 -10L9 0 0 10 -9 0Z" {_WHITE}/>', '<circle cy="-1" r="3.5" fill="$line"/>'),
    f'{_VISOR}<path d="M-9 -28V-19M0 -28V-19M9 -28V-19" stroke="$line" stroke-width="4"/>',
)


def robot_svg(number: int, *, turn: int = 0, theme: str = PAGE) -> str:
    """Robot `number` (0..7) round (0, 0), heading north, or after `turn` right turns with its number upright."""
    fill, ink = ROBOT_COLORS[number % 8], color("on-light" if number % 8 in _DARK_INK else "on-dark")
    line = f'stroke="{color("robot-line")}" stroke-linejoin="round"'
    treads = "".join(
        f'<rect x="{x}" y="-32" width="14" height="64" rx="6" fill="{color("tread")}" {line} stroke-width="2.5"/>'
        for x in (-39, 25)
    )
    body = (
        f'{treads}<path d="{_NOSE}" fill="{color("on-dark")}" {line} stroke-width="3.5"/>'
        f'<path d="{_BODIES[number % 8]}" fill="{fill}" {line} stroke-width="3.5"/>'
        f"{_FACES[number % 8].replace('$eye', color('on-dark')).replace('$line', color('robot-line'))}"
    )
    heading = f' transform="rotate({90 * turn})"' if turn else ""
    label = text_svg(str(number), 0, 0.5, 23, ink, weight=0.2)
    return resolved(
        f'<g class="rr-robot-body" data-kind="robot" data-number="{number}"><g{heading}>{body}</g>'
        f'<g class="rr-robot-label">{label}</g></g>',
        theme,
    )


def checkpoint_svg(number: int, word: str = "checkpoint", *, theme: str = PAGE) -> str:
    """A checkpoint, or flag, round (0, 0): its number in a chequered ring that shows round a robot on it."""
    line = color("flag-line")
    ring = 2 * pi * 40
    return resolved(
        f'<g data-kind="checkpoint" data-number="{number}"><title>{word} {number}</title>'
        f'<circle r="45.5" fill="{color("flag")}" stroke="{line}" stroke-width="2"/>'
        f'<circle r="40" fill="none" stroke="{line}" stroke-width="9" stroke-dasharray="{short(ring / 24)}"/>'
        f'<circle r="35" fill="none" stroke="{line}" stroke-width="2"/>'
        f"{text_svg(str(number), 0, 0, 38, line, weight=0.2)}</g>",
        theme,
    )


def cube_svg(*, theme: str = PAGE) -> str:
    """An energy cube round (0, 0)."""
    line = f'stroke="{color("cube-line")}" stroke-width="2.5" stroke-linejoin="round"'
    return resolved(
        f'<g data-kind="cube" {line}><path d="M0 -27L23 -14 0 0 -23 -14Z" fill="{color("cube-top")}"/>'
        f'<path d="M-23 -14L0 0V27L-23 13Z" fill="{color("cube")}"/>'
        f'<path d="M23 -14L0 0V27L23 13Z" fill="{color("cube-side")}"/></g>',
        theme,
    )


# the place of each robot's marker on a cell, so that several fit on one
_SPOTS: Final = ((-36, -36), (36, -36), (36, 36), (-36, 36), (0, -36), (36, 0), (0, 36), (-36, 0))


def archive_svg(number: int, *, theme: str = PAGE) -> str:
    """The archive marker of a robot, on a cell round (0, 0): a small disc at the rim, elsewhere for each robot."""
    x, y = _SPOTS[number % 8]
    ink = color("on-light" if number % 8 in _DARK_INK else "on-dark")
    return resolved(
        f'<g data-kind="archive" data-number="{number}" transform="translate({x} {y})">'
        f'<circle r="12" fill="{ROBOT_COLORS[number % 8]}" stroke="{color("robot-line")}" stroke-width="2.5"/>'
        f"{text_svg(str(number), 0, 0, 12, ink, weight=0.2)}</g>",
        theme,
    )
