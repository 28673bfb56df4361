"""The nine program cards and the six special ones; Again."""

import pytest

from .scene import scene

ROOM = ".  .  .  .  A>  .  .  ."


@pytest.mark.parametrize(("card", "place"), [
    ("move_1", "5 0 E"), ("move_2", "6 0 E"), ("move_3", "7 0 E"), ("back_up", "3 0 E"), ("turn_right", "4 0 S"),
    ("turn_left", "4 0 N"), ("u_turn", "4 0 W"), ("power_up", "4 0 E"), ("speed_routine", "7 0 E"),
])  # fmt: skip
def test_each_card_moves_or_turns_as_it_says(card, place):
    """Programming cards: Move-1 to 3, Right turn, Left turn, U-Turn, Move back, Power up; Speed Routine: 3 spaces."""
    scene(ROOM).play(A=card).at(A=place)


@pytest.mark.parametrize("card", ["power_up", "energy_routine"])
def test_power_up_gives_one_energy(card):
    """Power up: take one energy cube; Energy Routine is as Power Up."""
    scene(ROOM).play(A=card).has("energy", A=6)


def test_again_repeats_the_register_before():
    """Again: repeat the programming in your previous register."""
    scene(ROOM).play(A=["move_1", "again"]).at(A="6 0")


def test_again_after_again_repeats_the_same_action():
    """R24: repeats the action that the earlier one carried out."""
    scene(ROOM).play(A=["move_1", "again", "again"]).at(A="7 0")


def test_repeat_routine_repeats_the_register_before():
    """Repeat Routine: repeat the programming in your previous register."""
    scene(ROOM).play(A=["u_turn", "repeat_routine"]).at(A="4 0 E")


@pytest.mark.parametrize(("choice", "place"), [
    ("move_1", "5 0 E"), ("move_2", "6 0 E"), ("move_3", "7 0 E"), ("back_up", "3 0 E"), ("turn_left", "4 0 N"),
    ("turn_right", "4 0 S"), ("u_turn", "4 0 W"),
])  # fmt: skip
def test_sandbox_routine_is_any_of_seven_actions(choice, place):
    """Sandbox Routine: Move 1, 2, or 3, Back Up, Turn Left, Turn Right, U-Turn."""
    scene(ROOM).play(A="sandbox_routine", answers=(f"A sandbox_routine {choice}",)).at(A=place)


@pytest.mark.parametrize(("choice", "place"), [("turn_left", "4 0 N"), ("turn_right", "4 0 S"), ("u_turn", "4 0 W")])
def test_weasel_routine_is_any_turn(choice, place):
    """Weasel Routine: Turn Left, Turn Right, U-Turn."""
    scene(ROOM).play(A="weasel_routine", answers=(f"A weasel_routine {choice}",)).at(A=place)


def test_heal_routine_removes_a_damage_point():
    """Heal Routine: remove a damage point."""
    scene(ROOM, A={"damage": 3}).play(A="heal_routine").damage(A=2)


def test_heal_routine_does_not_heal_beyond_full_health():
    """C18: not below 0."""
    scene(ROOM).play(A="heal_routine").damage(A=0)


def test_again_repeats_heal_routine():
    """R24: the action done."""
    scene(ROOM, A={"damage": 3}).play(A=["heal_routine", "again"]).damage(A=1)


def test_an_empty_register_does_nothing():
    """R25a: and an Again after it does nothing."""
    scene(ROOM).play(A=[None, "again"]).at(A="4 0 E")


def test_again_in_register_one_by_accident_gives_way_to_the_top_card():
    """R23: to the own discard pile, play the top card instead."""
    scene(ROOM, A={"draw": ["move_2"]}).play(A="again").at(A="6 0").register_cards(A=["move_2"])
