"""A course file while it is read: its values, their places, and the mistakes found so far."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from roborally_env.base import documents
from roborally_env.base.errors import CourseError, RoboRallyError, cut, nearest
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.toml_places import TomlPlaces
from roborally_env.courses.values import LONGEST, Bad, Key, Reader

INSTALLED = Path(__file__).parent / "files"
CHECKOUT = Path(__file__).parents[2] / "courses"
# The shipped courses lie inside the package when installed, beside it in a checkout.
SHIPPED = INSTALLED if INSTALLED.is_dir() else CHECKOUT


class Problem(NamedTuple):
    """One mistake in a file. Line and column count from 1."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


def slugify(name: str) -> str:
    """'Dizzy Highway' as dizzy_highway."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


def is_shipped(file: Path) -> bool:
    """Whether the file is one that comes with the package."""
    return SHIPPED in file.parents


def read_text(path: Path) -> str:
    """The text of a file; raises CourseError if it cannot be read."""
    try:
        return documents.read_text(path, documents.TOML.size)
    except RoboRallyError as error:
        raise CourseError(f"{path}: {str(error).replace('cannot be read', 'cannot read it')}") from None


@dataclass
class CourseFile:
    """A course file while it is read: its values, and the mistakes found so far."""

    path: Path
    data: JsonObject = field(default_factory=dict)
    places: TomlPlaces = field(default_factory=lambda: TomlPlaces(""))
    problems: list[Problem] = field(default_factory=list)
    # "checkpoints", "reboots", "energy" -> (index in the file's list, value) of the well-formed entries
    entries: dict[str, list[tuple[int, Json]]] = field(default_factory=dict)

    def wrong(self, message: str, path: tuple[Key, ...], at_key: bool = False) -> None:
        """Record a mistake at the value (or the key) that `path` names."""
        line, column = self.places.key(path) if at_key else self.places.value(path)
        self.problems.append(Problem(str(self.path), line, column, cut(message, LONGEST)))

    def value(self, holder: Json, key: str, read: Reader, default: Json, *path: Key, needed: str = "") -> Json:
        """holder[key] as read; if it is wrong or missing, the mistake is recorded and the default returned."""
        if key not in holder:
            if needed:
                self.wrong(f"missing {key}; {needed}", path, at_key=True)
            return default
        try:
            return read(holder[key])
        except Bad as bad:
            self.wrong(f"{key}: {bad.message}", (*path, key, *bad.path))
            return default

    def tables(self, key: str, keys: tuple[str, ...]) -> Iterator[tuple[int, JsonObject]]:
        """The tables of the list `key`; unknown keys in them are recorded as mistakes."""
        items = self.data.get(key, [])
        if not isinstance(items, list):
            self.wrong(f"{key}: expected a list of tables, like [{{ x = 0, y = 0 }}]", (key,))
            return
        for index, item in enumerate(items):
            if isinstance(item, dict):
                self.known_keys(item, keys, key, index)
                yield index, item
            else:
                self.wrong(f"{key}: expected a table with {', '.join(keys)}, got {item!r}", (key, index))

    def known_keys(self, holder: JsonObject, keys: tuple[str, ...], *path: Key) -> None:
        for key in holder:
            if key not in keys:
                hint = nearest(key, keys) or f"; known: {', '.join(keys)}"
                self.wrong(f"unknown key {key!r}{hint}", (*path, key), at_key=True)
