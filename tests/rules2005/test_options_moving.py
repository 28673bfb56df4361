"""Options that change a move: Brakes, Fourth Gear, Reverse Gear. The card texts, and R10."""

import pytest

from .scene import scene, turns

LANE = ".    .    A>   .    .    ."
LONG = "A>   .    .    .    .    ."
LAST = ".    .    .    .    .    A>"
BESIDE = """
    +    +    +    +    +    +
      A>   .    .    .    .
    +    +    +    +    +    +
      B>   .    .    .    .
    +    +    +    +    +    +
"""
WALLED = ".    .  | A> | ."


# -- Brakes


def test_brakes_make_a_move_1_a_move_of_no_spaces():
    """Card: a Move 1 may be executed as a move of 0 spaces."""
    scene(LANE, A="brakes").play(A="move_1", answers=("A brakes yes",)).shows(LANE).asked("A brakes yes")


def test_brakes_are_a_may():
    """Card: may."""
    scene(LANE, A="brakes").play(A="move_1").at(A="3 0 E").asked("A brakes no")


@pytest.mark.parametrize("card", ["move_2", "move_3", "back_up", "turn_left", "u_turn"])
def test_brakes_are_for_a_move_1_only(card):
    """Card: a Move 1."""
    scene(LANE, A="brakes").play(A=card).asked()


def test_brakes_are_asked_at_every_move_1():
    """Card: no limit to their uses."""
    result = scene(LANE, A="brakes").play(A=["move_1"] * 3, answers=("A brakes no", "A brakes yes", "A brakes no"))
    result.at(A="4 0").options(A="brakes")


def test_brakes_save_from_the_edge():
    """Card: no space is moved, so nothing is left."""
    scene(LAST, A="brakes").play(A="move_1", answers=("A brakes yes",)).shows(LAST).destroyed("")


def test_brakes_are_asked_before_a_wall_too():
    """Card: its text lets the player use them at any Move 1."""
    scene(WALLED, A="brakes").play(A="move_1").shows(WALLED).asked("A brakes no")


def test_a_robot_that_brakes_pushes_nobody():
    """Card: 0 spaces."""
    near = "A>   B^   .    ."
    scene(near, A="brakes").play(A="move_1", answers=("A brakes yes",)).shows(near)


def test_brakes_keep_the_priority_of_the_move_1():
    """Card: priority stays that of the Move 1."""
    result = scene(BESIDE, A="brakes").play(A="move_1:500", B="move_1:490", answers=("A brakes yes",))
    assert turns(result) == "AB"


def test_only_the_owner_of_the_brakes_is_asked():
    """Rulebook p. 8: an option lies in front of its player."""
    scene(BESIDE, A="brakes").play(A="move_1", B="move_1").asked("A brakes no")


def test_a_move_1_from_the_deck_may_be_braked():
    """Card: any Move 1; here one that the Abort Switch brought."""
    answers = ("A abort_switch yes", "A brakes yes")
    scene(LANE, A="brakes abort_switch", draw=["move_1"]).play(A="u_turn", answers=answers).shows(LANE).asked(*answers)


# -- Fourth Gear


def test_fourth_gear_makes_a_move_3_a_move_of_four_spaces():
    """Card: a Move 3 may be executed as a move of 4 spaces."""
    scene(LONG, A="fourth_gear").play(A="move_3", answers=("A fourth_gear yes",)).at(A="4 0 E")


def test_fourth_gear_is_a_may():
    """Card: may."""
    scene(LONG, A="fourth_gear").play(A="move_3").at(A="3 0 E").asked("A fourth_gear no")


@pytest.mark.parametrize("card", ["move_1", "move_2", "back_up", "turn_right"])
def test_fourth_gear_is_for_a_move_3_only(card):
    """Card: a Move 3."""
    scene(LANE, A="fourth_gear").play(A=card).asked()


def test_fourth_gear_keeps_the_priority_of_the_move_3():
    """Card: priority stays that of the Move 3."""
    result = scene(BESIDE, A="fourth_gear").play(A="move_3:790", B="move_3:800", answers=("A fourth_gear yes",))
    assert turns(result) == "BA"


def test_a_wall_stops_the_fourth_gear():
    """R10: the rest of the steps is lost."""
    scene("A>  .  . | .  .", A="fourth_gear").play(A="move_3", answers=("A fourth_gear yes",)).at(A="2 0")


def test_the_fourth_space_may_be_a_pit():
    """R11: pits catch in the middle of a move; without the fourth space it stops before."""
    pit = "A>   .    .    .    O"
    scene(pit, A="fourth_gear").play(A="move_3", answers=("A fourth_gear yes",)).destroyed("A")
    scene(pit, A="fourth_gear").play(A="move_3").at(A="3 0").destroyed("")


def test_the_fourth_space_pushes():
    """Rulebook p. 6: robots that collide push each other."""
    scene("A>  .  .  .  B^  .", A="fourth_gear").play(A="move_3", answers=("A fourth_gear yes",)).at(A="4 0", B="5 0")


# -- Reverse Gear


def test_reverse_gear_makes_a_back_up_a_move_of_two_spaces():
    """Card: a Back Up may be executed as a move of 2 spaces backwards; the facing stays."""
    scene(LANE, A="reverse_gear").play(A="back_up", answers=("A reverse_gear yes",)).at(A="0 0 E")


def test_reverse_gear_is_a_may():
    """Card: may."""
    scene(LANE, A="reverse_gear").play(A="back_up").at(A="1 0 E").asked("A reverse_gear no")


@pytest.mark.parametrize("card", ["move_1", "move_2", "move_3", "u_turn"])
def test_reverse_gear_is_for_a_back_up_only(card):
    """Card: a Back Up."""
    scene(LANE, A="reverse_gear").play(A=card).asked()


def test_reverse_gear_keeps_the_priority_of_the_back_up():
    """Card: priority stays that of the Back Up."""
    away = BESIDE.replace("A>", "A<").replace("B>", "B<")
    result = scene(away, A="reverse_gear").play(A="back_up:440", B="back_up:450", answers=("A reverse_gear yes",))
    assert turns(result) == "BA"


def test_a_wall_stops_the_reverse_gear():
    """R10: the second step is lost with the first one too."""
    behind = ".  | .    A>   ."
    scene(behind, A="reverse_gear").play(A="back_up", answers=("A reverse_gear yes",)).at(A="1 0 E")
    scene(WALLED, A="reverse_gear").play(A="back_up", answers=("A reverse_gear yes",)).shows(WALLED)


def test_the_second_space_of_the_reverse_gear_may_be_off_the_board():
    """Rulebook p. 10: moves off the edge."""
    second = ".    A>   ."
    scene(second, A="reverse_gear").play(A="back_up", answers=("A reverse_gear yes",)).destroyed("A")
    scene(second, A="reverse_gear").play(A="back_up").at(A="0 0").destroyed("")


def test_the_reverse_gear_pushes_what_is_behind():
    """Rulebook p. 6: both spaces are moves."""
    scene(".  .  B^  A>", A="reverse_gear").play(A="back_up", answers=("A reverse_gear yes",)).at(A="1 0", B="0 0")


def test_three_gears_are_asked_each_for_its_own_card():
    """The cards do not speak of each other."""
    scene(LONG, A="brakes fourth_gear reverse_gear").play(
        A=["move_3", "back_up", "move_1"],
        answers=("A fourth_gear yes", "A reverse_gear yes", "A brakes yes"),
    ).at(A="2 0 E").asked("A fourth_gear yes", "A reverse_gear yes", "A brakes yes")
