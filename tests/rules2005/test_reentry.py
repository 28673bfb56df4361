"""Reentering the race: 2005 rulebook p. 9, Setup for the Next Turn; R61."""

import pytest

from .scene import dealt, scene, turns

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
FALLS = ["move_1", *TURNS[:4]]
EDGE = """
    +    +    +    +    +
      A^   .    r1   .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""


@pytest.mark.parametrize("facing", "NESW")
def test_the_player_chooses_the_direction(facing):
    """p. 9: the player chooses which direction the robot faces."""
    scene(EDGE).play_rounds(A=FALLS, answers=(f"A reboot_facing {facing}",)).at(A=f"0 0 {facing}")


def test_a_destroyed_robot_reenters_on_its_archive_marker():
    """p. 9: in the space containing its archive marker."""
    scene(EDGE, A={"archive": "2 0"}).play_rounds(A=FALLS, answers=("A reboot_facing S",)).at(A="2 0 S")


def test_at_first_the_marker_is_on_the_own_dock():
    """p. 3, set-up 5: the archive marker is put on the dock with the robot."""
    scene(".  A>  .").play_rounds(A=["move_2", *TURNS[:4]], answers=("A reboot_facing W",)).at(A="1 0 W")


def test_the_last_site_touched_is_where_it_reenters():
    """p. 8: destroyed before reaching another archive location, this is where it will reenter."""
    scene("""
        +    +    +    +    +
          A>   r1   1    .
        +    +    +    +    +
          .    .    2    .
        +    +    +    +    +
    """).play_rounds(A=["move_1", "move_1", "move_2", "u_turn", "u_turn"], answers=("A reboot_facing N",)).at(A="2 0 N")


def test_it_reenters_with_two_tokens():
    """p. 9: robots reentering the race receive 2 damage tokens; R61: in all."""
    scene(EDGE).play_rounds(A=FALLS).damage(A=2)
    scene(EDGE, A={"damage": 4}).play_rounds(A=FALLS).damage(A=2)


def test_in_the_next_turn_it_is_dealt_seven_cards():
    """p. 9: with 2 tokens."""
    assert dealt(scene(EDGE).play_rounds(2, A=FALLS), "A") == 7


def test_it_may_reenter_powered_down():
    """p. 9: for the next turn, to discard the damage tokens."""
    result = scene(EDGE).play_rounds(
        2, A=FALLS, answers=("A reboot_facing N", "A reenter_powered_down yes")
    )  # fmt: skip
    assert dealt(result, "A") == 0
    assert turns(result) == "A"
    result.damage(A=0).at(A="0 0 N").asked("A reboot_facing N", "A reenter_powered_down yes", "A stay_down no")


def test_it_still_has_its_damage_until_the_next_turn_begins():
    """p. 5, p. 9: the tokens are discarded at the beginning of the turn."""
    scene(EDGE).play_rounds(A=FALLS, answers=("A reenter_powered_down yes",)).damage(A=2)


def test_it_does_not_take_part_in_the_turn_of_its_destruction():
    """p. 8, p. 9: it re-enters in the clean-up, after all registers."""
    result = scene("A^  .  B<").play_rounds(
        A=FALLS, B=["turn_left", "turn_right", "turn_left", "turn_right", "turn_left"]
    )
    assert turns(result) == "A" + "B" * 5
    assert not result.happened("robot_laser", "A")


def test_flags_touched_before_count_on():
    """p. 8, p. 10: a robot loses a life token and an option, and no flag."""
    scene("""
        +    +    +    +
          .    A>   2
        +    +    +    +
          .    1    .
        +    +    +    +
    """, A={"checkpoint": 1, "archive": "1 1"}).play_rounds(
        A=["move_2", *TURNS[:4]], answers=("A reboot_facing N",)
    ).flags(A=1).at(A="1 1 N")  # fmt: skip


def test_who_stays_down_is_announced_before_robots_reenter():
    """p. 9, in the order of the text: first powered-down robots, then destroyed ones."""
    result = scene("""
        +    +    +    +
          A^   .    Bv
        +    +    +    +
          .    .    .
        +    +    +    +
    """, B={"powered_down": True}).play_rounds(A=FALLS, answers=("A reboot_facing N",))  # fmt: skip
    result.asked("B stay_down no", "A reboot_facing N", "A reenter_powered_down no")


def test_on_a_free_archive_space_every_direction_is_allowed():
    """p. 9: facing any direction; the rule of three spaces is for adjacent spaces."""
    scene(
        "A^  B^  ."
    ).play_rounds(A=FALLS, B=["turn_left", "turn_left", "turn_left", "turn_left", "u_turn"],
                  answers=("A reboot_facing E",)).at(A="0 0 E")  # fmt: skip
