"""Whether records that come from outside can be played on: the ranges of all fields, and what must agree among them.

Compiled code reads arrays by the numbers in a record without checking them, so a record that was not written by it, as
in a snapshot that somebody sends, must be checked first. What is checked is what keeps every access within its array
and every loop finite, not that the race could have come about. `tests/invariants` has the invariants of real races.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import cards
from roborally_env.core.choices import KINDS, NAMES, OPTION_NAMES
from roborally_env.core.driving.advance import tables_at
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import is_gone
from roborally_env.core.mechanics.owned_upgrades import special_cards
from roborally_env.core.rule import rule
from roborally_env.core.state import (
    ASK_NOTHING,
    ASK_PURCHASES,
    COMMON_FIELDS,
    HAND_WITH_UPGRADES,
    LOG_FIELDS,
    NOBODY,
    NOWHERE,
    PILE,
    REGISTERS,
    Bits,
    Kind,
    game_dtype,
    kind_of,
)
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.core.traits import with_piles, with_upgrades

# what is inconsistent in a record, by number; 0 is nothing
FAULTS = (
    "",
    "`order` does not name each robot once",
    "a robot is off the boards",
    "a start space is off the boards",
    "a checkpoint is off the boards",
    "`reached` is beyond the last checkpoint",
    "nobody has to decide anything at this `step`",
    "`turn` is beyond the last robot",
    "`answers` and `answered` do not agree",
    "the open question has no legal default, or is not one of this game",
    "a hand and `held` do not agree",
    "a draw pile and its counts do not agree",
    "there are more cards than in the box",
    "an upgrade is in two places, or nowhere in its deck",
    "`cubes` or `ramps` has one that the course does not have",
    "`dock_order` does not name each robot once",
    "`tables_at`, `turned` and `course` do not agree",
    "`special`, `team` and `superbot` are not those of the course",
    "an archive marker is off the boards",
    "`deck` does not name each card once",
    "an option is in two places, or nowhere in its deck",
)
(
    SOUND, ORDER, ROBOT, START, CHECKPOINT, REACHED, STEP, TURN, ANSWERS, QUESTION, HAND, DRAW_PILE, BOX, UPGRADE,
    BOARD, DOCK_ORDER, TABLES, TEAMS, ARCHIVE, DECK, OPTION,
) = range(len(FAULTS))  # fmt: skip
_ONE = np.uint64(1)
NO_TURNS = 127  # more than there can be


# -- ranges


def limits_of(kind: Kind, players: int, courses: int, tables: int) -> dict[str, int]:
    """The numbers that the names in ranges stand for: for `players` robots, in a batch with `courses`
    courses and `tables` tables."""
    last_upgrade = max(kind.upgrade_numbers, default=0)
    return {
        "players": players,
        "last_robot": players - 1,
        "seats": kind.seats,
        "last_seat": kind.seats - 1,
        "last_course": courses - 1,
        "last_tables": tables - 1,
        "hand": kind.hand,
        "answers": kind.answers,
        "last_step": len(kind.step_names) - 1,
        "last_card": len(kind.card_names) - 1,
        "last_upgrade": last_upgrade,
        "upgrade_bits": last_upgrade + 1,
        "deck": len(kind.upgrade_numbers),
    }


@lru_cache(maxsize=64)
def ranges_of(game: str, players: int, courses: int, tables: int) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The fields that have a range, and [fields, 6]: first byte, bytes of a number, whether it has a sign, how many
    numbers, the lowest and the highest value."""
    kind = kind_of(game)
    limits = limits_of(kind, players, courses, tables)
    dtype = game_dtype(game)
    names, rows = [], []
    for name, _, _, *more in COMMON_FIELDS + kind.fields + LOG_FIELDS:
        bounds = more[1] if len(more) > 1 else None
        if bounds is None:
            continue
        field, at = dtype.fields[name][:2]  # type: ignore[index]  # a record dtype has fields
        number = field.base
        signed = number.kind == "i" and not isinstance(bounds, Bits)
        low, high = _bounds(bounds, number, limits)
        names.append(name)
        rows.append((at, number.itemsize, signed, field.itemsize // number.itemsize, low, high))
    return tuple(names), np.array(rows, np.int64)


def _bounds(bounds: Any, number: np.dtype[Any], limits: dict[str, int]) -> tuple[int, int]:
    if isinstance(bounds, Bits):
        return 0, (1 << _number(bounds.length, limits)) - 1
    low, high = bounds
    return _number(low, limits), int(np.iinfo(number).max) if high is None else _number(high, limits)


def _number(bound: int | str, limits: dict[str, int]) -> int:
    return limits[bound] if isinstance(bound, str) else bound


@kernel
def first_out_of_range(data, rows):
    """(game, row, place, value) of the first number that is out of its range; game -1 where there is none.

    data: u1 [B, bytes of a record]. rows: as `ranges_of`.
    """
    for i in range(data.shape[0]):
        for f in range(rows.shape[0]):
            at, size, signed, count = rows[f, 0], rows[f, 1], rows[f, 2], rows[f, 3]
            for k in range(count):
                value = np.int64(0)
                for b in range(size):
                    value |= np.int64(data[i, at + k * size + b]) << (8 * b)
                if signed and value >> (8 * size - 1) & 1 and size < 8:
                    value -= np.int64(1) << (8 * size)
                if value < rows[f, 4] or value > rows[f, 5]:
                    return i, f, k, value
    return -1, -1, -1, np.int64(0)


# -- what must agree


@rule
def turns_of_step(game):
    """How many turns there are in the present step; NO_TURNS where the step goes by no robot's turn."""
    return int(game.players)


@rule
def may_be_away(game, r):
    """Whether robot r may be off the board while somebody decides."""
    return is_gone(game, r)


@rule
def may_lack_start(game, r):
    """Whether robot r may have no start space yet while somebody decides."""
    return False


@rule
def may_be_nowhere(course, game, i):
    """Whether checkpoint i + 1, which the course has, may be off the board while somebody decides."""
    return False


@rule
def fault_of_edition(courses, course, game):
    """The number of a fault in the fields of an edition; SOUND if there is none."""
    return SOUND


@kernel
def first_fault(courses, games):
    """(game, fault) of the first record that cannot be played on; game -1 where there is none. The ranges hold."""
    for i in range(games.shape[0]):
        fault = fault_of(courses, games[i])
        if fault != SOUND:
            return i, fault
    return -1, SOUND


@kernel
def fault_of(courses, game):
    """The number of the first fault of a record, whose fields are in range."""
    course = courses[tables_at(game)]
    fault = fault_of_phase(game)
    if fault == SOUND:
        fault = fault_of_question(game)
    if fault == SOUND:
        fault = fault_of_board(course, game)
    if fault == SOUND:
        fault = fault_of_piles(course, game)
    if fault == SOUND:
        fault = fault_of_mats(game)
    if fault == SOUND:
        fault = fault_of_edition(courses, course, game)
    return fault


@kernel
def names_each_robot(order, players):
    """Whether the first `players` entries of an order are the robots, each once."""
    seen = np.int64(0)
    for place in range(players):
        seen |= 1 << np.int64(order[place])
    return seen == (1 << players) - 1


@kernel
def fault_of_phase(game):
    """Turn order, step and turn."""
    if not names_each_robot(game.order, game.players):
        return ORDER
    if game.step != PROGRAM and game.step != OVER and game.ask_seat == NOBODY:
        return STEP
    waits = game.step != PROGRAM and game.step != OVER
    return TURN if waits and game.turn >= turns_of_step(game) else SOUND


@kernel
def fault_of_question(game):
    """The open question and the answers given so far."""
    for i in range(game.answers.shape[0]):
        if i >= game.answered and game.answers[i] != 0:
            return ANSWERS
    if game.answers_read > game.answered or (game.asking == ASK_PURCHASES and game.answered > 0):
        return ANSWERS
    if game.ask_seat == NOBODY:
        return SOUND if game.ask_kind == 0 and game.ask_options == 0 and game.ask_default == 0 else QUESTION
    if game.asking == ASK_NOTHING or game.step == PROGRAM or game.step == OVER:
        return QUESTION
    if game.answered >= game.answers.shape[0]:
        return ANSWERS
    return SOUND if np.uint64(game.ask_options) >> np.uint64(game.ask_default) & _ONE else QUESTION


@kernel
def fault_of_board(course, game):
    """Where robots and checkpoints are."""
    for r in range(game.cell.shape[0]):
        cell = np.int64(game.cell[r])
        if r >= game.players:
            if cell != NOWHERE:
                return ROBOT
            continue
        if course.on_board[cell] == 0 if cell >= 0 else not may_be_away(game, r):
            return ROBOT
        start = np.int64(game.start[r])
        if course.on_board[start] == 0 if start >= 0 else not may_lack_start(game, r):
            return START
        if game.reached[r] > course.checkpoints:
            return REACHED
    for i in range(game.checkpoint.shape[0]):
        cell, first = np.int64(game.checkpoint[i]), np.int64(course.checkpoint[i])
        if cell < 0:
            if first >= 0 and not may_be_nowhere(course, game, i):
                return CHECKPOINT
        elif first < 0 or course.on_board[cell] == 0:
            return CHECKPOINT
    return SOUND


@with_piles(0)
def fault_of_piles(course, game):
    """Hands and draw piles of games in which each robot has a deck, what is in the box, and energy cubes."""
    if course.energy_spaces < 64 and np.uint64(game.cubes) >> np.uint64(course.energy_spaces):
        return BOARD
    box = np.int64(0)
    for kind in range(cards.DAMAGE_KINDS):
        box += np.int64(game.damage_pile[kind])
    damage = box
    for r in range(game.cell.shape[0]):
        if not hand_is_packed(game, r) or game.held[r] > HAND_WITH_UPGRADES:
            return HAND
        used = np.int64(game.drawable[r]) + np.int64(game.discarded[r])
        top = PILE - np.int64(game.known[r])
        if used > top:
            return DRAW_PILE
        for i in range(PILE):
            if (game.pile[r, i] != cards.NONE) != (i < used or i >= top):
                return DRAW_PILE
        damage += damage_cards(game, r)
    for r in range(game.players):
        if other_cards(game, r) + routines_to_come(game, r) + damage > PILE:
            return BOX
    return SOUND


@kernel
def hand_is_packed(game, r):
    """Whether a hand has cards in its first `held` slots, and in no other."""
    for i in range(game.hand.shape[1]):  # noqa: SIM110  numba compiles no generators into kernels
        if (game.hand[r, i] != cards.NONE) != (i < game.held[r]):
            return False
    return True


@kernel
def is_damage_card(card):
    """Whether a card is one of the damage cards."""
    return card >= cards.SPAM and card <= cards.TROJAN_HORSE


@kernel
def damage_cards(game, r):
    """How many damage cards robot r has."""
    found = 0
    for i in range(PILE):
        found += is_damage_card(game.pile[r, i])
    for i in range(game.hand.shape[1]):
        found += is_damage_card(game.hand[r, i])
    for k in range(REGISTERS):
        found += is_damage_card(game.registers[r, k]) + is_damage_card(game.laid_on[r, k])
    return found


@kernel
def other_cards(game, r):
    """How many cards robot r has that are no damage cards."""
    found = np.int64(game.held[r]) + np.int64(game.drawable[r])
    found += np.int64(game.discarded[r]) + np.int64(game.known[r])
    for k in range(REGISTERS):
        found += (game.registers[r, k] != cards.NONE) + (game.laid_on[r, k] != cards.NONE)
    return found - damage_cards(game, r)


@with_upgrades(0)
def routines_to_come(game, r):
    """How many special programming cards robot r may still get."""
    found = 0
    for upgrade in range(special_cards(game).shape[0]):
        found += special_cards(game)[upgrade] != 0 and not game.had[r] >> upgrade & 1
    return found


@with_upgrades(0)
def fault_of_mats(game):
    """The places of upgrade cards: in the deck, for sale and on mats."""
    if not names_each_robot(game.given_order, game.players):
        return ORDER
    seen = np.int64(0)
    for i in range(game.upgrade_deck.shape[0]):
        card = np.int64(game.upgrade_deck[i])
        if (card != 0) != (i < game.upgrades_left):
            return UPGRADE
        if card != 0 and seen >> card & 1:
            return UPGRADE
        seen |= np.int64(card != 0) << card
    for slot in range(game.shop.shape[0]):
        card = np.int64(game.shop[slot])
        if card != 0 and (seen >> card & 1 or slot >= game.players):
            return UPGRADE
        seen |= np.int64(card != 0) << card
    owned = np.int64(0)
    for r in range(game.cell.shape[0]):
        mine = np.int64(game.owned[r])
        if mine & seen or mine & 1:
            return UPGRADE
        seen |= mine
        owned |= mine
    return SOUND if owned == game.on_mats else UPGRADE


# -- called by those who take records


def check_records(where: str, records: NDArray[Any], game: str, players: int, courses: int, tables: int) -> None:
    """Raise a RoboRallyError that names the first field that is out of range.

    Args:
        where: begins the message.
        records: [B] of a kind of record.
        game: the name of that kind.
        players: robots in each race.
        courses, tables: how many courses the batch has, and how many tables of courses.
    """
    assert sys.byteorder == "little"  # numbers are put together from their bytes
    names, rows = ranges_of(game, players, courses, tables)
    data = records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
    i, f, k, value = first_out_of_range(data, rows)
    if i >= 0:
        size = int(rows[f, 3])
        place = "" if size == 1 else f"[{k}]"
        raise RoboRallyError(f"{where}: game {i}: {names[f]}{place} is {value}; expected {rows[f, 4]} to {rows[f, 5]}")


def check_agreement(where: str, records: NDArray[Any], courses: NDArray[Any]) -> None:
    """Raise a RoboRallyError for the first record, with fields in range, that cannot be played on `courses`."""
    i, fault = first_fault(courses, records)
    if i >= 0:
        raise RoboRallyError(f"{where}: game {i}: {FAULTS[fault]}")
    for i in np.flatnonzero(records["ask_seat"] != NOBODY).tolist():
        kind, options = int(records["ask_kind"][i]), int(records["ask_options"][i])
        if not (0 < kind < KINDS and NAMES[kind] and options < 1 << len(OPTION_NAMES.get(kind, ()))):
            raise RoboRallyError(f"{where}: game {i}: {FAULTS[QUESTION]}")
