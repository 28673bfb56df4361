"""The shipped boards and courses equal the fact sheets, `facts_2016.json`, and carry their doubts as comments."""

import json
import re
from pathlib import Path

import pytest

from roborally_env.courses import DIRECTIONS, check_course, course_names, load_course, parse_board, write_board
from roborally_env.courses.reading import SHIPPED
from roborally_env.courses.values import element_as_map
from tests.boards.helpers import comments_of

FACTS = json.loads((Path(__file__).parent / "facts_2016.json").read_text(encoding="utf-8"))
BOARDS, COURSES = FACTS["boards"], FACTS["courses"]
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def board_text(name):
    return (SHIPPED / "2016" / "boards" / f"{name}.txt").read_text(encoding="utf-8")


def course_text(name):
    return (SHIPPED / "2016" / f"{name}.toml").read_text(encoding="utf-8")


def walls_and_rest(elements):
    """The walls as a set of edges, seen from both sides, and all else as a list of sorted JSON."""
    edges = set()
    for e in elements:
        for side in e.get("sides", ()):
            dx, dy = STEP[side]
            edges |= {(e["x"], e["y"], side), (e["x"] + dx, e["y"] + dy, OPPOSITE[side])}
    rest = [{k: sorted(v) if isinstance(v, list) else v for k, v in e.items()} for e in elements if e["kind"] != "wall"]
    return edges, sorted(json.dumps(e, sort_keys=True) for e in rest)


def test_all_boards_and_courses_are_there():
    assert sorted(path.stem for path in (SHIPPED / "2016" / "boards").glob("*.txt")) == sorted(BOARDS)
    assert course_names("2016") == sorted(COURSES)
    assert (len(BOARDS), len(COURSES)) == (14, 19)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_equals_its_fact_sheet(name):
    board, facts = parse_board(board_text(name), name), BOARDS[name]
    assert (board.width, board.height) == (facts["width"], facts["height"])
    assert walls_and_rest([element_as_map(e) for e in board.elements]) == walls_and_rest(facts["elements"])


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_written_as_it_stands(name):
    text = board_text(name)
    assert write_board(parse_board(text, name), comments_of(text)) == text


@pytest.mark.parametrize("name", COURSES)
def test_a_course_equals_its_fact_sheet(name):
    course, facts = load_course(name), COURSES[name]
    assert (course.title, course.difficulty, course.length) == (
        facts["course"],
        facts["difficulty"],
        facts["length"],
    )
    assert list(course.players) == facts["players"]
    placed = [(b.name, b.x, b.y, b.rotation) for b in course.boards]
    assert placed == [(b["board"].lower().replace(" ", "_"), b["x"], b["y"], b["rotation"]) for b in facts["boards"]]
    faced = [(m["x"], m["y"], DIRECTIONS.index(m["facing"])) for m in [facts["antenna"], *facts["reboots"]]]
    assert [course.antenna, *course.reboots] == faced
    assert list(course.checkpoints) == [(c["number"], c["x"], c["y"]) for c in facts["checkpoints"]]
    assert list(course.energy) == [(c["x"], c["y"]) for c in facts["energy"]]
    assert DIRECTIONS[course.start_facing] == facts["start_facing"]


@pytest.mark.parametrize("name", COURSES)
def test_special_rules_are_data(name):
    course, facts = load_course(name), COURSES[name]
    assert course.moving_checkpoints == facts["moving_checkpoints"]
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    token_boards = {course.board_at[y][x] for x, y, _ in course.reboots}
    if facts["common_token"]:
        assert token_boards == start_boards
    assert bool(course.special_rules) == (facts["moving_checkpoints"] or facts["common_token"])


@pytest.mark.parametrize("name", COURSES)
def test_each_token_stands_on_the_board_that_the_facts_name(name):
    course = load_course(name)
    boards = [course.boards[course.board_at[y][x]].name for x, y, _ in course.reboots]
    assert boards == [token["board"].lower().replace(" ", "_") for token in COURSES[name]["reboots"]]


@pytest.mark.parametrize("name", COURSES)
def test_a_course_has_no_mistakes_and_can_be_finished(name):
    assert check_course(load_course(name)) == []


def comment_words(text):
    """All comments as one line, so that wrapped sentences can be found."""
    return " ".join(" ".join(line[1:].strip() for line in text.split("\n") if line.startswith("#")).split())


@pytest.mark.parametrize(
    ("text", "facts"),
    [(board_text(name), BOARDS[name]) for name in BOARDS] + [(course_text(name), COURSES[name]) for name in COURSES],
    ids=[*BOARDS, *COURSES],
)
def test_doubts_and_provenance_are_kept_as_comments(text, facts):
    words = comment_words(text)
    for doubt in facts["doubts"]:
        assert f"doubt: {doubt}" in words
    assert len(re.findall(r"\bdoubt: ", words)) == len(facts["doubts"])
    assert "confidence: " in words
    assert "source: " in words
