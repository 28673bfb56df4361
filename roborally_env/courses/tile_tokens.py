"""The notation of drawings: one table that the reader, the writer and the documentation share."""

import re
from collections.abc import Callable
from typing import NamedTuple

from roborally_env.courses.model import ARROWS, DIRECTIONS, KINDS, Element


class Around(NamedTuple):
    """What the writing of an element takes from those around it."""

    feeds: tuple[int, ...] = ()  # a belt: those that need no writing
    label: str = ""  # a ramp: its letter, a button: the letters of its ramps


class Token(NamedTuple):
    """One row of the notation: how a kind of element is read, written and explained."""

    kind: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], dict[str, object]]
    write: Callable[[Element, Around], str]
    examples: tuple[str, ...]
    meaning: str


def _registers(digits: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in digits)


def _digits(element: Element) -> str:
    return "".join(map(str, element.registers))


def _read_belt(match: re.Match[str]) -> dict[str, object]:
    feeds = tuple(sorted(DIRECTIONS.index(name) for name in set(match["feeds"])))
    return {"speed": len(match["arrow"]), "out": ARROWS.index(match["arrow"][0]), "feeds": feeds}


def _write_belt(belt: Element, around: Around) -> str:
    written = "" if belt.feeds == around.feeds else "".join(DIRECTIONS[d] for d in belt.feeds)
    return written + ARROWS[belt.out] * belt.speed


def _read_laser(match: re.Match[str]) -> dict[str, object]:
    beams = match["beams"]
    return {"fires": ARROWS.index(match["fires"]), "beams": len(beams), "two_ended": beams[0] == "T"}


def _write_laser(laser: Element, _: Around) -> str:
    return ("T" if laser.two_ended else "L") * laser.beams + ARROWS[laser.fires]


def _read_ramp(match: re.Match[str]) -> dict[str, object]:
    return {"out": ARROWS.index(match["up"]), "level": int(match["level"]), "enabled": not match["off"]}


def _write_ramp(ramp: Element, around: Around) -> str:
    return f"R{ARROWS[ramp.out]}{ramp.level}{'' if ramp.enabled else '-'}{around.label}"


def label(index: int) -> str:
    """The letter of the ramps so many groups on: a to z, a1 to z1, a2 ..."""
    number, letter = divmod(index, 26)
    return chr(ord("a") + letter) + (str(number) if number else "")


LABEL = re.compile("[a-z][0-9]*")

# The whole notation; README's table is made of the last two columns.
# fmt: off
TOKENS = (
    Token("level", re.compile("(?P<level>[123])"),
          lambda m: {"level": int(m["level"])}, lambda e, _: str(e.level),
          ("1", "2"), "floor of level 1, 2 or 3 (community); floor of level 0 is not marked"),
    Token("ramp", re.compile("R(?P<up>[>v<^])(?P<level>[012])(?P<off>-?)(?P<label>([a-z][0-9]*)?)"),
          _read_ramp, _write_ramp,
          ("R^0", "R>1a", "R<0-b"),
          "ramp: the way up, the level of its foot; with `-` it is off at the start. A letter behind is that of its "
          "buttons (community)"),
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
          ("C24",), "crusher and its registers (in none of these editions)"),
    Token("stomper", re.compile(r"S(?P<registers>(?=[1-5])1?2?3?4?5?)"),
          lambda m: {"registers": _registers(m["registers"])}, lambda e, _: f"S{_digits(e)}",
          ("S24",), "stomper and its registers (community)"),
    Token("trapdoor", re.compile(r"D(?P<registers>(?=[1-5])1?2?3?4?5?)"),
          lambda m: {"registers": _registers(m["registers"])}, lambda e, _: f"D{_digits(e)}",
          ("D135",), "trapdoor and the registers in which it opens (community)"),
    Token("one_way", re.compile("!(?P<out>[>v<^])"),
          lambda m: {"out": ARROWS.index(m["out"])}, lambda e, _: f"!{ARROWS[e.out]}",
          ("!>",), "one-way wall: the cell is entered only by a step that way (community)"),
    Token("puddle", re.compile("~"),
          lambda m: {}, lambda e, _: "~",
          ("~",), "puddle (community)"),
    Token("radiation", re.compile(r"\*"),
          lambda m: {}, lambda e, _: "*",
          ("*",), "radiation (community)"),
    Token("button", re.compile("B(?P<label>([a-z][0-9]*)+)"),
          lambda m: {}, lambda e, around: f"B{around.label}",
          ("Ba", "Bab"), "button that switches the ramps with its letter, or letters (community)"),
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
