"""The parts of the symbolic vector: names, shapes, meanings, and where each begins.

Each edition has its own table of parts; the functions here serve all editions.
"""

from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roborally_env.base.registry import cache_until_registered
from roborally_env.core.cards import DAMAGE_BOX, DECK_COUNTS, KINDS, SPAM
from roborally_env.core.rule import overrides_of, rule
from roborally_env.core.state import kind_of
from roborally_env.courses.model import MAX_HEIGHT, MAX_WIDTH

KNOWN_TOP = 3  # how many cards of the own deck's known top are shown
PLACE = "cells ahead, right / 16, 1 if there"
MOST = 8.0  # unbounded numbers, such as energy, rounds and distances, are clipped here
SHOWN = f" (at most {MOST:.0f})"
FARTHEST = (max(MAX_WIDTH, MAX_HEIGHT) - 1) / 16  # cells between two places of a course / 16
FARTHEST_PLACE = (-FARTHEST, -FARTHEST, 0.0), (FARTHEST, FARTHEST, 1.0)  # bounds of a PLACE
POSITION = 0.0, ((MAX_WIDTH - 1) / 32, (MAX_HEIGHT - 1) / 32)  # of a column and a row
PROGRESS = 0.0, (1.0, 1.0, MOST)  # checkpoints reached, checkpoints of the course, rounds
CELL = (0.0,) * 6 + (-1.0, 0.0), (1.0,) * 7 + (MOST,)  # what `write_cell` writes


class Part(NamedTuple):
    """A part of the symbolic vector. The tables write such rows as plain tuples, and leave out the usual bounds."""

    name: str
    shape: tuple[int, ...]  # a negative length: one row for each other player
    meaning: str
    low: Any = 0.0  # no number is below: one bound for all, or one for each along the last axes
    high: Any = 1.0


class RowPart(NamedTuple):
    """A part of a row of another player, written likewise."""

    name: str
    length: int
    meaning: str
    low: Any = 0.0
    high: Any = 1.0


Row = tuple[tuple[Any, ...], ...]  # the rows of such a table: RowPart as plain tuples


def copies(kinds: int) -> Any:
    """The most cards of each kind, from 1 up to the number `kinds`, that one robot can have, / 4: those of its deck, of
    the damage cards in the box, and of each special card one."""
    most = np.ones(kinds + 1)
    known = min(kinds + 1, len(DECK_COUNTS))
    most[:known] = np.maximum(1, DECK_COUNTS[:known])
    most[SPAM : SPAM + len(DAMAGE_BOX)] = DAMAGE_BOX
    return most[1:] / 4


@cache_until_registered()
def parts_of(game: str, every_choice: bool = False) -> tuple[Part, ...]:
    """The parts of the symbolic vector of a kind of game, in their order."""
    return tuple(Part(*row) for row in kind_of(game).parts(every_choice))


def symbolic_size(players: int, game: str, every_choice: bool = False) -> int:
    """Length of the symbolic vector."""
    return sum(int(np.prod(shape_of(part, players))) for part in parts_of(game, every_choice))


def shape_of(part: Part, players: int) -> tuple[int, ...]:
    """The shape of a part with n players."""
    return tuple(players - 1 if n < 0 else n for n in part.shape)


def bounds_of(part: Part, players: int) -> tuple[Any, Any]:
    """The least and the greatest that each number of a part can be: two float32 arrays of its shape."""
    low, high = (np.broadcast_to(np.asarray(each, np.float32), shape_of(part, players)) for each in part[3:])
    return low, high


def count_columns(game: str) -> int:
    """The columns of the scratch `counts` in which `observe_symbolic` counts the cards of piles, one a kind of card."""
    return max(KINDS, 1 + int(layout_of(game).kinds))


def others(row: Row) -> Part:
    """The part of the rows of the other players, in seat order after the own seat."""
    parts = [RowPart(*each) for each in row]
    low, high = (np.concatenate([np.broadcast_to(part[at], part.length) for part in parts]) for at in (3, 4))
    return Part("others", (-1, len(low)), ", ".join(part.meaning for part in parts), low, high)


def new_layout(
    name: str,
    module: str,
    parts_of_it: Callable[[bool], tuple[tuple[Any, ...], ...]],
    row: Row,
    option_count: int,
    absent: tuple[str, ...] = (),
) -> Any:
    """Where each part up to `others` begins, and the sizes that the writers need: a named tuple of whole numbers.

    `parts_of_it` gives the parts, also with every choice open. The sizes are `slots` of a hand, `kinds` of numbers
    that show a card, `option_count`, and `row`: the length of a row of `others`. `row_NAME` is where a part of such a
    row begins in it, `last_NAME` where a part behind all rows begins behind them. Parts that are `absent`, but that the
    writer looks for, are at -1. The tuple's class has to be kept as `name` in `module`: machine code that is loaded
    from a file asks for it there.
    """
    parts, every = ([Part(*part) for part in parts_of_it(every_choice)] for every_choice in (False, True))
    last = [(f"last_{part.name}", int(np.prod(np.abs(part.shape)))) for part in every[len(parts) :]]
    at, offsets = 0, dict.fromkeys(absent, -1)
    shapes = {part.name: part.shape for part in parts}
    for part, shape in shapes.items():
        offsets[part] = at
        at += int(np.prod([n for n in shape if n > 0]))
    sizes = {
        "slots": shapes["hand"][0],
        "kinds": shapes["hand"][1],
        "option_count": option_count,
        "row": shapes["others"][1],
    }
    for beside in ([(f"row_{part[0]}", part[1]) for part in row], last):
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
