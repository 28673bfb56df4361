"""The drawing of every course: it is XML, has everything that the course has, and stays inside its picture."""

import re
from dataclasses import replace

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.courses import KINDS, Course, Element, course_from_map, load_course
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import bottom_up
from roborally_env.render.svg import board_svg
from roborally_env.render.theme import COLORS, resolved, theme_css
from tests.render.helpers import every_course, pixels_of, tags


@every_course
def test_every_element_is_present(course: Course) -> None:
    found = sorted(tags(board_svg(course)))
    wanted = [(e.kind, e.x, e.y) for e in course.elements]
    wanted += [("beam", e.x, e.y) for e in course.elements if e.kind == "laser"]
    wanted += [("cube", x, y) for x, y in course.energy]
    wanted += [("checkpoint", x, y) for _, x, y in course.checkpoints]
    wanted += [("token", x, y) for x, y, _ in course.reboots]
    wanted += [("antenna", *course.antenna[:2])] if course.antenna else []
    assert found == sorted(wanted)
    assert all(course.on_board(x, y) for _, x, y in found)


@every_course
def test_the_drawing_stays_inside_its_picture(course: Course) -> None:
    """Drawn on a larger sheet, nothing lies outside the margin."""
    svg = board_svg(course, theme="light")
    width, height = 100 * course.width + 100, 100 * course.height + 100
    assert f'viewBox="-50 -50 {width} {height}"' in svg
    sheet = svg.replace(f'viewBox="-50 -50 {width} {height}"', f'viewBox="-250 -250 {width + 400} {height + 400}"')
    opaque = pixels_of(sheet, (width + 400) // 10)[:, :, 3] > 0
    assert opaque[20:-20, 20:-20].any()
    opaque[20:-20, 20:-20] = False
    assert not opaque.any()


@every_course
def test_only_known_colours_are_used_and_each_has_both_themes(course: Course) -> None:
    svg = board_svg(course)
    assert set(re.findall(r"var\(--rr-([a-z0-9-]+),", svg)) <= set(COLORS)
    light, dark = resolved(svg, "light"), resolved(svg, "dark")
    assert "var(" not in light + dark
    assert light != dark
    assert "<text" not in svg  # letters are strokes: no font is needed


def test_every_kind_of_element_has_its_function() -> None:
    assert sorted(kind.name for kind in bottom_up()) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_element_is_seen(kind: str) -> None:
    """Also crushers, which no course that comes along has: the cell looks unlike bare floor."""
    fields = {"speed": 1, "out": 1, "feeds": (3,), "turn": 1, "sides": (0,), "push": 1, "registers": (1, 5)}
    more = {"fires": 1, "beams": 1, "number": 1, "level": 1}
    bare = course_from_map({"width": 1, "height": 1})
    there = replace(
        bare, elements=(Element(kind, 0, 0, **fields, **more)._replace(sides=(0,) if kind == "wall" else ()),)
    )
    one, other = (pixels_of(board_svg(course, theme="light"), 200) for course in (bare, there))
    assert (one != other).any(axis=2).mean() > 0.01


def test_what_is_left_out_is_left_out() -> None:
    course = load_course("2016/twister")
    svg = board_svg(course, checkpoints=False, cubes=False, docks=False, beams=False)
    assert not {"checkpoint", "cube", "dock", "beam"} & {kind for kind, _, _ in tags(svg)}
    assert {"energy", "laser", "belt"} <= {kind for kind, _, _ in tags(svg)}


def test_a_faster_belt_has_more_chevrons() -> None:
    def chevrons(speed: int) -> int:
        belt = {"kind": "belt", "x": 0, "y": 0, "speed": speed, "out": "N", "in": ["S"]}
        svg = board_svg(course_from_map({"width": 1, "height": 1, "elements": [belt]}), theme="light")
        path = re.search(rf'<path d="([^"]+)" stroke="{COLORS[f"arrow{speed}"][0]}"', svg)
        assert path
        return path[1].count("M")

    assert (chevrons(1), chevrons(2)) == (1, 2)


def test_a_curve_is_drawn_to_the_side_to_which_it_turns() -> None:
    """From the west to the north: round the corner between them, which is floor."""
    belt = {"kind": "belt", "x": 0, "y": 0, "speed": 1, "out": "N", "in": ["W"]}
    cell = pixels_of(board_svg(course_from_map({"width": 1, "height": 1, "elements": [belt]}), theme="light"), 200)
    bed = tuple(bytes.fromhex(COLORS["belt1"][0][1:]))
    spots = {"way in": (54, 90), "bend": (97, 97), "way out": (90, 54), "inside": (56, 56), "outside": (144, 144)}
    found = {spot: tuple(cell[y, x, :3]) == bed for spot, (x, y) in spots.items()}
    assert found == {"way in": True, "bend": True, "way out": True, "inside": False, "outside": False}


def test_beams_end_at_walls_at_the_antenna_and_in_robots() -> None:
    laser = {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 1}
    wall = {"kind": "wall", "x": 1, "y": 0, "sides": ["E"]}
    open_, walled = (course_from_map({"width": 4, "height": 1, "elements": e}) for e in ([laser], [laser, wall]))
    antenna = course_from_map(
        {"width": 4, "height": 1, "elements": [laser], "antenna": {"x": 3, "y": 0, "facing": "N"}}
    )

    def cells(course: Course, *robots: tuple[int, int]) -> int:
        return len(Scene(course, robots).beam_cells(next(e for e in course.elements if e.kind == "laser")))

    assert [cells(open_), cells(walled), cells(antenna), cells(open_, (2, 0)), cells(open_, (0, 0))] == [4, 2, 3, 3, 1]


def test_a_page_sets_every_colour_in_both_themes() -> None:
    css = theme_css()
    for name, (light, dark) in COLORS.items():
        assert css.count(f"--rr-{name}:{light};") >= 1
        assert css.count(f"--rr-{name}:{dark};") >= 2


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(RoboRallyError, match="light, dark, page, got 'drak'"):
        board_svg(load_course("dizzy_highway"), theme="drak")


def test_light_and_dark_pictures_differ_in_brightness() -> None:
    light, dark = (
        pixels_of(board_svg(load_course("twister"), theme=theme), 200)[20:-20, 20:-20, :3]
        for theme in ("light", "dark")
    )
    assert np.median(light) > 180 > 90 > np.median(dark)
