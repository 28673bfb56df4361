"""Upgrades of the robot laser: 2016 rulebook, Card Index; R46, R47, R50.

Double Barrel Laser, Rail Gun, Rear Laser, Mini Howitzer, Pressor Beam, Tractor Beam, Scrambler, Trojan Needler, Blue
Screen of Death, Corruption Wave, Deflector Shield. The other robots look away unless they are to shoot.
"""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene
from .test_damage_cards import deck_without

NEAR = ".  A>  B^  ."
FAR = "A>  .  B^  ."
LINE = "A>  B^  .  C^  ."
AROUND = ".  C^  .  A>  B^  ."
WALL_BEHIND = ".  A>  B^ | ."
# B stands before a pit; the token is out of the line of fire
BRINK = """
    +    +    +    +
      A>   B^   O
    +    +    +    +
      R>   .    .
    +    +    +    +
"""
YES_PRESSOR = ("A pressor_beam yes",)
YES_TRACTOR = ("A tractor_beam yes",)
YES_HOWITZER = ("A mini_howitzer yes",)


# -- Double Barrel Laser


def test_double_barrel_laser_deals_one_more():
    """Card Index: deal one additional SPAM damage card to any robot you shoot."""
    scene(FAR, A="double_barrel_laser").play().took(B=2).asked()


def test_double_barrel_laser_counts_for_each_robot_that_is_shot():
    """Card Index: any robot you shoot: two by a Rail Gun."""
    scene(LINE, A="double_barrel_laser rail_gun").play(answers=("A rail_gun yes",)).took(B=2, C=2)


def test_double_barrel_laser_is_no_better_for_board_lasers_and_pushes():
    """Card Index: robots you shoot. A backs into B, which comes into the beam of a board laser."""
    scene(".  A<  B^  Lv", A="double_barrel_laser").play(A="back_up").took(B=1)


# -- Rail Gun


def test_rail_gun_shoots_through_robots():
    """Card Index: through any number of walls and/or robots; each takes one SPAM."""
    scene("A>  B^  C^  .  D^", A="rail_gun").play(answers=("A rail_gun yes",)).took(B=1, C=1, D=1)


def test_rail_gun_shoots_through_walls():
    """Card Index: any number of walls."""
    scene("A> | . | B^ | C^", A="rail_gun").play(answers=("A rail_gun yes",)).took(B=1, C=1)


def test_rail_gun_is_a_may():
    """Card Index: you may; R53: it is asked. Without it the shot ends at the first robot, or at the wall."""
    scene(LINE, A="rail_gun").play().asked("A rail_gun no").took(B=1)
    scene("A> | B^", A="rail_gun").play().asked("A rail_gun no").took()


@pytest.mark.parametrize("row", ["A>  B^  .", "A>  .  .", "A>  . | .", "A>  B^ | ."])
def test_rail_gun_is_not_asked_where_it_hits_nobody_else(row):
    """R53: a choice that changes nothing."""
    scene(row, A="rail_gun").play().asked()


def test_rail_gun_stops_at_the_antenna():
    """R50."""
    scene("A>  B^  C^  Yv  D^", A="rail_gun").play(answers=("A rail_gun yes",)).took(B=1, C=1)
    scene("A>  B^  Yv  D^", A="rail_gun").play().asked().took(B=1)


def test_rail_gun_is_asked_in_every_register():
    """Card Index: when you shoot."""
    scene(LINE, A="rail_gun").play(to=2, answers=("A rail_gun no", "A rail_gun yes")).took(B=2, C=1)


def test_rail_gun_does_not_shoot_at_the_side():
    """Card Index: the line of fire only."""
    scene("""
        +    +    +    +
          A>   B^   C^
        +    +    +    +
          .    Dv   Fv
        +    +    +    +
    """, A="rail_gun").play(answers=("A rail_gun yes",)).took(B=1, C=1)  # fmt: skip


# -- Rear Laser


def test_rear_laser_shoots_backward_as_well():
    """Card Index: your robot may shoot backward as well as forward."""
    scene(AROUND, A="rear_laser").play(answers=("A rear_laser yes",)).took(B=1, C=1)


def test_rear_laser_is_a_may():
    """Card Index: may; R53: it is asked."""
    scene(AROUND, A="rear_laser").play().asked("A rear_laser no").took(B=1)


