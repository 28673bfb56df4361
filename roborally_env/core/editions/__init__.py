"""The editions' compiled rules, a folder each. Read a folder's `rules.py` first: it lists the edition's overrides.

Their kinds of record are registered with the rest of the edition; see `roborally_env.editions`.
"""

from roborally_env.core.state import KINDS, game_dtype, portable_dtype

__all__ = ["KINDS", "game_dtype", "portable_dtype"]
