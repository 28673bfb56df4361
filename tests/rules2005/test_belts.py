"""C. Board Elements Move, conveyor belts: 2005 rulebook p. 7; R1 to R8."""

import pytest

from .scene import scene


@pytest.mark.parametrize(("belt", "place"), [(">", "1 0 N"), (">>", "2 0 N")])
def test_express_belts_move_twice_and_normal_belts_once(belt, place):
    """p. 7: first express belts, then express and normal belts move one space; R5."""
    scene(f"{belt}+A^  {belt}  {belt}  .").play().at(A=place)


@pytest.mark.parametrize(("arrow", "place"), [("^", "1 0"), (">", "2 1"), ("v", "1 2"), ("<", "0 1")])
def test_belts_move_in_the_direction_of_their_arrows(arrow, place):
    """p. 7."""
    scene(f"""
        +      +      +      +
          .      .      .
        +      +      +      +
          .      {arrow}+A>   .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A=place)


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


def test_a_robot_that_left_the_belts_is_carried_no_more():
    """p. 7: belts move robots that are on them."""
    scene(">>+A^  .  .").play().at(A="1 0 N")


def test_a_robot_that_moves_across_a_belt_is_not_carried():
    """p. 7: board elements move after the robots."""
    scene("""
        +    +    +    +
          A>   vv   .
        +    +    +    +
          .    vv   .
        +    +    +    +
    """).play(A="move_2").at(A="2 0")


def test_a_line_of_robots_on_a_belt_moves_together():
    """p. 7: all robots on a conveyor belt are moved simultaneously; R1."""
    scene("""
        >+A^  >+B^  >+C^  .
    """).play().shows("""
        .     A^    B^    C^
    """)


# -- robots in each other's way


def test_robots_on_converging_belts_both_stay():
    """p. 7, the first picture: two belts converge onto the same space, and both robots remain."""
    picture = """
        +      +      +      +
          >+A^   v      <+Bv
        +      +      +      +
          .      .      .
        +      +      +      +
    """
    scene(picture).play().shows(picture)


def test_a_belt_onto_another_robots_space_does_not_move():
    """p. 7, the second picture: the robot on the belt stays there."""
    picture = ".  >+A^  Bv"
    scene(picture).play().shows(picture)


def test_robots_on_belts_that_end_on_one_floor_space_both_stay():
    """p. 7; R1: a cell wanted by two or more sends all belt movers home, plain floor too."""
    picture = ">+A^  .  <+Bv"
    scene(picture).play().shows(picture)


def test_three_robots_that_want_one_space_all_stay():
    """R1."""
    picture = """
        +      +      +      +
          >+A^   v      <+Bv
        +      +      +      +
          .      ^+C>   .
        +      +      +      +
    """
    scene(picture).play().shows(picture)


def test_a_block_runs_back_down_the_line():
    """R1: a robot sent home wants its own cell."""
    picture = ">+A^  >+B^  >+C^  Dv"
    scene(picture).play().shows(picture)


def test_a_block_runs_back_from_a_merge():
    """R1: B and C want one cell and stay, so A behind B stays too."""
    picture = """
        +      +      +      +      +
          >+A^   >+B^   v      <+Cv
        +      +      +      +      +
          .      .      .      .
        +      +      +      +      +
    """
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


@pytest.mark.parametrize(("speed", "after"), [(1, "ABCD"), (2, "DABC")])
def test_a_full_ring_advances(speed, after):
    """R2: a closed ring of belts full of robots advances; R6: each turns at each corner."""
    right, down, left, up = (arrow * speed for arrow in ">v<^")
    result = scene(f"""
        +      +      +
          {right + "+A^":<7}{down + "+B^":<7}
        +      +      +
          {up + "+D^":<7}{left + "+C^":<7}
        +      +      +
    """).play()
    corners = ["1 0", "1 1", "0 1", "0 0"]  # clockwise from where A goes by one step
    result.at(**dict(zip(after, corners, strict=True)))
    assert {facing for _, _, facing in result.robots.values()} == {"E" if speed == 1 else "S"}


def test_belts_that_face_each_other_do_not_exchange_robots():
    """p. 7: if it's not clear, don't move either robot; R3."""
    picture = ".  >+A^  <+Bv"
    scene(picture).play().shows(picture)


def test_the_follower_of_a_robot_that_cannot_swap_stays_too():
    """R3, then R1 again."""
    picture = ">+A^  >+B^  <+Cv"
    scene(picture).play().shows(picture)


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
