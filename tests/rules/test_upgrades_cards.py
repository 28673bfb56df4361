"""Upgrades of the programming phase: 2016 rulebook, Card Index.

Cache Memory, Defrag Gizmo, Memory Stick; Memory Swap, Recharge, Recompile, Spam Blocker.
"""

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
PAIR = """
    +    +    +    +    +    +
      A^   .    .    .    .
    +    +    +    +    +    +
      .    .    .    .    B^
    +    +    +    +    +    +
"""
SHOT = "A>   B^"
HAND = ["spam", "turn_left", "turn_right", "u_turn", "power_up", "move_1", "move_2", "back_up", "again"]
REST = deck_without(*HAND[1:])  # the other twelve cards of the deck
DANCE = "A program turn_left turn_right u_turn power_up again"  # stays where it is
SPAM_FIRST = "A program spam turn_left turn_right u_turn power_up"


def holding(upgrades, hand=HAND, **piles):
    """A mat with these upgrades, nine cards in the hand, and piles."""
    return {"upgrades": upgrades.split(), "hand": list(hand), **piles}


# -- Memory Stick


TEN = ["turn_left", "turn_right", "u_turn", "move_1", "back_up", "move_1", "move_2", "again", "turn_left", "power_up"]


def test_memory_stick_draws_ten():
    """Card Index: draw one additional programming card at the start of each round."""
    result = scene(ALONE, A={"upgrades": ["memory_stick"], "draw": TEN}).play_rounds()
    assert result.drawn("A") == TEN
    result.pile("discard", A=TEN).pile("hand", A=[])


def test_any_five_of_the_ten_can_be_programmed():
    """Card Index; p. 6, step 3. The tenth card is the Power Up."""
    result = scene(ALONE, A={"upgrades": ["memory_stick"], "draw": TEN}).play_rounds(
        answers=("A program power_up turn_left turn_right again move_1",)
    )
    result.has("energy", A=6).at(A="2 2 S")


def test_memory_stick_is_for_its_owner_only():
    """Card Index: B draws nine."""
    result = scene(PAIR, A="memory_stick").play_rounds()
    assert [len(result.drawn(name)) for name in "AB"] == [10, 9]


def test_memory_stick_draws_ten_in_each_round():
    """Card Index: each round. Two rounds take just the twenty cards of the deck, so nothing is shuffled."""
    result = scene(ALONE, A="memory_stick").play_rounds(2)
    assert len(result.drawn("A")) == 20
    assert not result.happened("shuffle", "A")


def test_a_short_deck_is_shuffled_for_the_tenth_card_too():
    """p. 6, step 1; R30: draw until you have the number."""
    known = TEN[:4]
    mat = {"upgrades": ["memory_stick"], "draw": known, "discard": deck_without(*known)}
    result = scene(ALONE, A=mat).play_rounds()
    kinds = [event["kind"] for event in result.events if event["kind"] in ("draw", "shuffle")]
    assert kinds[:11] == ["draw"] * 4 + ["shuffle"] + ["draw"] * 6
    assert result.drawn("A")[:4] == known


def test_in_the_advanced_game_the_hand_is_filled_up_to_ten():
    """p. 27, A More Advanced Game: five cards are left of ten, and five are drawn."""
    start = scene(ALONE, {"advanced": True}, A={"upgrades": ["memory_stick"], "draw": TEN})
    assert len(start.play_rounds().robot("A")["hand"]) == 5
    assert len(start.play_rounds(2).drawn("A")) == 15


def test_memory_stick_works_again_in_the_round_after_a_reboot():
    """R48: until the round ends. In the first round the program lay there, in the second ten cards are drawn."""
    result = scene(ALONE, A="memory_stick").play_rounds(2, A=["move_3"])
    assert len(result.drawn("A")) == 10


def test_with_a_program_laid_nothing_is_drawn():
    """Scenario files: a robot whose registers are given."""
    assert not scene(ALONE, A="memory_stick").play_rounds(A=["power_up"]).drawn("A")


# -- Cache Memory


