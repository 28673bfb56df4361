"""Temporary upgrades used on the own turn: Boink, Zoop, Hack, Reboot, Recharge, Refresh. 2016 rulebook, Card Index."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene

FIELD = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    A>   .    .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""
WALL_AHEAD = """
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
      .    A> | .    .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""
TOKEN = """
    +    +    +    +    +
      .    .    .    A>
    +    +    +    +    +
      .    R^   .    .
    +    +    +    +    +
"""


BETWEEN_TWO = """
    +    +    +    +
      .    .    .
    +    +    +    +
    | B^   A>   C^ |
    +    +    +    +
      .    .    .
    +    +    +    +
"""
ABOVE = """
    +    +----+    +
      .    B^   .
    +    +    +    +
      .    A>   .
    +    +    +    +
"""


# -- when they are asked


def test_a_temporary_can_be_used_before_the_card_and_after_it():
    """R53: "on your turn": before the register's card and after it. Before: round the wall; after: the wall was met."""
    before = scene(WALL_AHEAD, A="boink").play(A="move_1", answers=("A boink S",))
    before.asked("A boink S").at(A="2 2 E")
    after = scene(WALL_AHEAD, A="boink").play(A="move_1", answers=("A boink no", "A boink S"))
    after.asked("A boink no", "A boink S").at(A="1 2 E")


def test_boink_is_offered_where_side_arms_could_clear_the_way():
    """R45: a robot moved by Boink is pushed; Side Arms are asked about it also when ahead is blocked. R49."""
    for way, side, places in (("E", "left", {"A": "2 1", "C": "2 0"}), ("W", "right", {"A": "0 1", "B": "0 2"})):
        answers = (f"A boink {way}", f"A side_arms {side}")
        scene(BETWEEN_TWO, A="boink side_arms").play(answers=answers).asked(*answers).at(**places)
    for picture, upgrades, way in ((BETWEEN_TWO, "boink", "E"), (ABOVE, "boink side_arms", "N")):
        with pytest.raises(ScenarioError, match=f"'{way}' is not legal"):  # Side Arms push to the own left and right
            scene(picture, A=upgrades).play(answers=(f"A boink {way}",))


def test_it_is_asked_in_each_register_until_it_is_used():
    """Card Index, Temporary Upgrades: keep it, and use it at any time on your turn; it is placed out of play then."""
    answers = ("A boink no", "A boink no", "A boink no", "A boink S")
    result = scene(FIELD, A="boink").play_rounds(answers=answers, A=["power_up"] * 3)
    result.asked(*answers).at(A="1 2").owns(A="")


def test_a_temporary_that_is_not_used_is_kept():
    """Card Index, Temporary Upgrades: you may keep it."""
    scene(FIELD, A="boink zoop").play_rounds(A=["power_up"]).owns(A="boink zoop")


def test_it_can_be_used_in_a_register_without_a_card():
    """R53: it is the robot's turn all the same."""
    scene(FIELD, A="boink").play(answers=("A boink no", "A boink N")).at(A="1 0 E")


def test_two_temporaries_can_be_used_in_either_order():
    """R53: after one has been used, the other is asked once more. In printed order Boink comes first."""
    result = scene(FIELD, A="boink zoop").play(A="move_1", answers=("A boink N", "A zoop W"))
    result.asked("A boink N", "A zoop W").at(A="0 0 W")
    result = scene(FIELD, A="boink zoop").play(A="move_1", answers=("A boink no", "A zoop W", "A boink N"))
    result.asked("A boink no", "A zoop W", "A boink N").at(A="0 0 W")
    result = scene(FIELD, A="boink zoop").play(A="move_1", answers=("A boink N",))
    result.asked("A boink N", "A zoop no", "A zoop no", "A zoop no").at(A="2 0 E")


