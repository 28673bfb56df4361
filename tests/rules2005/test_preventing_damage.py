"""Using Options to Prevent Damage: 2005 rulebook p. 10; Option Card Priority, p. 8; R61."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene

ONE, TWO = "L>  A^  .", "LL>  A^  ."
GEARS = "brakes fourth_gear reverse_gear"


def test_an_option_can_be_discarded_to_avoid_a_token():
    """p. 10: the option takes the damage instead of the robot."""
    result = scene(ONE, A=GEARS).play(answers=("A option_for_damage fourth_gear",))
    result.damage(A=0).options(A="brakes reverse_gear").asked("A option_for_damage fourth_gear")


def test_the_player_may_rather_take_the_token():
    """p. 10: if you want."""
    scene(ONE, A=GEARS).play(answers=("A option_for_damage no",)).damage(A=1).options(A=GEARS)


def test_without_an_option_nothing_is_asked():
    """p. 10: a robot with an option card."""
    scene(ONE).play().asked().damage(A=1)


def test_it_is_asked_for_each_token():
    """p. 10: for as many option cards as you have; R61: damage comes one token at a time."""
    result = scene(TWO, A=GEARS).play(answers=("A option_for_damage brakes", "A option_for_damage reverse_gear"))
    result.damage(A=0).options(A="fourth_gear")
    scene(TWO, A=GEARS).play(answers=("A option_for_damage no", "A option_for_damage brakes")).damage(A=1)


def test_one_option_takes_one_token():
    """p. 10: to avoid receiving a damage token; then none is left to ask for."""
    result = scene(TWO, A="brakes").play(answers=("A option_for_damage brakes",))
    result.damage(A=1).options(A="").asked("A option_for_damage brakes")


def test_only_options_that_are_there_can_be_given():
    """p. 10."""
    with pytest.raises(ScenarioError):
        scene(TWO, A=GEARS).play(answers=("A option_for_damage brakes", "A option_for_damage brakes"))


def test_the_exchange_is_made_when_the_token_is_received():
    """p. 10: an option that comes in the clean-up does not take back damage."""
    result = scene("L>  r2+A^").play_rounds(A=["turn_left", "turn_left", "turn_left", "turn_left", "turn_left"])
    result.damage(A=4).never_asked("option_for_damage")  # five tokens, one repaired


def test_it_saves_from_the_tenth_token():
    """p. 10: a token that is avoided does not destroy."""
    result = scene(ONE, A={"damage": 9, "options": ["brakes"]}).play(answers=("A option_for_damage brakes",))
    result.damage(A=9).destroyed("").options(A="")


def test_it_saves_a_register_from_being_locked():
    """p. 10: the token is not received."""
    result = (
        scene(ONE, A={"damage": 4, "options": ["brakes"]}).play(answers=("A option_for_damage brakes",)).damage(A=4)
    )
    assert not result.happened("locked")


def test_players_decide_in_dock_order():
    """p. 8, Option Card Priority: who started on dock one first, then clockwise, whatever the cards."""
    result = scene("""
        +    +    +    +
          A>   .    B<
        +    +    +    +
          L>   Cv   .
        +    +    +    +
    """, A="brakes", B="fourth_gear", C="reverse_gear").play(A="move_1:490", B="move_1:500", to=1)  # fmt: skip
    result.asks("option_for_damage", "A no", "B no", "C no")


def test_pits_and_edges_are_no_damage():
    """p. 10: only a damage token can be avoided."""
    scene("A>  O", A="fourth_gear reverse_gear").play(A="move_2").never_asked("option_for_damage").destroyed("A")


def test_a_powered_down_robot_can_give_an_option_too():
    """p. 10: a robot with an option card."""
    scene(ONE, A={"powered_down": True, "options": ["brakes"]}).play(
        answers=("A option_for_damage brakes",)
    ).damage(A=0)  # fmt: skip


def test_what_has_been_discarded_is_not_drawn_again():
    """p. 10: discarded cards are stacked face up next to the option deck."""
    for seed in range(6):
        result = scene("L>  r2+A^", A="brakes fourth_gear").play_rounds(
            A=["turn_left", "turn_left", "turn_left", "turn_left", "turn_left"],
            answers=("A option_for_damage brakes", "A option_for_damage fourth_gear"),
            seed=seed,
        )
        assert not {"brakes", "fourth_gear"} & set(result.robot("A")["options"])
