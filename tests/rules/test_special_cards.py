"""Special programming cards: 2016 rulebook p. 24 and the Card Index.

Energy Routine, Speed Routine, Weasel Routine, Sandbox Routine, SPAM Folder, Repeat Routine.
"""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene
from .test_damage_cards import deck_without

FIELD = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    A>   .    .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""
ROW = "A>  .  .  .  .  .  .  ."
SPECIAL = ["energy_routine", "weasel_routine", "spam_folder", "sandbox_routine", "speed_routine", "repeat_routine"]
TURNS = [("turn_left", "1 1 N"), ("turn_right", "1 1 S"), ("u_turn", "1 1 W")]
MOVES = [("move_1", "2 1 E"), ("move_2", "3 1 E"), ("move_3", "4 1 E"), ("back_up", "0 1 E")]


# -- cards as any others


@pytest.mark.parametrize("card", SPECIAL)
def test_a_special_card_cycles_through_the_deck(card):
    """p. 24: the card will cycle through your programming deck: drawn, programmed, discarded."""
    draw = [card, "turn_left", "turn_right", "u_turn", "power_up", "move_1", "move_1", "move_1", "back_up"]
    answers = [f"A program power_up {card} turn_left turn_right u_turn"]
    if card in ("weasel_routine", "sandbox_routine"):
        answers.append(f"A {card} u_turn")
    result = scene(FIELD, A={"draw": draw}).play_rounds(answers=tuple(answers))
    assert result.drawn("A") == draw
    result.pile("discard", A=draw).pile("draw", A=deck_without(*draw[1:])).asked(*answers)


@pytest.mark.parametrize("card", SPECIAL)
def test_a_special_card_that_is_not_played_is_discarded(card):
    """p. 6, step 4; p. 15, step 2: with the rest of the hand; with the rest of the program in a reboot."""
    scene(FIELD, A={"hand": [card]}).play_rounds(A=["power_up"]).pile("discard", A=["power_up", card])
    result = scene(FIELD).play_rounds(A=["move_2", "move_3", card]).rebooted("A")
    result.pile("discard", A=["move_2", "move_3", card, "spam", "spam"])


@pytest.mark.parametrize(("card", "place"), [("speed_routine", "4 1 E"), ("energy_routine", "1 1 E")])
def test_a_special_card_can_come_up_for_a_damage_card(card, place):
    """p. 15, step 3: take a programming card from the top of your deck."""
    result = scene(FIELD, A={"draw": [card]}).play(A=["spam"]).at(A=place).register_cards(A=[card])
    result.has("energy", A=6 if card == "energy_routine" else 5)


def test_a_choice_can_come_up_for_a_damage_card():
    """p. 15, step 3: it is made when the card is played."""
    answers = ("A weasel_routine turn_right",)
    scene(FIELD, A={"draw": ["weasel_routine"]}).play(A=["spam"], answers=answers).asked(*answers).at(A="1 1 S")


# -- Energy Routine


def test_energy_routine_takes_a_cube():
    """p. 24: as an extra Power Up card."""
    scene(FIELD).play(A="energy_routine").has("energy", A=6).at(A="1 1 E").asked()


def test_energy_routine_is_repeated_as_power_up_is():
    """p. 24, Again; R51, Hack."""
    scene(FIELD).play(A=["energy_routine", "again"]).has("energy", A=7)
    scene(FIELD, A="hack").play(A="energy_routine", answers=("A hack yes",)).has("energy", A=7)


# -- Speed Routine


def test_speed_routine_moves_three_spaces():
    """p. 24: in the direction it is facing."""
    scene(FIELD).play(A="speed_routine").at(A="4 1 E").asked()


def test_speed_routine_is_an_ordinary_move():
    """R10, R11: it pushes, a wall stops it, a pit catches it."""
    scene("A>  B^  . | .  .").play(A="speed_routine").at(A="1 0", B="2 0")
    scene("""
        +    +    +    +    +
          A>   .    O    .
        +    +    +    +    +
          .    R>   .    .
        +    +    +    +    +
    """).play(A="speed_routine").rebooted("A").at(A="1 1 E")


def test_speed_routine_is_repeated():
    """p. 24, Again."""
    scene(ROW).play(A=["speed_routine", "again"]).at(A="6 0")
    scene(ROW, A="hack").play(A="speed_routine", answers=("A hack yes",)).at(A="6 0")


# -- Weasel Routine


@pytest.mark.parametrize(("card", "place"), TURNS)
def test_weasel_routine_is_a_turn_of_choice(card, place):
    """p. 24: Turn Left, Turn Right or U-Turn."""
    result = scene(FIELD).play(A="weasel_routine", answers=(f"A weasel_routine {card}",))
    result.asked(f"A weasel_routine {card}").at(A=place).register_cards(A=["weasel_routine"])


