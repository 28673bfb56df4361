"""Options that change another's program: Scrambler and Radio Control. The card texts, R64 to R66."""

import pytest

from .scene import scene, shots, turns

FAR = """
    +    +    +    +    +    +    +
      .    A>   .    .    B^   .
    +    +    +    +    +    +    +
      C<   .    .    .    .    .
    +    +    +    +    +    +    +
"""
LINE = "A>   B^   .    .    C^"
SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
DRAWN = ["turn_right:80", "turn_right:100", "turn_right:120", "turn_right:140"]
SCRAMBLE, CONTROL = ("A scrambler yes",), ("A radio_control yes",)
STEPS = [None, "move_1:600", "move_1:610", "move_1:620", "move_1:630"]
LEFTS = [None, "turn_left:190", "turn_left:210", "turn_left:230", "turn_left:250"]


# -- Scrambler


def test_scrambler_replaces_the_card_of_the_next_register():
    """Card: by the top card of the program deck; no damage."""
    result = scene(FAR, A="scrambler", draw=DRAWN).play(B=SPINS, to=1, answers=SCRAMBLE).damage()
    result.register_cards(B=[SPINS[0], DRAWN[0], *SPINS[2:]])
    assert not shots(result)


def test_scrambler_is_a_may():
    """Card: instead of firing the main laser."""
    result = scene(FAR, A="scrambler", draw=DRAWN).play(B=SPINS, to=1)
    result.damage(B=1).register_cards(B=SPINS).asked("A scrambler no")


def test_the_scrambled_card_is_played():
    """Card: the card in the register is that one now."""
    scene(FAR, A="scrambler", draw=["move_1:660"]).play(A=[None, "turn_left:70"], B=SPINS[:2], answers=SCRAMBLE).at(
        B="4 1"
    )  # turned about, it moves to the south


def test_scrambler_is_not_for_the_fifth_register_phase():
    """Card; in register five the laser is all there is."""
    scene(FAR, A="scrambler").play(5, B=SPINS).damage(B=1).asked()
    result = scene(FAR, A="scrambler", draw=DRAWN).play(4, B=SPINS, to=4, answers=SCRAMBLE)
    result.register_cards(B=[*SPINS[:4], DRAWN[0]])


def test_scrambler_may_be_used_in_four_registers():
    """Card: no limit a turn."""
    result = scene(FAR, A="scrambler", draw=DRAWN).play(B=SPINS, answers=SCRAMBLE * 4)
    result.register_cards(B=[SPINS[0], *DRAWN]).has("damage", B=1)


def test_scrambler_leaves_locked_registers_alone():
    """R65: with six tokens registers 4 and 5 are locked; there it is no choice."""
    ready = scene(FAR, A="scrambler", B={"damage": 6}, draw=DRAWN)
    ready.play(3, B=SPINS, to=3).asked().damage(B=7)
    ready.play(2, B=SPINS, to=2, answers=SCRAMBLE).register_cards(B=[*SPINS[:2], DRAWN[0], *SPINS[3:]]).damage(B=6)


def test_scrambler_does_not_change_the_order_of_the_register():
    """R65: the drawn card's number does not count."""
    result = scene(FAR, A="scrambler", draw=["move_3:790"]).play(
        A=[None, "turn_left:70"], B=["u_turn:10", "u_turn:20"], answers=SCRAMBLE
    )
    assert turns(result) == "BAB"  # in register two A's 70 comes before B's 20


def test_a_higher_number_still_counts_after_the_scrambling():
    """R65: as above, the other way round."""
    result = scene(FAR, A="scrambler", draw=["u_turn:60"]).play(
        A=[None, "turn_left:70"], B=["u_turn:10", "move_1:490"], answers=SCRAMBLE
    )
    assert turns(result) == "BBA"


def test_one_card_replaces_two_in_the_next_register():
    """Card: the card in that register is replaced."""
    scene(FAR, A="scrambler", B="dual_processor", draw=DRAWN).play(
        B=["u_turn:10", "move_2:670+turn_left:70"], to=1, answers=SCRAMBLE
    ).register_cards(B=["u_turn:10", DRAWN[0]])


