"""Checked reading of plain values (JSON or TOML): each reader returns the value or raises `Bad`."""

from collections.abc import Callable
from typing import NamedTuple

from roborally_env.base.errors import cut, nearest
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.model import (
    DIRECTIONS,
    EDITIONS,
    KINDS,
    MAX_CHECKPOINTS,
    Element,
    reading_order,
)
from roborally_env.courses.special import SPECIAL_RULES

Key = str | int
Reader = Callable[[Json], Json]

_DIRECTION = {name: index for index, name in enumerate(DIRECTIONS)}
_TURN = {"cw": 1, "ccw": -1}
_REGISTERS = frozenset(range(1, 6))


LONGEST = 260  # characters of a message, without its place


class Bad(Exception):
    """A wrong value: its path below the value being read, and the message."""

    def __init__(self, message: str, *path: Key) -> None:
        super().__init__(message)
        self.message = cut(message, LONGEST)
        self.path: tuple[Key, ...] = path

    def under(self, *path: Key) -> "Bad":
        """The same error with a longer path."""
        self.path = (*path, *self.path)
        return self


def dotted(path: tuple[Key, ...]) -> str:
    """('elements', 3, 'out') as elements[3].out"""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{cut(key)}" for key in path)
    return text.removeprefix(".")


def direction(value: Json) -> int:
    """N E S W as 0..3."""
    try:
        return _DIRECTION[value]
    except (KeyError, TypeError):
        raise Bad(f"expected one of N, E, S, W, got {value!r}") from None


def directions(value: object) -> tuple[int, ...]:
    """A list of directions, none twice, as ascending numbers."""
    if type(value) is not list:
        raise Bad(f"expected a list of N, E, S, W, got {value!r}")
    found = sorted([direction(item) for item in value])
    if len(set(found)) < len(found):
        raise Bad(f"a direction occurs twice in {value!r}")
    return tuple(found)


def registers(value: Json) -> tuple[int, ...]:
    """A list of register numbers 1..5, none twice, ascending."""
    try:
        good = type(value) is list and len(value) > 0 and len(set(value)) == len(value) and _REGISTERS.issuperset(value)
    except TypeError:
        good = False
    if not good or any(type(item) is not int for item in value):
        raise Bad(f"expected a list of different register numbers from 1 to 5, got {value!r}")
    return tuple(sorted(value))


def gear_turn(value: object) -> int:
    """cw or ccw as +1 or -1."""
    if value == "cw" or value == "ccw":
        return _TURN[value]
    raise Bad(f"expected cw or ccw, got {value!r}")


def cells(value: object) -> tuple[tuple[int, int], ...]:
    """A list of cells [x, y], none twice, by row, then column."""
    if type(value) is not list:
        raise Bad(f"expected a list of cells [x, y], got {value!r}")
    for index, item in enumerate(value):
        if type(item) is not list or len(item) != 2 or any(type(number) is not int for number in item):
            raise Bad(f"expected a cell [x, y], got {item!r}", index)
        if item in value[:index]:
            raise Bad(f"cell {item!r} occurs twice", index)
    return reading_order((x, y) for x, y in value)


def flag(value: object) -> bool:
    """true or false."""
    if type(value) is not bool:
        raise Bad(f"expected true or false, got {value!r}")
    return value


def integer(low: int, high: int) -> Reader:
    """A reader of whole numbers low..high."""

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Bad(f"expected a whole number from {low} to {high}, got {value!r}")
        return value

    return read


def text(value: object) -> str:
    """A string that is not empty."""
    if type(value) is not str or not value.strip():
        raise Bad(f"expected a text, got {value!r}")
    return value


def edition_name(value: object) -> str:
    """The name of an edition."""
    if type(value) is not str or value not in EDITIONS:
        raise Bad(f"unknown edition {value!r}{nearest(str(value), EDITIONS)}; known: {', '.join(EDITIONS)}")
    return value


def special_tags(edition: str) -> Reader:
    """A reader of lists of the edition's special rules, each once."""
    known = EDITIONS[edition].special

    def read(value: object) -> tuple[str, ...]:
        if type(value) is not list:
            raise Bad(f"expected a list of special rules, got {value!r}")
        for index, tag in enumerate(value):
            if not known:
                raise Bad(f"edition {edition} has no special rules, got {tag!r}", index)
            if type(tag) is not str or tag not in known:
                hint = nearest(str(tag), known) or f"; known: {', '.join(known)}"
                raise Bad(f"unknown special rule {tag!r}{hint}", index)
            if tag in value[:index]:
                raise Bad(f"special rule {tag!r} occurs twice", index)
        return tuple(value)

    return read


def special_rules(edition: str) -> Reader:
    """A reader of `special_rules`: tags; in editions without tags, sentences for players without effect."""
    if EDITIONS[edition].special:
        return special_tags(edition)

    def read(value: object) -> tuple[str, ...]:
        if type(value) is not list:
            raise Bad(f"expected a list of texts, got {value!r}")
        for index, sentence in enumerate(value):
            if type(sentence) is str and sentence in SPECIAL_RULES:
                raise Bad(f"special rule {sentence!r} is not in edition {edition}", index)
        return tuple(text(sentence) for sentence in value)

    return read


def with_moving(edition: str, tags: tuple[str, ...], moving: bool) -> tuple[tuple[str, ...], bool]:
    """The tags, and whether checkpoints move; each may imply the other, and the edition may imply both."""
    has_tag = "moving_flags" in EDITIONS[edition].special
    if moving and has_tag and "moving_flags" not in tags:
        tags = (*tags, "moving_flags")
    return tags, moving or "moving_flags" in tags or EDITIONS[edition].riding


class ElementKey(NamedTuple):
    """One key of an element in JSON: the field that it fills, its reader, and words for hints on a wrong token."""

    key: str
    field: str
    read: Reader
    required: bool = True
    words: str = ""


CHECKPOINT_NUMBER = integer(1, MAX_CHECKPOINTS)

_SHOWN: dict[str, Reader] = {
    "out": DIRECTIONS.__getitem__,
    "push": DIRECTIONS.__getitem__,
    "fires": DIRECTIONS.__getitem__,
    "feeds": lambda found: [DIRECTIONS[d] for d in found],
    "sides": lambda found: [DIRECTIONS[d] for d in found],
    "registers": list,
    "ramps": lambda found: [list(cell) for cell in found],
    "turn": lambda turn: "cw" if turn > 0 else "ccw",
}


def element_as_map(element: Element) -> JsonObject:
    """The element as the JSON object that `course_from_map` reads."""
    shown: JsonObject = {"kind": element.kind, "x": element.x, "y": element.y}
    for row in KINDS[element.kind].keys:
        value = getattr(element, row.field)
        if row.required or value != Element._field_defaults[row.field]:
            shown[row.key] = _SHOWN.get(row.field, lambda v: v)(value)
    return shown
