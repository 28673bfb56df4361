"""Floor of a level above 0.

The higher a floor, the stronger its colour. A ledge is a line with strokes downhill and a shade at its foot, which is
wider for a higher ledge.
"""

from roborally_env.courses.glyphs import text_svg
from roborally_env.courses.model import Element
from roborally_env.courses.pictures import CELL, HALF, turned
from roborally_env.courses.tile_kinds import TileKind


def ground(e: Element) -> str:
    """The floor of its cell, in the colour of its level."""
    fill = f"$level{e.level}" if e.level else "$floor"
    return (
        f'<rect x="{e.x * CELL}" y="{e.y * CELL}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="$grid" '
        'stroke-width="2"/>'
    )


def number(e: Element) -> str:
    """The number of its level, in the corner of the cell."""
    digits = text_svg(str(e.level), e.x * CELL + 23, e.y * CELL + 24, 14, "$ramp", weight=0.17)
    return f'<g opacity=".75">{digits}</g>'


def ledge(x: int, y: int, side: int, drop: int) -> str:
    """The edge of a floor at one side of its cell, with a drop of `drop` levels."""
    shade = "".join(
        f'<rect x="-50" y="{-HALF - wide}" width="100" height="{wide}"/>' for wide in (8 * drop, 14 * drop, 20 * drop)
    )
    strokes = "".join(f"M{i} -50V{-50 + 13}" for i in range(-45, 50, 10))
    double = "M-50 -44H50" if drop > 1 else ""
    return turned(
        x,
        y,
        side,
        f'<g fill="$shade" opacity=".2">{shade}</g><path d="M-50 -49H50{double}" stroke="$ledge" stroke-width="6"/>'
        f'<path d="{strokes}" stroke="$ledge" stroke-width="2.5" opacity=".7"/>',
    )


TILE = TileKind(
    name="level",
    token="{level:123}",
    examples=("1", "2"),
    meaning="floor of level 1, 2 or 3 (community); floor of level 0 has no mark",
    picture=lambda e, scene: ground(e) + number(e),
    over="",
    colors={  # darker light or lighter dark the higher
        "level1": ("#e2d3ad", "#463f2f"),
        "level2": ("#d3b67c", "#63563a"),
        "level3": ("#bb9450", "#836e43"),
    },
)
