"""Upgrades of a push: 2016 rulebook, Card Index; R45, R46.

Ramming Gear, Virus Module, Trojan Needler, Blue Screen of Death, Corruption Wave, Modular Chassis, Side Arms. In most
scenes A backs into B: it faces the other way then, and its laser does not meddle.
"""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene

BACK = ".    A<   B^   .    ."
ROW_BEHIND = ".    A<   B^   C^   ."
WALL_BEHIND = ".    A<   B^ | ."
# B is pushed off the board
EDGE = """
    +    +    +    +
      .    A<   B^
    +    +    +    +
      R>   .    .
    +    +    +    +
"""
STREET = """
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
      A>   B^   .    .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""


# -- Ramming Gear, and what a push is


def test_ramming_gear_deals_a_spam_to_a_pushed_robot():
    """Card Index: deal one SPAM damage card when you push a robot; to the discard pile."""
    scene(BACK).play(A="back_up").took()
    scene(BACK, A="ramming_gear").play(A="back_up").took(B=1).asked()
    scene(BACK, A="ramming_gear").play_rounds(A=["back_up"], B=["power_up"]).in_pile("discard", "spam", B=1)


def test_a_push_counts_once_a_card_not_once_a_step():
    """R45: B is pushed three spaces and takes one SPAM; the other is A's laser."""
    scene("A>  B^  .  .  .", A="ramming_gear").play(A="move_3").at(A="3 0", B="4 0").took(B=1 + 1)


def test_each_card_is_a_push_of_its_own():
    """R45, R49: the second Back Up, an Again, a Hack."""
    scene(BACK, A="ramming_gear").play(A=["back_up", "back_up"]).took(B=2)
    scene(BACK, A="ramming_gear").play(A=["back_up", "again"]).took(B=2)
    scene(BACK, A="ramming_gear hack").play(A="back_up", answers=("A hack yes",)).took(B=2)


def test_only_the_robot_that_is_touched_is_pushed():
    """R45: not the others of a chain."""
    scene(ROW_BEHIND, A="ramming_gear").play(A="back_up").at(C="4 0").took(B=1)


def test_a_robot_that_did_not_move_was_not_pushed():
    """R45: there is a wall behind it."""
    scene(WALL_BEHIND, A="ramming_gear virus_module trojan_needler").play(A="back_up").at(B="2 0").took()


def test_boink_is_a_push_too():
    """R45: by your own card or Boink."""
    scene(BACK, A="ramming_gear boink").play(answers=("A boink E",)).at(B="3 0").took(B=1)


def test_boink_and_the_card_are_two_pushes():
    """R45, R49: each Boink is a card of its own."""
    scene(BACK, A="ramming_gear boink").play(A="back_up", answers=("A boink E",)).at(B="4 0").took(B=2)


def test_a_push_over_the_edge_is_paid_for_before_the_reboot():
    """R45: at once. One SPAM is left: it is Ramming Gear's, and what the reboot costs must be other cards (R27)."""
    scene(EDGE, A="ramming_gear").play(A="back_up").rebooted("B").took(B=1 + 2)
    result = scene(EDGE, A={"upgrades": ["ramming_gear", "corruption_wave"], "discard": ["spam"] * 37}).play(
        A="back_up"
    )
    result.asked(
        "A corruption_wave no", "B damage_kind trojan_horse", "B damage_kind trojan_horse", "B reboot_facing E"
    )


def test_a_robot_that_comes_back_in_the_way_is_not_paid_for_twice():
    """R45: once a card and robot. B is pushed off twice by one Move 3: two reboots, A's laser, and one SPAM more."""
    result = scene("""
        +    +    +    +
          A>   .    B^
        +    +    +    +
          .    .    .
        +    +    +    +
    """, start_facing="W", A="ramming_gear").play(A="move_3")  # fmt: skip
    result.at(A="1 0 E", B="2 0 W").took(B=2 + 2 + 1 + 1)


