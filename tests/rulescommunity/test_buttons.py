"""Buttons: what presses them, and what that does to ramps and riders. C4."""

import pytest

from .scene import scene


def test_a_button_switches_a_ramp_off():
    """Button: a toggle which will enable or disable something like ramps. B drives against the wall behind it."""
    scene("""
        +      +      +      +
          A>     Ba     .
        +      +      +      +
          B>     R>0a   1
        +      +      +      +
    """).play(A="move_1", B="move_2", order="AB").at(A="1 0", B="1 1").damage(B=0)


def test_a_button_switches_a_ramp_on():
    """Button: enable."""
    scene("""
        +      +      +      +
          A>     Ba     .
        +      +      +      +
          B>     R>0-a  1
        +      +      +      +
    """).play(A="move_1", B="move_2", order="AB").at(B="2 1").has("level", B=1)


def test_before_the_button_is_pressed_the_ramp_is_as_it_was():
    """Button: B moves first and gets up."""
    scene("""
        +      +      +      +
          A>     Ba     .
        +      +      +      +
          B>     R>0a   1
        +      +      +      +
    """).play(A="move_1", B="move_2", order="BA").at(B="2 1")


def test_a_button_acts_in_mid_move():
    """Rulings: toggles its ramps whenever a robot enters its cell, in mid-move too."""
    scene("A>  Ba  R>0-a  1").play(A="move_3").at(A="3 0").has("level", A=1)


def test_each_press_toggles():
    """C4: A passes the button forth and back; the ramp is on again in register two, and its rider hurt once."""
    scene("""
        +        +        +        +
          A>       Ba       .
        +        +        +        +
          B^       R>0a+Cv  1
        +        +        +        +
    """).play(A=["move_2", "back_up"], B=["turn_left", "move_1"]).destroyed("B").at(A="1 0", C="0 1").damage(C=1)


def test_staying_on_a_button_does_nothing_more():
    """C4: the ramp is off from register one on, and still off in register two."""
    scene("""
        +        +        +        +
          A>       Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """).play(A=["move_1", "turn_left"]).at(A="1 0 N", B="1 1").damage(B=1)


def test_who_starts_on_a_button_has_not_pressed_it():
    """Rulings: a robot that starts on a button has not pressed it."""
    scene("""
        +        +        +        +
          .        Ba+A>    .
        +        +        +        +
          B>       R>0a     1
        +        +        +        +
    """).play(B="move_2").at(B="2 1")


def test_leaving_a_button_and_coming_back_presses_it():
    """C4: entered cells."""
    scene("""
        +        +        +        +
          .        Ba+A>    .
        +        +        +        +
          B>       R>0a     1
        +        +        +        +
    """).play(A=["move_1", "back_up"], B=["turn_left", "turn_right", "move_2"], to=3).at(A="1 0", B="1 1")


def test_a_mover_that_is_destroyed_by_the_button_steps_no_more():
    """Button: Side Arms push B onto it; the ramp under A goes off, which is A's last damage, and A makes no step."""
    scene(
        """
        +        +           +        +
          Ba       .           .
        +        +           +        +
          B^       R>0a+A<     1
        +        +           +        +
        """,
        A={"damage": 9, "upgrades": ["side_arms"]},
    ).play(A="move_1", answers=("A side_arms right",)).destroyed("A").at(B="0 0")


def test_one_press_toggles_each_of_its_ramps():
    """Rulings: one press toggles each of its ramps once, from what it was."""
    scene("""
        +        +        +        +
          A>       Ba       .
        +        +        +        +
          B>       R>0a     1
        +        +        +        +
          C>       R>0-a    1
        +        +        +        +
    """).play(A="move_1", B="move_2", C="move_2").at(B="1 1", C="2 2")


def test_a_button_leaves_the_ramps_of_other_buttons_alone():
    """Rulings: its linked ramps."""
    scene("""
        +        +        +        +
          A>       Ba       Bb
        +        +        +        +
          B>       R>0b     1
        +        +        +        +
          .        R>0a     1
        +        +        +        +
    """).play(A="move_1", B="move_2").at(B="2 1")


