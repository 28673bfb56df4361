"""Why a reference cannot play a scenario."""


class BadScenario(ValueError):
    """The scenario names something that cannot be."""


class NeedsChance(Exception):
    """The scenario goes on with a card that only a shuffle can tell. A reference has no generator."""


class Unanswered(NeedsChance):
    """A question without a default was asked, and the scenario has no answer to it."""
