"""Why the reference cannot play a scenario."""

from tests.reference.cards import BadScenario, NeedsChance

__all__ = ["BadScenario", "NeedsChance"]
