"""Pits and the edge of the board: 2016 rulebook p. 13, Pits, and p. 14, Falling off the Board."""

import pytest

from .scene import scene


def test_a_robot_that_lands_on_a_pit_falls_in_and_reboots():
    """p. 13, Pits."""
    scene("""
        +    +    +    +
          A>   O    .
        +    +    +    +
          .    .    Rv
        +    +    +    +
    """).play(A="move_1").rebooted("A").took(A=2).at(A="2 1 S")


def test_a_pit_catches_in_mid_move():
    """p. 13: immediately; R11: a Move 3 across a pit falls."""
    scene("""
        +    +    +    +    +    +
          A>   .    O    .    .
        +    +    +    +    +    +
          .    .    .    .    Rv
        +    +    +    +    +    +
    """).play(A="move_3").rebooted("A").at(A="4 1 S")


def test_a_pusher_that_follows_into_the_pit_falls_too():
    """R11: the pusher's next step takes it into the pit as well. The first to fall leaves the token first (p. 15)."""
    scene("""
        +    +    +    +    +
          A>   B^   O    .
        +    +    +    +    +
          .    .    Rv   .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """).play(A="move_2").rebooted("AB").took(A=2, B=2).shows("""
        +    +    +    +    +
          .    .    O    .
        +    +    +    +    +
          .    .    Av   .
        +    +    +    +    +
          .    .    Bv   .
        +    +    +    +    +
    """)


def test_a_pusher_that_stops_before_the_pit_stays():
    """p. 14: Smash Bot pushes Hulk x90 into a pit, so Hulk x90 must reboot."""
    scene("""
        +    +    +    +    +
          A>   B^   O    .
        +    +    +    +    +
          .    .    R>   .
        +    +    +    +    +
    """).play(A="move_1").rebooted("B").shows("""
        +    +    +    +    +
          .    A>   O    .
        +    +    +    +    +
          .    .    B>   .
        +    +    +    +    +
    """)


def test_backing_into_a_pit_is_a_fall():
    """p. 13: however the robot lands there."""
    scene("O  A>  R^").play(A="back_up").rebooted("A").at(A="2 0 N")


@pytest.mark.parametrize("arrow", "^>v<")
def test_a_robot_that_moves_off_any_side_of_the_board_reboots(arrow):
    """p. 14, Falling off the Board."""
    scene(f"""
        +    +    +    +
          .    .    .
        +    +    +    +
          .    A{arrow}   .
        +    +    +    +
          R>   .    .
        +    +    +    +
    """).play(A="move_2").rebooted("A").took(A=2).at(A="0 2 E")


def test_a_robot_pushed_off_the_board_reboots():
    """p. 14: or are pushed off of the board."""
    scene("""
        +    +    +    +
          .    A>   B<
        +    +    +    +
          R>   .    .
        +    +    +    +
    """).play(A="move_1").rebooted("B").took(B=2).shows("""
        +    +    +    +
          .    .    A>
        +    +    +    +
          B>   .    .
        +    +    +    +
    """)


def test_a_wall_on_the_rim_keeps_a_robot_on_the_board():
    """p. 13, Walls."""
    picture = ".  .  A> |"
    scene(picture).play(A="move_3").rebooted("").shows(picture)


def test_standing_beside_a_pit_does_nothing():
    """p. 13: only a robot that lands on it falls."""
    scene("A^  O  .").play(A="turn_right").rebooted("").at(A="0 0 E")