@pytest.mark.parametrize("row", [".  .  A>  B^", "C^ | .  A>  B^", "C^  Yv  A>  B^"])
def test_rear_laser_is_not_asked_where_nobody_is_behind(row):
    """R53; R33: a wall and the antenna stop it."""
    scene(row, A="rear_laser").play().asked().took(B=1)


def test_rear_laser_hits_the_first_robot():
    """p. 14: as every robot laser."""
    scene("D^  C^  .  A>", A="rear_laser").play(answers=("A rear_laser yes",)).took(C=1)


def test_rail_gun_holds_for_the_shot_backward_too():
    """Card Index: one question for both shots, asked before Rear Laser."""
    picture = "D^  C^ | A>  B^  F^"
    answers = ("A rail_gun yes", "A rear_laser yes")
    scene(picture, A="rail_gun rear_laser").play(answers=answers).asked(*answers).took(B=1, C=1, D=1, F=1)
    answers = ("A rail_gun yes", "A rear_laser no")
    scene(picture, A="rail_gun rear_laser").play(answers=answers).asked(*answers).took(B=1, F=1)
    # the wall stops a shot without Rail Gun
    scene(picture, A="rail_gun rear_laser").play().asked("A rail_gun no").took(B=1)


def test_rail_gun_may_be_of_use_to_the_rear_laser_only():
    """R53: it would change whom the backward shot hits."""
    answers = ("A rail_gun yes", "A rear_laser yes")
    scene("D^  C^  A>  .", A="rail_gun rear_laser").play(answers=answers).asked(*answers).took(C=1, D=1)


def test_the_other_weapons_work_backward():
    """Card Index: it is a shot. The push is along the shot, away from A."""
    answers = ("A rear_laser yes", "A pressor_beam no", "A pressor_beam yes")
    result = scene(AROUND, A="double_barrel_laser pressor_beam rear_laser").play(answers=answers)
    result.asked(*answers).took(B=2, C=2).at(C="0 0", B="4 0")


# -- Mini Howitzer


def test_mini_howitzer_deals_two_more_and_pushes():
    """Card Index: pay one energy to deal two additional SPAM, and push one space in the direction you are shooting."""
    result = scene(FAR, A="mini_howitzer").play(answers=YES_HOWITZER)
    result.asked(*YES_HOWITZER).took(B=3).at(B="3 0 N").has("energy", A=4)


def test_mini_howitzer_is_a_may():
    """Card Index: you may pay."""
    scene(FAR, A="mini_howitzer").play().asked("A mini_howitzer no").took(B=1).at(B="2 0").has("energy", A=5)


def test_mini_howitzer_needs_energy():
    """Card Index, R53."""
    scene(FAR, A={"upgrades": ["mini_howitzer"], "energy": 0}).play().asked().took(B=1)


def test_mini_howitzer_fires_once_a_register():
    """Card Index, R50: asked for the nearest target first, and for the other only if it was not used."""
    upgrades = "mini_howitzer rail_gun"
    answers = ("A rail_gun yes", "A mini_howitzer yes")
    scene(LINE, A=upgrades).play(answers=answers).asked(*answers).took(B=3, C=1).at(B="2 0", C="3 0")
    answers = ("A rail_gun yes", "A mini_howitzer no", "A mini_howitzer yes")
    scene(LINE, A=upgrades).play(answers=answers).asked(*answers).took(B=1, C=3).at(B="1 0", C="4 0")


def test_mini_howitzer_fires_again_in_the_next_register():
    """Card Index: once per register; each time for an energy cube."""
    result = scene("A>  B^  .  .  .", A={"upgrades": ["mini_howitzer"], "energy": 2}).play(
        to=3, answers=YES_HOWITZER * 2
    )
    result.asked(*YES_HOWITZER * 2).took(B=3 + 3 + 1).at(B="3 0").has("energy", A=0)


def test_mini_howitzer_against_a_wall_deals_its_cards():
    """Card Index; R10: the push is blocked, the SPAM is not."""
    scene(WALL_BEHIND, A="mini_howitzer").play(answers=YES_HOWITZER).took(B=3).at(B="2 0").has("energy", A=4)


def test_mini_howitzer_into_a_pit():
    """Card Index; p. 15: three SPAM of the shot, two of the reboot."""
    scene(BRINK, A="mini_howitzer").play(answers=YES_HOWITZER).rebooted("B").took(B=5).at(B="0 1 E")