def test_it_is_used_on_the_own_turn_only():
    """R53: B's Boink comes when A has played; B then pushes A, and not the other way round."""
    result = scene(".  A>  .  B^  .", B="boink").play(order="AB", A="move_1", B="power_up", answers=("B boink W",))
    result.at(A="1 0", B="2 0")


# -- Boink


@pytest.mark.parametrize(("direction", "place"), [("N", "1 0"), ("E", "2 1"), ("S", "1 2"), ("W", "0 1")])
def test_boink_moves_to_an_adjacent_space(direction, place):
    """Card Index: move to an adjacent space. Do not change direction."""
    scene(FIELD, A="boink").play(answers=(f"A boink {direction}",)).at(A=f"{place} E")


def test_boink_is_not_offered_through_a_wall():
    """R49: blocked directions are not offered."""
    with pytest.raises(ScenarioError):
        scene(WALL_AHEAD, A="boink").play(answers=("A boink E",))


def test_boink_is_not_offered_onto_the_antenna():
    """R49; p. 13: robots cannot move onto it."""
    with pytest.raises(ScenarioError):
        scene(".  A>  Y<", A="boink").play(answers=("A boink E",))


def test_a_robot_walled_in_is_not_asked():
    """R53: there is no direction to offer."""
    scene("""
        +    +----+    +
          .  | A> | .
        +    +----+    +
    """, A="boink").play(A="power_up").asked()  # fmt: skip


@pytest.mark.parametrize("direction", ["E", "N"])
def test_boink_may_end_in_a_pit_or_off_the_board(direction):
    """R49: pits and edges are offered. E is the pit, N the edge."""
    result = scene("""
        +    +    +    +
          .    A>   O
        +    +    +    +
          R^   .    .
        +    +    +    +
    """, A="boink").play(A="power_up", answers=(f"A boink {direction}",))  # fmt: skip
    result.rebooted("A").at(A="0 1 N").took(A=2)


def test_a_boink_into_a_pit_costs_the_card():
    """R15: it was used before the card, which goes to the discard pile with the rest of the program."""
    result = scene(TOKEN, A="boink").play_rounds(A=["power_up", "move_1"], answers=("A boink E",))
    result.has("energy", A=5).pile("discard", A=["power_up", "move_1", "spam", "spam"])


def test_boink_pushes_a_row():
    """R49: an ordinary step that pushes."""
    scene("""
        A^  B^  C^  .
    """, A="boink").play(answers=("A boink E",)).shows("""
        .   A^  B^  C^
    """)  # fmt: skip


def test_boink_is_not_offered_against_a_row_that_cannot_move():
    """R49, R10: blocked by the wall behind C."""
    with pytest.raises(ScenarioError):
        scene("A^  B^  C^ | .", A="boink").play(answers=("A boink E",))


def test_boink_may_push_a_robot_off_the_board():
    """R49, R10: pits and edges let the row move."""
    scene("""
        +    +    +    +
          .    A^   B^
        +    +    +    +
          .    R>   .
        +    +    +    +
    """, A="boink").play(answers=("A boink E",)).rebooted("B").at(A="2 0", B="1 1 E").took(B=2)  # fmt: skip


def test_again_does_not_repeat_a_boink():
    """R24: it repeats what the register's card did."""
    scene(FIELD, A="boink").play(A=["turn_left", "again"], answers=("A boink E",)).at(A="2 1 W")


def test_board_elements_find_the_robot_where_boink_has_put_it():
    """p. 7: they act after all robots have played."""
    scene("A^  >  .", A="boink").play(A="power_up", answers=("A boink no", "A boink E")).at(A="2 0 N")


# -- Zoop


@pytest.mark.parametrize("direction", "NESW")
def test_zoop_turns_to_any_direction(direction):
    """Card Index: rotate to face any direction, the own one too."""
    scene(FIELD, A="zoop").play(answers=(f"A zoop {direction}",)).asked(f"A zoop {direction}").at(A=f"1 1 {direction}")


