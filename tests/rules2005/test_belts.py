"""C. Board Elements Move, conveyor belts: 2005 rulebook p. 7; R1 to R8.

Scenes that are the same in the 2016 edition are in tests/rules/test_belts.py.
"""

import pytest

from .scene import scene


def test_an_express_belt_leads_onto_a_normal_belt_that_carries_on():
    """p. 7: the second step is of both kinds; A rides on, B comes onto the express belt with its only step; R5."""
    scene("""
        +      +      +      +      +
          >>+A^  >      .      .
        +      +      +      +      +
          >+B^   >>     .      .
        +      +      +      +      +
    """).play().shows("""
        +    +    +    +    +
          .    .    A^   .
        +    +    +    +    +
          .    B^   .    .
        +    +    +    +    +
    """)


def test_express_and_normal_belts_take_their_second_step_together():
    """p. 7: 2. express conveyor belts and normal conveyor belts; R5: B makes room in the step in which A comes."""
    scene("""
        >>  >>+A^  >+B^  .
    """).play().shows("""
        .   .      A^    B^
    """)


# -- robots in each other's way


def test_a_belt_onto_another_robots_space_does_not_move():
    """p. 7, the second picture: the robot on the belt stays there."""
    picture = ".  >+A^  Bv"
    scene(picture).play().shows(picture)


def test_express_belts_that_converge_block_both_steps():
    """R5: conflicts are judged a step. B and C do not come onto the merging belt; A is free."""
    scene("""
        +      +      +      +      +
          >>+B^  vv     <<+Cv  .
        +      +      +      +      +
          .      .      .      .
        +      +      +      +      +
          >>+A^  >>     .      .
        +      +      +      +      +
    """).play().shows("""
        +    +    +    +    +
          B^   .    Cv   .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    .    A^   .
        +    +    +    +    +
    """)


def test_an_express_rider_passes_a_merge_before_the_normal_one():
    """R5: in the first step B rests and A comes onto the merging belt; in the second A goes on, B comes after."""
    scene("""
        +      +      +      +
          >>+A^  vv     <+Bv
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="1 1 E", B="1 0 E")


def test_belts_never_push_a_robot_on_a_belt_that_rests():
    """R4: in the first step B rests on its normal belt and stops A; in the second both move."""
    scene("""
        >>+A^  >+B^  >   .
    """).play().shows("""
        .      A^    B^  .
    """)


def test_a_belt_into_a_wall_does_nothing():
    """R7: either side of the edge, the rim too, and before the edge is looked at."""
    picture = """
        +      +      +      +
          >+A^ | .      >+B^ |
        +      +      +      +
          .      .      .
        +      +      +      +
    """
    scene(picture).play().shows(picture)


def test_a_belt_off_the_board_or_into_a_pit_destroys():
    """p. 10: it is moved into a pit or off the edge; R8."""
    scene("""
        +      +      +
          .      >+A^
        +      +      +
          >+B^   O
        +      +      +
    """).play().destroyed("AB").lives(A=2, B=2)


def test_the_follower_takes_the_cell_of_the_fallen_in_the_same_step():
    """R8: its cell is free for the follower."""
    scene(">+A^  >+B^  O").play().destroyed("B").at(A="1 0")


def test_pits_never_conflict():
    """R1: two robots may fall into one pit."""
    scene(">+A^  O  <+Bv").play().destroyed("AB")


@pytest.mark.parametrize(("a", "b", "first"), [(90, 70, "AB"), (70, 90, "BA")])
def test_several_fall_in_the_order_of_the_cards(a, b, first):
    """R8: several at once in priority order; who is destroyed first comes back first (p. 9)."""
    result = scene(">+A^  O  <+Bv").play(A=f"turn_left:{a}", B=f"turn_left:{b}")
    assert "".join("AB"[event["robot"]] for event in result.happened("destroyed")) == first


def test_flags_lie_still_on_belts():
    """p. 8: a flag stays where it is; that belts carry flags is a special rule of a course."""
    scene("""
        >+1  .  A^
    """).play(to=2).shows("""
        1    .  A^
    """)
