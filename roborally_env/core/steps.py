"""The steps that every edition has. Each edition defines the numbers in between and above."""

PROGRAM = 4  # waits for the players
OVER = 18  # the race is over


class Steps:
    """The steps of an edition, numbered in the order in which they are added.

    Attributes:
        names: of the steps, by number.
    """

    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, name: str) -> int:
        """Add a step and return its number, which compiled code uses."""
        self.names.append(name)
        return len(self.names) - 1
