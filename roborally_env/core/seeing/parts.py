"""The parts of the symbolic vector in each game: names, shapes, meanings, and where each begins.

The tables are the one description: the writers, the spaces and the docs come from them.
"""

from collections import namedtuple
from functools import cache
from typing import Any

import numpy as np

from roborally_env.core import cards, choices, options, upgrades
from roborally_env.core.rule import rule
from roborally_env.core.state import (
    CLASSIC,
    COLLECTING,
    COMMUNITY,
    COMPLETE,
    HAND,
    HAND_WITH_UPGRADES,
    LIGHTER,
    REGISTERS,
    WITH_UPGRADES,
)
from roborally_env.courses.tables import MAX_CHECKPOINTS

KNOWN_TOP = 3  # cards of the own deck's known top that are shown
KINDS_2005 = cards.U_TURN  # kinds of program cards
CARD_2005 = KINDS_2005 + 1  # a card: its kind, and its priority number
ASKED_2005 = (
    2 + choices.LAST_2005 - choices.KINDS_2016
)  # decisions besides the program: reboot_facing, those of 2005 alone
# a row of another robot up to its options, and up to the cards of its program
ROW_OPTIONS_2005 = 19
ROW_CARDS_2005 = ROW_OPTIONS_2005 + options.COUNT
KINDS_COMMUNITY = cards.HEAL_ROUTINE  # the numbers of cards run up to it
UPGRADES_COMMUNITY = upgrades.HEAL_ROUTINE
ASKED_COMMUNITY = choices.POWER_DOWN  # the decisions of 2016, and power_down
# a row of another robot up to the cards that only it can tell apart, its upgrades, its locked registers
ROW_HIDDEN_COMMUNITY = 19
ROW_UPGRADES_COMMUNITY = ROW_HIDDEN_COMMUNITY + KINDS_COMMUNITY
ROW_CARDS_COMMUNITY = ROW_UPGRADES_COMMUNITY + UPGRADES_COMMUNITY
# where in the part `cell` of the community edition what it adds to the others begins
SITE_COMMUNITY = 8

Part = tuple[str, tuple[int, ...], str]

PLACE = "cells ahead, right / 16, 1 if there"


