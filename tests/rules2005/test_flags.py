"""E. Touch Flags & Repair Sites, and winning: 2005 rulebook p. 8, p. 10; R37, R60, R62."""

import pytest

from .scene import scene

ROW = "A>  1  2  r1  r2"


def test_a_robot_on_its_next_flag_touches_it():
    """p. 8: it is on the flag at the end of the register phase."""
    scene(ROW).play(A="move_1").flags(A=1)


def test_flags_are_touched_in_order():
    """p. 3, p. 8: the second does not count before the first."""
    scene(ROW).play(A="move_2").flags(A=0)
    scene(ROW, A={"checkpoint": 1}).play(A="move_2").flags(A=2)


def test_a_flag_that_has_been_touched_does_not_count_again():
    """p. 8: it can move on to the next flag."""
    scene(ROW, A={"checkpoint": 1}).play(A="move_1").flags(A=1)


def test_passing_over_a_flag_is_not_touching_it():
    """p. 8: any robot that is on a flag then."""
    scene(ROW).play(A="move_3").flags(A=0).archive(A="3 0")


def test_a_robot_may_touch_its_next_flag_in_the_next_register():
    """R37: in order, one a register."""
    scene("A>  1  2  3").play(A=["move_1", "move_1"]).flags(A=2)


def test_a_flag_is_touched_however_the_robot_came_there():
    """p. 8: any robot on a flag; R37. A by its card, B pushed, C by a belt, D by a pusher."""
    scene("""
        +        +        +        +
          A>       B^       1
        +        +        +        +
          >+C^     2        .
        +        +        +        +
          P>1+D^   3        4
        +        +        +        +
    """, C={"checkpoint": 1}, D={"checkpoint": 2}).play(A="move_1").flags(A=0, B=1, C=2, D=3)  # fmt: skip


def test_a_robot_that_did_not_survive_touches_nothing():
    """p. 8: any robot that's survived the mayhem to this point."""
    scene("""
        +    +    +    +
          L>   1    A^
        +    +    +    +
          .    B^   2
        +    +    +    +
    """, B={"damage": 9}).play(B="move_1").destroyed("B").flags(B=0).archive(B="1 1")  # fmt: skip


# -- the archive marker


@pytest.mark.parametrize(("card", "place"), [("move_1", "1 0"), ("move_3", "3 0")])
def test_a_flag_or_repair_site_updates_the_archive(card, place):
    """p. 8: any robot on a flag or repair site puts its marker there."""
    scene(ROW).play(A=card).archive(A=place)


def test_a_wrench_and_hammer_updates_the_archive():
    """p. 8."""
    scene(ROW).play(A=["move_3", "move_1"]).archive(A="4 0")


@pytest.mark.parametrize("reached", [0, 2])
def test_a_flag_out_of_order_updates_the_archive_too(reached):
    """p. 8: any robot on a flag; Scenario files: in order or not."""
    picture = "A>  2  1  3"
    scene(picture, A={"checkpoint": reached}).play(A="move_1").flags(A=reached).archive(A="1 0")


def test_the_archive_is_updated_in_every_register():
    """p. 8: repeat this sequence for each register."""
    scene(ROW).play(A=["move_1", "move_2"]).archive(A="3 0")
    scene(ROW).play(A=["move_1", "back_up"]).archive(A="1 0")


def test_elsewhere_the_archive_stays():
    """p. 8: it is put on flags and repair sites."""
    scene(ROW, A={"archive": "4 0"}).play(to=2).archive(A="4 0")


# -- winning


def test_the_first_to_touch_all_flags_wins():
    """p. 10: the winner is the first player to touch all the flags in order."""
    result = scene(ROW, A={"checkpoint": 1}).play(A="move_2")
    assert result.winner == "A"


def test_the_game_ends_with_the_register_of_the_last_flag():
    """p. 10: the game can end as soon as the winner touches the last flag; R37."""
    result = scene(ROW, A={"checkpoint": 1}).play(A=["move_2", "move_1"])
    assert (result.winner, result.register) == ("A", 1)
    result.at(A="2 0 E")


def test_the_last_flag_alone_wins_nothing():
    """p. 10: all the flags in order."""
    assert scene(ROW).play(A="move_2").winner is None


def test_a_robot_destroyed_on_the_last_flag_does_not_win():
    """p. 8: only who has survived touches it."""
    result = scene("""
        +    +    +
          L>   1
        +    +    +
          .    A^
        +    +    +
    """, A={"damage": 9}).play(A="move_1")  # fmt: skip
    assert result.winner is None
    result.destroyed("A")


@pytest.mark.parametrize(("card", "winner"), [("turn_left:70", "B"), ("turn_left:90", "A")])
def test_of_two_that_touch_the_last_flag_the_higher_number_wins(card, winner):
    """R62; B reaches the flag with its Mechanical Arm."""
    result = scene(">+A^  1  B^", B="mechanical_arm").play(A=card, B="turn_right:80")
    assert result.winner == winner


def test_the_last_robot_left_races_on():
    """R62: being alone wins nothing."""
    result = scene(ROW, B={"lives": 0}).play_rounds(A=["move_3", "back_up", "turn_left", "turn_left", "turn_left"])
    assert result.winner is None
    assert result.register == 5
