"""The words about programming and damage cards: plain rules, and what is settled where the rulebook can be read twice.

R numbers are those of docs/rulings.md. What is said of an upgrade stands in its row (core/upgrades.py), what holds for
every upgrade in FOR_EVERY_UPGRADE.
"""

from typing import NamedTuple


class Words(NamedTuple):
    """What is said of one card."""

    title: str  # as printed
    rule: str
    rulings: tuple[str, ...] = ()


# fmt: off
# -- edition 2016: programming, special and damage cards by name, in the order of core/cards.py
CARDS_2016: dict[str, Words] = {
    "move_1": Words(
        "Move 1", "One space ahead.",
        ("R10: a step pushes every robot in line; where the last of them is stopped, nobody moves.",
         "R11: a pit or the board's edge is a fall.")),
    "move_2": Words(
        "Move 2", "Two spaces ahead.",
        ("R10: a step that is stopped loses the rest of the card.",
         "R11, R12: a pit catches in mid-move; who fell is back on the board before the next step.")),
    "move_3": Words("Move 3", "Three spaces ahead.", ("R10, R11, R12: step by step, as Move 2.",)),
    "back_up": Words(
        "Back Up", "One space back, facing kept.", ("R10, R11: a step as any other; it is no Move 1 for Brakes.",)),
    "turn_left": Words("Turn Left", "A quarter turn to the left."),
    "turn_right": Words("Turn Right", "A quarter turn to the right."),
    "u_turn": Words("U-Turn", "A half turn."),
    "power_up": Words("Power Up", "One energy cube.", ("R36: the bank is unlimited.",)),
    "again": Words(
        "Again", "Repeats the register before; not in register one.",
        ("R23: dealt to register one by accident it is discarded, and the top card is played.",
         "R24: it repeats the action that was carried out there, also that of an earlier Again; its choices are asked "
         "anew.",
         "R25: after a register in which a damage card was programmed the top card is drawn and played (rule option "
         "`again_after_damage`).",
         "R25a: after a register in which nothing was carried out it does nothing.")),
    "spam": Words(
        "SPAM", "Nothing but the top card of the deck in its place; back to its pile.",
        ("R26: with an empty draw pile the discards are shuffled; no card at all: the register does nothing.",
         "R27: where the pile in the box is empty, who should take a card chooses another kind (`damage_kind`).")),
    "worm": Words(
        "Worm", "The robot reboots where it stands; the card goes back to its pile and is not replaced.",
        ("R20: the token is that of the board on which the robot stands; two SPAM as for each reboot (R15).",)),
    "virus": Words(
        "Virus", "Every other robot within six spaces takes a Virus; back to its pile, the top card is played.",
        ("R28: six spaces along rows and columns, walls or not; rebooted robots too, in turn order.",)),
    "trojan_horse": Words(
        "Trojan Horse", "The robot takes two SPAM; back to its pile, the top card is played.",
        ("R27: card by card, where there is no SPAM left.",)),
    "energy_routine": Words("Energy Routine", "One energy cube."),
    "weasel_routine": Words(
        "Weasel Routine", "A turn of choice: left, right or U-turn.",
        ("R49: an Again, Repeat Routine or Hack of it asks anew.",)),
    "spam_folder": Words(
        "SPAM Folder", "One SPAM of the own discard pile goes back to the SPAM pile.",
        ("Without a SPAM there it does nothing.",)),
    "sandbox_routine": Words(
        "Sandbox Routine", "A move or turn of choice: Move 1, 2 or 3, Back Up, left, right or U-turn.",
        ("R49: its Move 1 is one for Brakes and Crab Legs; an Again, Repeat Routine or Hack of it asks anew.",)),
    "speed_routine": Words("Speed Routine", "Three spaces ahead.", ("A Move 3 in everything (R10, R11, R12).",)),
    "repeat_routine": Words(
        "Repeat Routine", "Repeats the register before; not in register one.",
        ("R51: an Again in everything (R23 to R25a).",)),
}

FOR_EVERY_UPGRADE = (
    "R44: one purchase a player and round, in priority order; at three of a type it names the owned card that goes.",
    "R48: from its reboot to the end of the round a robot has the use of none of its upgrades.",
    "R53: what cannot change anything is not asked; a temporary card leaves the game when it is used.",
)

# what is otherwise in 2023
FOR_EVERY_UPGRADE_2023 = (
    "R80 to R83: drawn for one energy, installed from the collection at its cost, uninstalled at will: each player in "
    "priority order, in any order of these.",
    FOR_EVERY_UPGRADE[1],
    "R84: a temporary card goes to the upgrade discard pile when it is used; R53: what cannot change anything is not "
    "asked.",
)
# fmt: on
