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
