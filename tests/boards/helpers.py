"""What the tests of boards share."""


def comments_of(text: str) -> list[str]:
    """The comment lines at the top of a board file, as they are."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return lines[:first]
