"""Floor of a level above 0."""

from roborally_env.courses.tile_kinds import TileKind

TILE = TileKind(
    name="level",
    editions=("community",),
    token="{level:123}",
    examples=("1", "2"),
    meaning="floor of level 1, 2 or 3 (community); floor of level 0 has no mark",
)
