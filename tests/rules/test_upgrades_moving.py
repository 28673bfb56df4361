"""Upgrades of the own move: Brakes, Crab Legs, Teleporter, Hover Unit. 2016 rulebook, Card Index; R49."""

import pytest

from .scene import scene

FIELD = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    A>   .    .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""
WALL_AHEAD = """
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
      .    A> | .    .    .
    +    +    +    +    +    +
      .    .    .    .    .
    +    +    +    +    +    +
"""
NO_MOVE_1 = ["move_2", "move_3", "back_up", "turn_left", "turn_right", "u_turn", "power_up", "speed_routine"]


# -- Brakes


def test_brakes_make_a_move_1_a_move_0():
    """Card Index: you may treat your Move 1's as Move 0's."""
    scene(FIELD, A="brakes").play(A="move_1", answers=("A brakes yes",)).asked("A brakes yes").at(A="1 1 E")


def test_brakes_are_a_may():
    """Card Index: you may; asked at each Move 1."""
    scene(FIELD, A="brakes").play(A=["move_1", "move_1"]).asked("A brakes no", "A brakes no").at(A="3 1")


@pytest.mark.parametrize("card", NO_MOVE_1)
def test_brakes_are_for_move_1_only(card):
    """Card Index: Move 1's; a Back Up is none."""
    scene(FIELD, A="brakes").play(A=card).asked()


def test_brakes_keep_a_robot_out_of_a_pit():
    """Card Index: nobody has to move."""
    scene(".  A>  O", A="brakes").play(A="move_1", answers=("A brakes yes",)).rebooted("").at(A="1 0")


def test_brakes_are_not_asked_before_a_wall():
    """R53: the robot stays where it is anyway."""
    scene(WALL_AHEAD, A="brakes crab_legs").play(A="move_1").asked().at(A="1 1")


def test_brakes_are_not_asked_before_a_robot_that_cannot_be_pushed():
    """R53, R10: the row is blocked."""
    scene("A>  B^  C^ | .", A="brakes crab_legs").play(A="move_1").asked().at(A="0 0", B="1 0")


def test_brakes_are_asked_where_side_arms_could_clear_the_way():
    """R53: Side Arms can push B to the side, so the step is possible."""
    picture = """
        +    +    +    +
          .    .    .
        +    +    +    +
          A>   B^ | .
        +    +    +    +
          .    .    .
        +    +    +    +
    """
    result = scene(picture, A="brakes side_arms").play(A="move_1", answers=("A side_arms left",))
    result.asked("A brakes no", "A side_arms left").at(A="1 1", B="1 0")
    result = scene(picture, A="brakes side_arms").play(A="move_1", answers=("A brakes yes",))
    result.asked("A brakes yes").at(A="0 1", B="1 1")


def test_brakes_are_asked_anew_by_again():
    """R49: Again repeats the Move 1, whether it was braked or not; its options are asked anew."""
    answers = ("A brakes yes", "A brakes no")
    scene(FIELD, A="brakes").play(A=["move_1", "again"], answers=answers).asked(*answers).at(A="2 1")
    answers = ("A brakes no", "A brakes yes")
    scene(FIELD, A="brakes").play(A=["move_1", "again"], answers=answers).asked(*answers).at(A="2 1")


def test_brakes_are_asked_anew_by_hack():
    """R49."""
    answers = ("A brakes yes", "A hack yes", "A brakes no")
    scene(FIELD, A="brakes hack").play(A="move_1", answers=answers).asked(*answers).at(A="2 1")


def test_brakes_apply_to_the_move_1_of_a_sandbox_routine():
    """R49: every Move 1, Sandbox's too."""
    answers = ("A sandbox_routine move_1", "A brakes yes")
    scene(FIELD, A="brakes").play(A="sandbox_routine", answers=answers).asked(*answers).at(A="1 1")
    answers = ("A sandbox_routine move_2",)
    scene(FIELD, A="brakes").play(A="sandbox_routine", answers=answers).asked(*answers).at(A="3 1")


def test_brakes_apply_to_a_move_1_that_stands_in_for_another_card():
    """R49: every Move 1: drawn for SPAM, chosen by Refresh."""
    mat = {"upgrades": ["brakes"], "draw": ["move_1"]}
    scene(FIELD, A=mat).play(A=["spam"], answers=("A brakes yes",)).at(A="1 1")
    answers = ("A refresh move_1", "A brakes yes")
    scene(FIELD, A="brakes refresh").play(A="move_3", answers=answers).asked(*answers).at(A="1 1")


