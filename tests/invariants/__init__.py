"""Invariants of a game, which hold for every record between two steps."""

from tests.invariants import community, e2005, e2016, e2023  # noqa: F401  each adds its checks
from tests.invariants.game import add_checks, broken, check_game

__all__ = ["add_checks", "broken", "check_game"]
