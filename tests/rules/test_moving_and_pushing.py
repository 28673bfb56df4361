"""Programming cards and pushing: 2016 rulebook p. 24, Programming Cards, and p. 14, Pushing Other Robots."""

import pytest

from .scene import scene

ALONE = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    A>   .    .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("move_1", "2 1 E"),
        ("move_2", "3 1 E"),
        ("move_3", "4 1 E"),
        ("turn_right", "1 1 S"),
        ("turn_left", "1 1 N"),
        ("u_turn", "1 1 W"),
        ("back_up", "0 1 E"),
        ("power_up", "1 1 E"),
    ],
)
def test_each_programming_card_does_what_it_says(card, place):
    """p. 24, Card Index: Move 1, 2, 3; turns stay in their space; Back Up keeps its facing."""
    scene(ALONE).play(A=card).at(A=place).has("energy", A=6 if card == "power_up" else 5)


@pytest.mark.parametrize(("arrow", "place"), [("^", "2 1"), (">", "3 2"), ("v", "2 3"), ("<", "1 2")])
def test_a_robot_moves_in_the_direction_it_is_facing(arrow, place):
    """p. 24, Move."""
    scene(f"""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    A{arrow}   .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
    """).play(A="move_1").at(A=place)


def test_a_pushed_robot_goes_as_far_as_its_pusher_and_keeps_its_facing():
    """p. 14: as Smash Bot moves two spaces, he pushes Hulk x90 two spaces; no change of facing."""
    scene("""
        A>  B^  .   .
    """).play(A="move_2").shows("""
        .   .   A>  B^
    """)


def test_a_robot_is_pushed_from_where_it_is_met():
    """p. 14: the robot in motion pushes when it enters the other's space, not before."""
    scene("""
        A>  .  Bv  .   .
    """).play(A="move_3").shows("""
        .   .  .   A>  Bv
    """)


def test_a_row_of_robots_is_pushed_as_one():
    """p. 14: Smash Bot moves one space and pushes the other two robots one space; R10."""
    scene("""
        A>  B^  C<  .
    """).play(A="move_1").shows("""
        .   A>  B^  C<
    """)


def test_six_robots_in_a_row_are_pushed_as_one():
    """R10: a step pushes every robot in line."""
    scene("""
        A>  B^  C<  D>  Fv  G^  .
    """).play(A="move_1").shows("""
        .   A>  B^  C<  D>  Fv  G^
    """)


def test_a_gap_in_the_row_is_closed_before_the_next_is_pushed():
    """R10: only the robots in line with the mover are pushed, step by step."""
    scene("""
        A>  B^  .   C^  .
    """).play(A="move_2").shows("""
        .   .   A>  B^  C^
    """)


def test_back_up_pushes_the_robot_behind():
    """p. 14, p. 24: the push goes in the direction of the motion, whatever the mover faces."""
    scene("""
        .   B^  A>
    """).play(A="back_up").shows("""
        B^  A>  .
    """)


def test_pusher_and_pushed_stop_at_a_wall_though_steps_are_left():
    """p. 14: when Hulk x90 hits a wall, both must stop even though Smash Bot has moves left; R10."""
    scene("""
        A>  B^  .  | .  .
    """).play(A="move_3").shows("""
        .   A>  B^ | .  .
    """)


def test_a_blocked_row_does_not_move_at_all():
    """p. 14: robots cannot be pushed through walls; R10."""
    picture = "A>  B^  C^ | ."
    scene(picture).play(A="move_2").shows(picture)


def test_the_antenna_at_the_end_of_a_row_blocks_it():
    """p. 13, The Priority Antenna: robots cannot move through or push it; R10."""
    picture = "A>  B^  C^  Y<"
    scene(picture).play(A="move_1").shows(picture)


def test_a_wall_between_pusher_and_pushed_protects():
    """p. 14, p. 13: the wall stops the mover before it meets anybody."""
    picture = "A> | B^  ."
    scene(picture).play(A="move_1").shows(picture)


def test_a_row_moves_when_its_last_robot_is_pushed_into_a_pit():
    """R10: a pit at the far end lets the chain move; p. 14: robots can be pushed into a pit."""
    scene("""
        +    +    +    +    +
          A>   B^   C^   O
        +    +    +    +    +
          .    .    .    R>
        +    +    +    +    +
    """).play(A="move_1").rebooted("C").shows("""
        +    +    +    +    +
          .    A>   B^   .
        +    +    +    +    +
          .    .    .    C>
        +    +    +    +    +
    """)


def test_a_row_moves_when_its_last_robot_is_pushed_off_the_board():
    """R10: so does the edge; p. 14: they can even be pushed off the side of the board."""
    scene("""
        +    +    +    +
          A>   B^   C^
        +    +    +    +
          .    .    R<
        +    +    +    +
    """).play(A="move_1").rebooted("C").shows("""
        +    +    +    +
          .    A>   B^
        +    +    +    +
          .    .    C<
        +    +    +    +
    """)


def test_a_pushed_robot_takes_no_damage_from_the_push():
    """p. 14 names no damage for a push."""
    scene("""
        +    +    +    +
          A^   .    .
        +    +    +    +
          .    .    .
        +    +    +    +
          B>   C^   .
        +    +    +    +
    """).play(B="move_1").took(C=1)  # the one SPAM is B's laser


def test_robots_push_each_other_in_turn_order():
    """p. 7: players take turns within a register."""
    scene("""
        .  A>  .   B<  .
    """).play(order="BA", A="move_1", B="move_2").shows("""
        .  A>  B<  .   .
    """)


# -- one step is one act (R17a)


def test_the_fallen_robot_is_back_before_the_movers_next_step():
    """R12, R17a: B falls, is put down on the token that A stands on, and pushes A aside; A goes on from there."""
    scene("""
        +       +       +       +       +
          .       .       .       .
        +       +       +       +       +
          A>      B>+R^   O       .
        +       +       +       +       +
    """).play(A="move_2").rebooted("B").shows("""
        +    +    +    +    +
          .    .    A>   .
        +    +    +    +    +
          .    B^   .    .
        +    +    +    +    +
    """)


def test_a_later_step_of_the_same_card_meets_the_fallen_robot_again():
    """R12, R15: B is pushed off, put down in A's way and pushed off a second time by the same Move 3."""
    scene("""
        +    +    +    +
          A>   .    B^
        +    +    +    +
          .    .    .
        +    +    +    +
    """, start_facing="W").play(A="move_3").at(A="1 0 E", B="2 0 W").took(B=5)  # fmt: skip
    # Step 1: A to column 1. Step 2: B is pushed off the edge, and back on its own start space it pushes A (which has
    # just come there) towards W. Step 3 does the same once more. 2 + 2 SPAM, and A's laser at the end.


def test_a_mover_that_reboots_itself_loses_its_other_steps():
    """R17a: the mover goes on from where it is unless it rebooted itself."""
    scene("A>  O  R>  .").play(A="move_3").rebooted("A").at(A="2 0 E")
