"""The optimist's search for a way to each checkpoint."""

from dataclasses import replace

import pytest

from roborally_env.courses import Course, Element, course_from_map, list_courses, load_course, read_drawing
from roborally_env.courses.reach import unreachable
from roborally_env.courses.values import element_as_map


def course(
    drawing: str, first: tuple[int, int], second: tuple[int, int] | None = None, edition: str = "2016", **more
) -> Course:
    found = read_drawing(drawing)
    assert not found.flaws
    cells = [cell for cell in (first, second) if cell]
    return course_from_map(
        {
            "width": found.width,
            "height": found.height,
            "elements": [element_as_map(e) for e in found.elements],
            "checkpoints": [{"number": i, "x": x, "y": y} for i, (x, y) in enumerate(cells, 1)],
            **more,
        },
        edition,
    )


def test_a_plain_way_is_found():
    assert unreachable(course("+    +    +\n  d    .\n+    +    +\n", (1, 0))) == []


def test_walls_shut_a_checkpoint_off():
    shut = course("+    +----+----+\n  d  | .  | .\n+    +----+----+\n", (1, 0), (2, 0))
    assert unreachable(shut) == [(1, "the start space at x=0, y=0"), (2, "checkpoint 1")]


def test_the_antenna_shuts_a_checkpoint_off():
    drawing = "+    +    +    +\n| d    .    .  |\n+----+    +----+\n"
    assert unreachable(course(drawing, (2, 0))) == []
    assert unreachable(course(drawing, (2, 0), antenna={"x": 1, "y": 0, "facing": "W"})) != []


def test_pits_are_no_way_unless_a_move_ends_before_them():
    drawing = "+----+----+----+----+\n| d    O    .    .  |\n+----+----+----+----+\n"
    assert unreachable(course(drawing, (2, 0))) == [(1, "the start space at x=0, y=0")]
    # falling into the pit and coming back on the token behind it is a legal way to travel
    token = [{"x": 3, "y": 0, "facing": "W"}]
    assert unreachable(course(drawing, (2, 0), reboots=token)) == []


def test_belts_carry_to_where_no_card_moves():
    drawing = """
+----+----+----+----+
| d    >    >  | .  |
+----+----+    +----+
  .    .  | vv | .
+    +    +    +    +
  .    .    .    .
+----+----+----+----+
"""
    assert unreachable(course(drawing, (2, 2))) == []


def test_a_belt_that_always_carries_off_is_no_place_to_stop():
    drawing = "+----+----+----+\n  d    .    >>\n+----+----+----+\n"
    assert unreachable(course(drawing, (2, 0))) == [(1, "the start space at x=0, y=0")]


def test_a_moving_checkpoint_is_met_anywhere_on_its_track():
    drawing = "+----+----+----+----+\n  d    .    >>   .\n+----+----+----+----+\n"
    assert unreachable(course(drawing, (2, 0), moving_checkpoints=True)) == []


def test_a_panel_pushes_into_an_alcove():
    drawing = "+----+----+\n| d  | .  |\n+    +    +\n| .    Pv1\n+----+    +\n| .    .  |\n+----+----+\n"
    assert unreachable(course(drawing, (1, 2))) == []


def test_in_2005_slow_belts_move_with_the_second_step_of_the_fast_ones():
    drawing = "+----+----+----+----+----+\n| d    >>   >>   >    .  |\n+----+----+----+----+----+\n"
    # a robot on the first belt ends on the third in 2005; in 2016 that one then moves by itself and carries it off
    assert unreachable(course(drawing, (3, 0), edition="2005")) == []
    assert unreachable(course(drawing, (3, 0), edition="2016")) == [(1, "the start space at x=0, y=0")]


def test_in_2005_robots_come_back_where_they_have_been():
    behind_a_pit = "+----+----+----+----+\n| d    O    r1   .  |\n+----+----+----+----+\n"
    assert unreachable(course(behind_a_pit, (3, 0), edition="2005")) == [(1, "the start space at x=0, y=0")]


def test_a_flag_must_be_reached_from_the_home_rows_of_the_other_team():
    free = load_course("capture_the_flag")
    shut = replace(free, elements=(*free.elements, Element("wall", 2, 10, sides=(0, 1, 2, 3))))
    assert unreachable(free) == []
    assert unreachable(shut) == [(1, "the back rows of the other board")]