def test_zoop_before_the_card_turns_its_move():
    """R53."""
    scene(FIELD, A="zoop").play(A="move_1", answers=("A zoop S",)).at(A="1 2 S")


def test_zoop_after_the_card_turns_the_laser():
    """R53; p. 14: robot lasers fire in the direction a robot is facing."""
    scene("""
        +    +    +    +
          A>   .    .
        +    +    +    +
          .    B>   .
        +    +    +    +
    """, A="zoop").play(A="move_1", answers=("A zoop no", "A zoop S")).at(A="1 0 S").took(B=1)  # fmt: skip


def test_zoop_is_not_repeated_by_again():
    """R24: Again repeats the card's action, here the Move 1, in the new direction."""
    scene(FIELD, A="zoop").play(A=["move_1", "again"], answers=("A zoop no", "A zoop no", "A zoop N")).at(A="2 0 N")
    scene(FIELD, A="zoop").play(A=["turn_left", "again"], answers=("A zoop S",)).at(A="1 1 N")


def test_zoop_is_used_up():
    """Card Index, Temporary Upgrades."""
    scene(FIELD, A="zoop").play_rounds(A=["power_up"] * 2, answers=("A zoop S",)).asked("A zoop S").owns(A="")


# -- Hack


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("move_1", "3 1 E"),
        ("turn_left", "1 1 W"),
        ("turn_right", "1 1 W"),
        ("u_turn", "1 1 E"),
        ("back_up", "0 1 E"),
    ],
)
def test_hack_executes_the_register_again(card, place):
    """Card Index. Two Back Ups would leave the board, so that one has a wall behind it."""
    picture = FIELD.replace("      .    A>", "    | .    A>")
    scene(picture, A="hack").play(A=card, answers=("A hack yes",)).at(A=place).asked("A hack yes")


def test_hack_executes_power_up_again():
    """Card Index."""
    scene(FIELD, A="hack").play(A="power_up", answers=("A hack yes",)).has("energy", A=7)


def test_hack_comes_after_the_card_and_is_a_may():
    """R53: there is nothing to repeat before it; it is asked once a register."""
    scene(FIELD, A="hack").play(A=["move_1", "move_1"]).asked("A hack no", "A hack no").at(A="3 1")


def test_hack_leaves_the_program_as_it_is():
    """Card Index: this action does not replace any existing programming. It is used up."""
    result = scene(FIELD, A="hack").play_rounds(A=["move_1", "turn_left"], answers=("A hack yes",))
    result.asked("A hack yes").at(A="3 1 N").owns(A="").pile("discard", A=["move_1", "turn_left"])


def test_hack_is_not_asked_where_nothing_was_carried_out():
    """R53: an empty register; an Again after an empty register (R25a)."""
    scene(FIELD, A="hack").play(A=[None, "again"], to=3).asked()


def test_hack_of_again_repeats_what_that_repeated():
    """R51, R24."""
    scene(FIELD, A="hack").play(A=["move_1", "again"], answers=("A hack no", "A hack yes")).at(A="4 1")


def test_again_does_not_repeat_a_hack():
    """R24, R51: one Move 1, one more by the Hack, one more by Again."""
    scene(FIELD, A="hack").play(A=["move_1", "again"], answers=("A hack yes",)).at(A="4 1").rebooted("")


def test_hack_after_a_damage_card_repeats_the_replacement():
    """R51."""
    mat = {"upgrades": ["hack"], "draw": ["move_1", "turn_left"]}
    result = scene(FIELD, A=mat).play(A=["spam"], answers=("A hack yes",)).at(A="3 1 E")
    assert result.drawn("A") == ["move_1"]


def test_hack_of_a_trojan_horse_gives_no_more_spam():
    """R51: the replacement is repeated, not the damage card."""
    mat = {"upgrades": ["hack"], "draw": ["move_1"]}
    scene(FIELD, A=mat).play(A=["trojan_horse"], answers=("A hack yes",)).at(A="3 1 E").took(A=2)