@pytest.mark.parametrize("card", ["no", "move_1", "back_up", "power_up"])
def test_weasel_routine_is_nothing_else(card):
    """p. 24: choose one of these three; none is not among them."""
    with pytest.raises(ScenarioError):
        scene(FIELD).play(A="weasel_routine", answers=(f"A weasel_routine {card}",))


def test_the_weasels_turn_is_chosen_when_the_card_is_played():
    """p. 24: the actions to perform this register. A's player has seen B's move by then."""
    scene("""
        +    +    +    +
          A>   .    .
        +    +    +    +
          .    .    B<
        +    +    +    +
    """).play(order="BA", A="weasel_routine", B="move_2", answers=("A weasel_routine turn_right",)).took(B=1)


def test_the_weasels_turn_is_chosen_anew_when_it_is_repeated():
    """R49: Again and Hack repeat the card; its options are asked anew."""
    answers = ("A weasel_routine turn_left", "A weasel_routine u_turn")
    scene(FIELD).play(A=["weasel_routine", "again"], answers=answers).asked(*answers).at(A="1 1 S")
    answers = ("A weasel_routine turn_left", "A hack yes", "A weasel_routine turn_left")
    scene(FIELD, A="hack").play(A="weasel_routine", answers=answers).asked(*answers).at(A="1 1 W")


# -- Sandbox Routine


@pytest.mark.parametrize(("card", "place"), [*TURNS, *MOVES])
def test_sandbox_routine_is_a_move_or_a_turn_of_choice(card, place):
    """p. 24: Move 1, 2 or 3, Back Up, Turn Left, Turn Right, U-Turn."""
    result = scene(FIELD).play(A="sandbox_routine", answers=(f"A sandbox_routine {card}",))
    result.asked(f"A sandbox_routine {card}").at(A=place).register_cards(A=["sandbox_routine"])


@pytest.mark.parametrize("card", ["no", "power_up", "again", "energy_routine"])
def test_sandbox_routine_is_nothing_else(card):
    """p. 24."""
    with pytest.raises(ScenarioError):
        scene(FIELD).play(2, A=["power_up", "sandbox_routine"], answers=(f"A sandbox_routine {card}",))


def test_the_sandboxs_action_is_chosen_anew_when_it_is_repeated():
    """R49."""
    answers = ("A sandbox_routine move_1", "A sandbox_routine turn_left")
    scene(FIELD).play(A=["sandbox_routine", "again"], answers=answers).asked(*answers).at(A="2 1 N")
    answers = ("A sandbox_routine turn_left", "A hack yes", "A sandbox_routine move_1")
    scene(FIELD, A="hack").play(A="sandbox_routine", answers=answers).asked(*answers).at(A="1 0 N")


def test_the_sandboxs_moves_push():
    """p. 24: it performs that action."""
    result = scene(".  A<  B^  .", A="ramming_gear").play(A="sandbox_routine", answers=("A sandbox_routine back_up",))
    result.at(A="2 0", B="3 0").took(B=1)


# -- SPAM Folder


def test_spam_folder_gets_rid_of_one_spam_of_the_discard_pile():
    """p. 24: permanently discard one SPAM damage card from your discard pile."""
    result = scene(FIELD, A={"discard": ["spam", "worm", "spam", "move_1"]}).play_rounds(A=["spam_folder"])
    result.pile("discard", A=["spam", "worm", "move_1", "spam_folder"]).took()


def test_spam_folder_does_nothing_without_spam_there():
    """p. 24: from your discard pile: not from the hand or the deck, and no other damage."""
    mat = {"discard": ["worm", "virus", "trojan_horse"], "draw": ["spam"], "hand": ["spam"]}
    result = scene(FIELD, {"advanced": True}, A=mat).play_rounds(A=["spam_folder"])
    result.pile("discard", A=["worm", "virus", "trojan_horse", "spam_folder"]).pile("hand", A=["spam"])
    result.in_pile("draw", "spam", A=1)
    assert not result.drawn("A")


def test_the_spam_goes_back_to_its_pile():
    """p. 24: to the SPAM damage card draw pile. It was empty, and B is shot with that card (R27)."""
    scene("A>  B^", A={"discard": ["spam"] * 38}).play(A="spam_folder").took(B=1).asked()


def test_spam_folder_is_repeated():
    """p. 24, Again; R51, Hack: one SPAM each time, as long as there is one."""
    mat = {"discard": ["spam"] * 3}
    scene(FIELD, A=mat).play_rounds(A=["spam_folder", "again"]).in_pile("discard", "spam", A=1)
    mat["upgrades"] = ["hack"]
    scene(FIELD, A=mat).play_rounds(A=["spam_folder"], answers=("A hack yes",)).in_pile("discard", "spam", A=1)
    scene(FIELD, A={"discard": ["spam"]}).play_rounds(A=["spam_folder", "again"]).in_pile("discard", "spam", A=0)


