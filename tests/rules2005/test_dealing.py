"""1. Deal Program Cards: 2005 rulebook p. 4, and the table on p. 9."""

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario import load

from .scene import dealt, scene

ALONE = ".  A^  ."
TWO = "A^  .  B^"
STILL = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
NINE = [f"move_1:{number}" for number in range(490, 580, 10)]


@pytest.mark.parametrize("damage", range(10))
def test_each_damage_token_costs_a_card(damage):
    """p. 4: nine cards without damage, one fewer for each token; p. 9: down to none with nine tokens."""
    under = [None, *STILL[1:]] if damage < 9 else STILL  # what lies in locked registers
    under = [card if k >= 9 - damage else None for k, card in enumerate(under)]
    result = scene(ALONE, A={"damage": damage, "registers": under}).play_rounds()
    assert dealt(result, "A") == 9 - damage


def test_each_robot_is_dealt_by_its_own_damage():
    """p. 4: a player with 1 token gets eight, with 2 tokens seven, and so on."""
    result = scene(TWO, A={"damage": 1}, B={"damage": 2}).play_rounds()
    assert (dealt(result, "A"), dealt(result, "B")) == (8, 7)


def test_the_cards_come_from_the_top_of_one_deck():
    """p. 4; R67: the deck is one; who is dealt first gets its top."""
    result = scene(TWO, A={"damage": 8, "registers": [None, *STILL[1:]]}, draw=["move_3:790", *NINE]).play_rounds()
    assert [event["card"] for event in result.happened("deal", "A")] == ["move_3:790"]
    assert [event["card"] for event in result.happened("deal", "B")] == NINE


def test_the_top_of_the_deck_is_the_same_for_all():
    """R67: the `draw` of every robot names the top of the one deck (equal lists)."""
    scenario = scene(TWO, draw=["u_turn:10"]).play().scenario
    scenario["robots"][1]["draw"] = ["u_turn:20"]
    with pytest.raises(ScenarioError):
        load(scenario)


def test_all_hands_are_dealt_before_anybody_programs():
    """p. 4: nobody looks at the cards until all players have been dealt theirs."""
    kinds = [event["kind"] for event in scene(TWO).play_rounds().events]
    assert kinds.index("program") > max(i for i, kind in enumerate(kinds) if kind == "deal")


def test_the_deck_is_shuffled_each_turn():
    """p. 4: shuffle the deck and deal; all cards but those dealt are in it again."""
    result = scene(ALONE).play_rounds(2, A=STILL)
    assert [event["cards"] for event in result.happened("shuffle")] == [84]
    assert dealt(result, "A") == 9


def test_cards_in_locked_registers_are_not_shuffled_in():
    """p. 4, p. 10: a card in a locked register stays there."""
    locked = {"damage": 6, "registers": [None, None, None, "u_turn:10", "u_turn:20"]}
    result = scene(ALONE, A=locked).play_rounds(2, A=STILL[:3])
    assert [event["cards"] for event in result.happened("shuffle")] == [82]
    assert "u_turn:10" not in result.robot("A")["draw"]


def test_no_card_is_dealt_twice():
    """p. 4: eighty-four cards, each once."""
    result = scene("A^  B^  C^  D^  F^  G^  H^  J^").play_rounds()
    cards = [event["card"] for event in result.happened("deal")]
    assert len(cards) == len(set(cards)) == 72


def test_a_robot_that_is_out_of_the_game_is_dealt_nothing():
    """p. 10: permanently out of the game."""
    result = scene(ALONE, B={"lives": 0}).play_rounds()
    assert (dealt(result, "A"), dealt(result, "B")) == (9, 0)
