"""3. Pushers push if active. 4. Gears rotate 90°: 2005 rulebook p. 7; R13.

Scenes that are the same in the 2016 edition are in tests/rules/test_push_panels.py.
"""

import pytest

from .scene import scene


@pytest.mark.parametrize(("register", "place"), [(1, "1 0"), (2, "0 0"), (3, "1 0"), (4, "0 0"), (5, "1 0")])
def test_a_pusher_pushes_in_its_registers(register, place):
    """p. 7: pushers push if active."""
    scene("P>135+A^  .").play(register).at(A=place)


def test_a_pusher_pushes_a_row():
    """R13: panels push chains."""
    scene("P>1+A^  B^  .").play().at(A="1 0 N", B="2 0 N")


def test_a_wall_stops_a_pusher():
    """R13: stopped by walls, at the end of the row too."""
    picture = "P>1+A^  B^ | ."
    scene(picture).play().shows(picture)


def test_a_pusher_pushes_into_pits_and_off_the_board():
    """p. 10: a robot that is moved into a pit or off the edge is destroyed."""
    scene("""
        +        +        +
          P>1+A^   O
        +        +        +
          P<1+B^   .
        +        +        +
    """).play().destroyed("AB")


def test_nobody_is_pushed_twice_by_pushers():
    """R13: A comes onto the next pusher and stays there."""
    scene("P>1+A^  P>1  .").play().at(A="1 0")


@pytest.mark.parametrize(("a", "b", "places"), [(90, 70, ("1 0", "2 0")), (70, 90, ("1 0", "1 1"))])
def test_pushers_act_in_the_order_of_the_cards(a, b, places):
    """R13: in priority order, each only if still on its own panel: A pushes B off its pusher, or comes second."""
    result = scene("""
        +        +        +        +
          P>1+A^   Pv1+B^   .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play(A=f"turn_left:{a}", B=f"turn_left:{b}")
    result.at(A=places[0], B=places[1])


def test_a_robot_pushed_onto_a_pusher_by_another_is_not_pushed_by_it():
    """R13: robots that were not on an active panel at the start of the phase are not panel-pushed."""
    scene("P>1+A^  B^  P>1  .").play().at(A="1 0", B="2 0")


@pytest.mark.parametrize(("gear", "facing"), [("cw", "E"), ("ccw", "W")])
def test_gears_rotate_a_quarter_in_the_direction_of_their_arrows(gear, facing):
    """p. 7."""
    scene(f"{gear}+A^  .").play().at(A=f"0 0 {facing}")


def test_a_robot_that_moves_or_is_pushed_onto_a_gear_is_turned():
    """p. 7: every robot that is there when gears turn."""
    scene("""
        +        +        +        +
          A>       B^       cw
        +        +        +        +
          P>1+C^   ccw      .
        +        +        +        +
    """).play(A="move_1").at(B="2 0 E", C="1 1 W", A="1 0 E")


def test_a_gear_turns_in_each_register():
    """p. 7."""
    scene("cw+A^  .").play(to=3).at(A="0 0 W")
