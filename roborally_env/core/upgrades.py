"""The upgrade cards: a row each with all that is said of one. Its function stands in the file of its moment.

2016 rulebook, card index, and rulings R44 to R53. A card keeps its number: those of 2016 have 1..40 in printed order,
`FREE` are those of editions from outside (docs/editions.md). 0 is none, and "no" where a player is asked for an
upgrade.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import cards

NONE = 0
(
    ADMIN_PRIVILEGE, BLUE_SCREEN_OF_DEATH, BRAKES, CACHE_MEMORY, CORRUPTION_WAVE, CRAB_LEGS, DEFLECTOR_SHIELD,
    DEFRAG_GIZMO, DOUBLE_BARREL_LASER, FIREWALL, HOVER_UNIT, MEMORY_STICK, MINI_HOWITZER, MODULAR_CHASSIS,
    PRESSOR_BEAM, RAIL_GUN, RAMMING_GEAR, REAR_LASER, SCRAMBLER, SIDE_ARMS, TELEPORTER, TRACTOR_BEAM, TROJAN_NEEDLER,
    VIRUS_MODULE, BOINK, ENERGY_ROUTINE, HACK, MANUAL_SORT, MEMORY_SWAP, REBOOT, RECHARGE, RECOMPILE, REFRESH,
    REPEAT_ROUTINE, SANDBOX_ROUTINE, SPAM_BLOCKER, SPAM_FOLDER_ROUTINE, SPEED_ROUTINE, WEASEL_ROUTINE, ZOOP,
) = range(1, 41)  # fmt: skip
COUNT = 40  # those of 2016
DECK = tuple(range(1, 1 + COUNT))  # the numbers of those of 2016
HEAL_ROUTINE = 41  # of the community edition alone
FREE = range(42, 63)  # sets of upgrades are the bits of an int64, and so are the options of `buy_upgrade`
MOST_OF_A_TYPE = 3

TYPES = PERMANENT, TEMPORARY = "permanent", "temporary"
# when a card acts; a card of other moments, or of none, acts by itself where the rules ask for it
MOMENTS = ("hand", "register", "turn", "move", "push", "shot")
_NO_YES = ("no", "yes")
_SIDES = ("no", "left", "right")
_WAYS = ("no", "N", "E", "S", "W")
_CARDS = ("no", *cards.NAMES[1:])
_HEAL = cards.ALL_NAMES[cards.HEAL_ROUTINE]


class Upgrade(NamedTuple):
    """All that is said of one upgrade card."""

    number: int
    name: str  # as in scenarios, answers and `info`
    title: str  # as printed
    cost: int  # energy cubes
    type: str  # PERMANENT or TEMPORARY
    moments: tuple[str, ...]  # of MOMENTS
    when: str  # in words
    rule: str
    asked: str  # the choices of its decision in words; "" where it is never asked
    default: str  # what decisions="program" does with it
    value: int  # what `greedy` and `planner` go by: 0 not bought .. 8, from how often owners won (docs/upgrades.md)
    rulings: tuple[str, ...] = ()  # what is settled where the rulebook can be read twice (docs/rulings.md)
    options: Sequence[str] = _NO_YES  # names of the options of its decision, by number; the first is "no"
    special: int = NONE  # the special programming card that a routine puts into the discard pile
    once_a_round: bool = False


ALL_NAMES: list[str] = ["no"]  # by number; "" where no card has it
_ROUTINE = (
    "R53, R44: when it is bought, the only question is which temporary card it replaces, if there are three. Its "
    "special card goes to the discard pile, and the routine leaves the game.",
)
# fmt: off
_ROWS: tuple[Upgrade, ...] = (
    Upgrade(1, "admin_privilege", "Admin Privilege", 3, PERMANENT, ("register",), "start of a register",
        "Once a round: the robot acts first in one register.",
        "no, yes", "used in the first register whose card is a move and in which the robot would not be first "
                   "anyway", 2,
        ("R52: the turn order changes for all of that register except falls from belts: first Manual Sort, then Admin "
         "Privilege, then the rest, each group as measured.",
         "R53: it is asked when the register's cards are revealed, in measured order. The robot that is first anyway "
         "is asked only if another could still get ahead of it."), once_a_round=True),
    Upgrade(2, "blue_screen_of_death", "Blue Screen of Death", 4, PERMANENT, ("push", "shot"),
        "laser hit or push, adjacent robot",
        "A Worm in place of the first SPAM of a hit; on a push one Worm.",
        "no, yes", "always", 0,
        ("R46: on the next space the Worm replaces the first SPAM of a hit; on a push it does not replace a SPAM. "
         "Trojan Needler then deals no Trojan Horse, so Ramming Gear deals its SPAM.",
         "R45: it acts once for each card and robot, if the robot touched has moved.")),
    Upgrade(3, "brakes", "Brakes", 3, PERMANENT, ("move",), "a Move 1 begins",
        "The Move 1 may be a Move 0.",
        "no, yes", "used if the step would end in a pit or off the board", 0,
        ("R49: it is for every Move 1, also that of Sandbox Routine, and is asked again at each repeat; it is not for "
         "Back Up. If it is used, Crab Legs and Teleporter are not asked.",
         "R53: it is not asked if the step is stopped, unless Side Arms could clear the way.")),
    Upgrade(4, "cache_memory", "Cache Memory", 4, PERMANENT, ("hand",), "programming phase",
        "Any cards of the hand go on top of the deck; no new ones are drawn.",
        "no, or cards, the first ends up on top", "left-over Move 3 and Move 2 cards go on top after programming", 0,
        ("Before programming five cards must stay in the hand. After it all cards that are left may go on top, unless "
         "the timer caught the player.",
         "The cards are named one by one until `done`; in a scenario they are one "
         "list."), options=(*_CARDS, "done", _HEAL)),
    Upgrade(5, "corruption_wave", "Corruption Wave", 4, PERMANENT, ("shot",), "dealing SPAM",
        "SPAM dealt by a hit or by Ramming Gear may go on top of the victim's deck.",
        "no, yes", "always", 4,
        ("R46: there is one question for all SPAM of a hit. A Worm, a Trojan Horse and a card taken in place of SPAM "
         "go to the discard pile.",
         "R53: it is not asked if no SPAM is left in the box.")),
    Upgrade(6, "crab_legs", "Crab Legs", 5, PERMANENT, ("move",), "a Move 1 begins",
        "One step ahead, one to the left or right without turning, one ahead.",
        "no, left, right", "used if all three steps are free and end on the next checkpoint", 0,
        ("R49: it is for every Move 1, also that of Sandbox Routine. It makes three ordinary steps, which push and "
         "may fall. A step that is stopped ends the move, and so does a reboot of the mover.",
         "R53: it is not asked if the first step is stopped, unless Side Arms could clear the way."), options=_SIDES),
    Upgrade(7, "deflector_shield", "Deflector Shield", 2, PERMANENT, ("register",), "start of a register",
        "For one energy: no shot of a robot hits in this register.",
        "no, yes", "used when another robot's shot would hit from where the robots stand now", 2,
        ("R47: it stops shots of robots with all their effects, but not board lasers and pushes; the shielded robot "
         "still stops the beam.",
         "R48: the shield belongs to the robot for that register, whoever has the card by then, and goes down when "
         "it reboots.",
         "R53: it is asked if the player has an energy cube and another robot has not rebooted.")),
    Upgrade(8, "defrag_gizmo", "Defrag Gizmo", 5, PERMANENT, ("hand",), "programming phase, once a round",
        "One damage card of the hand goes back to its pile; one card is drawn.",
        "no, or the damage card", "always: Worm, Trojan Horse, Virus, then SPAM", 8,
        ("R53: it is asked if a damage card is in the hand; the card drawn may be another damage card.",
         "If it was used in a round, a player who takes it by Modular Chassis cannot use it again in that round."),
        options=_CARDS, once_a_round=True),
    Upgrade(9, "double_barrel_laser", "Double Barrel Laser", 2, PERMANENT, ("shot",), "laser hit",
        "One more SPAM a hit.",
        "", "always acts", 2,
        ("R46: each hit of a shot deals one more SPAM, also if another card replaces the first SPAM.",)),
    Upgrade(10, "firewall", "Firewall", 3, PERMANENT, (), "reboot",
        "No SPAM for rebooting.",
        "", "always acts", 2,
        ("R48: only the first reboot of a round is free. Registers and hand are lost as always (R15).",)),
    Upgrade(11, "hover_unit", "Hover Unit", 1, PERMANENT, ("move",), "always",
        "Pits do not catch the robot in passing; it falls if a card's move ends on one.",
        "", "always acts", 1,
        ("R49: a fall is decided at the end of the card (or Boink) that moves the robot, its own or a pusher's; "
         "several fall in turn order. Belts, panels, weapons and arrivals on a token drop it at once; the board's "
         "edge always does.",
         "R10: robots that enter the cell push it.")),
    Upgrade(12, "memory_stick", "Memory Stick", 3, PERMANENT, (), "drawing a hand",
        "One more card each round: ten.",
        "", "always acts", 4,
        ("R30: the tenth card is drawn like the others; a program then has ten hand slots to choose from.",)),
    Upgrade(13, "mini_howitzer", "Mini Howitzer", 2, PERMANENT, ("shot",), "laser hit, once a register",
        "For one energy: two more SPAM, and the target is pushed one space along the shot.",
        "no, yes", "always, as long as there is energy", 5,
        ("R50: it acts on one hit a register. Its push is the shift of that hit, so Pressor and Tractor Beam do not "
         "act on it. It is paid for even if the push is stopped.",
         "R46: Corruption Wave may put its SPAM on top of the deck with the other SPAM of the hit.")),
    Upgrade(14, "modular_chassis", "Modular Chassis", 1, PERMANENT, ("push",), "push",
        "The pushed player gets this card and gives one of its installed upgrades.",
        "no, or the upgrade taken", "the most expensive card, if it costs more than one", 1,
        ("R52: it is optional. It offers cards that the pusher does not own and that leave both players with at most "
         "three of a type, also temporary cards, and cards of a rebooted robot.",
         "R45: which cards act on the push is decided at the touch, before the exchange."), options=ALL_NAMES),
    Upgrade(15, "pressor_beam", "Pressor Beam", 3, PERMANENT, ("shot",), "laser hit",
        "The target may be pushed one space along the shot.",
        "no, yes", "used if the target falls or ends farther from its next checkpoint", 8,
        ("R50: of Mini Howitzer, Pressor and Tractor Beam only one may shift the target of a hit, after all damage, "
         "shooters in turn order. There is no shift if the shooter or the target has rebooted since. It pushes the "
         "whole line as a card's step does, also into a fall.",
         "R53: it is not asked if the push is stopped.")),
    Upgrade(16, "rail_gun", "Rail Gun", 2, PERMANENT, ("shot",), "shot",
        "The shot may go through walls and robots; each robot in line takes one SPAM.",
        "no, yes", "always", 0,
        ("R50: the antenna and the end of the course stop it. Hits ahead come before hits behind, the nearest first, "
         "and every weapon acts on each.",
         "R53: it is asked if it changes who is hit; one answer holds for both directions of a Rear Laser.")),
    Upgrade(17, "ramming_gear", "Ramming Gear", 2, PERMANENT, ("push",), "push",
        "One SPAM to the pushed robot.",
        "", "always acts", 1,
        ("R45: it acts once for each card (or Boink) and robot, at the first touch that moves the robot. It does not "
         "act on the robots behind it in a row, or when weapons, panels, belts or arrivals push.",
         "R46: Trojan Needler's Trojan Horse replaces this SPAM; Corruption Wave may put it on top of the deck.")),
    Upgrade(18, "rear_laser", "Rear Laser", 2, PERMANENT, ("shot",), "shot",
        "The robot may shoot backward as well.",
        "no, yes", "always", 1,
        ("R50: its hit is separate, with all weapons, after the hits ahead; the shot runs against the facing.",
         "R53: it is asked if it would hit somebody.")),
    Upgrade(19, "scrambler", "Scrambler", 3, PERMANENT, ("shot",), "laser hit, not in register five",
        "The card in the target's next register is replaced by the top card of its deck.",
        "", "always acts", 4,
        ("R47: only shots count. A hit in register four can replace the card of register five; in register five "
         "nothing happens, and an empty register stays empty.",
         "R25a: the card that lies in a register when it begins counts, also a damage card from the deck. The old "
         "card is discarded before the new one is drawn.")),
    Upgrade(20, "side_arms", "Side Arms", 3, PERMANENT, ("move",), "push",
        "The robot ahead may be pushed to the left or right instead of ahead.",
        "no, left, right", "used if the robot falls to that side, or cannot be pushed ahead", 1,
        ("R45: it is asked at the first contact of a card with each robot, on steps ahead or back. It offers the "
         "sides of the own facing to which that robot can be pushed, also into a fall, and also if it cannot be "
         "pushed ahead.",
         "R17a: the push aside and the mover's step into the space are one act."), options=_SIDES),
    Upgrade(21, "teleporter", "Teleporter", 3, PERMANENT, ("move",), "a move card begins",
        "For one energy: the move ignores what is in its way; a robot on the space where it ends changes places.",
        "no, yes", "used if the move would be stopped or fall and the space is nearer to the next checkpoint", 0,
        ("R49: it is for Move 1 to 3, Back Up, Speed and Sandbox Routine, and counts spaces in a straight line. It is "
         "not offered if the last space is a pit, the antenna or off the boards. A swap is no push. A repeat asks "
         "again and costs a cube again.",
         "R53: it is asked if the player has an energy cube.")),
    Upgrade(22, "tractor_beam", "Tractor Beam", 3, PERMANENT, ("shot",), "laser hit, not adjacent",
        "The target may be pulled one space towards the shooter.",
        "no, yes", "used if the target falls or ends farther from its next checkpoint", 4,
        ("R50: the pull is an ordinary step that pushes nobody, also into pits and off the edge; distance and "
         "direction are those of the shot.",
         "R53: it is not asked if a wall or a robot is in the way, or if the target was already shifted for this "
         "hit.")),
    Upgrade(23, "trojan_needler", "Trojan Needler", 3, PERMANENT, ("push", "shot"), "laser hit or push",
        "A Trojan Horse in place of the first SPAM of a hit; on a push one Trojan Horse.",
        "", "always acts", 4,
        ("R46: the first SPAM of a hit is a Trojan Horse. On a push it deals one, which also replaces the SPAM of "
         "Ramming Gear. If Blue Screen of Death deals its Worm there is no Trojan Horse.",)),
    Upgrade(24, "virus_module", "Virus Module", 2, PERMANENT, ("push",), "push",
        "One Virus to the pushed robot.",
        "", "always acts", 2,
        ("R45: it acts once for each card (or Boink) and robot, after the other cards that act on the push.",)),
    Upgrade(25, "boink", "Boink", 1, TEMPORARY, ("turn",), "own turn",
        "One step to an adjacent space, facing kept.",
        "no, N, E, S, W", "used after the card if it reaches the next checkpoint", 4,
        ("R49: it is an ordinary step that pushes, with all cards that act on pushes. Blocked directions are not "
         "offered, but pits and edges are.",
         "R53: it is asked before the register's card and after it. A robot that falls by it before the card loses "
         "that card."),
        options=_WAYS),
    Upgrade(26, "energy_routine", "Energy Routine", 3, TEMPORARY, (), "when bought",
        "The special card Energy Routine goes to the player's discard pile.",
        "", "goes to the discard pile", 0,
        _ROUTINE, special=cards.ENERGY_ROUTINE),
    Upgrade(27, "hack", "Hack", 1, TEMPORARY, ("turn",), "own turn, after the card",
        "The register's action is carried out again.",
        "no, yes", "used in register five for a move that ends nearer to the next checkpoint", 1,
        ("R51: it repeats the action that was carried out in the register: after an Again the action that this "
         "repeated, after a damage card that of the replacement. Choices are asked and energy is paid again.",
         "R53: it is asked if an action was carried out. A later Again repeats the card, not the Hack.")),
    Upgrade(28, "manual_sort", "Manual Sort", 1, TEMPORARY, ("register",), "start of a register",
        "The robot acts first in this register, ahead of Admin Privilege.",
        "no, yes", "used in the first register whose card is a move and in which the robot would not be first "
                   "anyway", 2,
        ("R52: the turn order changes for all of that register except falls from belts. Several users keep their "
         "measured order, ahead of Admin Privilege.",
         "R53: it is asked like Admin Privilege, after it.")),
    Upgrade(29, "memory_swap", "Memory Swap", 1, TEMPORARY, ("hand",), "programming phase",
        "Three cards are drawn, then three of the hand go on top of the deck.",
        "no, or three cards, the first ends up on top",
        "used at once; damage cards go back first, then Power Up, U-Turn, Back Up, turns, short moves", 1,
        ("The three cards are drawn first. Then three cards of the whole hand are named, or fewer if there are fewer; "
         "the first ends up on top.",), options=(*_CARDS, "yes", _HEAL)),
    Upgrade(30, "reboot", "Reboot", 1, TEMPORARY, ("turn",), "own turn",
        "The robot reboots and takes no damage.",
        "no, yes", "used after register five if the token is at least four spaces nearer to the next checkpoint", 3,
        ("R15: the robot reboots from where it stands, without the SPAM. Before the card this costs the register's "
         "card too. A robot that is pushed off the token into a fall pays as always.",
         "R53: it is asked before the register's card and after it.")),
    Upgrade(31, "recharge", "Recharge", 0, TEMPORARY, ("hand", "turn"), "programming phase, own turn",
        "Three energy cubes.",
        "no, yes", "at once", 3,
        ("R53: it is asked while programming, and on the own turn before the card and after it.",)),
    Upgrade(32, "recompile", "Recompile", 1, TEMPORARY, ("hand",), "programming phase",
        "The hand is discarded and as many cards are drawn.",
        "no, yes", "used with no Move 2, Move 3 or Speed Routine in hand, or with four damage cards", 4,
        ("R26: if the deck runs out, the discards are shuffled, also those of this hand.",)),
    Upgrade(33, "refresh", "Refresh", 2, TEMPORARY, ("turn",), "own turn, before the card",
        "The register's card counts as a card of choice; a damage card goes back to its pile.",
        "no, or the new card", "used on a damage card, for what the Sandbox Routine would do", 3,
        ("R51: the card stays in its register and goes to the discard pile at the round's end. A damage card goes to "
         "its pile at once, and the register no longer counts as one that held a damage card (R25).",
         "R51, R53: it is asked if a card lies in the register; Again is not offered in register "
         "one."), options=_CARDS),
    Upgrade(34, "repeat_routine", "Repeat Routine", 3, TEMPORARY, (), "when bought",
        "The special card Repeat Routine goes to the player's discard pile.",
        "", "goes to the discard pile", 0,
        (*_ROUTINE, "R51: the special card acts like an Again in every way."), special=cards.REPEAT_ROUTINE),
    Upgrade(35, "sandbox_routine", "Sandbox Routine", 5, TEMPORARY, (), "when bought; when its card is played",
        "The special card Sandbox Routine goes to the player's discard pile: any move or turn.",
        "a move or turn", "the move that ends nearest to the next checkpoint, else the turn towards it", 4,
        _ROUTINE, options=_CARDS, special=cards.SANDBOX_ROUTINE),
    Upgrade(36, "spam_blocker", "Spam Blocker", 3, TEMPORARY, ("hand",), "programming phase",
        "Each SPAM in hand goes back to its pile and is replaced from the deck.",
        "no, yes", "used with two SPAM in hand or more", 3,
        ("R53: it is asked if a SPAM is in the hand. All SPAM go back first, then as many cards are drawn.",)),
    Upgrade(37, "spam_folder_routine", "SPAM Folder Routine", 2, TEMPORARY, (), "when bought",
        "The special card SPAM Folder goes to the player's discard pile.",
        "", "goes to the discard pile", 0,
        _ROUTINE, special=cards.SPAM_FOLDER),
    Upgrade(38, "speed_routine", "Speed Routine", 3, TEMPORARY, (), "when bought",
        "The special card Speed Routine goes to the player's discard pile.",
        "", "goes to the discard pile", 3,
        _ROUTINE, special=cards.SPEED_ROUTINE),
    Upgrade(39, "weasel_routine", "Weasel Routine", 3, TEMPORARY, (), "when bought; when its card is played",
        "The special card Weasel Routine goes to the player's discard pile: any turn.",
        "a turn", "the turn after which the next checkpoint lies farthest ahead", 0,
        _ROUTINE, options=_CARDS, special=cards.WEASEL_ROUTINE),
    Upgrade(40, "zoop", "Zoop", 1, TEMPORARY, ("turn",), "own turn",
        "The robot turns to any direction.",
        "no, N, E, S, W", "used after register five to face the next checkpoint", 1,
        ("R53: it is asked before the register's card and after it; no Again or Hack repeats it.",), options=_WAYS),
    Upgrade(41, "heal_routine", "Heal Routine", 3, TEMPORARY, (), "when bought",
        "The special card Heal Routine goes to the player's discard pile: it removes one damage.",
        "", "goes to the discard pile", 2,
        _ROUTINE, special=cards.HEAL_ROUTINE),
)
# fmt: on
_BY_NUMBER: dict[int, Upgrade] = {}


def check_upgrade(row: Upgrade, beside: Iterable[Upgrade] = ()) -> None:
    """Raise a RoboRallyError that says what is wrong with a card that is to be added, `beside` others."""
    for other in (*_BY_NUMBER.values(), *beside):
        if row.number == other.number or row.name == other.name:
            same = f"the number {row.number}" if row.number == other.number else f"the name {row.name!r}"
            raise RoboRallyError(f"upgrade {row.name!r}: {same} is that of {other.title}")
    if row.number not in range(1, FREE.stop):
        raise RoboRallyError(f"upgrade {row.name!r}: expected a number from 1 to {FREE[-1]}, got {row.number}")
    if not row.name.isidentifier():
        raise RoboRallyError(f"upgrade {row.name!r}: expected a name of letters, digits and _")
    if row.type not in TYPES or not set(row.moments) <= set(MOMENTS):
        raise RoboRallyError(
            f"upgrade {row.name!r}: expected a type of {', '.join(TYPES)} and moments of {', '.join(MOMENTS)}, got "
            f"{row.type!r} and {row.moments!r}"
        )
    if row.cost < 0 or row.value < 0 or row.options[0] != "no":
        raise RoboRallyError(f"upgrade {row.name!r}: expected a cost and a value from 0 on, and 'no' as first option")


def add_upgrade(row: Upgrade) -> None:
    """Register an upgrade card. Raises a RoboRallyError that says what is wrong with it."""
    check_upgrade(row)
    _BY_NUMBER[row.number] = row
    ALL_NAMES.extend([""] * (row.number + 1 - len(ALL_NAMES)))
    ALL_NAMES[row.number] = row.name


def remove_upgrade(number: int) -> None:
    """Take back what `add_upgrade` did."""
    del _BY_NUMBER[number]
    ALL_NAMES[number] = ""
    for kept in (sets_of, column_of):
        kept.cache_clear()


def upgrade(number: int) -> Upgrade:
    """The row of a card."""
    return _BY_NUMBER[number]


def numbers_of(deck: Iterable[int]) -> dict[str, int]:
    """The numbers of a deck's cards by name."""
    return {ALL_NAMES[number]: number for number in deck}


