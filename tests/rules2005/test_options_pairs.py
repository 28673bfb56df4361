"""Two cards in one register: Crab Legs and Dual Processor. The card texts, R65 and R67."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene, turns

FIELD = """
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
      .    A>   .    .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""
LANE = ".    .    A>   .    ."
BESIDE = """
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
      A>   .    .    .
    +    +    +    +    +
      B>   .    .    .
    +    +    +    +    +
"""
HAND = ["move_1:490", "turn_left:70", "u_turn:10", "move_2:670", "turn_right:80", "turn_left:90", "turn_left:110",
        "turn_left:130", "turn_left:150"]  # fmt: skip
REST = "turn_right:80 turn_left:90 turn_left:110 turn_left:130"
NINE = ["turn_right:240", "turn_right:260", "turn_right:280", "turn_left:230", "turn_left:250"]
SHOOTER_BESIDE_WRENCH = """
    +      +      +      +      +
      .      .      .      .
    +      +      +      +      +
      .      r2+A^  .      B^
    +      +      +      +      +
      .      .      .      .
    +      +      +      +      +
"""
# of B, which faces west in register one only, and east in the end
SHOOTS_ONCE = ["turn_left:130", "turn_right:140", "turn_right:160", "turn_left:150", "turn_right:180"]


# -- Crab Legs


@pytest.mark.parametrize(("turn", "place"), [("turn_left", "1 0 E"), ("turn_right", "1 2 E")])
def test_crab_legs_step_to_the_side_and_keep_the_facing(turn, place):
    """Card: 1 space to its left or right, the facing stays."""
    scene(FIELD, A="crab_legs").play(A=f"move_1+{turn}").at(A=place).asked()


def test_the_cards_for_crab_legs_come_from_the_hand():
    """Card: while programming, the two may share a register; R67: they are written move_1+turn_left."""
    scene(FIELD, A={"options": ["crab_legs"], "hand": HAND}).play_rounds(
        answers=(f"A program move_1:490+turn_left:70 {REST}",)
    ).at(A="1 0 W").register_cards(A=[None] * 5)  # a step to the north, then right and three times left


@pytest.mark.parametrize("pair", ["move_1:490+u_turn:10", "move_2:670+turn_left:70"])
def test_crab_legs_are_for_a_move_1_and_a_quarter_turn(pair):
    """Card: a Move 1, and a Rotate Left or Rotate Right."""
    ready = scene(FIELD, A={"options": ["crab_legs"], "hand": HAND})
    with pytest.raises(ScenarioError):
        ready.play_rounds(answers=(f"A program {pair} {REST}",))


def test_without_the_option_no_two_cards_share_a_register():
    """Rulebook p. 4: five cards, one a register."""
    with pytest.raises(ScenarioError):
        scene(FIELD, A={"hand": HAND}).play_rounds(answers=(f"A program move_1:490+turn_left:70 {REST}",))


def test_a_crab_has_the_priority_of_its_move_1():
    """Card: priority is that of the Move 1; R65: the Move card's number counts."""
    result = scene(BESIDE, A="crab_legs").play(A="move_1:500+turn_left:70", B="move_1:490")
    assert turns(result) == "AB"
    result = scene(BESIDE, A="crab_legs").play(A="move_1:500+turn_left:70", B="move_1:510")
    assert turns(result) == "BA"


def test_a_crab_may_step_off_the_board():
    """Rulebook p. 10: moves off the edge."""
    scene(LANE, A="crab_legs").play(A="move_1+turn_left").destroyed("A").lives(A=2)


def test_a_crab_may_step_into_a_pit():
    """Rulebook p. 10: moves into a pit."""
    result = scene(FIELD.replace(".    .    .    .", ".    O    .    .", 1), A="crab_legs").play(A="move_1+turn_left")
    result.destroyed("A")


def test_a_wall_stops_a_crab():
    """Rulebook p. 6: the move simply stops; nothing is turned."""
    walled = """
        +    +    +    +
          .    .    .
        +    +----+    +
          .    A>   .
        +    +    +    +
    """
    scene(walled, A="crab_legs").play(A="move_1+turn_left").shows(walled)


def test_a_crab_pushes_to_the_side():
    """Rulebook p. 6: robots that collide."""
    scene("""
        +    +    +    +
          .    .    .
        +    +    +    +
          .    B>   .
        +    +    +    +
          .    A>   .
        +    +    +    +
    """, A="crab_legs").play(A="move_1+turn_left").at(A="1 1 E", B="1 0 E")  # fmt: skip


