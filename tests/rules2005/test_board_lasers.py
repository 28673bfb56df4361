"""D. Lasers Fire, board lasers: 2005 rulebook p. 8; R33."""

import pytest

from .scene import scene


@pytest.mark.parametrize(("laser", "tokens"), [("L>", 1), ("LL>", 2), ("LLL>", 3)])
def test_a_robot_receives_a_token_for_each_laser_in_its_space(laser, tokens):
    """p. 8."""
    scene(f"{laser}  .  A^").play().damage(A=tokens)


def test_lasers_that_cross_in_a_space_all_count():
    """p. 8: 1 token for each laser in that space."""
    scene("""
        +      +      +      +
          .      Lv     .
        +      +      +      +
          LL>    A^     .
        +      +      +      +
    """).play().damage(A=3)


def test_only_the_robot_closest_to_the_source_is_damaged():
    """p. 8, the picture: lasers don't pass through robots."""
    scene("L>  A^  .  B^").play().damage(A=1)


def test_a_robot_in_the_cell_of_the_source_is_hit():
    """R33: a beam begins in the emitter's own cell."""
    scene("L>+A^  B^").play().damage(A=1)


def test_walls_stop_a_beam():
    """R33: in each cell first the robot there, then the wall on the far edge."""
    scene("""
        +    +    +    +    +
          L>   .    A^ | .
        +    +    +    +    +
          L>   .  | Bv   .
        +    +    +    +    +
    """).play().damage(A=1)


def test_robots_move_through_lasers_undamaged():
    """p. 8: only robots that are still in the path after all the board elements have moved."""
    scene("""
        +    +    +    +
          .    Lv   .
        +    +    +    +
          A>   .    .
        +    +    +    +
    """).play(A="move_2").at(A="2 1 E").damage(A=0)


def test_a_robot_carried_out_of_the_beam_is_not_hit():
    """p. 8: after all the board elements have moved."""
    scene("""
        +      +      +
          Lv     .
        +      +      +
          >+A^   .
        +      +      +
    """).play().at(A="1 1 N").damage(A=0)


def test_a_robot_carried_into_the_beam_is_hit():
    """p. 8: it ends the register phase there."""
    scene("""
        +      +      +
          .      Lv
        +      +      +
          >+A^   .
        +      +      +
    """).play().damage(A=1)


def test_lasers_fire_in_every_register():
    """p. 8: a robot that ends a register phase in such a space."""
    scene("L>  A^").play(to=5).damage(A=5)


def test_lasers_reach_across_pits_and_belts():
    """p. 8: only robots and walls are in the way."""
    scene("L>  O  ^  A^").play().damage(A=1)


@pytest.mark.parametrize(("switch", "tokens"), [("once", 1), ("both", 2)])
def test_a_laser_with_two_ends_hits_a_robot_alone_in_it_once(switch, tokens):
    """R33: one that is nearest to both ends takes it once; switch `two_ended_lasers`."""
    scene("T>  .  A^  T<", rules={"two_ended_lasers": switch}).play().damage(A=tokens)


@pytest.mark.parametrize("switch", ["once", "both"])
def test_a_laser_with_two_ends_hits_the_robot_nearest_to_each_end(switch):
    """R33: it fires from both ends; the one between is covered."""
    scene("T>  A^  B^  .  C^  T<", rules={"two_ended_lasers": switch}).play().damage(A=1, C=1)
