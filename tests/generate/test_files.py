"""Courses written as files are read back equal, and can be edited."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from roborally_env.base.errors import CourseError
from roborally_env.courses import (
    EDITIONS,
    Course,
    course_from_map,
    list_courses,
    load_course,
    parse_board,
    write_board,
    write_course,
)
from roborally_env.courses.model import Element, Placement
from roborally_env.courses.tables import compile_tables
from roborally_env.generated import Generator, mutate
from roborally_env.replay.writer import course_digest
from tests.sizes import size

ROOT = Path(__file__).parents[2]
SHIPPED = [*list_courses(), *list_courses("community"), *list_courses("2023")]


def read_back(course: Course, tmp_path: Path, text: str | None = None) -> Course:
    """The course of the written file, with the slug and source of the one that was written."""
    path = tmp_path / "written.toml"
    path.write_text(write_course(course) if text is None else text, encoding="utf-8")
    found = load_course(path)
    assert (found.slug, found.source) == ("written", str(path))
    return replace(found, slug=course.slug, source=course.source)


def assert_read_back(course: Course, tmp_path: Path) -> Course:
    """Check that the course of its file is the same to the rules, and in all else but what its boards are called."""
    found = read_back(course, tmp_path)
    assert replace(found, boards=course.boards) == course
    assert course_digest(found) == course_digest(course)
    assert compile_tables(found).tobytes() == compile_tables(course).tobytes()
    for mine, its in zip(found.boards, course.boards, strict=True):
        assert mine == replace(its, name=mine.name, rotation=mine.rotation)
        assert mine.name == its.name or re.fullmatch(rf"{its.name}_[0-9]", mine.name)
    return found


@pytest.mark.parametrize("course", SHIPPED, ids=lambda c: f"{c.edition}-{c.slug}")
def test_every_course_of_the_package_is_read_back_equal(course: Course, tmp_path: Path) -> None:
    assert assert_read_back(course, tmp_path).boards == course.boards
    assert "drawing" not in write_course(course)  # printed boards are named
    assert str(Path(course.source).parent) not in write_course(course)


@pytest.mark.parametrize("course", SHIPPED[:: size(4, 1)], ids=lambda c: f"{c.edition}-{c.slug}")
def test_every_course_of_the_package_is_read_back_from_drawings(course: Course, tmp_path: Path) -> None:
    course = replace(course, boards=tuple(replace(board, name="mine") for board in course.boards))
    found = assert_read_back(course, tmp_path)
    assert {board.rotation for board in found.boards} == {0}
    numbered = [f"mine_{number}" for number in range(1, len(course.boards) + 1)]
    assert [board.name for board in found.boards] == (numbered if len(numbered) > 1 else ["mine"])
    assert read_back(found, tmp_path) == found  # and so it stays


@pytest.mark.parametrize("edition", ["2016", "2005", "community", "2023"])
@pytest.mark.parametrize("way", ["arranged", "made"])
def test_generated_courses_are_read_back_equal(edition: str, way: str, tmp_path: Path) -> None:
    for number in range(5):
        course = Generator(edition=edition, way=way, seed=5).course(number)
        assert_read_back(course, tmp_path)
        printed = [board.name for board in course.boards if not board.name.startswith("made")]
        others = {"arranged": len(course.boards) - len(printed), "made": len(printed)}[way]
        assert others <= 1  # start boards may be of the other way
        written = write_course(course)
        assert re.findall(r'board = "(.+)"', written) == printed
        assert written.count("drawing = ") == len(course.boards) - len(printed)
        assert f"# source: generated:{course.source.partition(':')[2]}\n" in write_course(course)


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_changed_boards_are_drawn(edition: str, tmp_path: Path) -> None:
    drawn = 0
    for number in range(5):
        course = Generator(edition=edition, seed=5).course(number)
        for seed in range(4):
            course = mutate(course, 10 * number + seed)
        assert_read_back(course, tmp_path)
        text = write_course(course)
        drawn += "drawing" in text
        assert f"# source: {course.slug}\n" in text
    assert drawn  # some changes are of walls and tiles


def test_a_course_without_boards_in_the_package_is_drawn_with_its_name(tmp_path: Path) -> None:
    course = load_course("dizzy_highway")
    names = [replace(board, name=f"My {board.name}") for board in course.boards]
    course = replace(course, boards=tuple(names), source="")
    text = write_course(course)
    assert text.count("[[boards]]") == text.count('drawing = """') == 2
    assert 'name = "My 5b"' in text
    assert not text.startswith("#")
    assert read_back(course, tmp_path) == course


def test_a_drawn_board_that_is_turned_is_drawn_as_it_lies(tmp_path: Path) -> None:
    course = load_course("2016/burnout")
    course = replace(course, boards=tuple(replace(board, name=f"my_{board.name}") for board in course.boards))
    assert [board.rotation for board in course.boards] == [0, 90]
    assert [board.rotation for board in assert_read_back(course, tmp_path).boards] == [0, 0]
    text = write_course(course)
    assert "rotation" not in text
    drawing = text.rpartition('drawing = """\n')[2].removesuffix('"""\n')
    place = course.boards[1]
    for x, y in [(e.x - place.x, e.y - place.y) for e in course.elements if e.kind == "gear" and e.x >= place.x]:
        start = drawing.splitlines()[0].split("+")[1]  # the room of a cell
        assert drawing.splitlines()[2 * y + 1][x * (len(start) + 1) :].split()[0].endswith("cw")