def _parts_2016(with_upgrades: bool, every_choice: bool, collects: bool = False) -> tuple[Part, ...]:
    """Name, shape and meaning of each part of the symbolic vector of a 2016 game, or of one of 2023 (`collects`).

    That of a game with upgrades in which every choice is asked is longer at its end.
    """
    hand, kinds = (HAND_WITH_UPGRADES, cards.KINDS - 1) if with_upgrades else (HAND, cards.TROJAN_HORSE)
    other = 12 + kinds + (upgrades.COUNT if with_upgrades else 0) + collects
    # fmt: off
    parts: list[Part] = [
    #    name             shape            what
        ("hand",          (hand, kinds),   "one-hot: the card in each slot of the hand"),
        ("draw_pile",     (kinds,),        "cards of each kind in the own draw pile / 4"),
        ("discard_pile",  (kinds,),        "cards of each kind in the own discard pile / 4"),
        ("position",      (2,),            "own column and row / 32"),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("energy",        (1,),            "cubes / 10"),
        ("progress",      (3,),            "checkpoints reached / 8, checkpoints of the course / 8, round number / 32"),
        ("distance",      (1,),            "belt-aware distance to the next checkpoint / 16 registers"),
        ("target",        (2, 3),          f"next checkpoint, the one after: {PLACE}"),
        ("antenna",       (3,),            "the priority antenna likewise"),
        ("ways",          (4, 3, 2),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls]"),
        ("cell",          (8,),            "own cell: slow, fast belt, its way (ahead ..), gear, beams / 3"),
        ("priority",      (1,),            "players that would act before / 8"),
        ("damage_piles",  (4,),            "SPAM, Worm, Virus, Trojan Horse left in the box / 32"),
    ]
    if collects:
        parts += [
        ("decision",      (2,),            "1 if a program, 1 if another choice is asked of this seat"),
        ("upgrades",      (upgrades.COUNT,), "1 for each upgrade on the own mat, in the order of `roborally cards`"),
        ("collection",    (upgrades.COUNT,), "1 for each upgrade of the own collection, not installed"),
        ("upgrade_discard", (upgrades.COUNT,), "1 for each upgrade in the upgrade discard pile"),
        ("upgrade_phase", (3,),            "1 if this seat drew, 1 if it installed in the last upgrade phase, or this "
                                           "one; cards in the upgrade deck / 40"),
        ]
    elif with_upgrades:
        parts += [
        ("decision",      (2,),            "1 if a program, 1 if a purchase is asked of this seat"),
        ("upgrades",      (upgrades.COUNT,), "1 for each upgrade on the own mat, in the order of `roborally cards`"),
        ("shop",          (upgrades.COUNT,), "1 for each upgrade for sale, 2 where this seat is asked and may buy it"),
        ]
    else:
        parts += [
        ("decision",      (3,),            "one-hot: program, reboot_facing, damage_kind is asked of this seat"),
        ("options",       (choices.OPTIONS_WITHOUT_UPGRADES,), "legal options of that decision"),
        ]
    parts += [  # one row for each other player, in seat order after the own seat
        ("others",        (-1, other),
         "cells ahead / 16, to the right / 16, heading relative to the own (one-hot), checkpoints reached / 8, "
         "distance / 16 registers, energy / 10, acts before, rebooted, damage cards in its deck / 16, "
         "then cards of each kind in its hand, face-down registers and draw pile together / 4"
         + (", then 1 for each of its upgrades" if with_upgrades else "")
         + (", then the cards of its collection / 8" if collects else "")),
    ]
    if with_upgrades and every_choice:
        parts += [
        ("asked",         (choices.KINDS_2016 - 1 + collects * len(choices.KINDS_2023),),
         "one-hot: the decision that is asked of this seat, in the order below"),
        ("options",       (choices.OPTIONS,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register that is played; zeros before programs are laid"),
        ("registers",     (REGISTERS, kinds), "one-hot: the cards in the own registers"),
        ("known_top",     (KNOWN_TOP, kinds), "one-hot: the uppermost cards that lie known on the own deck"),
        ("marks",         (3,),            "Admin Privilege, Defrag Gizmo used in this round; Deflector Shield is up"),
        ("revealed",      (-1, kinds + 2), "of each other player: the card in its revealed register (one-hot), "
                                           "1 if its Deflector Shield is up, 1 if the own decision is about it"),
        ]
    # fmt: on
    return tuple(parts)


def _parts_2005(every_choice: bool) -> tuple[Part, ...]:
    """The same of the 2005 edition; the vector is longer at its end where every choice is asked."""
    other = ROW_CARDS_2005 + REGISTERS * CARD_2005
    # fmt: off
    parts: list[Part] = [
        ("hand",          (HAND, CARD_2005), "the card in each slot of the hand: one-hot of its kind, number / 840"),
        ("locked",        (REGISTERS,),    "1 for each own register that is locked"),
        ("locked_cards",  (REGISTERS, CARD_2005), "the cards in them likewise"),
        ("damage",        (1,),            "damage tokens / 10"),
        ("lives",         (1,),            "life tokens / 4"),
        ("archive",       (3,),            f"own archive marker: {PLACE}"),
        ("own_options",   (options.COUNT,), "1 for each own option, in the order of `roborally cards --edition 2005`"),
        ("power",         (3,),            "powered down, announced for the next turn, off the board"),
        ("position",      (2,),            "own column and row / 32; zeros off the board"),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("progress",      (3,),            "flags reached / 8, flags of the course / 8, turn number / 32"),
        ("distance",      (1,),            "belt-aware distance to the next flag / 16 registers"),
        ("target",        (2, 3),          f"next flag, the one after: {PLACE}"),
        ("ways",          (4, 3, 2),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls]"),
        ("cell",          (9,),            "own cell: slow, fast belt, its way (ahead ..), gear, beams / 3, "
                                           "repair site: 1 wrench, 2 wrench and hammer"),
        ("decision",      (2,),            "1 if a program, 1 if another choice is asked of this seat"),
        ("flags",         (MAX_CHECKPOINTS,), "each flag: 1 held (Toggle Boggle) or carried (Capture the Flag) by the "
                                           "own team, -1 by another"),
        ("role",          (2,),            "1 the SuperBot, 1 a blocker"),
        ("unseen",        (KINDS_2005,),   "cards of each kind that are neither in the own hand nor lie open / 18"),
        # one row for each other robot, in seat order after the own seat
        ("others",        (-1, other),
         "cells ahead / 16, to the right / 16 (0 off the board), heading relative to the own (one-hot), "
         "flags reached / 8, distance / 16 registers, damage / 10, lives / 4, locked registers / 5, powered down, "
         "announced, off the board, own team, the SuperBot, a blocker, carries a flag, the own decision is about it, "
         "then 1 for each of its options, then the cards in its registers as far as they lie open (revealed in this "
         "turn, or locked): kind and number"),
    ]
    if every_choice:
        parts += [
        ("asked",         (ASKED_2005,),   "one-hot: the decision that is asked of this seat, in the order below"),
        ("options",       (choices.OPTIONS_2005,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register that is played; zeros before programs are laid"),
        ("registers",     (REGISTERS, CARD_2005), "the cards in the own registers: kind and number"),
        ("laid_by",       (2, CARD_2005),  "the cards on the own Conditional Program and Flywheel"),
        ("marks",         (3,),            "Abort Switch thrown, Gyroscopic Stabilizer active, Recompile asked about"),
        ]
    # fmt: on
    return tuple(parts)


def _parts_community(every_choice: bool) -> tuple[Part, ...]:
    """The same of the community edition."""
    kinds, mat = KINDS_COMMUNITY, UPGRADES_COMMUNITY
    # fmt: off
    parts: list[Part] = [
        ("hand",          (HAND_WITH_UPGRADES, kinds), "one-hot: the card in each slot of the hand"),
        ("locked",        (REGISTERS,),    "1 for each own register that is locked"),
        ("locked_cards",  (REGISTERS, kinds), "one-hot: the cards in them"),
        ("draw_pile",     (kinds,),        "cards of each kind in the own draw pile / 4"),
        ("discard_pile",  (kinds,),        "cards of each kind in the own discard pile / 4"),
        ("position",      (2,),            "own column and row / 32; zeros off the board"),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("energy",        (1,),            "cubes / 10"),
        ("damage",        (1,),            "damage tokens / 10"),
        ("power",         (5,),            "powered down, announced for the next round, virtual, stomped, off "
                                           "the board"),
        ("progress",      (3,),            "checkpoints reached / 8, checkpoints of the course / 8, round number / 32"),
        ("distance",      (1,),            "belt-aware distance to the next checkpoint / 16 registers"),
        ("target",        (2, 3),          f"next checkpoint, the one after: {PLACE}"),
        ("antenna",       (3,),            "the priority antenna likewise"),
        ("ways",          (4, 3, 3),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls, levels that the "
                                           "robot drops there / 2]"),
        ("cell",          (19,),           "own cell: slow, fast belt, its way (ahead ..), gear, beams / 3, repair "
                                           "site / 2, level / 3, ramp that rises ahead, right, behind, left (1, "
                                           "switched off 0.5), puddle, button, radiation, trapdoor, stomper"),
        ("priority",      (1,),            "players that would act before / 8"),
        ("decision",      (3,),            "1 if a program, 1 if a purchase (a choice) is asked of this seat, 1 if it "
                                           "may announce a power down with the action"),
        ("upgrades",      (mat,),          "1 for each upgrade on the own mat, in the order of `roborally cards "
                                           "--edition community`"),
        ("shop",          (mat,),          "1 for each upgrade for sale, 2 where this seat is asked and may buy it"),
        # one row for each other player, in seat order after the own seat
        ("others",        (-1, ROW_CARDS_COMMUNITY + REGISTERS * kinds),
         "cells ahead / 16, to the right / 16 (0 off the board), heading relative to the own (one-hot), checkpoints "
         "reached / 8, distance / 16 registers, energy / 10, acts before, off the board, damage / 10, locked registers "
         "/ 5, virtual, stomped, powered down, announced, level above the own / 3, finishing place / 8, then cards of "
         "each kind in its hand, face-down registers and draw pile together / 4, then 1 for each of its upgrades, then "
         "one-hot the cards in its locked registers"),
    ]
    if every_choice:
        parts += [
        ("asked",         (ASKED_COMMUNITY,), "one-hot: the decision that is asked of this seat, in the order below"),
        ("options",       (choices.OPTIONS_COMMUNITY,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register that is played; zeros before programs are laid"),
        ("registers",     (REGISTERS, kinds), "one-hot: the cards in the own registers"),
        ("known_top",     (KNOWN_TOP, kinds), "one-hot: the uppermost cards that lie known on the own deck"),
        ("marks",         (2,),            "Admin Privilege used in this round; Deflector Shield is up"),
        ("revealed",      (-1, kinds + 2), "of each other player: the card in its revealed register (one-hot), "
                                           "1 if its Deflector Shield is up, 1 if the own decision is about it"),
        ]
    # fmt: on
    return tuple(parts)


@cache
def parts_of(game: str, every_choice: bool = False) -> tuple[Part, ...]:
    """The parts of the symbolic vector of a game (`state.LIGHTER`, ..), in their order."""
    if game == CLASSIC:
        return _parts_2005(every_choice)
    if game == COMMUNITY:
        return _parts_community(every_choice)
    return _parts_2016(game in WITH_UPGRADES, every_choice, game == COLLECTING)


def symbolic_size(players: int, game: str, every_choice: bool = False) -> int:
    """Length of the symbolic vector."""
    shapes = [shape for _, shape, _ in parts_of(game, every_choice)]
    return sum(int(np.prod([players - 1 if n < 0 else n for n in shape])) for shape in shapes)


_OPTION_COUNT = {
    LIGHTER: choices.OPTIONS_WITHOUT_UPGRADES,
    COMPLETE: choices.OPTIONS,
    CLASSIC: choices.OPTIONS_2005,
    COLLECTING: choices.OPTIONS,
    COMMUNITY: choices.OPTIONS_COMMUNITY,
}
_GAMES = tuple(_OPTION_COUNT)


def _layout(game: str) -> dict[str, int]:
    """Where each part up to `others` begins, and the sizes that the writers need."""
    at, offsets = 0, {}
    shapes = {name: shape for name, shape, _ in parts_of(game)}
    for name, shape in shapes.items():
        offsets[name] = at
        at += int(np.prod([n for n in shape if n > 0]))
    sizes = {
        "slots": shapes["hand"][0],
        "kinds": shapes["hand"][1],
        "option_count": _OPTION_COUNT[game],
        "row": shapes["others"][1],
    }
    return {**offsets, **sizes}


# Offsets of the parts by name; slots of a hand, numbers that show a card, options, length of a row of `others`
_FIELDS = tuple(dict.fromkeys(name for game in _GAMES for name in _layout(game)))
Layout: Any = namedtuple("Layout", _FIELDS)  # type: ignore[misc]
LAYOUTS: dict[str, Any] = {game: Layout(**{**dict.fromkeys(_FIELDS, -1), **_layout(game)}) for game in _GAMES}


def layout_of(game: str) -> Any:
    """The layout of a game's symbolic vector, up to the rows of the other players."""
    return LAYOUTS[game]


@rule(required=True)
def layout(game):
    """The layout of a record's game; known when a kernel is compiled."""
