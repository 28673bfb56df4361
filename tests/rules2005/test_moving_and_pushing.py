"""B. Robots Move, and pushing: 2005 rulebook p. 4 to 6; R10, R11."""

import pytest

from .scene import scene

FIELD = ".  .  .  A>  .  .  ."


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("move_1", "4 0 E"), ("move_2", "5 0 E"), ("move_3", "6 0 E"), ("back_up", "2 0 E"),
        ("turn_left", "3 0 N"), ("turn_right", "3 0 S"), ("u_turn", "3 0 W"),
    ],
)  # fmt: skip
def test_a_robot_moves_as_its_card_indicates(card, place):
    """p. 5: a Move 2 moves a robot forward 2 spaces, a Back Up card 1 space back; p. 4, the cards."""
    scene(FIELD).play(A=card).at(A=place)


@pytest.mark.parametrize(("arrow", "place"), [("^", "1 0 N"), (">", "2 1 E"), ("v", "1 2 S"), ("<", "0 1 W")])
def test_forward_is_where_the_robot_faces(arrow, place):
    """p. 5."""
    scene(f"""
        +    +    +    +
          .    .    .
        +    +    +    +
          .    A{arrow}   .
        +    +    +    +
          .    .    .
        +    +    +    +
    """).play(A="move_1").at(A=place)


def test_an_empty_register_does_nothing():
    """Scenario files: a missing register does nothing."""
    scene(FIELD).play(to=2, A=["move_1"]).at(A="4 0 E")


def test_a_robot_is_pushed():
    """p. 6: when robots collide, one will push the other; the facing stays."""
    scene("""
        A>  .  B^  .   .
    """).play(A="move_3").shows("""
        .   .  .   A>  B^
    """)


def test_a_robot_pushes_backwards():
    """p. 5, p. 6: a Back Up moves it too."""
    scene(".  B^  A>").play(A="back_up").at(A="1 0 E", B="0 0 N")


def test_a_row_of_robots_is_pushed():
    """R10: a step pushes every robot in line."""
    scene("""
        A>  B^  C<  Dv  .
    """).play(A="move_1").shows("""
        .   A>  B^  C<  Dv
    """)


def test_a_robot_is_pushed_onto_a_belt():
    """p. 6: onto a conveyor belt, which then carries it."""
    scene("""
        +    +    +    +
          A>   B^   v
        +    +    +    +
          .    .    v
        +    +    +    +
    """).play(A="move_1").at(A="1 0 E", B="2 1 N")


def test_a_robot_is_pushed_into_a_pit():
    """p. 6, p. 10."""
    scene("A>  B^  O").play(A="move_1").at(A="1 0 E").destroyed("B").lives(A=3, B=2)


def test_a_robot_is_pushed_off_the_side_of_the_board():
    """p. 6, p. 10."""
    scene("A>  B^").play(A="move_1").at(A="1 0 E").destroyed("B")


def test_a_row_moves_when_its_last_robot_falls():
    """R10: a pit or the edge at the far end lets the chain move."""
    scene("A>  B^  C^  O").play(A="move_1").at(A="1 0 E", B="2 0 N").destroyed("C")


def test_a_robot_follows_into_the_pit_into_which_it_pushed():
    """R11: a pusher that follows into the pit falls too."""
    scene("A>  B^  O").play(A="move_2").destroyed("AB")


def test_a_pit_catches_in_mid_move():
    """R11: a Move 3 across a pit falls."""
    scene("A>  .  O  .").play(A="move_3").destroyed("A")


def test_a_robot_that_was_pushed_off_is_not_met_again():
    """p. 10: a destroyed robot comes back in the clean-up, not at once (R12 is for 2016)."""
    scene("""
        +    +    +    +    +
          A>   B^   .    .
        +    +    +    +    +
          .    O    .    .
        +    +    +    +    +
          .    Cv   .    .
        +    +    +    +    +
    """).play(B=["u_turn:60", "move_1:490"], A=["turn_left:70", "turn_right:80", "move_3:790"]).destroyed("B").at(
        A="3 0 E"
    )


def test_a_robot_pushed_away_before_its_card_moves_from_where_it_is():
    """p. 6: as Zoom Bot in the picture."""
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   B^   .    .
        +    +    +    +    +
    """).play(A="move_2:670", B="move_1:490").at(A="2 1 E", B="3 0 N")


# -- walls


def test_a_robot_stops_at_a_wall_without_damage():
    """p. 6: robots can run into walls all day long."""
    scene("A>  . | .").play(A=["move_3", "move_3", "move_1"]).at(A="1 0 E").damage(A=0)


def test_a_wall_stops_a_robot_whichever_cell_lists_it():
    """p. 6; R10: a wall stands between two cells."""
    scene(". | A>  .").play(A="back_up").at(A="1 0 E")


def test_a_robot_cannot_be_pushed_through_a_wall():
    """p. 6: the pushing robot will simply stop."""
    picture = "A>  B^ | ."
    scene(picture).play(A="move_1").shows(picture)


def test_the_rest_of_the_move_is_lost_at_a_wall():
    """p. 6; R10: nobody moves and the rest of the card's steps are lost."""
    scene("""
        A>  B^  .  | .
    """).play(A="move_3").shows("""
        .   A>  B^   .
    """)


def test_a_wall_at_the_end_of_a_row_stops_all():
    """R10."""
    picture = "A>  B^  C^ | ."
    scene(picture).play(A="move_2").shows(picture)


def test_a_robot_walks_off_the_board():
    """p. 10: it moves off the edge; a wall on the rim would hold it."""
    scene("""
        +    +    +
          .    A>
        +    +    +
          .    B> |
        +    +    +
    """).play(A="move_1", B="move_1").destroyed("A").at(B="1 1 E")
