"""Pushers, gears, walls, pits, the edge. C6; R10, R11, R13."""

import pytest

from .scene import scene


@pytest.mark.parametrize(("register", "place"), [(1, "1 0"), (2, "0 0"), (3, "1 0"), (4, "0 0"), (5, "1 0")])
def test_a_pusher_pushes_only_in_its_registers(register, place):
    """Pushers: the tiles activate only in the register that corresponds to the number on them."""
    scene("P>135+A^  .").play(register).at(A=place)


@pytest.mark.parametrize(("arrow", "place"), [("^", "1 0"), (">", "2 1"), ("v", "1 2"), ("<", "0 1")])
def test_a_pusher_pushes_into_the_next_space_in_the_direction_that_it_faces(arrow, place):
    """Pushers: push any robot resting on them into the next space in the direction the push panel faces."""
    scene(f"""
        +        +        +        +
          .        .        .
        +        +        +        +
          .        P{arrow}1+A^   .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play().at(A=f"{place} N")


def test_a_pusher_is_a_wall_from_behind():
    """Pushers are treated as wall so that robots can't pass through them; C6: though no wall is drawn."""
    picture = "A>  P>2  ."
    scene(picture).play(A="move_2").shows(picture)


def test_nobody_leaves_a_pusher_at_its_back():
    """C6: the side opposite to the push is a wall of that cell."""
    picture = ".  P>2+A<  ."
    scene(picture).play(A="move_1").shows(picture)


def test_a_pushers_other_sides_are_open():
    """C6: only its back is a wall."""
    scene("A>  Pv2").play(A="move_1").at(A="1 0")


def test_a_pushers_back_stops_beams():
    """C6: it is a wall; Walls: lasers can't shoot through them."""
    scene("A>  P>2  B^").play().damage(B=0)


def test_a_pusher_pushes_a_row():
    """R13: pushers push chains."""
    scene("P>1+A^  B^  C^  .").play().at(A="1 0", B="2 0", C="3 0")


def test_a_pusher_pushes_nobody_through_a_wall_or_up_a_ledge():
    """R13: stopped by walls; Ledges: a ledge is a wall from below."""
    scene("""
        +       +       +       +
          P>1+A^| .       .
        +       +       +       +
          P>1+B^  1       .
        +       +       +       +
          P>1+C^  D^      1
        +       +       +       +
    """).play().at(A="0 0", B="0 1", C="0 2", D="1 2")


def test_a_pusher_pushes_down_a_ledge():
    """Ledges: who crosses it takes 2 damage."""
    scene("1+P>1+A^  .").play().at(A="1 0").damage(A=2)


def test_a_pusher_pushes_into_pits_and_off_the_board():
    """Pushing: robots can be pushed almost anywhere, into a pit, even off the side of the board."""
    scene("""
        +       +       +
          P>1+A^  O
        +       +       +
          P<1+B^  .
        +       +       +
    """).play().destroyed("AB")


def test_pushers_act_in_the_turn_order_on_those_that_stood_there():
    """R13: after B has left its pusher A comes onto it, and is not pushed again; the other way A pushes B off it."""
    picture = """
        +       +       +       +
          P>1+A^  Pv1+B^  .
        +       +       +       +
          .       .       .
        +       +       +       +
    """
    scene(picture).play(order="BA").at(A="1 0", B="1 1")
    scene(picture).play(order="AB").at(A="1 0", B="2 0")


@pytest.mark.parametrize(("gear", "facing"), [("cw", "E"), ("ccw", "W")])
def test_gears_rotate_robots_in_the_direction_of_their_arrows(gear, facing):
    """Gears: rotate robots resting on them 90 degrees."""
    scene(f"{gear}+A^  .").play().at(A=f"0 0 {facing}")


def test_pushers_act_before_gears():
    """Register phase elements, order: A is pushed onto the gear and turned."""
    scene("P>1+A^  cw").play().at(A="1 0 E")


# ---- Walls, pits, the edge ----------------------------------------------------------------------------------------


def test_robots_can_not_move_through_walls():
    """Walls: robots that attempt to move through a wall simply stay where they are."""
    picture = "A> | .  ."
    scene(picture).play(A="move_3").shows(picture)


def test_a_row_against_a_wall_stays():
    """Pushing: robots cannot be pushed through walls; both robots immediately end their movement."""
    scene("A>  B^  . | .").play(A="move_3").at(A="1 0", B="2 0")


def test_who_drives_into_a_pit_is_destroyed_instantly():
    """Pit: a robot which drives into a pit will get destroyed instantly, in mid-move too (R11)."""
    scene("A>  O  .").play(A="move_3").destroyed("A").damage(A=0)


def test_who_moves_off_the_board_is_destroyed_instantly():
    """Falling off the board: if you move off or are pushed off the board."""
    scene(".  A<  B^").play(A="back_up").destroyed("B").at(A="2 0")
    scene("A<  .").play(A="move_1").destroyed("A")


def test_a_robot_pushes_till_its_movement_is_over():
    """Pushing: it will push robot B into its direction till its movement is over; B's facing stays."""
    scene("A>  B^  .  .  .").play(A="move_3").at(A="3 0 E", B="4 0 N")


def test_a_row_is_pushed_as_one():
    """R10: a step pushes every robot in line."""
    scene("A<  B^  C^  .").play(A="back_up").at(A="1 0", B="2 0", C="3 0")
