"""The 2016 edition played slowly: `Race.play(scenario) -> outcome`; `scenario(seed)` draws one at random."""

from .generate import scenario
from .race import Race

__all__ = ["Race", "scenario"]
