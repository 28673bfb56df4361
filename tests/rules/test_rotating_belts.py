"""Rotating conveyor belts: 2016 rulebook p. 12."""

import pytest

from .scene import scene

TURNED = {"left": dict(zip("NESW", "WNES", strict=True)), "right": dict(zip("NESW", "ESWN", strict=True))}


@pytest.mark.parametrize("facing", "NESW")
@pytest.mark.parametrize(("arrow", "way"), [("^", "left"), ("v", "right")])
def test_robots_turn_with_the_curve_as_they_move_onto_it(arrow, way, facing):
    """p. 12: 90 degrees in the direction of the curved arrow, whatever the robot faces; R6."""
    robot = "^>v<"["NESW".index(facing)]
    scene(f"""
        +      +      +      +
          .      .      .
        +      +      +      +
          >+A{robot}   W{arrow}     .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A=f"1 1 {TURNED[way][facing]}")


def test_a_robot_does_not_turn_when_it_leaves_the_curve():
    """p. 12: as they move onto the curved section; the next belt is straight."""
    scene("""
        +      +      +      +
          .      ^      .
        +      +      +      +
          .      W^+A^  .
        +      +      +      +
    """).play().at(A="1 0 N")


def test_a_robot_that_moves_onto_a_curve_by_its_card_does_not_turn():
    """p. 12: by means other than the conveyor belt itself; R6. It is then carried on, unturned."""
    scene("""
        +    +    +    +
          .    .    .
        +    +    +    +
          A>   W^   .
        +    +    +    +
    """).play(A="move_1").at(A="1 0 E")


def test_a_robot_pushed_onto_a_curve_does_not_turn():
    """p. 12, R6: entered by push: no turn."""
    scene("""
        +    +    +    +
          .    .    .
        +    +    +    +
          A>   Bv   W^
        +    +    +    +
    """).play(A="move_1").at(B="2 0 S")


def test_a_robot_pushed_onto_a_curve_by_a_panel_does_not_turn():
    """p. 12, R6: a panel is no belt, and belts have acted before."""
    scene("""
        +        +        +        +
          P>1+A^   Wv       .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play().at(A="1 0 N")


def test_entering_by_the_straight_feed_does_not_turn():
    """p. 12: it moves from a straight arrowed space instead of a curved arrow space; R6."""
    scene("""
        +      +      +      +
          .      .      .
        +      +      +      +
          .      SW^    .
        +      +      +      +
          .      ^+A>   .
        +      +      +      +
    """).play().at(A="1 1 E")


def test_entering_a_merge_from_the_side_turns():
    """R6: carried through one of the side feeds of a merging belt."""
    scene("""
        +      +      +      +
          .      .      .
        +      +      +      +
          .      SWE^   <+A^
        +      +      +      +
          .      ^      .
        +      +      +      +
    """).play().at(A="1 1 E")


def test_entering_by_a_side_that_is_no_feed_does_not_turn():
    """R6: the belt in the middle is fed from the south alone; the curved arrow is not on the west side."""
    scene("""
        +      +      +      +
          .      .      .
        +      +      +      +
          >+A^   S^     .
        +      +      +      +
    """).play().at(A="1 1 N")


def test_entering_against_the_out_direction_does_not_turn():
    """R6."""
    scene(">+A^  N<  .").play().at(A="1 0 N")


def test_two_curves_in_one_blue_phase_turn_twice():
    """R6: each step onto a curve is a turn of its own."""
    scene("""
        +       +       +       +
          .       S<<     .
        +       +       +       +
          >>+A^   W^^     .
        +       +       +       +
    """).play().at(A="1 0 S")


def test_a_bend_there_and_back_leaves_the_facing():
    """R6: a left turn and a right turn."""
    scene("""
        +       +       +       +
          .       S>>     .
        +       +       +       +
          >>+A^   W^^     .
        +       +       +       +
    """).play().at(A="1 0 N")


@pytest.mark.parametrize(("belt", "curve", "place"), [(">>", "W^", "1 0 W"), (">", "W^^", "1 1 W")])
def test_a_curve_of_the_other_colour_turns_too(belt, curve, place):
    """R6: carried by a belt of any colour onto a belt cell. From blue onto green it is carried on straight."""
    scene(f"""
        +       +       +       +
          .       .       .
        +       +       +       +
          {belt + "+A^":<8}{curve:<8}.
        +       +       +       +
    """).play().at(A=place)


def test_a_robot_held_on_its_belt_does_not_turn():
    """R7, R1: no move, no turn."""
    scene("""
        +      +      +      +
          .      B^     .
        +      +      +      +
          >+A^ | W^     .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="0 1 N")


def test_a_robot_that_stays_on_a_curve_does_not_turn():
    """p. 12: robots rotate as they move onto the curved section; a wall holds this one there."""
    scene("""
        +      +      +      +
          .      .      .
        +      +------+      +
          .      W^+A>  .
        +      +      +      +
    """).play(to=3).at(A="1 1 E")
