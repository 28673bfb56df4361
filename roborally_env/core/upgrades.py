"""The forty upgrade cards by number: type, cost, what they do, and what the default policy does with them.

2016 rulebook, card index, and rulings R44 to R53. Numbers run in printed order: permanent cards 1..24, temporary
ones 25..40. 0 is none, and "no" where a player is asked for an upgrade.
"""

from typing import NamedTuple

import numpy as np

from roborally_env.core import cards

NONE = 0
(
    ADMIN_PRIVILEGE, BLUE_SCREEN_OF_DEATH, BRAKES, CACHE_MEMORY, CORRUPTION_WAVE, CRAB_LEGS, DEFLECTOR_SHIELD,
    DEFRAG_GIZMO, DOUBLE_BARREL_LASER, FIREWALL, HOVER_UNIT, MEMORY_STICK, MINI_HOWITZER, MODULAR_CHASSIS,
    PRESSOR_BEAM, RAIL_GUN, RAMMING_GEAR, REAR_LASER, SCRAMBLER, SIDE_ARMS, TELEPORTER, TRACTOR_BEAM, TROJAN_NEEDLER,
    VIRUS_MODULE, BOINK, ENERGY_ROUTINE, HACK, MANUAL_SORT, MEMORY_SWAP, REBOOT, RECHARGE, RECOMPILE, REFRESH,
    REPEAT_ROUTINE, SANDBOX_ROUTINE, SPAM_BLOCKER, SPAM_FOLDER_ROUTINE, SPEED_ROUTINE, WEASEL_ROUTINE, ZOOP,
) = range(1, 41)  # fmt: skip
COUNT = 40
DECK = tuple(range(1, 1 + COUNT))  # the numbers of those of 2016
HEAL_ROUTINE = 41  # of the community edition alone
PERMANENT = 24  # the last permanent card


class Upgrade(NamedTuple):
    """The facts of one upgrade card."""

    name: str  # as in scenarios, answers and `info`
    title: str  # as printed
    cost: int  # energy cubes
    when: str
    rule: str
    asked: str  # the choices of its decision; "" where it is never asked
    default: str  # what decisions="program" does with it
    value: int  # what `greedy` and `planner` go by: 0 not bought .. 8, from how often owners won (docs/upgrades.md)


