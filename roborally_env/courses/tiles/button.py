"""A button switches the ramps of its letters."""

import re

from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Token
from roborally_env.courses.values import ElementKey, cells

TILE = TileKind(
    name="button",
    editions=("community",),
    token=Token(re.compile("B(?P<label>([a-z][0-9]*)+)"), lambda match: {}, lambda e, around: f"B{around.label}"),
    examples=("Ba", "Bab"),
    meaning="button that switches the ramps with its letter, or letters (community)",
    keys=(ElementKey("ramps", "ramps", cells),),
    excludes=("pit",),
)
