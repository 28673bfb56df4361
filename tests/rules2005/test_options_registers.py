"""Options that replace programmed cards: Abort Switch and Conditional Program. The card texts, R65 and R67."""

from .scene import scene, turns

ALONE = ".  .  A>  .  ."
BESIDE = """
    +    +    +    +    +
      A>   .    .    .
    +    +    +    +    +
      B>   .    .    .
    +    +    +    +    +
"""
SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
DRAWN = ["turn_left:70", "turn_left:90", "turn_left:110", "turn_left:130", "turn_left:150"]
HAND = [*SPINS, "move_1:490", "move_1:500", "move_2:670", "back_up:430"]
PROGRAM = "A program " + " ".join(SPINS)
PLACED = "A conditional_program move_2:670"


# -- Abort Switch


def test_abort_switch_replaces_the_revealed_card_by_the_top_of_the_deck():
    """Card: replace it by the top card of the program deck."""
    result = scene(ALONE, A="abort_switch", draw=["move_2:670"]).play(A="u_turn:10", answers=("A abort_switch yes",))
    result.at(A="4 0 E").register_cards(A=["move_2:670"])


def test_after_the_abort_every_later_register_comes_from_the_deck():
    """Card: then every later register of this turn must be replaced in the same way; it is asked no more."""
    result = scene(ALONE, A="abort_switch", draw=DRAWN).play(A=SPINS, answers=("A abort_switch yes",))
    result.register_cards(A=DRAWN).asked("A abort_switch yes")


def test_abort_switch_is_asked_at_each_card_until_it_is_thrown():
    """Card: when a program card is revealed, once a turn; the registers before it stay."""
    result = scene(ALONE, A="abort_switch", draw=DRAWN).play(
        A=SPINS, answers=("A abort_switch no", "A abort_switch no", "A abort_switch yes")
    )
    result.register_cards(A=[*SPINS[:2], *DRAWN[:3]]).asks("abort_switch", "A no", "A no", "A yes")


def test_abort_switch_is_a_may():
    """Card: may, at every card."""
    scene(ALONE, A="abort_switch", draw=DRAWN).play(A=SPINS).register_cards(A=SPINS).asks("abort_switch", *["A no"] * 5)


def test_abort_switch_leaves_locked_registers_alone():
    """R65; with six tokens registers 4 and 5 are locked, and there it is not asked."""
    ready = scene(ALONE, A={"options": ["abort_switch"], "damage": 6}, draw=DRAWN)
    result = ready.play(A=SPINS, answers=("A abort_switch no", "A abort_switch yes"))
    result.register_cards(A=[SPINS[0], *DRAWN[:2], *SPINS[3:]])
    ready.play(A=SPINS).asks("abort_switch", *["A no"] * 3)


def test_the_drawn_card_does_not_change_the_order():
    """R65: the number of the card that was programmed counts, in later registers too."""
    result = scene(BESIDE, A="abort_switch", draw=["u_turn:10", "u_turn:20"]).play(
        A=["move_1:500", "move_1:510"], B=["move_1:490", "move_1:520"], answers=("A abort_switch yes",)
    )
    assert turns(result) == "ABBA"


def test_one_card_from_the_deck_replaces_two_in_a_register():
    """Card: the revealed card is replaced; both lie there as one."""
    scene(ALONE, A="abort_switch dual_processor", draw=["move_1:490"]).play(
        A="move_3:790+turn_left:70", answers=("A abort_switch yes",)
    ).at(A="3 0 E").register_cards(A=["move_1:490"])


def test_the_deck_goes_on_though_the_abort_switch_is_lost():
    """Card: every later register of this turn must be replaced."""
    scene("A^  .  B<  .", A="abort_switch", draw=DRAWN).play(
        A=SPINS[:2], answers=("A abort_switch yes", "A option_for_damage abort_switch")
    ).register_cards(A=DRAWN[:2]).options(A="")


def test_abort_switch_is_ready_again_in_the_next_turn():
    """Card: once a turn."""
    deck = [*DRAWN, *[f"turn_right:{number}" for number in range(80, 260, 20)]]
    result = scene(ALONE, A="abort_switch", draw=deck).play_rounds(2, A=SPINS, answers=("A abort_switch yes",))
    result.asks("abort_switch", "A yes", *["A no"] * 5)


def test_a_powered_down_robot_has_no_card_to_abort():
    """Rulebook p. 5: it does not execute cards."""
    scene(ALONE, A={"options": ["abort_switch"], "powered_down": True}).play(to=5).asked()


def test_only_the_owner_aborts():
    """Rulebook p. 8: an option lies in front of its player."""
    scene(BESIDE, A="abort_switch", draw=DRAWN).play(
        A="u_turn:10", B="u_turn:20", answers=("A abort_switch yes",)
    ).register_cards(B=["u_turn:20"])


# -- Conditional Program