def test_cache_memory_puts_cards_of_the_hand_on_top_of_the_deck():
    """Card Index; the first of the list comes on top: the SPAM of register one brings up the Move 2."""
    answers = ("A cache_memory move_2 move_1", SPAM_FIRST)
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(answers=answers)
    assert result.drawn("A") == ["move_2"]
    result.at(A="4 1 W").pile("draw", A=[*REST, "move_1"])


def test_cache_memory_draws_no_replacement():
    """Card Index: do not draw replacement cards. Seven cards are left, five are programmed and two discarded."""
    answers = ("A cache_memory move_2 move_1", DANCE)
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(answers=answers)
    assert not result.drawn("A")
    result.pile("discard", A=["turn_left", "turn_right", "u_turn", "power_up", "again", "back_up", "spam"])


def test_cache_memory_is_a_may_and_asked_before_and_after_programming():
    """R53; ruling note: works on cards left over after filling registers."""
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(answers=(DANCE,))
    result.asked("A cache_memory no", DANCE, "A cache_memory no")


def test_cache_memory_after_programming_takes_what_is_left():
    """Ruling note: cards left over after filling registers, in the order you like. The other two are discarded."""
    answers = ("A cache_memory no", SPAM_FIRST, "A cache_memory back_up move_1")
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(answers=answers).asked(*answers)
    assert result.drawn("A") == ["back_up"]
    result.pile("discard", A=["turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_2", "again"])
    result.pile("draw", A=[*REST, "move_1"])


def test_cached_cards_are_the_first_of_the_next_hand():
    """Card Index: on the top of your deck. Damage cards can be put there too, though nobody would."""
    answers = ("A cache_memory no", DANCE, "A cache_memory move_2 spam")
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(2, answers=answers)
    assert result.drawn("A")[:2] == ["move_2", "spam"]


def test_five_cards_stay_for_the_program():
    """Cache Memory in the hand step: at most four of nine. With five left nothing more is asked."""
    four = "A cache_memory spam move_1 move_2 back_up"
    scene(ALONE, A=holding("cache_memory")).play_rounds(answers=(four, DANCE)).asked(four, DANCE)
    with pytest.raises(ScenarioError, match=r"answers\[0\]"):
        scene(ALONE, A=holding("cache_memory")).play_rounds(
            answers=("A cache_memory spam move_1 move_2 back_up power_up",)
        )


@pytest.mark.parametrize("cards", ["move_3", "move_2 move_2"])
def test_only_cards_of_the_hand_can_be_cached(cards):
    """Card Index: cards from your hand, each once."""
    with pytest.raises(ScenarioError, match=r"answers\[0\]"):
        scene(ALONE, A=holding("cache_memory")).play_rounds(answers=(f"A cache_memory {cards}",))


def test_cache_memory_can_be_used_more_than_once():
    """Card Index names no limit: first one card, then another on top of it."""
    answers = ("A cache_memory move_1", "A cache_memory move_2", SPAM_FIRST)
    result = scene(ALONE, A=holding("cache_memory")).play_rounds(answers=answers)
    result.asked(*answers[:2], "A cache_memory no", SPAM_FIRST, "A cache_memory no").at(A="4 1 W")


def test_with_a_program_laid_the_whole_hand_can_be_cached():
    """Scenario files: the registers are filled already, so no card has to stay."""
    mat = holding("cache_memory", ["u_turn", "move_2"])
    result = scene(ALONE, A=mat).play_rounds(A=["spam", "spam"], answers=("A cache_memory move_2 u_turn",))
    result.asked("A cache_memory move_2 u_turn").at(A="4 1 W")


def test_without_a_card_in_the_hand_cache_memory_is_not_asked():
    """R53."""
    scene(ALONE, A="cache_memory").play_rounds(A=["power_up"]).asked()


def test_the_timer_leaves_nothing_to_cache():
    """p. 7, R31: who is caught discards the hand."""
    result = scene(
        ALONE, {"timer": True}, A=holding("cache_memory", draw=["turn_left"] * 2 + ["turn_right"] * 2)
    ).play_rounds(answers=("A program u_turn - - - -",))
    result.asks("cache_memory", "A no")


