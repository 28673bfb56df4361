"""A pit: a robot on it falls."""

from roborally_env.courses.tile_kinds import TileKind

TILE = TileKind(
    name="pit",
    editions=("2016", "2023", "2005", "community"),
    token="O",
    examples=("O",),
    meaning="pit",
    excludes=("belt", "gear", "panel", "crusher", "repair", "energy", "dock"),
    fills=("carrier", "ramp"),
    no_antenna="a pit",
)
