"""Priority numbers: 2005 rulebook p. 6; R67."""

import pytest

from .scene import scene, turns

CORNER = """
    +    +    +    +
      A>   .    B<
    +    +    +    +
      .    .    .
    +    +    +    +
"""


@pytest.mark.parametrize(("a", "b", "first"), [(500, 490, "A"), (490, 500, "B")])
def test_the_higher_number_moves_first(a, b, first):
    """p. 6: a higher number means faster movement; who comes second pushes the other back."""
    result = scene(CORNER).play(A=f"move_1:{a}", B=f"move_1:{b}")
    assert turns(result) == first + ("B" if first == "A" else "A")
    result.at(**({"A": "0 0 E", "B": "1 0 W"} if first == "A" else {"A": "1 0 E", "B": "2 0 W"}))


def test_the_example_of_the_rulebook():
    """p. 6: Twonky (A, 330) moves first and pushes Zoom Bot (B, 290), who then moves."""
    # the cards of the picture are a faster and a slower one
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   B^   .    .
        +    +    +    +    +
    """).play(A="move_1:560", B="move_1:490").shows("""
        +    +    +    +    +
          .    .    B^   .
        +    +    +    +    +
          .    A>   .    .
        +    +    +    +    +
    """)


def test_priority_is_that_of_the_cards_of_each_register():
    """p. 6: a robot's priority for that register phase."""
    result = scene("A^  B^  C^  D^").play(
        A=["turn_left:410", "turn_left:70"],
        B=["turn_right:400", "turn_right:80"],
        C=["u_turn:60", "u_turn:50"],
        D=["u_turn:40", "turn_left:390"],
    )
    assert turns(result) == "ABCD" + "DBAC"


def test_rotations_have_priority_numbers_too():
    """p. 6: the numbers on each program card; a move is faster than any rotation."""
    result = scene(CORNER).play(A="turn_left:410", B="back_up:430")
    assert turns(result) == "BA"


def test_a_locked_card_keeps_its_number():
    """p. 6, p. 10: the same card is executed again."""
    locked = {"damage": 5, "registers": [None, None, None, None, "turn_left:290"]}
    assert turns(scene(CORNER, A=locked).play(5, B="turn_left:270")) == "AB"
    assert turns(scene(CORNER, A=locked).play(5, B="turn_left:310")) == "BA"


def test_cards_without_a_number_act_last_in_list_order():
    """R67, Scenario files: after those with a number, A before B."""
    result = scene("A^  B^  C^").play(A="move_3", B="turn_left", C="u_turn:10")
    assert turns(result) == "CAB"


def test_a_given_order_stands_for_priority():
    """Scenario files."""
    result = scene(CORNER).play(A="turn_left:410", B="turn_left:70", order="BA")
    assert turns(result) == "BA"
