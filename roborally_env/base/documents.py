"""JSON and TOML from files, read within limits: a file from a stranger is refused at once, whatever is in it.

Everything in the package that reads JSON or TOML from a file reads it here. A text is looked over before it is parsed:
its size, how deep lists and objects lie in each other, how many there are, and how long numbers and dotted keys are.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from roborally_env.base.errors import RoboRallyError, SnapshotError, cut
from roborally_env.base.types import Json, JsonObject

MEBIBYTE = 1 << 20


class Limits(NamedTuple):
    """What a text may have."""

    size: int  # bytes of the file
    containers: int  # lists and objects
    values: int  # entries of lists, and keys of objects
    depth: int = 64  # lists and objects in each other
    digits: int = 64  # of a number, one after the other


JSON = Limits(4 * MEBIBYTE, containers=300_000, values=1_000_000)  # replays, races, scenarios, manifests, cards
TOML = Limits(MEBIBYTE // 2, containers=4_000, values=4_000, depth=16)  # courses
LINE = JSON._replace(size=MEBIBYTE)  # a scenario a line
PARTS = 16  # of a dotted key

# possessive: what a string has taken is kept, so that a long one takes no memory to go back over
_JSON_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
_TOML_STRING = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\Z)'
    r"|'''[^']*+(?:'(?!'')[^']*+)*+(?:'''|\Z)"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|\n|\Z)'
    r"|'[^'\n]*(?:'|\n|\Z)"
    r"|#[^\n]*",
    re.DOTALL,
)
_NOT_BRACKETS = re.compile(rb"[^][{}]+")
_DOTTED = re.compile(r"\.[^.=\n]*" * PARTS)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_bytes(path: str | os.PathLike[str], most: int = JSON.size) -> bytes:
    """The content of a file.

    Raises:
        RoboRallyError: if it has more than `most` bytes, is not a regular file, or cannot be read. The message does not
            begin with the path.
    """
    try:
        check_regular(path)
        with open(path, "rb") as file:
            content = file.read(most + 1)
    except RoboRallyError:
        raise
    except OSError as error:
        raise RoboRallyError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a zero byte in the path
        raise RoboRallyError(f"cannot be read: {error}") from None
    _check_size(len(content), most)
    return content


def check_regular(path: str | os.PathLike[str]) -> None:
    """Raise a RoboRallyError for a pipe or a device, which may never end; the message does not begin with the path."""
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise RoboRallyError("cannot be read: not a regular file")


def read_text(path: str | os.PathLike[str], most: int = JSON.size) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises as `read_bytes`."""
    return decoded(read_bytes(path, most))


