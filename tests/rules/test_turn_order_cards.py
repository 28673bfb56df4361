"""Admin Privilege and Manual Sort: 2016 rulebook, Card Index; R52, R53."""

import pytest

from .scene import scene

ROW = "A^  B^  C^"
ONE = {name: ["power_up"] for name in "ABC"}
TWO = {name: ["power_up"] * 2 for name in "ABC"}


# -- Admin Privilege


def test_admin_privilege_puts_its_robot_first():
    """Card Index: give your robot priority for one register. A is the first, B steps in front of it."""
    result = scene(ROW, B="admin_privilege").play(order="ABC", answers=("B admin_privilege yes",), **ONE)
    result.asked("B admin_privilege yes")
    assert result.turns == "BAC"


def test_admin_privilege_is_a_may():
    """Card Index: you may."""
    result = scene(ROW, B="admin_privilege").play(order="ABC", **ONE)
    result.asked("B admin_privilege no")
    assert result.turns == "ABC"


def test_admin_privilege_is_good_for_one_register():
    """Card Index: once per round, for one register. In register two the order is as before, and nothing is asked."""
    result = scene(ROW, B="admin_privilege").play(order="ABC", answers=("B admin_privilege yes",), **TWO)
    result.asked("B admin_privilege yes")
    assert result.turns == "BAC" + "ABC"


def test_admin_privilege_can_wait_for_a_later_register():
    """Card Index: for one register; asked at the start of each until it is used."""
    answers = ("B admin_privilege no", "B admin_privilege yes")
    result = scene(ROW, B="admin_privilege").play(order="ABC", answers=answers, **TWO)
    result.asked(*answers)
    assert result.turns == "ABC" + "BAC"


def test_admin_privilege_is_there_again_in_the_next_round():
    """Card Index: once per round; it is a permanent upgrade."""
    answers = ("B admin_privilege yes", "B admin_privilege yes")
    result = scene(ROW, B="admin_privilege").play_rounds(2, order="ABC", answers=answers, **ONE)
    result.asks("admin_privilege", "B yes", "B yes").owns(B="admin_privilege")


def test_who_acts_first_anyway_is_not_asked():
    """R53: choices that cannot change anything are not asked."""
    scene(ROW, A="admin_privilege manual_sort").play(order="ABC", **ONE).asked()


def test_a_lone_robot_is_not_asked():
    """R53."""
    scene("A>  .", A="admin_privilege manual_sort").play(A=["power_up"]).asked()


def test_the_antenna_says_who_is_first_anyway():
    """R42, R53: measured when the register begins. In register two B has become the closest."""
    result = scene("""
        +    +    +    +    +    +
          Y>   .    A^   .    .
        +    +    +    +    +    +
          .    .    .    B<   .
        +    +    +    +    +    +
    """, B="admin_privilege").play(A=["power_up"] * 2, B=["move_3", "power_up"])  # fmt: skip
    result.asked("B admin_privilege no").at(B="0 1")
    assert result.turns == "AB" + "BA"


def test_the_first_is_asked_where_another_could_step_in_front_of_it():
    """R53: its privilege changes something as long as B has one that it has not used."""
    two = scene(ROW, A="admin_privilege", B="admin_privilege")
    result = two.play(order="ABC", answers=("B admin_privilege yes",), **ONE)
    result.asked("A admin_privilege no", "B admin_privilege yes")
    assert result.turns == "BAC"
    result = two.play(order="ABC", answers=("A admin_privilege yes", "B admin_privilege yes"), **ONE)
    assert result.turns == "ABC"


def test_the_first_is_not_asked_once_the_others_privilege_is_used_up():
    """R53: in register two nobody can step in front of A any more."""
    result = scene(ROW, A="admin_privilege", B="admin_privilege").play(
        order="ABC", answers=("B admin_privilege yes",), **TWO
    )
    result.asked("A admin_privilege no", "B admin_privilege yes")
    assert result.turns == "BAC" + "ABC"


def test_several_privileges_keep_their_order():
    """R52: among themselves in the measured order, before the rest."""
    answers = ("B admin_privilege yes", "C admin_privilege yes")
    result = scene(ROW, B="admin_privilege", C="admin_privilege").play(order="ABC", answers=answers, **ONE)
    result.asked(*answers)
    assert result.turns == "BCA"


def test_both_players_are_asked_before_the_order_changes():
    """R52: C is behind B in the measured order, so it is asked after B, whatever B has said."""
    answers = ("B admin_privilege no", "C admin_privilege yes")
    result = scene(ROW, B="admin_privilege", C="admin_privilege").play(order="ABC", answers=answers, **ONE)
    result.asked(*answers)
    assert result.turns == "CAB"


