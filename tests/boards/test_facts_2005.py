"""The shipped boards and courses of 2005 equal the fact sheets, `facts_2005.json`, and carry their doubts."""

import json
import re
from pathlib import Path

import pytest

from roborally_env.courses import DIRECTIONS, check_course, course_names, load_course, parse_board, write_board
from roborally_env.courses.reading import SHIPPED
from roborally_env.courses.values import element_as_map
from tests.boards.helpers import comments_of
from tests.boards.test_facts import comment_words, walls_and_rest

FACTS = json.loads((Path(__file__).parent / "facts_2005.json").read_text(encoding="utf-8"))
BOARDS, COURSES = FACTS["boards"], FACTS["courses"]


def board_text(name):
    return (SHIPPED / "2005" / "boards" / f"{name}.txt").read_text(encoding="utf-8")


def course_text(name):
    return (SHIPPED / "2005" / f"{name}.toml").read_text(encoding="utf-8")


def file_name(board):
    return board["board"].lower().replace(" ", "_")


def test_all_boards_and_courses_are_there():
    assert sorted(path.stem for path in (SHIPPED / "2005" / "boards").glob("*.txt")) == sorted(BOARDS)
    assert course_names("2005") == sorted(COURSES)
    assert (len(BOARDS), len(COURSES)) == (10, 34)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_equals_its_fact_sheet(name):
    board, facts = parse_board(board_text(name), name, "2005"), BOARDS[name]
    assert (board.width, board.height) == (facts["width"], facts["height"])
    assert walls_and_rest([element_as_map(e) for e in board.elements]) == walls_and_rest(facts["elements"])


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_written_as_it_stands(name):
    text = board_text(name)
    assert write_board(parse_board(text, name, "2005"), comments_of(text)) == text


@pytest.mark.parametrize("name", COURSES)
def test_a_course_equals_its_fact_sheet(name):
    course, facts = load_course(name, "2005"), COURSES[name]
    words = (course.title, course.edition, course.section, course.difficulty, course.length)
    assert words == (facts["course"], "2005", facts["section"], facts["difficulty"], facts["length"])
    assert list(course.players) == facts["players"]
    assert list(course.player_counts) == facts.get("player_counts", [])
    placed = [(b.name, b.x, b.y, b.rotation) for b in course.boards]
    assert placed == [(file_name(b), b["x"], b["y"], b["rotation"]) for b in facts["boards"]]
    flags = [(n, x, y, course.boards[course.board_at[y][x]].name) for n, x, y in course.checkpoints]
    assert flags == [(c["number"], c["x"], c["y"], file_name(c)) for c in facts["checkpoints"]]
    assert DIRECTIONS[course.start_facing] == facts["start_facing"]
    assert list(course.special_rules) == facts["special_rules"]
    assert course.moving_checkpoints == ("moving_flags" in facts["special_rules"])
    assert (course.antenna, course.reboots, course.energy) == (None, (), ())


@pytest.mark.parametrize("name", COURSES)
def test_robots_start_on_docks_one_to_eight(name):
    numbers = [number for number, _, _ in load_course(name, "2005").docks]
    assert numbers == ([] if name == "capture_the_flag" else list(range(1, 9)))


@pytest.mark.parametrize("name", COURSES)
def test_a_course_has_no_mistakes_and_can_be_finished(name):
    assert check_course(load_course(name, "2005")) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [(board_text(name), BOARDS[name]) for name in BOARDS] + [(course_text(name), COURSES[name]) for name in COURSES],
    ids=[*BOARDS, *(f"2005/{name}" for name in COURSES)],
)
def test_doubts_and_provenance_are_kept_as_comments(text, facts):
    words = comment_words(text)
    for doubt in facts["doubts"]:
        assert f"doubt: {doubt}" in words
    assert len(re.findall(r"\bdoubt: ", words)) == len(facts["doubts"])
    assert "confidence: " in words
    assert "source: " in words
