"""The optimist's search for a way to each checkpoint."""

import pytest

from roborally_env.courses import Course, course_from_map, list_courses, read_drawing
from roborally_env.courses.reach import unreachable
from roborally_env.courses.values import element_as_map


def course(drawing: str, first: tuple[int, int], second: tuple[int, int] | None = None, **more) -> Course:
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
        }
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


@pytest.mark.parametrize("each", list_courses(), ids=lambda each: each.slug)
def test_every_shipped_course_can_be_finished(each):
    assert unreachable(each) == []
