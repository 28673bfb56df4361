"""Ramps: up and down, sides, off, and how robots slip down. C1, C2, C8."""

import pytest

from .scene import scene


def test_a_ramp_leads_up_to_the_next_level():
    """Ramp: it is like a normal tile when a robot moves on it."""
    scene("A>  R>0  1").play(A="move_2").at(A="2 0 E").has("level", A=1).damage(A=0)


def test_a_ramp_leads_down_without_damage():
    """Ramp: from its top (bottom and top) it is driven down."""
    scene(".  R>0  1+A<").play(A="move_2").at(A="0 0 W").has("level", A=0).damage(A=0)


def test_a_ramp_joins_higher_levels_too():
    """Rulings: a ramp joins level n and n+1."""
    scene("1+A>  R>1  2  2").play(A="move_3").at(A="3 0").has("level", A=2).damage(A=0)


@pytest.mark.parametrize("card", ["move_1", "back_up"])
def test_the_sides_of_a_ramp_are_walls_to_who_comes(card):
    """Ramp: if a robot moves from the side it is treated like a wall."""
    facing = "v" if card == "move_1" else "^"
    picture = f"""
        +     +     +     +
          .     A{facing}    .
        +     +     +     +
          .     R>0   1
        +     +     +     +
    """
    scene(picture).play(A=card).shows(picture)


def test_the_sides_of_a_ramp_are_walls_to_who_comes_from_the_higher_level():
    """Ramp, C1: the two sides are walls, from above too."""
    picture = """
        +     +     +     +
          .     1+Av  .
        +     +     +     +
          .     R>0   1
        +     +     +     +
    """
    scene(picture).play(A="move_1").shows(picture).damage(A=0)


def test_the_sides_of_a_ramp_are_walls_to_who_is_on_it():
    """Ramp: rulings: entered and left along its axis only. Then it slips down."""
    scene("""
        +       +       +       +
          .       .       .
        +       +       +       +
          .       R>0+A^  1
        +       +       +       +
    """).play(A="move_1").at(A="0 1 N")


def test_even_at_the_edge_the_side_of_a_ramp_is_a_wall():
    """C1: the sides of a ramp are walls, and walls are tested before the edge (R7)."""
    scene(".  R>0+A^  1").play(A="move_1").destroyed("").at(A="0 0 N")


def test_the_level_of_a_robot_on_a_ramp_is_that_of_the_foot():
    """Rulings: a robot on a ramp counts as on its foot's level."""
    scene("1+B>  R>1+A^  2").play().has("level", A=1, B=1)


# ---- Switched off -------------------------------------------------------------------------------------------------


def test_a_ramp_that_is_off_is_a_default_tile():
    """Ramp: toggled off it is treated as a default tile: its sides are open and nobody slips down."""
    scene("""
        +       +       +       +
          .       Av      .
        +       +       +       +
          .       R>0-    1
        +       +       +       +
    """).play(A="move_1").at(A="1 1 S").damage(A=0)


def test_behind_a_ramp_that_is_off_stands_the_ledge():
    """Button: who wanted to use the ramp may drive against a wall."""
    scene("A>  R>0-  1").play(A="move_2").at(A="1 0").has("level", A=0)


def test_from_above_a_ramp_that_is_off_is_a_fall():
    """Button: robots may get damage because they wanted to use a ramp and now fall down."""
    scene(".  R>0-  1+A<").play(A="move_1").at(A="1 0").damage(A=2)


def test_a_ramp_that_is_off_lies_at_its_foots_level():
    """Rulings: switched-off ramps lie at the foot's level."""
    scene("1+A>  R>1-  2").play(A="move_2").at(A="1 0").has("level", A=1).damage(A=0)


# ---- Heights at both ends -----------------------------------------------------------------------------------------


def test_the_top_of_a_ramp_may_end_at_a_drop():
    """C1: at its top a ramp is as high as n + 1; stepping off it onto level n is a fall of one level."""
    scene("A>  R>0  .").play(A="move_2").at(A="2 0").damage(A=2)


def test_the_top_of_a_ramp_is_a_ledge_from_behind():
    """C1: behind a ramp that leads nowhere its top is a wall to who stands below."""
    picture = ".  R>0  A<"
    scene(picture).play(A="move_1").shows(picture)


def test_a_ramp_onto_a_lower_floor_at_its_foot_is_left_with_a_fall():
    """C1: the foot is as high as n; a floor below that is a ledge."""
    scene(".  R>1  2+A<").play(A="move_2").at(A="0 0").damage(A=2)


