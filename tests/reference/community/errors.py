"""Why the reference cannot play a scenario."""

from tests.reference.e2016.cards import BadScenario, NeedsChance

__all__ = ["BadScenario", "NeedsChance"]