# fmt: off
TABLE: tuple[Upgrade, ...] = (
    Upgrade("admin_privilege", "Admin Privilege", 3, "start of a register",
            "Once a round: the robot acts first in one register.", "no, yes",
            "used in the first register in which it is not first anyway and a move card lies ready", 2),
    Upgrade("blue_screen_of_death", "Blue Screen of Death", 4, "laser hit or push, adjacent robot",
            "A Worm in place of the first SPAM of a hit; on a push one Worm.", "no, yes", "always", 0),
    Upgrade("brakes", "Brakes", 3, "a Move 1 begins",
            "The Move 1 may be a Move 0.", "no, yes", "used where the step would end in a pit or off the board", 0),
    Upgrade("cache_memory", "Cache Memory", 4, "programming phase",
            "Any cards of the hand go on top of the deck; no redraw.", "no, or cards, the first ends up on top",
            "left-over Move 3 and Move 2 cards go on top after programming", 0),
    Upgrade("corruption_wave", "Corruption Wave", 4, "dealing SPAM",
            "SPAM dealt by a hit or by Ramming Gear may go on top of the victim's deck.", "no, yes", "always", 4),
    Upgrade("crab_legs", "Crab Legs", 5, "a Move 1 begins",
            "One step ahead, one to the left or right without turning, one ahead.", "no, left, right",
            "used where all three steps are free and end on the next checkpoint", 0),
    Upgrade("deflector_shield", "Deflector Shield", 2, "start of a register",
            "For one energy: no shot of a robot hits in this register.", "no, yes",
            "used when another robot's shot would hit as robots stand", 2),
    Upgrade("defrag_gizmo", "Defrag Gizmo", 5, "programming phase, once a round",
            "One damage card of the hand goes back to its pile; one card is drawn.", "no, or the damage card",
            "always: Worm, Trojan Horse, Virus, then SPAM", 8),
    Upgrade("double_barrel_laser", "Double Barrel Laser", 2, "laser hit", "One more SPAM a hit.", "", "always acts", 2),
    Upgrade("firewall", "Firewall", 3, "reboot", "No SPAM for rebooting.", "", "always acts", 2),
    Upgrade("hover_unit", "Hover Unit", 1, "always",
            "Pits do not catch the robot in passing; it falls if a card's move ends on one.", "", "always acts", 1),
    Upgrade("memory_stick", "Memory Stick", 3, "drawing a hand",
            "One more card each round: ten.", "", "always acts", 4),
    Upgrade("mini_howitzer", "Mini Howitzer", 2, "laser hit, once a register",
            "For one energy: two more SPAM, and the target is pushed one space along the shot.", "no, yes",
            "always, as long as there is energy", 5),
    Upgrade("modular_chassis", "Modular Chassis", 1, "push",
            "The pushed player gets this card and gives one of its installed upgrades.", "no, or the upgrade taken",
            "the dearest card that costs more than one", 1),
    Upgrade("pressor_beam", "Pressor Beam", 3, "laser hit",
            "The target may be pushed one space along the shot.", "no, yes",
            "used where the target falls or ends farther from its next checkpoint", 8),
    Upgrade("rail_gun", "Rail Gun", 2, "shot",
            "The shot may go through walls and robots; each robot in line takes one SPAM.", "no, yes", "always", 0),
    Upgrade("ramming_gear", "Ramming Gear", 2, "push", "One SPAM to the pushed robot.", "", "always acts", 1),
    Upgrade("rear_laser", "Rear Laser", 2, "shot", "The robot may shoot backward as well.", "no, yes", "always", 1),
    Upgrade("scrambler", "Scrambler", 3, "laser hit, not in register five",
            "The card in the target's next register is replaced by the top card of its deck.", "", "always acts", 4),
    Upgrade("side_arms", "Side Arms", 3, "push",
            "The robot ahead may be pushed to the left or right in place of ahead.", "no, left, right",
            "used where the robot falls to that side, or where ahead is blocked", 1),
    Upgrade("teleporter", "Teleporter", 3, "a move card begins",
            "For one energy: the move ignores what is in its way; a robot where it ends changes places.", "no, yes",
            "used where the move would be stopped or fall and the space is nearer to the next checkpoint", 0),
    Upgrade("tractor_beam", "Tractor Beam", 3, "laser hit, not adjacent",
            "The target may be pulled one space towards the shooter.", "no, yes",
            "used where the target falls or ends farther from its next checkpoint", 4),
    Upgrade("trojan_needler", "Trojan Needler", 3, "laser hit or push",
            "A Trojan Horse in place of the first SPAM of a hit; on a push one Trojan Horse.", "", "always acts", 4),
    Upgrade("virus_module", "Virus Module", 2, "push", "One Virus to the pushed robot.", "", "always acts", 2),
    Upgrade("boink", "Boink", 1, "own turn",
            "One step to an adjacent space, facing kept.", "no, N, E, S, W",
            "used after the card where it reaches the next checkpoint", 4),
    Upgrade("energy_routine", "Energy Routine", 3, "when bought",
            "The special card Energy Routine goes to the own discard pile.", "", "goes to the discard pile", 0),
    Upgrade("hack", "Hack", 1, "own turn, after the card",
            "The register's action is carried out again.", "no, yes",
            "used in register five for a move that ends nearer to the next checkpoint", 1),
    Upgrade("manual_sort", "Manual Sort", 1, "start of a register",
            "The robot acts first in this register, ahead of Admin Privilege.", "no, yes",
            "used in the first register in which it is not first anyway and a move card lies ready", 2),
    Upgrade("memory_swap", "Memory Swap", 1, "programming phase",
            "Three cards are drawn, then three of the hand go on top of the deck.",
            "no, or three cards, the first ends up on top",
            "used at once; damage cards go back first, then Power Up, U-Turn, Back Up, turns, short moves", 1),
    Upgrade("reboot", "Reboot", 1, "own turn", "The robot reboots and takes no damage.", "no, yes",
            "used after register five where the token is at least four spaces nearer to the next checkpoint", 3),
    Upgrade("recharge", "Recharge", 0, "programming phase, own turn", "Three energy cubes.", "no, yes", "at once", 3),
    Upgrade("recompile", "Recompile", 1, "programming phase",
            "The hand is discarded and as many cards are drawn.", "no, yes",
            "used with no Move 2, Move 3 or Speed Routine in hand, or with four damage cards", 4),
    Upgrade("refresh", "Refresh", 2, "own turn, before the card",
            "The register's card counts as a card of choice; a damage card goes back to its pile.",
            "no, or the new card",
            "used on a damage card, for what the Sandbox Routine would do", 3),
    Upgrade("repeat_routine", "Repeat Routine", 3, "when bought",
            "The special card Repeat Routine goes to the own discard pile.", "", "goes to the discard pile", 0),
    Upgrade("sandbox_routine", "Sandbox Routine", 5, "when bought; when its card is played",
            "The special card Sandbox Routine goes to the own discard pile: any move or turn.",
            "a move or turn",
            "the move that ends nearest to the next checkpoint, else the turn towards it", 4),
    Upgrade("spam_blocker", "Spam Blocker", 3, "programming phase",
            "Each SPAM in hand goes back to its pile and is replaced from the deck.", "no, yes",
            "used with two SPAM in hand or more", 3),
    Upgrade("spam_folder_routine", "SPAM Folder Routine", 2, "when bought",
            "The special card SPAM Folder goes to the own discard pile.", "", "goes to the discard pile", 0),
    Upgrade("speed_routine", "Speed Routine", 3, "when bought",
            "The special card Speed Routine goes to the own discard pile.", "", "goes to the discard pile", 3),
    Upgrade("weasel_routine", "Weasel Routine", 3, "when bought; when its card is played",
            "The special card Weasel Routine goes to the own discard pile: any turn.",
            "a turn", "the turn after which the next checkpoint lies farthest ahead", 0),
    Upgrade("zoop", "Zoop", 1, "own turn", "The robot turns to any direction.", "no, N, E, S, W",
            "used after register five to face the next checkpoint", 1),
)
# fmt: on
COMMUNITY_TABLE: tuple[Upgrade, ...] = (
    Upgrade(
        "heal_routine",
        "Heal Routine",
        3,
        "when bought",
        "The special card Heal Routine goes to the own discard pile: it removes one damage.",
        "",
        "goes to the discard pile",
        2,
    ),
)
NAMES: tuple[str, ...] = ("no", *(row.name for row in TABLE))
ALL_NAMES: tuple[str, ...] = (*NAMES, *(row.name for row in COMMUNITY_TABLE))
NUMBERS: dict[str, int] = {name: i for i, name in enumerate(NAMES) if i}
COSTS = np.array([0, *(row.cost for row in TABLE + COMMUNITY_TABLE)], np.int64)  # [42] energy cubes
VALUES = np.array([0, *(row.value for row in TABLE + COMMUNITY_TABLE)], np.int64)  # [42] what the bots go by