def test_several_boards_of_one_name_are_numbered(tmp_path: Path) -> None:
    course = Generator(way="made", boards=3, seed=1).course(0)
    assert [board.name for board in course.boards].count("made") == 3
    found = assert_read_back(course, tmp_path)
    assert sorted(board.name for board in found.boards)[:3] == ["made_1", "made_2", "made_3"]
    taken = [
        replace(board, name=name) for board, name in zip(course.boards, ("made", "made_1", "a", "made"), strict=True)
    ]
    again = assert_read_back(replace(course, boards=tuple(taken)), tmp_path)
    assert [board.name for board in again.boards] == ["made_2", "made_1", "a", "made_3"]


def test_a_file_with_drawings_says_where_they_are_explained() -> None:
    text = write_course(Generator(way="made", difficulty=1).course(0))
    assert text.index("checkpoints = [") < text.index("# Boards as they lie") < text.index("[[boards]]")
    readme = (ROOT / "courses" / "README.md").read_text(encoding="utf-8")
    for heading in re.findall('under "(.*?)"', text):
        assert f"\n## {heading}\n" in readme
    assert len(re.findall('under "', text)) == 2


def test_files_with_turned_drawings_are_read_as_before(tmp_path: Path) -> None:
    course = load_course("2016/burnout")
    boards = [parse_board((ROOT / "courses/2016/boards" / f"{b.name}.txt").read_text("utf-8")) for b in course.boards]
    text = write_course(course)
    for place, board in zip(course.boards, boards, strict=True):
        text = text.replace(f'board = "{place.name}"', f'name = "{place.name}", drawing = """\n{write_board(board)}"""')
    assert "rotation = 90" in text
    assert read_back(course, tmp_path, text) == course


def test_a_written_file_can_be_edited(tmp_path: Path) -> None:
    course = replace(
        load_course("dizzy_highway"), boards=(Placement("a", 0, 0, 0, 3, 10), Placement("b", 3, 0, 0, 10, 10))
    )
    text = write_course(course, ["mine"])
    assert text.startswith("# mine\n")
    changed = text.replace('title = "Dizzy Highway"', 'title = "Dizzier"').replace("x = 12, y = 3", "x = 12, y = 4")
    found = read_back(course, tmp_path, changed)
    assert (found.title, found.checkpoints) == ("Dizzier", ((1, 12, 4),))
    assert found.elements == course.elements


def test_texts_with_quotes_and_signs_are_kept(tmp_path: Path) -> None:
    rule = 'Say "beep" \\ or\tleave \x7f é'
    course = replace(load_course("burnout"), title='A "b" \\ c é', special_rules=(rule,))
    assert read_back(course, tmp_path) == course


def test_cubes_that_were_taken_or_added_are_kept(tmp_path: Path) -> None:
    course = load_course("dizzy_highway")
    fewer = replace(course, energy=course.energy[1:])
    assert read_back(fewer, tmp_path) == fewer
    none = replace(course, energy=())
    assert read_back(none, tmp_path) == none
    assert "energy = [\n]" in write_course(none)
    more = (*course.energy[:1], (4, 4))
    added = replace(course, energy=more, elements=(*course.elements, Element("energy", 4, 4)))
    assert read_back(added, tmp_path) == added
    every = replace(added, energy=tuple((e.x, e.y) for e in added.elements if e.kind == "energy"))
    assert read_back(every, tmp_path) == every
    empty = replace(added, energy=course.energy)
    assert read_back(empty, tmp_path).elements != course.elements
    assert set(read_back(empty, tmp_path).elements) == set(empty.elements)
    assert "drawing" in write_course(empty)  # a space without a cube is no longer that of the printed board
    assert 'board = "5b"' in write_course(added)  # as files of printed courses have cubes beside the spaces


def test_what_cannot_be_written() -> None:
    course = load_course("dizzy_highway")
    with pytest.raises(CourseError, match=r"dizzy_highway: title.*' '"):
        write_course(replace(course, title=" "))
    with pytest.raises(CourseError, match=r"^comments: expected a list of lines, got 'out/course\.toml'"):
        write_course(load_course("twister"), "out/course.toml")
    with pytest.raises(CourseError, match=r"^comments.*'a\\nb'"):
        write_course(course, ["a\nb"])
    button = {"kind": "button", "x": 0, "y": 0, "ramps": []}
    lone = course_from_map({"width": 2, "height": 1, "elements": [button]}, "community")
    with pytest.raises(CourseError, match="button"):
        write_course(lone)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ('{ board = "5b", name = "mine" }', "name"),
        ('{ name = "mine" }', '"NAME"'),
        ('{ name = 3, drawing = """\n+    +\n  .\n+    +\n""" }', "name.*3"),
    ],
)
def test_names_of_boards_that_are_wrong(board: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "named.toml"
    path.write_text(f'title = "Named"\nboards = [{board}]\n', encoding="utf-8")
    with pytest.raises(CourseError) as error:
        load_course(path)
    assert re.search(message, str(error.value))


def test_the_editions_that_are_written_are_those_that_are_read() -> None:
    assert {course.edition for course in SHIPPED} == {"2016", "2005", "community", "2023"} <= set(EDITIONS)
