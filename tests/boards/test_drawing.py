"""Drawings: any board reads back as it was written, and each mistake is told with its line and column."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roborally_env.courses import Board, E, Element, N, S, W, parse_board, read_drawing, rotate, write_board
from roborally_env.courses.tokens import EXAMPLES
from roborally_env.errors import RoboRallyError

direction = st.integers(0, 3)
registers = st.sets(st.integers(1, 5), min_size=1).map(lambda found: tuple(sorted(found)))


@st.composite
def belts(draw):
    out = draw(direction)
    feeds = draw(st.sets(direction.filter(lambda side: side != out), min_size=1))
    return {"kind": "belt", "speed": draw(st.integers(1, 2)), "out": out, "feeds": tuple(sorted(feeds))}


GROUNDS = st.one_of(
    st.just({}),
    belts(),
    st.just({"kind": "pit"}),
    st.sampled_from([1, -1]).map(lambda turn: {"kind": "gear", "turn": turn}),
)
EXTRAS = st.one_of(
    st.just({"kind": "energy"}),
    st.integers(1, 2).map(lambda level: {"kind": "repair", "level": level}),
    st.integers(0, 8).map(lambda number: {"kind": "dock", "number": number}),
    registers.map(lambda found: {"kind": "crusher", "registers": found}),
    st.tuples(direction, registers).map(lambda found: {"kind": "panel", "push": found[0], "registers": found[1]}),
    st.tuples(direction, st.integers(1, 3), st.booleans()).map(
        lambda found: {"kind": "laser", "fires": found[0], "beams": found[1], "two_ended": found[2]}
    ),
)
SIDES = st.sets(direction, max_size=2).map(lambda sides: tuple(sorted(sides)))


@st.composite
def boards(draw):
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    elements = []
    for y in range(height):
        for x in range(width):
            kinds = [draw(GROUNDS), *draw(st.lists(EXTRAS, max_size=2, unique_by=lambda fields: fields["kind"]))]
            elements += [Element(x=x, y=y, **fields) for fields in kinds if fields]
            if sides := draw(SIDES):
                elements.append(Element("wall", x, y, sides=sides))
    return Board("any", "2016", width, height, tuple(elements))


@given(boards())
def test_a_board_reads_back_as_it_was_written(board):
    assert parse_board(write_board(board), "any") == board


@given(boards())
def test_four_turns_are_none(board):
    assert rotate(rotate(rotate(rotate(board, 1), 1), 1), 1) == board
    assert rotate(board, 4) == board
    assert rotate(rotate(board, 1), 2) == rotate(board, 3)


def test_a_turn_takes_cells_and_directions_along():
    board = parse_board("""
+    +----+    +
  S>   L>   P^1
+    +    +    +
  ^    .    cw |
+    +    +    +
""")
    assert rotate(board, 1) == parse_board("""
+    +    +
  >    Wv
+    +    +
  .    Lv |
+    +    +
  cw   P>1
+----+    +
""")


def test_feeds_follow_from_the_neighbours():
    board = parse_board("""
+    +    +    +    +
  >    >>   v    >
+    +    +    +    +
  .    ^    >    <