@pytest.mark.parametrize("each", list_courses(), ids=lambda each: f"{each.edition}/{each.slug}")
def test_every_shipped_course_can_be_finished(each):
    assert unreachable(each) == []


# -- the community edition


def community(drawing, *cells, **more):
    return unreachable(course(drawing, *cells, edition="community", **more))


NOT_FROM_START = [(1, "the start space at x=0, y=0")]


def row(cells):
    """A drawing of one row between walls, cells given by blanks."""
    tokens = cells.split()
    edge = "+-------" * len(tokens) + "+"
    return f"{edge}\n{''.join(f'  {token:<6}' for token in tokens)}\n{edge}\n"


@pytest.mark.parametrize(
    ("cells", "reached"),
    [
        ("d  .  1  1", False),  # a ledge from below
        ("1+d  1  .  .", True),  # and from above
        ("1+d  1  O  .", False),
        ("d  R>0  1  .", True),
        ("d  R<0  1  .", False),  # the top of a ramp towards a robot from below
        ("d  R^0  1  .", False),  # its side
        ("d  R>0-  1  .", False),  # off, and without a button
        ("d  R>0  R>1  2", True),
        ("d  !>  .  .", True),
        ("d  !<  .  .", False),
        ("d  ~  .  .", True),  # Move 3 gets out of a puddle
        ("~+d  ~  ~  .", True),
        ("d  .  .  D12345", False),
        ("d  .  .  D1234", True),
    ],
)
def test_a_robot_gets_along_a_row(cells, reached):
    width = len(cells.split())
    assert community(row(cells), (width - 1, 0)) == ([] if reached else NOT_FROM_START)


def test_a_trapdoor_that_always_opens_is_passed_in_one_move():
    assert community(row("d  D12345  ."), (2, 0)) == []
    assert community(row("d  D12345  D12345  D12345 ."), (4, 0)) == NOT_FROM_START


def test_a_ramp_with_a_button_may_be_up_or_down():
    assert community(row("d  Ba  R>0-a  1"), (3, 0)) == []
    assert community(row("d  Ba  R<0a  ."), (3, 0)) == []


def test_a_button_behind_its_ramp_does_not_count():
    assert community(row("d  R>0-a  1  Ba"), (2, 0)) == NOT_FROM_START
    assert community(row("d  R<0a  .  Ba"), (2, 0)) == NOT_FROM_START
    # on a belt, which carries away who presses it
    assert community(row("d  >+Ba  >  R>0-a  1"), (4, 0)) == []
    # a button that only another one's ramp leads to counts
    assert community(row("d  Ba  R>0-a  1+Bb  R>1-b  2"), (5, 0)) == []


def test_no_robot_stays_on_a_ramp_without_a_button():
    # a Move ends on each cell of the row but the ramp, from which robots slide
    assert community(row("d  R>0  1"), (1, 0)) == NOT_FROM_START
    assert community(row("d  R>0-a  1 Ba"), (1, 0)) == []


def test_a_pusher_has_its_wall_behind_it():
    closed = row("d  P>1  .")
    assert community(closed, (2, 0)) == NOT_FROM_START
    assert unreachable(course(closed, (2, 0), edition="2016")) == []


def test_a_belt_carries_down_a_ledge_but_not_up():
    assert community(row("1+d  1+>  ."), (2, 0)) == []
    assert community("+----+----+----+\n  d    >    1\n+----+----+----+\n", (2, 0)) == NOT_FROM_START


def test_a_destroyed_robot_comes_back_at_the_end_of_the_round_before_belts_carry():
    # the token lies on a belt that would carry a robot past the gap in the wall before it could act
    drawing = """
+----+----+----+----+
| d    O  | >    .  |
+----+----+    +----+
  .    .  | .  | .
+----+----+----+----+
"""
    token = [{"x": 2, "y": 0, "facing": "S"}]
    assert community(drawing, (2, 1), reboots=token) == []


def test_a_checkpoint_is_met_where_pushers_and_belts_carry_it():
    shut = "+----+----+----+\n  d    .  | P<1\n+----+----+----+\n"
    assert community(shut, (2, 0)) == NOT_FROM_START
    assert (
        community("+----+----+----+\n  d    .    O\n+----+    +----+\n  .    P^1  .\n+----+----+----+\n", (1, 1)) == []
    )


def test_a_checkpoint_is_not_carried_down_a_ledge():
    assert community(row("d  .  O  1+<"), (3, 0)) == NOT_FROM_START
