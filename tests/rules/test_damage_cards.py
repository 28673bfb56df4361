"""Damage cards: 2016 rulebook p. 15."""

import numpy as np
import pytest

from roborally_env.core.cards import NONE, NUMBERS
from roborally_env.core.editions import game_dtype
from roborally_env.core.mechanics.piles import take_top
from roborally_env.core.state import LIGHTER

from .scene import race_on, scene

ALONE = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      A>   .    .    .    R^
    +    +    +    +    +    +
"""
SPAM, WORMS, VIRUSES, TROJANS = ["spam"] * 38, ["worm"] * 6, ["virus"] * 18, ["trojan_horse"] * 12


def deck_without(*cards):
    """The twenty cards of a programming deck less these."""
    counts = {"move_1": 5, "move_2": 3, "move_3": 1, "turn_right": 3, "turn_left": 3, "u_turn": 1, "back_up": 1}
    deck = [card for card, count in {**counts, "power_up": 1, "again": 2}.items() for _ in range(count)]
    for card in cards:
        deck.remove(card)
    return deck


def test_spam_is_replaced_by_the_top_card_of_the_deck():
    """p. 15, step 3: take a programming card from the top of your deck, and play it in your current register."""
    scene(ALONE, A={"draw": ["move_2", "move_1"]}).play(A=["spam"]).at(A="2 1").register_cards(A=["move_2"])


def test_a_played_damage_card_leaves_the_deck():
    """p. 15, step 2: discard it by returning it to its draw pile; now it is out of your deck."""
    result = scene(ALONE, A={"draw": ["power_up"]}).play_rounds(1, A=["spam", "turn_left"])
    result.pile("discard", A=["power_up", "turn_left"])


def test_a_returned_card_can_be_dealt_again():
    """p. 15, step 2: the SPAM pile is empty, yet the card that A has played comes back to it by a laser."""
    result = scene("A>  B<", A={"draw": ["power_up"], "discard": SPAM[:37]}).play(A=["spam"], to=1)
    result.took(A=1, B={"trojan_horse": 1}).asked("B damage_kind trojan_horse")


def test_a_damage_card_drawn_for_a_damage_card_is_played_too():
    """p. 15, step 3: it is played in the current register."""
    scene(ALONE, A={"draw": ["trojan_horse", "spam", "move_3"]}).play(A=["spam"]).at(A="3 1").took(A=2)


def test_damage_in_a_later_register_is_replaced_there():
    """p. 15: one of your registers."""
    result = scene(ALONE, A={"draw": ["move_1"]}).play(A=["move_1", "power_up", "spam"])
    result.at(A="2 1").register_cards(A=["move_1", "power_up", "move_1"])


def test_damage_not_programmed_does_nothing():
    """p. 15: when you play a damage card in one of your registers; in the hand or the deck it only dilutes."""
    result = scene(ALONE, {"advanced": True}, A={"hand": ["worm", "virus"]}).play_rounds(1, A=["power_up"])
    result.rebooted("").pile("hand", A=["virus", "worm"])


# -- the four kinds


def test_a_trojan_horse_gives_two_spam():
    """p. 15, Trojan Horse: immediately."""
    scene(ALONE, A={"draw": ["move_1"]}).play(A=["trojan_horse"]).took(A=2).at(A="1 1")


def test_a_worm_reboots_the_robot():
    """p. 15, Worm: you must immediately reboot your robot; R20: the card goes back to its pile and is not replaced."""
    result = scene(ALONE, A={"draw": ["move_3"]}).play_rounds(1, A=["worm", "move_1"])
    result.rebooted("A").at(A="4 1 N").pile("discard", A=["move_1", "spam", "spam"])
    assert not result.happened("draw")


@pytest.mark.parametrize(("robot", "token"), [("7 6 E", (7, 3, "S")), ("1 3 N", (1, 3, "E"))])
def test_a_worm_reboots_where_the_robot_stands(robot, token):
    """R20: the token of the board on which it stands; on the start board the own start space (p. 15)."""
    placed = race_on("dizzy_highway", A=robot).play(A=["worm"]).happened("placed", "A")
    assert (*placed[0]["cell"], placed[0]["facing"]) == token


def test_a_worm_drawn_for_spam_reboots_too():
    """p. 15: damage cards are played like programming cards; the SPAM of the reboot is dealt."""
    scene(ALONE, A={"draw": ["worm", "move_3"]}).play(A=["spam", "move_1"]).rebooted("A").at(A="4 1 N").took(A=2)


def test_a_virus_reaches_every_other_robot_within_six_spaces():
    """p. 15, Virus: any robot within a six-space radius; R28: by rows and columns, not the player itself."""
    scene("""
        +    +    +    +    +    +    +    +    +
          A^   .    .    .    .    .    B^   C^
        +    +    +    +    +    +    +    +    +
          .    .    .    .    .    .    .    .
        +    +    +    +    +    +    +    +    +
          .    .    .    .    D^   F^   .    .
        +    +    +    +    +    +    +    +    +
    """, A={"draw": ["power_up"]}).play(A=["virus"]).took(B={"virus": 1}, D={"virus": 1})  # fmt: skip


def test_a_virus_goes_through_walls_and_is_then_replaced():
    """R28 asks for the distance alone; p. 15, step 3."""
    scene("A> | B<", A={"draw": ["u_turn"]}).play(A=["virus"]).took(B={"virus": 1}).at(A="0 0 W")


def test_a_virus_reaches_rebooted_robots():
    """R28: every other robot on the course."""
    result = scene("""
        +    +    +    +
          .    .    B>
        +    +    +    +
          A^   .    R^
        +    +    +    +
    """, A={"draw": ["power_up"]}).play(B="move_1", A=["virus"], order="BA")  # fmt: skip
    result.rebooted("B").took(B={"spam": 2, "virus": 1})


# -- piles that run out


SHOT = "A>  B^"


def test_a_player_chooses_another_kind_when_the_pile_is_empty():
    """p. 15, note: must choose a damage card of another type; R27."""
    scene(SHOT, A={"discard": SPAM}).play(answers=("B damage_kind worm",)).took(B={"worm": 1})


def test_the_default_order_is_trojan_horse_virus_worm():
    """R27."""
    scene(SHOT, A={"discard": SPAM}).play().took(B={"trojan_horse": 1}).asked("B damage_kind trojan_horse")
    scene(SHOT, A={"discard": [*SPAM, *TROJANS]}).play().took(B={"virus": 1}).asked("B damage_kind virus")


def test_the_only_pile_left_is_taken_without_a_question():
    """R27: the damaged player chooses among piles that are not empty."""
    scene(SHOT, A={"discard": [*SPAM, *TROJANS]}, B={"discard": VIRUSES}).play().took(B={"worm": 1}).asked()


def test_with_no_pile_left_there_is_no_card():
    """R27: none left: no card."""
    scene(SHOT, A={"discard": [*SPAM, *TROJANS]}, B={"discard": [*VIRUSES, *WORMS]}).play().took().asked()


def test_it_is_chosen_card_by_card():
    """R27: the reboot's first SPAM is there, for the second a kind is chosen."""
    scene(ALONE, A={"discard": SPAM[:36], "draw": ["power_up"]}).play(A=["worm"], answers=("A reboot_facing W",)).took(
        A=2
    ).asked("A reboot_facing W")
    result = scene(ALONE, A={"discard": SPAM[:37]}).play(A=["worm"], answers=("A damage_kind virus",))
    result.took(A={"spam": 1, "virus": 1}).asked("A damage_kind virus", "A reboot_facing N")