@pytest.mark.parametrize("card", ["move_1", "worm"])
def test_a_robot_that_rebooted_by_its_card_cannot_hack(card):
    """R48."""
    scene(TOKEN, A="hack").play(A=card).rebooted("A").asked("A reboot_facing N")


def test_a_hacked_move_may_end_in_a_fall():
    """R51: the action done is carried out as the card was: back, ahead to the edge, and by the Hack over it."""
    result = scene(TOKEN, A="hack").play(A=["back_up", "move_1"], answers=("A hack no", "A hack yes"))
    result.rebooted("A").at(A="1 1 N").asked("A hack no", "A hack yes", "A reboot_facing N")


def test_a_blocked_move_is_hacked_in_full():
    """R24, R51: the action, not its outcome. A turns to the south before it hacks."""
    result = scene(WALL_AHEAD, A="hack zoop").play(
        A="move_1", answers=("A zoop no", "A hack no", "A zoop S", "A hack yes")
    )
    result.asked("A zoop no", "A hack no", "A zoop S", "A hack yes").at(A="1 2 S")


# -- Reboot


def test_the_reboot_card_takes_the_robot_to_the_token_without_damage():
    """Card Index: reboot your robot, but take no damage."""
    result = scene(TOKEN, A="reboot").play(A=["power_up"], answers=("A reboot no", "A reboot yes"))
    result.rebooted("A").at(A="1 1 N").took().has("energy", A=6)
    result.asked("A reboot no", "A reboot yes", "A reboot_facing N")


def test_before_the_card_it_costs_the_card():
    """R15: the registers left go to the discard pile, that of this register with them."""
    result = scene(TOKEN, A="reboot").play_rounds(A=["power_up", "spam"], answers=("A reboot yes",))
    result.has("energy", A=5).rebooted("A").pile("discard", A=["power_up", "spam"]).owns(A="")
    scene(TOKEN, A="reboot").play(A=["power_up", "spam"], to=1, answers=("A reboot yes",)).register_cards(
        A=[None, None]
    )


def test_after_the_card_it_costs_the_later_ones():
    """R15."""
    result = scene(TOKEN, A="reboot").play(A=["power_up", "turn_left"], to=1, answers=("A reboot no", "A reboot yes"))
    result.register_cards(A=["power_up", None])


@pytest.mark.parametrize("facing", "NESW")
def test_after_the_reboot_card_the_player_turns_the_robot(facing):
    """p. 15, step 3; R19."""
    scene(TOKEN, A="reboot").play(answers=("A reboot yes", f"A reboot_facing {facing}")).at(A=f"1 1 {facing}")


def test_the_reboot_card_needs_no_damage_card():
    """Card Index: no damage, so that an empty SPAM pile is not asked about (R27)."""
    mat = {"upgrades": ["reboot"], "discard": ["spam"] * 38}
    scene(TOKEN, A=mat).play(answers=("A reboot yes",)).took().asked("A reboot yes", "A reboot_facing N")


def test_by_the_reboot_card_the_robot_on_the_token_is_pushed_off():
    """p. 15, note; R17."""
    scene("""
        +       +       +       +
          .       .       A>
        +       +       +       +
          .       R>+B^   .
        +       +       +       +
    """, A="reboot").play(answers=("A reboot yes",)).at(A="1 1 E", B="2 1 N").rebooted("A")  # fmt: skip


def test_a_robot_that_used_the_reboot_card_does_not_shoot():
    """R18: it has rebooted as any other."""
    scene("""
        +    +    +    +    +
          .    .    .    A>
        +    +    +    +    +
          R>   .    B<   .
        +    +    +    +    +
    """, A="reboot").play(answers=("A reboot yes",)).took(A=1)  # fmt: skip