+    +    +    +    +
""")
    feeds = {(e.x, e.y): e.feeds for e in board.elements}
    assert feeds == {
        (0, 0): (W,),  # none points at it: from behind
        (1, 0): (S, W),  # a merge
        (2, 0): (W,),  # a curve
        (3, 0): (W,),
        (1, 1): (S,),
        (2, 1): (N,),  # the belt ahead of it points at it, but is no feed
        (3, 1): (E,),
    }


def test_feeds_that_the_neighbours_do_not_show_are_written():
    text = "+     +     +\n  SW>   <<\n+     +     +\n"
    board = parse_board(text)
    assert board.elements[0].feeds == (S, W)
    assert write_board(board) == text


def test_a_wall_is_the_same_from_both_sides():
    above = Board("a", "2016", 1, 2, (Element("wall", 0, 0, sides=(S,)),))
    below = Board("a", "2016", 1, 2, (Element("wall", 0, 1, sides=(N,)),))
    assert above == below


def test_walls_at_the_rim_stay_with_their_cell():
    board = parse_board("+----+\n| e  |\n+----+\n")
    assert [e.sides for e in board.elements if e.kind == "wall"] == [(N, E, S, W)]


@pytest.mark.parametrize("token", EXAMPLES)
def test_each_token_of_the_table_reads_back(token):
    text = f"+{'-' * 7}+\n  {token}\n+{' ' * 7}+\n"
    board = parse_board(text)
    assert parse_board(write_board(board)) == board
    assert write_board(board).split("\n")[1].strip() == token


def test_tokens_of_the_reader_s_own_are_handed_back():
    drawing = read_drawing("+     +    +\n  A>+e  B^\n+     +    +\n", extra=re.compile("[A-F][>v<^]"))
    assert drawing.extras == [(0, 0, "A>"), (1, 0, "B^")]
    assert [e.kind for e in drawing.elements] == ["energy"]
    assert drawing.flaws == []


FLAWS = {
    "unknown token": ("+    +    +\n  .    x\n+    +    +\n", "2:8: unknown token 'x'"),
    "nearest token": ("+    +    +\n  .    c1\n+    +    +\n", "2:8: unknown token 'c1' (did you mean"),
    "part of a joined token": ("+     +    +\n  >+z   .\n+     +    +\n", "2:5: unknown token 'z'"),
    "registers out of order": ("+      +\n  P>531\n+      +\n", "2:3: unknown token 'P>531'"),
    "empty cell": ("+    +    +\n  .\n+    +    +\n", "2:4: ragged grid: this row has 1 cells"),
    "hole": ("+    +    +    +\n  .         .\n+    +    +    +\n", "2:8: empty cell; plain floor is written ."),
    "two tokens": ("+    +\n  e  >\n+    +\n", "2:6: ragged grid: below a corner"),
    "not joined": ("+     +\n  e >\n+     +\n", "2:3: two tokens in one cell are joined with +: 'e+>'"),
    "too many cells": ("+    +\n  .    .\n+    +\n", "2:8: ragged grid: text outside of the 1 columns"),
    "token too long": ("+    +    +\n  P>123 .\n+    +    +\n", "2:6: ragged grid: below a corner"),
    "corners differ": ("+    +    +\n  .    .\n+    +\n", "3:7: ragged grid: expected the 3 corners"),
    "shifted corners": ("+    +    +\n  .    .\n+     +   +\n", "3:7: ragged grid: expected the 3 corners"),
    "line missing": ("+    +\n  .\n  .\n+    +\n", "3:1: ragged grid: expected a line of corners"),
    "row missing": ("+    +\n+    +\n", "2:1: ragged grid: expected a row of cells"),
    "no last line": ("+    +\n  .\n", "2:1: the last row of cells has no line of corners below it"),
    "half a wall": ("+--  +\n  .\n+    +\n", "1:2: half a wall"),
    "no corners": ("# a board\n  .\n", "2:3: a drawing begins with its line of corners"),
    "nothing": ("# a board\n", "1:1: no drawing"),
    "only corners": ("+    +\n", "1:1: no row of cells"),
}


@pytest.mark.parametrize(("text", "message"), FLAWS.values(), ids=FLAWS)
def test_a_mistake_is_told_with_line_and_column(text, message):
    with pytest.raises(RoboRallyError, match=re.escape(f"my_board:{message}")):
        parse_board(text, "my_board")


def test_all_mistakes_are_told_at_once():
    drawing = read_drawing("+    +    +\n  x    y\n+--  +    +\n  .    z\n+    +    +\n", first_line=11)
    assert [(flaw.line, flaw.column) for flaw in drawing.flaws] == [(12, 3), (12, 8), (13, 2), (14, 8)]


@given(st.text(alphabet="+-| .>v^<OeLTPd13\n#", max_size=80))
def test_no_text_breaks_the_reader(text):
    drawing = read_drawing(text)
    assert drawing.flaws or drawing.width > 0
