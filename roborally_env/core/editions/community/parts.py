"""The parts of the symbolic vector of the community edition.

This table is the source of the writer, the spaces and the docs.
"""

from typing import Any

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.seeing.parts import (
    CELL,
    FARTHEST,
    FARTHEST_PLACE,
    KNOWN_TOP,
    MOST,
    PLACE,
    POSITION,
    PROGRESS,
    SHOWN,
    Row,
    copies,
    new_layout,
    others,
)
from roborally_env.core.state import HAND_WITH_UPGRADES, MAX_PLAYERS, REGISTERS

KINDS = cards.HEAL_ROUTINE  # the numbers of cards run up to it
UPGRADES = upgrades.HEAL_ROUTINE
HIGHEST = 3  # level of a floor
ASKED = choices.POWER_DOWN  # the decisions of 2016, and power_down
# fmt: off
ROW: Row = (
    ("place",      2, "cells ahead / 16, to the right / 16 (0 off the board)", -FARTHEST, FARTHEST),
    ("heading",    4, "heading relative to the own (one-hot)"),
    ("reached",    1, "checkpoints reached / 8"),
    ("distance",   1, "distance / 16 registers", 0.0, MOST),
    ("energy",     1, "energy / 10", 0.0, MOST),
    ("before",     1, "acts before"),
    ("off_board",  1, "off the board"),
    ("damage",     1, "damage / 10"),
    ("locked",     1, "locked registers / 5"),
    ("virtual",    1, "virtual"),
    ("stomped",    1, "stomped"),
    ("down",       1, "powered down"),
    ("announced",  1, "announced"),
    ("level",      1, "level above the own / 3", -1.0, 1.0),
    ("finished",   1, "finishing place / 8", 0.0, MAX_PLAYERS / 8),
    ("hidden",     KINDS, "then cards of each kind in its hand, face-down registers and draw pile together / 4",
                          0.0, copies(KINDS)),
    ("upgrades",   UPGRADES, "then 1 for each of its upgrades"),
    ("cards",      REGISTERS * KINDS, "then one-hot the cards in its locked registers"),
)
# fmt: on
# where in the part `cell` of the community edition what it adds to the others begins
SITE = 8


def parts(every_choice: bool) -> tuple[tuple[Any, ...], ...]:
    """The parts (`Part`); with every choice open the vector is longer at its end."""
    kinds, mat = KINDS, UPGRADES
    # fmt: off
    parts: list[tuple[Any, ...]] = [
        ("hand",          (HAND_WITH_UPGRADES, kinds), "one-hot: the card in each slot of the hand"),
        ("locked",        (REGISTERS,),    "1 for each own register that is locked"),
        ("locked_cards",  (REGISTERS, kinds), "one-hot: the cards in them"),
        ("draw_pile",     (kinds,),        "cards of each kind in the own draw pile / 4", 0.0, copies(kinds)),
        ("discard_pile",  (kinds,),        "cards of each kind in the own discard pile / 4", 0.0, copies(kinds)),
        ("position",      (2,),            "own column and row / 32; zeros off the board", *POSITION),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("energy",        (1,),            f"cubes / 10{SHOWN}", 0.0, MOST),
        ("damage",        (1,),            "damage tokens / 10"),
        ("power",         (5,),            "powered down, announced for the next round, virtual, stomped, off "
                                           "the board"),
        ("progress",      (3,),            "checkpoints reached / 8, checkpoints of the course / 8, round number / 32"
                                           f"{SHOWN}", *PROGRESS),
        ("distance",      (1,),            "belt-aware distance to the next checkpoint / 16 registers"
                                           f"{SHOWN}", 0.0, MOST),
        ("target",        (2, 3),          f"next checkpoint, the one after: {PLACE}", *FARTHEST_PLACE),
        ("antenna",       (3,),            "the priority antenna likewise", *FARTHEST_PLACE),
        ("ways",          (4, 3, 3),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls, levels that the "
                                           "robot drops there / 2]", 0.0, (1.0, 1.0, HIGHEST / 2)),
        ("cell",          (19,),           "own cell: slow, fast belt, its way (ahead ..), gear (1 right, -1 left), "
                                           f"beams / 3{SHOWN}, repair site / 2, level / 3, ramp that rises ahead, "
                                           "right, behind, left (1, switched off 0.5), puddle, button, radiation, "
                                           "trapdoor, stomper", (*CELL[0], *(0.0,) * 11), (*CELL[1], *(1.0,) * 11)),
        ("priority",      (1,),            "players that would act before / 8", 0.0, (MAX_PLAYERS - 1) / 8),
        ("decision",      (3,),            "1 if this seat must submit a program, 1 if it may buy (or choose), 1 if it "
                                           "may announce a power down with the action"),
        ("upgrades",      (mat,),          "1 for each upgrade on the own mat, in the order of `roborally cards "
                                           "--edition community`"),
        ("shop",          (mat,),          "1 for each upgrade for sale, 2 if this seat may buy it now",
                                           0.0, 2.0),
        # one row for each other player, in seat order after the own seat
        others(ROW),
    ]
    if every_choice:
        parts += [
        ("asked",         (ASKED,), "one-hot: the pending decision of this seat, in the order below"),
        ("options",       (choices.OPTIONS_COMMUNITY,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register being played; zeros while programming"),
        ("registers",     (REGISTERS, kinds), "one-hot: the cards in the own registers"),
        ("known_top",     (KNOWN_TOP, kinds), "one-hot: the uppermost cards that lie known on the own deck"),
        ("marks",         (2,),            "Admin Privilege used in this round; Deflector Shield is up"),
        ("revealed",      (-1, kinds + 2), "of each other player: the card in its revealed register (one-hot), "
                                           "1 if its Deflector Shield is up, 1 if the own decision is about it"),
        ]
    # fmt: on
    return tuple(parts)


LAYOUT = new_layout("Layout", __name__, parts, ROW, choices.OPTIONS_COMMUNITY)
Layout = type(LAYOUT)
