"""A gear turns a robot on it by a quarter."""

from roborally_env.courses.tile_kinds import TileKind

TILE = TileKind(
    name="gear",
    editions=("2016", "2023", "2005", "community"),
    token="{turn}",
    examples=("cw", "ccw"),
    meaning="gear, clockwise or counter-clockwise",
    excludes=("belt",),
    fills=("carrier",),
    no_antenna="a gear",
)