def test_in_the_advanced_game_cards_can_be_cached_or_kept():
    """p. 27: what is not put on the deck stays in the hand."""
    answers = ("A cache_memory no", DANCE, "A cache_memory spam")
    result = scene(ALONE, {"advanced": True}, A=holding("cache_memory")).play_rounds(answers=answers)
    result.pile("hand", A=["move_1", "move_2", "back_up"]).in_pile("draw", "spam", A=1)


def test_cached_cards_come_back_by_recompile():
    """Card Index, Cache Memory, Recompile: the deck is drawn from the top."""
    answers = ("A cache_memory back_up move_2 move_1 again", "A recompile yes")
    result = scene(ALONE, A=holding("cache_memory recompile")).play_rounds(answers=answers)
    assert result.drawn("A")[:4] == ["back_up", "move_2", "move_1", "again"]
    assert len(result.drawn("A")) == 5


def test_programs_are_laid_before_what_is_left_is_cached():
    """Spec of the programming phase: the questions of the hand step, all programs, then Cache Memory once more."""
    program = "B program turn_left turn_right u_turn power_up again"
    result = scene(PAIR, A=holding("cache_memory"), B=holding("", HAND)).play_rounds(answers=(DANCE, program))
    result.asked("A cache_memory no", DANCE, program, "A cache_memory no")


# -- Defrag Gizmo


def test_defrag_gizmo_replaces_a_damage_card_of_the_hand():
    """Card Index: permanently discard one damage card. Draw a replacement card from the top of your deck."""
    answers = ("A defrag_gizmo spam", "A program move_3 turn_left turn_right u_turn power_up")
    result = scene(
        ALONE.replace("A>   .    .", ".    .    A<"), A=holding("defrag_gizmo", draw=["move_3"])
    ).play_rounds(answers=answers)
    assert result.drawn("A") == ["move_3"]
    result.at(A="1 1").asked(*answers).owns(A="defrag_gizmo").pile("discard", A=[*HAND[1:], "move_3"])


def test_defrag_gizmo_is_a_may():
    """Card Index: you may. It is asked once."""
    result = scene(ALONE, A=holding("defrag_gizmo")).play_rounds(answers=(DANCE,))
    result.asked("A defrag_gizmo no", DANCE).in_pile("discard", "spam", A=1)


def test_defrag_gizmo_needs_a_damage_card():
    """R53."""
    scene(ALONE, A=holding("defrag_gizmo", ["move_3", *HAND[1:]])).play_rounds(answers=(DANCE,)).asked(DANCE)


def test_defrag_gizmo_works_once_a_round():
    """Card Index: once during each round. The SPAM stays; in the advanced game it goes in the next round."""
    hand = ["spam", "worm", *HAND[1:8]]
    program = "A program turn_left turn_right u_turn power_up back_up"
    result = scene(ALONE, {"advanced": True}, A=holding("defrag_gizmo", hand, draw=["again"])).play_rounds(
        2, answers=("A defrag_gizmo worm", program, "A defrag_gizmo spam")
    )
    result.asks("defrag_gizmo", "A worm", "A spam")


@pytest.mark.parametrize("kind", ["spam", "worm", "virus", "trojan_horse"])
def test_defrag_gizmo_takes_any_kind_of_damage(kind):
    """Card Index: one damage card."""
    mat = holding("defrag_gizmo", ["power_up", kind], draw=["move_1"])
    result = scene(ALONE, A=mat).play_rounds(A=["turn_left"], answers=(f"A defrag_gizmo {kind}",))
    result.pile("discard", A=["turn_left", "power_up", "move_1"])


def test_defrag_gizmo_offers_what_is_in_the_hand():
    """Card Index: from your hand."""
    with pytest.raises(ScenarioError):
        scene(ALONE, A=holding("defrag_gizmo")).play_rounds(answers=("A defrag_gizmo worm",))


