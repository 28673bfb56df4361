"""Conveyor belts: order, conflicts, rotation, and heights. R1 to R8."""

import pytest

from .scene import scene


def test_double_belts_move_two_spaces():
    """Double conveyor belts: move any robot resting on them two spaces in the direction of the arrows."""
    scene(">>+A^  >>  >>  .").play().at(A="2 0 N")


def test_single_belts_move_one_space():
    """Single conveyor belts: one space."""
    scene(">+A^  >  >").play().at(A="1 0 N")


def test_double_belts_act_before_single_ones():
    """Default behaviour: double-arrowed belts activate before single-arrowed ones; both carry A."""
    scene(">>+A^  >  >  .").play().at(A="2 0")


def test_once_moved_off_a_belt_it_no_longer_acts():
    """Default behaviour: once a robot has moved off a belt, the belt no longer affects that robot."""
    scene(">>+A^  .  .").play().at(A="1 0")


def test_a_belt_does_not_push():
    """Interaction: the robot must stop on the last space of the belt. It does not push the robot in its way."""
    picture = """
        +      +      +      +      +
          >+A^   B^     .      .
        +      +      +      +      +
          >>     >>+C^  D^     .
        +      +      +      +      +
    """
    scene(picture).play().shows(picture)


def test_two_that_would_end_on_one_belt_space_both_stay():
    """Interaction: if both robots would end their move on the same belt space, both stay where they are."""
    scene("""
        +      +      +      +
          >+A^   v      <+B^
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="0 0", B="2 0")


def test_a_row_on_a_belt_moves_together():
    """R1: a belt pass is simultaneous."""
    scene(">+A^  >+B^  >+C^  .").play().at(A="1 0", B="2 0", C="3 0")


def test_a_curve_turns_who_is_carried_onto_it():
    """Rotating belts: robots rotate 90 degrees in the direction of the curved arrow as they move onto it."""
    scene("""
        +      +      +
          >+A^   v
        +      +      +
          .      .
        +      +      +
    """).play().at(A="1 0 E")


def test_a_curve_does_not_turn_who_moves_onto_it_by_other_means():
    """Rotating belts: by means other than the conveyor belt itself, the robot does not turn. It is then carried on."""
    scene(
        """
        +      +      +
          A>     Wv
        +      +      +
          .      v
        +      +      +
          .      .
        +      +      +
    """
    ).play(A="move_1").at(A="1 1 E")


def test_a_straight_feed_does_not_turn():
    """Rotating belts: from a straight arrowed space, instead of a curved one, it will not turn."""
    scene("""
        +      +      +
          v+A^   .
        +      +      +
          v      <
        +      +      +
          .      .
        +      +      +
    """).play().at(A="0 1 N")


# ---- Walls and heights --------------------------------------------------------------------------------------------


def test_a_belt_against_a_wall_or_a_ledge_does_nothing():
    """R7; rulings: from below a ledge is a wall for belts too."""
    picture = """
        +      +      +      +
          >+A^ | v      .
        +      +      +      +
          >+B^   1      .
        +      +      +      +
          >>+C^  1+v    .
        +      +      +      +
    """
    scene(picture).play().at(A="0 0 N", B="0 1 N", C="0 2 N")


def test_a_belt_down_a_ledge_is_a_fall():
    """Ledges: who crosses one takes 2 damage for each level fallen, carried by a belt too."""
    scene("2+>+A^  .  .").play().at(A="1 0").damage(A=4)


def test_a_belt_does_not_drop_a_robot_onto_another():
    """Rulings: a robot cannot cross a ledge onto an occupied cell."""
    scene("1+>+A^  B^  .").play().at(A="0 0", B="1 0").damage(A=0)


def test_a_belt_drops_a_robot_where_another_leaves():
    """R1: the cell below is free in the same step."""
    scene("1+>+A^  >+B^  .").play().at(A="1 0", B="2 0").damage(A=2)


def test_a_belt_carries_up_a_ramp():
    """Ramp: it is like a normal tile; then who is on it slips down."""
    scene(">>+A^  R>0  1").play().at(A="0 0").damage(A=0)


def test_a_belt_against_the_side_of_a_ramp_does_nothing():
    """Ramp: from the side it is treated like a wall."""
    scene("""
        +        +        +
          v+A>     .
        +        +        +
          R>0      1
        +        +        +
    """).play().at(A="0 0")


def test_belts_drop_into_pits_and_off_the_board():
    """R8: destroyed in that step, its cell free for the follower."""
    scene("""
        +        +        +        +
          >+A^     >+B^     O
        +        +        +        +
          .        .        >+C^
        +        +        +        +
    """).play().destroyed("BC").at(A="1 0")


@pytest.mark.parametrize("speed", [1, 2])
def test_robots_facing_each_other_on_belts_stay(speed):
    """R3: two robots that would exchange cells both stay."""
    right, left = ">" * speed, "<" * speed
    picture = f"{right}+A^  {left}+B^"
    scene(picture).play().at(A="0 0", B="1 0")
