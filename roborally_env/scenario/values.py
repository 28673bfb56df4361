"""Small checks that the readers share: each takes a value and its place; its error names the expected value."""

import json
from collections.abc import Iterable
from typing import Any

from roborally_env.errors import RoboRallyError, nearest


def known_keys(data: dict[str, Any], known: tuple[str, ...], prefix: str) -> None:
    """Raise for keys that the format does not have."""
    for key in data:
        if key not in known:
            raise RoboRallyError(f"{prefix}{key}: unknown key{nearest(key, known)}; expected one of {', '.join(known)}")


def an_object(value: Any, where: str) -> dict[str, Any]:
    """The value, if it is an object."""
    if not isinstance(value, dict):
        raise RoboRallyError(f"{where}: expected an object, got {shown(value)}")
    return value


def text(value: Any, where: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise RoboRallyError(f"{where}: expected text, got {shown(value)}")
    return value


def integer(value: Any, where: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise RoboRallyError(f"{where}: expected a whole number from {low} to {high}, got {shown(value)}")
    return value


def boolean(value: Any, where: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise RoboRallyError(f"{where}: expected true or false, got {shown(value)}")
    return value


def only(value: Any, where: str, expected: Any, edition: str) -> None:
    """Raise unless a key of other editions has the one value that this edition allows."""
    if value != expected or type(value) is not type(expected):
        raise RoboRallyError(f"{where}: expected {json.dumps(expected)} in edition {edition}, got {shown(value)}")


def named(name: Any, where: str, numbers: dict[str, int], what: str) -> int:
    """The number of a card or the like by its name; `what` is "a card's" or the like."""
    if not isinstance(name, str) or name not in numbers:
        raise RoboRallyError(f"{where}: expected {what} name, got {shown(name)}{nearest(str(name), numbers)}")
    return numbers[name]


def one_of(value: Any, where: str, known: Iterable[str]) -> str:
    """One of the known texts."""
    if not isinstance(value, str) or value not in known:
        raise RoboRallyError(f"{where}: expected one of {', '.join(known)}, got {shown(value)}")
    return value


def shown(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    found = json.dumps(value, default=str)
    return found if len(found) <= 60 else found[:57] + "..."