def test_mini_howitzer_pushes_a_row():
    """R50: an ordinary push of the line; C was not shot."""
    scene("A>  B^  C^  .", A="mini_howitzer").play(answers=YES_HOWITZER).took(B=3).at(B="2 0", C="3 0")


# -- Pressor Beam


def test_pressor_beam_pushes_the_target_away():
    """Card Index: you may push any robot you shoot one space in the direction you are shooting."""
    scene(FAR, A="pressor_beam").play(answers=YES_PRESSOR).asked(*YES_PRESSOR).took(B=1).at(B="3 0 N", A="0 0")


def test_pressor_beam_is_a_may():
    """Card Index."""
    scene(FAR, A="pressor_beam").play().asked("A pressor_beam no").took(B=1).at(B="2 0")


def test_pressor_beam_is_not_asked_where_the_push_is_blocked():
    """R53, R10."""
    scene(WALL_BEHIND, A="pressor_beam").play().asked().took(B=1)


def test_pressor_beam_may_push_into_a_pit():
    """p. 14, p. 15: B takes one SPAM of the shot and two of the reboot, at once."""
    result = scene(BRINK, A="pressor_beam").play(answers=YES_PRESSOR)
    result.rebooted("B").took(B=3).asked(*YES_PRESSOR, "B reboot_facing E")


def test_pressor_beam_may_push_off_the_board():
    """p. 14."""
    scene("""
        +    +    +
          A>   B^
        +    +    +
          R>   .
        +    +    +
    """, A="pressor_beam").play(answers=YES_PRESSOR).rebooted("B").took(B=3).at(B="0 1 E")  # fmt: skip


def test_pressor_beam_pushes_a_row():
    """R50: an ordinary push; C falls off at its end."""
    scene("""
        +    +    +    +
          A>   B^   C^
        +    +    +    +
          R>   .    .
        +    +    +    +
    """, A="pressor_beam").play(answers=YES_PRESSOR).rebooted("C").took(B=1, C=2).at(B="2 0", C="0 1 E")  # fmt: skip


def test_a_pushed_robot_takes_the_energy_where_it_comes_to_stand():
    """p. 7, Activation Order: energy spaces come after robot lasers."""
    scene("A>  B^  e*", A="pressor_beam").play(answers=YES_PRESSOR).has("energy", B=6)


def test_a_pushed_robot_reaches_the_checkpoint_where_it_comes_to_stand():
    """p. 7, p. 8; R37: however the robot got there."""
    scene("A>  B^  1  2", A="pressor_beam").play(answers=YES_PRESSOR).has("checkpoint", B=1)


def test_pushes_come_after_all_hits():
    """R32: C shoots B too, before A pushes it out of C's line."""
    scene("""
        +    +    +    +
          A>   B^   .
        +    +    +    +
          .    C^   .
        +    +    +    +
    """, A="pressor_beam").play(answers=YES_PRESSOR).took(B=2).at(B="2 0")  # fmt: skip


def test_pushes_are_made_in_priority_order():
    """R32, R94: B is pushed by A and then, on its new place, by C, in the directions of the shots."""
    picture = """
        +    +    +    +
          .    .    .
        +    +    +    +
          A>   B>   .
        +    +    +    +
          .    C^   .
        +    +    +    +
    """
    answers = ("A pressor_beam yes", "C pressor_beam yes")
    scene(picture, A="pressor_beam", C="pressor_beam").play(order="ABC", answers=answers).asked(*answers).at(B="2 0")
    result = scene(picture, A="pressor_beam", C="pressor_beam").play(order="CBA", answers=answers)
    result.asked(*answers[::-1]).at(B="2 0")


def test_a_robot_that_was_pushed_into_a_pit_makes_no_push():
    """R48, R32: B has shot A, but it reboots before its own Pressor Beam would come."""
    picture = """
        +    +    +    +    +
          .    A>   B<   O
        +    +    +    +    +
          .    .    .    R>
        +    +    +    +    +
    """
    result = scene(picture, A="pressor_beam", B="pressor_beam").play(order="AB", answers=YES_PRESSOR)
    result.asked(*YES_PRESSOR, "B reboot_facing E").took(A=1, B=3).at(A="1 0")
    result = scene(picture, A="pressor_beam", B="pressor_beam").play(
        order="BA", answers=("B pressor_beam yes", *YES_PRESSOR)
    )
    result.asked("B pressor_beam yes", *YES_PRESSOR, "B reboot_facing E").took(A=1, B=3).at(A="0 0")