def test_a_scrambled_card_is_replaced_once_more_after_an_abort():
    """Cards: the Abort Switch replaces every later register of the turn, whatever lies there."""
    result = scene(FAR, A="scrambler", B="abort_switch", draw=DRAWN).play(
        B=SPINS[:3], to=2, answers=("B abort_switch yes", *SCRAMBLE)
    )
    result.register_cards(B=[DRAWN[0], DRAWN[2], SPINS[2]])  # DRAWN[1] was scrambled in and replaced
    assert [event["card"] for event in result.happened("replaced", "B")] == DRAWN[:3]


def test_an_empty_register_cannot_be_scrambled():
    """Card: the card in the next register; a powered-down robot has none."""
    scene(FAR, A="scrambler", B={"powered_down": True}).play().asked().damage(B=1)


def test_scrambler_with_high_power_is_asked_for_each_target():
    """R64: it stands for the laser at that target."""
    result = scene(LINE, A="scrambler high_power_laser", draw=DRAWN).play(
        B=["u_turn:10", "u_turn:20"], C=["u_turn:30", "u_turn:40"], to=1, answers=SCRAMBLE * 2
    )
    result.register_cards(B=["u_turn:10", DRAWN[0]], C=["u_turn:30", DRAWN[1]]).damage(A=0)


# -- Radio Control


def test_the_controlled_robot_plays_the_shooters_program():
    """Card: for the rest of the turn that robot executes this robot's program; no damage."""
    result = scene(FAR, A="radio_control").play(A=[None, "u_turn:10"], B=STEPS[:2], answers=CONTROL).damage()
    result.at(A="1 0 W", B="4 0 S")


def test_radio_control_is_a_may():
    """Card: instead of firing the main laser."""
    result = scene(FAR, A="radio_control").play(A=[None, "u_turn:10"], B=[None, "turn_right:80"])
    result.damage(B=1).asked("A radio_control no").at(B="4 0 E")


def test_it_moves_immediately_after_the_shooter():
    """Card: in each register; here C's number lies between, and B's own is the highest."""
    result = scene(FAR, A="radio_control").play(
        A=[None, "turn_right:200", "turn_right:220"],
        B=[None, "turn_left:410", "turn_left:390"],
        C=[None, "turn_left:190", "turn_left:230"],
        answers=CONTROL,
    )
    assert turns(result) == "ABCCAB"


def test_the_shooters_number_counts_for_both():
    """Card: immediately after this robot, where its own number would have come before."""
    result = scene(FAR, A="radio_control").play(
        A=[None, "u_turn:10"], B=[None, "move_1:490"], C=[None, "turn_left:70"], answers=CONTROL
    )
    assert turns(result) == "CAB"


def test_locked_registers_are_of_no_account():
    """R66: locked or not; B's card in register 5 stays there."""
    result = scene(FAR, A="radio_control", B={"damage": 6}).play(
        4, A=[*LEFTS[:3], None, "turn_right:80"], B=["u_turn"] * 5, answers=CONTROL
    )
    result.at(B="4 0 W").register_cards(B=["u_turn"] * 5).has(
        "damage", B=6
    )  # U-turn in register 4, right in register 5


def test_a_locked_register_of_the_shooter_is_played_too():
    """R66: the shooter's remaining cards."""
    scene(FAR, A={"options": ["radio_control"], "damage": 5}).play(
        4, A=[*LEFTS[:3], None, "turn_right:80"], B=[*STEPS[:3], None, "u_turn"], answers=CONTROL
    ).at(B="4 0 E")


@pytest.mark.parametrize(
    ("option", "card"), [("brakes", "move_1"), ("fourth_gear", "move_3"), ("reverse_gear", "back_up")]
)
def test_the_controlled_robot_has_not_its_own_options(option, card):
    """R66: without its own options."""
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    A>   .    B^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """, A="radio_control", B=option)  # fmt: skip
    result.play(A=[None, card], to=2, answers=CONTROL).never_asked(option)


def test_the_controlled_robot_has_not_the_shooters_options_either():
    """R66: it plays the card; the Fourth Gear is A's own."""
    scene(
        """
        +    +    +    +    +    +    +
          .    .    .    .    B^   .
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          .    .    .    .    A^   .
        +    +    +    +    +    +    +
    """,
        A="radio_control fourth_gear",
    ).play(A=[None, "turn_left", "move_3"], answers=(*CONTROL, "A fourth_gear yes")).asked(
        "A radio_control yes", "A fourth_gear yes"
    ).at(A="0 3 W", B="1 0 W")


