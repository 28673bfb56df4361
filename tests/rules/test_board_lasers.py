"""Board lasers: 2016 rulebook p. 7 and p. 13."""

import pytest

from .scene import Scene, scene


def test_a_robot_that_ends_the_register_in_a_beam_takes_one_spam():
    """p. 7, p. 13: one SPAM for each laser that hits you, starting at the pointer."""
    scene("L>  .  A^  .").play().took(A=1)


def test_the_damage_goes_to_the_discard_pile():
    """p. 13, p. 15: place it in your discard pile. In each register of the round."""
    result = scene("L>  .  A^  .").play_rounds(1, A=["power_up"] + ["turn_left"] * 3 + ["u_turn"])
    result.took(A=5).pile("discard", A=["power_up"] + ["turn_left"] * 3 + ["u_turn"] + ["spam"] * 5)


def test_a_robot_that_passes_a_beam_is_not_hit():
    """p. 8: if you move through a laser's path but do not end your move on it, you will not be hit."""
    scene("""
        +    +    +    +
          .    Lv   .
        +    +    +    +
          A>   .    .
        +    +    +    +
    """).play(A="move_2").took()


def test_a_robot_that_moves_into_a_beam_is_hit():
    """p. 13: robots who end a register in their path."""
    scene("""
        +    +    +    +
          .    Lv   .
        +    +    +    +
          A>   .    .
        +    +    +    +
    """).play(A="move_1").took(A=1)


@pytest.mark.parametrize(("laser", "spam"), [("L>", 1), ("LL>", 2), ("LLL>", 3)])
def test_each_beam_deals_one_spam(laser, spam):
    """p. 7, p. 13: one for each laser on that space; R33: every beam deals one."""
    scene(f"{laser}  A^  .").play().took(A=spam)


def test_two_crossing_lasers_both_hit():
    """p. 13: one SPAM for each laser on that space."""
    scene("""
        +    +    +    +
          .    LLv  .
        +    +    +    +
          L>   A^   .
        +    +    +    +
    """).play().took(A=3)


def test_a_beam_begins_in_the_emitters_own_cell():
    """R33; p. 13: starting at the red and white pointer. Behind it nobody is hit."""
    scene("B^  L>+A^  .").play().took(A=1)


def test_a_beam_hits_one_robot_only():
    """p. 7, p. 13: lasers cannot hit more than one robot: the first in line; R33."""
    scene("L>  .  A^  B^").play().took(A=1)


def test_all_beams_of_a_laser_hit_the_same_robot():
    """R33: one robot a beam; every beam deals one."""
    scene("LLL>  A^  B^").play().took(A=3)


def test_a_wall_stops_a_beam():
    """p. 7, p. 13: lasers cannot fire through walls; R33."""
    scene("""
        +    +    +    +    +
          L>   A^ | B^   .
        +    +    +    +    +
          L>   .  | Cv   .
        +    +    +    +    +
    """).play().took(A=1)


@pytest.mark.parametrize("wall", [{"x": 1, "sides": ["E"]}, {"x": 2, "sides": ["W"]}])
def test_a_wall_on_either_side_of_the_edge_stops_a_beam(wall):
    """R33."""
    elements = [{"kind": "wall", "y": 0, **wall}, {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 1}]
    board = {"width": 4, "height": 1, "elements": elements}
    Scene({"map": board}, {"A": (2, 0, "N")}, {}, {}).play().took()
    Scene({"map": board}, {"A": (1, 0, "N")}, {}, {}).play().took(A=1)


def test_a_wall_in_front_of_the_emitter_keeps_the_beam_in_its_cell():
    """R33: first the robot there, then the wall on the far edge."""
    scene("L>+A^ | B^  .").play().took(A=1)


def test_a_wall_beside_the_beam_does_not_stop_it():
    """R33: only the far edge counts."""
    scene("""
        +    +----+    +    +
          L>   .    A^ | .
        +    +----+----+    +
    """).play().took(A=1)


def test_the_antenna_stops_a_beam():
    """p. 7, p. 13: nor through the priority antenna."""
    scene("L>  Y^  A^  .").play().took()


def test_a_beam_crosses_pits_and_belts_and_ends_at_the_edge():
    """R33 names what stops a beam: walls, the antenna, robots."""
    scene("L>  O  <  e  A^").play().took(A=1)


def test_board_lasers_hit_rebooted_robots():
    """p. 15: you can be shot while on a reboot token; R18."""
    scene("""
        +    +    +    +
          .    .    A>
        +    +    +    +
          L>   R^   .
        +    +    +    +
    """).play(A="move_1").rebooted("A").took(A=3)


def test_all_hits_are_found_first_then_dealt():
    """R32: both robots in their beams are hit at the same time, each by the beam that reaches it first."""
    scene("L>  A^  B^  L<").play().took(A=1, B=1)


# -- lasers printed with a pointer at both ends (R33)


@pytest.mark.parametrize(("switch", "spam"), [("once", 1), ("both", 2)])
def test_a_laser_with_two_ends_hits_a_lone_robot_once(switch, spam):
    """R33: one that is nearest to both ends takes it once; the switch counts each end."""
    scene("T>  .  A^  T<", rules={"two_ended_lasers": switch}).play().took(A=spam)


@pytest.mark.parametrize("switch", ["once", "both"])
def test_a_laser_with_two_ends_hits_the_robot_nearest_to_each_end(switch):
    """R33: it fires from both ends; the one between is covered."""
    scene("T>  A^  B^  .  C^  T<", rules={"two_ended_lasers": switch}).play().took(A=1, C=1)


def test_all_beams_of_a_laser_with_two_ends_count():
    """R33: a double line deals two, once."""
    scene("TT>  A^  TT<").play().took(A=2)


def test_two_plain_lasers_that_face_each_other_are_two_lasers():
    """R33: only a line with a pointer at both ends is one laser."""
    scene("L>  A^  L<").play().took(A=2)