def test_two_cards_keep_their_meaning_where_the_crab_legs_are_lost():
    """Card: the choice is made while programming."""
    result = scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          B>   .    .    A>
        +    +    +    +    +
    """, A="crab_legs").play(A=[None, "move_1+turn_left"], answers=("A option_for_damage crab_legs",))  # fmt: skip
    result.at(A="3 0 E").options(A="")


# -- Dual Processor


@pytest.mark.parametrize(
    ("pair", "place"),
    [
        ("move_3+turn_left", "4 0 N"),
        ("move_2+turn_right", "3 0 S"),
        ("move_1+turn_left", "2 0 N"),
        ("back_up+turn_right", "2 0 S"),
    ],
)
def test_dual_processor_moves_one_space_less_and_then_rotates(pair, place):
    """Card: 1 space less than the Move card says, and then rotates."""
    scene(LANE, A="dual_processor").play(A=pair).at(A=place).asked()


@pytest.mark.parametrize(
    ("pair", "place"),
    [
        ("move_3+u_turn", "3 0 W"),
        ("move_2+u_turn", "2 0 W"),
        ("move_1+u_turn", "2 0 W"),
        ("back_up+u_turn", "2 0 W"),
    ],
)
def test_with_a_u_turn_it_moves_two_spaces_less_where_possible(pair, place):
    """Card: with a U-Turn 2 spaces less where possible; of a Move 1 and a Back Up nothing is left."""
    scene(LANE, A="dual_processor").play(A=pair).at(A=place)


def test_the_cards_for_the_dual_processor_come_from_the_hand():
    """Card: while programming; R67."""
    scene(LANE, A={"options": ["dual_processor"], "hand": HAND}).play_rounds(
        answers=(f"A program move_2:670+u_turn:10 {REST}",)
    ).at(A="2 0 E")  # about, right, and three times left


def test_the_two_cards_may_be_named_in_any_order():
    """R67: the two share a register."""
    scene(LANE, A="dual_processor").play(A="turn_left+move_2").at(A="3 0 N")


@pytest.mark.parametrize("pair", ["move_1:490+move_2:670", "turn_left:70+u_turn:10"])
def test_dual_processor_needs_a_move_card_and_a_rotation(pair):
    """Card: a Move card and a rotation card."""
    ready = scene(LANE, A={"options": ["dual_processor"], "hand": HAND})
    with pytest.raises(ScenarioError):
        ready.play_rounds(answers=(f"A program {pair} {REST}",))


def test_the_move_cards_number_counts():
    """R65, where the card is silent: Dual Processor too."""
    result = scene(BESIDE, A="dual_processor").play(A="move_2:700+turn_left:70", B="move_2:690")
    assert turns(result) == "AB"


def test_a_robot_that_falls_by_it_rotates_no_more():
    """Rulebook p. 10: destroyed in the middle of the card."""
    result = scene(LANE, A="dual_processor").play(A=["move_3", "move_2+turn_left"])
    result.destroyed("A")
    assert not result.happened("turn")


def test_a_stopped_move_still_rotates():
    """Card: and then rotates; rulebook p. 6: the move simply stops."""
    scene(".  A> | .  .", A="dual_processor").play(A="move_3+turn_left").at(A="1 0 N")


def test_the_shortened_move_pushes():
    """Rulebook p. 6: it is a move."""
    scene("A>  .  B^  .  .", A="dual_processor").play(A="move_3+turn_left").at(A="2 0 N", B="3 0")


@pytest.mark.parametrize("option", ["brakes", "fourth_gear", "reverse_gear"])
def test_the_gears_are_not_asked_for_a_shortened_move(option):
    """The space count is the Dual Processor's; the gears speak of the card executed by itself."""
    card = {"brakes": "move_1", "fourth_gear": "move_3", "reverse_gear": "back_up"}[option]
    scene(LANE, A=f"dual_processor {option}").play(A=f"{card}+turn_left").asked()