# ---- Riders -------------------------------------------------------------------------------------------------------


def test_who_stands_on_a_ramp_that_is_switched_off_takes_one_damage():
    """Ramp: if a ramp gets disabled while a robot is standing on it, the robot will get one point of damage."""
    scene("""
        +        +        +        +
          A>       Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """).play(A="move_1").at(B="1 1").damage(B=1)


def test_who_stands_on_a_ramp_that_is_switched_on_takes_none():
    """Ramp: only where it gets disabled. B then slips down."""
    scene("""
        +         +         +         +
          A>        Ba        .
        +         +         +         +
          .         R>0-a+Bv  1
        +         +         +         +
    """).play(A="move_1").at(B="0 1").damage(B=0)


def test_a_rider_that_is_destroyed_leaves_the_board():
    """C10: the tenth token."""
    scene("""
        +        +        +        +
          A>       Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """, B={"damage": 9}).play(A="move_1").destroyed("B").damage(B=10)  # fmt: skip


def test_a_rider_that_pushes_another_onto_the_button():
    """Rulings: a rider who survives goes on with its move. B is pushed onto the button; A has left the ramp by then."""
    scene("1  R<0a+A>  B^  Ba").play(A="move_1").at(A="2 0", B="3 0").damage(A=0, B=1)


# ---- What presses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element", [">", "P>1"])
def test_belts_and_pushers_press(element):
    """Rulings: by any means. The ramp is off when robots would slip down."""
    scene(f"""
        +        +        +        +
          {element + "+A^":9}Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """).play().at(A="1 0", B="1 1").damage(B=1)


def test_a_slide_presses():
    """Rulings: a slide enters its cell as a step does: the button acts. B, later in the order, stays."""
    picture = """
        +        +        +        +
          Ba       R>0+A^   1
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """
    scene(picture).play(order="AB").at(A="0 0", B="1 1").damage(B=1)
    scene(picture).play(order="BA").at(A="0 0", B="0 1").damage(B=0)


def test_a_robot_that_is_pushed_onto_a_button_presses_it():
    """Rulings: by any means."""
    scene("""
        +        +        +        +
          A<       B^       Ba
        +        +        +        +
          .        R>0a+Cv  1
        +        +        +        +
    """).play(A="back_up").at(B="2 0", C="1 1").damage(C=1)


def test_two_buttons_pressed_in_one_step_act_both():
    """C4: entered cells, far end first: the ramp is off and on again, and its rider hurt once."""
    scene("""
        +        +        +        +
          A<       Ba+Bv    Ba
        +        +        +        +
          .        R>0a+Cv  1
        +        +        +        +
    """).play(A="back_up").at(A="1 0", B="2 0", C="0 1").damage(C=1)  # fmt: skip


def test_who_is_destroyed_by_its_fall_onto_a_button_has_pressed_it():
    """C4: entered cells: A is destroyed by the fall, the ramp is switched off nevertheless."""
    scene("""
        +        +        +        +
          1+A>     Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """, A={"damage": 8}).play(A="move_1").destroyed("A").at(B="1 1").has("damage", B=1)  # fmt: skip


def test_who_survives_the_fall_onto_a_button_presses_it():
    """C4: after fall damage."""
    scene("""
        +        +        +        +
          1+A>     Ba       .
        +        +        +        +
          .        R>0a+Bv  1
        +        +        +        +
    """).play(A="move_1").at(A="1 0", B="1 1").damage(A=2, B=1)


def test_a_robot_that_re_enters_on_a_button_presses_it():
    """C4: a re-entering robot that is placed on a button presses it: the rider takes its damage in the clean-up."""
    picture = """
        +        +        +        +
          A^       Ba+R>    .
        +        +        +        +
          B^       R>0a+Cv  1
        +        +        +        +
    """
    result = scene(picture).play_rounds(A=["move_1"], B=["turn_left"], C=["turn_left"])
    result.at(A="1 0 E", B="0 1 W", C="1 1 E").damage(A=2, C=1)
