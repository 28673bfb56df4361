"""Robot lasers: 2016 rulebook p. 7 and p. 14, Robot Lasers."""

import pytest

from .scene import race_on, scene


@pytest.mark.parametrize(("arrow", "hit"), [("^", "B"), (">", "C"), ("v", "D"), ("<", "F")])
def test_a_robot_shoots_the_robot_that_it_faces(arrow, hit):
    """p. 7, p. 14: robot lasers fire in the direction a robot is facing; one SPAM for each hit."""
    scene(f"""
        +    +    +    +
          .    B^   .
        +    +    +    +
          F<   A{arrow}   C>
        +    +    +    +
          .    Dv   .
        +    +    +    +
    """).play().took(**{hit: 1})


def test_robot_lasers_have_no_range_limit():
    """p. 7: their range has no limit; R35."""
    scene("A>  .  .  .  .  .  .  .  .  .  .  .  .  .  .  B^").play().took(B=1)


def test_robot_lasers_cross_pits():
    """R35."""
    scene("A>  O  O  B^").play().took(B=1)


def test_robot_lasers_cross_from_board_to_board():
    """R35: board seams; from the start board onto board 5B."""
    race_on("dizzy_highway", A="1 7 E", B="6 7 N").play().took(B=1)


def test_two_robots_that_face_each_other_both_hit():
    """p. 14; R32: all hits are found first, then dealt."""
    scene("A>  .  B<").play().took(A=1, B=1)


def test_only_the_first_robot_in_line_is_shot():
    """p. 7: shoot more than one robot; p. 14: not blocked by another robot."""
    scene("A>  B^  C^").play().took(B=1)


def test_walls_stop_robot_lasers():
    """p. 7, p. 13, p. 14: the line of sight is not blocked by a wall."""
    scene("""
        +    +    +    +
          A> | .    B<
        +    +    +    +
          C>   .  | D<
        +    +    +    +
    """).play().took()


def test_the_antenna_stops_robot_lasers():
    """p. 13, p. 14: robots cannot shoot through the antenna; both are safe behind it."""
    scene("A>  Yv  B<").play().took()


def test_each_shot_counts():
    """p. 14: one SPAM damage card for each hit."""
    scene("""
        +    +    +    +
          .    A>   .
        +    +    +    +
          B>   C>   D<
        +    +    +    +
          .    F^   .
        +    +    +    +
    """).play().took(C=3, D=1)


def test_nobody_hits_itself():
    """R35."""
    scene("A>  .").play().took()


def test_robots_shoot_after_all_have_moved():
    """p. 7: for every register, after all players have activated their programming."""
    scene("""
        +    +    +    +    +
          A>   .    .    B^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """).play(A="turn_right", B="turn_left").took(A=1)


def test_a_robot_shoots_in_every_register():
    """p. 8: repeat for the remaining registers."""
    scene("A>  B^").play(to=5).took(B=5)


def test_board_lasers_fire_before_robot_lasers():
    """p. 7; R32: one SPAM is left; the board laser's victim gets it, the other takes another kind (R27)."""
    scene("""
        +    +    +
          A>   B^
        +    +    +
          .    .
        +    +    +
          L>   Cv
        +    +    +
    """, A={"discard": ["spam"] * 37}).play().took(C=1, B={"trojan_horse": 1})  # fmt: skip


def test_a_rebooted_robot_does_not_shoot():
    """p. 15: you can be shot on a reboot token, but you cannot shoot robots; R18."""
    scene("""
        +    +    +    +
          .    .    A>
        +    +    +    +
          .    R>   B<
        +    +    +    +
    """).play(A="move_1").rebooted("A").took(A=3)


def test_a_rebooted_robot_that_is_pushed_off_the_token_does_not_shoot():
    """R18: until the round ends, even if pushed off the token. A is shot once in the first register."""
    scene("""
        +    +    +    +    +    +
          .    .    .    .    A>
        +    +    +    +    +    +
          B>   R>   .    .    C<
        +    +    +    +    +    +
    """).play(A=["move_1"], B=[None, "move_1"]).rebooted("A").at(A="2 1 E").took(A=2 + 4)
    # each register both B and C shoot A


def test_a_rebooted_robot_shoots_again_in_the_next_round():
    """R18, p. 15: until the round ends. In round two A faces B at the end of registers one, three and five."""
    aside = ["turn_left", "turn_right"] * 2
    scene(
        """
        +    +    +    +
          .    .    A>
        +    +    +    +
          .    R>   Bv
        +    +    +    +
    """,
        A={"draw": ["power_up", *aside, *["move_1"] * 4]},
        B={"draw": [*aside, "turn_left", *["move_1"] * 4]},
    ).play_rounds(2, A=["move_1"], B=["power_up"]).took(A=2, B=3)