def test_a_virus_pile_that_is_empty_is_replaced_for_each_victim():
    """R27, R28: each damaged player chooses."""
    scene("A^  B^  C^", A={"discard": VIRUSES[:17], "draw": ["power_up"]}).play(
        A=["virus"], answers=("B damage_kind spam", "C damage_kind worm")
    ).took(B=1, C={"worm": 1})


@pytest.mark.parametrize(("order", "spam", "other"), [("AB", "A", "B"), ("BA", "B", "A")])
def test_hits_are_dealt_in_turn_order(order, spam, other):
    """R32, R27, R94: one SPAM is left for two robots that shoot each other."""
    scene("A>  B<", A={"discard": SPAM[:37]}).play(order=order).took(**{spam: 1, other: {"trojan_horse": 1}})


@pytest.mark.parametrize(("order", "virus", "other"), [("ABC", "B", "C"), ("CBA", "C", "B")])
def test_a_virus_is_dealt_in_turn_order(order, virus, other):
    """R28, R27: one Virus is left for two robots in reach."""
    result = scene("A^  B^  C^", A={"discard": VIRUSES[:16], "draw": ["power_up"]}).play(order=order, A=["virus"])
    result.took(**{virus: {"virus": 1}, other: {"trojan_horse": 1}})


# -- the own deck runs out


def test_an_empty_draw_pile_is_replenished_when_a_card_is_needed():
    """R26: shuffle the discard pile; p. 6, step 1."""
    hand = ["again", "again", "u_turn", "back_up", "move_2", "move_2", "move_2", "move_3", "power_up"]
    discard = deck_without(*hand)
    result = scene(ALONE, {"advanced": True}, A={"hand": hand, "discard": discard}).play_rounds(1, A=["spam"])
    (shuffle,) = result.happened("shuffle", "A")
    assert shuffle["cards"] == len(discard)
    (drawn,) = result.happened("draw", "A")
    assert drawn["card"] in discard


def test_no_card_at_all_leaves_nothing_to_play():
    """R26: still empty: the register does nothing. No robot of this edition comes so far with twenty cards."""
    game = np.zeros(1, game_dtype(LIGHTER))[0]
    assert take_top(game, 0) == NONE
    game.pile[0, 0] = NUMBERS["move_1"]
    game.discarded[0] = 1
    assert take_top(game, 0) == NUMBERS["move_1"]
    assert take_top(game, 0) == NONE
