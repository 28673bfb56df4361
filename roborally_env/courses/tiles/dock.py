"""A start space, with its number or without."""

import re

from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Token
from roborally_env.courses.values import ElementKey, integer

TILE = TileKind(
    name="dock",
    editions=("2016", "2023", "2005", "community"),
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
)
