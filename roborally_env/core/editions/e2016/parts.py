"""The parts of the symbolic vector of the 2016 games, and of 2023 where they are equal.

This table is the source of the writer, the spaces and the docs.
"""

from functools import partial
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
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, MAX_PLAYERS, REGISTERS


def parts_with(
    with_upgrades: bool, every_choice: bool, collects: bool = False, deck: tuple[int, ...] = upgrades.DECK
) -> tuple[tuple[Any, ...], ...]:
    """The parts (`Part`) of the symbolic vector of a 2016 game, or of a 2023 game (`collects`), with
    a `deck` of upgrades.

    With upgrades and `every_choice` there are more parts at the end.
    """
    last = max(deck)
    hand, kinds = (HAND_WITH_UPGRADES, cards.KINDS - 1) if with_upgrades else (HAND, cards.TROJAN_HORSE)
    # fmt: off
    parts: list[tuple[Any, ...]] = [
    #    name             shape            what, and the bounds where they are not 0 and 1
        ("hand",          (hand, kinds),   "one-hot: the card in each slot of the hand"),
        ("draw_pile",     (kinds,),        "cards of each kind in the own draw pile / 4",
                                           0.0, copies(kinds)),
        ("discard_pile",  (kinds,),        "cards of each kind in the own discard pile / 4",
                                           0.0, copies(kinds)),
        ("position",      (2,),            "own column and row / 32", *POSITION),
        ("facing",        (4,),            "one-hot: N E S W"),
        ("energy",        (1,),            f"cubes / 10{SHOWN}", 0.0, MOST),
        ("progress",      (3,),            "checkpoints reached / 8, checkpoints of the course / 8, round number / 32"
                                           f"{SHOWN}", *PROGRESS),
        ("distance",      (1,),            "belt-aware distance to the next checkpoint / 16 registers"
                                           f"{SHOWN}", 0.0, MOST),
        ("target",        (2, 3),          f"next checkpoint, the one after: {PLACE}", *FARTHEST_PLACE),
        ("antenna",       (3,),            "the priority antenna likewise", *FARTHEST_PLACE),
        ("ways",          (4, 3, 2),       "ahead, right, behind, left; cells 1 to 3: [stopped, falls]"),
        ("cell",          (8,),            "own cell: slow, fast belt, its way (ahead ..), gear (1 right, -1 left), "
                                           f"beams / 3{SHOWN}", *CELL),
        ("priority",      (1,),            "players that would act before / 8", 0.0, (MAX_PLAYERS - 1) / 8),
        ("damage_piles",  (4,),            "SPAM, Worm, Virus, Trojan Horse left in the box / 32",
                                           0.0, cards.DAMAGE_BOX / 32),
    ]
    if collects:
        parts += [
        ("decision",      (2,),            "1 if this seat must submit a program, 1 if it has another choice"),
        ("upgrades",      (last,),         "1 for each upgrade on the own mat, in the order of `roborally cards`"),
        ("collection",    (last,),         "1 for each upgrade of the own collection, not installed"),
        ("upgrade_discard", (last,),         "1 for each upgrade in the upgrade discard pile"),
        ("upgrade_phase", (3,),            "1 if this seat drew, 1 if it installed in the last upgrade phase, or this "
                                           "one; cards in the upgrade deck / 40"),
        ]
    elif with_upgrades:
        parts += [
        ("decision",      (2,),            "1 if this seat must submit a program, 1 if it may buy an upgrade"),
        ("upgrades",      (last,),         "1 for each upgrade on the own mat, in the order of `roborally cards`"),
        ("shop",          (last,),         "1 for each upgrade for sale, 2 if this seat may buy it now",
         0.0, 2.0),
        ]
    else:
        parts += [
        ("decision",      (3,),            "one-hot, the decision of this seat: program, reboot_facing, damage_kind"),
        ("options",       (choices.OPTIONS_WITHOUT_UPGRADES,), "legal options of that decision"),
        ]
    parts.append(others(row_with(with_upgrades, collects, deck)))
    if with_upgrades and every_choice:
        parts += [
        ("asked",         (decision_kinds(collects, last),),
         "one-hot: the pending decision of this seat, in the order below"),
        ("options",       (1 + last,),     "legal options of that decision"),
        ("register",      (REGISTERS,),    "one-hot: the register being played; zeros while programming"),
        ("registers",     (REGISTERS, kinds), "one-hot: the cards in the own registers"),
        ("known_top",     (KNOWN_TOP, kinds), "one-hot: the uppermost cards that lie known on the own deck"),
        ("marks",         (3,),            "Admin Privilege, Defrag Gizmo used in this round; Deflector Shield is up"),
        ("revealed",      (-1, kinds + 2), "of each other player: the card in its revealed register (one-hot), "
                                           "1 if its Deflector Shield is up, 1 if the own decision is about it"),
        ]
    # fmt: on
    return tuple(parts)


def row_with(with_upgrades: bool, collects: bool = False, deck: tuple[int, ...] = upgrades.DECK) -> Row:
    """The row of another player; see `parts_with`."""
    kinds = cards.KINDS - 1 if with_upgrades else cards.TROJAN_HORSE
    # fmt: off
    row: Row = (
        ("place",      2, "cells ahead / 16, to the right / 16", -FARTHEST, FARTHEST),
        ("heading",    4, "heading relative to the own (one-hot)"),
        ("reached",    1, "checkpoints reached / 8"),
        ("distance",   1, "distance / 16 registers", 0.0, MOST),
        ("energy",     1, "energy / 10", 0.0, MOST),
        ("before",     1, "acts before"),
        ("rebooted",   1, "rebooted"),
        ("damage",     1, "damage cards in its deck / 16", 0.0, int(cards.DAMAGE_BOX.sum()) / 16),
        ("hidden",     kinds, "then cards of each kind in its hand, face-down registers and draw pile together / 4",
                          0.0, copies(kinds)),
    )
    # fmt: on
    if with_upgrades:
        row += (("upgrades", max(deck), "then 1 for each of its upgrades"),)
    if collects:
        row += (("collection", 1, "then the cards of its collection / 8", 0.0, upgrades.COUNT / 8),)
    return row


def decision_kinds(collects: bool, last: int) -> int:
    """How many decision kinds a game with upgrades up to number `last` has: those of 2016, 2023 and later cards."""
    return choices.KINDS_2016 - 1 + collects * len(choices.KINDS_2023) + max(0, last + 1 - upgrades.FREE[0])


def lighter_parts(every_choice: bool) -> tuple[tuple[Any, ...], ...]:
    """The parts of the lighter game."""
    return parts_with(False, every_choice)


def complete_parts(every_choice: bool) -> tuple[tuple[Any, ...], ...]:
    """The parts of the complete game."""
    return parts_with(True, every_choice)


def layout_with(deck: tuple[int, ...], name: str, module: str) -> Any:
    """The layout of the complete game with a deck of upgrades; see `new_layout`."""
    row = row_with(True, deck=deck)
    return new_layout(name, module, partial(parts_with, True, deck=deck), row, 1 + max(deck), absent=("options",))


LIGHTER = new_layout("LighterLayout", __name__, lighter_parts, row_with(False), choices.OPTIONS_WITHOUT_UPGRADES)
COMPLETE = layout_with(upgrades.DECK, "CompleteLayout", __name__)
LighterLayout, CompleteLayout = type(LIGHTER), type(COMPLETE)
