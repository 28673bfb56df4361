"""The texts about cards of the community edition that differ from those of 2016 (`rulings_2016`).

The cards are those of 2016; a SPAM card on them means one damage here.
"""

from roborally_env.cards.rulings_2016 import Words

# fmt: off
# programming and special cards by name; other cards have the texts of 2016
CARDS: dict[str, Words] = {
    "move_1": Words(
        "Move 1", "One space ahead.",
        ("R10: a step pushes every robot in line on its level; if the last of them is stopped, nobody moves.",
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
        ("R23: it may be laid in register one only if the hand has no other card; then the top card is played in its "
         "place.",
         "R24: it repeats the action that was carried out there, also that of an earlier Again; its choices are asked "
         "again. A locked register before it counts as any other.",
         "R25a: after a register in which nothing was carried out it does nothing.")),
    "speed_routine": Words("Speed Routine", "Three spaces ahead.", ("R10: it acts like a Move 3 in every way.",)),
    "repeat_routine": Words("Repeat Routine", "Repeats the register before; not in register one.",
                            ("R51: it acts like an Again in every way.",)),
    "heal_routine": Words("Heal Routine", "One damage is removed.", ("If there is no damage it does nothing.",)),
}

FOR_EVERY_UPGRADE = (
    "R44: each player may buy one card a round, in priority order; at three of a type the purchase names the owned "
    "card that it replaces.",
    "R53: a choice that can change nothing is not asked; a temporary card leaves the game when it is used.",
    "Upgrades stay when their robot is destroyed. Until it is back, and in virtual mode, those that act on shots and "
    "pushes do nothing. A robot that is powered down uses only those that act by themselves.",
)

# upgrades by name -> the rule, and the rulings; "" and () stand for the texts of 2016
UPGRADES: dict[str, tuple[str, tuple[str, ...]]] = {
    "cache_memory": ("", (
        "Before programming as many cards must stay in the hand as registers are open. After it all cards that are "
        "left may go on top.",)),
    "deflector_shield": ("", (
        "R47: it stops shots of robots with all their effects, but not board lasers and pushes; the shielded robot "
        "still stops the beam.",
        "The shield belongs to the robot for that register, whoever has the card by then.",
        "R53: it is asked if the player has an energy cube and another robot is on the board.")),
    "double_barrel_laser": ("One more damage a hit.", ("It acts at each hit of a shot.",)),
    "firewall": ("No damage for coming back.", (
        "A destroyed robot re-enters without the two damage; registers and hand are lost as always.",)),
    "hover_unit": ("", (
        "R49: a fall into a pit is decided at the end of the card (or Boink) that moves the robot, its own or a "
        "pusher's. Belts, pushers and weapons drop it at once; the board's edge always does. Ledges deal their damage "
        "as always.",)),
    "memory_stick": ("One more card each round.", (
        "R30: the card is drawn like the others, so a robot without damage has ten cards, and one with nine damage "
        "has one.",)),
    "mini_howitzer": ("For one energy: two more damage, and the target is pushed one space along the shot.", (
        "R50: it acts on one hit a register. Its push is the shift of that hit, so Pressor and Tractor Beam do not "
        "act on it. It is paid for even if the push is stopped.",)),
    "pressor_beam": ("", (
        "R50: of Mini Howitzer, Pressor and Tractor Beam only one may shift the target of a hit, after all damage, "
        "shooters in turn order. It pushes the whole line as a card's step does, also down ledges.",
        "R53: it is not asked if the push is stopped.")),
    "rail_gun": ("The shot may go through walls and robots; each robot of its level in line takes one damage.", (
        "R50: the antenna and the end of the course stop it. Hits ahead come before hits behind, the nearest first, "
        "and every weapon acts on each.",
        "R53: it is asked if it changes who is hit; one answer holds for both directions of a Rear Laser.")),
    "ramming_gear": ("One damage to the pushed robot.", (
        "R45: it acts once for each card (or Boink) and robot, at the first touch that moves the robot. It does not "
        "act on the robots behind it in a row, or when weapons, pushers or belts push.",)),
    "scrambler": ("", (
        "R47: only shots count. A hit in register four can replace the card of register five; in register five "
        "nothing happens, and an empty or locked register stays as it is.",)),
    "modular_chassis": ("", (
        "R52: it is optional. It offers cards that the pusher does not own and that leave both players with at most "
        "three of a type, also temporary cards.",
        "R45: which cards act on the push is decided at the touch, before the exchange.")),
    "reboot": ("The robot is destroyed, and comes back without damage.", (
        "The robot comes back at the end of the round, as every robot that was destroyed. Before the card this costs "
        "the register's card too.",
        "R53: it is asked before the register's card and after it.")),
    "recompile": ("", (
        "R26: if the deck runs out, the discards are shuffled, also those of this hand. The new hand has as many "
        "cards as the damage allows.",)),
    "hack": ("", (
        "R51: it repeats the action that was carried out in the register, after an Again the action that this "
        "repeated. Choices are asked and energy is paid again.",
        "R53: it is asked if an action was carried out. A later Again repeats the card, not the Hack.")),
    "refresh": ("The register's card counts as a card of choice.", (
        "The card stays in its register.",
        "R51, R53: it is asked if a card lies in the register; Again is not offered in register one.")),
    "boink": ("", (
        "R49: it is an ordinary step that pushes, with all cards that act on pushes. Blocked directions are not "
        "offered, but pits, edges and ledges down are. A puddle costs it nothing.",
        "R53: it is asked before the register's card and after it.")),
    "crab_legs": ("", (
        "R49: it is for every Move 1, also that of Sandbox Routine. It makes three ordinary steps, which push and may "
        "fall. A step that is stopped ends the move, and so does the mover's destruction.",
        "R53: it is not asked if the first step is stopped, unless Side Arms could clear the way, and never in a "
        "puddle.")),
}
# fmt: on
