"""Gears: 2016 rulebook p. 7 and p. 13."""

import pytest

from .scene import scene


@pytest.mark.parametrize(("gear", "facings"), [("cw", "ESWN"), ("ccw", "WNES")])
def test_green_gears_turn_right_and_red_gears_turn_left(gear, facings):
    """p. 13: 90 degrees in the direction of the arrows."""
    result = scene(f"{gear}+A^  {gear}+B>  {gear}+Cv  {gear}+D<").play()
    assert "".join(facing for _, _, facing in result.robots.values()) == facings
    result.at(A="0 0", B="1 0", C="2 0", D="3 0")


def test_a_gear_turns_at_the_end_of_each_register():
    """p. 7: board elements activate after each register."""
    scene("cw+A^  .").play(to=3).at(A="0 0 W")


def test_a_robot_that_passes_over_a_gear_is_not_turned():
    """p. 8, p. 12: an element affects a robot only when it sits on it at the end of a register."""
    scene("A>  cw  .").play(A="move_2").at(A="2 0 E")


def test_a_robot_pushed_onto_a_gear_is_turned():
    """p. 13: robots resting on them."""
    scene("A>  B^  ccw  .").play(A="move_1").at(A="1 0 E", B="2 0 W")


def test_gears_act_before_lasers():
    """p. 7, Activation Order: A is turned, then shoots B."""
    scene("cw+A^  .  B^").play().took(B=1)


def test_a_rebooted_robot_is_turned():
    """R17a, R18: it takes part in later elements of that register from its new cell."""
    scene("A<  cw+R^").play(A="move_1").rebooted("A").at(A="1 0 E")
