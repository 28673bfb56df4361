"""D. Lasers Fire, robot lasers: 2005 rulebook p. 8; R32, R34, R35."""

import pytest

from .scene import scene, shots


@pytest.mark.parametrize(("facing", "target"), [("^", "B"), (">", "C"), ("v", "D"), ("<", "F")])
def test_the_main_laser_fires_forward(facing, target):
    """p. 8: every robot has a main forward-firing laser; 1 token."""
    scene(f"""
        +    +    +    +
          .    B^   .
        +    +    +    +
          F<   A{facing}   C>
        +    +    +    +
          .    Dv   .
        +    +    +    +
    """).play().damage(**{target: 1})


def test_a_robot_fires_whether_it_wants_or_not():
    """p. 8: any robot in line of sight is automatically damaged."""
    scene("A>  B^").play().asked().damage(B=1)


def test_a_wall_is_an_obstacle():
    """p. 8: no obstacles (like a wall or another robot) in between."""
    scene("A>  . | B^").play().damage(B=0)


def test_another_robot_is_an_obstacle():
    """p. 8: the first is hit."""
    scene("A>  B^  C^").play().damage(B=1)


def test_it_does_not_matter_how_far_apart_the_robots_are():
    """p. 8: they fire across the board until they hit something; R35: pits and belts do not matter."""
    row = "".join(f"{token:<5}" for token in ["A>", "O", "^", *["."] * 16, "B^"])
    line = "+    " * 20 + "+"
    scene(f"{line}\n  {row.rstrip()}\n{line}").play().damage(B=1)


def test_robots_shoot_from_where_they_end():
    """p. 8: after cards and elements."""
    scene(">+Av  ccw  B^").play().at(A="1 0 E").damage(B=1)


def test_two_robots_shoot_each_other():
    """p. 8; R32: all hits are found first, then dealt."""
    scene("A>  .  B<").play().damage(A=1, B=1)


def test_several_robots_shoot_one():
    """p. 8: a token for each laser."""
    scene("""
        +    +    +    +
          .    C^   .
        +    +    +    +
          A>   B^   D<
        +    +    +    +
    """).play().damage(B=2, C=1)


def test_board_and_robot_lasers_both_count():
    """p. 8."""
    scene("A>  B^  L<").play().damage(B=2)


def test_robots_that_destroy_each_other_both_fire():
    """R34: all fire together; a robot shot dead still fires."""
    result = scene("A>  .  B<", A={"damage": 9}, B={"damage": 9}).play()
    result.destroyed("AB").lives(A=2, B=2)


def test_a_robot_destroyed_by_a_board_laser_still_fires():
    """R34: board and robot lasers of a phase fire together."""
    result = scene("L>  A>  B^", A={"damage": 9}).play()
    result.destroyed("A")
    assert result.robot("B")["damage"] == 1


def test_a_robot_that_is_shot_dead_still_covers_those_behind():
    """R34: robots with ten damage are destroyed after all lasers have fired."""
    result = scene("A>  B^  C^", B={"damage": 9}).play()
    result.destroyed("B")
    assert result.robot("C")["damage"] == 0


def test_a_robot_destroyed_before_the_lasers_does_not_fire():
    """p. 8, p. 10: it is off the board."""
    result = scene("""
        +    +    +    +
          O    A<   B<
        +    +    +    +
          .    .    .
        +    +    +    +
    """).play(A="move_1")
    assert shots(result) == []


def test_nobody_hits_itself():
    """R35."""
    scene("A>  .").play().damage(A=0)