def test_two_robots_can_be_pushed_by_one_card():
    """R45: once a card and robot. Both are pushed aside."""
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   B^   C^   .
        +    +    +    +    +
    """, A="ramming_gear side_arms").play(A="move_2", answers=("A side_arms left", "A side_arms left"))  # fmt: skip
    result.took(B=1, C=1)


def test_the_side_step_of_crab_legs_pushes():
    """R45: any step of the own card."""
    scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    B^   .    .
        +    +    +    +    +    +
          .    A>   .    .    .
        +    +    +    +    +    +
    """, A="ramming_gear crab_legs").play(A="move_1", answers=("A crab_legs left",)).took(B=1)  # fmt: skip


def test_a_panel_that_pushes_the_owner_into_another_is_no_push():
    """R45: not pushes by panels."""
    scene("P>1+A^  B^  .", A="ramming_gear virus_module").play().at(A="1 0", B="2 0").took()


def test_being_pushed_into_another_is_no_push():
    """R45: a robot moved by your own card. B moves A, and A is pushed into C; the SPAM is B's laser."""
    scene("B>  A^  C^  .", A="ramming_gear virus_module").play(B="move_1").at(C="3 0").took(A=1)


def test_an_arrival_on_the_token_is_no_push():
    """R45: nor is the arrival on a token."""
    scene("""
        +       +       +       +
          .       .       A>
        +       +       +       +
          R>+B^   .       .
        +       +       +       +
    """, A="ramming_gear virus_module").play(A="move_1").rebooted("A").at(B="1 1").took(A=2)  # fmt: skip


@pytest.mark.parametrize("weapon", ["pressor_beam", "mini_howitzer"])
def test_a_push_by_a_weapon_is_no_push(weapon):
    """R45: not pushes by weapons. The SPAM are those of the shot."""
    result = scene("A>  B^  .", A=f"ramming_gear virus_module {weapon}").play(answers=(f"A {weapon} yes",))
    result.at(B="2 0").took(B=1 if weapon == "pressor_beam" else 3)


def test_a_deflector_shield_does_not_help_against_pushes():
    """R47: attack means a shot."""
    scene(BACK, A="ramming_gear virus_module", B="deflector_shield").play(
        A="back_up", answers=("B deflector_shield yes",)
    ).took(B={"spam": 1, "virus": 1}).has("energy", B=4)


# -- Virus Module


def test_virus_module_gives_a_virus():
    """Card Index: when you push a robot, give that player a virus; it lies in the discard pile."""
    scene(BACK, A="virus_module").play(A="back_up").took(B={"virus": 1}).asked()
    scene(BACK, A="virus_module").play_rounds(A=["back_up"], B=["power_up"]).in_pile("discard", "virus", B=1)


def test_virus_module_is_for_pushes_only():
    """Card Index: not for shots."""
    scene("A>  B^", A="virus_module").play().took(B=1)


def test_virus_module_counts_the_touched_robot_once():
    """R45: once a card and robot, not the others of a chain."""
    scene(ROW_BEHIND, A="virus_module").play(A="back_up").took(B={"virus": 1})
    scene(BACK, A="virus_module").play(A=["back_up", "again"]).took(B={"virus": 2})


def test_virus_module_and_ramming_gear_both_count():
    """Card Index: two cards, two effects."""
    scene(BACK, A="ramming_gear virus_module").play(A="back_up").took(B={"spam": 1, "virus": 1})


def test_another_kind_is_taken_where_there_is_no_virus():
    """R27."""
    mat = {"upgrades": ["virus_module"], "discard": ["virus"] * 18}
    scene(BACK, A=mat).play(A="back_up", answers=("B damage_kind worm",)).took(B={"worm": 1})


# -- Trojan Needler


def test_trojan_needler_deals_a_trojan_horse_on_a_push():
    """R46: on a push it deals one Trojan Horse."""
    scene(BACK, A="trojan_needler").play(A="back_up").took(B={"trojan_horse": 1}).asked()


def test_trojan_needlers_horse_stands_for_ramming_gears_spam():
    """R46: for Ramming Gear's SPAM too. The Virus comes beside it."""
    scene(BACK, A="ramming_gear trojan_needler").play(A="back_up").took(B={"trojan_horse": 1})
    scene(BACK, A="ramming_gear trojan_needler virus_module").play(A="back_up").took(B={"trojan_horse": 1, "virus": 1})


# -- Blue Screen of Death