def test_a_target_that_has_rebooted_since_the_shot_is_not_pushed():
    """R50: C's shot hit B too, but B is no longer where it was shot."""
    result = scene("""
        +    +    +    +
          A>   B<   O
        +    +    +    +
          R>   C^   .
        +    +    +    +
    """, A="pressor_beam", C="pressor_beam").play(order="ACB", answers=YES_PRESSOR)  # fmt: skip
    result.asked(*YES_PRESSOR, "B reboot_facing E").took(A=1, B=2 + 2).at(B="0 1 E")


# -- Tractor Beam


def test_tractor_beam_pulls_the_target():
    """Card Index: you may pull it toward you one space."""
    scene(FAR, A="tractor_beam").play(answers=YES_TRACTOR).asked(*YES_TRACTOR).took(B=1).at(B="1 0 N", A="0 0")


def test_tractor_beam_is_a_may():
    """Card Index."""
    scene(FAR, A="tractor_beam").play().asked("A tractor_beam no").took(B=1).at(B="2 0")


def test_tractor_beam_may_not_be_used_on_adjacent_robots():
    """Card Index; R53."""
    scene(NEAR, A="tractor_beam").play().asked().took(B=1)


def test_tractor_beam_works_over_any_distance():
    """R35; one space, not more."""
    scene("A>  .  .  .  .  B^", A="tractor_beam").play(answers=YES_TRACTOR).at(B="4 0")


def test_tractor_beam_may_pull_into_a_pit():
    """R50: an ordinary step; lasers cross pits (R35)."""
    scene("""
        +    +    +    +    +
          A>   .    O    B^
        +    +    +    +    +
          R>   .    .    .
        +    +    +    +    +
    """, A="tractor_beam").play(answers=YES_TRACTOR).rebooted("B").took(B=3).at(B="0 1 E")  # fmt: skip


def test_a_pull_pushes_nobody():
    """R50: by a Rail Gun's shot C could be pulled, but B stands in the way, so A is not asked for C (R53)."""
    result = scene("A>  .  B^  C^", A="rail_gun tractor_beam").play(answers=("A rail_gun yes", "A tractor_beam no"))
    result.asked("A rail_gun yes", "A tractor_beam no").took(B=1, C=1)


def test_a_pull_makes_room_for_the_next():
    """R50: nearest first; when C's turn comes, B has left the space."""
    answers = ("A rail_gun yes", "A tractor_beam yes", "A tractor_beam yes")
    scene("A>  .  B^  C^", A="rail_gun tractor_beam").play(answers=answers).asked(*answers).at(B="1 0", C="2 0")


def test_a_wall_stops_a_pull():
    """R50, R53: Rail Gun shoots through the wall, the pull does not go through it."""
    result = scene("A>  . | B^", A="rail_gun tractor_beam").play(answers=("A rail_gun yes",))
    result.asked("A rail_gun yes").took(B=1).at(B="2 0")


def test_tractor_beam_works_backward():
    """Card Index, Rear Laser: against the shot, which is towards A."""
    answers = ("A rear_laser yes", *YES_TRACTOR)
    scene(AROUND, A="rear_laser tractor_beam").play(answers=answers).asked(*answers).at(C="2 0", B="4 0")


def test_distances_are_those_of_the_shot():
    """R50: as the shot found B, though C has pushed it away since: first two spaces before A, then next to it."""
    answers = ("C pressor_beam yes", "A tractor_beam yes")
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   .    B^   .
        +    +    +    +    +
          .    .    C^   .
        +    +    +    +    +
    """, A="tractor_beam", C="pressor_beam").play(order="CAB", answers=answers).at(B="1 0")  # fmt: skip
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    A>   B^   .
        +    +    +    +    +
          .    .    C^   .
        +    +    +    +    +
    """, A="tractor_beam", C="pressor_beam").play(order="CAB", answers=answers[:1])  # fmt: skip
    result.asked(*answers[:1]).at(B="2 0")


# -- one shift a hit


def test_a_target_is_shifted_once():
    """R50: of Pressor, Tractor and Howitzer one shift a hit. They are asked in this order."""
    everything = "mini_howitzer pressor_beam tractor_beam"
    for answers, place in (
        (("A mini_howitzer yes",), "3 0"),
        (("A mini_howitzer no", "A pressor_beam yes"), "3 0"),
        (("A mini_howitzer no", "A pressor_beam no", "A tractor_beam yes"), "1 0"),
        (("A mini_howitzer no", "A pressor_beam no", "A tractor_beam no"), "2 0"),
    ):
        scene(FAR, A=everything).play(answers=answers).asked(*answers).at(B=place)


