"""One small function for each kind of element that only the community edition has, floors and ramps apart."""

from roborally_env.courses import Element
from roborally_env.render.levels import link_letters
from roborally_env.render.scene import Scene, middle
from roborally_env.render.theme import color
from roborally_env.render.tiles import at, label


def puddle(scene: Scene, e: Element) -> str:
    """Water with ripples."""
    return at(
        e.x,
        e.y,
        '<path d="M-38 6C-44 -14 -24 -32 -6 -30 8 -42 36 -32 38 -12 48 8 34 32 12 30 -4 42 -34 34 -38 6Z" '
        f'fill="{color("puddle")}" stroke="{color("puddle-line")}" stroke-width="4"/>'
        f'<path d="M-22 -6q8 -8 16 0t16 0M-10 12q8 -8 16 0t16 0" fill="none" stroke="{color("puddle-line")}" '
        'stroke-width="4" stroke-linecap="round"/>',
    )


def radiation(scene: Scene, e: Element) -> str:
    """The trefoil."""
    blade = '<path d="M0 -8L0 -8M-13 -30.5A33 33 0 0 1 13 -30.5L5.2 -13A14 14 0 0 0 -5.2 -13Z"/>'
    blades = "".join(f'<g transform="rotate({turn})">{blade}</g>' for turn in (60, 180, 300))
    return at(
        e.x,
        e.y,
        f'<circle r="40" fill="{color("radiation")}" stroke="{color("radiation-line")}" stroke-width="4"/>'
        f'<g fill="{color("radiation-line")}" stroke="{color("radiation-line")}" stroke-width="3" '
        f'stroke-linejoin="round">{blades}<circle r="6"/></g>',
    )


def one_way(scene: Scene, e: Element) -> str:
    """Bars on the three sides that let nobody in, with points outwards, and an arrow where the way in is."""
    bars = "M-42 42V-42H42V42"
    points = "M-9 -42L0 -49 9 -42ZM-42 -9L-49 0 -42 9ZM42 -9L49 0 42 9Z"
    arrow = "M0 12L-13 28H-5V46H5V28H13Z"
    ink = color("one-way")
    return at(
        e.x,
        e.y,
        f'<path d="{bars}" fill="none" stroke="{ink}" stroke-width="7" stroke-linejoin="round"/>'
        f'<path d="{points}{arrow}" fill="{ink}" stroke="{ink}" stroke-width="2" stroke-linejoin="round"/>',
        e.out,
    )


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


def stomper(scene: Scene, e: Element) -> str:
    """A press between two columns, with its registers."""
    line = f'stroke="{color("stomper-line")}" stroke-width="3" stroke-linejoin="round"'
    press = (
        f'<g fill="{color("stomper")}" {line}><path d="M-44 -44H-30V44H-44ZM30 -44H44V44H30Z"/>'
        '<path d="M-30 -44H30V-32H-30Z"/><path d="M-9 -32H9V-18H-9Z"/></g>'
        f'<path d="M-27 -18H27V16H-27Z" fill="{color("stomper-line")}"/>'
        f'<path d="M-24 22L-18 32M-8 24L-5 36M8 24L5 36M24 22L18 32" {line} stroke-linecap="round"/>'
    )
    return at(e.x, e.y, press + label(_digits(e), 0, -1, 17))


def trapdoor(scene: Scene, e: Element) -> str:
    """Two flaps with hinges, and the registers in which they open."""
    line = f'stroke="{color("trapdoor-line")}" stroke-width="4" stroke-linejoin="round"'
    flaps = (
        f'<path d="M-42 -42H42V42H-42Z" fill="{color("trapdoor")}" {line}/>'
        f'<path d="M-42 -42L-10 -20V20L-42 42M42 -42L10 -20V20L42 42" fill="none" {line}/>'
        f'<path d="M-10 -20H10V20H-10Z" fill="{color("pit-deep")}" {line}/>'
        f'<path d="M-42 -24H-30M-42 24H-30M42 -24H30M42 24H30" {line} stroke-linecap="round"/>'
    )
    return at(e.x, e.y, flaps + label(_digits(e), 0, 0, 17))


def _digits(e: Element) -> str:
    return "".join(map(str, e.registers))