def test_the_reboot_card_takes_the_robot_out_of_the_way():
    """p. 15: B finds the space empty."""
    scene("""
        +    +    +    +    +
          .    B>   A^   .
        +    +    +    +    +
          R>   .    .    .
        +    +    +    +    +
    """, A="reboot").play(order="AB", B="move_2", answers=("A reboot yes",)).at(A="0 1 E", B="3 0")  # fmt: skip


# -- Recharge


@pytest.mark.parametrize("answers", [("A recharge yes",), ("A recharge no", "A recharge yes")])
def test_recharge_gives_three_energy(answers):
    """Card Index; R53: before the card or after it."""
    scene(FIELD, A="recharge").play(A="turn_left", answers=answers).asked(*answers).has("energy", A=8)


def test_recharge_pays_for_what_comes_after_it():
    """Card Index, Recharge, Teleporter. Without the cube the Teleporter is not offered."""
    mat = {"upgrades": ["recharge", "teleporter"], "energy": 0}
    result = scene(WALL_AHEAD, A=mat).play(A="move_1", answers=("A recharge yes", "A teleporter yes"))
    result.at(A="2 1").has("energy", A=2)
    result = scene(WALL_AHEAD, A=mat).play(A="move_1", answers=("A recharge no", "A recharge yes"))
    result.never_asked("teleporter").at(A="1 1").has("energy", A=3)


def test_recharge_is_used_up():
    """Card Index, Temporary Upgrades. Asked in the programming phase, and before the card of register one."""
    result = scene(FIELD, A="recharge").play_rounds(A=["turn_left"] * 2, answers=("A recharge no", "A recharge yes"))
    result.asked("A recharge no", "A recharge yes").has("energy", A=8).owns(A="")


def test_a_robot_that_rebooted_by_its_card_cannot_recharge():
    """R48."""
    scene(TOKEN, A="recharge").play(A=["move_1"], to=2).asked("A recharge no", "A reboot_facing N").has("energy", A=5)


# -- Refresh


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("move_1", "2 1 E"),
        ("move_2", "3 1 E"),
        ("move_3", "4 1 E"),
        ("back_up", "0 1 E"),
        ("turn_left", "1 1 N"),
        ("turn_right", "1 1 S"),
        ("u_turn", "1 1 W"),
    ],
)
def test_refresh_changes_the_card_of_the_register(card, place):
    """Card Index: to any of these. The Power Up is not played, but it is still the card that lies there."""
    result = scene(FIELD, A="refresh").play(A="power_up", answers=(f"A refresh {card}",))
    result.asked(f"A refresh {card}").at(A=place).has("energy", A=5).register_cards(A=["power_up"])


@pytest.mark.parametrize("card", ["power_up", "spam"])
def test_refresh_offers_no_other_card(card):
    """Card Index: Move 1, 2, 3, the turns, Back Up and Again."""
    with pytest.raises(ScenarioError):
        scene(FIELD, A="refresh").play(A="turn_left", answers=(f"A refresh {card}",))


def test_refresh_to_again():
    """Card Index: it repeats the register before."""
    result = scene(FIELD, A="refresh").play(A=["move_1", "power_up"], answers=("A refresh no", "A refresh again"))
    result.at(A="3 1").has("energy", A=5)


def test_refresh_offers_no_again_in_register_one():
    """R51."""
    with pytest.raises(ScenarioError):
        scene(FIELD, A="refresh").play(A="power_up", answers=("A refresh again",))


def test_refresh_to_again_after_a_damage_register_draws():
    """R51, R25: it is an Again there as any other."""
    mat = {"upgrades": ["refresh"], "draw": ["move_1", "turn_left"]}
    result = scene(FIELD, A=mat).play(A=["spam", "power_up"], answers=("A refresh no", "A refresh again"))
    result.at(A="2 1 N").has("energy", A=5)


