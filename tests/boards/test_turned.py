"""Boards that turn: what is printed turns about the board's middle, what players put there stays."""

import re
from dataclasses import replace

import pytest

from roborally_env.base.errors import CourseError
from roborally_env.courses import E, N, S, W, list_courses, load_course, turned_course
from roborally_env.courses.files import read_course
from roborally_env.courses.reader import SHIPPED
from roborally_env.courses.tables import EDGE, WIDTH, tables_of

# Two square boards side by side; the left one turns.
HEAD = """\
title = "Pair"
edition = "2005"
players = [2, 2]
checkpoints = [{ number = 1, x = 1, y = 1 }, { number = 2, x = 3, y = 2 }]
"""
BEFORE = '''
[[boards]]
drawing = """
+       +       +       +
  r1      .     | L<    |
+       +       +       +
  >>      vv      .
+-------+       +       +
  O       v       Pv13
+       +       +       +
"""
'''
AFTER = '''
[[boards]]
drawing = """
+       +       +       +
  O     | vv      r1
+       +       +       +
  <       <<      .
+       +       +-------+
  P<13    .       L^
+       +       +-------+
"""
'''
RIGHT = '''
[[boards]]
x = 3
drawing = """
+       +       +       +
  .       d1      .
+       +       +       +
| .       d2      .
+       +       +       +
  .       .       .
+       +       +       +
"""
'''


@pytest.fixture
def pair(tmp_path):
    """Reads the two boards of a text beside each other, whether or not a robot could finish there."""

    def read(left):
        path = tmp_path / "pair.toml"
        path.write_text(HEAD + left + RIGHT, encoding="utf-8")
        course, problems = read_course(path, reachability=False)
        assert problems == []
        return course

    return read


def unplaced(course):
    """The course less how its boards are said to lie."""
    return replace(course, boards=())


def test_a_turned_board_is_the_picture_of_it_turned(pair):
    assert unplaced(turned_course(pair(BEFORE), (1, 0))) == unplaced(pair(AFTER))
    assert [board.rotation for board in turned_course(pair(BEFORE), (1, 0)).boards] == [90, 0]


def test_flags_docks_of_other_boards_and_those_boards_stay(pair):
    before = pair(BEFORE)
    after = turned_course(before, (3, 0))
    assert (after.checkpoints, after.docks, after.board_at) == (before.checkpoints, before.docks, before.board_at)
    right = [e for e in before.elements if e.x >= 3]
    assert [e for e in after.elements if e.x >= 3] == right


def test_start_spaces_on_a_turned_board_turn_with_it(pair):
    assert turned_course(pair(BEFORE), (0, 1)).docks == ((1, 5, 1), (2, 4, 1))


def test_a_wall_on_the_seam_goes_with_the_board_that_it_is_printed_on(pair):
    """Left and right of the seam lie walls of their own: row 0 the left board's, row 1 the right one's."""
    course = pair(BEFORE)

    def seam(turns):
        walls = tables_of(turned_course(course, turns))[0]["walls"]
        return [bool(walls[y * WIDTH + 2] >> E & 1) for y in range(3)]

    assert seam((0, 0)) == [True, True, False]
    assert seam((1, 0)) == [False, True, False]
    assert seam((0, 1)) == [True, False, False]
    assert seam((3, 2)) == [False, False, False]
    for turns in ((0, 0), (1, 0), (0, 1), (3, 2)):
        walls = tables_of(turned_course(course, turns))[0]["walls"]
        assert [bool(walls[y * WIDTH + 3] >> W & 1) for y in range(3)] == seam(turns)


