"""Numbers in sentences."""


def counted(number: int, noun: str) -> str:
    """'1 race', '2 races', '1,000 races': the number with its noun, which takes an s unless there is one."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