def conditional(*answers, rounds=1, **options):
    """A round of a robot with Conditional Program and a known hand."""
    mat = {"options": ["conditional_program"], "hand": HAND, **options}
    return scene(ALONE, A=mat).play_rounds(rounds, answers=(PROGRAM, *answers))


def test_a_left_over_card_may_replace_that_of_a_register():
    """Card: one left-over hand card; it may replace the card of any one register, before that is revealed."""
    result = conditional(PLACED, "A conditional_program no", "A conditional_program yes")
    assert [event["card"] for event in result.happened("play")] == [SPINS[0], "move_2:670", *SPINS[2:]]
    result.asks("conditional_program", "A move_2:670", "A no", "A yes")


def test_nothing_need_be_placed():
    """Card: may; then there is no later question."""
    conditional().asks("conditional_program", "A no").at(A="2 0 W")


def test_every_left_over_card_may_be_placed():
    """Card: one left-over hand card, any of them."""
    for card in HAND[5:]:
        conditional(f"A conditional_program {card}").asks("conditional_program", f"A {card}", *["A no"] * 5)


def test_a_programmed_card_is_not_left_over():
    """Card: left-over."""
    result = scene(ALONE, A={"options": ["conditional_program"], "damage": 4}).play_rounds(
        A=["u_turn"] * 5  # all that four tokens leave
    )
    result.never_asked("conditional_program")
    scene(ALONE, A={"options": ["conditional_program"], "damage": 4}).play_rounds().never_asked("conditional_program")


def test_an_unused_card_is_discarded_at_the_end_of_the_turn():
    """Card: unused, it is discarded; in the next turn it replaces nothing."""
    result = conditional(PLACED, rounds=2)
    result.asks("conditional_program", "A move_2:670", *["A no"] * 5, "A no")


def test_a_laid_card_is_used_once():
    """Card: any one register."""
    conditional(PLACED, "A conditional_program yes").asks("conditional_program", "A move_2:670", "A yes")


def test_the_laid_cards_number_counts():
    """Card: announced before anybody reveals; R65 speaks of drawn cards only."""
    result = scene(
        BESIDE,
        A={"options": ["conditional_program"], "hand": HAND},
    ).play_rounds(
        B=["move_1:510", "u_turn:60", "turn_left:70", "turn_left:90", "turn_left:110"],
        answers=(PROGRAM, PLACED, "A conditional_program yes"),
    )
    assert turns(result).startswith("AB")
    assert turns(scene(BESIDE).play(A="u_turn:10", B="move_1:510")) == "BA"


def test_a_locked_register_keeps_its_card():
    """Rulebook p. 10: the card in a locked register stays there; here register 2."""
    result = scene(
        ALONE,
        A={
            "options": ["conditional_program"],
            "damage": 1,
            "hand": HAND[:8],
            "locked": [2],
            "registers": [None, "u_turn:60"],
        },
    ).play_rounds(answers=("A program u_turn:10 - u_turn:30 u_turn:40 u_turn:50", PLACED))
    result.asks("conditional_program", "A move_2:670", *["A no"] * 4)


def test_with_the_option_its_card_is_gone():
    """Rulebook p. 10: an option may be discarded for damage; A is shot in register 1."""
    mat = {"options": ["conditional_program"], "hand": HAND}
    scene("A^  .  .  B<", A=mat).play_rounds(
        B=["u_turn", "turn_left", "turn_left", "turn_left", "turn_left"],
        answers=(PROGRAM, PLACED, "A option_for_damage conditional_program"),
    ).options(A="")


def test_the_laid_card_replaces_two_in_a_register():
    """Card: it replaces the card of the register."""
    mat = {"options": ["conditional_program", "dual_processor"], "hand": [*HAND[:6], "turn_left:70", *HAND[7:]]}
    scene(ALONE, A=mat).play_rounds(
        answers=(
            "A program move_1:490+turn_left:70 u_turn:10 u_turn:20 u_turn:30 u_turn:40",
            PLACED,
            "A conditional_program yes",
        )
    ).at(A="4 0 E")


def test_a_thrown_abort_switch_replaces_the_laid_card_too():
    """Card: every later register must be replaced by a card from the deck; the other is announced before."""
    mat = {"options": ["conditional_program", "abort_switch"], "hand": HAND}
    result = scene(ALONE, A=mat, draw=DRAWN).play_rounds(
        answers=(PROGRAM, PLACED, "A conditional_program yes", "A abort_switch yes")
    )
    assert [event["card"] for event in result.happened("play")] == DRAWN


def test_the_players_are_asked_after_all_have_programmed():
    """Card: after programming, in dock order."""
    mats = {"A": {"options": ["conditional_program"], "hand": HAND}}
    found = scene(BESIDE, **mats).play_rounds(answers=(PROGRAM, PLACED)).decisions
    kinds = [text.split()[1] for text in found]
    assert kinds[:3] == ["program", "program", "conditional_program"]