def test_brakes_touch_nobody():
    """R45: B is not moved, so Ramming Gear deals nothing; the one SPAM is A's laser."""
    scene("A>  B^  .", A="brakes ramming_gear").play(A="move_1", answers=("A brakes yes",)).took(B=1).at(B="1 0")


# -- Crab Legs


@pytest.mark.parametrize(("side", "place"), [("left", "3 0 E"), ("right", "3 2 E")])
def test_crab_legs_go_ahead_aside_and_ahead(side, place):
    """Card Index: one space forward, then one right or left without rotating, then one forward."""
    result = scene(FIELD, A="crab_legs").play(A="move_1", answers=(f"A crab_legs {side}",))
    result.asked(f"A crab_legs {side}").at(A=place)


@pytest.mark.parametrize(
    ("arrow", "left", "right"), [("^", "1 0 N", "3 0 N"), ("v", "3 4 S", "1 4 S"), ("<", "0 3 W", "0 1 W")]
)
def test_left_and_right_are_those_of_the_robot(arrow, left, right):
    """Card Index, Crab Legs."""
    picture = f"""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    A{arrow}   .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
    """
    for side, place in (("left", left), ("right", right)):
        scene(picture, A="crab_legs").play(A="move_1", answers=(f"A crab_legs {side}",)).at(A=place)


def test_crab_legs_are_a_may():
    """Card Index."""
    scene(FIELD, A="crab_legs").play(A="move_1").asked("A crab_legs no").at(A="2 1")


@pytest.mark.parametrize("card", NO_MOVE_1)
def test_crab_legs_are_for_move_1_only(card):
    """Card Index: when executing a Move 1 card."""
    scene(FIELD, A="crab_legs").play(A=card).asked()


def test_a_blocked_side_step_ends_the_crabs_move():
    """R49, R10: the wall is beside the first space; the second step forward is lost."""
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +----+    +
          .    A>   .    .
        +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).at(A="2 1 E")  # fmt: skip


