"""The four courses of the community edition: each can be finished, and together they have every tile."""

import re
import tomllib

import pytest

from roborally_env.courses import EDITIONS, Course, check_course, course_names, load_course, parse_board, write_board
from roborally_env.courses.reach import unreachable
from roborally_env.courses.reader import SHIPPED
from roborally_env.courses.tables import HAS_MOVING, tables_of
from tests.boards.helpers import comments_of

FOLDER = SHIPPED / "community"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
BOARDS = sorted(path.stem for path in (FOLDER / "boards").glob("*.txt"))
README = (SHIPPED / "README.md").read_text(encoding="utf-8")
LEVELS = {"rain_yard": 0, "hot_floor": 0, "terraces": 1, "summit_works": 3}  # the highest floor


def courses() -> list[Course]:
    return [load_course(f"community/{name}") for name in NAMES]


def test_they_are_the_edition_s_own():
    assert course_names("community")[:4] == NAMES == sorted(LEVELS)


@pytest.mark.parametrize("name", NAMES)
def test_a_course_has_no_mistakes_and_can_be_finished(name):
    course = load_course(f"community/{name}")
    assert check_course(course) == []
    assert unreachable(course) == []
    assert course.players == (2, 6)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_written_as_it_stands(name):
    text = (FOLDER / "boards" / f"{name}.txt").read_text(encoding="utf-8")
    assert write_board(parse_board(text, name, "community"), comments_of(text)) == text


@pytest.mark.parametrize("name", NAMES)
def test_each_board_without_start_spaces_has_its_token(name):
    course = load_course(f"community/{name}")
    start = {course.board_at[y][x] for _, x, y in course.docks}
    assert [course.board_at[y][x] for x, y, _ in course.reboots] == [
        board for board in range(len(course.boards)) if board not in start
    ]


@pytest.mark.parametrize("name", NAMES)
def test_its_highest_floor(name):
    floors = [e.level + (e.kind == "ramp") for e in load_course(name).elements if e.kind in ("level", "ramp")]
    assert max(floors, default=0) == LEVELS[name]


@pytest.mark.parametrize("name", NAMES)
def test_from_one_checkpoint_to_the_next_it_is_ten_to_twenty_spaces(name):
    course = load_course(f"community/{name}")
    _, x, y = course.docks[0]
    for _, to_x, to_y in course.checkpoints:
        assert 9 <= abs(to_x - x) + abs(to_y - y) <= 20
        x, y = to_x, to_y


def test_together_they_have_every_tile():
    elements = [e for course in courses() for e in course.elements]
    assert {e.kind for e in elements} == EDITIONS["community"].kinds
    assert {e.speed for e in elements if e.kind == "belt"} == {1, 2}
    assert {e.turn for e in elements if e.kind == "gear"} == {1, -1}
    assert {e.level for e in elements if e.kind == "repair"} == {1, 2}
    assert {e.level for e in elements if e.kind == "level"} == {1, 2, 3}
    assert {e.level for e in elements if e.kind == "ramp"} == {0, 1, 2}
    assert {e.enabled for e in elements if e.kind == "ramp"} == {True, False}
    assert any((e.out + 2) & 3 not in e.feeds for e in elements if e.kind == "belt")  # a curve


def test_checkpoints_ride_a_belt_and_a_pusher():
    ridden = set()
    for course in courses():
        marks = {(x, y) for _, x, y in course.checkpoints}
        found = {e.kind for e in course.elements if e.kind in ("belt", "panel") and (e.x, e.y) in marks}
        assert bool(found) == bool(tables_of(course)[0].has & HAS_MOVING)
        ridden |= found
    assert ridden == {"belt", "panel"}


@pytest.mark.parametrize("name", NAMES)
def test_the_idea_of_a_course_stands_in_its_file_and_in_the_list(name):
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert text.startswith("# idea: ")
    head = tomllib.loads(text)
    assert re.search(rf"\| `{name}` \| {head['difficulty']}, ", README)
