"""Drawings: any board reads back as it was written, and each error message has the line and column."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roborally_env.base.errors import CourseError
from roborally_env.courses import Board, E, Element, N, S, W, parse_board, read_drawing, rotate, write_board
from roborally_env.courses.tile_tokens import LABEL, examples, label

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
    st.sampled_from(["puddle", "radiation"]).map(lambda kind: {"kind": kind}),
    st.tuples(st.sampled_from(["stomper", "trapdoor"]), registers).map(
        lambda found: {"kind": found[0], "registers": found[1]}
    ),
    st.integers(1, 3).map(lambda level: {"kind": "level", "level": level}),
    direction.map(lambda out: {"kind": "one_way", "out": out}),
    st.tuples(direction, registers).map(lambda found: {"kind": "panel", "push": found[0], "registers": found[1]}),
    st.tuples(direction, st.integers(1, 3), st.booleans()).map(
        lambda found: {"kind": "laser", "fires": found[0], "beams": found[1], "two_ended": found[2]}
    ),
)
RAMPS = st.tuples(direction, st.integers(0, 2), st.booleans()).map(
    lambda found: {"kind": "ramp", "out": found[0], "level": found[1], "enabled": found[2]}
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
            if draw(st.integers(0, 5)) == 0:
                elements.append(Element(x=x, y=y, **draw(RAMPS)))
    if ramps := [(e.x, e.y) for e in elements if e.kind == "ramp"]:
        cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
        for x, y in sorted(draw(st.sets(cells, max_size=4))):
            some = draw(st.sets(st.sampled_from(ramps), min_size=1))
            elements.append(Element("button", x, y, ramps=tuple(sorted(some, key=lambda cell: cell[::-1]))))
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


@pytest.mark.parametrize("token", examples())
def test_each_token_of_the_table_reads_back(token):
    others = {"Ba": "R^0a", "Bab": "Ba     R^0a   R^0b", "R>1a": "Ba", "R<0-b": "Bb"}.get(token, "")
    count = 1 + len(others.split())
    corners = "+" + "      +" * count
    board = parse_board(f"{corners}\n  {token.ljust(6)} {others}\n{corners}\n")
    assert parse_board(write_board(board)) == board
    assert write_board(board).split("\n")[1].split()[0] == token.replace("b", "a" if others == "Bb" else "b")


def test_the_letters_of_ramps_go_on_beyond_z():
    assert [label(i) for i in (0, 25, 26, 51, 52)] == ["a", "z", "a1", "z1", "a2"]
    assert LABEL.findall("aa1zb12") == ["a", "a1", "z", "b12"]


def test_sixty_buttons_and_ramps_read_back():
    ramps = [Element("ramp", x, y, out=N, level=0) for y in range(6) for x in range(10)]
    buttons = [Element("button", e.x, e.y + 6, ramps=((e.x, e.y), (9 - e.x, e.y))) for e in ramps if e.x < 5]
    board = Board("many", "community", 10, 12, (*ramps, *buttons))
    assert parse_board(write_board(board), "many", "community") == board


def test_ramps_with_the_same_buttons_share_a_letter():
    board = parse_board("""
+      +      +      +      +
  R^0p   R>1-q  R<2    Bpq
+      +      +      +      +
  R^0p   .      Bq     Bp
+      +      +      +      +
""")
    assert [e.ramps for e in board.elements if e.kind == "button"] == [
        ((0, 0), (1, 0), (0, 1)),
        ((1, 0),),
        ((0, 0), (0, 1)),
    ]
    assert write_board(board).split("\n")[1].split() == ["R^0a", "R>1-b", "R<2", "Bab"]


def test_a_turn_takes_the_ramps_of_a_button_along():
    board = parse_board("+      +      +\n  R>0a   Ba\n+      +      +\n")
    (button,) = (e for e in rotate(board, 1).elements if e.kind == "button")
    assert (button.x, button.y, button.ramps) == (0, 1, ((0, 0),))
    assert next(e.out for e in rotate(board, 1).elements if e.kind == "ramp") == S


@pytest.mark.parametrize("ramps", [(), ((1, 0),), ((0, 1), (5, 5))])
def test_a_button_without_its_ramp_cannot_be_drawn(ramps):
    elements = (Element("button", 0, 0, ramps=ramps), Element("ramp", 0, 1, out=N))
    with pytest.raises(CourseError, match=r"any.*x=0.*y=0"):
        write_board(Board("any", "community", 2, 2, elements))


def test_tokens_of_the_reader_s_own_are_handed_back():
    drawing = read_drawing("+     +    +\n  A>+e  B^\n+     +    +\n", extra=re.compile("[A-F][>v<^]"))
    assert drawing.extras == [(0, 0, "A>"), (1, 0, "B^")]
    assert [e.kind for e in drawing.elements] == ["energy"]
    assert drawing.flaws == []


FLAWS = {
    "unknown token": ("+    +    +\n  .    x\n+    +    +\n", "2:8: unknown token 'x'"),
    "nearest token": ("+    +    +\n  .    c1\n+    +    +\n", "2:8: unknown token 'c1' (did you mean"),
    "part of a joined token": ("+     +    +\n  >+z   .\n+     +    +\n", "2:5: unknown token 'z'"),
    "registers out of order": ("+      +\n  P>531\n+      +\n", "2:3: unknown token 'P>531'; P>135: push panel"),
    "no such register": ("+     +\n  S27\n+     +\n", "2:3: unknown token 'S27'; S24: stomper and its registers"),
    "no such tool": ("+     +\n  r3\n+     +\n", "2:3: unknown token 'r3'; r1, r2: repair site"),
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
    "no such ramp": ("+    +\n  Ba\n+    +\n", "2:3: button a switches no ramp: none has the letter a"),
    "no such button": ("+      +\n  R^0b\n+      +\n", "2:3: no button switches ramp b; draw Bb somewhere"),
    "button without letter": ("+    +\n  B\n+    +\n", "2:3: unknown token 'B' (did you mean Ba"),
    "level too high": ("+    +\n  4\n+    +\n", "2:3: unknown token '4'; 1, 2: floor of level 1, 2 or 3"),
    "ramp too high": ("+    +\n  R^3\n+    +\n", "2:3: unknown token 'R^3'; R^0, R>1a, R<0-b: ramp"),
    "nothing": ("# a board\n", "1:1: no drawing"),
    "only corners": ("+    +\n", "1:1: no row of cells"),
}


@pytest.mark.parametrize(("text", "message"), FLAWS.values(), ids=FLAWS)
def test_a_mistake_is_told_with_line_and_column(text, message):
    with pytest.raises(CourseError, match=re.escape(f"my_board:{message}")):
        parse_board(text, "my_board")


def test_all_mistakes_are_told_at_once():
    drawing = read_drawing("+    +    +\n  x    y\n+--  +    +\n  .    z\n+    +    +\n", first_line=11)
    assert [(flaw.line, flaw.column) for flaw in drawing.flaws] == [(12, 3), (12, 8), (13, 2), (14, 8)]


@given(st.text(alphabet="+-| .>v^<OeLTPd13RBDSab!~*\n#", max_size=80))
def test_no_text_breaks_the_reader(text):
    drawing = read_drawing(text)
    assert drawing.flaws or drawing.width > 0
