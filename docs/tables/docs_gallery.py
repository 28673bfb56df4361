"""What `write_docs.py` draws for docs/gallery.md: a picture of each course and of each sign."""

from collections.abc import Iterator
from typing import Any

from roborally_env.courses import EDITIONS, KINDS, Course, Element, course_from_map, element_as_map, list_courses
from roborally_env.courses.tile_words import words_of
from roborally_env.render.ansi import explained
from roborally_env.render.states import state_svg
from roborally_env.render.svg import board_svg

COLUMNS = 3
WIDE = 20  # cells: a wider course has a row of its own


def _keys(element: Element) -> dict[str, Any]:
    """What a map says of an element beside its kind and place."""
    return {key: value for key, value in element_as_map(element).items() if key not in ("kind", "x", "y")}


_COMMUNITY = {"edition": "community"}
# words -> elements of a map of one or two cells, and what else it has
SIGNS: dict[str, dict[str, Any]] = {
    "belt, 1 step: green belt (2016), belt (2005)": {"elements": [("belt", {"speed": 1, "out": "E", "in": ["W"]})]},
    "belt, 2 steps: blue belt (2016), express belt (2005)": {
        "elements": [("belt", {"speed": 2, "out": "E", "in": ["W"]})]
    },
    "a belt that turns": {"elements": [("belt", {"speed": 1, "out": "N", "in": ["W"]})]},
    "belts that merge": {"elements": [("belt", {"speed": 2, "out": "E", "in": ["S", "W"]})]},
    "gear, clockwise": {"elements": [("gear", {"turn": "cw"})]},
    "gear, counter-clockwise": {"elements": [("gear", {"turn": "ccw"})]},
    "push panel with its registers": {"elements": [("panel", {"push": "E", "registers": [1, 3, 5]})]},
    "pit": {"elements": [("pit", {})]},
    "wall": {"elements": [("wall", {"sides": ["E", "S"]})]},
    "laser, one beam": {"elements": [("laser", {"fires": "E", "beams": 1}), ("wall", {"sides": ["W"]})]},
    "laser, three beams": {"elements": [("laser", {"fires": "E", "beams": 3}), ("wall", {"sides": ["W"]})]},
    "energy space with its cube": {"elements": [("energy", {})], "energy": [{"x": 0, "y": 0}]},
    "energy space, the cube is taken": {"elements": [("energy", {})]},
    "repair site, wrench": {"edition": "2005", "elements": [("repair", {"level": 1})]},
    "repair site, two tools": {"edition": "2005", "elements": [("repair", {"level": 2})]},
    "start space (2016)": {"elements": [("dock", {"number": 0})]},
    "start space (2005)": {"edition": "2005", "elements": [("dock", {"number": 3})]},
    "reboot token": {"reboots": [{"x": 0, "y": 0, "facing": "E"}]},
    "antenna, its dish to the east": {"antenna": {"x": 0, "y": 0, "facing": "E"}},
    "checkpoint, or flag": {"checkpoints": [{"number": 1, "x": 0, "y": 0}]},
    # of the community edition
    "floor of level 1, its ledge": {**_COMMUNITY, "elements": [("level", {"level": 1})], "width": 2},
    "floor of level 2, twice as high": {**_COMMUNITY, "elements": [("level", {"level": 2})], "width": 2},
    "ramp, on, up to the right": {**_COMMUNITY, "elements": [("ramp", {"up": "E", "level": 0})]},
    "ramp, off: plain floor": {**_COMMUNITY, "elements": [("ramp", {"up": "E", "level": 0, "enabled": False})]},
    "button, with the letter of its ramps": {
        **_COMMUNITY,
        "elements": [("button", {"ramps": [[4, 0]]})],
        "other": [{"kind": "ramp", "x": 4, "y": 0, "up": "E", "level": 0}],
        "width": 5,
    },
    **{
        explained(kind)[1]: {"edition": kind.editions[0], "elements": [(kind.name, _keys(kind.example))]}
        for kind in KINDS.values()
        if kind.style and kind.editions
    },
    "pusher, its back a wall": {**_COMMUNITY, "elements": [("panel", {"push": "E", "registers": [2, 4]})]},
}
ROBOTS: dict[str, dict[str, Any]] = {
    "robot 0, heading north": {"facing": "N", "checkpoint": None},
    "it goes for checkpoint 3, has 2 damage and has rebooted": {
        "number": 1,
        "facing": "E",
        "checkpoint": 2,
        "damage": 2,
        "rebooted": True,
    },
    "3 lives, powered down, its archive marker under it": {
        "number": 2,
        "facing": "W",
        "lives": 3,
        "powered_down": True,
        "checkpoint": None,
        "archive": (0, 0),
    },
    "in virtual mode beside the robot on its cell (community)": {
        "number": 3,
        "facing": "W",
        "checkpoint": None,
        "virtual": True,
    },
}


