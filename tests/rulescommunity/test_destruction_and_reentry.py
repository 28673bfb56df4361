"""Destruction, and coming back at the end of the round. C11."""

import pytest

from .scene import scene

EDGE = """
    +     +     +     +     +
      A^    .     R>    .
    +     +     +     +     +
      .     .     .     B>
    +     +     +     +     +
"""


def test_a_destroyed_robot_is_off_the_board_until_the_end_of_the_round():
    """Destruction: the robot will re-enter play at the end of the turn; until then it takes part in nothing."""
    scene(EDGE).play(A=["move_1", "u_turn", "power_up"], B=["turn_left", "turn_left"]).destroyed("A").has(
        "energy", A=5
    ).has("x", A=None).has("facing", A=None)  # fmt: skip


def test_it_re_enters_at_the_entry_point_with_two_damage():
    """Re-enter robots: at the entry point on the tile on which they last lived, with 2 damage tokens."""
    scene(EDGE).play_rounds(A=["move_1"], B=["turn_left"]).at(A="2 0 E").damage(A=2)


def test_the_damage_that_it_had_is_gone():
    """C11: exactly 2 damage."""
    scene(EDGE, A={"damage": 7}).play_rounds(A=["move_1"], B=["turn_left"]).damage(A=2)


@pytest.mark.parametrize("facing", "NESW")
def test_it_looks_where_the_player_wants(facing):
    """Re-enter robots: they will look in the direction the player wants to."""
    scene(EDGE).play_rounds(A=["move_1"], B=["turn_left"], answers=(f"A reboot_facing {facing}",)).at(A=f"2 0 {facing}")


def test_without_an_entry_point_it_is_its_own_start_space():
    """C11: without a token the own start space, facing as at the start (R16)."""
    scene(EDGE.replace("R>", ". ")).play_rounds(A=["move_1"], B=["turn_left"]).at(A="0 0 E")
    scene(EDGE.replace("R>", ". "), start_facing="W").play_rounds(A=["move_1"], B=["turn_left"]).at(A="0 0 W")


def test_hand_and_all_registers_are_discarded():
    """C11: locked registers too."""
    mat = {"damage": 7, "registers": ["move_1", "turn_left", "u_turn", "power_up", "turn_right"]}
    scene(EDGE, A=mat).play(1, to=1).register_cards(A=[None] * 5)
    result = scene(EDGE, A=mat).play_rounds(B=["turn_left"]).register_cards(A=[None] * 5)
    result.pile("discard", A=["move_1", "turn_left", "u_turn", "power_up", "turn_right"])


def test_upgrades_outlast_destruction():
    """C11: upgrades stay."""
    scene(EDGE, A="brakes hack").play_rounds(A=["move_2"], B=["turn_left"]).owns(A="brakes hack")


def test_a_power_down_that_was_announced_lapses():
    """C11: the announcement of power down lapses; Power up: if they had not been destroyed."""
    scene(EDGE).play_rounds(A=["move_1"], B=["turn_left"], answers=("A power_down yes", "B power_down yes")).down("B")


def test_a_robot_that_was_powered_down_comes_back_powered_up():
    """C15: destroyed meanwhile it comes back powered up, also where it announced again."""
    picture = "D1+A^   .       R>"
    result = scene(picture, A={"powered_down": True}).play_rounds(answers=("A power_down yes",))
    result.at(A="2 0 E").down("").damage(A=2)


def test_where_another_robot_stands_it_is_virtual():
    """Re-enter robots: if a robot would re-enter on the same space as another robot, they are in Virtual Mode."""
    scene("A^  .  R>+B^").play_rounds(A=["move_1"], B=["turn_left"]).at(A="2 0 E", B="2 0 W").virtual("A")


def test_of_two_that_re_enter_the_first_in_the_turn_order_is_real():
    """C11: in the order of the last turn order, behind those that were on the board when register five began."""
    picture = "A^    B^    R>"
    same = {"A": ["move_1"], "B": ["move_1"]}
    scene(picture).play_rounds(**same, order="AB").at(A="2 0", B="2 0").virtual("B")
    scene(picture).play_rounds(**same, order="BA").at(A="2 0", B="2 0").virtual("A")


def test_without_an_antenna_the_list_of_robots_is_the_order_of_re_entry():
    """Scenario files: no antenna and no order: list order. A, destroyed in register one, is still before B."""
    scene("A^  .  R>  D5+B^").play_rounds(A=["move_1"], B=["turn_left"]).at(A="2 0", B="2 0").virtual("B")


@pytest.mark.parametrize("order", ["ACB", "CAB"])
def test_a_rider_destroyed_by_a_re_entry_on_a_button_re_enters_in_the_same_clean_up(order):
    """Re-enter robots: all robots that were destroyed in this round. C4, C11: A comes back on the button, which
    switches the ramp off beneath C and destroys it. C comes back after A, wherever it is in the turn order."""
    picture = """
        +         +         +         +
          A^        .         Ba+R>
        +         +         +         +
          .         B^        R>0a+Cv
        +         +         +         +
          .         .         .
        +         +         +         +
    """
    locked = {"damage": 9, "registers": ["power_up"] * 5}
    result = scene(picture, C=locked).play_rounds(A=["move_1"], B=["turn_left"], order=order)
    result.at(A="2 0 E", C="2 0 E").virtual("C").damage(A=2, C=2).destroyed("AC")


def test_a_robot_that_comes_back_virtual_may_face_anywhere_too():
    """Re-enter robots: any facing."""
    picture = """
        +       +       +       +
          A^      .       R>+B^
        +       +       +       +
          .       .       .
        +       +       +       +
    """
    scene(picture).play_rounds(A=["move_1"], B=["turn_left"], answers=("A reboot_facing W",)).at(A="2 0 W").virtual("A")


def test_who_is_destroyed_is_not_shot_and_stops_nothing():
    """C11: it takes part in nothing; the beam passes over the cell."""
    scene("L>  .  D1+A^  B^").play().destroyed("A").damage(A=0, B=1)


def test_entry_points_of_a_course_are_those_of_its_boards():
    """C11: a plain map is one board with its first reboot token."""
    scene("A^  .  R>  Rv").play_rounds(A=["move_1"]).at(A="2 0 E")


def test_firewall_saves_the_damage_of_coming_back():
    """C11: 0 damage with Firewall."""
    scene(EDGE, A={"upgrades": ["firewall"], "damage": 5}).play_rounds(A=["move_1"], B=["turn_left"]).damage(A=0)
