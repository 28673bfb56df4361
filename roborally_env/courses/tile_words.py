"""What each tile does to a robot, in words for players: for the pages of races and for docs/gallery.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from roborally_env.courses.model import EDITIONS, KINDS, Course, Element
from roborally_env.courses.scene import Scene

WAYS = ("north", "east", "south", "west")
_COUNTS = ("no", "one", "two", "three")
_TURNS = {1: "clockwise", -1: "counter-clockwise"}
_FALLEN = {
    "2005": "is destroyed: it loses a life and returns at its archive marker next turn",
    "community": "is destroyed: it is out for the rest of the round and returns at a reboot token",
}  # in other editions:
_REBOOTS = "reboots: it takes two SPAM cards, loses its program, and returns at the reboot token"
_TOOLS = frozenset({"2005"})  # editions whose repair sites have one tool or two
_OF_A_BEAM = {"2005": "a damage token", "community": "a damage token"}


class Words(NamedTuple):
    """A name and what it means."""

    title: str
    rule: str


def words_of(element: Element, edition: str) -> Words:
    """The words for a tile; of a kind from outside its title and its line in the table of tokens."""
    made = _TILES.get(element.kind)
    if made is not None:
        return made(element, edition)
    kind = KINDS[element.kind]
    return Words(_capital(kind.title), _capital(kind.meaning))


def falls(edition: str) -> str:
    """What becomes of a robot that falls, as the end of a sentence."""
    return _FALLEN.get(edition, _REBOOTS)


def _belt(e: Element, edition: str) -> Words:
    name, out = EDITIONS[edition].belt_names[e.speed - 1], WAYS[e.out]
    far = f"one space {out}" if e.speed == 1 else f"two spaces along the belts, the first {out}"
    bend = " On a bend the robot turns with the belt." if e.feeds not in ((), ((e.out + 2) & 3,)) else ""
    rule = f"In each register, after all robots have moved, it carries the robot on it {far}."
    return Words(f"{_capital(name)}, {out}", rule + bend)


def _gear(e: Element, edition: str) -> Words:
    turn = _TURNS[1 if e.turn > 0 else -1]
    return Words(f"Gear, {turn}", f"In each register it turns the robot on it a quarter turn {turn}.")


def _panel(e: Element, edition: str) -> Words:
    name = "Pusher" if EDITIONS[edition].backs else "Push panel"
    return Words(f"{name}, {WAYS[e.push]}", f"{_in_registers(e)} it pushes the robot on it one space {WAYS[e.push]}.")


def _pit(e: Element, edition: str) -> Words:
    return Words("Pit", f"A robot that enters it {falls(edition)}.")


def _wall(e: Element, edition: str) -> Words:
    sides = _joined([WAYS[side] for side in e.sides])
    return Words(f"Wall, {sides}", "Blocks robots and lasers; a robot pushed against it stays where it is.")


def _laser(e: Element, edition: str) -> Words:
    beams = f"{_COUNTS[e.beams]} beam{'s' * (e.beams != 1)}"
    return Words(f"Laser, {beams} to the {WAYS[e.fires]}", _hit(e.beams, edition))


def _hit(beams: int, edition: str) -> str:
    gets = _OF_A_BEAM.get(edition, "a SPAM card")
    each = " for each beam" if beams > 1 else ""
    return f"At the end of each register it hits the first robot in its path, which takes {gets}{each}."


def _energy(e: Element, edition: str) -> Words:
    rule = (
        "A robot that ends a register here takes the energy cube; if there is none, it takes one from the bank in "
        "register 5."
    )
    return Words("Energy space", rule)


def _repair(e: Element, edition: str) -> Words:
    if edition in _TOOLS:
        more = ", gives it an option card" if e.level > 1 else ""
        rule = f"Repairs one damage token of a robot that ends the turn here{more}, and becomes its archive space."
        return Words("Repair site, two tools" if e.level > 1 else "Repair site", rule)
    tokens = f"{_COUNTS[e.level]} damage token{'s' * (e.level != 1)}"
    return Words("Repair site", f"Repairs {tokens} of a robot that ends the round here.")


def _dock(e: Element, edition: str) -> Words:
    return Words("Start space", "A robot begins the race here.")


def _crusher(e: Element, edition: str) -> Words:
    return Words("Crusher", f"{_in_registers(e)} it destroys the robot on it.")


def _stomper(e: Element, edition: str) -> Words:
    rule = f"{_in_registers(e)} it deals two damage tokens to the robot on it, which acts last in the next register."
    return Words("Stomper", rule)


def _trapdoor(e: Element, edition: str) -> Words:
    return Words("Trapdoor", f"{_in_registers(e)} it opens: the robot on it {falls(edition)}.")


def _radiation(e: Element, edition: str) -> Words:
    return Words("Radiation", "A robot that ends the round here takes a damage token.")


def _puddle(e: Element, edition: str) -> Words:
    return Words("Puddle", "A move card that takes a robot out of the puddle loses one step.")


def _one_way(e: Element, edition: str) -> Words:
    return Words(f"One-way wall, {WAYS[e.out]}", f"Robots can enter this space only by moving {WAYS[e.out]}.")


def _ramp(e: Element, edition: str) -> Words:
    rule = "While on, it connects two levels; a robot that ends a register on it slides down. Its sides are walls."
    return Words(f"Ramp, up to the {WAYS[e.out]}", rule)


def _level(e: Element, edition: str) -> Words:
    rule = "From below, its edge is a wall; a robot that drops off it takes two damage tokens per level."
    return Words(f"Floor of level {e.level}", rule)


def _button(e: Element, edition: str) -> Words:
    rule = "A robot that enters it switches the ramps with its letter. A robot on a ramp that goes off takes damage."
    return Words("Button", rule)


_TILES: dict[str, Callable[[Element, str], Words]] = {
    "belt": _belt, "gear": _gear, "panel": _panel, "pit": _pit, "wall": _wall, "laser": _laser, "energy": _energy,
    "repair": _repair, "dock": _dock, "crusher": _crusher, "stomper": _stomper, "trapdoor": _trapdoor,
    "radiation": _radiation, "puddle": _puddle, "one_way": _one_way, "ramp": _ramp, "level": _level, "button": _button,
}  # fmt: skip


def antenna_words(edition: str) -> Words:
    """The words for the antenna."""
    return Words(
        "Priority antenna",
        "In each register the robot nearest to it acts first. It blocks robots and lasers like a wall.",
    )


def token_words(facing: int) -> Words:
    """The words for a reboot token whose arrow points in a direction."""
    rule = f"A robot that falls while on this board returns here. A robot in its way is pushed {WAYS[facing]}."
    return Words("Reboot token", rule)


def checkpoint_words(number: int, many: int, edition: str) -> Words:
    """The words for a checkpoint, or flag."""
    word = EDITIONS[edition].checkpoint
    before = f" after {word} {number - 1}" if number > 1 else ""
    wins = " The first robot to reach it wins." if number == many else ""
    also = {"2005": " It also repairs one damage token at the end of the turn, and becomes the robot's archive space.",
            "community": " It also repairs one damage token at the end of the round."}.get(edition, "")  # fmt: skip
    return Words(f"{_capital(word)} {number}", f"A robot reaches it by ending a register here{before}.{wins}{also}")


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
        found.setdefault(cell, []).append(_wall(Element("wall", *cell, sides=tuple(sorted(around))), edition))
    for e in course.elements:
        for cell in scene.beam_cells(e)[1:] if e.kind == "laser" else ():
            found.setdefault(cell, []).append(Words(f"Laser beam to the {WAYS[e.fires]}", _hit(e.beams, edition)))
    if course.antenna:
        found.setdefault(course.antenna[:2], []).insert(0, antenna_words(edition))
    for x, y, facing in course.reboots if EDITIONS[edition].tokens else ():
        found.setdefault((x, y), []).append(token_words(facing))
    return found


def _in_registers(e: Element) -> str:
    if len(e.registers) in (0, 5):
        return "In each register"
    return f"In register{'s' * (len(e.registers) != 1)} {_joined([str(k) for k in e.registers])}"


def _joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
