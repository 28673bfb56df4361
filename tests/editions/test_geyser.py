"""A kind of tile that an edition from outside brings is read, played, drawn, listed and seen like the built-in ones."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace, editions, scenario
from roborally_env.base.errors import CourseError, RoboRallyError, ScenarioError
from roborally_env.cli import main
from roborally_env.compiling.fingerprint import reach_of
from roborally_env.core.driving.driver import drive
from roborally_env.core.seeing.observe import planes_of
from roborally_env.core.state import game_dtype
from roborally_env.courses import (
    EDITIONS,
    KINDS,
    Course,
    Element,
    W,
    course_as_dict,
    course_from_map,
    load_course,
    parse_board,
    rotate,
    token_table,
    write_board,
)
from roborally_env.courses.pictures import Entry, Letters
from roborally_env.courses.scene import Scene
from roborally_env.courses.tables import COURSE_DTYPE, tables_of
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated import Generator, proof_of
from roborally_env.render.ansi import draw
from roborally_env.render.svg import board_svg
from roborally_env.render.theme import COLORS
from tests.render.helpers import pixels_of

from .geyser import GEYSER, GEYSERS

BUILT_IN = ("lighter", "complete", "2005", "2023", "community")
FILE = Path(__file__).with_name("old_faithful.toml")


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    editions.register(GEYSERS)
    yield
    editions.unregister("geysers")


@pytest.fixture(name="course")
def the_course() -> Course:
    return load_course(FILE)


def one(out: str) -> Course:
    geyser = {"kind": "geyser", "x": 1, "y": 0, "out": out}
    return course_from_map({"width": 3, "height": 1, "elements": [geyser]}, "geysers")


def test_its_token_and_its_keys_read_back(course: Course) -> None:
    board = parse_board("+       +\n  Yv+L>\n+       +\n", "one", "geysers")
    assert parse_board(write_board(board), "one", "geysers") == board
    again = course_from_map(course_as_dict(course)["map"], "geysers")
    assert [e for e in again.elements if e.kind == "geyser"] == [e for e in course.elements if e.kind == "geyser"]
    assert {e.out for e in rotate(board, 1).elements if e.kind == "geyser"} == {W}


def outcome(course: Course, robots: list[dict[str, Any]], registers: int = 1) -> dict[str, Any]:
    robots = [{"facing": "N", "registers": ["turn_right", "turn_left", None, None, None], **robot} for robot in robots]
    play = {"from": 1, "to": registers}
    found = {"edition": "geysers", "map": course_as_dict(course)["map"], "robots": robots, "play": play}
    return scenario.load(found).run()


@pytest.mark.slow
def test_a_scenario_a_robot_on_a_geyser_is_thrown_and_pushes_another(course: Course) -> None:
    first, second = outcome(course, [{"x": 3, "y": 2}, {"x": 4, "y": 2}])["robots"]
    assert [(robot["x"], robot["y"]) for robot in (first, second)] == [(3, 2), (4, 2)]  # the wall holds both
    first, second = outcome(course, [{"x": 2, "y": 1}, {"x": 2, "y": 2}])["robots"]
    assert [(robot["x"], robot["y"]) for robot in (first, second)] == [(2, 2), (2, 3)]


@pytest.mark.slow
def test_a_scenario_two_geysers_one_after_the_other_and_over_the_edge(course: Course) -> None:
    (robot,) = outcome(course, [{"x": 5, "y": 0}], 2)["robots"]
    assert (robot["x"], robot["y"]) == (6, 1)
    (robot,) = outcome(course, [{"x": 7, "y": 0, "registers": ["move_1", None, None, None, None]}])["robots"]
    assert robot["rebooted"]


@pytest.mark.slow
def test_races_are_played_and_every_robot_that_rests_on_a_geyser_is_thrown(course: Course) -> None:
    batch = BatchRace(64, course, edition="geysers", players=3, seed=2, events=True)
    table = batch.maps.courses[0]["geyser"]
    assert sorted(set(table.tolist())) == [0, 1, 2, 3, 4]
    thrown = 0
    for step in range(40):
        batch.sample(step)
        batch.step_prepared()
        for game in range(64):
            events = [event for event in batch.events_of(game) if event["kind"] == "shift"]
            thrown += len(events)
            for event in events:
                (x, y), (to_x, to_y) = event["from"], event["to"]
                way = {(0, -1): 1, (1, 0): 2, (0, 1): 3, (-1, 0): 4}[to_x - x, to_y - y]
                assert table[y * 32 + x] == way
    assert thrown > 50


@pytest.mark.slow
def test_it_races_on_borrowed_courses_and_bots_know_geysers(course: Course) -> None:
    assert BatchRace(2, "burnout", edition="geysers", players=2).edition == "geysers"
    assert evaluate(["greedy", "random"], course, edition="geysers", players=2, games=20).rows[0].agent == "greedy"


@pytest.mark.slow
def test_generated_courses_have_geysers_on_made_boards_and_can_be_finished() -> None:
    generator = Generator(edition="geysers", difficulty=2, way="made")
    courses = [generator.course(number) for number in range(3)]
    assert all(course.edition == "geysers" and not proof_of(course).problem for course in courses)
    assert sum(e.kind == "geyser" for course in courses for e in course.elements) > 2
    assert any(board.name != "made" for board in Generator(edition="geysers", way="arranged").course(0).boards)


@pytest.mark.slow
def test_learned_plays_it_with_the_weights_of_the_edition_whose_observation_it_has(course: Course) -> None:
    found = evaluate(["learned:deals=0", "greedy"], course, edition="geysers", players=2, games=8)
    assert sum(row.wins for row in found.rows) == 8


def test_its_pictures_may_depend_on_what_lies_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def beside(e: Element, scene: Scene) -> bool:
        return (e.x + 1, e.y, W) in scene.walls

    walled = dataclasses.replace(
        GEYSER,
        svg=None,
        picture=lambda e, scene: f'<circle r="9" fill="{"$wall" if beside(e, scene) else "$geyser"}"/>',
        text=lambda e, scene: [Letters("W" if beside(e, scene) else "Y", "wall", 0, 3)],
        legend=lambda geysers, scene: [Entry("Y", "wall", f"one of {len(geysers)}")],
    )
    monkeypatch.setitem(KINDS, "geyser", walled)
    plain, wall = one("E"), {"kind": "wall", "x": 1, "y": 0, "sides": ["E"]}
    geyser = {"kind": "geyser", "x": 1, "y": 0, "out": "E"}
    beside_wall = course_from_map({"width": 3, "height": 1, "elements": [geyser, wall]}, "geysers")
    for course, color, letter in ((plain, "geyser", "Y"), (beside_wall, "wall", "W")):
        assert f'<circle r="9" fill="{COLORS[color][0]}"/>' in board_svg(course, theme="light")
        text = draw(course, color=False)
        assert text.split("\n")[2][3 + 6 + 1 + 3] == letter
        assert "Y one of 1" in text


def test_it_is_drawn_turned_by_its_direction() -> None:
    pictures = [
        pixels_of(board_svg(one(out), theme=theme), 300)
        for out, theme in (("E", "light"), ("W", "light"), ("W", "dark"))
    ]
    east, west, dark = pictures
    assert np.abs(east[:, ::-1].astype(int) - west)[60:-60, 110:190].mean() < 3
    assert (east != west).any()
    assert (west != dark).any()
    assert "Y→" in draw(one("E"), color=False)


def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for command, wanted in (
        (["draw", str(FILE)], "Y→ geyser"),
        (["check", str(FILE)], "Old Faithful"),
        (["courses", "--tiles", "--edition", "geysers"], "geyser: it throws"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert not ended.value.code
        assert wanted in capsys.readouterr().out
    assert "| `Y>` | geyser: it throws" in token_table()


@pytest.mark.slow
def test_it_is_seen_in_the_planes_by_the_way_that_the_robot_faces(course: Course) -> None:
    plane = [name for name, _ in planes_of("geysers")].index("reboot_token")
    assert "16 ahead" in planes_of("geysers")[plane][1]
    batch = BatchRace(32, course, edition="geysers", players=2, seed=3, observation="planes")
    seen = 0
    for step in range(10):
        windows = batch.observations["planes"][..., plane]
        for game in range(32):
            for r in range(2):
                cell, facing = int(batch.games["cell"][game, r]), int(batch.games["facing"][game, r])
                here = batch.maps.courses[0]["geyser"][cell]
                assert windows[game, r, 6, 6] & 240 == (16 << ((int(here) - 1 - facing) & 3) if here else 0)
                seen += bool(windows[game, r].max() >= 16)
        batch.sample(step)
        batch.step_prepared()
    assert seen


def test_built_in_editions_stay_as_they_are() -> None:
    known = dict(EDITIONS)
    assert all("geyser" not in known[name].kinds for name in ("2016", "2005", "2023", "community"))
    assert tables_of(load_course("burnout")).dtype == COURSE_DTYPE
    assert "geyser" not in (COURSE_DTYPE.names or ())
    assert "geyser" in (tables_of(load_course("burnout", "geysers")).dtype.names or ())


OIL = {"name": "oil", "token": "Z", "examples": ("Z",), "colors": {}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "oil"}, "'Y>'"),
        ({**OIL, "token": "O", "examples": ("O",)}, "'oil'.*'O'"),
        ({**OIL, "token": "{turn}x", "examples": ("Y>",)}, "'Y>'"),
        ({"token": "Z", "examples": ("Z",)}, "'geyser'"),
        ({**OIL, "name": "a b"}, "letters"),
        ({**OIL, "name": "antenna"}, "field"),
        ({**OIL, "colors": GEYSER.colors}, "'geyser'"),
        ({**OIL, "plane": "oil"}, "'others'.*'oil'"),
        ({**OIL, "acts": "oil"}, "'oil'.*blue_belts"),
        ({**OIL, "over": "oil"}, "over.*'oil'"),
        ({**OIL, "examples": ()}, "examples"),
    ],
)
def test_what_cannot_be_registered_leaves_nothing_behind(change: dict[str, Any], message: str) -> None:
    before = list(KINDS), dict(EDITIONS), dict(COLORS)
    tile = dataclasses.replace(GEYSER, keys=(), **{"title": "", "fills": None, **change})
    kinds = [(kind._replace(name="others", edition="others"), rows) for kind, rows in GEYSERS.kinds]
    with pytest.raises(RoboRallyError, match=message):
        editions.register(dataclasses.replace(GEYSERS, name="others", tiles=[tile], kinds=kinds))
    assert (list(KINDS), dict(EDITIONS), dict(COLORS)) == before


def test_a_field_that_no_token_has_is_refused() -> None:
    with pytest.raises(CourseError, match=r"'Y\{way\}'.*'way'"):
        editions.TileKind(name="oil", token="Y{way}", examples=("Y>",))


def test_wrong_courses_get_one_clear_line(tmp_path: Path, course: Course) -> None:
    text = FILE.read_text(encoding="utf-8")
    for old, new, message in (
        ('edition = "geysers"', 'edition = "2016"', "edition 2016"),
        ("Y<   ", "Yx   ", "'Yx'.*1"),
        ("Y<   ", "Y<+cw", ""),
        ("Y<   ", "Y<+Y>", ""),
    ):
        file = tmp_path / "wrong.toml"
        file.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(CourseError, match=message):
            load_course(file)
    geyser = {"kind": "geyser", "x": 0, "y": 0, "out": "up"}
    with pytest.raises(ScenarioError, match=r"map.elements\[0\].out.*N, E, S, W.*'up'"):
        course_from_map({"width": 1, "height": 1, "elements": [geyser]}, "geysers")


def test_the_tutorial_shows_the_function_as_it_is() -> None:
    page = (FILE.parents[2] / "docs" / "editions.md").read_text(encoding="utf-8")
    (shown,) = (code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "def erupt" in code)
    assert shown in FILE.with_name("geyser.py").read_text(encoding="utf-8")


def test_taken_back_it_is_gone_and_can_be_registered_anew() -> None:
    editions.unregister("geysers")
    try:
        with pytest.raises(CourseError, match="'geysers'"):
            load_course(FILE)
        with pytest.raises(CourseError, match="'Y>'"):
            parse_board("+    +\n  Y>\n+    +\n")
        assert "geyser" not in KINDS
        assert "geyser" not in COLORS
    finally:
        editions.register(GEYSERS)
    assert load_course(FILE).edition == "geysers"


def test_machine_code_of_the_built_in_editions_is_the_same_beside_it() -> None:
    """The hashes that its files are named by."""

    def digests() -> list[str]:
        return [reach_of(drive, frozenset(game_dtype(name).names or ())).digest for name in BUILT_IN]

    beside = digests()
    editions.unregister("geysers")
    try:
        assert digests() == beside
    finally:
        editions.register(GEYSERS)
