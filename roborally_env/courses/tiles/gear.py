"""A gear turns a robot on it by a quarter."""

from collections.abc import Iterable
from math import cos, pi, sin

from roborally_env.courses.glyphs import number
from roborally_env.courses.model import Element
from roborally_env.courses.pictures import Entry, Letters
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind


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


def _svg(gear: Element) -> str:
    """A toothed wheel with an arrow round its hub."""
    ink, flip = ("$cw", "") if gear.turn > 0 else ("$ccw", ' transform="scale(-1 1)"')
    return (
        f'<path d="{_WHEEL}" fill="$gear" stroke="$gear-line" stroke-width="3" '
        f'stroke-linejoin="round"/><g{flip}><path d="{_SWEEP}" fill="none" stroke="{ink}" stroke-width="8" '
        f'stroke-linecap="round"/><path d="{_SWEEP_HEAD}" fill="{ink}"/></g><circle r="5" fill="$gear-line"/>'
    )


def _text(gear: Element, scene: Scene) -> Iterable[Letters]:
    """An arrow, and a word unless a checkpoint needs the room."""
    arrow, word = ("↻", " cw") if gear.turn > 0 else ("↺", " ccw")
    crowded = any((gear.x, gear.y) == (x, y) for _, x, y in scene.checkpoints)
    yield Letters(arrow if crowded else arrow + word, "gear", 0, 0)


TILE = TileKind(
    name="gear",
    token="{turn}",
    examples=("cw", "ccw"),
    meaning="gear, clockwise or counter-clockwise",
    excludes=("belt",),
    fills=("carrier",),
    no_antenna="a gear",
    svg=_svg,
    over="belt",
    colors={
        "gear": ("#c3c2bf", "#575d67"),
        "gear-line": ("#77767a", "#8e95a1"),
        "cw": ("#1f7a45", "#7ddc9d"),
        "ccw": ("#a8362b", "#ff9d8f"),
    },
    text=_text,
    legend=lambda gears, scene: [Entry("↻ ↺", "gear", "gear")],
)
