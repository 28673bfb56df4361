"""The built-in kinds of tiles, one module with a `TILE` for each."""

from roborally_env.courses.tile_kinds import add_tile
from roborally_env.courses.tiles import (
    belt,
    button,
    crusher,
    dock,
    energy,
    gear,
    laser,
    level,
    one_way,
    panel,
    pit,
    puddle,
    radiation,
    ramp,
    repair,
    stomper,
    trapdoor,
    wall,
)

# Several in one cell are listed in this order.
_KINDS = (
    level, ramp, pit, belt, gear, panel, crusher, stomper, trapdoor, one_way, puddle, radiation,
    button, repair, energy, dock, laser, wall,
)  # fmt: skip

for _module in _KINDS:
    add_tile(_module.TILE)
