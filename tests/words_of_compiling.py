"""What the simulator says of compiling: on an empty cache, or where another process of the tests compiles the same."""

BEGINNINGS = (
    "roborally_env: compiling the simulator",
    "roborally_env: waiting for another process that compiles the simulator",
)


def without_compiling(text: str) -> str:
    """The text without these lines."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(BEGINNINGS))
