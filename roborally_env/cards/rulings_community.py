"""The words about cards of the community edition where they are others than those of 2016 (`rulings_2016`).

The cards are those of 2016; where one of them says SPAM, it is one damage here.
"""

from roborally_env.cards.rulings_2016 import Words

# fmt: off
# programming and special cards by name; those that are not named here have the words of 2016
CARDS: dict[str, Words] = {
    "move_1": Words(
        "Move 1", "One space ahead.",
        ("R10: a step pushes every robot in line on its level; where the last of them is stopped, nobody moves.",
         "A ledge stops from below and costs two damage a level from above; leaving a puddle costs one step.")),
    "move_2": Words(
        "Move 2", "Two spaces ahead.",
        ("R10: a step that is stopped loses the rest of the card.",
         "Pits, the edge and buttons act in mid-move; from a puddle it is one space.")),
    "move_3": Words("Move 3", "Three spaces ahead.", ("R10: step by step, as Move 2.",)),
    "back_up": Words(
        "Back Up", "One space back, facing kept.",
        ("R10: a step as any other; it is no Move 1 for Brakes, and does nothing in a puddle.",)),
    "again": Words(
        "Again", "Repeats the register before; not in register one.",
        ("R23: in register one only where the hand has no other card; then the top card is played in its place.",
         "R24: it repeats the action that was carried out there, also that of an earlier Again; its choices are asked "
         "anew. A locked register before it is one as any other.",
         "R25a: after a register in which nothing was carried out it does nothing.")),
    "speed_routine": Words("Speed Routine", "Three spaces ahead.", ("R10: a Move 3 in everything.",)),
    "repeat_routine": Words("Repeat Routine", "Repeats the register before; not in register one.",
                            ("R51: an Again in everything.",)),
    "heal_routine": Words("Heal Routine", "One damage is removed.", ("Without damage it does nothing.",)),
}

FOR_EVERY_UPGRADE = (
    "R44: one purchase a player and round, in priority order; at three of a type it names the owned card that goes.",
    "R53: what cannot change anything is not asked; a temporary card leaves the game when it is used.",
    "Upgrades stay when their robot is destroyed; until it is back, and in virtual mode, its weapons and pushes do "
    "nothing. A robot that is powered down uses none but those that act by themselves.",
)

# upgrades by name -> the rule, and what is settled; "" and () stand for the words of 2016
UPGRADES: dict[str, tuple[str, tuple[str, ...]]] = {
    "cache_memory": ("", (
        "Before programming as many cards must stay in the hand as registers are open; after it all that are left may "
        "go on top.",)),
    "deflector_shield": ("", (
        "R47: it stops shots with all that comes with them, not board lasers and pushes; the shielded robot still "
        "stops the beam.",
        "The shield belongs to the robot for that register, whoever has the card by then.",
        "R53: asked with an energy cube and another robot on the board.")),
    "double_barrel_laser": ("One more damage a hit.", ("At each hit of a shot.",)),
    "firewall": ("No damage for coming back.", (
        "A destroyed robot re-enters without the two damage; registers and hand are lost as always.",)),
    "hover_unit": ("", (
        "R49: a fall into a pit is decided at the end of the card (or Boink) that moves the robot, its own or a "
        "pusher's. Belts, pushers and weapons drop it at once; the board's edge always does. Ledges cost what they "
        "cost.",)),
    "memory_stick": ("One more card each round.", (
        "R30: the card is drawn as the others: ten without damage, one with nine.",)),
    "mini_howitzer": ("For one energy: two more damage, and the target is pushed one space along the shot.", (
        "R50: one hit a register; its push is the shift of that hit, so no Pressor or Tractor Beam, and it is paid for "
        "where the push is stopped.",)),
    "pressor_beam": ("", (
        "R50: of Mini Howitzer, Pressor and Tractor Beam one shift a hit, after all damage, shooters in turn order. A "
        "push as a card's step, of the whole line, down ledges too.",
        "R53: not asked where the push is stopped.")),
    "rail_gun": ("The shot may go through walls and robots; each robot of its level in line takes one damage.", (
        "R50: the antenna and the end of the course stop it; hits count ahead before behind, nearest first, each with "
        "all weapons.",
        "R53: asked where it changes who is hit; one answer for both ways of a Rear Laser.")),
    "ramming_gear": ("One damage to the pushed robot.", (
        "R45: once a card (or Boink) and robot, at the first touch that moves it: not the others of a row, not by "
        "weapons, pushers or belts.",)),
    "scrambler": ("", (
        "R47: shots only. Register five can be replaced by a hit in register four; in five nothing happens, and an "
        "empty or locked register stays as it is.",)),
    "modular_chassis": ("", (
        "R52: a may. Offered is what the pusher does not own and what leaves both with three of a type at most; "
        "temporary cards too.",
        "R45: which cards act on the push is settled at the touch, before the exchange.")),
    "reboot": ("The robot is destroyed, and comes back without damage.", (
        "At the end of the round, as every robot that was destroyed; before the card it costs this register's card "
        "too.",
        "R53: before the register's card or after it.")),
    "recompile": ("", (
        "R26: the discards are shuffled where the deck runs out, those of this hand too. As many cards as the damage "
        "leaves.",)),
    "hack": ("", (
        "R51: it repeats the action done in the register, of an Again what that repeated; choices and energy are asked "
        "anew.",
        "R53: asked where an action was carried out. A later Again repeats the card, not the hack.")),
    "refresh": ("The register's card counts as a card of choice.", (
        "The card stays in its register.",
        "R51, R53: Again is not offered in register one; asked where a card lies in the register.")),
    "boink": ("", (
        "R49: an ordinary step that pushes, with all cards that act on pushes; blocked directions are not offered, "
        "pits, edges and ledges down are. A puddle costs it nothing.",
        "R53: before the register's card or after it.")),
    "crab_legs": ("", (
        "R49: three ordinary steps, which push and may fall; one that is stopped ends the move, and so does the "
        "mover's destruction. Every Move 1, Sandbox Routine's too.",
        "R53: not asked where the first step is stopped, unless Side Arms could clear the way, or in a puddle.")),
}
# fmt: on