def test_a_controlled_robot_rams_nobody():
    """R66: without its own options; A and B back up, and B pushes C."""
    result = scene("""
        +    +    +    +    +
          .    A>   .    B^
        +    +    +    +    +
          .    .    .    C<
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """, A="radio_control", B="ramming_gear").play(A=[None, "back_up"], answers=CONTROL)  # fmt: skip
    result.at(A="0 0", B="3 1", C="3 2").damage()


def test_the_control_ends_with_the_turn():
    """Card: for the rest of the turn."""
    deck = [*DRAWN, *[f"turn_right:{number}" for number in range(160, 420, 20)]]
    result = scene("A^  .  .  B^  .", A="radio_control", draw=deck).play_rounds(
        2,
        A=["turn_right", "turn_right", "u_turn", "turn_left", "turn_left"],
        B=["turn_left"] * 5,
        answers=CONTROL,
    )
    second = [event["card"] for event in result.happened("play", "B")[5:]]
    assert second == result.decisions[[d.split()[:2] for d in result.decisions].index(["B", "program"])].split()[2:]


def test_the_control_ends_when_the_shooter_is_destroyed():
    """R66: A walks off the board in register 2, and B plays its own cards from then on."""
    scene(
        """
        +    +    +    +    +
          A>   .    .    B^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """,
        A="radio_control",
    ).play(
        A=[None, "back_up:430", "turn_left:70"], B=[None, "turn_right:80", "turn_right:100"], answers=CONTROL
    ).destroyed("A").at(B="3 0 S")


def test_the_own_registers_stay_as_they_are():
    """Card: it executes another program; its own cards lie there still."""
    scene(FAR, A="radio_control").play(A=LEFTS, B=STEPS, answers=CONTROL).register_cards(B=STEPS)


def test_two_cards_in_a_register_are_played_as_the_shooter_does():
    """Cards: it executes this robot's program; R67: two cards in one register."""
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   .    .    B^
        +    +    +    +    +
    """, A="radio_control dual_processor").play(A=[None, "move_2+turn_left"], answers=CONTROL)  # fmt: skip
    result.at(A="1 1 N", B="3 0 W")


def test_crab_legs_are_the_shooters_too():
    """R66: its cards, and what they mean."""
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          A>   .    .    B^
        +    +    +    +    +
    """, A="radio_control crab_legs").play(A=[None, "move_1+turn_left"], answers=CONTROL)  # fmt: skip
    result.at(A="0 0 E", B="2 1 N")


def test_a_controlled_robot_still_shoots():
    """Card: it is the program that is replaced."""
    scene(FAR.replace("B^", "B<"), A="radio_control").play(A=LEFTS[:2], answers=CONTROL).damage(A=1, B=0)


def test_a_controlled_robot_may_be_radioed_again():
    """Card: instead of firing the main laser, so no damage comes."""
    scene(FAR, A="radio_control").play(to=5, answers=CONTROL * 5).damage()


def test_a_powered_down_robot_executes_no_program():
    """Rulebook p. 5: it does not move while powered down."""
    scene(FAR, A="radio_control", B={"powered_down": True}).play(A=LEFTS, answers=CONTROL).at(B="4 0 N")


def test_what_the_controlled_robot_would_replace_is_not_asked():
    """R66: without its own options; Abort Switch is for the cards that it reveals."""
    result = scene(FAR, A="radio_control", B="abort_switch").play(
        A=LEFTS, B=["turn_right", *STEPS[1:]], answers=CONTROL
    )
    result.asks("abort_switch", "B no")


def test_two_robots_follow_one_shooter():
    """Card with the High-Power Laser: each of them right after it."""
    result = scene(LINE, A="radio_control high_power_laser").play(
        A=[None, "turn_left:70"],
        B=[None, "turn_right:80"],
        C=[None, "turn_right:100"],
        answers=CONTROL * 2,
    )
    assert turns(result) == "ABC"
    result.at(B="1 0 W", C="4 0 W")


def test_a_controlled_robot_may_fall_by_the_program():
    """Card: it executes it wherever that leads."""
    scene(FAR, A="radio_control").play(A=[None, "move_1"], answers=CONTROL).destroyed("B").lives(B=2)