def test_each_hit_has_its_own_shift():
    """R50: ahead before behind; A pushes B away and pulls C."""
    answers = ("A rear_laser yes", "A pressor_beam yes", "A pressor_beam no", "A tractor_beam yes")
    scene(AROUND, A="pressor_beam rear_laser tractor_beam").play(answers=answers).asked(*answers).at(B="5 0", C="2 0")


def test_hits_ahead_come_nearest_first():
    """R50: questions and shifts in that order. B is pushed first, then C from where B has pushed it."""
    answers = ("A rail_gun yes", "A pressor_beam yes", "A pressor_beam yes")
    scene("A>  B^  C^  .  .", A="pressor_beam rail_gun").play(answers=answers).asked(*answers).at(B="2 0", C="4 0")


# -- Scrambler


def test_scrambler_replaces_the_card_of_the_next_register():
    """Card Index: that player replaces the card in their next register with the top card of their deck."""
    mat = {"draw": ["power_up"]}
    result = scene(NEAR, A="scrambler", B=mat).play_rounds(
        A=["power_up", "u_turn"], B=["turn_left", "move_3", "turn_right"]
    )
    result.asked().at(B="2 0 N").has("energy", B=6).in_pile("discard", "move_3", B=1)


def test_scrambler_leaves_an_empty_register_empty():
    """Card Index: it replaces a card."""
    result = scene(NEAR, A="scrambler", B={"draw": ["power_up"]}).play(to=2, B=["turn_left"])
    assert not result.drawn("B")
    result.has("energy", B=5)


@pytest.mark.parametrize(("register", "drawn"), [(3, ["power_up"]), (4, ["power_up"]), (5, [])])
def test_scrambler_works_in_registers_one_to_four(register, drawn):
    """R47: register five too when the hit is in four; in five it does nothing."""
    program = ["turn_left", "turn_right"] * 2 + ["turn_left"]
    result = scene(NEAR, A="scrambler", B={"draw": ["power_up"]}).play(register, B=program, to=register)
    assert result.drawn("B") == drawn
    if drawn:
        assert result.robot("B")["registers"][register] == "power_up"


def test_scrambler_scrambles_every_robot_that_is_shot():
    """Card Index: if you attack a robot; by Rail Gun two."""
    result = scene(LINE, A="rail_gun scrambler", B={"draw": ["power_up"]}, C={"draw": ["u_turn"]}).play(
        B=["turn_left", "turn_right"], C=["turn_left", "turn_right"], to=1, answers=("A rail_gun yes",)
    )
    result.register_cards(B=["turn_left", "power_up"], C=["turn_left", "u_turn"])


def test_two_scramblers_replace_twice():
    """Card Index: each attack; the first replacement goes to the discard pile."""
    scene("A>  B^  C<", A="scrambler", C="scrambler", B={"draw": ["power_up", "u_turn"]}).play(
        B=["turn_left", "turn_right"], to=1
    ).register_cards(B=["turn_left", "u_turn"])


def test_scrambler_is_not_for_pushes():
    """R47: attack means a shot."""
    result = scene("A<  B^  .", A="scrambler", B={"draw": ["power_up"]}).play(
        A=["back_up"], B=["turn_left", "turn_right"], to=1
    )
    result.register_cards(B=["turn_left", "turn_right"])


def test_a_scrambled_register_is_a_damage_register_by_what_lies_there():
    """R47: what lies in a register when it begins is what counts for R25a."""
    # a SPAM is placed in register two: the Again in register three draws
    result = scene(NEAR, A="scrambler", B={"draw": ["spam", "power_up", "u_turn"]}).play(
        A=["power_up", "u_turn"], B=["turn_left", "turn_left", "again"]
    )
    assert result.drawn("B") == ["spam", "power_up", "u_turn"]
    result.at(B="2 0 E")
    # a SPAM is taken out of register two: the Again in register three repeats
    result = scene(NEAR, A="scrambler", B={"draw": ["turn_left", "u_turn"]}).play(
        A=["power_up", "u_turn"], B=["turn_left", "spam", "again"]
    )
    assert result.drawn("B") == ["turn_left"]
    result.at(B="2 0 E")


