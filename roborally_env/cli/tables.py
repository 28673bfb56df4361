"""Tables and the width of the terminal, which says which columns are shown, so that none is cut."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import click
from rich.box import HEAVY_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from roborally_env.base.terminal import is_terminal, print_lines, printable

LEAST = 14  # characters of a column whose texts may be wrapped


@dataclass(frozen=True)
class Column:
    """A column of a table. Where the width does not do for all, those of the highest rank are left out first."""

    head: str
    rank: int = 0  # 0: never left out
    left: bool = False  # texts; figures stand to the right
    wrap: bool = False  # its texts may be broken at spaces


def columns_of_terminal() -> int | None:
    """The width of the terminal (or what COLUMNS says); None if the output is none: then nothing needs to fit."""
    if is_terminal(sys.stdout) or os.environ.get("COLUMNS", "").isdigit():
        return Console().width
    return None


def note_width(drawing: str, instead: str) -> None:
    """Say on stderr that a drawing is wider than the terminal, which breaks its lines, and what there is instead."""
    width = columns_of_terminal()
    widest = max(map(cell_len, click.unstyle(drawing).splitlines()), default=0)
    if width is not None and widest > width:
        print_lines(f"the drawing needs {widest} columns, the terminal has {width}; {instead}", err=True)


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str = "", plain: bool = False) -> None:
    """Print a table with the columns that fit, and below it the names of the others.

    Names and main figures (rank 0) are always there, names in several lines where they are longer than the terminal.
    `plain` has no frame.
    """
    width = columns_of_terminal()
    rows = [[printable(cell) for cell in row] for row in rows]
    kept = _kept(columns, rows, width, plain)
    table = Table(box=None if plain else HEAVY_HEAD, padding=(0, 2, 0, 0) if plain else (0, 1), pad_edge=not plain)
    whole = width is None or _width(kept, columns, rows, plain, broken=False) <= width
    fits = width is None or _width(kept, columns, rows, plain) <= width
    for at in kept:
        column = columns[at]
        head = column.head if whole else _broken(column, [row[at] for row in rows])
        foldable = column.wrap or (column.left and not fits)
        table.add_column(Text(head), justify="left" if column.left else "right", no_wrap=not foldable, overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[at]) for at in kept))
    if title:
        print_lines(*title.split("\n"))
    room = width or max(80, _width(kept, columns, rows, plain, broken=False, wrapped=False))
    Console(width=room).print(table)
    left_out = [column.head for at, column in enumerate(columns) if at not in kept]
    if left_out:
        note = f"Columns not shown: {', '.join(left_out)} (--json has all of them)"
        print_lines(*textwrap.wrap(note, width or 80))


def _kept(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None, plain: bool) -> list[int]:
    """The places of the columns that are shown."""
    kept = list(range(len(columns)))
    for at in sorted(kept, key=lambda at: -columns[at].rank):
        if width is None or columns[at].rank == 0 or _width(kept, columns, rows, plain) <= width:
            break
        kept.remove(at)
    return kept


def _width(
    kept: Sequence[int],
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    plain: bool,
    broken: bool = True,
    wrapped: bool = True,
) -> int:
    """The width of a table with these columns; with `broken` heads, and `wrapped` texts, at least."""
    total = -2 if plain else 1  # the last column has no space after it, a frame one line more than columns
    for at in kept:
        column, cells = columns[at], [row[at] for row in rows]
        head = _broken(column, cells) if broken else column.head
        natural = max(map(_longest, (head, *cells)))
        total += (min(natural, LEAST) if column.wrap and wrapped else natural) + (2 if plain else 3)
    return total


def _longest(text: str) -> int:
    """The length of the longest line."""
    return max(map(cell_len, text.split("\n")))


def _broken(column: Column, cells: Sequence[str]) -> str:
    """The head in several lines, not wider than its cells if its words allow."""
    room = max([len(word) for word in column.head.split()] + [0 if column.wrap else _longest(cell) for cell in cells])
    return "\n".join(textwrap.wrap(column.head, room))
