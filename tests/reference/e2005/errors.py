"""Why the reference cannot play a scenario."""


class BadScenario(ValueError):
    """The scenario names something that cannot be."""


class Undetermined(Exception):
    """The scenario goes on with a card that only a shuffle can tell. The reference has no generator."""
