"""Day of the SuperBot: 2005 course manual p. 25; R93. In a scenario the SuperBot is A, unless it names another."""

import pytest

from .scene import Result, Scene, scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]


def superbot(picture: str, **options) -> Scene:
    """A scene with a SuperBot."""
    return scene(picture, special_rules=["superbot"], **options)


def heirs(result: Result) -> str:
    """Who became the SuperBot, in order."""
    return "".join(result.scene.names[event["robot"]] for event in result.happened("superbot"))


# -- what it can do


def test_its_laser_fire_is_doubled_and_that_of_the_others_is_not():
    """p. 25."""
    superbot("A>  .  B<").play().damage(A=1, B=2)


@pytest.mark.parametrize(
    ("options", "behind", "ahead"),
    [("rear_firing_laser", 2, 2), ("double_barreled_laser", 0, 4), ("rear_firing_laser double_barreled_laser", 2, 4)],
)
def test_lasers_added_with_option_cards_are_doubled(options, behind, ahead):
    """p. 25: the Rear-Firing Laser fires two shots, the Double-Barreled Laser increases that to four."""
    superbot("B^  .  A>  C^", A=options).play().damage(B=behind, C=ahead)


@pytest.mark.parametrize("option", ["pressor_beam", "radio_control", "tractor_beam"])
def test_laser_replacements_do_no_damage(option):
    """p. 25: still don't deal any damage."""
    superbot("A>  .  B^  .", A=option).play(answers=(f"A {option} yes",)).damage()


def test_options_of_the_others_are_not_doubled():
    """p. 25: its laser fire."""
    superbot("""
        +    +    +    +
          B>   C^   .
        +    +    +    +
          .    .    A^
        +    +    +    +
    """, B="double_barreled_laser").play().damage(C=2)  # fmt: skip


def test_at_the_end_of_each_turn_it_discards_all_its_damage():
    """p. 25. The others keep theirs."""
    superbot("""
        +    +    +    +
          A^   .    .
        +    +    +    +
          .    B^   .
        +    +    +    +
    """, A={"damage": 4}, B={"damage": 3}).play_rounds(A=TURNS, B=TURNS).damage(A=0, B=3)  # fmt: skip


def test_its_locked_registers_are_free_after_that():
    """p. 25; p. 10: when the damage is repaired, the token and the card are discarded."""
    superbot(".  A^  .", A={"damage": 7, "registers": [None, None, *TURNS[2:]]}).play_rounds(
        A=TURNS[:2]
    ).damage(A=0).register_cards(A=[None] * 5)  # fmt: skip


def test_it_alone_gets_credit_for_touching_flags():
    """p. 25. A flag updates the archive marker of all (p. 8)."""
    superbot("""
        +      +      +      +
          1+B^   .      .
        +      +      +      +
          .      .      2
        +      +      +      +
          .      A^     .
        +      +      +      +
    """).play().flags(A=0, B=0).archive(B="0 0")
    superbot("""
        +      +      +      +
          1+A^   .      2
        +      +      +      +
          .      B^     .
        +      +      +      +
    """).play().flags(A=1, B=0)


def test_it_touches_both_flags_in_order():
    """p. 25, p. 10: flag 2 counts nothing before flag 1."""
    last = """
        +      +      +      +
          1      .      2+A^
        +      +      +      +
          .      B^     .
        +      +      +      +
    """
    assert superbot(last).play().flags(A=0).winner is None
    assert superbot(last, A={"checkpoint": 1}).play().flags(A=2).winner == "A"


# -- who is it next


PUSHED = "B>  A^  O  C^"


def test_the_robot_that_pushes_it_to_its_destruction_becomes_the_superbot():
    """p. 25."""
    result = superbot(PUSHED).play(B="move_1").destroyed("A")
    assert heirs(result) == "B"


def test_it_becomes_the_superbot_immediately():
    """p. 25: B shoots with double fire and touches flags in the same phase."""
    superbot("""
        +        +        +        +        +
          B>       A^+1     O        C^
        +        +        +        +        +
          .        .        2        .
        +        +        +        +        +
    """).play(B="move_1").damage(C=2).flags(A=0, B=1)