def test_a_blocked_last_step_ends_the_crabs_move():
    """R49, R10."""
    scene("""
        +    +    +    +    +
          .    .    .  | .
        +    +    +    +    +
          .    A>   .    .
        +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).at(A="2 0 E")  # fmt: skip


def test_crab_legs_walk_round_a_wall():
    """R49: the three steps only; the wall beyond the first space does not matter."""
    scene("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    A>   .  | .
        +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).at(A="3 0 E")  # fmt: skip


def test_each_of_the_crabs_steps_pushes():
    """Ruling note: each is an ordinary step; B is pushed to the side, C ahead."""
    scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    B^   .    .
        +    +    +    +    +    +
          .    A>   .    .    .
        +    +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).at(A="3 1 E", B="2 0 N")  # fmt: skip
    scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    .    C^   .
        +    +    +    +    +    +
          .    A>   .    .    .
        +    +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).at(A="3 1 E", C="4 1 N")  # fmt: skip


def test_a_crab_falls_at_its_side_step():
    """R49, R11: a pit catches; the step forward is not taken after the reboot."""
    scene("""
        +    +    +    +    +
          .    R<   O    .
        +    +    +    +    +
          .    A>   .    .
        +    +    +    +    +
    """, A="crab_legs").play(A="move_1", answers=("A crab_legs left",)).rebooted("A").at(A="1 0 W")  # fmt: skip


def test_a_crab_with_hover_unit_passes_over_pits():
    """Card Index, Hover Unit: the move ends on plain floor."""
    result = scene("""
        +    +    +    +    +
          .    .    O    .
        +    +    +    +    +
          .    A>   O    .
        +    +    +    +    +
    """, A="crab_legs hover_unit").play(A="move_1", answers=("A crab_legs left",))  # fmt: skip
    result.rebooted("").at(A="3 0 E")


def test_a_braked_move_is_no_crabs_walk():
    """R49: Brakes are asked first; a Move 0 has no steps."""
    scene(FIELD, A="brakes crab_legs").play(A="move_1", answers=("A brakes yes",)).asked("A brakes yes").at(A="1 1")
    answers = ("A brakes no", "A crab_legs right")
    scene(FIELD, A="brakes crab_legs").play(A="move_1", answers=answers).asked(*answers).at(A="3 2")


def test_crab_legs_are_asked_anew_by_again_and_hack():
    """R49: the Move 1 is repeated, not the crab's walk."""
    answers = ("A crab_legs left", "A crab_legs no")
    scene(FIELD, A="crab_legs").play(A=["move_1", "again"], answers=answers).asked(*answers).at(A="4 0")
    answers = ("A crab_legs no", "A hack yes", "A crab_legs right")
    scene(FIELD, A="crab_legs hack").play(A="move_1", answers=answers).asked(*answers).at(A="4 2")


def test_crab_legs_apply_to_the_move_1_of_a_sandbox_routine():
    """R49."""
    answers = ("A sandbox_routine move_1", "A crab_legs left")
    scene(FIELD, A="crab_legs").play(A="sandbox_routine", answers=answers).asked(*answers).at(A="3 0")


# -- Teleporter


def test_teleporter_goes_through_walls():
    """Card Index: pay one energy to ignore obstacles when moving. This includes walls."""
    result = scene(WALL_AHEAD, A="teleporter").play(A="move_2", answers=("A teleporter yes",))
    result.asked("A teleporter yes").at(A="3 1 E").has("energy", A=4)


def test_teleporter_is_a_may():
    """Card Index."""
    result = scene(WALL_AHEAD, A="teleporter").play(A="move_2").asked("A teleporter no")
    result.at(A="1 1").has("energy", A=5)


def test_teleporter_passes_pits_the_antenna_and_robots():
    """Card Index: this includes walls, pits, the priority antenna, and robots. B is not pushed."""
    scene("A>  O  Yv  .", A="teleporter").play(A="move_3", answers=("A teleporter yes",)).rebooted("").at(A="3 0 E")
    result = scene("A>  B^  C^  .", A="teleporter ramming_gear").play(A="move_3", answers=("A teleporter yes",))
    result.at(A="3 0", B="1 0", C="2 0").took()


@pytest.mark.parametrize("cells", ["A>  .  O", "A>  .  Yv", ".  A>  ."])
def test_teleporter_may_not_end_on_a_pit_the_antenna_or_off_the_board(cells):
    """Card Index: you may not end your move on a pit or the priority antenna; R49: it is not offered then."""
    scene(cells, A="teleporter").play(A="move_2").never_asked("teleporter")


def test_teleporter_lands_where_a_wall_stands_beside_the_space():
    """Card Index: walls stand on edges; no space is a wall."""
    scene("""
        +    +    +----+    +
          A>   .  | .  | .
        +    +    +----+    +
    """, A="teleporter").play(A="move_2", answers=("A teleporter yes",)).at(A="2 0")  # fmt: skip


def test_teleporter_needs_energy():
    """Card Index: pay one energy."""
    scene(WALL_AHEAD, A={"upgrades": ["teleporter"], "energy": 0}).play(A="move_2").asked().at(A="1 1")


def test_teleporter_swaps_places():
    """Card Index: if you move to a space with another robot, swap places. Both keep their facing."""
    result = scene("A>  .  B^", A="teleporter ramming_gear").play(A="move_2", answers=("A teleporter yes",))
    result.at(A="2 0 E", B="0 0 N").took()


def test_teleporter_is_offered_on_a_free_way_too():
    """Card Index: you may; it is no matter whether there is an obstacle."""
    scene(FIELD, A="teleporter").play(A="move_1").asked("A teleporter no").at(A="2 1")


@pytest.mark.parametrize(
    ("card", "place"),
    [("move_1", "2 1"), ("move_2", "3 1"), ("move_3", "4 1"), ("speed_routine", "4 1")],
)
def test_teleporter_works_with_every_move_card(card, place):
    """R49: any move card or Speed Routine."""
    scene(WALL_AHEAD, A="teleporter").play(A=card, answers=("A teleporter yes",)).at(A=f"{place} E")


def test_teleporter_works_with_back_up():
    """R49: or Back Up."""
    scene(". | A>  .", A="teleporter").play(A="back_up", answers=("A teleporter yes",)).at(A="0 0 E")


def test_teleporter_works_with_the_moves_of_a_sandbox_routine():
    """R49."""
    answers = ("A sandbox_routine move_2", "A teleporter yes")
    scene(WALL_AHEAD, A="teleporter").play(A="sandbox_routine", answers=answers).asked(*answers).at(A="3 1")


@pytest.mark.parametrize("card", ["turn_left", "turn_right", "u_turn", "power_up"])
def test_teleporter_is_for_moves(card):
    """Card Index: when moving."""
    scene(FIELD, A="teleporter").play(A=card).asked()


def test_a_boink_is_not_teleported():
    """R49: any move card; Boink is an ordinary step."""
    scene(FIELD, A="boink teleporter").play(A="power_up", answers=("A boink E",)).asked("A boink E")


@pytest.mark.parametrize(("energy", "asked", "place"), [(1, 1, "3 1"), (2, 2, "4 1")])
def test_energy_is_due_anew_for_again(energy, asked, place):
    """R49: energy is due anew. With one cube the repeated move is an ordinary one, into the second wall."""
    answers = ("A teleporter yes",) * asked
    result = scene("""
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    .    A> | .  | .
        +    +    +    +    +    +
    """, A={"upgrades": ["teleporter"], "energy": energy}).play(A=["move_1", "again"], answers=answers)  # fmt: skip
    result.asked(*answers).at(A=place).has("energy", A=0)


def test_teleporter_is_asked_anew_by_hack():
    """R49."""
    answers = ("A teleporter yes", "A hack yes", "A teleporter yes")
    result = scene(WALL_AHEAD, A="teleporter hack").play(A="move_1", answers=answers)
    result.asked(*answers).at(A="3 1").has("energy", A=3)


def test_teleporter_comes_after_brakes_and_crab_legs():
    """R49: asked in printed order, each only where the ones before were not used."""
    mat = "brakes crab_legs teleporter"
    answers = ("A brakes no", "A crab_legs no", "A teleporter yes")
    scene(FIELD, A=mat).play(A="move_1", answers=answers).asked(*answers).at(A="2 1")
    answers = ("A brakes no", "A crab_legs left")
    scene(FIELD, A=mat).play(A="move_1", answers=answers).asked(*answers).at(A="3 0")
    scene(FIELD, A=mat).play(A="move_1", answers=("A brakes yes",)).asked("A brakes yes").at(A="1 1")


def test_before_a_wall_only_the_teleporter_is_of_use():
    """R53: Brakes and Crab Legs cannot change anything there."""
    result = scene(WALL_AHEAD, A="brakes crab_legs teleporter").play(A="move_1", answers=("A teleporter yes",))
    result.asked("A teleporter yes").at(A="2 1")


def test_a_teleported_robot_does_not_push():
    """R45: nobody is moved by a step, so neither Side Arms nor a push card comes up."""
    scene("A<  B^  .", A="teleporter side_arms virus_module").play(A="back_up", answers=("A teleporter yes",)).asked(
        "A teleporter yes"
    ).at(A="1 0 W", B="0 0 N").took(B=1)  # A's laser: B now stands before it


# -- Hover Unit


@pytest.mark.parametrize(("card", "pits"), [("move_2", "O  .  ."), ("move_3", "O  O  .")])
def test_hover_unit_passes_over_pits(card, pits):
    """Card Index: your robot can pass over, but not land on, pits. Nothing is asked: you can't turn it off."""
    scene(f"A>  {pits}", A="hover_unit").play(A=card).rebooted("").at(A=f"{card[-1]} 0").asked()


def test_a_hovering_robot_falls_where_its_move_ends():
    """Card Index: if you end your move on a pit, you fall in."""
    scene("A>  O  .  R>", A="hover_unit").play(A="move_1").rebooted("A").at(A="3 0 E").took(A=2)


def test_the_last_space_of_a_longer_move_counts():
    """Card Index: end your move."""
    scene("A>  .  O  R>", A="hover_unit").play(A="move_2").rebooted("A").at(A="3 0 E")


def test_a_wall_may_end_the_move_over_a_pit():
    """R10, R49: the steps left are lost, the move ends on the pit."""
    scene("A>  O | .  R>", A="hover_unit").play(A="move_3").rebooted("A").at(A="3 0 E")


def test_a_hovering_robot_does_not_pass_over_robots():
    """Card Index: you can't hover above another robot. It pushes B, which cannot go on."""
    scene("A>  O  B^ | .  R>", A="hover_unit").play(A="move_2").rebooted("A").at(A="4 0 E", B="2 0")


def test_the_edge_is_no_pit():
    """R49: edges always make it fall."""
    scene("R>  .  A>", A="hover_unit").play(A="move_2").rebooted("A").at(A="0 0 E")


def test_without_hover_unit_the_pit_catches():
    """R11; the robot next to it has the card."""
    scene("""
        +    +    +    +
          A>   O    .
        +    +    +    +
          R>   .    B>
        +    +    +    +
    """, B="hover_unit").play(A="move_2").rebooted("A").at(A="0 1 E")  # fmt: skip


def test_the_moves_of_two_cards_are_two_moves():
    """R49: at the end of the mover's card. No Again or Hack carries it on; nothing is asked after the fall."""
    result = scene("A>  O  .  R>", A="hover_unit hack boink").play(A=["move_1", "again"], answers=("A boink no",))
    result.asked("A boink no", "A reboot_facing E")


def test_a_boink_onto_a_pit_is_a_fall():
    """R49: Boink is a move of its own, and it ends there."""
    scene("A^  O  R^", A="hover_unit boink").play(A="power_up", answers=("A boink E",)).rebooted("A").has("energy", A=5)


def test_a_hovering_robot_is_pushed_over_a_pit():
    """R49: a push by a card is decided at the end of that card. B, which has no Hover Unit, follows and falls."""
    scene("""
        +    +    +    +    +
          B>   A^   O    .
        +    +    +    +    +
          .    .    .    R>
        +    +    +    +    +
    """, A="hover_unit").play(B="move_2").rebooted("B").at(A="3 0 N", B="3 1 E")  # fmt: skip


def test_a_hovering_robot_pushed_onto_a_pit_falls_at_the_end_of_the_card():
    """R49."""
    result = (
        scene(
            """
        +    +    +    +    +
          B>   .    A^   O
        +    +    +    +    +
          .    .    .    R>
        +    +    +    +    +
    """,
            A="hover_unit",
        )
        .play(B="move_2")
        .rebooted("A")
        .at(A="3 1 E", B="2 0")
    )
    result.took(A=2)


def test_several_fall_in_turn_order_at_the_end_of_the_card():
    """R49: C has pushed both over the first pit; at the end of its card A and B hover over pits."""
    picture = """
        +    +    +    +    +    +
          C>   A^   B^   O    O
        +    +    +    +    +    +
          R>   .    .    .    .
        +    +    +    +    +    +
    """
    for order, first, second in (("CAB", "A", "B"), ("CBA", "B", "A")):
        result = scene(picture, A="hover_unit", B="hover_unit").play(order=order, C="move_2").rebooted("AB")
        result.asks("reboot_facing", f"{first} E", f"{second} E")


@pytest.mark.parametrize("cell", [">+A^", ">>+A^", "P>1+A^"])
def test_belts_and_panels_drop_a_hovering_robot_at_once(cell):
    """R49: each belt step for itself; a panel's push is no move of a card."""
    scene(f"""
        +        +        +        +
          {cell:<8} O        .
        +        +        +        +
          .        .        R>
        +        +        +        +
    """, A="hover_unit").play().rebooted("A").at(A="2 1 E")  # fmt: skip


def test_a_weapon_drops_a_hovering_robot_at_once():
    """R49, R50."""
    result = scene("""
        +    +    +    +
          B>   A^   O
        +    +    +    +
          .    .    R>
        +    +    +    +
    """, A="hover_unit", B="pressor_beam").play(answers=("B pressor_beam yes",))  # fmt: skip
    result.rebooted("A").at(A="2 1 E").took(A=3)


def test_an_arrival_on_the_token_drops_a_hovering_robot_at_once():
    """R17, R49: B's arrival pushes A onto the pit; it is not moved on."""
    scene("""
        +       +       +       +
          .       .       B>
        +       +       +       +
          .       R>+A^   O
        +       +       +       +
    """, A="hover_unit").play(B="move_1").rebooted("AB").took(A=2, B=2)  # fmt: skip


def test_hover_unit_and_teleporter_do_not_land_on_a_pit():
    """Card Index: both say so; R49."""
    scene("A>  .  O", A="hover_unit teleporter").play(A="move_2").rebooted("A").never_asked("teleporter")