def test_a_damage_card_drawn_by_defrag_gizmo_stays():
    """Card Index: one card, once."""
    result = scene(ALONE, A=holding("defrag_gizmo", draw=["trojan_horse"])).play_rounds(
        answers=("A defrag_gizmo spam", DANCE)
    )
    result.asked("A defrag_gizmo spam", DANCE).in_pile("discard", "trojan_horse", A=1).in_pile("discard", "spam", A=0)


@pytest.mark.parametrize(("upgrade", "choice"), [("defrag_gizmo", "spam"), ("spam_blocker", "yes")])
def test_a_discarded_damage_card_goes_back_to_its_pile(upgrade, choice):
    """Card Index: permanently. The SPAM pile was empty: the first of A's five shots takes that card (R27)."""
    mat = {"upgrades": [upgrade], "hand": ["spam"], "discard": ["spam"] * 37}
    result = scene(SHOT, A=mat).play_rounds(A=["power_up"], B=["power_up"], answers=(f"A {upgrade} {choice}",))
    result.took(B={"spam": 1, "trojan_horse": 4})


@pytest.mark.parametrize(("upgrade", "choice"), [("defrag_gizmo", "spam"), ("spam_blocker", "yes")])
def test_the_discards_are_shuffled_where_the_deck_is_empty(upgrade, choice):
    """R26: a card is needed, the draw pile is empty."""
    result = scene(ALONE, A=holding(upgrade, discard=REST)).play_rounds(answers=(f"A {upgrade} {choice}", DANCE))
    (shuffle,) = result.happened("shuffle", "A")
    assert shuffle["cards"] == 12
    (drawn,) = result.drawn("A")
    assert drawn in REST


# -- Memory Swap


def test_memory_swap_draws_three_and_puts_three_on_top():
    """Card Index. Each SPAM then brings up one of them, the first of the list first."""
    mat = {"upgrades": ["memory_swap"], "draw": ["u_turn", "move_1", "power_up"]}
    result = scene(ALONE, A=mat).play_rounds(A=["spam"] * 3, answers=("A memory_swap power_up u_turn move_1",))
    assert result.drawn("A") == ["u_turn", "move_1", "power_up", "power_up", "u_turn", "move_1"]
    result.at(A="1 1 W").has("energy", A=6).owns(A="")


def test_memory_swap_exchanges_cards_of_the_hand():
    """Card Index: three from your hand. A plays the Move 2 just drawn and puts three old cards away."""
    answers = ("A memory_swap spam back_up again", "A program move_2 turn_left turn_right u_turn move_3")
    mat = holding("memory_swap", draw=["move_3", "turn_left", "move_2"])
    result = scene(ALONE, A=mat).play_rounds(answers=answers).asked(*answers)
    result.at(A="1 1 W").in_pile("draw", "spam", A=1).in_pile("discard", "spam", A=0)


def test_memory_swap_is_a_may_and_kept():
    """Card Index, Temporary Upgrades. Asked once in the programming phase."""
    result = scene(ALONE, A=holding("memory_swap")).play_rounds(answers=(DANCE,))
    result.asked("A memory_swap no", DANCE).owns(A="memory_swap")


@pytest.mark.parametrize("cards", ["move_2 move_1", "move_2 move_1 move_3", "move_1 move_2 back_up power_up"])
def test_memory_swap_puts_back_three_cards_of_the_hand(cards):
    """Card Index: two, four, or a card that is neither in the hand nor drawn, are refused."""
    with pytest.raises(ScenarioError, match=r"answers\[0\]"):
        scene(ALONE, A=holding("memory_swap", draw=["turn_left", "turn_left", "turn_right"])).play_rounds(
            answers=(f"A memory_swap {cards}",)
        )


def test_memory_swap_shuffles_the_discards_where_the_deck_is_short():
    """R26: two cards are left of the deck, the third comes from the discards."""
    known, rest = REST[:2], REST[2:]
    mat = holding("memory_swap", draw=known, discard=rest)
    result = scene(ALONE, A=mat).play_rounds(
        answers=("A memory_swap spam back_up again", "A program turn_left turn_right u_turn power_up move_1")
    )
    kinds = [event["kind"] for event in result.events if event["kind"] in ("draw", "shuffle")]
    assert kinds[:4] == ["draw", "draw", "shuffle", "draw"]
    assert result.drawn("A")[:2] == known