def test_scrambler_takes_a_damage_card_to_the_discard_pile():
    """Card Index: it is discarded, not played: it stays the player's."""
    result = scene(NEAR, A="scrambler", B={"draw": ["power_up"]}).play_rounds(
        A=["power_up", "u_turn"], B=["turn_left", "worm"]
    )
    result.rebooted("").in_pile("discard", "worm", B=1)


def test_scrambler_shuffles_the_discards_where_the_deck_is_empty():
    """R26: a card is needed. The card just discarded and the SPAM of the shot are among them."""
    rest = deck_without("turn_left", "turn_right")
    result = scene(NEAR, A="scrambler", B={"discard": rest}).play(B=["turn_left", "turn_right"], to=1)
    (shuffle,) = result.happened("shuffle", "B")
    assert shuffle["cards"] == len(rest) + 2


def test_what_corruption_wave_puts_on_the_deck_scrambler_lays_out():
    """Card Index: the hit's cards first, then Scrambler: the SPAM comes straight into register two."""
    result = scene(NEAR, A="corruption_wave scrambler").play(
        B=["turn_right", "turn_left"], to=1, answers=("A corruption_wave yes",)
    )
    result.register_cards(B=["turn_right", "spam"]).took(B=1)


# -- Trojan Needler, Blue Screen of Death, Corruption Wave on a hit


def test_trojan_needler_shoots_a_trojan_horse():
    """Card Index: in the form of one Trojan horse damage card instead of one SPAM damage card."""
    scene(FAR, A="trojan_needler").play().took(B={"trojan_horse": 1}).asked()


def test_trojan_needler_stands_for_the_first_spam_only():
    """R46: the first SPAM of a hit is a Trojan Horse."""
    scene(FAR, A="double_barrel_laser trojan_needler").play().took(B={"trojan_horse": 1, "spam": 1})
    result = scene(FAR, A="double_barrel_laser mini_howitzer trojan_needler").play(answers=YES_HOWITZER)
    result.took(B={"trojan_horse": 1, "spam": 3})


def test_trojan_needler_counts_for_each_robot_that_is_shot():
    """Card Index, Rail Gun, Rear Laser."""
    result = scene(LINE, A="rail_gun trojan_needler").play(answers=("A rail_gun yes",))
    result.took(B={"trojan_horse": 1}, C={"trojan_horse": 1})
    result = scene(AROUND, A="rear_laser trojan_needler").play(answers=("A rear_laser yes",))
    result.took(B={"trojan_horse": 1}, C={"trojan_horse": 1})


def test_blue_screen_of_death_shoots_a_worm_at_an_adjacent_robot():
    """Card Index: you may give that player one worm damage card instead of one SPAM damage card."""
    answers = ("A blue_screen_of_death yes",)
    scene(NEAR, A="blue_screen_of_death").play(answers=answers).asked(*answers).took(B={"worm": 1}).rebooted("")
    scene(NEAR, A="blue_screen_of_death").play().asked("A blue_screen_of_death no").took(B=1)


def test_blue_screen_of_death_does_not_reach_further():
    """Card Index: an adjacent robot; R46."""
    scene(FAR, A="blue_screen_of_death").play().asked().took(B=1)


def test_blue_screen_of_death_is_asked_for_the_adjacent_one_of_several():
    """R46, R50: B is adjacent, C is not; behind A it is the other way round than ahead."""
    answers = ("A rail_gun yes", "A blue_screen_of_death yes")
    scene(LINE, A="blue_screen_of_death rail_gun").play(answers=answers).asked(*answers).took(B={"worm": 1}, C=1)
    answers = ("A rear_laser yes", "A blue_screen_of_death yes")
    result = scene("C^  A>  .  B^", A="blue_screen_of_death rear_laser").play(answers=answers)
    result.asked(*answers).took(B=1, C={"worm": 1})


def test_the_worm_stands_for_the_first_spam_only():
    """R46; with both cards the Worm and no Trojan Horse."""
    answers = ("A blue_screen_of_death yes",)
    result = scene(NEAR, A="blue_screen_of_death double_barrel_laser trojan_needler").play(answers=answers)
    result.took(B={"worm": 1, "spam": 1})


@pytest.mark.parametrize(("choice", "pile"), [("yes", "draw"), ("no", "discard")])
def test_corruption_wave_puts_the_spam_of_a_shot_on_the_deck(choice, pile):
    """Card Index: you may put SPAM damage cards you deal on top of opponents' decks."""
    result = scene(FAR, A="corruption_wave").play_rounds(
        A=["power_up", "u_turn"], B=["power_up"], answers=(f"A corruption_wave {choice}",)
    )
    result.asked(f"A corruption_wave {choice}").took(B=1).in_pile(pile, "spam", B=1)


