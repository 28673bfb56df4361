"""A laser emitter with one to three beams; of a two-ended laser, one end."""

import re
from typing import Any

from roborally_env.courses.model import ARROWS, Element
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.values import ElementKey, direction, flag, integer


def _read(match: re.Match[str]) -> dict[str, Any]:
    beams = match["beams"]
    return {"fires": ARROWS.index(match["fires"]), "beams": len(beams), "two_ended": beams[0] == "T"}


def _write(laser: Element, _: Around) -> str:
    return ("T" if laser.two_ended else "L") * laser.beams + ARROWS[laser.fires]


TILE = TileKind(
    name="laser",
    editions=("2016", "2023", "2005", "community"),
    token=Token(re.compile("(?P<beams>L{1,3}|T{1,3})(?P<fires>[>v<^])"), _read, _write),
    examples=("L>", "LLv", "T>"),
    meaning="laser that fires that way from this cell, one letter a beam; with `T` it is one end of a two-ended laser, "
    "whose other end faces it",
    keys=(
        ElementKey("fires", "fires", direction),
        ElementKey("beams", "beams", integer(1, 3)),
        ElementKey("two_ended", "two_ended", flag, required=False),
    ),
    repeats=True,
)
