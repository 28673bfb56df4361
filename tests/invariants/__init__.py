"""Invariants of a game, which hold for every record between two steps."""

from roborally_env.check import community, e2005, e2016, e2023  # noqa: F401  each adds its checks
from roborally_env.check.game import add_checks, check_game, must

__all__ = ["add_checks", "check_game", "must"]
