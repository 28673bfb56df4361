"""Puddles: leaving one by an own card costs a step of that card. C21."""

import pytest

from .scene import scene

WET = ".  .  ~+A>  .  ."


@pytest.mark.parametrize(
    ("card", "place"), [("move_1", "2 0"), ("move_2", "3 0"), ("move_3", "4 0"), ("back_up", "2 0")]
)
def test_leaving_a_puddle_negates_one_movement(card, place):
    """Puddle: a Move-1 has no effect, a Move-2 is treated as a Move-1; rulings: Back Up counts as one step."""
    scene(WET).play(A=card).at(A=place)


def test_rotation_is_not_affected():
    """Puddle: rotation is not affected."""
    scene(WET).play(A=["turn_left", "u_turn", "turn_right"]).at(A="2 0 W")


def test_a_puddle_in_the_middle_of_a_move_costs_a_step_too():
    """C21: a step out of a puddle costs two steps of the card."""
    scene("A>  ~  .  .  .").play(A="move_3").at(A="2 0")


def test_with_one_step_left_a_robot_stays_in_the_puddle():
    """C21: with one step left it stays."""
    scene("A>  ~  .  .  .").play(A="move_2").at(A="1 0")


def test_two_puddles_cost_a_step_each():
    """C21: each step out of a puddle."""
    scene("~+A>  ~  .  .").play(A="move_3").at(A="1 0")


def test_entering_a_puddle_is_free():
    """Puddle: only who leaves it."""
    scene("A>  .  ~").play(A="move_2").at(A="2 0")


def test_who_is_pushed_out_of_a_puddle_pays_nothing():
    """Puddle: it has no effect if the robot in the puddle is pushed."""
    scene("A<  ~+B^  .  .").play(A="back_up").at(A="1 0", B="2 0")


def test_who_stands_in_a_puddle_pushes_with_what_is_left_of_its_card():
    """C21: the card is one step shorter, its push is a push."""
    scene("~+A>  B^  .  .").play(A="move_2").at(A="1 0", B="2 0")


def test_a_blocked_step_out_of_a_puddle_moves_nobody():
    """Puddle and Walls: the step costs two and is stopped."""
    scene("~+A> | .  .").play(A="move_3").at(A="0 0")


def test_again_pays_as_the_card_does():
    """C21: by Again's repetition of the own card: the second Move 3 begins in a puddle too."""
    scene("~+A>  .  ~  .  .  .").play(A=["move_3", "again"]).at(A="4 0")


def test_speed_routine_pays():
    """C21: Speed is a card of three steps."""
    scene(WET).play(A="speed_routine").at(A="4 0")


@pytest.mark.parametrize("element", [">", "P>1"])
def test_belts_and_pushers_carry_out_of_a_puddle_for_nothing(element):
    """Rulings: pushes and belts are free."""
    scene(f"~+{element}+A^  .  .").play().at(A="1 0")


def test_boink_is_free():
    """C21: not for Boink."""
    scene(WET, A="boink").play(A=["turn_left"], answers=("A boink E",)).at(A="3 0")


def test_sandbox_routine_pays():
    """C21: Sandbox's moves are steps of the own card."""
    scene(WET).play(A="sandbox_routine", answers=("A sandbox_routine move_3",)).at(A="4 0")
    scene(WET).play(A="sandbox_routine", answers=("A sandbox_routine back_up",)).at(A="2 0")
