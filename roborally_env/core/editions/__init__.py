"""The editions, one folder for each. Read a folder's `rules.py` first: it lists the edition's overrides."""

from roborally_env.core.editions.community import rules as community
from roborally_env.core.editions.e2005 import rules as e2005
from roborally_env.core.editions.e2016 import rules as e2016
from roborally_env.core.editions.e2023 import rules as e2023
from roborally_env.core.rule import override
from roborally_env.core.searching.distances import SHIPPED
from roborally_env.core.state import KINDS, add_kind, game_dtype, portable_dtype

__all__ = ["KINDS", "game_dtype", "portable_dtype"]

for _page in (e2016, e2005, e2023, community):
    for _kind, _overrides in _page.KINDS:
        add_kind(_kind)
        SHIPPED.add(_kind.name)
        override(_kind.name, _overrides)
