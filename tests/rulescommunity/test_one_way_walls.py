"""One-way walls: a cell entered only in its own direction. C5."""

import pytest

from .scene import scene


def test_a_one_way_wall_is_ignored_from_its_own_side():
    """One-way walls: ignored from the one side."""
    scene("A>  !>  .").play(A="move_2").at(A="2 0")


@pytest.mark.parametrize(("picture", "place"), [
    (".  !>  A<", "2 0"),
    ("""
        +     +
          Av
        +     +
          !>
        +     +
          .
        +     +
    """, "0 0"),
    ("""
        +     +
          .
        +     +
          !>
        +     +
          A^
        +     +
    """, "0 2"),
])  # fmt: skip
def test_a_one_way_wall_is_a_wall_from_the_other_sides(picture, place):
    """One-way walls: treated as a wall from one side; from left and right it is treated as wall too."""
    scene(picture).play(A="move_1").at(A=place)


@pytest.mark.parametrize(("facing", "place"), [(">", "2 1"), ("^", "1 0"), ("v", "1 2"), ("<", "0 1")])
def test_a_one_way_cell_is_left_in_every_direction(facing, place):
    """C5: left in any direction that is otherwise open."""
    scene(f"""
        +        +        +        +
          .        .        .
        +        +        +        +
          .        !>+A{facing}    .
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play(A="move_1").at(A=place)


def test_nobody_is_pushed_against_a_one_way_wall():
    """C5: pushes too."""
    picture = "A>  B^  !<"
    scene(picture).play(A="move_1").at(A="0 0", B="1 0")


@pytest.mark.parametrize("element", [">", ">>", "P>1"])
def test_belts_and_pushers_are_stopped_by_a_one_way_wall(element):
    """C5: belts, panels."""
    scene(f"{element}+A^  !^  .").play().at(A="0 0")


def test_a_belt_leads_through_a_one_way_wall_in_its_direction():
    """C5: entered by a step in its direction."""
    scene(">+A^  !>  .").play().at(A="1 0")


def test_a_slide_is_stopped_by_a_one_way_wall():
    """C5: slides."""
    scene("""
        +        +        +        +
          !>       R>0+A^   1
        +        +        +        +
          !<       R>0+B^   1
        +        +        +        +
    """).play().at(A="1 0", B="0 1")


@pytest.mark.parametrize(("way", "damage"), [("!>", 1), ("!<", 0), ("!^", 0), ("!v", 0)])
def test_beams_enter_a_one_way_cell_only_in_its_direction(way, damage):
    """Rulings: lasers as a wall from the other sides."""
    scene(f"L>  {way}  A^").play().damage(A=damage)


@pytest.mark.parametrize(("way", "damage"), [("!>", 1), ("!<", 0)])
def test_robots_shoot_into_a_one_way_cell_only_in_its_direction(way, damage):
    """Rulings: lasers as a wall from the other sides; the robot in it is hit."""
    scene(f"A>  {way}+B^  .").play().damage(B=damage)