def test_two_cards_keep_their_meaning_where_the_dual_processor_is_lost():
    """Card: the choice is made while programming; a Move 1 and a turn are then no side step."""
    lost = ("A option_for_damage dual_processor",)
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          B>   .    .    A>
        +    +    +    +    +
    """, A="dual_processor").play(A=[None, "move_1+turn_left"], answers=lost).at(A="3 1 N").options(A="")  # fmt: skip


def test_a_locked_pair_keeps_its_meaning_in_the_next_turn_though_the_option_is_lost():
    """Rulebook p. 10: with all registers locked that program is simply executed again."""
    turns_and_pair = ["turn_left:70", "turn_right:80", "turn_left:90", "turn_right:100", "move_2:670+turn_left:110"]
    robot = {"options": ["dual_processor"], "damage": 9, "registers": turns_and_pair}
    shooter = {"lives": 1, "registers": ["back_up:430", "back_up:440", "u_turn", "u_turn", "u_turn"]}
    scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    A^   .    B<   .
        +    +    +    +    +    +
    """, A=robot, B=shooter).play_rounds(
        2, answers=("A option_for_damage dual_processor",)
    ).at(A="0 0 S").options(A="")  # fmt: skip


def test_crab_legs_of_an_earlier_turn_do_not_change_a_pair():
    """Card: the choice is made while programming, and there were no Crab Legs by then: they are given for a token in
    the first turn, the Dual Processor in register one of the second. A faces south then; a crab would go to the
    west."""
    hand_of_a = ["turn_left:170", "move_1:490", "turn_right:200", "turn_right:220", "turn_left:190", "turn_left:210"]
    hand_of_b = ["u_turn:10", "turn_right:300", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50", "u_turn:60"]
    scene(
        SHOOTER_BESIDE_WRENCH,
        A="crab_legs",
        draw=[*hand_of_a, *NINE[:3], *hand_of_b, *NINE[3:5]],
    ).play_rounds(
        2,
        option_deck="dual_processor brakes",
        A=["turn_left:70", "turn_right:80", "turn_left:90", "turn_right:100", "turn_left:110"],
        B=SHOOTS_ONCE,
        answers=(
            "A option_for_damage crab_legs",
            "A program turn_left:170 move_1:490+turn_right:200 turn_right:220 turn_left:190 turn_left:210",
            "A option_for_damage dual_processor",
        ),
    ).at(A="1 1 S").options(A="brakes")


def test_crab_legs_given_for_recompile_do_not_change_a_pair():
    """Card: the choice is made while programming; Recompile comes before it, and its token took the Crab Legs."""
    new = ["move_1:490", "turn_right:200", "turn_right:220", "turn_left:190", "turn_left:210", "turn_left:170"]
    scene(
        SHOOTER_BESIDE_WRENCH,
        A={"options": ["crab_legs", "dual_processor", "recompile"], "hand": ["u_turn"] * 9},
        draw=[*new, *NINE[:3]],
    ).play_rounds(
        option_deck="brakes",
        B=SHOOTS_ONCE,
        answers=(
            "A recompile yes",
            "A option_for_damage crab_legs",
            "A program turn_left:170 move_1:490+turn_right:200 turn_right:220 turn_left:190 turn_left:210",
            "A option_for_damage dual_processor",
        ),
    ).at(A="1 1 W").options(A="brakes recompile")


def test_crab_legs_of_a_later_turn_do_not_change_a_locked_pair():
    """Rulebook p. 10: a locked register keeps its program; the Crab Legs that came since then are lost again too."""
    hand_of_b = ["u_turn:10", "turn_right:300", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50", "u_turn:60"]
    scene(
        SHOOTER_BESIDE_WRENCH,
        A={"options": ["dual_processor"], "damage": 7},
        draw=["turn_left:170", "turn_right:220", "turn_left:190", *hand_of_b, *NINE[3:5]],
    ).play_rounds(
        2,
        option_deck="crab_legs brakes",
        A=["turn_left:70", "turn_right:80", "turn_left:90", "turn_left:110", "move_1:490+turn_right:200"],
        B=SHOOTS_ONCE,
        answers=("A option_for_damage dual_processor", "A option_for_damage crab_legs"),
    ).at(A="1 1 S").options(A="brakes")


# -- both


def test_with_both_options_the_player_says_whether_the_robot_is_a_crab():
    """Both texts fit a Move 1 with a quarter turn."""
    both = scene(FIELD, A="crab_legs dual_processor")
    both.play(A="move_1+turn_left", answers=("A crab_legs yes",)).at(A="1 0 E")
    both.play(A="move_1+turn_left").at(A="1 1 N").asked("A crab_legs no")


@pytest.mark.parametrize("pair", ["move_2+turn_left", "move_1+u_turn"])
def test_what_suits_the_dual_processor_only_is_no_question(pair):
    """Crab Legs need a Move 1 and a quarter turn."""
    scene(FIELD, A="crab_legs dual_processor").play(A=pair).asked()
