"""The helper: pictures that are read and drawn, and checks that can fail."""

import pytest

from .picture import draw, read
from .scene import scene

PICTURE = """
    +-----+     +     +     +
      A>    R>0a  1+b^  1
    +     +     +     +     +
      Ba    ~     1   | F1
    +     +     +     +     +
"""


def test_a_picture_is_drawn_as_it_was_read():
    """Robots, virtual ones in small letters, levels, ramps, buttons, checkpoints."""
    found = read(PICTURE)
    assert found.robots == {"A": (0, 0, "E", False), "B": (2, 0, "N", True)}
    assert found.map["checkpoints"] == [{"number": 1, "x": 3, "y": 1}]
    again = read(draw(found.map, found.robots))
    assert again == found


def test_a_scene_is_played_and_shown():
    """What is not as shown is reported with a picture."""
    result = scene(PICTURE.replace("+b^", "   ")).play(A="move_2")
    result.shows("""
        +     +     +     +     +
          .     .     A>    .
        +     +     +     +     +
          .     .     .     .
        +     +     +     +     +
    """).damage(A=0)
    with pytest.raises(AssertionError, match="picture"):
        result.shows(PICTURE.replace("+b^", "   "))
    with pytest.raises(AssertionError, match="damage"):
        result.damage(A=1)
