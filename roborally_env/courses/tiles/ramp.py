"""A ramp: its top is one level higher than its foot."""

import re
from typing import Any

from roborally_env.courses.model import ARROWS, Element
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.values import ElementKey, direction, flag, integer


def _read(match: re.Match[str]) -> dict[str, Any]:
    return {"out": ARROWS.index(match["up"]), "level": int(match["level"]), "enabled": not match["off"]}


def _write(ramp: Element, around: Around) -> str:
    return f"R{ARROWS[ramp.out]}{ramp.level}{'' if ramp.enabled else '-'}{around.label}"


TILE = TileKind(
    name="ramp",
    editions=("community",),
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
)