def test_the_robot_that_shoots_it_becomes_the_superbot():
    """p. 25."""
    result = superbot("B>  .  A^", A={"damage": 9}).play().destroyed("A")
    assert heirs(result) == "B"


def test_the_shot_may_lie_in_an_earlier_phase():
    """p. 25: the robot that last shot it. Then A falls by itself."""
    result = superbot("B>  .  A^  O").play(A=[None, "turn_right", "move_1"], B=[None, "turn_left"]).destroyed("A")
    assert heirs(result) == "B"


def test_the_push_may_lie_in_an_earlier_phase():
    """p. 25: or directly pushed it. B backs into A and does not shoot it."""
    result = superbot("B<  Av  .  .").play(A=[None, "move_1"], B="back_up").destroyed("A")
    assert heirs(result) == "B"


def test_a_shot_comes_after_a_push_of_the_same_phase():
    """p. 5: robots move before lasers fire. B pushes A in front of C."""
    result = superbot("""
        +    +    +    +
          .    .    C^
        +    +    +    +
          B<   Av   .
        +    +    +    +
    """).play(A=[None, "move_1"], B="back_up", C="u_turn").destroyed("A")  # fmt: skip
    assert heirs(result) == "C"


def test_a_later_push_counts_more_than_an_earlier_shot():
    """p. 25: the robot that last shot or pushed it."""
    result = superbot("B<  A^  O  C<").play(B=[None, "back_up"], C=[None, "turn_left"]).destroyed("A")
    assert heirs(result) == "B"


def test_a_robot_pushed_by_another_that_is_pushed_is_not_directly_pushed():
    """p. 25, R93: directly is the mover next to it. Nobody has pushed A directly, so nobody takes its place."""
    result = superbot("B<  C^  A^  O").play(B="back_up").destroyed("A")
    assert heirs(result) == ""


def test_a_push_against_a_wall_is_none():
    """p. 6: a robot can't be pushed through a wall."""
    result = superbot("""
        +    +    +    +
          .    O    .
        +    +    +    +
          B<   A^ | .
        +    +    +    +
    """).play(A=[None, "move_1"], B="back_up").destroyed("A")  # fmt: skip
    assert heirs(result) == ""


@pytest.mark.parametrize(("first", "second", "heir"), [(100, 90, "C"), (80, 90, "B"), (420, 410, "C"), (80, 410, "B")])
@pytest.mark.parametrize("damage", [8, 9])
def test_of_several_that_shoot_it_the_one_with_the_lowest_number_shot_last(first, second, heir, damage):
    """p. 25: of the cards of that register; it counts for nothing which shot was the tenth token."""
    result = superbot("B^  .  A^  .  C^", A={"damage": damage}).play(
        B=f"turn_right:{first}", C=f"turn_left:{second}"
    ).destroyed("A")  # fmt: skip
    assert heirs(result) == heir


def test_a_board_laser_takes_no_ones_place():
    """p. 25: the robot that last shot it is B, though a board laser fires too; without B nobody is."""
    beam = """
        +      +      +      +
          L>     A^     .
        +      +      +      +
          .      {}     .
        +      +      +      +
    """
    shot = superbot(beam.format("B^"), A={"damage": 8}).play().destroyed("A")
    assert heirs(shot) == "B"
    alone = superbot(beam.format("Bv"), A={"damage": 9}).play().destroyed("A")
    assert heirs(alone) == ""


def test_where_nobody_ever_shot_or_pushed_it_it_stays_the_superbot():
    """p. 25 names nobody else; R93. A is back with two damage (p. 9), in a cell of walls; the next turn repairs it."""
    alone = superbot("""
        +    +    +    +
          .    A^   .
        +    +    +----+
          .    .  | .  |
        +    +    +----+
    """, A={"archive": "2 1"})  # fmt: skip
    result = alone.play_rounds(1, A=["move_1", *TURNS[:4]]).damage(A=2)
    assert heirs(result) == ""
    alone.play_rounds(2, A=["move_1", *TURNS[:4]]).at(A="2 1").damage(A=0)


def test_it_passes_on_with_the_last_life_too():
    """p. 25: if the SuperBot is destroyed."""
    result = superbot(PUSHED, A={"lives": 1}).play(B="move_1").lives(A=0)
    assert heirs(result) == "B"