def test_refresh_comes_before_the_card_and_is_a_may():
    """R53: the own turn, before the register's card; it is asked once a register."""
    scene(FIELD, A="refresh").play(A=["move_1", "turn_left"]).asked("A refresh no", "A refresh no").at(A="2 1 N")


def test_refresh_is_used_up():
    """Card Index, Temporary Upgrades. The card goes to the discard pile when the round ends."""
    result = scene(FIELD, A="refresh").play_rounds(A=["power_up", "turn_left"], answers=("A refresh move_1",))
    result.asked("A refresh move_1").owns(A="").at(A="2 1 N").pile("discard", A=["power_up", "turn_left"])


def test_refresh_needs_a_card_in_the_register():
    """Card Index: change the programming in your current register. There is none."""
    scene(FIELD, A="refresh").play(A=[None, "power_up"]).asked("A refresh no")


def test_again_repeats_the_refreshed_action():
    """R24, R51: what was carried out."""
    result = scene(FIELD, A="refresh").play(A=["power_up", "again"], answers=("A refresh move_1",))
    result.at(A="3 1").has("energy", A=5)


def test_hack_repeats_the_refreshed_action():
    """R51: the action done."""
    answers = ("A refresh move_1", "A hack yes")
    scene(FIELD, A="hack refresh").play(A="power_up", answers=answers).asked(*answers).at(A="3 1")


@pytest.mark.parametrize("card", ["spam", "worm", "trojan_horse", "virus"])
def test_a_refreshed_damage_card_does_no_harm(card):
    """Card Index: you may permanently discard it. It goes back to its pile, nothing is drawn, the register is empty."""
    mat = {"upgrades": ["refresh"], "draw": ["u_turn"]}
    result = scene(FIELD, A=mat).play(A=[card], answers=("A refresh move_1",))
    result.at(A="2 1 E").took().rebooted("").register_cards(A=[None])
    assert not result.drawn("A")
    scene(FIELD, A=mat).play_rounds(A=[card], answers=("A refresh move_1",)).pile("discard", A=[])


def test_a_refreshed_spam_can_be_dealt_again():
    """Card Index: back to the SPAM pile, which was empty; B is shot with that very card and need not choose (R27)."""
    scene("A<  .  B^", A={"upgrades": ["refresh"], "discard": ["spam"] * 37}).play(
        A=["spam"], answers=("A refresh u_turn",)
    ).took(B=1).asked("A refresh u_turn")


def test_a_refreshed_damage_card_makes_no_damage_register():
    """R51: the Again in register two repeats the Move 1; without Refresh it would draw."""
    mat = {"upgrades": ["refresh"], "draw": ["u_turn"]}
    result = scene(FIELD, A=mat).play(A=["spam", "again"], answers=("A refresh move_1",)).at(A="3 1 E")
    assert not result.drawn("A")


def test_refresh_saves_an_again_that_came_into_register_one():
    """R23, R51: the Again stays there and another card is played."""
    mat = {"upgrades": ["refresh"], "draw": ["u_turn"]}
    result = scene(FIELD, A=mat).play(A=["again"], answers=("A refresh move_2",)).at(A="3 1 E")
    result.register_cards(A=["again"])
    assert not result.drawn("A")


def test_zoop_and_refresh_are_asked_in_printed_order():
    """R53: passes over Boink, Reboot, Recharge, Refresh, Zoop."""
    result = scene(FIELD, A="refresh zoop").play(A="power_up", answers=("A refresh move_1", "A zoop N"))
    result.asked("A refresh move_1", "A zoop N").at(A="1 0 N")
    result = scene(FIELD, A="recharge refresh zoop").play(A="power_up")
    result.asked("A recharge no", "A refresh no", "A zoop no", "A recharge no", "A zoop no")
    result = scene(FIELD, A="boink hack reboot").play(A="power_up")
    result.asked("A boink no", "A reboot no", "A boink no", "A hack no", "A reboot no")