def decoded(content: bytes) -> str:
    """A text in UTF-8. Raises RoboRallyError if it is none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RoboRallyError(f"not a text file in UTF-8 ({error.reason} at byte {error.start})") from None


def read_json(path: str | Path, limits: Limits = JSON) -> Json:
    """The JSON of a file. Raises RoboRallyError; the message does not begin with the path."""
    return parse_json(read_bytes(path, limits.size), limits)


def parse_json(source: str | bytes, limits: Limits = JSON) -> Json:
    """The value of a JSON text.

    Raises:
        RoboRallyError: if it is none, or is beyond the limits.
    """
    _check_size(len(source), limits.size)
    try:
        text = decoded(source) if isinstance(source, bytes) else source
    except RoboRallyError as error:
        raise RoboRallyError(f"not JSON: {error}") from None
    _check_form(_JSON_STRING.sub('""', text), limits)
    try:
        found = json.loads(text, object_pairs_hook=_each_key_once)
        if _SURROGATE.search(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RoboRallyError("not JSON: an unpaired surrogate (\\ud800 to \\udfff)") from None
    except RoboRallyError:  # which is a ValueError
        raise
    except (ValueError, RecursionError) as error:
        raise RoboRallyError(f"not JSON: {error}") from None
    return found


def _each_key_once(pairs: list[tuple[str, Json]]) -> JsonObject:
    """An object. Raises RoboRallyError if a key occurs again, because the values before the last would be lost."""
    found: JsonObject = {}
    for key, value in pairs:
        if key in found:
            raise RoboRallyError(f"the key {shown(key)} occurs twice in one object")
        found[key] = value
    return found


def snapshot_head(head: bytes) -> JsonObject:
    """The object at the head of a snapshot. Raises RoboRallyError if there is none."""
    try:
        found = parse_json(head, LINE)
    except RoboRallyError as error:
        raise SnapshotError(f"snapshot: damaged: its head is {error}") from None
    if not isinstance(found, dict):
        raise SnapshotError("snapshot: damaged: its head is not an object")
    return found


def parse_toml(text: str, limits: Limits = TOML) -> JsonObject:
    """The table of a TOML text.

    Raises:
        RoboRallyError: if it is beyond the limits.
        tomllib.TOMLDecodeError: if it is no TOML; its message names the place.
    """
    _check_size(len(text), limits.size)
    form = _TOML_STRING.sub("''\n", text)
    _check_form(form, limits)
    if _DOTTED.search(form):
        raise RoboRallyError(f"a key of more than {PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError) as error:  # as a date with month 13
        raise RoboRallyError(f"not TOML: {error}") from None


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise RoboRallyError(f"too large: expected at most {most >> 10:,} kB")


def _check_form(form: str, limits: Limits) -> None:
    """Raise a RoboRallyError for a text, without what is in its strings, that is beyond the limits."""
    if form.count("[") + form.count("{") > limits.containers:
        raise RoboRallyError(f"too large: expected at most {limits.containers:,} lists and objects")
    if max(form.count(","), form.count("=")) > limits.values:
        raise RoboRallyError(f"too large: expected at most {limits.values:,} values")
    if _depth(form) > limits.depth:
        raise RoboRallyError(f"nested more than {limits.depth} levels deep")
    if _longest_number(form) > limits.digits:
        raise RoboRallyError(f"a number of more than {limits.digits} digits")


def _longest_number(form: str) -> int:
    """The digits of the longest number."""
    letters = np.frombuffer(form.encode("utf-8", "replace"), np.uint8)
    others = np.flatnonzero((letters < ord("0")) | (letters > ord("9")))
    return int(np.diff(others, prepend=-1, append=len(letters)).max()) - 1


def _depth(form: str) -> int:
    """How deep lists and objects lie in each other."""
    brackets = np.frombuffer(_NOT_BRACKETS.sub(b"", form.encode("utf-8", "replace")), np.uint8)
    opens = (brackets == ord("[")) | (brackets == ord("{"))
    return int(np.where(opens, 1, -1).cumsum(dtype=np.int64).max(initial=0))


class CheckedObject:
    """An object of JSON from a file, whose values are read with checks. The messages name a value as `config.seed`.

    Args:
        value: of any type.
        where: its name in the file; "" for the whole file.
        whole: the whole file in messages.

    Raises:
        RoboRallyError: if it is not an object.
    """

    def __init__(self, value: object, where: str = "", whole: str = "the file") -> None:
        if not isinstance(value, dict):
            raise RoboRallyError(f"{where or whole}: expected an object, got {shown(value)}")
        self.value, self.where = value, f"{where}." if where else ""

    def known(self, *keys: str) -> None:
        """Raise a RoboRallyError for other keys."""
        for key in self.value:
            if key not in keys:
                raise RoboRallyError(f"{self.where}{cut(key)}: unknown key; expected {', '.join(keys)}")

    def take(self, key: str, expected: str, good: Callable[[Json], bool], *default: Json) -> Json:
        """The value of a key, if it is good."""
        if key not in self.value and default:
            return default[0]
        if key not in self.value or not good(self.value[key]):
            got = shown(self.value[key]) if key in self.value else "nothing"
            raise RoboRallyError(f"{self.where}{key}: expected {expected}, got {got}")
        return self.value[key]

    def whole(self, key: str, low: int = 0, high: int = 2**63 - 1) -> int:
        """A whole number within bounds."""
        return int(self.take(key, f"a whole number from {low} to {high}", lambda v: is_whole(v, low, high)))

    def flag(self, key: str, *default: bool) -> bool:
        """True or false."""
        return bool(self.take(key, "true or false", lambda v: isinstance(v, bool), *default))

    def text(self, key: str, expected: str = "a text") -> str:
        """A text."""
        return str(self.take(key, expected, lambda v: isinstance(v, str)))

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        return list(
            self.take(key, "a list of texts", lambda v: isinstance(v, list) and all(isinstance(t, str) for t in v))
        )

    def part(self, key: str) -> CheckedObject:
        """An object."""
        return CheckedObject(self.take(key, "an object", lambda v: isinstance(v, dict)), self.where + key)

    def items(self, key: str) -> list[Json]:
        """A list."""
        return list(self.take(key, "a list", lambda v: isinstance(v, list)))

    def parts(self, key: str) -> list[CheckedObject]:
        """A list of objects."""
        return [CheckedObject(item, f"{self.where}{key}[{i}]") for i, item in enumerate(self.items(key))]


def shown(value: object) -> str:
    """A value of JSON in a message."""
    return cut(json.dumps(value, default=str))


def is_whole(value: object, low: int, high: int) -> bool:
    """Whether a value of JSON is a whole number within bounds."""
    return type(value) is int and low <= value <= high
