"""A push panel pushes the robot on it, in its registers."""

from collections.abc import Iterable

from roborally_env.courses.glyphs import text_svg
from roborally_env.courses.model import EDITIONS, STEP, Element
from roborally_env.courses.pictures import BAR, BAR_LINE, POINTERS, WIDE, Entry, Letters, at, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind

_BACK = (  # a wall, listed or not
    f'<path d="M-50 50H50" stroke="$wall-line" stroke-width="{BAR_LINE}" stroke-linecap="round"/>'
    f'<path d="M-50 50H50" stroke="$wall" stroke-width="{BAR}" stroke-linecap="round"/>'
)
_PLATE = (
    '<rect x="-45" y="20" width="90" height="26" rx="5" fill="$panel" stroke="$panel-line" '
    'stroke-width="3"/><path d="M0 -38L25 -10H10V16H-10V-10H-25Z" fill="$push"/>'
)


def _picture(panel: Element, scene: Scene) -> str:
    """A plate at the side from which it pushes, with its registers, and an arrow."""
    drawn = (_BACK if EDITIONS[scene.course.edition].backs else "") + _PLATE
    return at(panel.x, panel.y, drawn, panel.push) + _registers(panel, (panel.push + 2) & 3)


def _registers(panel: Element, side: int) -> str:
    """The registers, upright, along one side of the cell."""
    x, y = middle(panel.x, panel.y)
    dx, dy = STEP[side]
    first, apart = -(len(panel.registers) - 1) / 2, 25 if len(panel.registers) < 4 else 17
    spots = ((k, apart * (first + i)) for i, k in enumerate(panel.registers))
    return "".join(
        text_svg(str(k), x + 33 * dx + along * abs(dy), y + 33 * dy + along * abs(dx), 15, "$panel-line", weight=0.2)
        for k, along in spots
    )


def _text(panel: Element, scene: Scene) -> Iterable[Letters]:
    registers = "1-5" if len(panel.registers) == 5 else "".join(map(str, panel.registers))
    yield Letters(f"P{POINTERS[panel.push]}{registers}"[-WIDE:], "panel", 0, 0)


TILE = TileKind(
    name="panel",
    title="push panel",
    token="P{push}{registers}",
    examples=("P>135",),
    meaning="push panel: direction of the push, registers in which it pushes",
    no_antenna="a push panel",
    picture=_picture,
    over="trapdoor",
    colors={"panel": ("#f3c64b", "#d8a92c"), "panel-line": ("#5c4510", "#2a1f06"), "push": ("#8a6a1d", "#f0cf77")},
    text=_text,
    legend=lambda panels, scene: [Entry("P→24", "panel", "push panel, registers")],
)
