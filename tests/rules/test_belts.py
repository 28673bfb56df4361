"""Conveyor belts: 2016 rulebook p. 7, Activation Order, and p. 12, Conveyor Belts.

The 2005 edition plays those scenes too whose rule it shares.
"""

import pytest

from .scene import in_2016_and_2005, scene


@in_2016_and_2005
@pytest.mark.parametrize(("belt", "place"), [(">", "1 0 N"), (">>", "2 0 N")])
def test_green_belts_move_one_space_and_blue_belts_two(belt, place, edition):
    """p. 7, p. 12; 2005 p. 7; R5: double arrows move two spaces, single arrows one; a straight belt turns nobody."""
    scene(f"{belt}+A^  {belt}  {belt}  .", edition=edition).play().at(A=place)


@in_2016_and_2005
@pytest.mark.parametrize(("arrow", "place"), [("^", "1 0"), (">", "2 1"), ("v", "1 2"), ("<", "0 1")])
def test_belts_move_in_the_direction_of_their_arrows(arrow, place, edition):
    """p. 12, Conveyor Belts; 2005 p. 7."""
    scene(f"""
        +      +      +      +
          .      .      .
        +      +      +      +
          .      {arrow}+A>   .
        +      +      +      +
          .      .      .
        +      +      +      +
    """, edition=edition).play().at(A=place)  # fmt: skip


@in_2016_and_2005
def test_a_robot_that_left_the_belt_is_carried_no_more(edition):
    """p. 12; 2005 p. 7: Smash Bot has moved off the belt, so it moves one space instead of two."""
    scene(">>+A^  .  .", edition=edition).play().at(A="1 0 N")


def test_blue_belts_act_before_green_belts():
    """p. 7, p. 12; R5: from blue onto green, and on; from green onto blue, and no further."""
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


def test_a_robot_off_the_belts_stays():
    """p. 12: an element affects a robot only when it sits on it."""
    scene("""
        +      +      +
          A^     .
        +      +      +
          >>     >
        +      +      +
    """).play().at(A="0 0")


@in_2016_and_2005
def test_a_robot_that_moves_across_a_belt_is_not_carried(edition):
    """p. 8; 2005 p. 7: elements only act on robots that end the register on them."""
    scene("""
        +    +    +    +
          A>   vv   .
        +    +    +    +
          .    vv   .
        +    +    +    +
    """, edition=edition).play(A="move_2").at(A="2 0")  # fmt: skip


def test_a_robot_that_moves_onto_a_belt_is_carried_in_the_same_register():
    """p. 7: elements act after all robots have played their cards."""
    scene("""
        +    +    +    +
          A>   v    .
        +    +    +    +
          .    v    .
        +    +    +    +
    """).play(A="move_1").at(A="1 1")


# -- robots in each other's way


def test_belts_do_not_push():
    """p. 12, p. 14: the robot in motion must stop on the last space of the belt; R1: the other wants its own cell."""
    scene("""
        >+A^  >   B^  .
    """).play(to=2).shows("""
        .     A^  B^  .
    """)


def test_a_blue_belt_stops_at_its_last_space_before_a_robot():
    """p. 12; R5: conflicts are judged a step; the first step is free, the second is not."""
    scene("""
        >>+A^  >>  B^  .
    """).play().shows("""
        .      A^  B^  .
    """)


@in_2016_and_2005
def test_two_robots_that_would_end_on_one_belt_space_both_stay(edition):
    """p. 12; 2005 p. 7, the first picture: both would end their move on the same conveyor belt space; R1."""
    picture = """
        +      +      +      +
          >+A^   v      <+B^
        +      +      +      +
          .      .      .
        +      +      +      +
    """
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_two_robots_that_would_end_on_one_floor_space_both_stay(edition):
    """2005 p. 7; R1: a cell wanted by two or more sends all belt movers of it home, plain floor too."""
    picture = ">+A^  .  <+B^"
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_three_robots_that_want_one_space_all_stay(edition):
    """R1: wanted by two or more."""
    picture = """
        +      +      +      +
          >+A^   v      <+B^
        +      +      +      +
          .      ^+C^   .
        +      +      +      +
    """
    # C's belt faces the merging belt; all three want the middle
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_a_blocked_robot_blocks_those_behind_it(edition):
    """R1: a robot sent home wants its own cell, so a block runs back down the line."""
    picture = ">+A^  >+B^  >+C^  D^"
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_a_block_runs_back_from_a_merge(edition):
    """R1: B and C want one cell and stay, so A behind B stays too."""
    picture = """
        +      +      +      +      +
          >+A^   >+B^   v      <+C^
        +      +      +      +      +
          .      .      .      .
        +      +      +      +      +
    """
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_a_line_of_robots_on_a_belt_moves_together(edition):
    """2005 p. 7: all move simultaneously; R1: a cell that its robot leaves is wanted by the follower alone."""
    scene("""
        >+A^  >+B^  >+C^  .
    """, edition=edition).play().shows("""
        .     A^    B^    C^
    """)  # fmt: skip


