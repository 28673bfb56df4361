"""The progress line of a training."""

from __future__ import annotations

import shutil
import sys
import time

from roborally_env.base.terminal import is_terminal, overwrite, print_lines

WIDTH = 79  # a terminal of 80 columns would break a longer line at the cursor
EVERY = 10.0  # seconds between lines where there is no terminal


class ProgressLine:
    """A line on stdout: in a terminal always the same one, elsewhere a new one now and then."""

    def __init__(self) -> None:
        self.in_place = is_terminal(sys.stdout)
        self.waiting = ""  # the newest line, not yet shown
        self.shown = float("-inf")
        self.open = False  # whether the cursor is behind a line

    def show(self, *parts: str) -> None:
        """Parts of a line, the most important first: those are shown that fit."""
        self.waiting = fitting(parts)
        if self.in_place:
            overwrite(self.waiting, _columns())
            self.waiting, self.open = "", True
        elif time.monotonic() - self.shown >= EVERY:
            self._end()

    def say(self, text: str) -> None:
        """A line that stays."""
        self._end()
        print_lines(*text.split("\n"))

    def close(self) -> None:
        """End the line, with the last that was to be shown."""
        self._end()

    def _end(self) -> None:
        if self.open:
            print_lines("")
            self.open = False
        if self.waiting:
            print_lines(self.waiting)
            self.waiting, self.shown = "", time.monotonic()


def fitting(parts: tuple[str, ...]) -> str:
    """The first of these parts, joined, as many as a line has room for; of one alone what fits."""
    line, *rest = parts
    for part in rest:
        if len(line) + 2 + len(part) > _columns():
            break
        line += ", " + part
    return line[: _columns()]


def _columns() -> int:
    return min(WIDTH, shutil.get_terminal_size((WIDTH + 1, 24)).columns - 1)


def hours_and_minutes(seconds: float) -> str:
    """A time as "2 h 05 min" or "7 min"."""
    minutes = max(0, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
