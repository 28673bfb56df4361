"""Text for the terminal. Names and messages may come from files of strangers, and a terminal obeys some characters."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import Any


def printable(text: str, keep: str = "") -> str:
    """Return the text with each character that is not printable as Python writes it: `\\x1b`, `\\n`, `\\u202e`.

    A terminal takes such characters for commands, which clear the screen, set its title or turn the direction of
    writing. Spaces of all widths stay.

    Args:
        text: of any origin.
        keep: characters that stay, such as "\\n" of a text of several lines.
    """
    if text.isprintable():
        return text
    return "".join(letter if _is_harmless(letter) or letter in keep else repr(letter)[1:-1] for letter in text)


def _is_harmless(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def tell(*lines: str, err: bool = False) -> None:
    """Print lines, of each its printable characters, to standard output, or with `err` to standard error."""
    stream = sys.stderr if err else sys.stdout
    print("\n".join(map(printable, lines)), file=stream, flush=True)


def tell_json(value: Any, indent: int | None = 1, ensure_ascii: bool = True) -> None:
    """Print a value as JSON, in which every character that is not printable is escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)
    if not ensure_ascii:
        text = "".join(c if _is_harmless(c) or c == "\n" else json.dumps(c)[1:-1] for c in text)
    print(text, flush=True)
