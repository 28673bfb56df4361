"""Line and column of the keys and values of a TOML text, which `tomllib` does not report.

Only texts that `tomllib` has accepted are scanned, so the scanner need not check them.
"""

import itertools
import re
from collections.abc import Callable

from roborally_env.courses.values import Key

Path = tuple[Key, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\n#]+")


class TomlPlaces:
    """`key(path)` and `value(path)` return (line, column), from 1, of the thing at `path`, or of the one that holds
    it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._keys: dict[Path, int] = {}
        self._values: dict[Path, int] = {}
        self._tables: dict[Path, int] = {}  # array of tables -> how many so far
        self._scan()

    def key(self, path: Path) -> tuple[int, int]:
        """The place of the key of `path`; for a missing key the place of the table that should have it."""
        return self._nearest(path, self._keys)

    def value(self, path: Path) -> tuple[int, int]:
        """The place at which the value of `path` begins."""
        return self._nearest(path, self._values)

    def string_start(self, path: Path) -> int:
        """The number of the line on which the content of the (multi-line) string at `path` begins."""
        at = self._values[path]
        opened = self._text[at : at + 3]
        line, _ = self._line_column(at)
        if opened in ('"""', "'''") and self._text[at + 3 : at + 5].lstrip("\r").startswith("\n"):
            return line + 1
        return line

    def _nearest(self, path: Path, table: dict[Path, int]) -> tuple[int, int]:
        while path:
            for places in (table, self._keys, self._values):
                if path in places:
                    return self._line_column(places[path])
            path = path[:-1]
        return 1, 1

    def _line_column(self, at: int) -> tuple[int, int]:
        return self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]

    def _scan(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _header(self) -> Path:
        start = self._at
        double = self._text.startswith("[[", self._at)
        self._at += 1 + double
        path = self._resolved(self._dotted_key())
        self._skip(re.compile(r"[ \t]*\]\]?"))
        if double:
            count = self._tables.get(path, 0)
            self._tables[path] = count + 1
            self._keys.setdefault(path, start)
            path = (*path, count)
        self._keys.setdefault(path, start)
        return path

    def _resolved(self, parts: Path) -> Path:
        """A header's key, with the index of the latest table inserted after each array of tables on the way."""
        path: Path = ()
        for i, part in enumerate(parts):
            path = (*path, part)
            if path in self._tables and i < len(parts) - 1:
                path = (*path, self._tables[path] - 1)
        return path

    def _dotted_key(self) -> Path:
        parts: list[Key] = []
        while True:
            self._skip(re.compile(r"[ \t]*"))
            parts.append(self._skip(_KEY_PART).strip("\"'"))
            self._skip(re.compile(r"[ \t]*"))
            if not self._skip(re.compile(r"\.")):
                return tuple(parts)

    def _pair(self, table: Path) -> None:
        start = self._at
        path = (*table, *self._dotted_key())
        self._keys[path] = start
        self._skip(re.compile(r"=[ \t]*"))
        self._value(path)

    def _value(self, path: Path) -> None:
        self._values[path] = self._at
        letter = self._text[self._at : self._at + 1]
        if letter == "[":
            indices = itertools.count()
            self._entries("]", lambda: self._value((*path, next(indices))))
        elif letter == "{":
            self._entries("}", lambda: self._pair(path))
        elif not self._skip(_STRING) and not self._skip(_SCALAR):
            self._at += 1  # not reached for accepted texts; prevents an endless loop

    def _entries(self, end: str, scan: Callable[[], None]) -> None:
        """Scan a list or an inline table, entry by entry."""
        self._at += 1
        self._skip(_BLANK)
        while self._at < len(self._text) and self._text[self._at] != end:
            scan()
            self._skip(_BLANK)
            self._skip(re.compile(","))
            self._skip(_BLANK)
        self._at += 1