def test_blue_screen_of_death_may_give_a_worm_on_a_push():
    """R46: on a push it is given as such; a may. It goes to the discard pile, nobody reboots yet."""
    answers = ("A blue_screen_of_death yes",)
    result = scene(BACK, A="blue_screen_of_death").play_rounds(A=["back_up"], B=["power_up"], answers=answers)
    result.asked(*answers).took(B={"worm": 1}).rebooted("").in_pile("discard", "worm", B=1)
    scene(BACK, A="blue_screen_of_death").play(A="back_up").asked("A blue_screen_of_death no").took()


def test_blue_screen_of_death_is_asked_once_a_card_and_robot():
    """R45. The Move 2 touches B at its first step; the second question is that of A's shot."""
    answers = ("A blue_screen_of_death yes", "A blue_screen_of_death no")
    result = scene("A>  B^  .  .", A="blue_screen_of_death").play(A="move_2", answers=answers)
    result.asked(*answers).took(B={"worm": 1, "spam": 1})


def test_the_worm_comes_beside_ramming_gears_spam():
    """R46: on a push it is given as such."""
    scene(BACK, A="blue_screen_of_death ramming_gear").play(A="back_up", answers=("A blue_screen_of_death yes",)).took(
        B={"worm": 1, "spam": 1}
    )


@pytest.mark.parametrize(("choice", "kind"), [("yes", "worm"), ("no", "trojan_horse")])
def test_with_the_worm_there_is_no_trojan_horse(choice, kind):
    """R46: with both cards the Worm and no Trojan Horse."""
    answers = (f"A blue_screen_of_death {choice}",)
    scene(BACK, A="blue_screen_of_death trojan_needler").play(A="back_up", answers=answers).took(B={kind: 1})


def test_the_worm_leaves_ramming_gears_spam_though_there_is_a_needler():
    """R46: no Trojan Horse is dealt that could stand for it."""
    mat = "blue_screen_of_death ramming_gear trojan_needler"
    scene(BACK, A=mat).play(A="back_up", answers=("A blue_screen_of_death yes",)).took(B={"worm": 1, "spam": 1})
    scene(BACK, A=mat).play(A="back_up", answers=("A blue_screen_of_death no",)).took(B={"trojan_horse": 1})


# -- Corruption Wave


@pytest.mark.parametrize(("choice", "pile"), [("yes", "draw"), ("no", "discard")])
def test_corruption_wave_puts_ramming_gears_spam_on_the_deck(choice, pile):
    """Card Index: you may put SPAM damage cards you deal on top of opponents' decks."""
    result = scene(BACK, A="ramming_gear corruption_wave").play_rounds(
        A=["back_up"], B=["power_up"], answers=(f"A corruption_wave {choice}",)
    )
    result.asked(f"A corruption_wave {choice}").took(B=1).in_pile(pile, "spam", B=1)


def test_corruption_wave_puts_it_on_top():
    """Card Index: B plays its SPAM of register two, and the first card that it draws is the other."""
    mat = {"draw": ["turn_left"]}
    result = scene(BACK, A="ramming_gear corruption_wave", B=mat).play(
        A=["back_up"], B=["power_up", "spam"], answers=("A corruption_wave yes",)
    )
    assert result.drawn("B") == ["spam", "turn_left"]


@pytest.mark.parametrize("others", ["", "virus_module", "ramming_gear trojan_needler", "blue_screen_of_death"])
def test_corruption_wave_needs_spam(others):
    """R46: SPAM only; R53: a push that deals none is not asked about."""
    answers = ("A blue_screen_of_death yes",) if others == "blue_screen_of_death" else ()
    scene(BACK, A=f"corruption_wave {others}").play(A="back_up", answers=answers).asked(*answers)


def test_corruption_wave_is_not_asked_where_the_spam_pile_is_empty():
    """R53, R27: what B takes is no SPAM."""
    mat = {"upgrades": ["ramming_gear", "corruption_wave"], "discard": ["spam"] * 38}
    scene(BACK, A=mat).play(A="back_up").asked("B damage_kind trojan_horse").took(B={"trojan_horse": 1})


# -- Modular Chassis


def push(A, B, *answers, picture=BACK, program=("back_up",), **others):
    """A whole round in which A backs into B."""
    waiting = {name: ["power_up"] for name in others}
    return scene(picture, A=A, B=B, **others).play_rounds(A=list(program), B=["power_up"], answers=answers, **waiting)


