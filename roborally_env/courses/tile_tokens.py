"""The notation of drawings: how the token of a kind of tile is read and written.

Most tokens are made from a text with the fields of an `Element` in braces: `P{push}{registers}` reads and writes
`P>135`. A field that is a digit lists the allowed digits: `r{level:12}`.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from roborally_env.base.errors import CourseError
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.model import ARROWS, KINDS, Element
from roborally_env.courses.values import ElementKey, Reader, direction, gear_turn, integer, registers


class Around(NamedTuple):
    """The facts about neighbours that are needed to write an element."""

    feeds: tuple[int, ...] = ()  # the feeds of a belt that need not be written
    label: str = ""  # a ramp: its letter, a button: the letters of its ramps


class Token(NamedTuple):
    """How a kind of tile is read and written."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], JsonObject]  # the fields of the element
    write: Callable[[Element, Around], str]


class _Field(NamedTuple):
    """A field of an element in a token, and in a scenario's map."""

    pattern: str
    read: Callable[[str], Json]
    write: Callable[[Json], str]
    value: Reader
    words: str = ""  # which values there are, for hints


_ARROW = _Field("[>v<^]", ARROWS.index, ARROWS.__getitem__, direction)
_FIELDS = {
    "out": _ARROW,
    "push": _ARROW,
    "turn": _Field("c?cw", lambda text: 1 if text == "cw" else -1, lambda n: "cw" if n > 0 else "ccw", gear_turn),
    "registers": _Field(
        "(?=[1-5])1?2?3?4?5?",
        lambda text: tuple(map(int, text)),
        lambda found: "".join(map(str, found)),
        registers,
        "registers go from 1 to 5, each at most once, in ascending order",
    ),
}
_DIGITS = ("level", "number", "beams", "speed")
_IN_BRACES = re.compile(r"\{(\w+):?(\d*)\}")


def token_of(text: str) -> tuple[Token, tuple[ElementKey, ...]]:
    """The token for a text with fields in braces, and the keys of its fields in a scenario's map.

    Raises CourseError for an unknown field.
    """
    fields = {name: _field(text, name, digits) for name, digits in _IN_BRACES.findall(text)}
    pattern, at = "", 0
    for found in _IN_BRACES.finditer(text):
        pattern += f"{re.escape(text[at : found.start()])}(?P<{found[1]}>{fields[found[1]].pattern})"
        at = found.end()
    token = Token(
        re.compile(pattern + re.escape(text[at:])),
        lambda match: {name: field.read(match[name]) for name, field in fields.items()},
        lambda e, _: _IN_BRACES.sub(lambda found: fields[found[1]].write(getattr(e, found[1])), text),
    )
    return token, tuple(ElementKey(name, name, field.value, words=field.words) for name, field in fields.items())


def _field(text: str, name: str, digits: str) -> _Field:
    if digits and name in _DIGITS:
        return _Field(f"[{digits}]", int, str, integer(int(digits[0]), int(digits[-1])))
    if digits or name not in _FIELDS:
        known = ", ".join([*(f"{{{each}}}" for each in _FIELDS), *(f"{{{each}:123}}" for each in _DIGITS)])
        raise CourseError(f"token {text!r}: unknown field {name!r}; known: {known}")
    return _FIELDS[name]


def label(index: int) -> str:
    """The letter of a group of ramps by its index: a to z, a1 to z1, a2 ..."""
    number, letter = divmod(index, 26)
    return chr(ord("a") + letter) + (str(number) if number else "")


LABEL = re.compile("[a-z][0-9]*")
FLOOR = "."


def examples() -> tuple[str, ...]:
    """Example tokens of all kinds, for messages about unknown tokens."""
    return (FLOOR, *(example for kind in KINDS.values() for example in kind.examples))


def token_table() -> str:
    """The notation as the Markdown table in courses/README.md."""
    rows = [("`.`", "plain floor")]
    rows += [(" ".join(f"`{each}`" for each in kind.examples), kind.meaning) for kind in KINDS.values() if kind.token]
    return "\n".join(["| token | meaning |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows)]) + "\n"
