"""The community edition played slowly: `play(scenario) -> outcome`."""

from .race import BadScenario, NeedsChance, Race, play

__all__ = ["BadScenario", "NeedsChance", "Race", "play"]