def files() -> dict[str, str]:
    """Path below docs/ -> text, of all pictures."""
    courses = {f"gallery/{c.edition}/{c.slug}.svg": board_svg(c, theme="light") for c in list_courses()}
    return {path: svg + "\n" for path, svg in {**dict(_signs()), **courses}.items()}


def course_table(edition: str) -> Iterator[str]:
    """The courses of an edition, with their pictures."""
    yield "<table>"
    row: list[Course] = []
    courses = [course for course in list_courses() if course.edition == edition]
    for course in sorted(courses, key=lambda course: course.width >= WIDE):
        across = 1 if course.width >= WIDE else COLUMNS
        if len(row) == COLUMNS or (row and across == 1):
            yield _row(row)
            row = []
        row.append(course)
        if across == 1:
            yield _row(row)
            row = []
    if row:
        yield _row(row)
    yield "</table>"


def _row(courses: list[Course]) -> str:
    alone = len(courses) == 1 and courses[0].width >= WIDE
    return f"<tr>{''.join(_cell(course, alone) for course in courses)}</tr>"


def _cell(course: Course, alone: bool) -> str:
    few, many = course.counts[0], course.counts[-1]
    word, count = EDITIONS[course.edition].checkpoint, len(course.checkpoints)
    facts = [course.difficulty, course.length, f"{few} to {many} players", f"{count} {word}{'s' * (count != 1)}"]
    wide = f' colspan="{COLUMNS}"' if alone else ""
    return (
        f'<td{wide} valign="top"><img src="gallery/{course.edition}/{course.slug}.svg" alt="{course.title}" '
        f'width="{840 if alone else 270}"><br><b>{course.title}</b> <code>{course.slug}</code><br>'
        f"{', '.join(part for part in facts if part)}</td>"
    )


def sign_table() -> Iterator[str]:
    """The signs with their words."""
    yield "<table>"
    cells = [
        f'<td><img src="{path}" alt="" width="72"></td><td>{words}</td>'
        for words, (path, _) in zip((*SIGNS, *ROBOTS), _signs(), strict=True)
    ]
    yield from (f"<tr>{''.join(cells[i : i + COLUMNS])}</tr>" for i in range(0, len(cells), COLUMNS))
    yield "</table>"


def tile_table() -> Iterator[str]:
    """What each kind of tile does, in the words of the pages of races; in those of each edition where they differ."""
    yield from ("| tile | what it does |", "| --- | --- |")
    for kind in KINDS.values():
        example = kind.example if kind.examples else Element(kind.name, 0, 0, sides=(1,))  # a wall has no token
        rules: dict[str, list[str]] = {}
        for edition in ("2016", "2005", "community"):
            if edition in kind.editions:
                title, rule = words_of(example, edition)
                rules.setdefault(f"{title.partition(',')[0]} | {rule}", []).append(edition)
        for text, editions in rules.items():
            only = f"{', '.join(editions)}: " if len(rules) > 1 or set(kind.editions) == {"community"} else ""
            yield f"| {text.replace(' | ', f' | {only}')} |"


def _signs() -> Iterator[tuple[str, str]]:
    for i, what in enumerate(SIGNS.values()):
        yield f"gallery/signs/{i:02d}.svg", _cropped(board_svg(_cell_course(what), theme="light"))
    flags = [{"number": number, "x": 1 + number, "y": 0} for number in (1, 2, 3)]
    for i, robot in enumerate(ROBOTS.values(), len(SIGNS)):
        course = _cell_course({"width": 5, "checkpoints": flags})
        robots = [{"x": 0, "y": 0, "checkpoint": None}] * bool(robot.get("virtual")) + [{"x": 0, "y": 0, **robot}]
        yield f"gallery/signs/{i:02d}.svg", _cropped(state_svg(course, robots, checkpoints=[]))


def _cell_course(what: dict[str, Any]) -> Course:
    """A course of one row with these elements on its first cell."""
    more = {key: value for key, value in what.items() if key not in ("elements", "edition", "width", "other")}
    elements = [{"kind": kind, "x": 0, "y": 0, **fields} for kind, fields in what.get("elements", ())]
    elements += what.get("other", [])
    return course_from_map(
        {"width": what.get("width", 1), "height": 1, "elements": elements, **more}, what.get("edition", "2016")
    )


def _cropped(svg: str) -> str:
    """The first cell alone, with room for what goes over its edge."""
    start = svg.index('viewBox="') + len('viewBox="')
    return f"{svg[:start]}-8 -8 116 116{svg[svg.index(chr(34), start) :]}"


TABLES = {
    "signs": sign_table,
    "tiles": tile_table,
    "courses 2016": lambda: course_table("2016"),
    "courses 2005": lambda: course_table("2005"),
    "courses community": lambda: course_table("community"),
}
