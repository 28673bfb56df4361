"""3. Announce Power Down: 2005 rulebook p. 5, and p. 9, Setup for the Next Turn."""

import pytest

from .scene import dealt, scene, shots, turns

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
WALK = ["move_1", "u_turn", "move_1", "u_turn", "turn_left"]
ALONE = """
    +    +    +    +
      .    A^   .
    +    +    +    +
      .    .    .
    +    +    +    +
"""
THREE = "A^  B^  C^"


def test_a_power_down_takes_effect_on_the_next_turn():
    """p. 5: in the turn of the announcement the robot carries its program out with all its damage."""
    picture = "A>  ."
    result = scene(picture, A={"damage": 3}).play_rounds(A=["move_1", *TURNS[:4]], answers=("A power_down yes",))
    result.at(A="1 0 E").damage(A=3).has("active", A=True)


def test_a_robot_that_powers_down_discards_all_its_damage():
    """p. 5: at the beginning of the turn when your robot powers down."""
    result = scene(ALONE, A={"damage": 3}).play_rounds(2, A=TURNS, answers=("A power_down yes",))
    result.damage(A=0).has("active", A=False).asked("A power_down yes", "A stay_down no")


def test_a_powered_down_robot_receives_and_executes_no_cards():
    """p. 5: it doesn't receive or execute program cards and doesn't move."""
    result = scene(ALONE, A={"damage": 3}).play_rounds(2, A=TURNS, answers=("A power_down yes",))
    assert dealt(result, "A") == 0
    assert turns(result) == "AAAAA"  # the first turn
    result.at(A="1 0 S")


def test_cards_in_locked_registers_are_discarded_with_the_damage():
    """p. 5, p. 10: when the damage that locks a register is repaired, its card is discarded."""
    result = scene(ALONE, A={"damage": 9, "registers": TURNS}).play_rounds(2, answers=("A power_down yes",))
    result.damage(A=0).register_cards(A=[None] * 5)
    assert turns(result) == "AAAAA"


def test_after_a_power_down_the_robot_runs_with_a_full_hand():
    """p. 4, p. 5: without damage nine cards are dealt."""
    result = scene(ALONE, A={"powered_down": True}).play_rounds(2).asks("stay_down", "A no")
    assert dealt(result, "A") == 9


def test_only_players_of_damaged_robots_are_asked():
    """p. 5: a player with a damaged robot may choose to power down; R60."""
    scene(THREE, B={"damage": 1}).play_rounds(A=TURNS, B=TURNS, C=TURNS).asked("B power_down no")


def test_power_downs_are_announced_in_dock_order():
    """p. 5, Priority for Powering Down: dock one first, then clockwise, whatever the cards."""
    fast_last = {"A": "turn_left:70", "B": "turn_left:90", "C": "turn_left:110"}
    programs = {name: [first, *TURNS[:4]] for name, first in fast_last.items()}
    result = scene(THREE, A={"damage": 1}, B={"damage": 2}, C={"damage": 3}).play_rounds(
        **programs, answers=("B power_down yes",)
    )
    result.asked("A power_down no", "B power_down yes", "C power_down no")


def test_power_downs_are_announced_after_all_have_programmed():
    """p. 3: 2. arrange your program cards, 3. announce."""
    result = scene(THREE, A={"damage": 1}).play_rounds()
    kinds = [text.split()[1] for text in result.decisions]
    assert kinds[:4] == ["program", "program", "program", "power_down"]


# -- what happens to a robot that is down


def test_belts_move_a_powered_down_robot():
    """p. 5: its own example."""
    scene(">+A^  .  .", A={"powered_down": True}).play().at(A="1 0 N")


def test_pushers_and_gears_move_a_powered_down_robot():
    """p. 5: board elements still affect it."""
    scene("P>1+A^  .  cw+B^", A={"powered_down": True}, B={"powered_down": True}).play().at(A="1 0 N", B="2 0 E")


def test_other_robots_can_push_a_powered_down_robot():
    """p. 5."""
    scene("""
        A>  B^  .
    """, B={"powered_down": True}).play(A="move_1").shows("""
        .   A>  B^
    """)  # fmt: skip


def test_a_powered_down_robot_can_be_pushed_into_a_pit():
    """p. 5, p. 10."""
    scene("A>  B^  O", B={"powered_down": True}).play(A="move_1").destroyed("B").lives(B=2)


def test_a_powered_down_robot_receives_new_damage():
    """p. 5: it can still be damaged, such as by laser fire."""
    scene("""
        +      +      +      +
          L>     A^     .
        +      +      +      +
          B>     C^     .
        +      +      +      +
    """, A={"powered_down": True}, C={"powered_down": True}).play().damage(A=1, C=1)  # fmt: skip


def test_a_powered_down_robot_does_not_shoot():
    """R60."""
    picture = "A>  .  B^"
    assert shots(scene(picture, A={"powered_down": True}).play()) == []
    assert shots(scene(picture).play()) == ["AB"]


