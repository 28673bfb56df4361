"""Trapdoors and stompers. C9."""

import pytest

from .scene import scene


@pytest.mark.parametrize(("register", "destroyed"), [(1, "A"), (2, ""), (3, "A"), (4, ""), (5, "A")])
def test_a_trapdoor_destroys_in_its_registers(register, destroyed):
    """Trapdoors: opens up and destroys a robot; active only in the registers of its numbers."""
    scene("D135+A^  .").play(register).destroyed(destroyed).damage(A=0)


def test_who_passes_over_a_trapdoor_is_safe():
    """Trapdoors act after the robots have moved."""
    scene("A>  D1  .").play(A="move_2").destroyed("").at(A="2 0")


@pytest.mark.parametrize(("register", "damage"), [(1, 0), (2, 2), (3, 0), (4, 2), (5, 0)])
def test_a_stomper_deals_two_damage_in_its_registers(register, damage):
    """Stompers: will deal 2 damage to the robot; active only in the registers of their numbers."""
    scene("S24+A^  .").play(register).damage(A=damage)


# A and B both want the cell (1, 1): who comes second pushes the other off it. A, first by order, stands on a stomper.
CROSSING = """
    +        +        +        +
      .        S1+Av    .
    +        +        +        +
      B>       .        .
    +        +        +        +
      .        .        .
    +        +        +        +
"""


def test_who_was_stomped_acts_last_in_the_next_register():
    """Stompers: it always has the least priority. B moves first, and A pushes it on."""
    scene(CROSSING).play(A=["power_up", "move_1"], B=["power_up", "move_1"], order="AB").at(A="1 1", B="1 2")


@pytest.mark.parametrize("card", ["admin_privilege", "manual_sort"])
def test_who_was_stomped_acts_last_whatever_it_uses(card):
    """Stompers: always the least priority, also with a card that would let it act first."""
    scene(CROSSING, A=card).play(
        A=["power_up", "move_1"], B=["power_up", "move_1"], order="BA", answers=(f"A {card} no",)
    ).at(A="1 1", B="1 2").asks(card, "A no")  # and not again in the second register, where it would change nothing


@pytest.mark.parametrize("card", ["admin_privilege", "manual_sort"])
def test_among_stomped_robots_a_claim_is_for_the_first_place(card):
    """C9, R53: A and B are stomped, C is not. B may act before A, and not before C."""
    cards = ["power_up", "move_1"]
    scene("S1+A>  S1+B>  .  C<  .", B=card).play(
        A=cards, B=cards, C=cards, order="ABC", answers=(f"B {card} no", f"B {card} yes")
    ).asks(card, "B no", "B yes").at(A="1 0", B="2 0", C="3 0")


def test_who_was_not_stomped_is_not_asked_where_only_stomped_robots_could_get_ahead():
    """R53: B, stomped, has a Manual Sort too; A is first whatever it does. In register three both are asked again."""
    cards = ["power_up"] * 3
    scene("A^  S1+B^", A="manual_sort", B="manual_sort").play(
        A=cards, B=cards, order="AB", answers=("A manual_sort no", "B manual_sort no") * 2
    ).asks("manual_sort", *["A no", "B no"] * 2)


def test_without_a_stomper_the_order_is_as_it_was():
    """The same without: A moves first, and B pushes it on."""
    scene(CROSSING.replace("S1+Av", "S2+Av")).play(
        A=["power_up", "move_1"], B=["power_up", "move_1"], order="AB"
    ).at(A="2 1", B="1 1")  # fmt: skip


def test_a_stomp_lasts_for_one_register():
    """C9: until the next activation is over: in register three A moves first again."""
    program = ["power_up", "turn_left", "turn_right", "move_1"]
    scene(CROSSING).play(A=program, B=program, order="AB").at(A="2 1", B="1 1")


def test_stomped_robots_act_by_priority_among_themselves():
    """Rulings: stomped robots act last, among themselves by priority: C, A, B here."""
    picture = """
        +        +        +        +        +
          .        S1+Av    .        .
        +        +        +        +        +
          S1+B>    .        .        C<
        +        +        +        +        +
          .        .        .        .
        +        +        +        +        +
    """
    result = scene(picture).play(
        A=["power_up", "move_1"], B=["power_up", "move_1"], C=["power_up", "move_2"], order="ABC"
    )
    # C comes to (1, 1) first, A pushes it to the south, B pushes A to the east
    result.at(A="2 1", B="1 1", C="1 2")


def test_the_rounds_end_ends_it():
    """C9: the mark of register five is gone in register one of the next round: A moves first, B pushes it on."""
    draw = ["move_1", "turn_left", "turn_right", "turn_left", "turn_right", "move_2", "move_2", "move_2", "move_3"]
    picture = CROSSING.replace("S1+Av", "S5+Av")
    scene(picture, {"upgrades": False}, A={"draw": draw}, B={"draw": draw}).play_rounds(
        2, order="AB", A=["power_up"], B=["power_up"]
    ).at(A="2 1", B="1 1")


def test_stompers_act_after_trapdoors_and_before_lasers():
    """Register phase elements, order: trapdoors, stompers, lasers; the stomp destroys A before it can stop the beam."""
    scene("L>  S1+A^  B^", A={"damage": 8}).play().destroyed("A").damage(A=10, B=1)


def test_a_stomp_destroys_at_the_tenth_token():
    """C10: token by token."""
    scene("S1+A^", A={"damage": 9}).play().destroyed("A").damage(A=10)
