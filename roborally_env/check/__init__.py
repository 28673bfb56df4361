"""Invariants of a game: what holds for every record between two steps."""

from roborally_env.check.e2016 import check_game

__all__ = ["check_game"]
