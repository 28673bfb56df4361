"""Digits and capital letters as strokes, so that a picture looks the same on a machine without any font."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

_HEIGHT = 10.0  # of a capital letter in its own units; below it and above it lies no stroke of a letter or digit
_GAP = 2.4  # between two letters


class _Glyph(NamedTuple):
    width: float
    path: str


# fmt: off
_GLYPHS = {
    "0": _Glyph(6, "M3 0C5 0 6 2 6 5S5 10 3 10 0 8 0 5 1 0 3 0Z"),
    "1": _Glyph(3.4, "M.2 2.4L3 0V10"),
    "2": _Glyph(6, "M.2 2.7C.2 1 1.4 0 3 0S5.8 1 5.8 2.7C5.8 4.7 3.6 6.2 .2 10H6"),
    "3": _Glyph(6, "M.4 1.5C1 .5 1.9 0 3 0 4.6 0 5.6 1 5.6 2.4S4.6 4.7 3 4.7H2.2M3 4.7C4.8 4.7 6 5.7 6 7.3S4.8 10 3 10"
                   "C1.7 10 .6 9.4 0 8.4"),
    "4": _Glyph(6, "M4.6 10V0L0 7H6"),
    "5": _Glyph(6, "M5.4 0H1L.6 4.5C1.2 3.9 2 3.6 3 3.6 4.8 3.6 6 4.9 6 6.8S4.8 10 3 10C1.7 10 .7 9.5 0 8.6"),
    "6": _Glyph(6, "M5.2 1C4.6 .3 3.9 0 3.2 0 1.2 0 0 2.2 0 5.6V6.9C0 5 1.2 3.8 3 3.8S6 5 6 6.9 4.8 10 3 10"
                   "C1.2 10 0 8.7 0 6.9"),
    "7": _Glyph(6, "M0 0H6L2.2 10"),
    "8": _Glyph(6, "M3 4.6C1.5 4.6 .5 3.6 .5 2.3S1.5 0 3 0 5.5 1 5.5 2.3 4.5 4.6 3 4.6ZM3 4.6C1.2 4.6 0 5.7 0 7.3"
                   "S1.2 10 3 10 6 8.9 6 7.3 4.8 4.6 3 4.6Z"),
    "9": _Glyph(6, "M.8 9C1.4 9.7 2.1 10 2.8 10 4.8 10 6 7.8 6 4.4V3.1C6 5 4.8 6.2 3 6.2S0 5 0 3.1 1.2 0 3 0"
                   "C4.8 0 6 1.3 6 3.1"),
    "A": _Glyph(6.4, "M0 10L3.2 0 6.4 10M1.1 6.7H5.3"),
    "B": _Glyph(6, "M0 0V10H3.2C5 10 6 8.9 6 7.4S5 4.8 3.2 4.8H0M3 4.8C4.6 4.8 5.5 3.8 5.5 2.4S4.6 0 3 0H0"),
    "C": _Glyph(6, "M6 1.9C5.4 .7 4.4 0 3.2 0 1.2 0 0 2 0 5S1.2 10 3.2 10C4.4 10 5.4 9.3 6 8.1"),
    "D": _Glyph(6, "M0 0V10H2.6C4.8 10 6 8 6 5S4.8 0 2.6 0Z"),
    "E": _Glyph(5.4, "M5.4 0H0V10H5.4M0 4.9H4.6"),
    "F": _Glyph(5.2, "M5.2 0H0V10M0 4.9H4.4"),
    "G": _Glyph(6, "M5.8 1.8C5.2 .7 4.3 0 3.1 0 1.2 0 0 2 0 5S1.2 10 3.1 10C4.3 10 5.3 9.6 6 8.8V5.4H3.6"),
    "H": _Glyph(6, "M0 0V10M6 0V10M0 4.9H6"),
    "I": _Glyph(1, "M.5 0V10"),
    "J": _Glyph(4.6, "M4.6 0V7.2C4.6 9 3.8 10 2.4 10 1.3 10 .5 9.5 0 8.6"),
    "K": _Glyph(6, "M0 0V10M5.8 0L0 6.2M2.2 4L6 10"),
    "L": _Glyph(5, "M0 0V10H5"),
    "M": _Glyph(7, "M0 10V0L3.5 6 7 0V10"),
    "N": _Glyph(6, "M0 10V0L6 10V0"),
    "O": _Glyph(6.4, "M3.2 0C5.2 0 6.4 2 6.4 5S5.2 10 3.2 10 0 8 0 5 1.2 0 3.2 0Z"),
    "P": _Glyph(6, "M0 10V0H3.2C5 0 6 1.2 6 2.9S5 5.8 3.2 5.8H0"),
    "Q": _Glyph(6.4, "M3.2 0C5.2 0 6.4 2 6.4 5S5.2 10 3.2 10 0 8 0 5 1.2 0 3.2 0ZM4 7.2L6.4 10.2"),
    "R": _Glyph(6, "M0 10V0H3.2C5 0 6 1.2 6 2.9S5 5.8 3.2 5.8H0M3.2 5.8L6 10"),
    "S": _Glyph(6, "M5.6 1.6C5 .6 4.1 0 3 0 1.4 0 .4 1 .4 2.4 .4 5.6 6 4.2 6 7.5 6 9 4.8 10 3 10 1.7 10 .6 9.4 0 8.3"),
    "T": _Glyph(6, "M0 0H6M3 0V10"),
    "U": _Glyph(6, "M0 0V6.6C0 8.8 1.1 10 3 10S6 8.8 6 6.6V0"),
    "V": _Glyph(6, "M0 0L3 10 6 0"),
    "W": _Glyph(8, "M0 0L2 10 4 2 6 10 8 0"),
    "X": _Glyph(6, "M0 0L6 10M6 0L0 10"),
    "Y": _Glyph(6, "M0 0L3 5V10M6 0L3 5"),
    "Z": _Glyph(6, "M0 0H6L0 10H6"),
    " ": _Glyph(2.6, ""),
    "-": _Glyph(3.6, "M0 5.4H3.6"),
    "_": _Glyph(5, "M0 10H5"),
    ".": _Glyph(.4, "M.2 9.9V10"),
    ",": _Glyph(1, "M.8 9.2L.2 11.4"),
    ":": _Glyph(.4, "M.2 3.4V3.5M.2 8.4V8.5"),
    "/": _Glyph(3.6, "M0 10.6L3.6 -.6"),
    "=": _Glyph(4.4, "M0 3.8H4.4M0 6.8H4.4"),
    "+": _Glyph(4.4, "M0 5.4H4.4M2.2 3.2V7.6"),
    "'": _Glyph(.4, "M.2 0V2.2"),
    "!": _Glyph(.4, "M.2 0V6.4M.2 9.9V10"),
    "(": _Glyph(2, "M2 -.6C-.6 2.4 -.6 7.6 2 10.6"),
    ")": _Glyph(2, "M0 -.6C2.6 2.4 2.6 7.6 0 10.6"),
    "?": _Glyph(5.4, "M0 2.4C.2 .9 1.3 0 2.7 0S5.4 1 5.4 2.6C5.4 4.6 2.8 4.6 2.8 7M2.8 9.9V10"),
}
# fmt: on
_UNKNOWN = _GLYPHS["?"]


def _glyph(letter: str) -> _Glyph:
    return _GLYPHS.get(letter, _UNKNOWN)


@cache
def text_width(text: str, height: float) -> float:
    """How wide `text` is, drawn `height` high."""
    widths = [_glyph(letter).width for letter in text.upper()]
    return (sum(widths) + _GAP * max(len(widths) - 1, 0)) * height / _HEIGHT


def shortened(text: str, height: float, width: float) -> str:
    """The part of `text` that fits into `width`, with two dots at the end if it is shortened."""
    if text_width(text, height) <= width:
        return text
    while text and text_width(text + "..", height) > width:
        text = text[:-1]
    return text.rstrip() + ".."


@lru_cache(maxsize=4096)
def text_svg(
    text: str, x: float, y: float, height: float, color: str, *, weight: float = 0.15, anchor: str = "middle"
) -> str:
    """Capital letters and digits as one path. (x, y) is the middle of the line, or its "start" or "end".

    weight: the width of the strokes as a part of the height. An unknown letter is drawn as a question mark.
    """
    return strokes_svg(_strokes(text, x, y, height, anchor), height, color, weight)


def labels_svg(labels: Iterable[tuple[str, float, float]], height: float, color: str, weight: float = 0.12) -> str:
    """Many short texts, each with its middle, as one path."""
    return strokes_svg("".join(_strokes(*label, height, "middle") for label in labels), height, color, weight)


def strokes_svg(path: str, height: float, color: str, weight: float) -> str:
    """The path of letters of that height as an element."""
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{number(weight * height)}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _strokes(text: str, x: float, y: float, height: float, anchor: str) -> str:
    scale, width = height / _HEIGHT, text_width(text, height)
    at = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    parts = []
    for letter in text.upper():
        glyph = _glyph(letter)
        parts.append(_moved(glyph.path, at, y - height / 2, scale))
        at += (glyph.width + _GAP) * scale
    return "".join(parts)


def number(value: float) -> str:
    """A coordinate as short text: at most two decimals, no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _moved(path: str, x: float, y: float, scale: float) -> str:
    """The path made larger and moved. Its commands are absolute: M L C S H V Z."""
    moved, command, place = "", "", 0
    for token in _tokens(path):
        if token.isalpha():
            command, place = token, 0
            moved = moved.rstrip() + token
            continue
        across = command == "H" or (command != "V" and place % 2 == 0)
        moved += number(float(token) * scale + (x if across else y)) + " "
        place += 1
    return moved.rstrip()


def _tokens(path: str) -> list[str]:
    for letter in "MLCSHVZ":
        path = path.replace(letter, f" {letter} ")
    return path.split()
