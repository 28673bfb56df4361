"""The one exception class of the package."""

import difflib
from collections.abc import Iterable


class RoboRallyError(ValueError):
    """Raised for a wrong value from the caller; the message says what is wrong, where, and what is expected.

    Every public entry point raises this class, and nothing else, for bad arguments, course
    files, actions, snapshots and scenario files. Nothing is half-applied when it is raised.
    """


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean ...?)' with up to three known names near `word`, or the empty string."""
    close = difflib.get_close_matches(str(word).lower(), list(known), n=3, cutoff=0.5)
    return f" (did you mean {', '.join(close)}?)" if close else ""