def test_corruption_wave_is_one_question_a_hit():
    """R46: for all SPAM of the hit, and for each of two robots."""
    result = scene(FAR, A="corruption_wave double_barrel_laser").play_rounds(
        A=["power_up", "u_turn"], B=["power_up"], answers=("A corruption_wave yes",)
    )
    result.asked("A corruption_wave yes").in_pile("draw", "spam", B=2)
    answers = ("A rail_gun yes", "A corruption_wave no", "A corruption_wave yes")
    result = scene(LINE, A="corruption_wave rail_gun").play_rounds(
        A=["power_up", "u_turn"], B=["power_up"], C=["power_up"], answers=answers
    )
    result.asked(*answers).in_pile("draw", "spam", B=0, C=1)


def test_corruption_wave_is_about_spam_only():
    """R46: a lone Trojan Horse or Worm is not asked about; of a Trojan Horse and a SPAM the SPAM goes on the deck."""
    scene(FAR, A="corruption_wave trojan_needler").play().asked()
    answers = ("A blue_screen_of_death yes",)
    scene(NEAR, A="blue_screen_of_death corruption_wave").play(answers=answers).asked(*answers)
    result = scene(FAR, A="corruption_wave double_barrel_laser trojan_needler").play_rounds(
        A=["power_up", "u_turn"], B=["power_up"], answers=("A corruption_wave yes",)
    )
    result.in_pile("draw", "spam", B=1).in_pile("discard", "trojan_horse", B=1).in_pile("draw", "trojan_horse", B=0)


def test_corruption_wave_does_not_put_other_kinds_on_the_deck():
    """R46, R27: one SPAM is left for two; the Trojan Horse that is taken for the other goes to the discard pile."""
    mat = {"upgrades": ["corruption_wave", "double_barrel_laser"], "discard": ["spam"] * 37}
    result = scene(FAR, A=mat).play_rounds(A=["power_up", "u_turn"], B=["power_up"], answers=("A corruption_wave yes",))
    result.took(B={"spam": 1, "trojan_horse": 1}).in_pile("draw", "spam", B=1).in_pile("discard", "trojan_horse", B=1)


def test_corruption_wave_is_not_asked_where_the_spam_pile_is_empty():
    """R53."""
    mat = {"upgrades": ["corruption_wave"], "discard": ["spam"] * 38}
    scene(FAR, A=mat).play().asked("B damage_kind trojan_horse")


def test_the_questions_of_a_shot_come_in_order():
    """R50: first whom it hits, then for each hit Blue Screen of Death, Mini Howitzer, Corruption Wave; shifts last."""
    result = scene(NEAR, A="blue_screen_of_death corruption_wave mini_howitzer").play()
    result.asked("A blue_screen_of_death no", "A mini_howitzer no", "A corruption_wave no")
    scene(LINE, A="corruption_wave pressor_beam rail_gun").play(answers=("A rail_gun yes",)).asked(
        "A rail_gun yes", "A corruption_wave no", "A corruption_wave no", "A pressor_beam no", "A pressor_beam no"
    )


# -- Deflector Shield


def test_deflector_shield_negates_the_attacks_of_a_register():
    """Card Index: at the beginning of a register, spend one energy to negate any robot attacks that would hit you."""
    result = scene("A>  B^  C<", B="deflector_shield").play(answers=("B deflector_shield yes",))
    result.asked("B deflector_shield yes").took().has("energy", B=4)


def test_deflector_shield_is_a_may():
    """Card Index."""
    scene(FAR, B="deflector_shield").play().asked("B deflector_shield no").took(B=1).has("energy", B=5)


def test_deflector_shield_is_up_for_one_register():
    """Card Index: that register. It is asked at the beginning of each."""
    answers = ("B deflector_shield yes", "B deflector_shield no", "B deflector_shield yes")
    scene(FAR, B="deflector_shield").play(to=3, answers=answers).asked(*answers).took(B=1).has("energy", B=3)


def test_deflector_shield_needs_energy():
    """Card Index, R53: after the last cube nothing is asked."""
    result = scene(FAR, B={"upgrades": ["deflector_shield"], "energy": 1}).play(
        to=2, answers=("B deflector_shield yes",)
    )
    result.asked("B deflector_shield yes").took(B=1).has("energy", B=0)


