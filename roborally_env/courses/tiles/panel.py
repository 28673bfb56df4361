"""A push panel pushes the robot on it, in its registers."""

from roborally_env.courses.tile_kinds import TileKind

TILE = TileKind(
    name="panel",
    editions=("2016", "2023", "2005", "community"),
    title="push panel",
    token="P{push}{registers}",
    examples=("P>135",),
    meaning="push panel: direction of the push, registers in which it pushes",
    no_antenna="a push panel",
)