def bits(*numbers: int) -> int:
    """The bit set of some upgrades: bit u for upgrade u."""
    return sum(1 << number for number in numbers)


# bit sets by energy: what a player with so many cubes can pay for; with more than the last, everything
PAYABLE = np.array([bits(*np.flatnonzero(COSTS[1:] <= energy) + 1) for energy in range(COSTS.max() + 1)], np.int64)
ALL_PERMANENT = bits(*range(1, PERMANENT + 1))
ALL_TEMPORARY = bits(*range(PERMANENT + 1, COUNT + 1))
MOST_OF_A_TYPE = 3

# the special programming card that a routine puts into the discard pile; 0: no routine
SPECIAL_CARD = np.zeros(HEAL_ROUTINE + 1, np.uint8)
SPECIAL_CARD[ENERGY_ROUTINE] = cards.ENERGY_ROUTINE
SPECIAL_CARD[REPEAT_ROUTINE] = cards.REPEAT_ROUTINE
SPECIAL_CARD[SANDBOX_ROUTINE] = cards.SANDBOX_ROUTINE
SPECIAL_CARD[SPAM_FOLDER_ROUTINE] = cards.SPAM_FOLDER
SPECIAL_CARD[SPEED_ROUTINE] = cards.SPEED_ROUTINE
SPECIAL_CARD[WEASEL_ROUTINE] = cards.WEASEL_ROUTINE
SPECIAL_CARD[HEAL_ROUTINE] = cards.HEAL_ROUTINE
ROUTINES = bits(*(u for u in range(COUNT + 1) if SPECIAL_CARD[u]))

# the deck of the community edition: without the cards that only speak of damage cards
COMMUNITY_DECK = np.array(
    [
        u
        for u in range(1, HEAL_ROUTINE + 1)
        if u
        not in (
            CORRUPTION_WAVE, BLUE_SCREEN_OF_DEATH, TROJAN_NEEDLER, VIRUS_MODULE, DEFRAG_GIZMO, SPAM_BLOCKER,
            SPAM_FOLDER_ROUTINE,
        )
    ],
    np.uint8,
)  # fmt: skip

# what is looked at where
USED_IN_HAND = bits(CACHE_MEMORY, DEFRAG_GIZMO, MEMORY_SWAP, RECHARGE, RECOMPILE, SPAM_BLOCKER)
USED_AT_REGISTER = bits(ADMIN_PRIVILEGE, DEFLECTOR_SHIELD, MANUAL_SORT)
USED_IN_TURN = bits(BOINK, HACK, REBOOT, RECHARGE, REFRESH, ZOOP)
USED_BY_PUSH = bits(BLUE_SCREEN_OF_DEATH, MODULAR_CHASSIS, RAMMING_GEAR, TROJAN_NEEDLER, VIRUS_MODULE)
USED_BY_MOVE = USED_BY_PUSH | bits(BRAKES, CRAB_LEGS, HOVER_UNIT, SIDE_ARMS, TELEPORTER)
USED_BY_SHOT = bits(
    BLUE_SCREEN_OF_DEATH, CORRUPTION_WAVE, DOUBLE_BARREL_LASER, MINI_HOWITZER, PRESSOR_BEAM, RAIL_GUN, REAR_LASER,
    SCRAMBLER, TRACTOR_BEAM, TROJAN_NEEDLER,
)  # fmt: skip
ONCE_A_ROUND = bits(ADMIN_PRIVILEGE, DEFRAG_GIZMO)
