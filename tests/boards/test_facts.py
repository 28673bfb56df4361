"""The shipped boards and courses equal the fact sheets, `facts_*.json`, and carry their doubts as comments."""

import json
import re
from pathlib import Path

import pytest

from roborally_env.courses import DIRECTIONS, check_course, course_names, load_course, parse_board, write_board
from roborally_env.courses.reader import SHIPPED
from roborally_env.courses.values import element_as_map
from tests.boards.helpers import comments_of

FACTS = {
    edition: json.loads((Path(__file__).parent / f"facts_{edition}.json").read_text(encoding="utf-8"))
    for edition in ("2016", "2005")
}
BOARDS, COURSES = FACTS["2016"]["boards"], FACTS["2016"]["courses"]
BOARDS_2005, COURSES_2005 = FACTS["2005"]["boards"], FACTS["2005"]["courses"]
EVERY_BOARD = [(edition, name) for edition, facts in FACTS.items() for name in facts["boards"]]
EVERY_COURSE = [(edition, name) for edition, facts in FACTS.items() for name in facts["courses"]]
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def board_text(edition, name):
    return (SHIPPED / edition / "boards" / f"{name}.txt").read_text(encoding="utf-8")


def course_text(edition, name):
    return (SHIPPED / edition / f"{name}.toml").read_text(encoding="utf-8")


def file_name(board):
    return board["board"].lower().replace(" ", "_")


def walls_and_rest(elements):
    """The walls as a set of edges, seen from both sides, and all else as a list of sorted JSON."""
    edges = set()
    for e in elements:
        for side in e.get("sides", ()):
            dx, dy = STEP[side]
            edges |= {(e["x"], e["y"], side), (e["x"] + dx, e["y"] + dy, OPPOSITE[side])}
    rest = [{k: sorted(v) if isinstance(v, list) else v for k, v in e.items()} for e in elements if e["kind"] != "wall"]
    return edges, sorted(json.dumps(e, sort_keys=True) for e in rest)


@pytest.mark.parametrize(("edition", "boards", "courses"), [("2016", 14, 19), ("2005", 10, 34)])
def test_all_boards_and_courses_are_there(edition, boards, courses):
    facts = FACTS[edition]
    assert sorted(path.stem for path in (SHIPPED / edition / "boards").glob("*.txt")) == sorted(facts["boards"])
    assert course_names(edition) == sorted(facts["courses"])
    assert (len(facts["boards"]), len(facts["courses"])) == (boards, courses)


@pytest.mark.parametrize(("edition", "name"), EVERY_BOARD)
def test_a_board_equals_its_fact_sheet(edition, name):
    board, facts = parse_board(board_text(edition, name), name, edition), FACTS[edition]["boards"][name]
    assert (board.width, board.height) == (facts["width"], facts["height"])
    assert walls_and_rest([element_as_map(e) for e in board.elements]) == walls_and_rest(facts["elements"])


@pytest.mark.parametrize(("edition", "name"), EVERY_BOARD)
def test_a_board_is_written_as_it_stands(edition, name):
    text = board_text(edition, name)
    assert write_board(parse_board(text, name, edition), comments_of(text)) == text


@pytest.mark.parametrize("name", COURSES)
def test_a_course_equals_its_fact_sheet(name):
    course, facts = load_course(name), COURSES[name]
    words = (course.title, course.difficulty, course.length)
    assert words == (facts["course"], facts["difficulty"], facts["length"])
    assert list(course.players) == facts["players"]
    placed = [(b.name, b.x, b.y, b.rotation) for b in course.boards]
    assert placed == [(file_name(b), b["x"], b["y"], b["rotation"]) for b in facts["boards"]]
    faced = [(m["x"], m["y"], DIRECTIONS.index(m["facing"])) for m in [facts["antenna"], *facts["reboots"]]]
    assert [course.antenna, *course.reboots] == faced
    assert list(course.checkpoints) == [(c["number"], c["x"], c["y"]) for c in facts["checkpoints"]]
    assert list(course.energy) == [(c["x"], c["y"]) for c in facts["energy"]]
    assert DIRECTIONS[course.start_facing] == facts["start_facing"]


@pytest.mark.parametrize("name", COURSES_2005)
def test_a_course_of_2005_equals_its_fact_sheet(name):
    course, facts = load_course(name, "2005"), COURSES_2005[name]
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


@pytest.mark.parametrize("name", COURSES_2005)
def test_robots_of_2005_start_on_docks_one_to_eight(name):
    numbers = [number for number, _, _ in load_course(name, "2005").docks]
    assert numbers == ([] if name == "capture_the_flag" else list(range(1, 9)))


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
    assert boards == [file_name(token) for token in COURSES[name]["reboots"]]


@pytest.mark.parametrize(("edition", "name"), EVERY_COURSE)
def test_a_course_has_no_mistakes_and_can_be_finished(edition, name):
    assert check_course(load_course(name, edition)) == []


def comment_words(text):
    """All comments as one line, so that wrapped sentences can be found."""
    return " ".join(" ".join(line[1:].strip() for line in text.split("\n") if line.startswith("#")).split())


@pytest.mark.parametrize(("edition", "kind", "name"), [
    *((edition, "boards", name) for edition, name in EVERY_BOARD),
    *((edition, "courses", name) for edition, name in EVERY_COURSE),
])  # fmt: skip
def test_doubts_and_provenance_are_kept_as_comments(edition, kind, name):
    facts = FACTS[edition][kind][name]
    words = comment_words(board_text(edition, name) if kind == "boards" else course_text(edition, name))
    for doubt in facts["doubts"]:
        assert f"doubt: {doubt}" in words
    assert len(re.findall(r"\bdoubt: ", words)) == len(facts["doubts"])
    assert "confidence: " in words
    assert "source: " in words
