"""A start space, with its number or without."""

import re
from collections.abc import Iterable, Sequence

from roborally_env.courses.glyphs import text_svg
from roborally_env.courses.model import Element
from roborally_env.courses.pictures import Entry, Letters, at, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Token
from roborally_env.courses.values import ElementKey, integer

_BAY = (
    '<path d="M-36 -22V28A8 8 0 0 0 -28 36H28A8 8 0 0 0 36 28V-22" fill="$dock" '
    'stroke="$dock-line" stroke-width="5" stroke-linecap="round"/>'
    '<path d="M-13 -26L0 -38 13 -26" fill="none" stroke="$dock-line" stroke-width="6" '
    'stroke-linecap="round" stroke-linejoin="round"/>'
)


def _picture(dock: Element, scene: Scene) -> str:
    """A bay with its number, open to the side to which robots start."""
    name = text_svg(str(dock.number), *middle(dock.x, dock.y), 32, "$dock-line", weight=0.17) if dock.number > 0 else ""
    return at(dock.x, dock.y, _BAY, scene.course.start_facing) + name


def _legend(docks: Sequence[Element], scene: Scene) -> Iterable[Entry]:
    numbered = any(number for number, _, _ in scene.course.docks)
    yield Entry("dock1" if numbered else "dock", "dock", "start space")


TILE = TileKind(
    name="dock",
    title="start space",
    token=Token(
        re.compile("d(?P<number>[1-8]?)"),
        lambda match: {"number": int(match["number"] or 0)},
        lambda e, _: f"d{e.number or ''}",
    ),
    examples=("d", "d3"),
    meaning="start space, without or with a number",
    keys=(ElementKey("number", "number", integer(0, 8)),),
    no_antenna="a robot's start space",
    picture=_picture,
    over="energy",
    colors={"dock": ("#f4f5f7", "#3f4754"), "dock-line": ("#6d7787", "#a3aebf")},
    text=lambda dock, scene: [Letters(f"dock{dock.number or ''}", "dock")],
    legend=_legend,
)
