"""Small courses as pictures, and random ones that are often bad."""

import random
import re
from dataclasses import replace

from roborally_env.courses import Course, Element, course_from_map, read_drawing
from roborally_env.courses.model import ARROWS, EDITIONS, canonical, dock_order

_MARKS = re.compile(r"c[1-8]|T[>v<^]")  # a checkpoint, a reboot token
REGISTERS = ((1, 3, 5), (2, 4), (1, 2, 3, 4, 5))


def drawn(picture: str, edition: str, facing: str = ">", moving: bool = False) -> Course:
    """A course of one board: the tokens of board files, `c1` for checkpoint 1, `T>` for a reboot token."""
    drawing = read_drawing(picture, extra=_MARKS)
    assert not drawing.flaws, drawing.flaws
    checkpoints = [(int(token[1]), x, y) for x, y, token in drawing.extras if token[0] == "c"]
    reboots = [(x, y, ARROWS.index(token[1])) for x, y, token in drawing.extras if token[0] == "T"]
    return course_of(
        drawing.width, drawing.height, drawing.elements, edition, checkpoints, reboots, moving, ARROWS.index(facing)
    )


def course_of(width, height, elements, edition, checkpoints, reboots=(), moving=False, facing=1) -> Course:
    """A course of one board from its parts."""
    course = course_from_map({"width": width, "height": height}, edition)
    found = canonical(elements, width, height)
    return replace(
        course,
        elements=found,
        docks=dock_order(found),
        checkpoints=tuple(sorted(checkpoints)),
        reboots=tuple(reboots),
        start_facing=facing,
        moving_checkpoints=moving or EDITIONS[edition].riding,
    )


def at_random(edition: str, seed: int) -> Course:
    """A board of 4 x 4 to 6 x 6 with anything anywhere."""
    dice = random.Random(f"{edition} {seed}")
    width, height = dice.randint(4, 6), dice.randint(4, 6)
    cells = dice.sample([(x, y) for y in range(height) for x in range(width)], width * height)
    docks, marks, tokens = cells[:2], cells[2 : 2 + dice.randint(1, 3)], []
    if EDITIONS[edition].tokens and dice.random() < 0.6:
        tokens = [(*cells[-1], dice.randrange(4))]
    moving = edition == "community" or (edition == "2016" and dice.random() < 0.3)
    bare = cells[2:] if moving else cells[2 + len(marks) :]
    elements = [Element("dock", x, y, number=i) for i, (x, y) in enumerate(docks, 1)]
    if edition == "community" and dice.random() < 0.6:
        elements += _levels(dice, width, height)
    for cell in bare[: dice.randint(0, width * height // 2)]:
        elements += _tiles(dice, cell, edition, [e for e in elements if e.kind == "ramp"])
    for _ in range(dice.choice((0, 4, 12))):
        elements.append(Element("wall", *dice.choice(cells), sides=(dice.randrange(4),)))
    if dice.random() < 0.7:
        elements += _rim(width, height)
    checkpoints = [(i, x, y) for i, (x, y) in enumerate(marks, 1)]
    good = [e for e in elements if e.kind != "pit" or (e.x, e.y) not in {*marks, cells[-1]}]
    return course_of(width, height, good, edition, checkpoints, tokens, moving, dice.randrange(4))


def on_a_plateau(seed: int) -> Course:
    """A community board whose last columns are higher, with two ramps to them and buttons that switch one or both."""
    dice = random.Random(f"plateau {seed}")
    width, height = dice.randint(5, 6), dice.randint(3, 4)
    edge = dice.randint(3, width - 1)  # the first raised column
    ramps = [(edge - 1, y) for y in dice.sample(range(height), 2)]
    pool = ramps if dice.random() < 0.1 else ramps[1:]  # else the first is up for good
    elements = [Element("level", x, y, level=1) for x in range(edge, width) for y in range(height)]
    for x, y in ramps:
        elements.append(Element("ramp", x, y, out=1, level=0, enabled=(x, y) == ramps[0] or dice.random() < 0.5))
    cells = dice.sample([(x, y) for x in range(width) for y in range(height) if (x, y) not in ramps], height * 2)
    elements += [Element("dock", *cells[0], number=1)]
    for cell in cells[1 : 1 + dice.randint(1, 2)]:
        switched = dice.sample(pool, dice.randint(1, len(pool)))
        elements.append(Element("button", *cell, ramps=tuple(sorted(switched, key=lambda ramp: ramp[::-1]))))
    above = dice.choice([(x, y) for x in range(edge, width) for y in range(height) if (x, y) not in cells[:3]])
    for cell in dice.sample(cells[3:], dice.randint(0, 2)):
        elements += [] if cell == above else _tiles(dice, cell, "community", [])
    for _ in range(dice.choice((0, 0, 3))):
        elements.append(Element("wall", *dice.choice(cells), sides=(dice.randrange(4),)))
    elements += _rim(width, height) if dice.random() < 0.7 else []
    marks = [above, *[cell for cell in cells[3:4] if cell != above]]
    good = [e for e in elements if e.kind != "pit" or (e.x, e.y) not in marks]
    return course_of(width, height, good, "community", [(i, x, y) for i, (x, y) in enumerate(marks, 1)])


def _rim(width, height):
    sides = [Element("wall", x, y, sides=(side,)) for x in range(width) for y, side in ((0, 0), (height - 1, 2))]
    return sides + [Element("wall", x, y, sides=(side,)) for y in range(height) for x, side in ((0, 3), (width - 1, 1))]


def _levels(dice, width, height):
    """A raised corner, and perhaps its ramp."""
    wide, high = dice.randint(1, width - 2), dice.randint(1, height - 2)
    return [Element("level", x, y, level=1) for x in range(wide) for y in range(high)]


def _tiles(dice, cell, edition, ramps):
    """One tile."""
    kinds = ["belt"] * 5 + ["gear", "pit", "panel", "panel"]
    kinds += {
        "2005": ["repair"] * 2,
        "2016": [],
        "community": ["one_way", "one_way", "ramp", "ramp", "trapdoor", "puddle"],
    }[edition]
    kind = dice.choice(kinds)
    way = dice.randrange(4)
    fields = {
        "belt": {"out": way, "speed": dice.choice((1, 2)), "feeds": ((way + dice.choice((1, 2, 3))) & 3,)},
        "gear": {"turn": dice.choice((1, -1))},
        "panel": {"push": way, "registers": dice.choice(REGISTERS)},
        "one_way": {"out": way},
        "repair": {"level": 1},
        "trapdoor": {"registers": dice.choice(REGISTERS)},
        "ramp": {"out": way, "level": 0, "enabled": dice.random() < 0.7},
    }
    if ramps and dice.random() < 0.3:
        ramp = dice.choice(ramps)
        kind, fields = "button", {"button": {"ramps": ((ramp.x, ramp.y),)}}
    return [Element(kind, *cell, **fields.get(kind, {}))]