def test_two_ramps_in_a_row_are_climbed():
    """C1: the top of the first is as high as the foot of the second."""
    scene("A>  R>0  R>1  2").play(A="move_3").at(A="3 0").has("level", A=2).damage(A=0)


# ---- Pushes on ramps ----------------------------------------------------------------------------------------------


def test_a_robot_at_the_foot_pushes_one_up_the_ramp():
    """C2: the robot on the ramp counts as on the foot's level; it is pushed onto the next."""
    scene("A>  R>0+B^  1  1").play(A="move_1").at(A="0 0", B="2 0").damage(A=0, B=0)


def test_a_robot_at_the_top_does_not_push_one_that_is_on_the_ramp():
    """C2: the levels differ, so the step is blocked. B then slips down."""
    scene(".  R>0+B^  1+A<").play(A="move_1").at(A="2 0", B="0 0")


def test_a_robot_on_the_ramp_does_not_push_one_at_the_top():
    """C2: nor the one on the ramp one at the top. A then slips down."""
    scene(".  R>0+A>  1+B^").play(A="move_1").at(A="0 0", B="2 0")


def test_nobody_pushes_from_one_ramp_onto_the_next():
    """C2: the heights are equal, the levels are not. B slips down onto the lower ramp only when A has left it."""
    scene(".  R>0+A>  R>1+B^  2").play(A="move_1").at(A="0 0", B="1 0")


def test_nobody_drops_from_the_top_of_a_ramp_onto_a_robot():
    """C2: the levels are equal here, the heights are not, so A does not push B. Then it slips down."""
    scene(".  R>0+A>  B^  .").play(A="move_1").at(A="0 0", B="2 0")


# ---- Slipping down ------------------------------------------------------------------------------------------------


def test_who_ends_a_register_phase_on_a_ramp_slips_down():
    """Ramp: it will slip down to the tile in front of the ramp; the facing stays."""
    scene("A>  R>0  1").play(A="move_1").at(A="0 0 E").damage(A=0)


def test_nobody_slips_down_onto_a_robot():
    """Ramp: if there is a robot it will not slip down."""
    scene("B^  R>0+A^  1").play().at(A="1 0", B="0 0")


def test_nobody_slips_down_a_ramp_that_is_off():
    """Ramp: a disabled ramp is a default tile."""
    scene(".  R>0-+A^  1").play().at(A="1 0")


def test_robots_slip_down_in_the_turn_order():
    """Rulings: several robots slide in priority order: the lower makes room for the upper, if it is first."""
    picture = ".  R>0+A^  R>1+B^  2"
    scene(picture).play(order="AB").at(A="0 0", B="1 0")
    scene(picture).play(order="BA").at(A="0 0", B="2 0")


def test_who_slipped_onto_another_ramp_stays_there():
    """C8: slides happen once a register; a robot that slid onto another ramp does not slide again."""
    scene(".  R>0  R>1+A^  2").play().at(A="1 0")


def test_a_slide_enters_a_pit_or_leaves_the_board():
    """Rulings: a slide enters its cell as a step does: pit and edge act."""
    scene("""
        +       +       +       +
          O       R>0+A^  1
        +       +       +       +
          R>0+B^  1       .
        +       +       +       +
    """).play().destroyed("AB")


def test_a_slide_is_stopped_by_walls_and_ledges():
    """C8: if a step there is possible."""
    picture = """
        +       +       +       +
          .     | R>0+A^  1
        +       +       +       +
          2       R>1+B^  2
        +       +       +       +
    """
    scene(picture).play().at(A="1 0", B="1 1")


def test_a_slide_down_a_ledge_is_a_fall():
    """C8: the height of the foot's neighbour follows the step rules."""
    scene(".  R>1+A^  2").play().at(A="0 0").damage(A=2)


def test_ramps_act_after_gears_and_before_trapdoors():
    """Rulings, order: gears, ramps, trapdoors. A slips off the ramp onto the trapdoor; the gear does not turn it."""
    scene("""
        +       +       +       +
          D1      R>0+A^  1
        +       +       +       +
          cw      R>0+B^  1
        +       +       +       +
    """).play().destroyed("A").at(B="0 1 N")


def test_who_is_pushed_by_a_pusher_onto_a_ramp_slips_down_in_the_same_register():
    """Rulings, order: pushers, gears, ramps."""
    scene(".  P>1+A^  R>0  1").play().at(A="1 0")
