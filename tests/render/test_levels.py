"""Drawings of the community edition: levels, ledges and ramps are seen, and beams know them."""

from typing import Any

import numpy as np
import pytest

from roborally_env.courses import Course, course_from_map
from roborally_env.courses.scene import Scene
from roborally_env.render.ansi import draw
from roborally_env.render.figures import figures
from roborally_env.render.frames import Shown, frame, frame_svg
from roborally_env.render.legend import status
from roborally_env.render.states import state_svg
from roborally_env.render.svg import board_svg
from roborally_env.render.theme import COLORS
from tests.render.helpers import pixels_of, tags

LEDGE = COLORS["ledge"][0]


def course(*elements: dict[str, Any], width: int = 5, height: int = 1, **more: Any) -> Course:
    return course_from_map({"width": width, "height": height, "elements": list(elements), **more}, "community")


def level(x: int, number: int, y: int = 0) -> dict[str, Any]:
    return {"kind": "level", "x": x, "y": y, "level": number}


def ramp(x: int, up: str, foot: int, on: bool = True) -> dict[str, Any]:
    return {"kind": "ramp", "x": x, "y": 0, "up": up, "level": foot, "enabled": on}


def ledges(drawn: str) -> int:
    """How many ledges a light drawing has."""
    return drawn.count(f'<path d="M-50 -49H50M-50 -44H50" stroke="{LEDGE}"') + drawn.count(
        f'<path d="M-50 -49H50" stroke="{LEDGE}"'
    )


@pytest.mark.parametrize(
    ("elements", "number"),
    [
        ([], 0),
        ([level(2, 1)], 2),
        ([level(1, 1), level(2, 1), level(3, 1)], 2),
        ([level(2, 1), level(3, 2)], 3),
        ([ramp(2, "E", 0), level(3, 1)], 1),  # up the ramp, down behind the floor
        ([ramp(2, "E", 0, on=False), level(3, 1)], 2),  # the ramp is floor: a ledge before it
        ([ramp(2, "E", 0)], 1),  # a ramp that leads nowhere ends in a ledge
        ([ramp(1, "E", 0), ramp(2, "E", 1), level(3, 2)], 1),
    ],
)
def test_a_ledge_is_drawn_where_floors_differ(elements: list[dict[str, Any]], number: int) -> None:
    assert ledges(board_svg(course(*elements), theme="light")) == number


def test_a_ledge_of_two_levels_is_drawn_twice() -> None:
    assert "M-50 -44H50" not in board_svg(course(level(0, 1)), theme="light")
    assert "M-50 -44H50" in board_svg(course(level(0, 2)), theme="light")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_level_has_a_colour_of_its_own(theme: str) -> None:
    cells = pixels_of(board_svg(course(level(1, 1), level(2, 2), level(3, 3)), theme=theme), 600)
    found = [tuple(int(n) for n in cells[130, 80 + 100 * x, :3]) for x in range(4)]
    assert len(set(found)) == 4
    steps = np.diff([sum(color) for color in found])
    assert (steps < -30).all() if theme == "light" else (steps > 20).all()


def test_ramps_are_drawn_as_they_are_now() -> None:
    there = course(ramp(1, "E", 0), level(2, 1), {"kind": "button", "x": 4, "y": 0, "ramps": [[1, 0]]})
    start, on, off = (state_svg(there, ramps=ramps) for ramps in (None, [(1, 0)], []))
    assert start == on != off
    assert "stroke-dasharray" in off
    assert [tag for tag in tags(off) if tag[0] == "ramp"] == [("ramp", 1, 0)]
    assert "►►►►" in draw(there, color=False)
    assert "▷▷▷▷" in draw(there, color=False, ramps=[])


def test_a_button_and_its_ramps_have_the_same_letter() -> None:
    buttons = [{"kind": "button", "x": x, "y": 0, "ramps": [[ramp_x, 0]]} for x, ramp_x in ((0, 1), (4, 3))]
    labels = Scene(course(ramp(1, "E", 0), ramp(3, "W", 0), level(2, 1), *buttons)).labels
    assert labels[0, 0, "button"] == labels[1, 0, "ramp"] != labels[3, 0, "ramp"] == labels[4, 0, "button"]


def cells(there: Course, *robots: tuple[int, int], ramps: Any = None) -> int:
    """How many cells the beam of the only laser crosses."""
    return len(Scene(there, robots, ramps).beam_cells(next(e for e in there.elements if e.kind == "laser")))


LASER = {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 1}


def test_beams_run_at_their_level() -> None:
    assert cells(course(LASER, level(3, 1))) == 3  # a higher floor stops it
    assert cells(course(LASER, level(0, 1))) == 5  # over lower ones it goes on
    assert cells(course(LASER, level(0, 1)), (2, 0)) == 5  # and over robots there
    assert cells(course(LASER, level(0, 1), level(2, 1)), (2, 0)) == 3  # on its level they stop it
    assert cells(course(LASER, {"kind": "one_way", "x": 2, "y": 0, "dir": "W"})) == 2
    assert cells(course(LASER, {"kind": "one_way", "x": 2, "y": 0, "dir": "E"})) == 5


def test_beams_enter_ramps_along_their_axis() -> None:
    up = course(LASER, ramp(2, "E", 0), level(3, 1))
    assert cells(up) == 3
    assert cells(course(LASER, ramp(2, "N", 0))) == 2  # its side is a wall
    assert cells(course(LASER, ramp(2, "N", 0)), ramps=[]) == 5


def test_robots_in_virtual_mode_stop_no_beam_and_leave_the_other_to_be_seen() -> None:
    ghosts = [{"x": 2, "y": 0, "facing": "N"}, {"x": 2, "y": 0, "facing": "N", "virtual": True}]
    alone, both = (state_svg(course(), robots) for robots in (ghosts[:1], ghosts))
    assert [kind for kind, *_ in tags(both)].count("robot") == 2
    assert "stroke-dasharray" in both
    middle = np.s_[95:105, 290:310]  # the number of the robot
    assert (pixels_of(alone, 600)[middle] == pixels_of(both, 600)[middle]).all()
    assert status(figures(ghosts)[1]) == "virtual"
    there = course(LASER)
    beams = [state_svg(there, [robot]).split('data-kind="beam"')[1].split("</g>")[0] for robot in ghosts]
    assert beams[0] != beams[1]


def test_frames_show_ramps_as_they_are_now() -> None:
    there = course(ramp(1, "E", 0), level(2, 1), width=4, height=4)
    robots = tuple(figures([{"x": 0, "y": 0, "facing": 1}, {"x": 3, "y": 3, "facing": 1}]))
    on, off = (Shown(there, "round 1", robots, (), (), ramps) for ramps in (((1, 0),), ()))
    assert (frame(on, size=400) != frame(off, size=400)).any(axis=2).sum() > 100
    assert frame_svg(on) != frame_svg(off)
    assert (frame(on, size=400) == frame(on._replace(ramps=None), size=400)).all()
