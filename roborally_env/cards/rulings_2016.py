"""The words about cards that the core's tables leave out: plain rules of the programming and damage cards, and what is
settled about each card where the rulebook can be read twice.

R numbers are those of docs/rulings.md. What holds for every upgrade stands once, in FOR_EVERY_UPGRADE.
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

_ROUTINE = (
    "R53, R44: no question but which temporary card goes where there are three; its card goes to the discard pile, and "
    "the routine leaves the game.",
)

# -- edition 2016: upgrades by name, in the order of core/upgrades.py
UPGRADES_2016: dict[str, tuple[str, ...]] = {
    "admin_privilege": (
        "R52: the turn order changes for all of that register but falls from belts: first Manual Sort, then Admin "
        "Privilege, then the rest, each group as measured.",
        "R53: asked with the register's cards revealed, in measured order; the robot that is first anyway is asked "
        "only where another could still get ahead of it."),
    "blue_screen_of_death": (
        "R46: at the next space the Worm stands for the first SPAM of a hit; on a push it comes by itself. With "
        "Trojan Needler there is no Trojan Horse then, so Ramming Gear deals its SPAM.",
        "R45: one push a card and robot, if the robot touched has moved."),
    "brakes": (
        "R49: every Move 1, Sandbox Routine's too, and anew at each repeat; no Back Up. Where it is used, Crab Legs "
        "and Teleporter are not asked.",
        "R53: not asked where the step is stopped, unless Side Arms could clear the way."),
    "cache_memory": (
        "Before programming five cards must stay in the hand; after it all that are left may go on top, unless the "
        "timer caught the player.",
        "Named card by card until `done`; in a scenario as one list."),
    "corruption_wave": (
        "R46: one question for all SPAM of a hit. A Worm, a Trojan Horse and a card taken in place of SPAM go to the "
        "discard pile.",
        "R53: not asked with no SPAM left in the box."),
    "crab_legs": (
        "R49: three ordinary steps, which push and may fall; one that is stopped ends the move, and so does a reboot "
        "of the mover. Every Move 1, Sandbox Routine's too.",
        "R53: not asked where the first step is stopped, unless Side Arms could clear the way."),
    "deflector_shield": (
        "R47: it stops shots with all that comes with them, not board lasers and pushes; the shielded robot still "
        "stops the beam.",
        "R48: the shield belongs to the robot for that register, whoever has the card by then, and goes down when it "
        "reboots.",
        "R53: asked with an energy cube and another robot that has not rebooted."),
    "defrag_gizmo": (
        "R53: asked with a damage card in the hand; the card drawn may be one again.",
        "Used in a round, it stays so for a player who takes it by Modular Chassis."),
    "double_barrel_laser": ("R46: one SPAM beside whatever stands for the first, at each hit of a shot.",),
    "firewall": ("R48: only the first reboot of a round is free. Registers and hand are lost as always (R15).",),
    "hover_unit": (
        "R49: a fall is decided at the end of the card (or Boink) that moves the robot, its own or a pusher's; "
        "several fall in turn order. Belts, panels, weapons and arrivals on a token drop it at once; the board's "
        "edge always does.",
        "R10: robots that enter the cell push it."),
    "memory_stick": ("R30: the tenth card is drawn as the others; a program then has ten hand slots to choose from.",),
    "mini_howitzer": (
        "R50: one hit a register; its push is the shift of that hit, so no Pressor or Tractor Beam, and it is paid "
        "for where the push is stopped.",
        "R46: Corruption Wave may put its SPAM on top with the others of the hit."),
    "modular_chassis": (
        "R52: a may. Offered is what the pusher does not own and what leaves both with three of a type at most; "
        "temporary cards too, and those of a rebooted robot.",
        "R45: which cards act on the push is settled at the touch, before the exchange."),
    "pressor_beam": (
        "R50: of Mini Howitzer, Pressor and Tractor Beam one shift a hit, after all damage, shooters in turn order; "
        "not for a shooter or at a target that has rebooted since. A push as a card's step, of the whole line, falls "
        "too.",
        "R53: not asked where the push is stopped."),
    "rail_gun": (
        "R50: the antenna and the end of the course stop it; hits count ahead before behind, nearest first, each "
        "with all weapons.",
        "R53: asked where it changes who is hit; one answer for both ways of a Rear Laser."),
    "ramming_gear": (
        "R45: once a card (or Boink) and robot, at the first touch that moves it: not the others of a row, not by "
        "weapons, panels, belts or arrivals.",
        "R46: Trojan Needler's Trojan Horse stands for this SPAM; Corruption Wave may put it on top."),
    "rear_laser": (
        "R50: a hit of its own with all weapons, after those ahead; the shot runs against the facing.",
        "R53: asked where it would hit somebody."),
    "scrambler": (
        "R47: shots only. Register five can be replaced by a hit in register four; in five nothing happens, and an "
        "empty register stays empty.",
        "R25a: what lies in a register when it begins is what counts, a damage card from the deck too. The old card "
        "is discarded before the new one is drawn."),
    "side_arms": (
        "R45: asked at the first contact of a card with each robot, on steps ahead or back, for the sides of the own "
        "facing to which it can be pushed, falls too, also where ahead is stopped.",
        "R17a: the push aside and the mover's step into the space are one act."),
    "teleporter": (
        "R49: Move 1 to 3, Back Up, Speed and Sandbox Routine, spaces in a straight line; not offered where the last "
        "is a pit, the antenna or off the boards. A swap is no push; a repeat asks anew and costs a cube again.",
        "R53: asked with an energy cube."),
    "tractor_beam": (
        "R50: an ordinary step that pushes nobody, into pits and off the edge too; distance and direction are those "
        "of the shot.",
        "R53: not asked where a wall or a robot is in the way, or where the hit was shifted already."),
    "trojan_needler": (
        "R46: the first SPAM of a hit is a Trojan Horse; on a push it deals one, which stands for Ramming Gear's "
        "SPAM too. Where Blue Screen of Death gives its Worm there is none.",),
    "virus_module": ("R45: once a card (or Boink) and robot, after the push's other cards.",),
    "boink": (
        "R49: an ordinary step that pushes, with all cards that act on pushes; blocked directions are not offered, "
        "pits and edges are.",
        "R53: before the register's card or after it. Who falls by it before the card loses that card."),
    "energy_routine": _ROUTINE,
    "hack": (
        "R51: it repeats the action done in the register, of an Again what that repeated, of a damage card the "
        "replacement's; choices and energy are asked anew.",
        "R53: asked where an action was carried out. A later Again repeats the card, not the hack."),
    "manual_sort": (
        "R52: the turn order changes for all of that register but falls from belts; several users keep their "
        "measured order, ahead of Admin Privilege.",
        "R53: asked as Admin Privilege is, after it."),
    "memory_swap": (
        "The three cards are drawn first, then three of the whole hand are named, the first ends up on top; fewer "
        "where there are fewer.",),
    "reboot": (
        "R15: a reboot from where it stands but for the SPAM; before the card it costs this register's card too. A "
        "robot pushed off the token into a fall pays as always.",
        "R53: before the register's card or after it."),
    "recharge": ("R53: asked while programming, and on the own turn before the card and after it.",),
    "recompile": ("R26: the discards are shuffled where the deck runs out, those of this hand too.",),
    "refresh": (
        "R51: the card stays in its register and goes to the discard pile at the round's end, a damage card to its "
        "pile at once; that makes no damage register any more (R25).",
        "R51, R53: Again is not offered in register one; asked where a card lies in the register."),
    "repeat_routine": (*_ROUTINE, "R51: the card is an Again in everything."),
    "sandbox_routine": _ROUTINE,
    "spam_blocker": ("All SPAM go back first, then as many cards are drawn; R53: asked with a SPAM in the hand.",),
    "spam_folder_routine": _ROUTINE,
    "speed_routine": _ROUTINE,
    "weasel_routine": _ROUTINE,
    "zoop": ("R53: before the register's card or after it; no Again or Hack repeats it.",),
}
# fmt: on
