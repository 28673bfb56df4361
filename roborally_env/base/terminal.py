"""Text for the terminal, and the package's log. Names and messages may come from files of strangers, and a terminal
obeys some characters.

The library logs to `LOG`, the logger "roborally_env", and prints nothing by itself. Where a program has set up logging,
its handlers take the records. Elsewhere, and in the commands, they are lines on standard error.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

NAME = "roborally_env"
LOG = logging.getLogger(NAME)


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


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream is a terminal; one that is closed is None."""
    return stream is not None and stream.isatty()


def has_color() -> bool:
    """Whether standard output shows colors."""
    return is_terminal(sys.stdout) and "NO_COLOR" not in os.environ


def print_lines(*lines: str, err: bool = False) -> None:
    """Print lines, of each its printable characters, to standard output, or with `err` to standard error."""
    stream = sys.stderr if err else sys.stdout
    print("\n".join(map(printable, lines)), file=stream, flush=True)


def print_as_json(value: object, indent: int | None = 1, ensure_ascii: bool = True) -> None:
    """Print a value as JSON, in which every character that is not printable is escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)
    if not ensure_ascii:
        text = "".join(c if _is_harmless(c) or c == "\n" else json.dumps(c)[1:-1] for c in text)
    print(text, flush=True)


def overwrite(line: str, width: int, err: bool = False) -> None:
    """Print a line over the one that the cursor stands in, `width` columns of it; an empty one takes it away."""
    stream = sys.stderr if err else sys.stdout
    print("\r" + printable(line).ljust(width), end="" if line else "\r", file=stream, flush=True)


class StderrHandler(logging.Handler):
    """Prints records of the log to standard error, after the package's name, where nothing else takes them."""

    always = False  # even if the program has set up logging

    def emit(self, record: logging.LogRecord) -> None:
        """Print one record."""
        if self.always or not is_set_up():
            print_lines(f"{NAME}: {self.format(record)}", err=True)


def is_set_up() -> bool:
    """Whether the program has handlers for the records of `LOG`."""
    return bool(logging.root.handlers) or len(LOG.handlers) > 1


@contextmanager
def log_on_stderr() -> Iterator[None]:
    """Print the log to standard error within this context, whatever else takes its records."""
    before, _HANDLER.always = _HANDLER.always, True
    try:
        yield
    finally:
        _HANDLER.always = before


@contextmanager
def deprecations_on_stderr() -> Iterator[None]:
    """Print the warnings of former options of agents to standard error, a line each, unless Python's option -W or
    PYTHONWARNINGS says what becomes of warnings."""
    with warnings.catch_warnings():
        usual = warnings.showwarning
        if not sys.warnoptions:
            warnings.filterwarnings("default", category=DeprecationWarning, module=r"roborally_env\.agents\.")

        def show(
            message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
            line: str | None = None,
        ) -> None:  # fmt: skip
            if category is DeprecationWarning:
                LOG.warning("%s", message)
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


_HANDLER = StderrHandler()
LOG.addHandler(_HANDLER)