for _row in _ROWS:
    add_upgrade(_row)
NAMES = tuple(ALL_NAMES[: COUNT + 1])  # of 2016
NUMBERS = numbers_of(DECK)


def bits(*numbers: int) -> int:
    """The bit set of some upgrades: bit u for upgrade u."""
    return sum(1 << number for number in numbers)


def numbers_in(cards: int) -> list[int]:
    """The numbers in a bit set of upgrades."""
    return [u for u in range(1, cards.bit_length()) if cards >> u & 1]


class Sets(NamedTuple):
    """Sets of a deck's cards as bits: what is looked at where."""

    permanent: int
    temporary: int
    once_a_round: int
    in_hand: int
    at_register: int
    in_turn: int
    by_move: int  # of a robot by its own card, with what acts on a push
    by_push: int
    by_shot: int


@cache
def sets_of(deck: tuple[int, ...]) -> Sets:
    """The sets of a deck's cards."""
    rows = [upgrade(number) for number in deck]
    at = {moment: bits(*(row.number for row in rows if moment in row.moments)) for moment in MOMENTS}
    by_type = [bits(*(row.number for row in rows if row.type == kind)) for kind in TYPES]
    return Sets(
        permanent=by_type[0],
        temporary=by_type[1],
        once_a_round=bits(*(row.number for row in rows if row.once_a_round)),
        in_hand=at["hand"],
        at_register=at["register"],
        in_turn=at["turn"],
        by_move=at["move"] | at["push"],
        by_push=at["push"],
        by_shot=at["shot"],
    )


@cache
def column_of(deck: tuple[int, ...], name: str) -> np.ndarray:
    """[1 + the highest number]: a fact of each card of a deck by number, as `cost` or `value`; 0 elsewhere. int64."""
    found = np.zeros(1 + max(deck), np.int64)
    for number in deck:
        found[number] = getattr(upgrade(number), name)
    return found


# the deck of the community edition: without the cards that only speak of damage cards
COMMUNITY_DECK = tuple(
    u
    for u in range(1, HEAL_ROUTINE + 1)
    if u
    not in (
        CORRUPTION_WAVE, BLUE_SCREEN_OF_DEATH, TROJAN_NEEDLER, VIRUS_MODULE, DEFRAG_GIZMO, SPAM_BLOCKER,
        SPAM_FOLDER_ROUTINE,
    )
)  # fmt: skip