def test_a_spam_played_in_a_register_is_not_in_the_discard_pile():
    """p. 15, p. 24: it has gone back to its pile by itself; one SPAM of the shot of register one is there."""
    ready = scene("A^  .  B<", A={"draw": ["power_up"]})
    result = ready.play_rounds(A=["spam", "spam_folder"], B=["power_up", "u_turn"])
    result.took(A=1).pile("discard", A=["power_up", "spam_folder"])


# -- Repeat Routine: R51: as Again everywhere


@pytest.mark.parametrize(
    ("card", "place"), [("move_1", "2 0 E"), ("move_3", "6 0 E"), ("turn_right", "0 0 W"), ("speed_routine", "6 0 E")]
)
def test_repeat_routine_repeats_the_register_before(card, place):
    """p. 24: an extra Again card; R51."""
    scene(ROW).play(A=[card, "repeat_routine"]).at(A=place).register_cards(A=[card, "repeat_routine"])


def test_repeat_routine_and_again_repeat_each_other():
    """R24, R51: the action that the earlier one carried out."""
    scene(ROW).play(A=["move_1", "repeat_routine", "again", "again", "repeat_routine"]).at(A="5 0")


def test_repeat_routine_after_nothing_does_nothing():
    """R25a, R51."""
    scene(ROW).play(A=[None, "repeat_routine"]).at(A="0 0")


def test_repeat_routine_after_a_damage_card_draws():
    """p. 24; R25, R51."""
    scene(ROW, A={"draw": ["move_1", "move_3"]}).play(A=["spam", "repeat_routine"]).at(A="4 0")


def test_by_the_switch_repeat_routine_repeats_the_replacement():
    """R25, again_after_damage = repeat."""
    scene(ROW, {"again_after_damage": "repeat"}, A={"draw": ["move_1", "move_3"]}).play(
        A=["spam", "repeat_routine"]
    ).at(A="2 0")


@pytest.mark.parametrize(("first", "second"), [("again", "repeat_routine"), ("repeat_routine", "again")])
def test_a_repeating_card_drawn_for_another_is_discarded(first, second):
    """R25, R51: if Again: discard it and draw the next."""
    result = scene(ROW, A={"draw": ["move_1", second, "move_2"]}).play_rounds(A=["spam", first]).at(A="3 0")
    result.pile("discard", A=["move_1", first, second, "move_2"])


def test_repeat_routine_cannot_be_programmed_in_register_one():
    """R23, R51."""
    mat = {"draw": ["repeat_routine", "turn_left", "turn_left", "turn_right", "turn_right"]}
    with pytest.raises(ScenarioError, match="repeat_routine"):
        scene(ROW, A=mat).play_rounds(answers=("A program repeat_routine turn_left turn_left turn_right turn_right",))


def test_the_default_program_puts_another_card_into_register_one():
    """R23, R51: masked; the next card of the hand that repeats nothing takes its place."""
    draw = ["repeat_routine", "again", "turn_left", "turn_right", "u_turn", "power_up", "move_1", "move_1", "move_1"]
    result = scene(ROW, A={"draw": draw}).play_rounds()
    assert result.decisions[0].split()[2] == "turn_left"


def test_repeat_routine_in_register_one_by_accident_is_discarded_for_the_top_card():
    """R23, R51."""
    result = scene(ROW, A={"draw": ["move_2"]}).play_rounds(A=["repeat_routine"])
    result.at(A="2 0").pile("discard", A=["repeat_routine", "move_2"])


def test_repeat_routine_drawn_for_a_damage_card():
    """R25a, R51: in register one it is discarded, later on it acts as an Again."""
    scene(ROW, A={"draw": ["repeat_routine", "move_1"]}).play(A=["spam"]).at(A="1 0").register_cards(A=["move_1"])
    result = scene(ROW, A={"draw": ["repeat_routine"]}).play(A=["move_2", "spam"])
    result.at(A="4 0").register_cards(A=["move_2", "repeat_routine"])


def test_hack_of_repeat_routine_repeats_the_action():
    """R51."""
    scene(ROW, A="hack").play(A=["move_2", "repeat_routine"], answers=("A hack no", "A hack yes")).at(A="6 0")


def test_repeat_routine_before_the_play_counts_as_carried_out():
    """Scenario files: for Again; R24, R51."""
    scene(ROW).play(3, A=["move_2", "repeat_routine", "again"]).at(A="2 0")
