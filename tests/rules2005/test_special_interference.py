"""Interference: 2005 course manual p. 26. A and B, C and D, F and G are the racer and the blocker of a player each."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import Scene, dealt, scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
APART = """
    +    +    +    +    +
      A^   .    .    .
    +    +    +    +    +
      .    B^   .    .
    +    +    +    +    +
      .    .    C^   .
    +    +    +    +    +
      .    .    .    D^
    +    +    +    +    +
"""


def interference(picture: str, **options) -> Scene:
    """A scene with racers and blockers."""
    return scene(picture, special_rules=["racers_and_blockers"], **options)


# -- flags


def test_racers_touch_flags():
    """p. 26: one racer and one blocker; the blocker can't touch flags."""
    interference("""
        +      +      +      +
          1+A^   .      B^
        +      +      +      +
          .      2      .
        +      +      +      +
    """).play().flags(A=1, B=0)


def test_a_blocker_cannot_touch_flags():
    """p. 26. So its archive marker stays too (p. 8: touching a flag updates it)."""
    interference("""
        +      +      +      +
          1+B^   .      A^
        +      +      +      +
          .      2      .
        +      +      +      +
    """, B={"archive": "2 1"}).play().flags(A=0, B=0).archive(B="2 1")  # fmt: skip


def test_a_blocker_is_not_repaired_by_a_flag():
    """p. 26: it can't touch flags; R60: a flag repairs as a wrench does, here the racer."""
    interference("""
        +      +      +      +
          1+B^   .      .
        +      +      +      +
          .      2+A^   .
        +      +      +      +
    """, A={"damage": 2}, B={"damage": 2}).play_rounds(A=TURNS, B=TURNS).damage(A=1, B=2)  # fmt: skip


def test_a_blocker_touches_repair_sites():
    """p. 26 speaks of flags only; p. 8: archive, repair, option."""
    result = interference("""
        +      +      +      +
          r2+B^  .      A^
        +      +      +      +
          .      1      .
        +      +      +      +
    """, B={"damage": 2, "archive": "1 1"}).play_rounds(A=TURNS, B=TURNS)  # fmt: skip
    assert len(result.robot("B")["options"]) == 1
    result.archive(B="0 0")


def test_the_racer_wins_with_all_flags_in_order():
    """p. 26: or if they've touched all the flags in order."""
    last = """
        +      +      +      +
          1      .      2+A^
        +      +      +      +
          .      B^     .
        +      +      +      +
    """
    assert interference(last, A={"checkpoint": 1}).play().winner == "A"
    assert interference(last, A={"checkpoint": 0}).play().winner is None


def test_a_blocker_does_not_win_on_the_last_flag():
    """p. 26: it can't touch flags."""
    result = interference("A^  .  1+B^").play()
    assert result.flags(B=0).winner is None


# -- two hands


def test_each_robot_is_dealt_a_hand_of_its_own():
    """p. 26: two distinct hands of cards each turn; p. 4, by its own damage."""
    result = interference(APART, B={"damage": 2}).play_rounds()
    assert [dealt(result, name) for name in "ABCD"] == [9, 7, 9, 9]
    cards = [event["card"] for event in result.happened("deal")]
    assert len(set(cards)) == len(cards)


def test_there_is_no_trading_of_cards_between_the_two_hands():
    """p. 26."""
    hands = {
        "A": {"hand": [f"move_1:{number}" for number in range(490, 580, 10)]},
        "B": {"hand": [f"turn_left:{number}" for number in range(70, 250, 20)]},
    }
    own = interference(APART, **hands)
    own.play_rounds(
        answers=(
            "A program move_1:490 move_1:500 move_1:510 move_1:520 move_1:530",
            "B program turn_left:70 turn_left:90 turn_left:110 turn_left:130 turn_left:150",
        ),
        C=TURNS,
        D=TURNS,
    ).at(B="1 1 W")
    with pytest.raises(ScenarioError, match=r"'turn_left:70'.*robot 0"):
        own.play_rounds(answers=("A program turn_left:70 move_1:500 move_1:510 move_1:520 move_1:530",))


# -- winning by elimination

EDGE = """
    +    +    +    +    +
      A>   C^   O    .
    +    +    +    +    +
      B>   D^   O    .
    +    +    +    +    +
      1    .    .    .
    +    +    +    +    +
"""


def test_a_player_wins_if_the_racers_of_all_opponents_have_run_out_of_lives():
    """p. 26: D, the blocker, may be there still."""
    result = interference(EDGE, C={"lives": 1}).play(A="move_1").lives(C=0, D=3)
    assert result.winner == "A"


def test_it_does_not_matter_how_they_ran_out():
    """p. 26: here by C's own move, and by the blocker's push."""
    assert interference(EDGE, C={"lives": 1}).play(C="move_1").winner == "A"
    pushed = interference("""
        +    +    +    +    +
          B>   C^   O    .
        +    +    +    +    +
          .    D^   A^   1
        +    +    +    +    +
    """, C={"lives": 1})  # fmt: skip
    assert pushed.play(B="move_1").winner == "A"


def test_a_racer_with_lives_left_is_still_in():
    """p. 26; p. 10: it comes back."""
    assert interference(EDGE, C={"lives": 2}).play(A="move_1").destroyed("C").winner is None


def test_the_lives_of_blockers_decide_nothing():
    """p. 26: all their opponents' racers."""
    assert interference(EDGE, D={"lives": 1}).play(B="move_1").lives(D=0).winner is None
    assert interference(EDGE, B={"lives": 0}, D={"lives": 0}).play().winner is None


THREE = """
    +    +    +    +    +
      A>   C^   O    .
    +    +    +    +    +
      B>   D^   .    F^
    +    +    +    +    +
      1    .    .    G<
    +    +    +    +    +
"""


def test_of_three_players_all_others_must_be_out():
    """p. 26: all their opponents' racers."""
    assert interference(THREE, C={"lives": 1}).play(A="move_1").winner is None
    assert interference(THREE, C={"lives": 1}, F={"lives": 0}).play(A="move_1").winner == "A"


def test_the_player_that_is_left_wins_whoever_it_is():
    """p. 26."""
    assert interference(THREE, C={"lives": 0}, F={"lives": 1}, A={"lives": 0}).play().winner == "F"
    assert interference(THREE, C={"lives": 1}, F={"lives": 0}).play(C="turn_left").winner is None


def test_a_blocker_goes_on_without_its_racer():
    """p. 26, R93: each player controls two robots; p. 10: the one without lives is out of the game."""
    interference(THREE, C={"lives": 0}).play(D="move_1").at(D="1 0")


def test_a_blocker_comes_back_as_any_robot():
    """p. 9: on its archive space, with two damage."""
    interference(EDGE, D={"archive": "3 2"}).play_rounds(
        A=TURNS, B=["move_1", *TURNS[:4]], C=TURNS, D=TURNS
    ).at(D="3 2").lives(D=2)  # fmt: skip
