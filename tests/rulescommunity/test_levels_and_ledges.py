"""Levels and ledges: heights of the sides of cells, falls, pushes between levels. C1, C2, C3."""

import pytest

from .scene import scene


def test_a_ledge_is_a_wall_from_below():
    """Ledges: a robot on the lower level of a ledge treats the ledge as if it were a wall."""
    picture = "A>  1  ."
    scene(picture).play(A="move_2").shows(picture).damage(A=0)


@pytest.mark.parametrize(("level", "damage"), [(1, 2), (2, 4), (3, 6)])
def test_who_crosses_a_ledge_from_above_takes_two_damage_for_each_level_fallen(level, damage):
    """Ledges, C1: a fall of k levels is 2k damage."""
    scene(f"{level}+A>  .  .").play(A="move_1").at(A="1 0 E").has("level", A=0).damage(A=damage)


def test_each_ledge_of_a_move_is_a_fall():
    """Ledges: 2 points of damage for each level fallen, and the move goes on."""
    scene("3+A>  1  .  .").play(A="move_3").at(A="3 0").damage(A=6)


def test_on_one_level_robots_move_as_on_the_floor():
    """Levels: each tile is on one level; C1: equal heights are an ordinary step."""
    scene("2+A>  2  2").play(A="move_2").at(A="2 0").damage(A=0)


def test_walls_stand_on_every_level():
    """C1: walls are tested first, also where the step would lead down."""
    picture = "1+A> | .  ."
    scene(picture).play(A="move_1").shows(picture).damage(A=0)


def test_the_antenna_is_a_wall_for_who_comes_from_above():
    """C1: the antenna is tested before heights."""
    picture = "1+A>  Yv  ."
    scene(picture).play(A="move_1").shows(picture).damage(A=0)


def test_beyond_the_edge_there_are_no_heights():
    """C1: off the edge of the board a robot is destroyed from any level."""
    scene(".  2+A>").play(A="move_1").destroyed("A").damage(A=0)


@pytest.mark.parametrize(("here", "pit"), [("2", "O"), ("1", "O"), ("1", "1+O"), (".", "O")])
def test_a_pit_destroys_who_comes_from_above_or_from_its_level(here, pit):
    """C1: a pit has its level; no fall damage besides."""
    start = "A>" if here == "." else f"{here}+A>"
    scene(f"{start}  {pit}  .").play(A="move_2").destroyed("A").damage(A=0)


def test_a_pit_on_a_higher_level_cannot_be_entered():
    """C1: from below a pit is behind a ledge."""
    picture = "A>  1+O  ."
    scene(picture).play(A="move_1").shows(picture)


# ---- Pushes -------------------------------------------------------------------------------------------------------


def test_a_robot_is_pushed_down_a_ledge():
    """C2: pushed robots may fall down ledges; the pusher stays on its level."""
    scene("""
        1+A>  1+B^  .
    """).play(A="move_1").shows("""
        .     A>    B^
    """).damage(B=2)


def test_nobody_crosses_a_ledge_onto_an_occupied_cell():
    """Rulings: a robot cannot cross a ledge onto an occupied cell, nor push what fell below."""
    picture = "1+A>  B^  ."
    scene(picture).play(A="move_2").shows(picture).damage(A=0)


def test_what_was_pushed_down_a_ledge_is_not_pushed_on():
    """C2: after the first step B is in the way below, so the move ends."""
    scene("1+A>  1+B^  .  .").play(A="move_3").at(A="1 0", B="2 0").damage(B=2)


def test_a_chain_that_would_fall_onto_a_robot_is_stopped():
    """C2: a chain that would push a robot down a ledge onto an occupied cell is blocked."""
    picture = "1+A<  1+B^  C^  ."
    scene(picture).play(A="back_up").shows(picture).damage(B=0)


def test_a_chain_is_stopped_by_a_ledge_from_below():
    """C2: each robot of the line makes a step of its own."""
    picture = "A>  B^  1"
    scene(picture).play(A="move_1").shows(picture)


def test_robots_push_on_every_level():
    """Pushing other robots: on the same level, here the second."""
    scene("2+A<  2+B^  2+C^  2").play(A="back_up").at(A="1 0", B="2 0", C="3 0").damage(A=0, B=0, C=0)


def test_the_last_of_a_chain_falls_down_the_ledge():
    """C3: the whole line moves, then the one that crossed the ledge takes its damage."""
    scene("1+A<  1+B^  1+C^  .").play(A="back_up").at(A="1 0", B="2 0", C="3 0").damage(C=2)


def test_two_of_a_chain_do_not_fall_down_two_ledges():
    """C2: B would fall onto the cell of C, be it that C moves on."""
    picture = "2+A>  2+B^  1+C^  ."
    scene(picture).play(A="move_1").shows(picture)


# ---- Falls that destroy -------------------------------------------------------------------------------------------


def test_a_robot_destroyed_by_its_fall_leaves_the_board_and_its_move_ends():
    """C3: a mover destroyed by the damage ends its move."""
    scene("1+A>  .  .", A={"damage": 8}).play(A="move_2").destroyed("A").damage(A=10)


def test_where_a_pushed_robot_is_destroyed_by_its_fall_the_mover_goes_on():
    """C3: B leaves the board at once, and its cell is free for A, which falls too."""
    scene("1+A>  1+B^  .  .", B={"damage": 9}).play(A="move_3").at(A="3 0").destroyed("B").damage(A=2, B=10)


def test_a_fall_of_three_levels_deals_its_tokens_one_by_one():
    """C10: at the tenth token the robot is destroyed and takes no more."""
    scene("3+A>  .  .", A={"damage": 7}).play(A="move_1").destroyed("A").damage(A=10)


def test_back_up_falls_down_a_ledge_too():
    """Ledges: whoever crosses the ledge, in any way."""
    scene(".  1+A>  1").play(A="back_up").at(A="0 0 E").damage(A=2)


def test_a_robot_names_its_level():
    """The level of a robot is that of its cell."""
    scene("2+A>  2  .", A={"level": 2}).play(A="move_1").has("level", A=2)
