"""The notation of drawings: one table that the reader, the writer and the documentation share."""

import re
from collections.abc import Callable
from typing import NamedTuple

from roborally_env.courses.model import ARROWS, DIRECTIONS, KINDS, Element


class Token(NamedTuple):
    """One row of the notation: how a kind of element is read, written and explained."""

    kind: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], dict[str, object]]
    write: Callable[[Element, tuple[int, ...]], str]
    examples: tuple[str, ...]
    meaning: str


def _registers(digits: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in digits)


def _digits(element: Element) -> str:
    return "".join(map(str, element.registers))


def _read_belt(match: re.Match[str]) -> dict[str, object]:
    feeds = tuple(sorted(DIRECTIONS.index(name) for name in set(match["feeds"])))
    return {"speed": len(match["arrow"]), "out": ARROWS.index(match["arrow"][0]), "feeds": feeds}


def _write_belt(belt: Element, usual: tuple[int, ...]) -> str:
    written = "" if belt.feeds == usual else "".join(DIRECTIONS[d] for d in belt.feeds)
    return written + ARROWS[belt.out] * belt.speed


def _read_laser(match: re.Match[str]) -> dict[str, object]:
    beams = match["beams"]
    return {"fires": ARROWS.index(match["fires"]), "beams": len(beams), "two_ended": beams[0] == "T"}


def _write_laser(laser: Element, _: tuple[int, ...]) -> str:
    return ("T" if laser.two_ended else "L") * laser.beams + ARROWS[laser.fires]


# The whole notation; README's table is made of the last two columns.
# fmt: off
TOKENS = (
    Token("pit", re.compile("O"),
          lambda m: {}, lambda e, _: "O",
          ("O",), "pit"),
    Token("belt", re.compile(r"(?P<feeds>[NESW]*)(?P<arrow>([>v<^])\3?)"),
          _read_belt, _write_belt,
          (">", "vv", "S>"),
          "belt: one arrow is green (one step), two are blue (two steps; express in 2005). It is fed from the "
          "neighbours that point at it, or from behind where none does; other feeds are written before the arrow: "
          "`S>` comes from the south"),
    Token("gear", re.compile("(?P<turn>c?cw)"),
          lambda m: {"turn": 1 if m["turn"] == "cw" else -1}, lambda e, _: "cw" if e.turn > 0 else "ccw",
          ("cw", "ccw"), "gear, clockwise or counter-clockwise"),
    Token("panel", re.compile(r"P(?P<push>[>v<^])(?P<registers>(?=[1-5])1?2?3?4?5?)"),
          lambda m: {"push": ARROWS.index(m["push"]), "registers": _registers(m["registers"])},
          lambda e, _: f"P{ARROWS[e.push]}{_digits(e)}",
          ("P>135",), "push panel: direction of the push, registers in which it pushes"),
    Token("crusher", re.compile(r"C(?P<registers>(?=[1-5])1?2?3?4?5?)"),
          lambda m: {"registers": _registers(m["registers"])}, lambda e, _: f"C{_digits(e)}",
          ("C24",), "crusher and its registers (not in editions 2016 and 2005)"),
    Token("repair", re.compile("r(?P<level>[12])"),
          lambda m: {"level": int(m["level"])}, lambda e, _: f"r{e.level}",
          ("r1", "r2"), "repair site, one wrench or two tools (not in edition 2016)"),
    Token("energy", re.compile("e"),
          lambda m: {}, lambda e, _: "e",
          ("e",), "energy space (not in edition 2005)"),
    Token("dock", re.compile("d(?P<number>[1-8]?)"),
          lambda m: {"number": int(m["number"] or 0)}, lambda e, _: f"d{e.number or ''}",
          ("d", "d3"), "start space, without or with a number"),
    Token("laser", re.compile("(?P<beams>L{1,3}|T{1,3})(?P<fires>[>v<^])"),
          _read_laser, _write_laser,
          ("L>", "LLv", "T>"),
          "laser that fires that way from this cell, one letter a beam; with `T` it is one end of a two-ended laser, "
          "whose other end faces it"),
)
# fmt: on
assert [token.kind for token in TOKENS] + ["wall"] == list(KINDS)

BY_KIND = {token.kind: token for token in TOKENS}
FLOOR = "."
EXAMPLES = (FLOOR, *(example for token in TOKENS for example in token.examples))


def token_table() -> str:
    """The notation as a Markdown table, as it stands in courses/README.md."""
    rows = [("`.`", "plain floor")]
    rows += [(" ".join(f"`{example}`" for example in token.examples), token.meaning) for token in TOKENS]
    return "\n".join(["| token | meaning |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows)]) + "\n"
