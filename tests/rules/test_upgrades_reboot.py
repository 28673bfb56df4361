"""Upgrades and reboots: Firewall, and a robot that rebooted has the use of none of its upgrades: R48."""

import pytest

from .scene import scene
from .upgrade_cards import OWNED

FALLS = """
    +    +    +    +
      .    .    A>
    +    +    +    +
      R>   .    .
    +    +    +    +
"""
# A falls off and comes to stand next to B, which it faces
BEFORE_B = """
    +    +    +    +
      .    .    A>
    +    +    +    +
      R>   B^   .
    +    +    +    +
"""
# B stands behind the token and faces away from it
BEHIND_THE_TOKEN = """
    +    +    +    +
      .    .    A>
    +    +    +    +
      .    B<   R^
    +    +    +    +
"""


# -- Firewall


@pytest.mark.parametrize("card", ["move_1", "worm"])
def test_firewall_saves_the_spam_of_a_reboot(card):
    """Card Index: take no SPAM damage cards when rebooting."""
    scene(FALLS, A="firewall").play(A=card).rebooted("A").at(A="0 1 E").took().asked("A reboot_facing E")


def test_firewall_saves_nothing_else():
    """R15: the program is cancelled, and its cards are discarded, the Worm among them."""
    result = scene(FALLS, A="firewall").play_rounds(A=["move_1", "power_up", "worm"])
    result.took().has("energy", A=5).pile("discard", A=["move_1", "power_up", "worm"]).owns(A="firewall")


def test_firewall_is_about_reboots_only():
    """Card Index: the SPAM of a shot and of a Trojan Horse is taken."""
    scene("A^  B<", A={"upgrades": ["firewall"], "draw": ["power_up"]}).play(A=["trojan_horse"]).took(A=1 + 2)


def test_firewall_is_its_owners_only():
    """Card Index: B, without one, takes two."""
    scene("""
        +    +    +
          A>   B>
        +    +    +
          .    R>
        +    +    +
    """, A="firewall").play(A="move_1").rebooted("B").took(B=2)  # fmt: skip


def test_at_the_second_reboot_of_a_round_the_firewall_is_down():
    """R48: permanent effects included. B backs into A and pushes it off the board once more; R15: two SPAM then."""
    program = {"A": ["move_1"], "B": [None, "back_up"]}
    scene(BEHIND_THE_TOKEN, A="firewall").play(**program).rebooted("A").at(A="2 1 N", B="2 0").took(A=2)
    scene(BEHIND_THE_TOKEN).play(**program).took(A=2 + 2)


def test_in_the_next_round_the_firewall_is_up_again():
    """R48: until the round ends. A falls in both rounds."""
    mat = {"upgrades": ["firewall"], "draw": ["move_1", *["turn_left", "turn_right"] * 3, "u_turn", "back_up"]}
    scene(".  R^  A>", A=mat).play_rounds(
        2, A=["move_1"], answers=("A program move_1 turn_left turn_right turn_left turn_right",)
    ).rebooted("A").took()


def test_with_a_firewall_no_kind_of_damage_is_chosen():
    """R27: no SPAM is due, so the empty pile is no matter."""
    scene(FALLS, A={"upgrades": ["firewall"], "discard": ["spam"] * 38}).play(A="move_1").asked("A reboot_facing E")


# -- R48


@pytest.mark.parametrize("upgrade", OWNED)
def test_a_robot_that_rebooted_uses_no_upgrade(upgrade):
    """R48: it is asked nothing for the rest of the round, does not shoot, and does nothing to B."""
    result = scene(BEFORE_B, A=upgrade).play(A=["move_1"], to=5).rebooted("A").at(A="0 1 E", B="1 1 N")
    at = result.decisions.index("A reboot_facing E")
    assert result.decisions[at + 1 :] == []
    result.has("taken", B={"spam": 0, "worm": 0, "virus": 0, "trojan_horse": 0})


def test_upgrades_outlast_a_reboot():
    """R48: the use of them is lost until the round ends, not the cards."""
    scene(FALLS, A="brakes hack rail_gun").play_rounds(A=["move_1"]).rebooted("A").owns(A="brakes hack rail_gun")


def test_in_the_next_round_they_are_of_use_again():
    """R48: until the round ends. Asked in the first round before the fall, and in the next programming phase."""
    result = scene(FALLS, A="recharge").play_rounds(
        2, A=["move_1"], answers=("A recharge no", "A recharge no", "A recharge yes")
    )
    result.asks("recharge", "A no", "A no", "A yes")


def test_a_robot_pushed_off_before_its_turn_uses_no_temporary():
    """R48: B has played before A."""
    result = scene("""
        +    +    +    +
          .    B>   A>
        +    +    +    +
          R>   .    .
        +    +    +    +
    """, A="boink recharge zoop").play(order="BA", A="power_up", B="move_1")  # fmt: skip
    result.asked("A reboot_facing E").has("energy", A=5)


def test_a_rebooted_robot_has_no_shield():
    """R48: in register two it cannot be raised; B shoots A in both registers."""
    result = scene("""
        +    +    +    +
          .    .    A>
        +    +    +    +
          R>   .    B<
        +    +    +    +
    """, A="deflector_shield").play(A=["move_1"], to=2)  # fmt: skip
    result.asked("A deflector_shield no", "A reboot_facing E").took(A=2 + 1 + 1)


def test_a_rebooted_robot_does_not_hover():
    """R48. B pushes A onto the pit, A falls at once, and comes onto the token where B stands by then."""
    scene("""
        +    +    +    +    +    +
          .    .    .    .    A>
        +    +    +    +    +    +
          B>   R^   O    .    .
        +    +    +    +    +    +
    """, A="hover_unit").play(A=["move_1"], B=[None, "move_3"]).at(A="1 1 N", B="3 0 E").took(A=2 + 1 + 2)  # fmt: skip
    # B's Move 3: onto the token; pushed to the north by A; two spaces on. B's laser hit A once, in register one.


def test_a_rebooted_robot_is_pushed_and_shot_with_upgrades():
    """R18: it can be shot and pushed. B's cards work on it."""
    result = scene("""
        +    +    +    +
          .    .    A>
        +    +    +    +
          B>   R>   .
        +    +    +    +
    """, B="ramming_gear virus_module trojan_needler").play(A=["move_1"], B=[None, "move_1"])  # fmt: skip
    result.at(A="2 1").took(A={"spam": 2, "trojan_horse": 1 + 1 + 1, "virus": 1})
    # two SPAM of the reboot; a Trojan Horse by the laser of each register and one by the push


def test_an_upgrade_can_be_taken_from_a_rebooted_robot():
    """R18, R52: it can be pushed, and Modular Chassis takes what it owns."""
    result = scene(
        """
        +    +    +    +
          .    .    A>
        +    +    +    +
          .    R>   B>
        +    +    +    +
    """,
        A="brakes",
        B="modular_chassis",
    ).play_rounds(A=["move_1"], B=["u_turn", "move_1"], answers=("B modular_chassis brakes",))
    result.asked("A brakes no", "A reboot_facing E", "B modular_chassis brakes").owns(A="modular_chassis", B="brakes")