@in_2016_and_2005
@pytest.mark.parametrize(("speed", "after"), [(1, "ABCD"), (2, "DABC")])
def test_a_full_ring_advances(speed, after, edition):
    """R2: a closed ring of belts full of robots advances, blue ones two spaces; R6: each turns at each corner."""
    right, down, left, up = (arrow * speed for arrow in ">v<^")
    result = scene(f"""
        +      +      +
          {right + "+A^":<7}{down + "+B^":<7}
        +      +      +
          {up + "+D^":<7}{left + "+C^":<7}
        +      +      +
    """, edition=edition).play()  # fmt: skip
    # clockwise from the top right: where A goes by one step
    corners = ["1 0", "1 1", "0 1", "0 0"]
    result.at(**dict(zip(after, corners, strict=True)))
    assert {facing for _, _, facing in result.robots.values()} == {"E" if speed == 1 else "S"}


@in_2016_and_2005
def test_belts_that_face_each_other_do_not_exchange_robots(edition):
    """2005 p. 7: if it's not clear, don't move either robot; R3: two robots that would exchange cells both stay."""
    picture = ".  >+A^  <+B^"
    scene(picture, edition=edition).play().shows(picture)


@in_2016_and_2005
def test_the_follower_of_a_robot_that_cannot_swap_stays_too(edition):
    """R3, then R1 again."""
    picture = ">+A^  >+B^  <+C^"
    scene(picture, edition=edition).play().shows(picture)


def test_a_robot_on_a_belt_of_the_other_colour_counts_as_standing():
    """R4: in the blue steps B rests on its green belt and stops A; then B goes on alone."""
    scene("""
        >>+A^  >+B^  .
    """).play().shows("""
        A^     .     B^
    """)


def test_a_robot_stuck_on_a_blue_belt_stops_a_green_one():
    """R4: B is held by the wall on its blue belt, and A does not push it."""
    picture = ">+A^  >>+B^ | ."
    scene(picture).play().shows(picture)


def test_only_robots_still_on_a_blue_belt_take_the_second_step():
    """R5: A comes off the blue belts after one step, B after two."""
    scene("""
        +      +      +      +
          >>+A^  .      .
        +      +      +      +
          >>+B^  >>     .
        +      +      +      +
    """).play().at(A="1 0", B="2 1")


# -- walls, edges, pits


@pytest.mark.parametrize("belt", [">", ">>"])
def test_a_belt_into_a_wall_does_nothing(belt):
    """R7: whichever side of the edge has the wall."""
    scene(f"{belt}+A^ | .").play().at(A="0 0 N")


def test_a_belt_into_a_wall_on_the_rim_does_nothing():
    """R7: the wall is tested before the edge."""
    scene(".  >+A^ |").play().rebooted("").at(A="1 0 N")


def test_a_belt_into_a_walled_pit_does_nothing():
    """R7: the wall is tested before the pit."""
    scene(">+A^ | O").play().rebooted("").at(A="0 0 N")


def test_a_robot_held_by_a_wall_wants_its_own_cell():
    """R7, R1: the follower stays as well."""
    picture = ">+A^  >+B^ | ."
    scene(picture).play().shows(picture)


def test_a_belt_off_the_board_is_a_fall():
    """R8: reboot in that step; the second blue step finds it on the token."""
    scene("""
        +      +      +      +
          .      .      >>+A^
        +      +      +      +
          R>     .      .
        +      +      +      +
    """).play().rebooted("A").took(A=2).at(A="0 1 E")


def test_a_belt_into_a_pit_is_a_fall():
    """R8."""
    scene(">+A^  O  R>").play().rebooted("A").at(A="2 0 E")


def test_the_follower_takes_the_cell_of_the_fallen_in_the_same_step():
    """R8: its cell is free for the follower."""
    scene("""
        +      +      +      +
          .      >+A^   >+B^
        +      +      +      +
          Rv     .      .
        +      +      +      +
    """).play().rebooted("B").shows("""
        +    +    +    +
          .    .    A^
        +    +    +    +
          Bv   .    .
        +    +    +    +
    """)


def test_pits_never_conflict():
    """R1: two robots carried into one pit both fall."""
    scene("""
        +      +      +      +
          >+A^   O      <+B^
        +      +      +      +
          .      Rv     .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().rebooted("AB").at(A="1 2 S", B="1 1 S")


@pytest.mark.parametrize(("dish", "first", "second"), [("v", "A", "B"), ("^", "B", "A")])
def test_several_falls_are_taken_in_the_priority_order_of_the_cells_left(dish, first, second):
    """R8: both fall level with the antenna; the dish decides who is put down first and pushed off by the other."""
    scene(f"""
        +      +      +      +      +
          .      ^+A^   Y{dish}     ^+B^
        +      +      +      +      +
          .      .      R>     .
        +      +      +      +      +
    """).play().rebooted("AB").at(**{first: "3 1", second: "2 1"})


def test_one_belt_step_is_one_act():
    """R17a: all moves and turns, then the falls: A falls and its arrival pushes C, which has made its move before."""
    scene("""
        +      +      +      +      +
          .      >+C^   R>     .
        +      +      +      +      +
          <+A^   .      .      .
        +      +      +      +      +
    """).play().rebooted("A").shows("""
        +    +    +    +    +
          .    .    A>   C^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """)


def test_a_robot_put_down_on_a_blue_belt_takes_part_in_the_second_step():
    """R17a: a robot that rebooted takes part in later elements of that register from its new cell."""
    scene("""
        +      +      +      +
          .      .      >>+A^
        +      +      +      +
          >>+R>  .      .
        +      +      +      +
    """).play().rebooted("A").at(A="1 1")
