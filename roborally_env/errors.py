"""The one exception class of the package."""

import difflib
from collections.abc import Iterable

from roborally_env.terminal import printable


class RoboRallyError(ValueError):
    """Raised for a wrong value from the caller; the message says what is wrong, where, and what is expected.

    Every public entry point raises this class, and nothing else, for bad arguments, course
    files, actions, snapshots and scenario files. Nothing is half-applied when it is raised.

    A message quotes files of any origin, so it has printable characters only (`terminal.printable`), and line breaks;
    of a long one the middle is left out.
    """

    def __init__(self, *words: object) -> None:
        super().__init__(*(_shortened(printable(word, "\n")) if isinstance(word, str) else word for word in words))


def _shortened(message: str, most: int = 2000) -> str:
    """A message with dots in place of its middle if it is long, as with a name of a megabyte that it quotes."""
    half = (most - len(" ... ")) // 2
    return message if len(message) <= most else f"{message[:half]} ... {message[-half:]}"


SHOWN = 60  # characters of a value in a message


def cut(text: str, most: int = SHOWN) -> str:
    """A text, with dots in place of its end where it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."


def listed(names: Iterable[str], most: int = 160) -> str:
    """Names with commas between; of a long list the first ones and how many there are."""
    names = list(names)
    text = ", ".join(names)
    if len(text) <= most:
        return text
    return f"{text[:most].rpartition(', ')[0]}, ... ({len(names)} in all)"


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean ...?)' with up to three known names near `word`, or the empty string."""
    if len(str(word)) > SHOWN:  # no name is so long, and looking takes time
        return ""
    close = difflib.get_close_matches(str(word).lower(), list(known), n=3, cutoff=0.5)
    return f" (did you mean {', '.join(close)}?)" if close else ""


def one_line(error: BaseException) -> str:
    """The class of an error and the first line of its message, in printable characters."""
    message = printable(next(iter(str(error).strip().splitlines()), ""))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
