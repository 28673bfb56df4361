"""A puddle: a step out of it costs two."""

from roborally_env.courses.tile_kinds import TileKind

# water with ripples
_WATER = (
    '<path d="M-38 6C-44 -14 -24 -32 -6 -30 8 -42 36 -32 38 -12 48 8 34 32 12 30 -4 42 -34 34 -38 6Z" '
    'fill="$puddle" stroke="$puddle-line" stroke-width="4"/>'
    '<path d="M-22 -6q8 -8 16 0t16 0M-10 12q8 -8 16 0t16 0" fill="none" stroke="$puddle-line" '
    'stroke-width="4" stroke-linecap="round"/>'
)


TILE = TileKind(
    name="puddle",
    token="~",
    examples=("~",),
    meaning="puddle (community)",
    excludes=("pit",),
    dtype="u1",
    has=("puddles",),
    svg=lambda e: _WATER,
    over="pit",
    colors={"puddle": ("#8fcbe6", "#2f6c89"), "puddle-line": ("#3f8db2", "#74b9d8")},
    style="34",
    mark=lambda e: "≈≈",
    plane="spot",
    shown=lambda e, facing: 4,
)
