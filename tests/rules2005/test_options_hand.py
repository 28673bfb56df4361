"""Options of dealing and programming: Extra Memory, Flywheel, Recompile. The card texts and R67."""

import pytest

from .scene import dealt, scene

ALONE = ".  .  A>  ."
BESIDE = """
    +    +    +    +
      A>   .    .
    +    +    +    +
      B>   .    .
    +    +    +    +
"""
SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
HAND = [*SPINS, "move_1:490", "move_1:500", "move_2:670", "back_up:430"]
NEW = [f"turn_left:{number}" for number in range(70, 250, 20)]
PROGRAM = "A program " + " ".join(SPINS)
NEW_PROGRAM = "A program " + " ".join(NEW[:5])
UNDER = [None, "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]


# -- Extra Memory


@pytest.mark.parametrize("damage", [0, 3, 8])
def test_extra_memory_deals_one_card_more(damage):
    """Card: 1 program card more each turn; rulebook p. 9 for the others."""
    under = UNDER if damage == 8 else []
    result = scene(ALONE, A={"options": ["extra_memory"], "damage": damage, "registers": under}).play_rounds()
    assert dealt(result, "A") == 10 - damage


def test_extra_memory_deals_a_card_that_nine_tokens_leave_no_room_for():
    """Card: 1 more, whether a register is open or not."""
    mat = {"options": ["extra_memory"], "damage": 9, "registers": SPINS}
    assert dealt(scene(ALONE, A=mat).play_rounds(2), "A") == 2  # one in each turn


def test_a_card_of_extra_memory_can_be_programmed():
    """Card: it is dealt like the others."""
    mat = {"options": ["extra_memory"], "hand": [*HAND, "move_3:790"]}
    result = scene(ALONE, A=mat).play_rounds(answers=("A program u_turn:10 move_3:790 u_turn:20 u_turn:30 u_turn:40",))
    result.destroyed("A")


def test_unused_cards_are_discarded_with_extra_memory_too():
    """Card: cards not used are still discarded."""
    scene(ALONE, A="extra_memory").play_rounds().pile("hand", A=[])


def test_extra_memory_is_for_its_owner():
    """Rulebook p. 8: an option lies in front of its player."""
    result = scene(BESIDE, A="extra_memory").play_rounds()
    assert (dealt(result, "A"), dealt(result, "B")) == (10, 9)


# -- Flywheel


def flywheel(*answers, rounds=2, hand=HAND, **options):
    """Rounds of a robot with a Flywheel and a known first hand; the next one is NEW."""
    mat = {"options": ["flywheel"], "hand": hand, **options}
    return scene(ALONE, A=mat, draw=NEW).play_rounds(rounds, answers=(PROGRAM, *answers))


def test_a_card_on_the_flywheel_is_added_to_a_later_hand():
    """Card: one left-over card; in any later turn it may be added to the cards dealt."""
    result = flywheel(
        "A flywheel back_up:430",
        "A flywheel yes",
        "A program back_up:430 turn_left:70 turn_left:90 turn_left:110 turn_left:130",
    )
    result.at(A="3 0 W")  # five U-turns; then back, and four turns to the left
    assert dealt(result, "A") == 9


def test_nothing_need_be_laid_on_the_flywheel():
    """Card: may; then there is nothing to add."""
    flywheel().asks("flywheel", "A no", "A no")  # after programming in both turns


def test_the_card_may_wait_on_the_flywheel():
    """Card: in any later turn; it holds one card at a time, so no other is placed."""
    result = flywheel("A flywheel back_up:430", "A flywheel no", "A flywheel yes", rounds=3)
    result.asks("flywheel", "A back_up:430", "A no", "A yes", "A no")  # in turn 3 it is empty again


def test_the_flywheel_takes_another_card_when_it_is_empty():
    """Card: one card at a time."""
    result = flywheel("A flywheel back_up:430", "A flywheel yes", f"A flywheel {NEW[8]}")
    result.asks("flywheel", "A back_up:430", "A yes", f"A {NEW[8]}")


def test_a_card_on_the_flywheel_is_not_in_the_deck():
    """Rulebook p. 4: the deck is what is left; 84 less one."""
    result = flywheel("A flywheel back_up:430")
    assert [event["cards"] for event in result.happened("shuffle")][-1] == 83 - len(NEW)  # NEW lies on top, known


def test_every_left_over_card_may_be_laid_on_the_flywheel():
    """Card: left-over hand card."""
    for card in HAND[5:]:
        flywheel(f"A flywheel {card}", rounds=1).asks("flywheel", f"A {card}")


def test_the_flywheel_adds_to_a_small_hand():
    """Card: added to the cards dealt, however few they are."""
    result = scene(ALONE, A={"options": ["flywheel"], "hand": HAND, "damage": 4}, draw=NEW[:5]).play_rounds(
        2,
        answers=(
            PROGRAM,
            "A flywheel back_up:430",
            "A flywheel yes",
            "A program turn_left:70 turn_left:90 turn_left:110 turn_left:130 back_up:430",
        ),
    )
    assert dealt(result, "A") == 5


def test_the_flywheel_is_not_asked_without_a_card_left_over():
    """Card: left-over; four tokens leave five cards."""
    scene(ALONE, A={"options": ["flywheel"], "damage": 4}).play_rounds().never_asked("flywheel")


def test_players_are_asked_for_the_flywheel_after_all_have_programmed():
    """Card: after all players have programmed."""
    found = scene(BESIDE, A={"options": ["flywheel"], "hand": HAND}).play_rounds(answers=(PROGRAM,)).decisions
    assert [text.split()[1] for text in found[:3]] == ["program", "program", "flywheel"]


def test_the_flywheel_keeps_its_card_over_a_power_down():
    """Card: any later turn; a powered-down robot gets no cards (p. 5) and is not asked."""
    result = flywheel("A flywheel back_up:430", "A power_down yes", "A flywheel yes", rounds=3, damage=1)
    result.asks("flywheel", "A back_up:430", "A yes", "A no")
    assert len(result.happened("powered_down")) == 1


def test_with_the_flywheel_its_card_is_gone():
    """Rulebook p. 10: an option may be discarded for damage; the card is shuffled in again."""
    scene("A^  .  .  B<", A={"options": ["flywheel"], "hand": HAND}).play_rounds(
        B=["u_turn", "turn_left", "turn_left", "turn_left", "turn_left"],
        answers=(PROGRAM, "A flywheel back_up:430", "A option_for_damage flywheel"),
    ).options(A="").in_pile("discard", "back_up:430", A=1)


def test_conditional_program_and_flywheel_take_two_cards():
    """The cards: one left-over card each."""
    mat = {"options": ["conditional_program", "flywheel"], "hand": HAND}
    scene(ALONE, A=mat).play_rounds(
        answers=(PROGRAM, "A conditional_program move_1:490", "A flywheel move_1:500")
    ).asks("flywheel", "A move_1:500").in_pile("discard", "move_1:490", A=1).in_pile("discard", "move_1:500", A=0)


# -- Recompile


def recompile(*answers, **options):
    """A round of a robot with Recompile and a known hand; the next nine cards are NEW."""
    mat = {"options": ["recompile"], "hand": HAND, **options}
    return scene(ALONE, A=mat, draw=NEW).play_rounds(answers=answers)


def test_recompile_gives_a_new_hand_for_one_damage():
    """Card: the hand is discarded for a new hand from the deck; the robot gets 1 damage."""
    result = recompile("A recompile yes", NEW_PROGRAM)
    result.damage(A=1).at(A="2 0 N")
    assert dealt(result, "A") == 9
    result.in_pile("discard", "move_2:670", A=1)


def test_recompile_is_a_may():
    """Card: may."""
    recompile(PROGRAM).damage().asks("recompile", "A no")


def test_recompile_is_used_once_a_turn():
    """Card: once a turn."""
    recompile("A recompile yes", NEW_PROGRAM).asks("recompile", "A yes")


def test_recompile_is_ready_again_in_the_next_turn():
    """Card: once a turn."""
    mat = {"options": ["recompile"], "hand": HAND}
    hands = [*NEW, *[f"turn_right:{number}" for number in range(80, 420, 20)]]
    scene(ALONE, A=mat, draw=hands).play_rounds(2, answers=("A recompile yes", "A recompile yes")).damage(A=2)


def test_an_option_may_take_the_damage_of_a_recompile():
    """Rulebook p. 10: any damage token; even Recompile itself."""
    recompile("A recompile yes", "A option_for_damage recompile", NEW_PROGRAM).damage().options(A="")


def test_the_ablative_coat_takes_the_damage_of_a_recompile():
    """R61: Ablative Coat first."""
    recompile("A recompile yes", NEW_PROGRAM, options=["recompile", "ablative_coat"]).damage()


def test_the_new_hand_is_as_large_as_the_old_one():
    """Card: a new hand; the damage comes then."""
    result = recompile("A recompile yes", NEW_PROGRAM, hand=HAND[:7], damage=2)
    assert dealt(result, "A") == 7


def test_at_four_damage_the_fifth_register_is_programmed_and_then_locked():
    """Card: then 1 damage; rulebook p. 9: the fifth token locks register 5, whose card stays (p. 10)."""
    result = recompile("A recompile yes", NEW_PROGRAM, hand=SPINS, damage=4)
    result.damage(A=5).register_cards(A=[None] * 4 + [NEW[4]])


def test_at_nine_damage_a_recompile_destroys():
    """Rulebook p. 10: the tenth token; with Extra Memory there is a hand of one."""
    mat = {"options": ["recompile", "extra_memory"], "damage": 9, "registers": SPINS}
    result = scene(ALONE, A=mat).play_rounds(answers=("A recompile yes", "A option_lost recompile"))
    result.destroyed("A").lives(A=2).options(A="extra_memory").damage(A=2)


def test_recompile_is_not_asked_without_a_hand():
    """Card: the dealt hand; nine tokens leave none."""
    mat = {"options": ["recompile"], "damage": 9, "registers": SPINS}
    scene(ALONE, A=mat).play_rounds(2).never_asked("recompile")


def test_the_card_of_the_flywheel_does_not_go_with_the_dealt_hand():
    """Cards: the dealt hand is discarded; the Flywheel's card is added to the cards dealt."""
    mat = {"options": ["flywheel", "recompile"], "hand": HAND}
    result = scene(ALONE, A=mat, draw=NEW).play_rounds(
        2,
        answers=("A recompile no", PROGRAM, "A flywheel back_up:430", "A recompile yes", "A flywheel yes"),
    )
    assert dealt(result, "A") == 18  # NEW, and as many again
    result.asks("flywheel", "A back_up:430", "A yes", "A no")


def test_recompile_is_asked_before_the_flywheels_card_is_added():
    """As above: one question a turn, and then the other."""
    mat = {"options": ["flywheel", "recompile"], "hand": HAND}
    result = scene(ALONE, A=mat, draw=NEW).play_rounds(
        2, answers=(PROGRAM, "A flywheel back_up:430", "A recompile no", "A recompile no", "A flywheel yes")
    )
    kinds = [text for text in result.decisions if text.split()[1] in ("recompile", "flywheel")]
    assert kinds == ["A recompile no", "A flywheel back_up:430", "A recompile no", "A flywheel yes", "A flywheel no"]


def test_extra_memory_counts_for_the_new_hand():
    """Cards: a new hand of as many cards."""
    mat = {"options": ["extra_memory", "recompile"]}
    assert dealt(scene(ALONE, A=mat).play_rounds(answers=("A recompile yes",)), "A") == 20