# -- Manual Sort


def test_manual_sort_puts_its_robot_first():
    """Card Index: give your robot priority for this register."""
    result = scene(ROW, C="manual_sort").play(order="ABC", answers=("C manual_sort yes",), **ONE)
    result.asked("C manual_sort yes")
    assert result.turns == "CAB"


def test_manual_sort_is_used_up():
    """p. 5: temporary upgrades may be used only once."""
    result = scene(ROW, C="manual_sort").play_rounds(order="ABC", answers=("C manual_sort yes",), **TWO)
    result.asked("C manual_sort yes").owns(C="")
    assert result.turns == "CAB" + "ABC"


def test_manual_sort_is_kept_until_it_is_used():
    """Card Index, Temporary Upgrades: keep it and use it at any time; asked at the start of each register."""
    result = scene(ROW, C="manual_sort").play_rounds(order="ABC", **TWO)
    result.asked(*["C manual_sort no"] * 5).owns(C="manual_sort")


def test_manual_sort_goes_before_admin_privilege():
    """Card Index, Manual Sort: this card overrides Admin Privilege."""
    answers = ("B admin_privilege yes", "C manual_sort yes")
    result = scene(ROW, B="admin_privilege", C="manual_sort").play(order="ABC", answers=answers, **ONE)
    result.asked(*answers)
    assert result.turns == "CBA"


def test_the_first_can_defend_its_place_against_manual_sort_with_manual_sort_only():
    """R52, R53: A is asked, since C could step in front; its privilege does not help against Manual Sort."""
    answers = ("A admin_privilege yes", "C manual_sort yes")
    result = scene(ROW, A="admin_privilege", C="manual_sort").play(order="ABC", answers=answers, **ONE)
    result.asked(*answers)
    assert result.turns == "CAB"
    answers = ("A manual_sort yes", "C manual_sort yes")
    result = scene(ROW, A="manual_sort", C="manual_sort").play(order="ABC", answers=answers, **ONE)
    result.asked(*answers)
    assert result.turns == "ACB"


def test_one_player_with_both_cards_is_asked_in_printed_order():
    """R53: at the start of the register, Admin Privilege first."""
    result = scene(ROW, C="admin_privilege manual_sort").play(order="ABC", answers=("C manual_sort yes",), **ONE)
    result.asked("C admin_privilege no", "C manual_sort yes")
    assert result.turns == "CAB"


# -- for everything in the register; rebooted robots


@pytest.mark.parametrize("card", ["admin_privilege", "manual_sort"])
def test_the_new_order_holds_for_everything_in_the_register(card):
    """R52: for everything in it, so for the hits too: one SPAM is left, and B takes its card first (R27, R32)."""
    result = scene("A>  B<", A={"discard": ["spam"] * 37}, B=card).play(order="AB", answers=(f"B {card} yes",))
    result.took(A={"trojan_horse": 1}, B=1)


def test_the_new_order_decides_who_pushes_whom():
    """R52: B goes first and takes the middle, from which A's move then pushes it."""
    scene("""
        .  A>  .   B<  .
    """, B="admin_privilege").play(order="AB", A="move_1", B="move_2", answers=("B admin_privilege yes",)).shows("""
        .  A>  B<  .   .
    """)  # fmt: skip


@pytest.mark.parametrize("card", ["admin_privilege", "manual_sort"])
def test_a_rebooted_robot_is_not_asked(card):
    """R48: until the round ends; here after register one."""
    result = scene(ROW, B=card).play(order="ABC", A=["power_up"] * 3, B=["move_1"])
    result.rebooted("B").asked(f"B {card} no", "B reboot_facing E")


@pytest.mark.parametrize("card", ["admin_privilege", "manual_sort"])
def test_the_card_of_a_rebooted_robot_is_no_threat(card):
    """R48, R53: in register two B can no longer step in front, so A is not asked."""
    result = scene(ROW, A="admin_privilege", B=card).play(order="ABC", A=["power_up"] * 2, B=["move_1"])
    result.rebooted("B").asks("admin_privilege", "A no", *["B no"] * (card == "admin_privilege"))


def test_a_privilege_bought_in_this_round_counts_at_once():
    """p. 5: the upgrade phase comes before register one."""
    result = scene(ROW).play_rounds(
        start="upgrade",
        shop=("admin_privilege", "brakes", "zoop"),
        order="ABC",
        answers=("B buy_upgrade admin_privilege", "B admin_privilege yes"),
        **ONE,
    )
    assert result.turns == "BAC"