def test_modular_chassis_is_exchanged_for_an_upgrade_of_the_pushed_robot():
    """Card Index: give that player this card, and take one of their installed upgrades."""
    result = push("modular_chassis", "brakes rail_gun", "A modular_chassis rail_gun")
    result.asked("A modular_chassis rail_gun").owns(A="rail_gun", B="brakes modular_chassis").has("energy", A=5, B=6)


def test_modular_chassis_is_a_may():
    """R52: a may."""
    push("modular_chassis", "brakes").asked("A modular_chassis no").owns(A="modular_chassis", B="brakes")


def test_modular_chassis_needs_an_upgrade_to_take():
    """R53. A special programming card is no upgrade."""
    push("modular_chassis", "").asked().owns(A="modular_chassis", B="")
    push("modular_chassis", "energy_routine").asked()


def test_modular_chassis_takes_from_the_touched_robot_only():
    """R45: not from the others of a chain."""
    push("modular_chassis", "", picture=ROW_BEHIND, C="brakes").asked()


def test_modular_chassis_needs_a_push():
    """R45: B could not move."""
    push("modular_chassis", "brakes", picture=WALL_BEHIND).asked()


def test_a_temporary_can_be_taken_and_used_at_once():
    """Ruling note: a temporary may be taken. A hacks its Back Up in the same turn, and has no chassis any more."""
    result = push("modular_chassis", "hack", "A modular_chassis hack", "A hack yes")
    result.asked("A modular_chassis hack", "A hack yes").at(A="3 0", B="4 0").owns(A="", B="modular_chassis")


def test_an_upgrade_just_taken_does_not_count_in_the_same_push():
    """R45: what counts is settled at the touch. The Ramming Gear works in the next push."""
    answers = ("A modular_chassis ramming_gear",)
    scene(BACK, A="modular_chassis", B="ramming_gear").play(A="back_up", answers=answers).took()
    scene(BACK, A="modular_chassis", B="ramming_gear").play(A=["back_up", "again"], answers=answers).took(B=1)


def test_the_other_cards_of_the_pusher_count_in_the_same_push():
    """R45: the cards in front of A at the touch."""
    answers = ("A modular_chassis brakes",)
    result = scene(BACK, A="modular_chassis ramming_gear virus_module", B="brakes").play(A="back_up", answers=answers)
    result.took(B={"spam": 1, "virus": 1})


def test_the_questions_of_one_push_come_in_order():
    """Blue Screen of Death, Modular Chassis, then Ramming Gear's SPAM with its Corruption Wave."""
    result = scene(BACK, A="blue_screen_of_death modular_chassis ramming_gear", B="brakes").play(A="back_up")
    result.asked("A blue_screen_of_death no", "A modular_chassis no")
    result = scene(BACK, A="corruption_wave modular_chassis ramming_gear", B="brakes").play(A="back_up")
    result.asked("A modular_chassis no", "A corruption_wave no")


def test_it_is_taken_before_the_pushed_robot_reboots():
    """R45: at once."""
    answers = ("A modular_chassis brakes",)
    result = scene(EDGE, A="modular_chassis", B="brakes").play(A="back_up", answers=answers)
    result.asked("A modular_chassis brakes", "B reboot_facing E")


def test_with_three_temporaries_no_fourth_is_offered():
    """R52: upgrades that break a limit of three are not offered; a permanent one is."""
    full = "modular_chassis boink zoop refresh"
    scene(BACK, A=full, B="hack").play(A="back_up").never_asked("modular_chassis")
    with pytest.raises(ScenarioError):
        scene(BACK, A=full, B="hack brakes").play(A="back_up", answers=("A modular_chassis hack",))
    result = scene(BACK, A=full, B="hack brakes").play(A="back_up", answers=("A modular_chassis brakes",))
    result.asks("modular_chassis", "A brakes")


def test_with_three_permanent_upgrades_the_pushed_robot_gives_up_one_of_them():
    """R52: the chassis is permanent: for a temporary, B would have four permanent ones."""
    with pytest.raises(ScenarioError):
        push("modular_chassis", "brakes rail_gun rear_laser hack", "A modular_chassis hack")
    result = push("modular_chassis", "brakes rail_gun rear_laser hack", "A modular_chassis brakes")
    result.owns(A="brakes", B="hack modular_chassis rail_gun rear_laser")


