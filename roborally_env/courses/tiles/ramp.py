"""A ramp: its top is one level higher than its foot.

A ramp that is on has chevrons uphill and rails at its sides; a ramp that is off is floor with a dashed line.
"""

import re
from collections.abc import Iterable

from roborally_env.base.types import JsonObject
from roborally_env.courses.heights import CLOSED
from roborally_env.courses.model import ARROWS, STEP, Element
from roborally_env.courses.pictures import CELL, HALF, WIDE, Entry, Letters, link_letters, turned
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.tiles.level import ground, ledge, number
from roborally_env.courses.values import ElementKey, direction, flag, integer

_STRIPS = 8  # of the slope
_CHEVRONS = "M-24 30L0 14 24 30M-24 8L0 -8 24 8M-24 -14L0 -30 24 -14"
_LETTERS = {True: "▲►▼◄", False: "△▷▽◁"}


def _read(match: re.Match[str]) -> JsonObject:
    return {"out": ARROWS.index(match["up"]), "level": int(match["level"]), "enabled": not match["off"]}


def _write(ramp: Element, around: Around) -> str:
    return f"R{ARROWS[ramp.out]}{ramp.level}{'' if ramp.enabled else '-'}{around.label}"


def _picture(ramp: Element, scene: Scene) -> str:
    """The ramp as it is now; for pages that switch it on and off, one over the other and one of them hidden."""
    cell = ramp.x, ramp.y
    is_on = cell in scene.heights.on
    if not scene.both_ramps:
        return _on(ramp, scene) if is_on else _off(ramp, scene)
    hidden = 'display="none"'
    return (
        f'<g class="rr-on" {"" if is_on else hidden}>{_on(ramp, scene.with_ramp(cell, True))}</g>'
        f'<g class="rr-off" {hidden if is_on else ""}>{_off(ramp, scene.with_ramp(cell, False))}</g>'
    )


def _on(ramp: Element, scene: Scene) -> str:
    rise = "".join(
        f'<rect x="-50" y="{HALF - CELL * (i + 1) / _STRIPS:g}" width="100" height="{CELL / _STRIPS:g}" '
        f'opacity="{(i + 1) / (_STRIPS + 1):.2f}"/>'
        for i in range(_STRIPS)
    )
    slope = (
        f'<g fill="$level{ramp.level + 1}">{rise}</g>'
        f'<path d="{_CHEVRONS}" fill="none" stroke="$ramp" stroke-width="8" stroke-linecap="round" '
        'stroke-linejoin="round"/><path d="M-46 49V-49M46 49V-49" stroke="$ledge" stroke-width="7"/>'
    )
    return ground(ramp) + turned(ramp.x, ramp.y, ramp.out, slope) + _ledges(ramp, scene) + _label(ramp, scene)


def _off(ramp: Element, scene: Scene) -> str:
    outline = (
        '<g fill="none" stroke="$ramp-off" stroke-width="4" stroke-dasharray="9 7">'
        f'<path d="M-43 -43H43V43H-43Z"/><path d="{_CHEVRONS}" stroke-width="3"/></g>'
    )
    level = number(ramp) if ramp.level else ""
    drawn = turned(ramp.x, ramp.y, ramp.out, outline)
    return ground(ramp) + drawn + _ledges(ramp, scene) + level + _label(ramp, scene)


def _label(ramp: Element, scene: Scene) -> str:
    letters = scene.labels[ramp.x, ramp.y, "ramp"]
    return link_letters(letters, ramp.x * CELL + 84 - 5 * len(letters), ramp.y * CELL + 83)


def _ledges(ramp: Element, scene: Scene) -> str:
    """The ledges at the edges of its cell, up or down."""
    parts = []
    for side, (dx, dy) in enumerate(STEP):
        here, beyond = scene.height((ramp.x, ramp.y), side), (ramp.x + dx, ramp.y + dy)
        if not scene.course.on_board(*beyond) or here == CLOSED:
            continue
        there = scene.height(beyond, (side + 2) & 3)
        if there == CLOSED or here == there:
            continue
        upper = (ramp.x, ramp.y, side) if here > there else (*beyond, (side + 2) & 3)
        parts.append(ledge(*upper, abs(here - there)))
    return "".join(parts)


def _text(ramp: Element, scene: Scene) -> Iterable[Letters]:
    label = scene.labels[ramp.x, ramp.y, "ramp"]
    arrow = _LETTERS[(ramp.x, ramp.y) in scene.heights.on][ramp.out]
    yield Letters((arrow * (WIDE - len(label)) + label)[:WIDE], "ramp", 0, 0)


TILE = TileKind(
    name="ramp",
    token=Token(re.compile("R(?P<up>[>v<^])(?P<level>[012])(?P<off>-?)(?P<label>([a-z][0-9]*)?)"), _read, _write),
    examples=("R^0", "R>1a", "R<0-b"),
    meaning="ramp: the direction in which it rises, and the level of its foot; with `-` it is off at the start. A "
    "letter at the end is that of its buttons (community)",
    keys=(
        ElementKey("up", "out", direction),
        ElementKey("level", "level", integer(0, 2)),
        ElementKey("enabled", "enabled", flag, required=False),
    ),
    excludes=(*("level", "pit", "belt", "gear", "panel", "stomper", "trapdoor", "button", "repair", "energy", "dock"),),
    picture=_picture,
    over="level",
    colors={"ramp": ("#7a5a24", "#f0d9a4"), "ramp-off": ("#8f8a80", "#7c838f")},
    text=_text,
    legend=lambda ramps, scene: [Entry("►►► ▷▷▷", "ramp", "ramp up, on or off")],
)
