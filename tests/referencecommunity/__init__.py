"""The community edition played slowly: `play(scenario) -> outcome`."""

from .racecommunity import BadScenario, NeedsChance, Race, play

__all__ = ["BadScenario", "NeedsChance", "Race", "play"]
