"""The 2005 edition played slowly: `play(scenario) -> outcome`."""

from .race import BadScenario, Undetermined, play

__all__ = ["BadScenario", "Undetermined", "play"]
