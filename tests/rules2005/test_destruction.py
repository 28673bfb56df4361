"""Destruction: 2005 rulebook p. 9 and p. 10."""

import pytest

from .scene import dealt, scene, turns

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
BEAM = "L>  A^  ."
EDGE = ".  .  B^  A>"


@pytest.mark.parametrize(("damage", "dies"), [(8, ""), (9, "A")])
def test_the_tenth_token_destroys(damage, dies):
    """p. 9, p. 10: it receives its tenth damage token."""
    scene(BEAM, A={"damage": damage}).play().destroyed(dies)


def test_a_pit_destroys():
    """p. 10: it moves into a pit."""
    scene("A>  O").play(A="move_1").destroyed("A")


def test_the_edge_destroys():
    """p. 10: it moves off the edge of the board."""
    scene(EDGE).play(A="move_1").destroyed("A")


def test_a_destroyed_robot_is_off_the_board_for_the_rest_of_the_turn():
    """p. 9: it re-enters in the clean-up; Scenario files: x, y and facing are null till then."""
    scene(EDGE).play(to=5, A=["move_1", *TURNS[:4]]).has("x", A=None).has("facing", A=None).has("active", A=False)


def test_a_destroyed_robot_executes_no_more_cards():
    """p. 10: it is out until the clean-up."""
    result = scene(EDGE).play(A=["move_1", "move_1", "move_1"], B=["turn_left", "turn_left", "turn_left"])
    assert turns(result) == "ABBB"


def test_a_robot_destroyed_before_its_card_does_not_execute_it():
    """p. 6, p. 10: the faster robot pushes it off."""
    result = scene(".  B>  A>").play(B="move_1:500", A="back_up:430")
    assert turns(result) == "B"
    result.destroyed("A")


def test_a_destroyed_robot_takes_part_in_nothing():
    """p. 10: it is neither shot nor in the way."""
    result = scene("""
        +    +    +    +    +
          .    B>   A>   O
        +    +    +    +    +
          .    .    .    C^
        +    +    +    +    +
    """).play(A="move_1:660", B="move_1:490")
    result.destroyed("A").at(B="2 0 E", C="3 1 N").has("damage", B=0, C=0)


def test_a_destroyed_robot_loses_a_life_token():
    """p. 10: the player discards a life token."""
    scene(EDGE).play(A="move_1").lives(A=2, B=3)


def test_a_robot_with_its_last_life_token_is_out_of_the_game():
    """p. 10: permanently; it does not re-enter, and is dealt no cards."""
    result = scene(EDGE, A={"lives": 1}).play_rounds(2, A=["move_1", *TURNS[:4]], B=TURNS)
    result.lives(A=0).has("x", A=None).never_asked("reboot_facing", "reenter_powered_down")
    assert dealt(result, "A") == 0


def test_with_life_tokens_left_it_reenters():
    """p. 9, p. 10: in the clean-up step."""
    scene(EDGE, A={"archive": "1 0"}).play_rounds(
        A=["move_1", *TURNS[:4]], B=TURNS, answers=("A reboot_facing N",)
    ).at(A="1 0 N").lives(A=2)  # fmt: skip


def test_robots_have_three_life_tokens():
    """p. 3."""
    scene(EDGE).play().lives(A=3, B=3)


def test_with_five_or_more_players_there_may_be_four():
    """p. 3: the optional rule; switch `lives`."""
    scene(EDGE, {"lives": 4}).play().lives(A=4, B=4)


def test_the_game_is_over_when_nobody_is_left():
    """p. 10: all are permanently out of it; nobody has won."""
    result = scene("A<  B>", A={"lives": 1}, B={"lives": 1}).play_rounds(
        2, A=["move_1", *TURNS[:4]], B=["move_1", *TURNS[:4]]
    )
    assert (result.winner, result.outcome["round"], result.register) == (None, 1, 1)


# -- losing an option


def test_a_destroyed_robot_loses_an_option_of_the_players_choice():
    """p. 10: immediately."""
    result = scene(EDGE, A="brakes fourth_gear reverse_gear").play(
        A="move_1", answers=("A brakes no", "A option_lost fourth_gear")
    )
    result.asks("option_lost", "A fourth_gear").options(A="brakes reverse_gear")


def test_a_single_option_is_lost_without_a_question():
    """R61."""
    scene(EDGE, A="fourth_gear").play(A="move_1").asked().options(A="")


def test_without_options_nothing_is_lost():
    """p. 10."""
    scene(EDGE, B="fourth_gear").play(A="move_1").asked().options(B="fourth_gear")


def test_it_is_lost_at_once():
    """p. 10: immediately, in the register of the destruction and not in the clean-up."""
    result = scene(EDGE, A="fourth_gear reverse_gear").play(A="move_2", answers=("A option_lost reverse_gear",))
    result.options(A="fourth_gear")


def test_the_other_options_come_back_with_the_robot():
    """p. 10: it loses an option card, not all."""
    scene(EDGE, A={"options": ["fourth_gear", "reverse_gear"], "archive": "1 0"}).play_rounds(
        A=["move_2", *TURNS[:4]], B=TURNS, answers=("A option_lost reverse_gear", "A reboot_facing N")
    ).options(A="fourth_gear")
