"""Parts of the pictures of tiles: places on the course in SVG units, plates with digits, letters in the terminal.

In pictures of tiles `$name` stands for the colour of that name (`render.theme`).
"""

from typing import Final, NamedTuple

from roborally_env.courses.glyphs import text_svg

CELL: Final = 100  # SVG units
HALF: Final = CELL // 2
BAR, BAR_LINE = 9, 14  # widths of a wall and of its outline
WIDE = 5  # letters of a cell in the terminal
FREE = -1  # where there is room
POINTERS = "↑→↓←"


class Letters(NamedTuple):
    """Letters of a tile in the terminal. The rows of a cell are 0 and 1, the border above it is row -1."""

    text: str
    style: str  # a name of `render.ansi` or a code as "1;34"
    row: int = 0
    column: int = FREE


class Entry(NamedTuple):
    """An entry of the legend in the terminal."""

    text: str
    style: str
    words: str


def middle(x: int, y: int) -> tuple[int, int]:
    """The middle of a cell in SVG units."""
    return x * CELL + HALF, y * CELL + HALF


def at(x: int, y: int, content: str, facing: int = 0) -> str:
    """A drawing round (0, 0) that heads north, put on a cell and turned."""
    cx, cy = middle(x, y)
    turn = f" rotate({90 * facing})" if facing else ""
    return f'<g transform="translate({cx} {cy}){turn}">{content}</g>'


def turned(x: int, y: int, facing: int, content: str) -> str:
    """A drawing that heads north, put on a cell and turned, also by nothing."""
    cx, cy = middle(x, y)
    return f'<g transform="translate({cx} {cy}) rotate({90 * facing})">{content}</g>'


def moved(content: str, x: float, y: float, zoom: float = 1.0) -> str:
    """A drawing round (0, 0), put at (x, y) and enlarged."""
    return f'<g transform="translate({x} {y}) scale({zoom})">{content}</g>'


def plate(text: str) -> str:
    """Digits on a small plate round (0, 0)."""
    if not text:
        return ""
    half = 9 + 5 * len(text)
    return (
        f'<rect x="{-half}" y="-13" width="{2 * half}" height="26" rx="6" fill="$panel" '
        f'stroke="$panel-line" stroke-width="2.5"/>{text_svg(text, 0, 0, 17 * 0.85, "$panel-line", weight=0.2)}'
    )


def link_letters(letters: str, x: float, y: float) -> str:
    """The letters of ramps on a small plate."""
    if not letters:
        return ""
    half = 8 + 5.5 * len(letters)
    return (
        f'<rect x="{x - half:g}" y="{y - 12:g}" width="{2 * half:g}" height="24" rx="7" fill="$link" '
        f'stroke="$link-ink" stroke-width="2"/>{text_svg(letters, x, y, 14, "$link-ink", weight=0.2)}'
    )