def test_a_race_whose_superbot_is_out_for_good_ends_without_a_winner():
    """p. 25, R93: nobody destroyed it, so nobody inherits, and nobody gets credit for flags any more."""
    out = superbot("A^  .  B>  1", A={"lives": 1})
    result = out.play_rounds(2, A=["move_1", *TURNS[:4]], B=["move_1", *TURNS[:4]])
    assert (result.winner, result.register, heirs(result)) == (None, 1, "")
    assert [event["round"] for event in result.happened("round")] == [1]


def test_the_former_superbot_is_a_regular_robot():
    """p. 25: it comes back with two damage (p. 9), which are not discarded at the end of the next turn, and the flag
    on which it stands gives it no credit. A cannot leave its archive space; the wrench of the flag repairs one (R60).
    """
    result = superbot("""
        +      +      +      +------+
          B>     .      A^   | 1    |
        +      +      +      +------+
          .      .      2      .
        +      +      +      +      +
    """, A={"archive": "3 0", "damage": 9}).play_rounds(2, B=TURNS)  # fmt: skip
    assert heirs(result).startswith("B")
    result.flags(A=0).at(A="3 0")
    assert result.robot("A")["damage"] == 1


def test_the_new_superbot_discards_its_damage_at_the_end_of_the_turn():
    """p. 25."""
    superbot("B>  A^  O", B={"damage": 4}).play_rounds(B=["move_1", *TURNS[:4]]).damage(A=2, B=0)


@pytest.mark.parametrize(("touched", "credit", "winner"), [(1, 2, "B"), (0, 0, None)])
def test_a_robot_that_becomes_the_superbot_again_goes_on_with_the_flags_it_had(touched, credit, winner):
    """p. 25: it still has credit for flag 1 and can proceed to flag 2; the first with both flags in order wins."""
    result = superbot("""
        +        +        +        +
          B>       A^+2     O
        +        +        +        +
          1        .        .
        +        +        +        +
    """, B={"checkpoint": touched}).play(B="move_1")  # fmt: skip
    result.flags(B=credit)
    assert heirs(result) == "B"
    assert result.winner == winner


def test_the_others_still_shoot_and_push_each_other():
    """p. 25: as normal. That makes nobody the SuperBot."""
    result = superbot("""
        +    +    +    +    +
          B>   C^   .    .
        +    +    +    +    +
          .    .    .    A^
        +    +    +    +    +
    """).play(B="move_1").damage(C=1).at(C="2 0")  # fmt: skip
    assert heirs(result) == ""


@pytest.mark.parametrize("first", ["A", "B"])
def test_an_heir_destroyed_in_the_same_phase_is_the_superbot_when_it_comes_back(first):
    """R93: A and B shoot each other dead, whoever is destroyed first, by dock order; then B keeps it."""
    picture = "A>  .  B<" if first == "A" else "B>  .  A<"
    mats = {"A": {"damage": 9, "superbot": first == "A"}, "B": {"damage": 9, "superbot": first == "B"}}
    result = superbot(picture, **mats).play().destroyed("AB")
    heir = "B" if first == "A" else "A"
    assert heirs(result) == heir
    result.has("superbot", **{heir: True, first: False})


def test_an_heir_that_a_third_robot_destroys_in_the_same_phase_keeps_it():
    """R93: B pushes A into the pit, then C shoots B dead."""
    shot = superbot(PUSHED.replace("C^", "C<"), B={"damage": 9}).play(B="move_1").destroyed("AB")
    assert heirs(shot) == "B"


def test_in_the_next_phase_it_can_lose_it():
    """R93: only in the same phase. C shoots B in register one and destroys it in register two."""
    result = superbot(PUSHED.replace("C^", "C<"), B={"damage": 8}).play(2, B=["turn_left", "move_1"], to=3)
    assert heirs(result.destroyed("AB")) == "BC"


def test_a_scenario_may_say_who_is_the_superbot():
    """p. 25: its fire is doubled, and it alone gets credit for flags."""
    result = superbot("A>  .  B<", B={"superbot": True}).play().damage(A=2, B=1)
    result.has("superbot", A=False, B=True)
