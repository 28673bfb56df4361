"""Walls: they are drawn between the cells and have no token."""

from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.values import ElementKey, directions

TILE = TileKind(
    name="wall",
    editions=("2016", "2023", "2005", "community"),
    meaning="wall, drawn between the cells",
    keys=(ElementKey("sides", "sides", directions),),
    repeats=True,
    fills=(),
)
