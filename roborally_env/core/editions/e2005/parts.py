"""The parts of the symbolic vector of the 2005 edition.

The table is the one description: the writer, the spaces and the docs come from it.
"""

from roborally_env.core import cards, choices, options
from roborally_env.core.seeing.parts import PLACE, Part, new_layout
from roborally_env.core.state import HAND, REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS

KINDS = cards.U_TURN  # kinds of program cards
CARD = KINDS + 1  # a card: its kind, and its priority number
ASKED = 2 + choices.LAST_2005 - choices.KINDS_2016  # decisions besides the program: reboot_facing, those of 2005 alone
# a row of another robot up to its options, and up to the cards of its program
ROW_OPTIONS = 19
ROW_CARDS = ROW_OPTIONS + options.COUNT


def parts(every_choice: bool) -> tuple[Part, ...]:
    """Name, shape and meaning of each part; the vector is longer at its end where every choice is asked."""
    other = ROW_CARDS + REGISTERS * CARD
    # fmt: off
    parts: list[Part] = [
        ("hand",          (HAND, CARD), "the card in each slot of the hand: one-hot of its kind, number / 840"),
        ("locked",        (REGISTERS,),    "1 for each own register that is locked"),
        ("locked_cards",  (REGISTERS, CARD), "the cards in them likewise"),
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
        ("unseen",        (KINDS,),   "cards of each kind that are neither in the own hand nor lie open / 18"),
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
        ("asked",         (ASKED,),   "one-hot: the decision that is asked of this seat, in the order below"),
        ("options",       (choices.OPTIONS_2005,), "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register that is played; zeros before programs are laid"),
        ("registers",     (REGISTERS, CARD), "the cards in the own registers: kind and number"),
        ("laid_by",       (2, CARD),  "the cards on the own Conditional Program and Flywheel"),
        ("marks",         (3,),            "Abort Switch thrown, Gyroscopic Stabilizer active, Recompile asked about"),
        ]
    # fmt: on
    return tuple(parts)


LAYOUT = new_layout("Layout", __name__, parts(False), choices.OPTIONS_2005)
Layout = type(LAYOUT)
