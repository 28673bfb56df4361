"""Drawings of states: nothing that play brings up makes them fail, and what players want to know is there."""

import re
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.courses import load_course
from roborally_env.envs.picture import checkpoints_of, course_of, cubes_of, figures_of, picture, ramps_of, shown_by
from roborally_env.render.frames import frame
from roborally_env.render.robots import ROBOT_COLORS, archive_svg, checkpoint_svg, cube_svg, robot_svg
from roborally_env.render.states import state_svg
from roborally_env.render.theme import resolved
from tests.render.helpers import pixels_of, random_states, tags
from tests.sizes import some_rows

RACES = [
    ("2016/death_trap", "2016", 4, {}),
    ("gear_stripper", "2016", 4, {"rules": {"upgrades": False}}),
    ("burn_run", "2016", 2, {}),
    ("2005/death_trap", "2005", 4, {}),
    ("moving_targets", "2005", 4, {}),
    ("frenetic_factory", "2005", 8, {}),
    ("capture_the_flag", "2005", 4, {}),
    ("interference", "2005", 2, {}),
    ("war_zone", "2005", 4, {}),
    ("terraces", "community", 4, {}),
    ("summit_works", "community", 6, {"decisions": "all"}),
]


@pytest.mark.parametrize(
    ("course", "edition", "players", "options"),
    some_rows(
        {race[0]: race for race in RACES}, usual=["2016/death_trap", "moving_targets", "interference", "terraces"]
    ),
)
def test_any_state_of_random_play_can_be_drawn(course: str, edition: str, players: int, options: Any) -> None:
    """Robots that fall, wait to come back or are out are not on the board; the others stand where they are."""
    for batch in random_states(course, edition, players, 60, **options):
        robots, here = figures_of(batch), course_of(batch)
        lies = {"checkpoints": checkpoints_of(batch), "cubes": cubes_of(batch), "ramps": ramps_of(batch)}
        svg = state_svg(here, robots, **lies)
        found = tags(svg)
        standing = sorted(("robot", f.x, f.y) for f in robots if f.on_board)
        assert sorted(tag for tag in found if tag[0] == "robot") == standing
        assert sorted(tag for tag in found if tag[0] == "cube") == sorted(("cube", x, y) for x, y in cubes_of(batch))
        assert {(x, y) for kind, x, y in found if kind == "checkpoint"} == {(x, y) for _, x, y in checkpoints_of(batch)}
        assert all(0 <= x < here.width and 0 <= y < here.height for _, x, y in found)
        assert f"{here.title}, " in picture(batch)
    pixels = frame(shown_by(batch))
    assert max(pixels.shape) == 800


@pytest.mark.parametrize("edition", ["2016", "2005"])
def test_random_play_destroys_robots(edition: str) -> None:
    """The test above draws what it means to draw."""
    gone = out = 0
    for batch in random_states(f"{edition}/death_trap", edition, 4, 60, decisions="all"):
        gone += sum(not f.on_board or f.rebooted for f in figures_of(batch))
        out += sum(f.out for f in figures_of(batch))
    assert gone
    assert bool(out) == (edition == "2005")


def state(**robot: Any) -> str:
    """A robot alone on cell (6, 5) of Dizzy Highway."""
    return state_svg(load_course("dizzy_highway"), [{"x": 6, "y": 5, "facing": "N", **robot}])


PLAIN = {"damage": 0, "checkpoint": 0}


@pytest.mark.parametrize(
    "change",
    [
        {"damage": 3},
        {"damage": 12},
        {"checkpoint": 1},
        {"checkpoint": None},
        {"lives": 3},
        {"lives": 1},
        {"powered_down": True},
        {"rebooted": True},
        {"virtual": True},
        {"archive": (2, 2)},
        {"number": 5},
        {"facing": "E"},
    ],
    ids=str,
)
def test_what_players_want_to_know_is_seen(change: dict[str, Any]) -> None:
    assert (pixels_of(state(**PLAIN), 700) != pixels_of(state(**{**PLAIN, **change}), 700)).any(axis=2).sum() > 20


def test_damage_over_and_under_ten_stays_in_the_cell() -> None:
    bare = pixels_of(state(**PLAIN), 1400)
    for damage in (1, 9, 10, 88):
        rows, columns = np.nonzero((pixels_of(state(damage=damage, checkpoint=0), 1400) != bare).any(axis=2))
        assert columns.min() >= 650
        assert columns.max() < 752
        assert rows.max() < 652


def test_a_robot_on_a_checkpoint_and_on_a_cube_leaves_both_visible() -> None:
    course = load_course("dizzy_highway")
    (_, x, y), cube = course.checkpoints[0], course.energy[0]
    svg = state_svg(course, [{"x": x, "y": y, "facing": 0}, {"x": cube[0], "y": cube[1], "facing": 0}])
    kinds = [kind for kind, cx, cy in tags(svg) if (cx, cy) in ((x, y), cube)]
    assert kinds.index("robot") < len(kinds) - 1 - kinds[::-1].index("checkpoint")  # the small one lies over it
    assert kinds.index("robot") < kinds.index("cube")


def test_robots_are_told_apart_without_colour() -> None:
    """In grey each has its own outline, also where the number is not read."""
    grey = []
    for number in range(8):
        svg = re.sub("|".join(ROBOT_COLORS), "#888888", robot_svg(number, theme="light"))
        body = svg[: svg.index('<g class="rr-robot-label">')] + "</g>"
        grey.append(pixels_of(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{body}</svg>', 100))
    for i in range(8):
        for j in range(i):
            assert (grey[i] != grey[j]).any(axis=2).mean() > 0.02, (i, j)


def test_the_number_of_a_robot_stays_upright() -> None:
    north, east = robot_svg(6), robot_svg(6, turn=1)
    assert "rotate(90)" in east
    assert north.split('rr-robot-label">')[1] == east.split('rr-robot-label">')[1]


@pytest.mark.parametrize("svg", [robot_svg(3), checkpoint_svg(8, "flag"), cube_svg(), archive_svg(7)])
def test_a_piece_fits_on_its_cell(svg: str) -> None:
    sheet = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-100 -100 200 200">{resolved(svg, "light")}</svg>'
    opaque = pixels_of(sheet, 200)[:, :, 3] > 0
    opaque[49:151, 49:151] = False
    assert not opaque.any()


@pytest.mark.parametrize("robot", [{"x": "a", "y": 1}, {"x": 1, "y": 1, "facing": "Q"}, {"x": 0, "y": 0, "archive": 3}])
def test_what_is_no_robot_is_refused(robot: dict[str, Any]) -> None:
    with pytest.raises(RoboRallyError, match=r"robots\[0\]"):
        state_svg(load_course("dizzy_highway"), [robot])
