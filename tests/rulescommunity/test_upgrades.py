"""Upgrades by community rules: one SPAM reads one damage; steps between levels. C18."""

import pytest

from roborally_env.core import cards
from roborally_env.core.editions.e2016.upgrades.policy import least_wanted_card

from .scene import scene

LINE = "A>    .     B^    .     C^"


def test_double_barrel_laser_deals_two():
    """Laser: lasers of players could deal more damage if they have special upgrade cards."""
    scene(LINE, A="double_barrel_laser").play().damage(B=2)


def test_rear_laser_shoots_backward_too():
    """C18: the 2016 card."""
    scene(LINE.replace("B^", "B>"), B="rear_laser").play(answers=("B rear_laser yes",)).damage(A=1, B=1, C=1)


def test_rail_gun_hits_all_in_line_through_walls():
    """C18: one damage for each robot, through walls and robots."""
    scene(LINE.replace("B^    .", "B^  | ."), A="rail_gun").play(answers=("A rail_gun yes",)).damage(B=1, C=1)


def test_rail_gun_hits_robots_of_its_own_level_only():
    """Levels: robots on different levels cannot fire on one another; the ledge is passed as a wall is."""
    scene("A>  1+B^  .  C^", A="rail_gun").play(answers=("A rail_gun yes",)).damage(B=0, C=1)


def test_mini_howitzer_deals_two_more_and_pushes():
    """C18: the push is a step: C falls down the ledge, which is two damage more."""
    scene("1+A>  1+B^  .", A="mini_howitzer").play(answers=("A mini_howitzer yes",)).at(B="2 0").damage(B=5)


def test_pressor_beam_pushes_down_a_ledge():
    """C18: shifts are steps by the rules of heights."""
    scene("1+A>  1+B^  .", A="pressor_beam").play(answers=("A pressor_beam yes",)).at(B="2 0").damage(B=3)


def test_pressor_beam_is_not_asked_where_a_ledge_is_in_the_way():
    """C18: from below the ledge is a wall."""
    scene("A>  B^  1", A="pressor_beam").play().asked()


def test_tractor_beam_pulls_over_a_ledge():
    """C18: B is pulled from the second level into the valley, and falls."""
    scene("1+A>  .  .  1+B^", A="tractor_beam").play(answers=("A tractor_beam yes",)).at(B="2 0").damage(B=3)


def test_a_shift_presses_a_button():
    """C4: by any means."""
    scene("""
        +        +        +        +
          A>       B^       Ba
        +        +        +        +
          .        R>0a+Cv  1
        +        +        +        +
    """, A="pressor_beam").play(answers=("A pressor_beam yes",)).at(B="2 0").damage(B=1, C=0)  # fmt: skip


def test_ramming_gear_deals_one_damage_to_the_robot_that_is_touched():
    """C18: one SPAM reads one damage token; once a card and robot."""
    scene("A<  B^  C^  .  .", A="ramming_gear").play(A="back_up").at(A="1 0", B="2 0", C="3 0").damage(B=1, C=0)


def test_ramming_gear_and_a_fall_add_up():
    """C18, Ledges: two for the ledge, one for the push."""
    scene("1+A<  1+B^  .", A="ramming_gear").play(A="back_up").at(B="2 0").damage(B=3)


def test_scrambler_leaves_locked_registers_alone():
    """C18: register two of B is not locked and replaced, or is locked with eight damage, and stays."""
    mat = {"registers": [None, "turn_left"], "draw": ["u_turn"]}
    picture = "A>    .     B^"
    scene(picture, A="scrambler", B=mat).play(1, to=1).register_cards(B=[None, "u_turn"])
    scene(picture, A="scrambler", B={**mat, "damage": 8}).play(1, to=1).register_cards(B=[None, "turn_left"])


def test_a_register_that_the_same_hit_locks_is_not_scrambled():
    """C10, C18: the damage comes first: with the eighth token register two locks."""
    mat = {"registers": [None, "turn_left"], "draw": ["u_turn"], "damage": 7}
    scene("A>  .  B^", A="scrambler", B=mat).play(1, to=1).register_cards(B=[None, "turn_left"]).damage(B=8)


def test_memory_stick_deals_one_more():
    """C13: plus one with Memory Stick."""
    draw = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn", "power_up", *["move_1"] * 3, "back_up"]
    picture = "A^    ."
    scene(picture, A={"upgrades": ["memory_stick"], "draw": draw}).play_rounds().pile("discard", A=draw)


def test_reboot_comes_back_without_damage():
    """C18: destroyed as by any other means, but it comes back without damage."""
    scene("A^  .  Rv", A={"upgrades": ["reboot"], "damage": 6}).play_rounds(
        A=["turn_left", "power_up"], answers=("A reboot yes",)
    ).at(A="2 0 S").damage(A=0).has("energy", A=5).owns(A="")  # fmt: skip


def test_hover_unit_crosses_a_pit():
    """C18: the 2016 card; the facing pit does not catch in passing."""
    scene("A>  O  .", A="hover_unit").play(A="move_2").at(A="2 0")


def test_who_hovers_over_a_pit_below_a_ledge_has_come_down_it():
    """C1, C18: two damage for each level, above the pit too."""
    scene("2+A>  O  .", A="hover_unit").play(A="move_2").at(A="2 0").damage(A=4)


def test_deflector_shield_stops_robot_lasers_only():
    """C18: the 2016 card: board lasers stay."""
    scene("""
        +     +     +     +
          A>    .     B^
        +     +     +     +
          .     .     L^
        +     +     +     +
    """, B="deflector_shield").play(answers=("B deflector_shield yes",)).damage(B=1).has("energy", B=4)  # fmt: skip


def test_deflector_shield_needs_a_robot_that_is_not_powered_down():
    """Power down: a robot uses only the upgrades that act by themselves."""
    scene("A>  .  B^", B={"upgrades": ["deflector_shield"], "powered_down": True}).play().asked().damage(B=1)


def test_deflector_shield_is_not_asked_where_nobody_can_shoot():
    """R53: the only other robot is powered down."""
    scene("A>  .  B^", A={"powered_down": True}, B="deflector_shield").play().asked().damage(B=0)


def test_boink_steps_down_a_ledge_but_is_not_offered_up():
    """C1: a step as any other."""
    picture = ".     1+A^  2"
    scene(picture, A="boink").play(A="turn_left", answers=("A boink W",)).at(A="0 0").damage(A=2)
    with pytest.raises(Exception, match="legal"):
        scene(picture, A="boink").play(A="turn_left", answers=("A boink E",))


@pytest.mark.parametrize("name", [name for name in cards.ALL_NAMES if name != "none"])
def test_memory_swap_can_put_back_a_hand_of_one_kind(name):
    """Card Index: a robot with nine damage draws three cards, of which the last may be any; the default policy knows
    them all, Heal Routine too."""
    card = cards.ALL_NAMES.index(name)
    assert least_wanted_card(1 << card) == card


def test_memory_swap_of_a_robot_without_a_hand_loses_no_card():
    """Card Index, C10: with nine damage it holds no card: it draws three, and the three go back in any order."""
    locked = ["turn_left", "turn_right", "turn_left", "turn_right", "power_up"]
    mat = {"damage": 9, "upgrades": ["memory_swap"], "registers": locked, "draw": ["move_2", "heal_routine", "move_2"]}
    result = scene("A^  .", A=mat).play_rounds(answers=("A memory_swap heal_routine move_2 move_2",))
    result.in_pile("draw", "heal_routine", A=1).in_pile("draw", "move_2", A=3).owns(A="")
