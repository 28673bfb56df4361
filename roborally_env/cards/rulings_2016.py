"""The texts about programming and damage cards: plain rules, and rulings where the rulebook is ambiguous.

R numbers are those of docs/rulings.md. The text of an upgrade is in its row (core/upgrades.py), rules for every upgrade
are in FOR_EVERY_UPGRADE.
"""

from typing import NamedTuple


class Words(NamedTuple):
    """The texts of one card."""

    title: str  # as printed
    rule: str
    rulings: tuple[str, ...] = ()


# fmt: off
# -- edition 2016: programming, special and damage cards by name, in the order of core/cards.py
CARDS_2016: dict[str, Words] = {
    "move_1": Words(
        "Move 1", "One space ahead.",
        ("R10: a step pushes every robot in line; if the last of them is stopped, nobody moves.",
         "R11: a pit or the board's edge is a fall.")),
    "move_2": Words(
        "Move 2", "Two spaces ahead.",
        ("R10: a step that is stopped loses the rest of the card.",
         "R11, R12: a pit catches in mid-move; a robot that fell is back on the board before the next step.")),
    "move_3": Words("Move 3", "Three spaces ahead.", ("R10, R11, R12: step by step, as Move 2.",)),
    "back_up": Words(
        "Back Up", "One space back, facing kept.", ("R10, R11: a step as any other; it is no Move 1 for Brakes.",)),
    "turn_left": Words("Turn Left", "A quarter turn to the left."),
    "turn_right": Words("Turn Right", "A quarter turn to the right."),
    "u_turn": Words("U-Turn", "A half turn."),
    "power_up": Words("Power Up", "One energy cube.", ("R36: the bank is unlimited.",)),
    "again": Words(
        "Again", "Repeats the register before; not in register one.",
        ("R23: if it gets into register one by accident, it is discarded and the top card of the deck is played.",
         "R24: it repeats the action that was carried out there, also that of an earlier Again; its choices are asked "
         "again.",
         "R25: after a register in which a damage card was programmed the top card is drawn and played (rule option "
         "`again_after_damage`).",
         "R25a: after a register in which nothing was carried out it does nothing.")),
    "spam": Words(
        "SPAM", "The top card of the deck is played in its place; it goes back to its pile.",
        ("R26: if the draw pile is empty the discards are shuffled; if there is no card at all the register does "
         "nothing.",
         "R27: if the pile in the box is empty, the player who should take a card chooses another kind "
         "(`damage_kind`).")),
    "worm": Words(
        "Worm", "The robot reboots from where it stands; the card goes back to its pile and is not replaced.",
        ("R20: the token is that of the board on which the robot stands; the robot takes two SPAM as for each reboot "
         "(R15).",)),
    "virus": Words(
        "Virus", "Every other robot within six spaces takes a Virus; the card goes back to its pile, and the top card "
                 "is played.",
        ("R28: the six spaces are counted along rows and columns and ignore walls; rebooted robots take one too, in "
         "turn order.",)),
    "trojan_horse": Words(
        "Trojan Horse", "The robot takes two SPAM; the card goes back to its pile, and the top card is played.",
        ("R27: if no SPAM is left, the player chooses other cards one by one.",)),
    "energy_routine": Words("Energy Routine", "One energy cube."),
    "weasel_routine": Words(
        "Weasel Routine", "A turn of choice: left, right or U-turn.",
        ("R49: an Again, Repeat Routine or Hack that repeats it asks again.",)),
    "spam_folder": Words(
        "SPAM Folder", "One SPAM of the player's discard pile goes back to the SPAM pile.",
        ("If there is no SPAM it does nothing.",)),
    "sandbox_routine": Words(
        "Sandbox Routine", "A move or turn of choice: Move 1, 2 or 3, Back Up, left, right or U-turn.",
        ("R49: Brakes and Crab Legs can act on its Move 1; an Again, Repeat Routine or Hack that repeats it asks "
         "again.",)),
    "speed_routine": Words("Speed Routine", "Three spaces ahead.", ("It acts like a Move 3 in every way (R10, R11, "
                                                                    "R12).",)),
    "repeat_routine": Words(
        "Repeat Routine", "Repeats the register before; not in register one.",
        ("R51: it acts like an Again in every way (R23 to R25a).",)),
}

FOR_EVERY_UPGRADE = (
    "R44: each player may buy one card a round, in priority order; at three of a type the purchase names the owned "
    "card that it replaces.",
    "R48: from its reboot to the end of the round a robot can use none of its upgrades.",
    "R53: a choice that can change nothing is not asked; a temporary card leaves the game when it is used.",
)

# differences in 2023
FOR_EVERY_UPGRADE_2023 = (
    "R80 to R83: in priority order each player may draw a card for one energy, install one from the collection at its "
    "cost and uninstall any, in any order.",
    FOR_EVERY_UPGRADE[1],
    "R84: a temporary card goes to the upgrade discard pile when it is used; R53: a choice that can change nothing is "
    "not asked.",
)
# fmt: on