def test_deflector_shield_is_no_use_against_board_lasers():
    """R47: attacks are those of robots."""
    scene("A>  Lv+B^", B="deflector_shield").play(answers=("B deflector_shield yes",)).took(B=1)


def test_a_lone_robot_needs_no_shield():
    """R53: there is nobody who could attack."""
    scene("A>  .", A="deflector_shield").play().asked()


def test_a_shield_is_not_asked_for_when_all_others_have_rebooted():
    """R53, R48: in register two A can no longer attack."""
    scene("""
        +    +    +    +
          B^   .    A>
        +    +    +    +
          .    .    R>
        +    +    +    +
    """, B="deflector_shield").play(A=["move_1"], to=2).asked("B deflector_shield no", "A reboot_facing E")  # fmt: skip


def test_a_shielded_robot_still_stops_the_shot():
    """R33: B stands in the line; C behind it is not hit."""
    scene(LINE, B="deflector_shield").play(answers=("B deflector_shield yes",)).took()


def test_a_shield_protects_one_of_several_targets():
    """Card Index, Rail Gun: C has no shield."""
    scene(LINE, A="rail_gun", B="deflector_shield").play(answers=("B deflector_shield yes", "A rail_gun yes")).took(C=1)


@pytest.mark.parametrize(
    "weapons",
    [
        "double_barrel_laser trojan_needler scrambler",
        "mini_howitzer pressor_beam corruption_wave",
        "blue_screen_of_death pressor_beam mini_howitzer",
    ],
)
def test_a_shield_negates_all_of_the_hit(weapons):
    """Card Index: the attack is negated, so there is no hit to ask about, no push, and no scrambled register."""
    scene(NEAR, A=weapons, B="deflector_shield").play(
        B=["turn_right", "turn_left"], to=1, answers=("B deflector_shield yes",)
    ).asked("B deflector_shield yes").took().at(B="2 0").register_cards(B=["turn_right", "turn_left"]).has(
        "energy", A=5
    )


def test_a_shield_negates_a_pull_and_a_shot_from_behind():
    """Card Index. Whether to shoot is asked all the same: the shield is up, and the robot is there."""
    result = scene(FAR, A="tractor_beam", B="deflector_shield").play(answers=("B deflector_shield yes",))
    result.asked("B deflector_shield yes").at(B="2 0")
    answers = ("C deflector_shield yes", "A rear_laser yes")
    scene(AROUND, A="rear_laser", C="deflector_shield").play(answers=answers).asked(*answers).took(B=1)


def test_the_howitzer_is_kept_for_a_robot_without_a_shield():
    """R50: the hit on B does not count, so the one question is about C."""
    answers = ("B deflector_shield yes", "A rail_gun yes", "A mini_howitzer yes")
    result = scene(LINE, A="mini_howitzer rail_gun", B="deflector_shield").play(answers=answers)
    result.asked(*answers).took(C=3).at(B="1 0", C="4 0")


# -- several shooters


def test_shooters_are_asked_in_turn_order():
    """R32: priority order, for the shots and for the questions of the hits."""
    picture = """
        +    +    +    +    +    +
          C^   B^   .    .    .
        +    +    +    +    +    +
          A^   D^   .    .    .
        +    +    +    +    +    +
    """
    for order in ("ABCD", "DCBA"):
        first, second = ("A", "D") if order[0] == "A" else ("D", "A")
        scene(picture, A="corruption_wave", D="corruption_wave").play(order=order).asked(
            f"{first} corruption_wave no", f"{second} corruption_wave no"
        )


def test_two_robots_that_face_each_other_both_use_their_weapons():
    """R32: all hits are found first; A's Pressor Beam does not save it from B's."""
    answers = ("A pressor_beam yes", "B pressor_beam yes")
    scene(".  A>  B<  .  .", A="double_barrel_laser pressor_beam", B="pressor_beam").play(
        order="AB", answers=answers
    ).asked(*answers).at(A="0 0", B="3 0").took(A=1, B=2)


@pytest.mark.parametrize("illegal", ["A pressor_beam left", "A rail_gun E"])
def test_a_may_is_yes_or_no(illegal):
    """Scenario files: the choices of each question."""
    with pytest.raises(ScenarioError):
        scene(LINE, A="pressor_beam rail_gun").play(answers=(illegal,))
