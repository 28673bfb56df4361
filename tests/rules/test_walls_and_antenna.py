"""Walls and the priority antenna: 2016 rulebook p. 13."""

import pytest

from .scene import Scene, scene


@pytest.mark.parametrize("arrow", "^>v<")
def test_robots_cannot_move_through_walls(arrow):
    """p. 13, Walls."""
    scene(f"""
        +    +    +    +
          .    .    .
        +    +----+    +
          .  | A{arrow} | .
        +    +----+    +
          .    .    .
        +    +    +    +
    """).play(A="move_1").at(A="1 1")


@pytest.mark.parametrize("wall", [{"x": 1, "sides": ["E"]}, {"x": 2, "sides": ["W"]}])
def test_a_wall_stands_between_its_two_cells_whichever_lists_it(wall):
    """p. 13, Walls; R10: on either side of the edge."""
    board = {"width": 4, "height": 1, "elements": [{"kind": "wall", "y": 0, **wall}]}
    there = Scene({"map": board}, {"A": (0, 0, "E")}, {}, {}).play(A="move_3")
    there.at(A="1 0")
    back = Scene({"map": board}, {"A": (3, 0, "W")}, {}, {}).play(A="move_3")
    back.at(A="2 0")


def test_a_wall_beside_the_way_does_not_matter():
    """p. 13, Walls."""
    scene("""
        +    +----+----+    +
          A>   .    .    .
        +----+----+    +    +
    """).play(A="move_3").at(A="3 0")


def test_back_up_is_stopped_by_a_wall():
    """p. 13, p. 24."""
    scene(". | A>").play(A="back_up").at(A="1 0")


@pytest.mark.parametrize("dish", "^>v<")
def test_the_antenna_acts_as_a_wall_from_every_side(dish):
    """p. 13, The Priority Antenna: robots cannot move through it or occupy its space, whatever its dish faces."""
    picture = f"""
        +    +    +    +
          .    Av   .
        +    +    +    +
          B>   Y{dish}   C<
        +    +    +    +
          .    D^   .
        +    +    +    +
    """
    scene(picture).play(A="move_3", B="move_2", C="move_1", D="move_1").took().shows(picture)


def test_a_robot_cannot_be_pushed_onto_the_antenna():
    """p. 13, The Priority Antenna: nor pushed through it."""
    picture = "A>  B^  Yv"
    scene(picture).play(A="move_2").shows(picture)


def test_a_belt_does_not_carry_onto_the_antenna():
    """p. 13; R7: a belt into the antenna does nothing."""
    scene(">+A^  Yv  .").play().rebooted("").at(A="0 0 N")


def test_a_panel_does_not_push_onto_the_antenna():
    """p. 13: it cannot be pushed through; R13: panel pushes are stopped as by walls."""
    scene("P>1+A^  Yv  .").play().at(A="0 0 N")
