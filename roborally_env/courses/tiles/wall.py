"""Walls: they are drawn between the cells and have no token."""

from collections.abc import Sequence

from roborally_env.courses.model import STEP, Element
from roborally_env.courses.pictures import BAR, BAR_LINE, HALF, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.values import ElementKey, directions


def _bars(wall: Element) -> str:
    """A line along each of its sides."""
    parts = []
    for side in wall.sides:
        dx, dy = STEP[side]
        x, y = middle(wall.x, wall.y)
        x, y = x + HALF * dx, y + HALF * dy
        parts.append(f"M{x - HALF * abs(dy)} {y - HALF * abs(dx)}L{x + HALF * abs(dy)} {y + HALF * abs(dx)}")
    return "".join(parts)


def _outline(walls: Sequence[Element], scene: Scene) -> str:
    """The outline of all walls, under them, so that walls that meet become one."""
    bars = "".join(map(_bars, walls))
    return f'<path d="{bars}" stroke="$wall-line" stroke-width="{BAR_LINE}" stroke-linecap="round"/>' if bars else ""


TILE = TileKind(
    name="wall",
    meaning="wall, drawn between the cells",
    keys=(ElementKey("sides", "sides", directions),),
    repeats=True,
    fills=(),
    picture=lambda wall, scene: f'<path d="{_bars(wall)}"/>',
    under=_outline,
    attributes=f'stroke="$wall" stroke-width="{BAR}" stroke-linecap="round"',
    over="one_way",
    colors={"wall": ("#e0a21f", "#e9b13a"), "wall-line": ("#54400f", "#171307")},
)
