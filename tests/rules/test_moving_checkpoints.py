"""Checkpoints on belts: 2016 rulebook, Twister, Pilgrimage and Gear Stripper, Special Rules (p. 20 to 23)."""

import pytest

from .scene import scene


def moving(picture, **options):
    """A scene whose belts carry checkpoints."""
    return scene(picture, moving_checkpoints=True, **options)


@pytest.mark.parametrize(("belt", "place"), [(">", "1 0"), (">>", "2 0")])
def test_belts_carry_checkpoints_as_they_carry_robots(belt, place):
    """Twister: during the activation phase, move the checkpoints as you would a robot; R38."""
    result = moving(f"""
        +       +       +       +       +
          {belt + "+1":<8}{belt:<8}{belt:<8}.
        +       +       +       +       +
          .       .       .       A^
        +       +       +       +       +
    """).play()
    assert result.checkpoint_cells() == {1: tuple(map(int, place.split()))}


def test_without_the_special_rule_checkpoints_stay():
    """p. 16, Special Rules: only the courses that say so."""
    result = scene(">+1  >  A^").play(to=2)
    assert result.checkpoint_cells() == {1: (0, 0)}


def test_a_robot_on_the_checkpoint_is_carried_with_it():
    """Twister: robots sitting on the checkpoint when it moves will also move. It is reached where it is then."""
    moving("""
        +        +        +        +
          >+1+A^   >        .
        +        +        +        +
          2        .        .
        +        +        +        +
    """).play().has("checkpoint", A=1).shows("""
        +      +      +      +
          .      1+A^   .
        +      +      +      +
          2      .      .
        +      +      +      +
    """)


def test_a_checkpoint_is_reached_where_it_is_at_the_end_of_the_register():
    """p. 8, R38: A waits where the checkpoint arrives; B stands where it was."""
    moving("""
        +      +      +      +
          >+1    A^     .
        +      +      +      +
          .      .      2
        +      +      +      +
    """).play().has("checkpoint", A=1)


def test_robots_do_not_stop_a_checkpoint():
    """R38: blocked by walls only, not by robots. R1: the rider is stopped by B and left behind."""
    moving("""
        +        +        +        +
          >+1+A^   B^       .
        +        +        +        +
          .        .        2
        +        +        +        +
    """).play().at(A="0 0", B="1 0").has("checkpoint", A=0, B=1)


def test_checkpoints_do_not_stop_each_other():
    """R38: nor by other checkpoints; R38a: they may share a cell, and a robot still reaches one a register."""
    result = moving("""
        +      +      +      +
          >+1    A^     <+2
        +      +      +      +
          .      .      3
        +      +      +      +
    """).play()
    assert result.checkpoint_cells() == {1: (1, 0), 2: (1, 0), 3: (2, 1)}
    result.has("checkpoint", A=1)


def test_a_robot_on_two_checkpoints_reaches_the_second_in_the_next_register():
    """R38a: one a register."""
    moving("""
        +      +      +      +
          >+1    A^     <+2
        +      +      +      +
          .      .      3
        +      +      +      +
    """).play(to=2).has("checkpoint", A=2)


def test_walls_and_the_antenna_stop_a_checkpoint():
    """R38: blocked by walls; R38a: the antenna blocks it as a wall."""
    result = moving("""
        +      +      +      +
          >+1  | .      A^
        +      +      +      +
          >+2    Y^     .
        +      +      +      +
    """).play()
    assert result.checkpoint_cells() == {1: (0, 0), 2: (0, 1)}


def test_a_checkpoint_that_falls_into_a_pit_is_reset():
    """Pilgrimage, Gear Stripper: immediately reset the checkpoint to its original position; R38."""
    course = moving(">+1  >  O  A^")
    assert course.play(to=1).checkpoint_cells() == {1: (1, 0)}
    assert course.play(to=2).checkpoint_cells() == {1: (0, 0)}
    assert course.play(to=3).checkpoint_cells() == {1: (1, 0)}


def test_a_robot_that_falls_with_the_checkpoint_reboots_and_does_not_count_it():
    """Pilgrimage: any robot that was on the checkpoint immediately reboots and may not count it; R38."""
    moving("""
        +        +        +        +
          >+1+A^   O        .
        +        +        +        +
          2        .        R>
        +        +        +        +
    """).play().rebooted("A").has("checkpoint", A=0).at(A="2 1")


def test_it_does_not_count_even_when_the_robot_is_put_down_on_it():
    """R38: the token lies where the checkpoint is reset to; the robot that fell with it does not count it."""
    moving(">+1+R^+A^  O  2").play().rebooted("A").at(A="0 0").has("checkpoint", A=0)


def test_a_checkpoint_carried_off_the_board_is_reset():
    """R38, R38a: as from a pit; a robot that fell with it does not count it."""
    result = moving("""
        +        +        +
          <+1+A^   .
        +        +        +
          2        R>
        +        +        +
    """).play()
    result.rebooted("A").has("checkpoint", A=0)
    assert result.checkpoint_cells()[1] == (0, 0)


def test_a_reset_checkpoint_rests_for_both_blue_steps():
    """R38a: both blue steps count as one. It starts on a blue belt and would be carried on at once otherwise."""
    course = moving(">>+1  >>  >>  O  A^")
    assert course.play(to=1).checkpoint_cells() == {1: (2, 0)}
    # the first blue step takes it into the pit and back to its first cell, where it stays for the second
    assert course.play(to=2).checkpoint_cells() == {1: (0, 0)}
    assert course.play(to=3).checkpoint_cells() == {1: (2, 0)}


def test_a_checkpoint_reset_in_the_blue_phase_moves_in_the_green_phase():
    """R38, R38a: it rests for that phase only; its first cell is a green belt."""
    course = moving(">+1  >>  O  A^")
    assert course.play(to=1).checkpoint_cells() == {1: (1, 0)}
    moves = course.play(to=2).happened("checkpoint_moved")
    assert [event["to"] for event in moves] == [[1, 0], [0, 0], [1, 0]]


def test_riders_turn_on_a_curve_and_keep_their_checkpoint():
    """R38: riders move by their own belt move; R6: and turn as on any curve."""
    moving("""
        +         +         +         +
          .         .         .
        +         +         +         +
          >>+1+A^   W^^       .
        +         +         +         +
          2         .         .
        +         +         +         +
    """).play().at(A="1 0 W").has("checkpoint", A=1)


def test_the_last_checkpoint_wins_wherever_it_has_been_carried():
    """R37, R38."""
    result = moving(">+1  >  A<").play(A=["power_up", "power_up"])
    # register one: to column 1; register two: to column 2, where A stands
    assert (result.winner, result.register) == ("A", 2)
