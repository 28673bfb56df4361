"""What each tile does to a robot, in words for players: for the pages of races and for docs/gallery.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from roborally_env.base.text import joined
from roborally_env.base.texts import read_texts
from roborally_env.base.types import JsonObject
from roborally_env.courses.model import EDITIONS, KINDS, Course, Element
from roborally_env.courses.scene import Scene

WAYS = ("north", "east", "south", "west")
TEXTS = read_texts(Path(__file__).with_name("tile_words.toml"))
_COUNTS = ("no", "one", "two", "three")


class Words(NamedTuple):
    """A name and what it means."""

    title: str
    rule: str


def words_of(element: Element, edition: str) -> Words:
    """The words for a tile; of a kind from outside its title and its line in the table of tokens."""
    kind = KINDS[element.kind]
    variant = {
        "belt": f"belt_{element.speed}",
        "repair": f"repair_{element.level}",
        "panel": "panel_backs" if EDITIONS[edition].backs else "panel",
    }.get(element.kind, element.kind)
    for key in (f"{variant} {edition}", variant, element.kind):
        if key in TEXTS:
            return _filled(key, **_facts(element, edition))
    return Words(_capital(kind.title), _capital(kind.meaning))


def falls(edition: str) -> str:
    """What becomes of a robot that falls, as the end of a sentence."""
    return _by_edition("falls", edition)


def _filled(key: str, **facts: Any) -> Words:
    """The words under a key with what they name."""
    return Words(*(TEXTS[key][part].format(**facts) for part in ("title", "rule")))


def _by_edition(key: str, edition: str) -> str:
    return TEXTS[key].get(edition, TEXTS[key]["default"])


def _facts(e: Element, edition: str) -> JsonObject:
    """What the words for a tile may name."""
    bends = e.kind == "belt" and e.feeds not in ((), ((e.out + 2) & 3,))
    return {
        "out": WAYS[e.out],
        "push": WAYS[e.push],
        "fires": WAYS[e.fires],
        "sides": joined([WAYS[side] for side in e.sides]),
        "turn": "clockwise" if e.turn > 0 else "counter-clockwise",
        "name": _capital(EDITIONS[edition].belt_names[e.speed - 1]) if e.kind == "belt" else "",
        "bend": TEXTS["bend"]["rule"] if bends else "",
        "registers": _in_registers(e),
        "level": e.level,
        "beams": _counted(e.beams, "beam"),
        "tokens": _counted(e.level, "damage token"),
        "beam": _by_edition("beam", edition),
        "each": " for each beam" if e.beams > 1 else "",
        "falls": falls(edition),
    }


def token_words(facing: int) -> Words:
    """The words for a reboot token whose arrow points in a direction."""
    return _filled("token", facing=WAYS[facing])


def checkpoint_words(number: int, many: int, edition: str) -> Words:
    """The words for a checkpoint, or flag."""
    word = EDITIONS[edition].checkpoint
    before = TEXTS["before"]["rule"].format(word=word, previous=number - 1) if number > 1 else ""
    wins = TEXTS["wins"]["rule"] if number == many else ""
    also = _by_edition("also", edition)
    return _filled("checkpoint", Word=_capital(word), number=number, before=before, wins=wins, also=also)


def cell_words(course: Course) -> dict[tuple[int, int], list[Words]]:
    """The words for each cell (x, y) with something on it: what does not move. A wall is described in both cells."""
    scene, edition = Scene(course), course.edition
    found: dict[tuple[int, int], list[Words]] = {}
    for e in course.elements:
        if e.kind not in ("wall", "level") or (e.kind == "level" and e.level):
            found.setdefault((e.x, e.y), []).append(words_of(e, edition))
    sides: dict[tuple[int, int], set[int]] = {}
    for x, y, side in scene.walls:
        if course.on_board(x, y):
            sides.setdefault((x, y), set()).add(side)
    for cell, around in sides.items():
        found.setdefault(cell, []).append(words_of(Element("wall", *cell, sides=tuple(sorted(around))), edition))
    for e in course.elements:
        for cell in scene.beam_cells(e)[1:] if e.kind == "laser" else ():
            found.setdefault(cell, []).append(_filled("ray", **_facts(e, edition)))
    if course.antenna:
        found.setdefault(course.antenna[:2], []).insert(0, _filled("antenna"))
    for x, y, facing in course.reboots if EDITIONS[edition].tokens else ():
        found.setdefault((x, y), []).append(token_words(facing))
    return found


def _in_registers(e: Element) -> str:
    if len(e.registers) in (0, 5):
        return "In each register"
    return f"In register{'s' * (len(e.registers) != 1)} {joined([str(k) for k in e.registers])}"


def _counted(number: int, noun: str) -> str:
    return f"{_COUNTS[number]} {noun}{'s' * (number != 1)}" if number < len(_COUNTS) else f"{number} {noun}s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
