"""The built-in kinds of tiles, one module with a `TILE` for each. A new module here is a new kind."""

from importlib import import_module
from pkgutil import iter_modules

from roborally_env.courses.tile_kinds import add_tile

# Several in one cell are listed in this order; kinds that it does not name come after them.
_ORDER = (
    "level", "ramp", "pit", "belt", "gear", "panel", "crusher", "stomper", "trapdoor", "one_way", "puddle", "radiation",
    "button", "repair", "energy", "dock", "laser", "wall",
)  # fmt: skip

for _name in dict.fromkeys((*_ORDER, *sorted(module.name for module in iter_modules(__path__)))):
    _kind = import_module(f"{__name__}.{_name}").TILE
    add_tile(_kind, _kind.editions)