def test_a_laser_that_turns_shoots_over_the_seam(pair):
    """The laser of the left board's upper right cell fires at a wall; turned by half it fires east, over the seam."""
    course = pair(BEFORE)
    ends = {}
    for quarters in range(4):
        table = tables_of(turned_course(course, (quarters, 0)))[0]
        cell, out = int(table["laser_cell"][0]), int(table["laser_out"][0])
        ends[quarters] = (divmod(cell, WIDTH), out, divmod(int(table["ray_end"][cell, out]), WIDTH))
    # (row, column) of the emitter, where it fires, (row, column) of the last cell of its beam
    assert ends == {
        0: ((0, 2), W, (0, 2)),
        1: ((2, 2), N, (2, 2)),
        2: ((2, 0), E, (2, 0)),
        3: ((0, 0), S, (0, 0)),
    }
    free = pair(BEFORE.replace("| L<    |", "  L<"))
    table = tables_of(turned_course(free, (2, 0)))[0]
    assert divmod(int(table["ray_end"][int(table["laser_cell"][0]), E]), WIDTH) == (2, 5)


def test_belts_and_panels_turn_with_all_that_they_do(pair):
    table = tables_of(turned_course(pair(BEFORE), (1, 0)))[0]
    curve = 1 * WIDTH + 1
    assert (table["belt"][curve], table["belt_out"][curve], table["belt_feeds"][curve]) == (2, W, 1 << N)
    assert table["belt_turn"][1] == 1  # from the feed above, south, into the curve to the west
    assert table["belt_to"][2, curve] == 1 * WIDTH
    assert (table["panel"][2 * WIDTH], table["panel_push"][2 * WIDTH]) == (0b101, W)
    assert table["next"][2 * WIDTH, W] == EDGE
    assert table["pit"][0] == 1


@pytest.mark.parametrize("course", list_courses("2005"), ids=lambda course: course.slug)
def test_four_quarter_turns_are_none(course):
    square = tuple(int(board.width == board.height) for board in course.boards)
    assert turned_course(course, tuple(4 * q for q in square)) == course
    once = turned_course(course, square)
    assert once != course
    assert turned_course(once, tuple(3 * q for q in square)) == course
    twice = turned_course(once, square)
    assert twice == turned_course(course, tuple(2 * q for q in square))
    assert tables_of(turned_course(twice, tuple(-2 * q for q in square))).tobytes() == tables_of(course).tobytes()


@pytest.mark.parametrize("turns", [(1, 0, 0, 0, 0), (0, 3, 2, 1, 0), (1, 1, 1, 1, 0), (3, 2, 3, 2, 4)])
def test_turning_is_the_same_as_another_rotation_in_the_file(turns, tmp_path):
    text = (SHIPPED / "2005" / "frenetic_factory.toml").read_text(encoding="utf-8")
    for board, quarters in zip(("chess", "chop_shop", "island", "cross"), turns, strict=False):
        pattern = rf'(board = "{board}".*rotation = )(\d+)'
        text = re.sub(pattern, lambda m, q=quarters: f"{m[1]}{(int(m[2]) + 90 * q) % 360}", text)
    path = tmp_path / "frenetic_factory.toml"
    path.write_text(text, encoding="utf-8")
    course, problems = read_course(path, reachability=False)  # turned, a flag lies on a belt that carries robots off
    assert problems == []
    turned = turned_course(load_course("frenetic_factory"), turns)
    assert replace(turned, source=course.source) == course
    assert tables_of(turned).tobytes() == tables_of(course).tobytes()


def test_no_flag_of_frenetic_factory_comes_to_lie_on_a_pit():
    course = load_course("frenetic_factory")
    for quarters in range(4):
        turned = turned_course(course, (*[quarters] * 4, 0))
        pits = {(e.x, e.y) for e in turned.elements if e.kind == "pit"}
        assert not pits & {(x, y) for _, x, y in course.checkpoints}


def test_what_cannot_turn_is_refused():
    course = load_course("frenetic_factory")
    with pytest.raises(CourseError, match=r"docking_bay_a.*12.*4"):
        turned_course(course, (0, 0, 0, 0, 2))
    with pytest.raises(CourseError, match=r"turns.*5"):
        turned_course(course, (1, 0))
