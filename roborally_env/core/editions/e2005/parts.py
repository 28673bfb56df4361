"""The parts of the symbolic vector of the 2005 edition.

This table is the source of the writer, the spaces and the docs.
"""

from typing import Any

from roborally_env.core import cards, choices, options
from roborally_env.core.seeing.parts import (
    CELL,
    FARTHEST,
    FARTHEST_PLACE,
    MOST,
    PLACE,
    POSITION,
    PROGRESS,
    SHOWN,
    Row,
    new_layout,
    others,
)
from roborally_env.core.state import HAND, REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS

KINDS = cards.U_TURN  # kinds of program cards
CARD = KINDS + 1  # a card: its kind, and its priority number
ASKED = 2 + choices.LAST_2005 - choices.KINDS_2016  # decisions besides the program: reboot_facing, those of 2005 alone
# fmt: off
ROW: Row = (
    ("place",        2, "cells ahead / 16, to the right / 16 (0 off the board)", -FARTHEST, FARTHEST),
    ("heading",      4, "heading relative to the own (one-hot)"),
    ("reached",      1, "flags reached / 8"),
    ("distance",     1, "distance / 16 registers", 0.0, MOST),
    ("damage",       1, "damage / 10"),
    ("lives",        1, "lives / 4"),
    ("locked",       1, "locked registers / 5"),
    ("down",         1, "powered down"),
    ("announced",    1, "announced"),
    ("off_board",    1, "off the board"),
    ("own_team",     1, "own team"),
    ("superbot",     1, "the SuperBot"),
    ("blocker",      1, "a blocker"),
    ("carries",      1, "carries a flag"),
    ("asked_about",  1, "the own decision is about it"),
    ("options",      options.COUNT, "then 1 for each of its options"),
    ("cards",        REGISTERS * CARD, "then the cards in its registers as far as they lie open (revealed in this "
                                       "turn, or locked): kind and number"),
)
# fmt: on


def parts(every_choice: bool) -> tuple[tuple[Any, ...], ...]:
    """The parts (`Part`); with every choice open the vector is longer at its end."""
    # fmt: off
    parts: list[tuple[Any, ...]] = [
        ("hand",          (HAND, CARD), "the card in each slot of the hand: one-hot of its kind, number / 840"),
        ("locked",        (REGISTERS,),    "1 for each own register that is locked"),
        ("locked_cards",  (REGISTERS, CARD), "the cards in them likewise"),
        ("damage",        (1,),            "damage tokens / 10"),
        ("lives",         (1,),            "life tokens / 4"),
        ("archive",       (3,),            f"own archive marker: {PLACE}", *FARTHEST_PLACE),
        ("own_options",   (options.COUNT,), "1 for each own option, in the order of `roborally cards --edition 2005`"),
        ("power",         (3,),            "powered down, announced for the next turn, off the board"),
        ("position",      (2,),            "own column and row / 32; zeros off the board", *POSITION),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("progress",      (3,),            "flags reached / 8, flags of the course / 8, turn number / 32"
                                           f"{SHOWN}", *PROGRESS),
        ("distance",      (1,),            f"belt-aware distance to the next flag / 16 registers{SHOWN}", 0.0, MOST),
        ("target",        (2, 3),          f"next flag, the one after: {PLACE}", *FARTHEST_PLACE),
        ("ways",          (4, 3, 2),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls]"),
        ("cell",          (9,),            "own cell: slow, fast belt, its way (ahead ..), gear (1 right, -1 left), "
                                           f"beams / 3{SHOWN}, repair site: 1 wrench, 2 wrench and hammer",
                                           (*CELL[0], 0.0), (*CELL[1], 2.0)),
        ("decision",      (2,),            "1 if this seat must submit a program, 1 if it has another choice"),
        ("flags",         (MAX_CHECKPOINTS,), "each flag: 1 held (Toggle Boggle) or carried (Capture the Flag) by the "
                                           "own team, -1 by another", -1.0, 1.0),
        ("role",          (2,),            "1 the SuperBot, 1 a blocker"),
        ("unseen",        (KINDS,),   "cards of each kind that are neither in the own hand nor lie open / 18"),
        others(ROW),
    ]
    if every_choice:
        parts += [
        ("asked",         (ASKED,),   "one-hot: the pending decision of this seat, in the order below"),
        ("options",       (choices.OPTIONS_2005,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register being played; zeros while programming"),
        ("registers",     (REGISTERS, CARD), "the cards in the own registers: kind and number"),
        ("laid_by",       (2, CARD),  "the cards on the own Conditional Program and Flywheel"),
        ("marks",         (3,),            "Abort Switch thrown, Gyroscopic Stabilizer active, Recompile decided"),
        ]
    # fmt: on
    return tuple(parts)


LAYOUT = new_layout("Layout", __name__, parts, ROW, choices.OPTIONS_2005)
Layout = type(LAYOUT)
