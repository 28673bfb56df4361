"""Virtual mode: what acts on a virtual robot, what does not, and when it is real again. C12.

B is real and a small letter is a virtual robot on its cell.
"""

import pytest

from .scene import scene


def test_a_virtual_robot_is_real_as_soon_as_it_is_alone():
    """Virtual Mode: as soon as the robot no longer shares a space with another robot, it becomes real."""
    scene("a>+B^  .  .").play(A="move_1").at(A="1 0", B="0 0").virtual("")


def test_a_virtual_robot_stays_so_while_it_shares_its_space():
    """Virtual Mode: as long as they share a space with another robot."""
    scene("a>+B^  .  .").play(A="turn_left").virtual("A")


def test_when_the_real_robot_leaves_the_virtual_one_is_real():
    """Virtual Mode: whoever of the two leaves."""
    scene("a^+B>  .  .").play(B="move_1").at(B="1 0", A="0 0").virtual("")


def test_two_virtual_robots_on_one_cell_stay_virtual():
    """C12: virtual ones count: B has left, A and C share the cell; when C leaves both are real."""
    result = scene("a^+B>+c^  .  .").play(B="move_1")
    result.virtual("AC")
    scene("""
        +          +          +          +
          a^+B>+cv   .          .
        +          +          +          +
          .          .          .
        +          +          +          +
    """).play(B="move_1", C="move_1").virtual("").at(C="0 1")


def test_a_virtual_robot_does_not_push():
    """C12: it moves into occupied cells freely, and becomes real where it is alone."""
    scene("a>+B^  C^  .  .").play(A="move_2").at(A="2 0", B="0 0", C="1 0").virtual("")
    scene("a>+B^  C^  .  .").play(A="move_1").at(A="1 0", C="1 0").virtual("A")


def test_a_virtual_robot_that_became_real_in_mid_move_pushes():
    """C12: real after the step onto the free cell, so the next step pushes C."""
    scene("a>+B^  .  C^  .").play(A="move_2").at(A="2 0", C="3 0")


def test_a_virtual_robot_is_not_pushed():
    """C12: C pushes B alone; A is real then and in the way of nobody."""
    scene("C<  a^+B^  .  .").play(C="back_up").at(C="1 0", A="1 0", B="2 0").virtual("A")


def test_a_virtual_robot_stays_so_where_side_arms_push_the_other_one_aside():
    """R17a: the push to the side and the step are one act, so B's cell is never A's alone."""
    picture = """
        +        +        +        +
          .        .        .
        +        +        +        +
          C>       a^+B^    .
        +        +        +        +
          .        .        .
        +        +        +        +
    """
    result = scene(picture, C="side_arms").play(C="move_1", answers=("C side_arms right",))
    result.at(B="1 2", C="1 1", A="1 1").virtual("A")


def test_a_virtual_robot_blocks_nobody():
    """C12: C comes onto the cell of two virtual robots, by a belt and by a card."""
    scene(">+C^  a^+b^  .").play().at(C="1 0").virtual("AB")
    scene("C<  a^+b^  .").play(C="back_up").at(C="1 0").virtual("AB")


def test_walls_and_ledges_from_below_stop_a_virtual_robot():
    """C12: heights and walls as ever."""
    scene("""
        +        +        +
          a>+B^  | .
        +        +        +
          c>+D^    1
        +        +        +
    """).play(A="move_1", C="move_1").at(A="0 0", C="0 1")


def test_a_ledge_does_no_damage_to_a_virtual_robot():
    """C12: no damage from ledges."""
    scene("2+a>+B^  .").play(A="move_1").at(A="1 0").virtual("").damage(A=0)


def test_a_ledge_onto_an_occupied_cell_is_open_to_a_virtual_robot():
    """C12: no ledge keeps it from the cell of another."""
    scene("1+a>+B^  C^").play(A="move_1").at(A="1 0").virtual("A").damage(A=0)


def test_a_virtual_robot_does_not_shoot_and_is_not_shot():
    """Virtual Mode: it does not interact with anything but non-damaging board elements."""
    scene("a>+B^  .  C<").play().damage(A=0, B=1, C=0)


def test_a_virtual_robot_stops_no_beam():
    """C7: virtual robots are not hit and stop nothing."""
    scene("L>  a^+b^  C^").play().damage(A=0, B=0, C=1)


def test_board_lasers_hit_the_real_robot():
    """C12: of the two on a cell the real one."""
    scene("L>  a^+B^").play().damage(A=0, B=1)


def test_stompers_do_nothing_to_a_virtual_robot():
    """C12: neither damage nor the turn order."""
    scene("S1+a^+B^  .").play().damage(A=0, B=2)