def test_one_permanent_for_another_is_always_possible():
    """R52: both have three before and after."""
    result = push("modular_chassis scrambler side_arms", "brakes crab_legs teleporter", "A modular_chassis teleporter")
    result.owns(A="scrambler side_arms teleporter", B="brakes crab_legs modular_chassis")


def test_the_new_owner_can_use_the_chassis():
    """Card Index: that player keeps this card until they use it. B turns, pushes A, and takes its card back."""
    answers = ("A modular_chassis brakes", "B modular_chassis brakes")
    result = scene(BACK, A="modular_chassis", B="brakes").play_rounds(
        A=["back_up"], B=["turn_left", "move_1"], answers=answers
    )
    # B's Move 1 in register two: it has no Brakes at that moment
    result.asked(*answers).owns(A="modular_chassis", B="brakes")


@pytest.mark.parametrize(("choice", "asked"), [("yes", ["B yes"]), ("no", ["B no", "A no"])])
def test_a_card_used_in_this_round_stays_used(choice, asked):
    """Card Index, Admin Privilege: once per round. B has used it or not when A takes it; C is the first in order."""
    scene(ROW_BEHIND, A="modular_chassis", B="admin_privilege").play(
        order="CAB",
        A=["back_up", "power_up"],
        answers=(f"B admin_privilege {choice}", "A modular_chassis admin_privilege"),
    ).asks("admin_privilege", *asked)


@pytest.mark.parametrize(
    "picture",
    [
        "P>1+A^   B^       .",
        "A>       B^     | .",
    ],
)
def test_panels_and_shots_are_no_push_for_modular_chassis(picture):
    """R45."""
    scene(picture, A="modular_chassis", B="brakes").play().asked()


# -- Side Arms


@pytest.mark.parametrize(("side", "b"), [("left", "1 0"), ("right", "1 2")])
def test_side_arms_push_to_the_side(side, b):
    """Card Index: push it to the left or right instead. The pusher moves ahead into the space (ruling note)."""
    result = scene(STREET, A="side_arms").play(A="move_1", answers=(f"A side_arms {side}",))
    result.asked(f"A side_arms {side}").at(A="1 1 E", B=f"{b} N").took(A=int(side == "right"))  # B faces A from there


def test_side_arms_are_a_may():
    """Card Index: you may choose. Otherwise the push goes ahead."""
    scene(STREET, A="side_arms").play(A="move_1").asked("A side_arms no").at(A="1 1", B="2 1").took(B=1)


def test_after_side_arms_the_move_goes_on():
    """Card Index: the way is free for the steps left."""
    scene(STREET, A="side_arms").play(A="move_3", answers=("A side_arms left",)).at(A="3 1", B="1 0")


def test_side_arms_are_asked_at_the_first_contact_only():
    """R45: at the first contact with each robot; B is pushed ahead by both steps."""
    scene(STREET, A="side_arms").play(A="move_2").asked("A side_arms no").at(A="2 1", B="3 1")


