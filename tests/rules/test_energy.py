"""Energy: 2016 rulebook p. 3 (step 8), p. 8, p. 13, Energy Spaces, and p. 24, Power Up."""

import pytest

from .scene import scene

CUBE = "e*+A^  ."


def test_every_robot_begins_with_five_cubes():
    """p. 3, Setup, step 8."""
    scene("A>  B<").play().has("energy", A=5, B=5)


def test_power_up_takes_a_cube():
    """p. 24, Power Up: one from the bank."""
    scene("A>  .").play(A=["power_up", "power_up"]).has("energy", A=7)


@pytest.mark.parametrize("register", [1, 2, 3, 4, 5])
def test_a_robot_that_ends_a_register_on_a_cube_takes_it(register):
    """p. 8, p. 13: if there is an energy cube there, take it; R36. In register five too it is one cube."""
    scene(CUBE).play(register).has("energy", A=6)


def test_a_space_remains_empty_once_its_cube_is_gone():
    """p. 13: it remains empty for the remainder of the game; R36."""
    scene(CUBE).play(to=4).has("energy", A=6)


@pytest.mark.parametrize(("register", "energy"), [(1, 5), (2, 5), (3, 5), (4, 5), (5, 6)])
def test_an_empty_space_gives_a_cube_of_the_bank_in_register_five(register, energy):
    """p. 8, p. 13: even if that space was empty at the start of the game; R36."""
    scene("e+A^  .").play(register).has("energy", A=energy)


def test_a_space_just_emptied_pays_in_register_five():
    """p. 13; R36: the cube in register four, the bank's in register five."""
    scene(CUBE).play(to=5).has("energy", A=7)


def test_cubes_do_not_come_back_in_the_next_round():
    """R36: in round two nothing but the bank's cube of register five is left."""
    turns = ["turn_left", "turn_right"] * 2 + ["turn_left"]
    scene(CUBE, A={"draw": [*turns, *["move_1"] * 4]}).play_rounds(2, A=["u_turn"]).has("energy", A=8)


def test_the_bank_is_unlimited():
    """R36: the box's cubes are no limit."""
    scene("e+A^  e+B^  e+C^", A={"energy": 100}).play(5).has("energy", A=101, B=6, C=6)


def test_a_robot_that_passes_an_energy_space_takes_nothing():
    """p. 13: end your move on them to grab them."""
    scene("A>  e*  .").play(A="move_2").has("energy", A=5)


def test_a_robot_pushed_or_carried_onto_a_cube_takes_it():
    """p. 8: when you end a register on an energy space, however you came there."""
    scene("""
        +      +      +      +
          A>     B^     e*
        +      +      +      +
          >+C^   e*     .
        +      +      +      +
    """).play(A="move_1").has("energy", A=5, B=6, C=6)


def test_a_rebooted_robot_takes_energy():
    """R18: it can take energy on the token."""
    scene("""
        +       +       +
          .       A>
        +       +       +
          e*+R^   .
        +       +       +
    """).play(A="move_1").rebooted("A").has("energy", A=6)