def test_a_stomp_does_not_make_a_virtual_robot_act_last():
    """C12: nor the turn order: A, virtual on the stomper, still moves before C, and C pushes it on."""
    scene("""
        +            +            +            +
          .            S1+av+Bv     .
        +            +            +            +
          C>           .            .
        +            +            +            +
          .            .            .
        +            +            +            +
    """).play(A=["power_up", "move_1"], C=["power_up", "move_1"], order="ACB").at(A="2 1", C="1 1", B="1 0")


def test_a_rider_left_alone_on_a_ramp_is_real_when_the_button_acts():
    """C12: real after the step: B presses the button of the ramp on which it leaves A."""
    scene("Ba  R>0a+a^+B<  1").play(B="move_1").at(A="1 0", B="0 0").virtual("").damage(A=1)


def test_radiation_does_nothing_to_a_virtual_robot():
    """C12: it is real only after the round."""
    scene("*+a^+B^  .").play_rounds(A=["turn_left"], B=["turn_left"]).damage(A=0, B=1)


def test_a_ramp_that_is_switched_off_does_nothing_to_a_virtual_rider():
    """C12: ramps switched off; the real rider B takes its damage."""
    scene("""
        +            +            +            +
          C>           Ba           .
        +            +            +            +
          .            R>0a+av+Bv   1
        +            +            +            +
    """).play(C="move_1").damage(A=0, B=1)


@pytest.mark.parametrize(("cell", "places"), [
    (">+a^+B^", ("1 0 N", "1 0 N")),
    ("cw+a^+B^", ("0 0 E", "0 0 E")),
    ("P>1+a^+B^", ("1 0 N", "2 0 N")),  # B is pushed first; A, real then, is pushed against it
])  # fmt: skip
def test_belts_pushers_and_gears_act_on_a_virtual_robot(cell, places):
    """C12: belts, gears, pushers act on it, here on both."""
    scene(f"{cell}  .  .").play(order="BA").at(A=places[0], B=places[1])


def test_in_belts_a_virtual_robot_conflicts_with_nobody():
    """C12: A is carried onto the cell where C stands, B is not."""
    scene(">+a^+B^  C^").play().at(A="1 0", B="0 0", C="1 0").virtual("A")


def test_a_virtual_robot_slides_down_a_ramp():
    """C8, C12: B goes first; A is real then, so it does not slide onto B. Still virtual it does."""
    scene(".  R>0+a^+B^  1").play(order="BA").at(A="1 0", B="0 0").virtual("")
    scene("C^  R>0+a^+B^  1").play(order="BAC").at(A="0 0", B="1 0", C="0 0").virtual("A")


def test_a_virtual_robot_presses_buttons():
    """C12: buttons act on it."""
    scene("""
        +            +            +            +
          a>+B^        Ba           .
        +            +            +            +
          .            R>0a+Cv      1
        +            +            +            +
    """).play(A="move_1").at(C="1 1").damage(C=1)


def test_a_virtual_robot_pays_in_puddles():
    """C12: puddles act on it."""
    scene("~+a>+B^  .  .").play(A="move_2").at(A="1 0")


def test_a_virtual_robot_takes_energy():
    """C12: energy acts on it: in register five both get a cube from the bank."""
    scene("e+a^+B^  .").play(5).has("energy", A=6, B=6)


def test_a_virtual_robot_reaches_checkpoints():
    """Rulings: a virtual robot reaches checkpoints."""
    scene("a^+B^+F1  .  F2").play().checkpoints(A=1, B=1).virtual("A")


@pytest.mark.parametrize("way", ["pit", "edge", "trapdoor"])
def test_pits_the_edge_and_trapdoors_destroy_a_virtual_robot(way):
    """C12: pits, the edge and active trapdoors destroy it as any robot."""
    cells = {"pit": "a>+B^  O", "edge": "a^+B>  .", "trapdoor": "D1+a^+B^  ."}[way]
    result = scene(cells).play(A="turn_left" if way == "trapdoor" else "move_1")
    result.destroyed("AB" if way == "trapdoor" else "A").damage(A=0, B=0)


def test_a_virtual_robot_is_real_when_the_other_is_destroyed():
    """Virtual Mode: as soon as it no longer shares a space: B is stomped to destruction, A is then hit by the laser."""
    scene("L>  S1+a^+B^", B={"damage": 8}).play().destroyed("B").virtual("").damage(A=1, B=10)


def test_upgrades_of_a_virtual_robot_that_shoot_or_push_do_nothing():
    """C12: its weapons do nothing."""
    scene("C^  a>+B^  D^", A="rear_laser double_barrel_laser ramming_gear").play(A="move_1").damage(B=0, C=0, D=0)
