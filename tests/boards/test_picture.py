"""The picture of a course for the terminal: everything is seen, with and without colour."""

import re
from types import SimpleNamespace

import pytest

from roborally_env.courses import course_from_map, course_names, list_courses, load_course
from roborally_env.render.ansi import draw
from tests.sizes import one_of_each

COURSES = [(e, name) for e in ("2016", "2005") for name in course_names(e)]
COURSES += [("community", name) for name in course_names("community")[:4]]
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def small(*elements, **more):
    return course_from_map({"width": 3, "height": 2, "elements": list(elements), **more})


def picture(course, **options):
    """The lines of the picture without the legend."""
    return draw(course, color=False, **options).split("\n\n")[0].split("\n")


def belt(x, y, out, *feeds, speed=1):
    return {"kind": "belt", "x": x, "y": y, "speed": speed, "out": out, "in": list(feeds)}


def test_belts_show_their_turns_and_speeds():
    course = small(
        belt(0, 0, "E", "W", speed=2), belt(1, 0, "S", "W", speed=2), belt(1, 1, "W", "N"), belt(2, 1, "W", "E", "N")
    )
    text = "\n".join(picture(course))
    for glyph in ("═⇒", "═╗⇓", "─╯←", "─┴←"):
        assert glyph in text


def test_a_beam_runs_from_its_emitter_to_the_wall():
    course = small(
        {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 2}, {"kind": "wall", "x": 1, "y": 0, "sides": ["E"]}
    )
    assert picture(course)[3] == "    LL→╌╌╌╌╌╌╌╌┃"


def test_a_beam_stops_at_the_antenna_and_at_a_robot():
    laser = {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 1}
    blocked = small(laser, antenna={"x": 2, "y": 0, "facing": "W"})
    assert picture(blocked)[3] == "    L→╌╌╌╌╌╌╌╌╌ ANT←"
    assert picture(small(laser), robots=[{"x": 1, "y": 0, "facing": "N"}])[3] == "    L→╌╌╌╌@0↑╌╌"


def test_a_beam_down_a_column_crosses_the_borders():
    course = small({"kind": "laser", "x": 1, "y": 1, "fires": "N", "beams": 1, "two_ended": True})
    assert [line[14:15] for line in picture(course)[2:7]] == ["┊", "┊", "┊", "┊", "↑"]


def test_every_kind_is_seen():
    course = small(
        {"kind": "gear", "x": 0, "y": 0, "turn": "cw"},
        {"kind": "gear", "x": 1, "y": 0, "turn": "ccw"},
        {"kind": "pit", "x": 2, "y": 0},
        {"kind": "panel", "x": 0, "y": 1, "push": "W", "registers": [1, 3, 5]},
        {"kind": "dock", "x": 1, "y": 1, "number": 3},
        {"kind": "energy", "x": 2, "y": 1},
        checkpoints=[{"number": 1, "x": 2, "y": 1}],
        reboots=[{"x": 0, "y": 1, "facing": "S"}],
    )
    text = "\n".join(picture(course))
    for glyph in ("↻ cw", "↺ ccw", "▒▒▒▒▒", "P←135", "dock3", "[1]◇", "R↓"):
        assert glyph in text


def test_robots_stay_visible_over_everything():
    course = load_course("dizzy_highway")
    cells = [(x, y) for y in range(10) for x in range(13)]
    for x, y in cells:
        text = draw(course, robots=[SimpleNamespace(x=x, y=y, facing=2, number=5, rebooted=False)], color=False)
        assert "@5↓" in text.split("\n\n")[0]


SIGNS = {
    "belt": "→←↑↓⇒⇐⇑⇓", "gear": "↻↺", "panel": "P", "laser": "LT", "energy": "◆◇", "repair": "r", "pit": "▒",
    "button": "◉", "stomper": "S", "trapdoor": "D", "one_way": "!", "puddle": "≈", "radiation": "*", "ramp": "▲►▼◄△▷▽◁",
}  # fmt: skip


def crowded():
    """(course, x, y, elements) of cells with a checkpoint or an element, one for each content."""
    found = []
    for edition, name in COURSES:
        course = load_course(name, edition)
        cells = {(x, y): [] for _, x, y in course.checkpoints}
        for element in course.elements:
            if element.kind in SIGNS:
                cells.setdefault((element.x, element.y), []).append(element._replace(x=0, y=0))
        found += [(course, *cell, there) for cell, there in cells.items() if [e.kind for e in there] != ["pit"]]
    return one_of_each(found, lambda each: tuple(sorted(map(repr, each[3]))))


def test_a_robot_on_a_crowded_cell_is_seen_with_what_it_stands_on():
    """Robots and checkpoints whole; belts, gears, panels, emitters and the like by a sign."""
    for course, x, y, elements in crowded():
        text = draw(course, robots=[{"number": 3, "x": x, "y": y, "facing": "E"}], color=False).rsplit("\n\n", 1)[0]
        assert "@3→" in text
        assert all(f"[{number}]" in text for number, _, _ in course.checkpoints)
        lines = [line.ljust(6 * course.width + 9) for line in text.split("\n")[2 + 3 * y : 4 + 3 * y]]
        cell = "".join(line[4 + 6 * x : 9 + 6 * x] for line in lines).replace("@3→", "")
        for element in elements:
            assert set(cell) & set(SIGNS[element.kind]), (course.slug, element, x, y, cell)


def test_robots_are_mappings_or_objects_and_may_be_rebooted():
    text = draw(small(), robots=[{"x": 0, "y": 0, "facing": "W"}, {"x": 1, "y": 1, "facing": 1, "rebooted": True}])
    plain = ESCAPE.sub("", text)
    assert "@0←" in plain
    assert "~1→" in plain


def test_the_state_of_a_game_is_drawn():
    course = load_course("twister")
    text = draw(course, color=False, checkpoints=[(1, 4, 4)], cubes=[]).split("\n\n")[0]
    assert text.split("\n")[15] == "    ANT→  dock       ┃   L↓ [1]               ◇    ┃                            ┊"
    assert "[2]" not in text
    assert "◆" not in text
    assert "◇" in text


@pytest.mark.parametrize(("edition", "name"), COURSES)
def test_colour_changes_no_letter_and_the_picture_fits(edition, name):
    course = load_course(name, edition)
    plain = draw(course, color=False)
    assert "\x1b" not in plain
    assert ESCAPE.sub("", draw(course, color=True)) == plain
    assert max(map(len, plain.split("\n"))) <= (100 if course.width <= 13 else 6 * course.width + 5)
    for number, _, _ in course.checkpoints:
        assert f"[{number}]" in plain
    picture, _legend = plain.rsplit("\n\n", 1)
    marks = re.findall(r"dock(\d?)(?=[ \n┃])", picture)
    assert sorted(int(number or 0) for number in marks) == [number for number, _, _ in course.docks]
    for level in (1, 2):
        sites = sum(1 for e in course.elements if e.kind == "repair" and e.level == level)
        assert picture.count(f"r{level}") == sites


def test_the_widest_printed_course_fits():
    assert max(map(len, draw(load_course("burn_run"), color=False).split("\n"))) <= 160


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_the_legend_is_not_wider_than_the_picture(edition):
    for course in list_courses(edition):
        drawing, legend = draw(course, color=False).rsplit("\n\n", 1)
        assert max(map(len, legend.splitlines())) <= max(60, *map(len, drawing.splitlines()))
