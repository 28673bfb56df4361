"""The Again card: 2016 rulebook p. 24."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene
from .test_damage_cards import deck_without

ROW = "A>  .  .  .  .  .  .  ."


@pytest.mark.parametrize(
    ("card", "place"), [("move_1", "2 0 E"), ("move_3", "6 0 E"), ("turn_right", "0 0 W"), ("u_turn", "0 0 E")]
)
def test_again_repeats_the_register_before(card, place):
    """p. 24: repeat the programming in your previous register."""
    scene(ROW).play(A=[card, "again"]).at(A=place).register_cards(A=[card, "again"])


def test_again_repeats_power_up():
    """p. 24."""
    scene(ROW).play(A=["power_up", "again"]).has("energy", A=7)


def test_again_repeats_the_register_right_before_it():
    """p. 24: your previous register, not an earlier one."""
    scene(ROW).play(A=["move_3", "move_1", "again"]).at(A="5 0")


def test_again_after_again_repeats_what_the_earlier_one_did():
    """R24."""
    scene(ROW).play(A=["move_2", "again", "again"]).at(A="6 0").register_cards(A=["move_2", "again", "again"])


def test_again_repeats_the_action_not_its_outcome():
    """R24: the action; a move that was blocked is tried in full."""
    scene("A> | .  .  .  .").play(A=["move_2", "again"]).at(A="0 0")


# -- register one


def test_again_cannot_be_programmed_in_register_one():
    """p. 24: this card cannot be played in the first register; R23: it is refused there."""
    with pytest.raises(ScenarioError, match="again"):
        scene(ROW, A={"draw": ["again", "move_1", "move_1", "move_1", "move_1"]}).play_rounds(
            answers=("A program again move_1 move_1 move_1 move_1",)
        )


def test_the_default_program_puts_another_card_into_register_one():
    """R23: masked; the next card of the hand takes its place."""
    draw = ["again", "turn_left", "again", "turn_right", "u_turn", "power_up", "move_1", "move_1", "move_1"]
    result = scene(ROW, A={"draw": draw}).play_rounds()
    assert result.decisions[0].split()[2] == "turn_left"


def test_again_in_register_one_by_accident_is_discarded_for_the_top_card():
    """R23: to the own discard pile, play the top card instead."""
    result = scene(ROW, A={"draw": ["move_2"]}).play_rounds(A=["again"])
    result.at(A="2 0").pile("discard", A=["again", "move_2"])


def test_a_second_again_in_register_one_is_discarded_as_well():
    """R25a: an Again that comes up by draw in register one is discarded and the next card drawn."""
    scene(ROW, A={"draw": ["again", "move_1"]}).play(A=["again"]).at(A="1 0").register_cards(A=["move_1"])


def test_again_drawn_for_damage_in_register_one_is_discarded():
    """R25a."""
    scene(ROW, A={"draw": ["again", "move_1"]}).play(A=["spam"]).at(A="1 0").register_cards(A=["move_1"])


# -- after a damage card


def test_again_after_a_damage_card_draws():
    """p. 24: draw a card from the top of your deck, and play that card this register; R25."""
    scene(ROW, A={"draw": ["move_1", "move_3"]}).play(A=["spam", "again"]).at(A="4 0")


def test_by_the_switch_again_repeats_the_replacement():
    """R25, again_after_damage = repeat."""
    scene(ROW, {"again_after_damage": "repeat"}, A={"draw": ["move_1", "move_3"]}).play(A=["spam", "again"]).at(A="2 0")


def test_a_damage_card_drawn_for_again_is_played_as_usual():
    """R25: if that is damage: as usual."""
    scene(ROW, A={"draw": ["move_1", "trojan_horse", "move_2"]}).play(A=["spam", "again"]).at(A="3 0").took(A=2)


def test_an_again_drawn_for_again_is_discarded_and_the_next_card_drawn():
    """R25, R25a: if Again: discard it and draw the next."""
    scene(ROW, A={"draw": ["move_1", "again", "move_2"]}).play(A=["spam", "again"]).at(A="3 0")


def test_the_card_drawn_for_again_lies_on_it_until_the_round_ends():
    """R25, p. 8: it is in the register, so it is not among the discards that are shuffled in register three."""
    discard = deck_without("again", "move_1", "turn_left")
    mat = {"draw": ["move_1", "turn_left"], "discard": discard}
    result = scene(ROW, A=mat).play(A=["spam", "again", "spam"])
    (shuffle,) = result.happened("shuffle")
    assert shuffle["cards"] == len(discard) == 17


def test_a_worm_drawn_for_again_reboots():
    """R25: as usual; R20."""
    scene(ROW, A={"draw": ["move_1", "worm", "move_3"]}).play(A=["spam", "again"]).rebooted("A").at(A="0 0 E")


def test_again_after_again_after_damage_repeats_the_card_that_was_drawn():
    """R24, R25a: the register before held an Again, no damage card; its action was the Move 2 that it drew."""
    scene(ROW, A={"draw": ["move_1", "move_2"]}).play(A=["spam", "again", "again"]).at(A="5 0")


def test_a_damage_register_is_one_in_which_a_damage_card_was_programmed():
    """R25a: the card programmed there, not what replaced it: an Again two registers later repeats as ever."""
    scene(ROW, A={"draw": ["move_1"]}).play(A=["spam", "move_2", "again"]).at(A="5 0")


def test_damage_drawn_in_the_register_before_does_not_make_it_a_damage_register():
    """R25a: an Again stood in register one, a SPAM was drawn for it, then a Move 1; the second Again repeats that."""
    scene(ROW, A={"draw": ["spam", "move_1", "move_3"]}).play(A=["again", "again"]).at(A="2 0")


def test_again_drawn_for_a_damage_card_later_on_acts_as_again():
    """R25a: drawn for a damage card in registers two to five it acts as an Again there."""
    scene(ROW, A={"draw": ["again"]}).play(A=["move_2", "spam"]).at(A="4 0").register_cards(A=["move_2", "again"])


def test_again_drawn_for_damage_after_a_damage_register_draws():
    """R25, R25a: it acts as an Again, and the register before held a damage card."""
    scene(ROW, A={"draw": ["move_1", "again", "move_3"]}).play(A=["spam", "spam"]).at(A="4 0")


def test_again_after_nothing_does_nothing():
    """R25a: after a register in which nothing was carried out."""
    scene(ROW).play(A=[None, "again"]).at(A="0 0")


def test_again_of_an_again_that_did_nothing_does_nothing():
    """R24, R25a."""
    scene(ROW).play(A=[None, "again", "again"]).at(A="0 0").has("energy", A=5)


def test_again_is_lost_with_the_program_in_a_reboot():
    """p. 15, step 2; p. 24."""
    scene("R^  .  A>").play(A=["move_1", "again"]).at(A="0 0 N").register_cards(A=["move_1", None])


@pytest.mark.parametrize("first", ["move_2", "again"])
def test_registers_before_the_play_count_as_carried_out(first):
    """Scenario files: for Again; those registers do nothing else."""
    program = ["move_2", "again", "again"] if first == "again" else ["power_up", "move_2", "again"]
    scene(ROW).play(3, A=program).at(A="2 0").has("energy", A=5)
