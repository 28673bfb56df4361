"""Rotating Conveyor Belts: 2005 rulebook p. 7; R6."""

import pytest

from .scene import scene


@pytest.mark.parametrize(
    ("arrow", "place"),
    [("v", "1 1 E"), ("^", "1 1 W")],
)
def test_a_robot_is_rotated_when_a_belt_moves_it_onto_a_rotating_belt(arrow, place):
    """p. 7, the first picture: 90° in addition to being moved."""
    scene(f"""
        +      +      +      +
          .      .      .
        +      +      +      +
          >+A^   {arrow}      .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A=place)


def test_this_is_true_from_an_express_belt_onto_a_normal_one():
    """p. 7; R6: by a belt of any colour. A turns onto the normal belt, which then carries it on."""
    scene("""
        +      +      +      +
          >>+A^  v      .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="1 1 E")


def test_this_is_true_from_a_normal_belt_onto_an_express_one():
    """R6: by a belt of any colour; the express belt has no step left."""
    scene("""
        +      +      +      +
          >+A^   vv     .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="1 0 E")


def test_a_robot_that_moves_onto_a_rotating_belt_by_its_card_is_not_rotated():
    """p. 7, the second picture: the belt moves it one space in the direction of the arrow."""
    scene("""
        +      +      +      +
          >+A>   v      .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play(A="move_1").at(A="1 1 E")


def test_a_robot_pushed_onto_a_rotating_belt_is_not_rotated():
    """p. 7: nor as a result of being pushed."""
    scene("""
        +      +      +      +
          A>     >+B^   v
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play(A="move_1").at(B="2 1 N")


def test_a_robot_pushed_onto_a_rotating_belt_by_a_pusher_is_not_rotated():
    """R6: entered by push: no turn."""
    scene("""
        +        +        +
          P>1+A^   Wv
        +        +        +
          .        .
        +        +        +
    """).play(to=2).at(A="1 1 N")


def test_two_rotating_belts_in_one_register_rotate_twice():
    """p. 7: each express step onto a curve."""
    scene("""
        +      +      +      +
          >>+A^  vv     .
        +      +      +      +
          <<     <<     .
        +      +      +      +
    """).play().at(A="1 1 S")


def test_a_merge_rotates_who_comes_from_the_side_only():
    """R6: through a side feed it turns, along the straight feed it does not."""
    picture = """
        +      +      +      +
          {}     >      .
        +      +      +      +
          .      {}     .
        +      +      +      +
    """
    scene(picture.format(">+A^", "^   ")).play().at(A="1 0 N")
    scene(picture.format(">   ", "^+A^")).play().at(A="1 0 E")


def test_entering_against_the_out_direction_does_not_rotate():
    """R6."""
    scene(">+A^  <  .").play().at(A="1 0 N")


def test_a_robot_held_on_its_belt_is_not_rotated():
    """p. 7: only if it is moved onto the rotating space; R7."""
    picture = """
        +      +      +      +
          >+A^ | v      .
        +      +      +      +
          >+B^   v+Cv   .
        +      +------+      +
          .      .      .
        +      +      +      +
    """
    scene(picture).play().shows(picture)