def test_a_powered_down_robot_stops_lasers():
    """p. 8: lasers don't pass through robots."""
    scene("A>  B^  C^", B={"powered_down": True}).play().damage(B=1)


def test_a_powered_down_robot_touches_flags_and_is_repaired():
    """p. 8: any robot on a flag; at clean-up it discards a token; R60."""
    scene(">+A^  1  2", A={"powered_down": True, "damage": 2}).play_rounds().flags(A=1).archive(A="1 0").damage(A=1)


def test_new_damage_is_still_there_when_the_robot_runs_again():
    """p. 5: it may receive new tokens during the turn; one shot of five, then a hand of eight."""
    result = scene("Av  B^", B={"powered_down": True}).play_rounds(
        2, A=["turn_left", "turn_left", "turn_left", "turn_right", "turn_left"]
    )
    assert dealt(result, "B") == 8


# -- staying down


def test_a_robot_may_stay_down_and_is_rid_of_its_new_damage():
    """p. 5: at the beginning of each turn that a robot is powered down, all tokens are discarded."""
    result = scene(ALONE, A={"powered_down": True, "damage": 4}).play_rounds(2, answers=("A stay_down yes",))
    result.asked("A stay_down yes", "A stay_down no").damage(A=0)
    assert dealt(result, "A") == 0


def test_a_robot_may_stay_down_without_damage():
    """p. 5: players may leave them powered down if they wish."""
    result = scene(ALONE, A={"powered_down": True}).play_rounds(3, answers=("A stay_down yes", "A stay_down yes"))
    assert result.asked_about("stay_down") == ["A yes", "A yes", "A no"]
    assert dealt(result, "A") == 0


def test_a_robot_that_is_down_is_not_asked_to_announce():
    """p. 9: it announces in the clean-up whether it remains so."""
    scene(ALONE, A={"powered_down": True, "damage": 4}).play_rounds().asked("A stay_down no")


def test_who_stays_down_is_announced_in_dock_order():
    """p. 5, Priority for Powering Down; p. 9."""
    down = {"powered_down": True}
    result = scene(THREE, A=down, B=down, C=down).play_rounds(answers=("B stay_down yes",))
    result.asked("A stay_down no", "B stay_down yes", "C stay_down no")


def test_a_robot_that_runs_again_can_announce_again():
    """p. 5: a damaged robot may choose to power down."""
    result = scene(ALONE, A={"powered_down": True, "damage": 1}).play_rounds(2)
    assert [text for text in result.decisions if "program" not in text][:2] == ["A stay_down no", "A power_down no"]


def test_a_repair_does_not_call_an_announced_power_down_off():
    """p. 5: a power down announced this turn takes effect on the next turn."""
    picture = "r1+A^  ."
    result = scene(picture, A={"damage": 1}).play_rounds(2, A=TURNS, answers=("A power_down yes",))
    result.asked("A power_down yes", "A stay_down no")
    assert dealt(result, "A") == 0


# -- destroyed before or while it is down


@pytest.mark.parametrize(("choice", "cards", "damage"), [("no", 7, 2), ("yes", 0, 0)])
def test_a_robot_destroyed_before_its_power_down_may_choose_again(choice, cards, damage):
    """p. 5: you can choose to reenter play that turn either powered down or not."""
    hand = [f"turn_left:{number}" for number in range(70, 210, 20)]
    result = scene(ALONE, A={"damage": 1}, draw=hand).play_rounds(
        2,
        A=["move_1", *TURNS[:4]],
        answers=("A power_down yes", "A reboot_facing E", f"A reenter_powered_down {choice}"),
    )
    assert result.asked_about("reenter_powered_down") == [f"A {choice}"]
    assert dealt(result, "A") == cards
    result.damage(A=damage)


def test_a_robot_destroyed_while_down_may_choose_again():
    """p. 9; R61: with two damage in all, whatever it had taken while it was down."""
    down = {"damage": 4, "powered_down": True, "archive": "0 0"}
    result = scene(".  A>  B^", B=down).play_rounds(
        A=["move_1", "u_turn", "turn_left", "turn_right", "turn_right"],
        answers=("B reboot_facing N", "B reenter_powered_down yes"),
    )
    result.asked("B reboot_facing N", "B reenter_powered_down yes").damage(B=2).at(B="0 0 N")


def test_a_robot_out_of_the_game_powers_down_no_more():
    """p. 5, p. 10: permanently out of the game, whatever had been announced."""
    result = scene(THREE, A={"damage": 1, "lives": 1}).play_rounds(
        2, A=["move_1", *TURNS[:4]], B=TURNS, C=TURNS, answers=("A power_down yes",)
    )
    assert result.decisions[0] == "A power_down yes"
    assert not result.happened("powered_down")
