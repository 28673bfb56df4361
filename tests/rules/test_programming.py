"""The programming phase: 2016 rulebook p. 6, p. 7, and p. 27, A More Advanced Game."""

from collections import Counter

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene
from .test_damage_cards import deck_without

ALONE = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    .    A>   .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""
NINE = ["turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_1", "move_2", "move_3", "again"]
TIMER = {"timer": True}


def cards_of(result, kind, name="A"):
    """The cards of a robot's events of one kind, in order."""
    return [event["card"] for event in result.happened(kind, name)]


def test_a_programming_deck_has_twenty_cards():
    """p. 3, step 2; p. 24 names the cards. What is not in the hand and the registers lies in the two piles."""
    robot = scene(ALONE).play_rounds(2, seed=5).robot("A")
    found = Counter(robot["hand"] + robot["draw"] + robot["discard"])
    assert found - Counter({"spam": 38}) == Counter(deck_without())


def test_nine_cards_are_drawn():
    """p. 6, step 1."""
    result = scene(ALONE, A={"draw": NINE}).play_rounds()
    assert cards_of(result, "draw") == NINE


def test_with_fewer_than_nine_left_the_rest_is_taken_before_the_discards_are_shuffled():
    """p. 6, step 1: take what is available, then shuffle your discard pile, and draw until you have nine; R30."""
    known = NINE[:4]
    rest = deck_without(*known)
    result = scene(ALONE, A={"draw": known, "discard": rest}).play_rounds()
    kinds = [event["kind"] for event in result.events if event["kind"] in ("draw", "shuffle")]
    assert kinds[:10] == ["draw"] * 4 + ["shuffle"] + ["draw"] * 5
    assert cards_of(result, "draw")[:4] == known
    assert not Counter(cards_of(result, "draw")[4:9]) - Counter(rest)


def test_the_shuffled_discards_are_in_an_order_that_the_seed_decides():
    """p. 6, step 1: shuffle. Other seeds give other hands, the same seed the same."""
    hands = {tuple(cards_of(scene(ALONE).play_rounds(seed=seed), "draw")[:9]) for seed in (1, 1, 2, 3)}
    assert len(hands) == 3


def test_five_cards_are_placed_and_played_from_register_one_on():
    """p. 6, step 3: the card in register one first, then register two, and so on."""
    program = ["move_2", "turn_left", "move_1", "u_turn", "power_up"]
    result = scene(ALONE, A={"draw": NINE}).play_rounds(answers=(f"A program {' '.join(program)}",))
    result.at(A="4 0 S").has("energy", A=6)
    assert cards_of(result, "card") == program


def test_the_rest_of_the_hand_is_discarded():
    """p. 6, step 4; and the registers after the fifth (p. 8)."""
    result = scene(ALONE, A={"draw": NINE}).play_rounds()
    result.pile("hand", A=[]).pile("discard", A=NINE).pile("draw", A=deck_without(*NINE))
    result.register_cards(A=[None] * 5)


def test_a_program_needs_cards_of_the_hand():
    """p. 6, step 3: choose five cards of the hand, each once."""
    for program in ("move_1 move_1 u_turn power_up back_up", "move_1 spam u_turn power_up back_up"):
        with pytest.raises(ScenarioError, match="hand"):
            scene(ALONE, A={"draw": NINE}).play_rounds(answers=(f"A program {program}",))


def test_the_example_of_the_programming_phase():
    """p. 6, Amanda: ahead 3, a right turn, ahead 2, a left turn, and an energy cube."""
    program = ["move_3", "turn_right", "move_2", "turn_left", "power_up"]
    scene("""
        +    +    +    +    +
          A>   .    .    .  |
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """).play(A=program).at(A="3 2 E").has("energy", A=6)


def test_damage_cards_are_drawn_like_others():
    """p. 15: the damage card will be in your deck, diluting your hand; it is played like a programming card."""
    draw = ["spam", *NINE[:8], "move_1"]
    result = scene(ALONE, A={"draw": draw}).play_rounds()
    assert cards_of(result, "card")[:2] == ["spam", "move_1"]


# -- the advanced game


def test_in_the_advanced_game_unused_cards_stay_in_the_hand():
    """p. 27: keep the programming cards you didn't use that round."""
    result = scene(ALONE, {"advanced": True}, A={"draw": NINE}).play_rounds()
    left = Counter(NINE) - Counter(result.decisions[0].split()[2:])
    result.pile("hand", A=list(left.elements()))


def test_in_the_advanced_game_the_hand_is_filled_up_to_nine():
    """p. 27: draw enough cards to have nine for the next round."""
    result = scene(ALONE, {"advanced": True}, A={"draw": NINE}).play_rounds(2)
    second = [i for i, event in enumerate(result.events) if event["kind"] == "round"][1]
    drawn = [event for event in result.events[second:] if event["kind"] == "draw"]
    assert len(drawn) == 5


# -- the timer


def test_the_timer_discards_the_hand_and_fills_open_registers_from_the_deck():
    """p. 7, What if time runs out; R31: discard the hand, take cards from the top of the deck."""
    more = ["move_1", "turn_left", "move_1", "turn_right"]
    result = scene(ALONE, TIMER, A={"draw": [*NINE, *more]}).play_rounds(answers=("A program u_turn - - power_up -",))
    cards = {event["register"]: event["card"] for event in result.happened("program", "A")}
    assert [cards[k] for k in range(1, 6)] == ["u_turn", "move_1", "turn_left", "power_up", "move_1"]
    result.pile("discard", A=[*NINE, *more[:3]])


def test_the_timer_shuffles_the_discards_where_the_deck_is_too_short():
    """p. 7: shuffling their discards if necessary; R31. The hand just discarded is among them."""
    known = [*NINE, "move_1"]
    result = scene(ALONE, TIMER, A={"draw": known, "discard": deck_without(*known)}).play_rounds(
        answers=("A program u_turn - - - -",)
    )
    (shuffle,) = result.happened("shuffle", "A")
    assert shuffle["cards"] == 8 + 10
    assert len(result.happened("program", "A")) == 5


def test_the_timer_discards_the_hand_in_the_advanced_game_too():
    """R31, p. 7: a player who is not finished discards the cards in the hand; others keep theirs (p. 27)."""
    result = scene(ALONE, {**TIMER, "advanced": True}, A={"draw": [*NINE, "turn_left"]}).play_rounds(
        answers=("A program u_turn turn_left turn_right power_up -",)
    )
    result.pile("hand", A=[]).pile("discard", A=[*NINE, "turn_left"])


def test_an_again_dealt_to_register_one_by_the_timer_is_replaced():
    """R31, R25a: it comes up by draw in register one."""
    result = scene(ALONE, TIMER, A={"draw": [*NINE, "again", "move_1"]}).play_rounds(
        answers=("A program - turn_left turn_right u_turn power_up",)
    )
    assert cards_of(result, "card")[0] == "move_1"


def test_without_the_timer_registers_cannot_be_left_open():
    """p. 27, A Lighter Game: the timer is left out; R31 makes it a rule option."""
    with pytest.raises(ScenarioError):
        scene(ALONE, A={"draw": NINE}).play_rounds(answers=("A program u_turn - - - -",))
