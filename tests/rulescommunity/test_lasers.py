"""Board lasers and robot lasers: walls, levels, ramps, and who is hit. C7, C10."""

import pytest

from .scene import scene

# ---- On one level -------------------------------------------------------------------------------------------------


def test_a_board_laser_deals_one_damage():
    """Lasers: will deal 1 damage to a robot."""
    scene("L>  .  A^").play().damage(A=1)


def test_every_beam_deals_one():
    """R33: every beam deals one."""
    scene("LLL>  .  A^").play().damage(A=3)


def test_a_laser_hits_one_robot_only():
    """Laser: the laser can only hit one robot."""
    scene("""
        +     +     +     +
          L>    A^    B^
        +     +     +     +
          C>    Dv    Fv
        +     +     +     +
    """).play().damage(A=1, B=0, D=1, F=0)


def test_robots_shoot_ahead_for_one_damage():
    """Register phase 3: all robots which are able to use their laser will do so; normally 1 damage."""
    scene("A>  .  .  B<").play().damage(A=1, B=1)


def test_lasers_do_not_shoot_through_walls():
    """Walls: lasers can't shoot through them."""
    scene("""
        +     +     +     +
          L>  | .     A^
        +     +     +     +
          B>    .   | Cv
        +     +     +     +
    """).play().damage(A=0, C=0)


def test_board_lasers_come_before_robot_lasers():
    """Laser: robots shoot if they are still alive. A is shot dead by the board and does not shoot."""
    scene("L>  A>  B^", A={"damage": 9}).play().destroyed("A").damage(A=10, B=0)


def test_robots_that_destroy_each_other_both_fire():
    """C10: all hits are found first, then dealt."""
    scene("A>  .  B<", A={"damage": 9}, B={"damage": 9}).play().destroyed("AB")


def test_a_row_of_lasers_is_one_moment():
    """C10: A, hit twice at once, still stops the second beam that comes from the other side."""
    scene("L>  A^  B^  L<", A={"damage": 9}).play().destroyed("A").damage(A=10, B=1)


def test_a_destroyed_robot_takes_no_more():
    """C10: three beams on a robot with one health point left."""
    scene("LLL>  A^", A={"damage": 9}).play().destroyed("A").damage(A=10)


# ---- Levels -------------------------------------------------------------------------------------------------------


def test_robots_on_the_same_level_can_fire_on_one_another():
    """Levels: robots on the same level can fire on one another."""
    scene("2+A>  2  2+B<").play().damage(A=1, B=1)


def test_robots_on_different_levels_can_not():
    """Levels: but robots on different levels cannot."""
    scene("""
        +      +      +      +
          1+A>   .      B<
        +      +      +      +
          L>     .      1+C^
        +      +      +      +
          1+L>   .      D^
        +      +      +      +
    """).play().damage(A=0, B=0, C=0, D=0)


def test_a_beam_runs_over_lower_cells_and_hits_beyond():
    """Rulings: over lower cells without harm, hitting robots of the same level beyond."""
    scene("""
        +      +      +      +      +
          1+A>   B^     .      1+C^
        +      +      +      +      +
          2+L>   1+D^   F^     2+G^
        +      +      +      +      +
    """).play().damage(B=0, C=1, D=0, F=0, G=1)


def test_a_beam_is_stopped_by_the_first_higher_cell():
    """Rulings: stopped by the first higher cell; what is behind it on the beam's level is safe."""
    scene("""
        +      +      +      +
          A>     1      B^
        +      +      +      +
          L>     2      Cv
        +      +      +      +
    """).play().damage(B=0, C=0)


def test_walls_stop_beams_on_every_level():
    """C7: walls on any edge stop it, whatever the level of the cells beside it."""
    scene("2+A>  . | .  2+B^").play().damage(B=0)


def test_the_antenna_stops_beams_over_it():
    """R33: the antenna stops it."""
    scene("1+A>  Yv  1+B^").play().damage(B=0)


def test_robots_shoot_over_pits_of_lower_levels():
    """R35, C7: lasers cross pits."""
    scene("1+A>  O  1+B^").play().damage(B=1)