def test_memory_swap_with_a_memory_stick_leaves_ten():
    """Card Index: ten and three, less three: no card of the hand is lost."""
    draw = [*TEN, "turn_right", "turn_right", "move_2"]
    answers = ("A memory_swap move_2 turn_right turn_right", "A program turn_left turn_right u_turn power_up again")
    result = scene(ALONE, A={"upgrades": ["memory_stick", "memory_swap"], "draw": draw}).play_rounds(answers=answers)
    assert result.drawn("A") == draw
    result.pile("discard", A=TEN)


# -- Recompile


NEW = ["turn_left", "turn_left", "turn_right", "turn_right", "again", "move_1", "move_1", "move_1", "move_2"]
NEW_PROGRAM = "A program turn_left turn_left turn_right turn_right again"


def test_recompile_changes_the_whole_hand():
    """Card Index: discard your entire hand, draw a new one. The SPAM is discarded, not put back on its pile."""
    result = scene(ALONE, A=holding("recompile", draw=NEW)).play_rounds(answers=("A recompile yes", NEW_PROGRAM))
    assert result.drawn("A") == NEW
    result.pile("discard", A=[*HAND, *NEW]).owns(A="").asked("A recompile yes", NEW_PROGRAM)


def test_recompile_is_a_may_and_kept():
    """Card Index, Temporary Upgrades."""
    result = scene(ALONE, A=holding("recompile")).play_rounds(answers=(DANCE,))
    result.asked("A recompile no", DANCE).owns(A="recompile")
    assert not result.drawn("A")


def test_recompile_reshuffles_where_the_deck_is_short():
    """Card Index: if you need to reshuffle your discard pile, you may. The hand just discarded is part of it."""
    mat = holding("recompile", draw=REST[:2], discard=REST[2:])
    result = scene(ALONE, A=mat).play_rounds(answers=("A recompile yes",))
    shuffle = result.happened("shuffle", "A")[0]
    assert shuffle["cards"] == len(REST[2:]) + len(HAND)
    assert result.drawn("A")[:2] == REST[:2]


def test_recompile_draws_as_many_cards_as_were_discarded():
    """Ruling note: same size; with a Memory Stick ten."""
    mat = {"upgrades": ["memory_stick", "recompile"], "draw": TEN}
    result = scene(ALONE, A=mat).play_rounds(answers=("A recompile yes",))
    assert result.drawn("A")[:10] == TEN
    assert sorted(result.drawn("A")[10:]) == sorted(deck_without(*TEN))
    two = holding("recompile", ["move_1", "back_up"], draw=["u_turn", "move_2", "move_3"])
    result = scene(ALONE, A=two).play_rounds(A=["power_up"], answers=("A recompile yes",))
    assert result.drawn("A") == ["u_turn", "move_2"]


def test_recompile_needs_a_hand():
    """R53."""
    scene(ALONE, A="recompile").play_rounds(A=["power_up"]).asked()


# -- Spam Blocker


def test_spam_blocker_replaces_all_spam_of_the_hand():
    """Card Index: each SPAM card in your hand, with a card from the top of your deck."""
    hand = ["spam", "spam", "spam", "turn_left", "turn_right", "u_turn", "power_up", "again", "worm"]
    mat = holding("spam_blocker", hand, draw=["move_1", "back_up", "move_2"])
    program = "A program move_1 turn_left turn_right u_turn back_up"
    result = scene(ALONE, A=mat).play_rounds(answers=("A spam_blocker yes", program))
    assert result.drawn("A") == ["move_1", "back_up", "move_2"]
    # ahead, and then back, facing the other way
    result.at(A="4 1 W").owns(A="").pile("discard", A=[*hand[3:], "move_1", "back_up", "move_2"])


