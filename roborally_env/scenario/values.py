"""Small checks that the readers share: each takes a value and its place; its error names the expected value."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from roborally_env.base.documents import shown
from roborally_env.base.errors import RoboRallyError, ScenarioError, cut, listed, nearest
from roborally_env.base.types import JsonObject

MISSING = object()  # the value of a key that is not there
LONGEST = 300  # characters of a message


def wrong(where: str, expected: str, value: Any) -> ScenarioError:
    """The error for a value that is not what is expected, or for a missing key."""
    if value is MISSING:
        return ScenarioError(f"{where}: missing; expected {expected}")
    return ScenarioError(f"{where}: expected {expected}, got {shown(value)}")


@contextmanager
def short(most: int = LONGEST) -> Iterator[None]:
    """Raise errors of what is done within as lines of at most `most` characters."""
    try:
        yield
    except RoboRallyError as error:
        raise ScenarioError(cut(" ".join(str(error).split()), most)) from None


def known_keys(data: JsonObject, known: tuple[str, ...], prefix: str) -> None:
    """Raise for keys that the format does not have."""
    for key in data:
        if key not in known:
            raise ScenarioError(
                f"{prefix}{cut(str(key))}: unknown key{nearest(key, known)}; expected one of {listed(known)}"
            )


def an_object(value: Any, where: str) -> JsonObject:
    """The value, if it is an object."""
    if not isinstance(value, dict):
        raise wrong(where, "an object", value)
    return value


def a_list(value: Any, where: str, expected: str) -> list[Any]:
    """The value, if it is a list; `expected` says of what."""
    if not isinstance(value, list):
        raise wrong(where, expected, value)
    return value


def all_different(given: list[Any], where: str, what: str) -> None:
    """Raise for an entry that is there twice."""
    for i, entry in enumerate(given):
        if entry in given[:i]:
            raise ScenarioError(f"{where}[{i}]: expected each {what} once, got {shown(entry)} again")


def text(value: Any, where: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise wrong(where, "text", value)
    return value


def integer(value: Any, where: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise wrong(where, f"a whole number from {low} to {high}", value)
    return value


def boolean(value: Any, where: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise wrong(where, "true or false", value)
    return value


def only(value: Any, where: str, expected: Any, edition: str) -> None:
    """Raise unless a key of other editions has the one value that this edition allows."""
    if value != expected or type(value) is not type(expected):
        raise ScenarioError(f"{where}: expected {json.dumps(expected)} in edition {edition}, got {shown(value)}")


def named(name: Any, where: str, numbers: dict[str, int], what: str) -> int:
    """The number of a card or the like by its name; `what` is "a card's" or the like."""
    if not isinstance(name, str) or name not in numbers:
        raise ScenarioError(f"{where}: expected {what} name, got {shown(name)}{nearest(str(name), numbers)}")
    return numbers[name]


def one_of(value: Any, where: str, known: Iterable[str]) -> str:
    """One of the known texts."""
    if not isinstance(value, str) or value not in known:
        raise wrong(where, f"one of {listed(known)}", value)
    return value