# ---- Ramps --------------------------------------------------------------------------------------------------------
# A robot on a ramp slips down before lasers fire, so another stands at its foot here.


def test_a_beam_hits_the_robot_on_a_ramp_from_the_foot():
    """C7: a ramp with n = L is entered along its axis; the robot on it counts as on level n."""
    scene("""
        +        +        +        +        +
          L>       B^       R>0+A^   1
        +        +        +        +        +
          C>       D>       R>0+F^   1
        +        +        +        +        +
    """).play().damage(A=0, B=1, D=1, F=1)


def test_the_top_of_a_ramp_stops_a_beam_of_its_foots_level():
    """C7: leaving by the top its level stays n, so the next cell stops it."""
    scene("""
        +        +        +        +        +
          L>       R>0      1+A^     .
        +        +        +        +        +
          B>       R>0      1        C^
        +        +        +        +        +
    """).play().damage(A=0, C=0)


def test_the_top_of_a_ramp_stops_a_beam_where_lower_ground_lies_behind_it():
    """Rulings: a beam up a ramp ends at the top, whichever way it comes: B is off, and floor of level 0."""
    scene("A>  R>0  R<0-+B^  C<").play().damage(A=0, B=1, C=0)
    scene("L>  R>0  R<0-     A^").play().damage(A=0)
    scene("A^  R>0  R<0-     L<").play().damage(A=0)


def test_the_sides_of_a_ramp_stop_beams():
    """C7: with n = L it is entered along its axis only (sides are walls)."""
    picture = """
        +        +        +        +
          .        Lv       .
        +        +        +        +
          .        R>0      1
        +        +        +        +
          .        A<       .
        +        +        +        +
    """
    scene(picture).play().damage(A=0)
    scene(picture.replace("R>0 ", "R>0-")).play().damage(A=1)


def test_who_stands_on_a_ramp_is_safe_from_its_sides():
    """C7: A is kept on the ramp by B at its foot."""
    scene("""
        +        +        +        +
          .        Lv       .
        +        +        +        +
          B<       R>0+A^   1
        +        +        +        +
          .        C^       .
        +        +        +        +
    """).play().damage(A=0)


def test_who_shoots_from_a_ramp_shoots_along_its_axis_only():
    """C7: its own cell's sides are walls too."""
    scene("""
        +        +        +        +
          .        C<       .
        +        +        +        +
          B<       R>0+A^   1
        +        +        +        +
    """).play().damage(C=0)
    scene("D^  B^  R>0+A<  1").play().damage(B=1, D=0)


def test_a_beam_passes_above_a_lower_ramp():
    """C7: with n < L it is passed above, hitting nobody, from the side too."""
    scene("1+C>  B^  R>0+A^  1+D^").play().damage(A=0, B=0, D=1)
    scene("""
        +        +        +
          .        1+Av
        +        +        +
          B<       R>0
        +        +        +
          .        1+C<
        +        +        +
    """).play().damage(C=1)


def test_a_ramp_that_is_off_is_floor_to_a_beam():
    """Rulings: switched-off ramps lie at the foot's level."""
    scene("""
        +         +         +         +
          .         Av        .
        +         +         +         +
          .         R>0-+B<   1
        +         +         +         +
    """).play().damage(B=1)


def test_a_laser_on_a_ramp_fires_at_the_foots_level():
    """C7: an emitter in a ramp cell: its level is n, its sides are walls."""
    scene("""
        +        +        +        +
          .        B<       .
        +        +        +        +
          A<       R>0+L^   1
        +        +        +        +
          C<       R>0+L<   1
        +        +        +        +
    """).play().damage(A=0, B=0, C=1)


# ---- Shots at robots of both ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "damage"), [("once", 1), ("both", 2)])
def test_a_two_ended_line_hits_once_or_twice(rule, damage):
    """R33: a robot nearest to both ends takes it once (Switch)."""
    scene("T>  A^  T<", rules={"two_ended_lasers": rule}).play().damage(A=damage)


def test_a_two_ended_line_that_a_one_way_wall_stops_from_one_side_hits_once():
    """R33: it is one laser all the same."""
    scene("A^+T>  !<  T<").play().damage(A=1)
