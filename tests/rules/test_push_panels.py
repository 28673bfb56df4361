"""Push panels: 2016 rulebook p. 7 and p. 13; R13."""

import pytest

from .scene import in_2016_and_2005, scene


@in_2016_and_2005
@pytest.mark.parametrize(("arrow", "place"), [("^", "1 0 E"), (">", "2 1 E"), ("v", "1 2 E"), ("<", "0 1 E")])
def test_a_panel_pushes_into_the_next_space_in_its_direction(arrow, place, edition):
    """p. 7, p. 13; 2005 p. 7: any robot resting on it, one space; the facing stays."""
    scene(f"""
        +        +        +        +
          .        .        .
        +        +        +        +
          .        P{arrow}1+A>   .
        +        +        +        +
          .        .        .
        +        +        +        +
    """, edition=edition).play().at(A=place)  # fmt: skip


@pytest.mark.parametrize(("register", "place"), [(1, "0 0"), (2, "1 0"), (3, "0 0"), (4, "1 0"), (5, "0 0")])
def test_a_panel_acts_only_in_the_registers_on_it(register, place):
    """p. 7, p. 13: only in the register that corresponds to the number on them; its example is "2, 4"."""
    scene("P>24+A^  .  .").play(register).at(A=place)


@in_2016_and_2005
def test_a_robot_that_passes_over_a_panel_is_not_pushed(edition):
    """p. 8: if you do not end your move on it; 2005 p. 7: elements act after the robots have moved."""
    scene("""
        +    +    +    +
          A>   Pv1  .
        +    +    +    +
          .    .    .
        +    +    +    +
    """, edition=edition).play(A="move_2").at(A="2 0")  # fmt: skip


def test_a_robot_that_moves_onto_a_panel_is_pushed():
    """p. 13: if you end the register on a push panel."""
    scene("""
        +    +    +    +
          A>   Pv1  .
        +    +    +    +
          .    .    .
        +    +    +    +
    """).play(A="move_1").at(A="1 1 E")


def test_a_panel_pushes_a_row():
    """R13: panels push chains."""
    scene("""
        P>1+A^  B<  C>  .
    """).play().shows("""
        .       A^  B<  C>
    """)


def test_a_panel_is_stopped_by_a_wall():
    """R13: stopped by walls, at the end of the row too."""
    picture = """
        +        +        +        +
          P>1+A^   B<     | .
        +        +        +        +
          P>1+C^ | .        .
        +        +        +        +
    """
    scene(picture).play().shows(picture)


def test_a_panel_pushes_into_a_pit():
    """p. 13, p. 14: robots can be pushed almost anywhere, including into a pit."""
    scene("P>1+A^  O  R>").play().rebooted("A").at(A="2 0 E")


def test_a_panel_pushes_off_the_board():
    """p. 14, Falling off the Board."""
    scene("P<1+A^  .  R>").play().rebooted("A").at(A="2 0 E")


def test_nobody_is_pushed_twice_by_panels():
    """R13: A is pushed onto the next active panel and stays there."""
    scene("""
        +        +        +        +
          P>1+A^   Pv1      .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play().at(A="1 0")


def test_a_robot_pushed_off_its_panel_is_not_pushed_by_it():
    """R13: in priority order, each only if still on its own panel."""
    picture = """
        +        +        +        +
          P>1+A^   Pv1+B^   .
        +        +        +        +
          .        .        .
        +        +        +        +
    """
    scene(picture).play(order="AB").shows("""
        +    +    +    +
          .    A^   B^
        +    +    +    +
          .    .    .
        +    +    +    +
    """)
    scene(picture).play(order="BA").shows("""
        +    +    +    +
          .    A^   .
        +    +    +    +
          .    B^   .
        +    +    +    +
    """)


def test_a_robot_pushed_onto_a_panel_in_the_phase_is_not_pushed_by_it():
    """R13: robots that were not on an active panel at its start are not panel-pushed."""
    scene("""
        +        +        +        +
          P>1+A^   B^       Pv1
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play().at(A="1 0", B="2 0")


def test_a_panel_that_is_idle_in_this_register_does_not_count():
    """R13: B's panel sleeps, so B is pushed onto the active one of C, and C off it."""
    scene("""
        +        +        +        +        +
          P>1+A^   Pv2+B^   Pv1+C^   .
        +        +        +        +        +
          .        .        .        .
        +        +        +        +        +
    """).play().shows("""
        +    +    +    +    +
          .    A^   B^   C^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """)


def test_a_rebooted_robot_is_pushed_by_panels_too():
    """R13, R18: rebooted robots are moved by board elements."""
    scene("""
        +        +        +        +
          A<       Pv1+R>   .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play(A="move_1").rebooted("A").at(A="1 1 E")
