"""The parts of the symbolic vector: names, shapes, meanings, and where each begins.

Each edition has its own table of parts; the functions here serve all editions.
"""

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from roborally_env.core.cards import KINDS
from roborally_env.core.rule import overrides_of, rule
from roborally_env.core.state import kind_of

KNOWN_TOP = 3  # how many cards of the own deck's known top are shown
PLACE = "cells ahead, right / 16, 1 if there"

Part = tuple[str, tuple[int, ...], str]  # name, shape (a negative length: one row for each other player), meaning
Row = tuple[tuple[str, int, str], ...]  # of a row of another player: name, length, meaning


@cache
def parts_of(game: str, every_choice: bool = False) -> tuple[Part, ...]:
    """The parts of the symbolic vector of a kind of game, in their order."""
    return tuple(kind_of(game).parts(every_choice))


def symbolic_size(players: int, game: str, every_choice: bool = False) -> int:
    """Length of the symbolic vector."""
    shapes = [shape for _, shape, _ in parts_of(game, every_choice)]
    return sum(int(np.prod([players - 1 if n < 0 else n for n in shape])) for shape in shapes)


def count_columns(game: str) -> int:
    """The columns of the scratch `counts` in which `observe_symbolic` counts the cards of piles, one a kind of card."""
    return max(KINDS, 1 + int(layout_of(game).kinds))


def others(row: Row) -> Part:
    """The part of the rows of the other players, in seat order after the own seat."""
    return "others", (-1, sum(length for _, length, _ in row)), ", ".join(meaning for _, _, meaning in row)


def new_layout(
    name: str,
    module: str,
    parts_of_it: Callable[[bool], tuple[Part, ...]],
    row: Row,
    option_count: int,
    absent: tuple[str, ...] = (),
) -> Any:
    """Where each part up to `others` begins, and the sizes that the writers need: a named tuple of whole numbers.

    `parts_of_it` gives the parts, also where every choice is asked. The sizes are `slots` of a hand, `kinds` of numbers
    that show a card, `option_count`, and `row`: the length of a row of `others`. `row_NAME` is where a part of such a
    row begins in it, `last_NAME` where a part behind all rows begins behind them. Parts that are `absent`, but that the
    writer looks for, are at -1. The tuple's class has to be kept as `name` in `module`: machine code that is loaded
    from a file asks for it there.
    """
    parts = parts_of_it(False)
    last = [(f"last_{part}", int(np.prod(np.abs(shape)))) for part, shape, _ in parts_of_it(True)[len(parts) :]]
    at, offsets = 0, dict.fromkeys(absent, -1)
    shapes = {part: shape for part, shape, _ in parts}
    for part, shape in shapes.items():
        offsets[part] = at
        at += int(np.prod([n for n in shape if n > 0]))
    sizes = {
        "slots": shapes["hand"][0],
        "kinds": shapes["hand"][1],
        "option_count": option_count,
        "row": shapes["others"][1],
    }
    for beside in ([(f"row_{part}", length) for part, length, _ in row], last):
        at = 0
        for part, length in beside:
            sizes[part] = at
            at += length
    return namedtuple(name, [*offsets, *sizes], module=module)(**offsets, **sizes)


def layout_of(game: str) -> Any:
    """The layout of a game's symbolic vector, up to the rows of the other players."""
    return overrides_of(game)[layout].value


@rule(required=True)
def layout(game):
    """The layout of a record's game: a constant at compile time."""