def test_side_arms_are_asked_for_each_robot():
    """R45: each robot. B goes to the left, then C to the right."""
    answers = ("A side_arms left", "A side_arms right")
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   B^   C^   .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """, A="side_arms").play(A="move_2", answers=answers).asked(*answers).at(A="2 1", B="1 0", C="2 2")  # fmt: skip


def test_side_arms_are_asked_anew_for_each_card():
    """R49: an Again is a card of its own."""
    answers = ("A side_arms no", "A side_arms left")
    scene(STREET, A="side_arms").play(A=["move_1", "again"], answers=answers).asked(*answers).at(A="2 1", B="2 0")


def test_side_arms_help_where_ahead_is_blocked():
    """R45: also when ahead is blocked."""
    picture = STREET.replace("B^   .", "B^ | .")
    scene(picture, A="side_arms").play(A="move_1", answers=("A side_arms right",)).at(A="1 1", B="1 2")
    scene(picture, A="side_arms").play(A="move_1").asked("A side_arms no").at(A="0 1", B="1 1")


def test_a_side_that_is_walled_off_is_not_offered():
    """R45: for each side to which the robot can be pushed."""
    picture = """
        +    +    +    +    +
          .    .    .    .
        +    +----+    +    +
          A>   B^   .    .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """
    with pytest.raises(ScenarioError):
        scene(picture, A="side_arms").play(A="move_1", answers=("A side_arms left",))
    scene(picture, A="side_arms").play(A="move_1", answers=("A side_arms right",)).at(A="1 1", B="1 2")


def test_side_arms_are_not_asked_between_walls():
    """R53: neither side is open; the push goes ahead."""
    scene("""
        +    +----+    +    +
          A>   B^   .    .
        +    +----+    +    +
    """, A="side_arms").play(A="move_1").asked().at(A="1 0", B="2 0")  # fmt: skip


def test_side_arms_do_not_reach_over_a_wall():
    """R45: A does not touch B: there is a wall between them."""
    scene(STREET.replace("A>   B^", "A> | B^"), A="side_arms").play(A="move_1").asked().at(A="0 1", B="1 1")


def test_side_arms_may_push_off_the_board():
    """R10: the edge lets it happen. B reboots before A's next step."""
    result = scene("""
        +    +    +    +    +
          A>   B^   .    .
        +    +    +    +    +
          .    .    .    R>
        +    +    +    +    +
    """, A="side_arms").play(A="move_2", answers=("A side_arms left",))  # fmt: skip
    result.rebooted("B").at(A="2 0", B="3 1 E").took(B=2)


def test_side_arms_push_a_row():
    """R10: an ordinary push; C, beside B, goes along. With a wall behind C that side is not offered."""
    picture = """
        +    +    +    +
          .    .    .
        +    +    +    +
          .    C^   .
        +    +    +    +
          A>   B^   .
        +    +    +    +
          .    .    .
        +    +    +    +
    """
    scene(picture, A="side_arms").play(A="move_1", answers=("A side_arms left",)).at(A="1 2", B="1 1", C="1 0")
    lines = picture.splitlines()
    lines[3] = "        +    +----+    +"
    with pytest.raises(ScenarioError):
        scene("\n".join(lines), A="side_arms").play(A="move_1", answers=("A side_arms left",))


def test_side_arms_work_with_back_up():
    """R45: left and right of the own facing: A faces west, so its left is the south."""
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A<   B^   .    .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """, A="side_arms").play(A="back_up", answers=("A side_arms left",)).at(A="1 1 W", B="1 2")  # fmt: skip


@pytest.mark.parametrize(("arrow", "asked"), [(">", 1), ("<", 1), ("^", 0), ("v", 0)])
def test_side_arms_work_with_a_boink_ahead_or_back(arrow, asked):
    """R45: by Boink too, along the own axis."""
    answers = ("A side_arms left",) if asked else ()
    result = scene(STREET.replace("A>", f"A{arrow}"), A="side_arms boink").play(answers=("A boink E", *answers))
    result.asked("A boink E", *answers)


def test_the_crabs_side_step_has_no_side_arms():
    """R45: B stands beside A's first space and is pushed to the side, as by any step; ahead C can be pushed aside."""
    answers = ("A crab_legs left", "A side_arms right")
    result = scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    B^   C^   .
        +    +    +    +    +    +
          .    A>   .    .    .
        +    +    +    +    +    +
    """, A="crab_legs side_arms").play(A="move_1", answers=answers)  # fmt: skip
    result.asked(*answers).at(A="3 1", B="2 0", C="3 2")


def test_a_robot_pushed_aside_has_been_pushed():
    """R45: the cards of a push count for it."""
    result = scene(STREET, A="ramming_gear side_arms virus_module").play(A="move_1", answers=("A side_arms left",))
    result.took(B={"spam": 1, "virus": 1})
    answers = ("A side_arms left", "A modular_chassis brakes")
    scene(STREET, A="modular_chassis side_arms", B="brakes").play(A="move_1", answers=answers).asked(*answers)


def test_side_arms_are_for_the_pusher():
    """Card Index: when you push. B's card is of no use when A pushes."""
    scene(STREET, B="side_arms").play(A="move_1").asked().at(B="2 1")