def test_spam_drawn_by_spam_blocker_stays():
    """Card Index: if you draw new SPAM damage cards, keep them in your hand for this round."""
    hand = ["spam", "spam", *HAND[1:8]]
    program = "A program turn_left turn_right u_turn power_up back_up"
    result = scene(ALONE, A=holding("spam_blocker", hand, draw=["spam", "again"])).play_rounds(
        answers=("A spam_blocker yes", program)
    )
    assert result.drawn("A") == ["spam", "again"]
    result.asked("A spam_blocker yes", program).in_pile("discard", "spam", A=1)


def test_spam_blocker_is_a_may_and_kept():
    """Card Index, Temporary Upgrades."""
    result = scene(ALONE, A=holding("spam_blocker")).play_rounds(answers=(DANCE,))
    result.asked("A spam_blocker no", DANCE).owns(A="spam_blocker").in_pile("discard", "spam", A=1)


@pytest.mark.parametrize("card", ["worm", "trojan_horse", "virus", "move_3"])
def test_spam_blocker_needs_spam(card):
    """R53; Card Index: SPAM damage cards, no others."""
    scene(ALONE, A=holding("spam_blocker", [card, *HAND[1:]])).play_rounds(answers=(DANCE,)).asked(DANCE)


def test_defrag_gizmo_and_spam_blocker_share_the_work():
    """Card Index: in printed order, one SPAM by the one card and the rest by the other."""
    hand = ["spam", "spam", *HAND[1:8]]
    program = "A program turn_left turn_right u_turn power_up back_up"
    answers = ("A defrag_gizmo spam", "A spam_blocker yes", program)
    result = scene(ALONE, A=holding("defrag_gizmo spam_blocker", hand, draw=["again", "move_3"])).play_rounds(
        answers=answers
    )
    result.asked(*answers).in_pile("discard", "spam", A=0).owns(A="defrag_gizmo")


def test_what_one_card_changes_the_others_are_asked_about_anew():
    """R53: the passes go on until nothing is used. The SPAM drawn by Recompile can be defragged."""
    draw = ["spam", *NEW[:8]]
    answers = ("A recompile yes", "A defrag_gizmo spam", NEW_PROGRAM)
    hand = ["move_3", *HAND[1:]]
    result = scene(ALONE, A=holding("defrag_gizmo recompile", hand, draw=[*draw, "move_2"])).play_rounds(
        answers=answers
    )
    result.asked(*answers)
    assert result.drawn("A") == [*draw, "move_2"]


# -- Recharge, and the order of the questions


def test_recharge_can_be_used_in_the_programming_phase():
    """Card Index; p. 5: temporary upgrades may be used at any time during the programming or activation phases."""
    result = scene(ALONE, A="recharge").play_rounds(A=["turn_left"], answers=("A recharge yes",))
    result.asked("A recharge yes").has("energy", A=8).owns(A="")


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_players_are_asked_in_turn_order(order):
    """Spec of the programming phase: in priority order."""
    answers = tuple(f"{name} recharge yes" for name in order)
    programs = {name: ["turn_left"] for name in "AB"}
    scene(PAIR, A="recharge", B="recharge").play_rounds(order=order, answers=answers, **programs).asked(*answers)


def test_the_cards_of_the_programming_phase_are_asked_in_printed_order():
    """Spec: Cache Memory, Defrag Gizmo, Memory Swap, Recharge, Recompile, Spam Blocker."""
    result = scene(ALONE, A=holding("cache_memory defrag_gizmo memory_swap recompile spam_blocker")).play_rounds(
        answers=(DANCE,)
    )
    cards = ("cache_memory", "defrag_gizmo", "memory_swap", "recompile", "spam_blocker")
    result.asked(*(f"A {card} no" for card in cards), DANCE, "A cache_memory no")
    result = scene(ALONE, A=holding("memory_swap recharge recompile")).play_rounds(answers=(DANCE,))
    assert result.decisions[:4] == ["A memory_swap no", "A recharge no", "A recompile no", DANCE]


def test_cards_of_the_programming_phase_are_not_asked_later():
    """Card Index: Memory Swap, Recompile and Spam Blocker are about the hand, Cache Memory and Defrag Gizmo too."""
    scene(ALONE, A="cache_memory defrag_gizmo memory_swap recompile spam_blocker").play(
        A=["power_up", "turn_left"]
    ).asked()
