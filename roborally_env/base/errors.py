"""The exceptions of the package: `RoboRallyError`, and a subclass for each kind of input that can be wrong."""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from roborally_env.base.terminal import printable


class RoboRallyError(ValueError):
    """Raised for a wrong value from the caller; the message says what is wrong, where, and what is expected.

    Every public entry point raises this class or one of its subclasses, and nothing else, for wrong arguments, files
    and actions. Nothing is half-applied when it is raised. The subclasses say what was wrong: `CourseError`,
    `ActionError`, `AgentError`, `ReplayError`, `ScenarioError` or `SnapshotError`; an argument that belongs to none of
    these raises `RoboRallyError` itself.

    A message quotes files of any origin, so it has printable characters only (`terminal.printable`), and line breaks;
    of a long one the middle is left out.
    """

    def __init__(self, *words: object) -> None:
        super().__init__(*(_shortened(printable(word, "\n")) if isinstance(word, str) else word for word in words))


class CourseError(RoboRallyError):
    """Raised for a course: an unknown name, a mistake in a course file or drawing, a wrong specification of generated
    courses, or a specification that no course fits."""


class ActionError(RoboRallyError):
    """Raised for an action: a wrong shape, dtype or range, an action that the mask forbids in strict envs, and a
    missing or unknown agent in the dict of actions."""


class AgentError(RoboRallyError):
    """Raised for an agent: an unknown name, a wrong option, a module, class or file of weights that cannot be loaded,
    and an agent whose methods raise or return something else than decisions."""


class ReplayError(RoboRallyError):
    """Raised for a replay or a saved race that cannot be read, or whose states differ when it is played again."""


class ScenarioError(RoboRallyError):
    """Raised for a scenario that cannot be read or played."""


class SnapshotError(RoboRallyError):
    """Raised for a snapshot that is damaged or was taken from another race."""


@contextmanager
def raised_as(kind: type[RoboRallyError]) -> Iterator[None]:
    """Raise an error of this kind in place of a plain `RoboRallyError`; one of another kind stays what it is.

    It is for entry points whose checks are shared with others, as those of numbers and of files, and is a decorator
    too.
    """
    try:
        yield
    except RoboRallyError as error:
        if type(error) is not RoboRallyError:
            raise
        raise kind(*error.args).with_traceback(error.__traceback__) from error.__cause__


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
