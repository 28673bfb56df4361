"""Invariants of a game of the 2005 edition between two steps; `check_game` checks them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from roborally_env.core import options
from roborally_env.core.cards import BACK_UP, NONE
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, card_name
from roborally_env.core.choices import KINDS_2016, LAST_2005, REBOOT_FACING
from roborally_env.core.editions.e2005.locks import DESTRUCTION
from roborally_env.core.editions.e2005.steps import BEGIN_REGISTER, SET_UP, STEP_NAMES
from roborally_env.core.mechanics.owned_upgrades import locked
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import ASK_ALL, HAND, NOBODY, NOWHERE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.special import (
    CAPTURE_THE_FLAG,
    CLAIMS,
    NO_POWER_DOWN,
    SHARED_FLAGS,
    SUPERBOT,
    TURNING_BOARDS,
    team_of,
)
from roborally_env.courses.tables import HAS_MOVING
from tests.invariants.game import Check, add_checks, broken, question_is_open

_SCRATCH = ("want", "hits", "beams", "shots", "rear_shots", "instead", "controls")


def _seats(game: Any, course: Any) -> None:
    """The first `players` seats are robots, the others are empty."""
    seats, players = len(game.cell), int(game.players)
    assert 1 <= players <= seats, broken(_seats, f"{players} robots in {seats} seats")
    for r in range(players, seats):
        empty = game.cell[r] == NOWHERE and not game.held[r] and not game.registers[r].any() and not game.options[r]
        assert empty, broken(_seats, f"seat {r}: cell {game.cell[r]}, hand {game.hand[r]}")
    live = (1 << players) - 1
    for name in ("down", "announced", "destroyed", "sent_home", "aborted", "stabilized", "recompiled", "acted"):
        assert int(game[name]) & ~live == 0, broken(_seats, f"{name} {int(game[name]):b} of {players} robots")


def _places(game: Any, course: Any) -> None:
    """Each robot that is not destroyed, sent home or about to be set up stands alone on a cell that is no pit."""
    taken: dict[int, int] = {}
    for r in range(game.players):
        cell = int(game.cell[r])
        assert 0 <= game.facing[r] <= 3, broken(_places, f"robot {r} faces {game.facing[r]}")
        if cell < 0:
            away = int(game.destroyed) | int(game.sent_home)
            waits = away >> r & 1 or (game.step == SET_UP and int(game.special) & CAPTURE_THE_FLAG)
            assert waits, broken(_places, f"robot {r} is nowhere")
            continue
        assert not int(game.destroyed) >> r & 1, broken(_places, f"destroyed robot {r} on cell {cell}")
        over_pit = bool(course.pit[cell]) and not game.turned.any()  # a board that turns leaves robots in place
        assert bool(course.on_board[cell]) and not over_pit, broken(_places, f"robot {r} on cell {cell}")
        assert cell not in taken, broken(_places, f"robots {taken.get(cell)} and {r} on cell {cell}")
        taken[cell] = r


def _lives(game: Any, course: Any) -> None:
    """Lives and damage are in range; a robot without lives is off the board; archive markers lie on boards."""
    for r in range(game.players):
        assert 0 <= game.lives[r] <= 4, broken(_lives, f"robot {r}: {game.lives[r]} lives")
        assert 0 <= game.damage[r] <= DESTRUCTION, broken(_lives, f"robot {r}: {game.damage[r]} damage")
        on_board = game.cell[r] >= 0
        assert not on_board or game.damage[r] < DESTRUCTION, broken(_lives, f"robot {r}: ten tokens on the board")
        assert game.lives[r] > 0 or not on_board, broken(_lives, f"robot {r}: no lives, on cell {game.cell[r]}")
        archive = int(game.archive[r])
        if game.step == SET_UP and archive == NOWHERE:
            continue
        assert archive >= 0 and bool(course.on_board[archive]), broken(
            _lives, f"robot {r}: archive marker on {archive}"
        )
    since = sorted(int(place) for place in game.dead_since if place)
    assert all(place <= game.players for place in since), broken(_lives, f"order of destruction {game.dead_since}")


def _turn_order(game: Any, course: Any) -> None:
    """Turn order and dock order name each robot once; the turn, the register and the step are in range."""
    everybody = list(range(game.players))
    for name in ("order", "dock_order"):
        order = game[name][: game.players].tolist()
        assert sorted(order) == everybody, broken(_turn_order, f"{name} {order}")
    assert 0 <= game.turn <= game.players, broken(_turn_order, f"turn {game.turn}")
    assert 0 <= game.register < REGISTERS, broken(_turn_order, f"register {game.register}")
    assert 0 <= game.step < len(STEP_NAMES), broken(_turn_order, f"step {game.step}")


def _scratch(game: Any, course: Any) -> None:
    """Fields that only serve within a step are zero between steps."""
    for name in _SCRATCH:
        assert not game[name].any(), broken(_scratch, f"{name} {game[name].tolist()}")


def _deck(game: Any, course: Any) -> None:
    """The deck lists all 84 cards; none that can be drawn lies anywhere else, and no card lies in two places."""
    assert sorted(game.deck.tolist()) == list(range(1, DECK_SIZE + 1)), broken(_deck, f"deck {game.deck.tolist()}")
    assert 0 <= game.deck_left <= DECK_SIZE, broken(_deck, f"{game.deck_left} cards left")
    places = Counter(game.deck[: game.deck_left].tolist()) + Counter(game.top[: game.tops].tolist())
    for r in range(game.players):
        places += Counter(cards_of(game, r))
    twice = [card_name(card) for card, count in places.items() if count > 1 and card <= DECK_SIZE]
    assert not twice, broken(_deck, f"more than once: {', '.join(twice)}")


def _hands(game: Any, course: Any) -> None:
    """A hand lies at the front of its slots; when programs are wanted it has at most nine cards and enough of them."""
    for r in range(game.players):
        hand, held = game.hand[r], int(game.held[r])
        assert hand[:held].all() and not hand[held:].any(), broken(_hands, f"robot {r}: hand {hand}, {held} held")
        if game.step != PROGRAM:
            continue
        assert held <= HAND or not game.lays_aside, broken(_hands, f"robot {r}: {held} cards")
        if _programmed(game, r):
            open_registers = REGISTERS - _bits(locked(game.record, r))
            assert held >= open_registers, broken(_hands, f"robot {r}: {held} cards for {open_registers} registers")
        else:
            assert held == 0, broken(_hands, f"robot {r} has {held} cards and no program")


def _registers(game: Any, course: Any) -> None:
    """When programs are wanted only locked registers have cards. A second card goes with a move card, a rotation with
    it; priority numbers stand only where a card lies, and Crab Legs are noted only of two cards."""
    for r in range(game.players):
        registers, locks = game.registers[r], locked(game.record, r)
        if game.step == PROGRAM:
            for k in range(REGISTERS):
                assert bool(locks >> k & 1) or not registers[k], broken(
                    _registers, f"robot {r}: register {k + 1} {registers}"
                )
        for k in range(REGISTERS):
            second = int(game.laid_on[r, k])
            if second:
                fits = NONE < ACTION[registers[k]] <= BACK_UP < ACTION[second]
                assert fits, broken(_registers, f"robot {r}: register {k + 1} has {registers[k]} and {second}")
            assert bool(registers[k]) or not game.pace[r, k], broken(_registers, f"robot {r}: pace {game.pace[r]}")
            with_legs = int(game.with_legs[r]) >> k & 1
            had_legs = int(game.had[r]) >> options.CRAB_LEGS & 1
            assert not with_legs or (second and had_legs), broken(_registers, f"robot {r}: legs in register {k + 1}")


def _options(game: Any, course: Any) -> None:
    """Each option is in the deck, before one player, or out of the game; what lies on an option needs it."""
    deck = [int(o) for o in game.option_deck if o]
    places = list(deck)
    for r in range(game.players):
        own = [o for o in range(1, options.COUNT + 1) if int(game.options[r]) >> o & 1]
        places += own
        assert int(game.options[r]) & ~int(game.had[r]) == 0, broken(_options, f"robot {r} never got all of {own}")
        for name, option in (
            ("coat", options.ABLATIVE_COAT),
            ("howitzer", options.MINI_HOWITZER),
            ("flywheel", options.FLYWHEEL),
            ("conditional", options.CONDITIONAL_PROGRAM),
        ):
            assert not game[name][r] or option in own, broken(
                _options, f"robot {r}: {name} {game[name][r]}, options {own}"
            )
    assert len(set(places)) == len(places), broken(_options, f"options twice among {sorted(places)}")
    on_table = int(np.bitwise_or.reduce(game.options[: game.players]))
    assert on_table == int(game.on_table), broken(
        _options, f"on the table {int(game.on_table):b}, before players {on_table:b}"
    )
    left, under = int(game.options_left), int(game.options_under)
    assert len(deck) == left + under, broken(_options, f"{len(deck)} options in a deck of {left} and {under}")
    assert game.option_deck[:left].all(), broken(_options, f"option deck {game.option_deck}")


def _power(game: Any, course: Any) -> None:
    """No robot is down on a course without power downs."""
    never = int(game.special) & NO_POWER_DOWN and (game.down or game.announced)
    assert not never, broken(_power, f"down {int(game.down):b}, announced {int(game.announced):b}")


def _flags(game: Any, course: Any) -> None:
    """Flags reached are in range, flags lie on boards unless carried or on their way; teams are as the course says."""
    special = int(game.special)
    assert special == int(course.special), broken(
        _flags, f"special rules {special:b}, the course has {int(course.special):b}"
    )
    for r in range(game.players):
        assert 0 <= game.reached[r] <= course.checkpoints, broken(_flags, f"robot {r}: flag {game.reached[r]}")
        assert game.team[r] == team_of(special, r), broken(_flags, f"robot {r}: team {game.team[r]}")
        if special & SHARED_FLAGS:
            same = {int(game.reached[q]) for q in range(game.players) if game.team[q] == game.team[r]}
            assert len(same) == 1, broken(_flags, f"team {game.team[r]}: flags {same}")
    for i in range(course.checkpoints):
        cell = int(game.checkpoint[i])
        carried = bool(special & CAPTURE_THE_FLAG) and i < 2 and game.carrier[i] != NOBODY
        moves = carried or bool(course.has & HAS_MOVING) or bool(special & CAPTURE_THE_FLAG)
        assert moves or cell == course.checkpoint[i], broken(_flags, f"flag {i + 1} on cell {cell}")
        assert (cell == NOWHERE) or bool(course.on_board[cell]), broken(_flags, f"flag {i + 1} on cell {cell}")
        assert not carried or game.cell[game.carrier[i]] >= 0, broken(
            _flags, f"flag {i + 1}: its carrier is off the board"
        )
    if not special & CLAIMS:
        assert (game.claim == NOBODY).all(), broken(_flags, f"claims {game.claim}")
    assert bool(special & SUPERBOT) == (game.superbot != NOBODY), broken(_flags, f"SuperBot {game.superbot}")
    assert bool(special & TURNING_BOARDS) or not game.turned.any(), broken(_flags, f"turned boards {game.turned}")


def _ending(game: Any, course: Any) -> None:
    """A race with a winner is over; one that is over has a winner, was cut, or nobody is left."""
    if game.winner != NOBODY:
        assert 0 <= game.winner < game.players, broken(_ending, f"winner {game.winner}")
        assert game.step == OVER, broken(_ending, f"winner {game.winner} at step {STEP_NAMES[game.step]}")
    elif game.step == OVER:
        left = bool((game.lives[: game.players] > 0).any())
        assert game.cut == 1 or not left or bool(game.special), broken(_ending, f"over with lives {game.lives}")


def _question(game: Any, course: Any) -> None:
    """An open question is put to a robot of a game that asks, with a legal default; else no trace of one is left."""
    if question_is_open(game, _question):
        kind = int(game.ask_kind)
        assert game.asking == ASK_ALL, broken(_question, f"asked is seat {game.ask_seat}")
        assert KINDS_2016 <= kind <= LAST_2005 or kind == REBOOT_FACING, broken(_question, f"decision {kind}")


def _turn(game: Any, course: Any) -> None:
    """Within a register robots on the board that are not down have nothing left in their hands."""
    if BEGIN_REGISTER <= game.step < OVER:
        for r in range(game.players):
            assert game.held[r] == 0, broken(_turn, f"robot {r}: hand {game.hand[r]} at step {STEP_NAMES[game.step]}")


CHECKS: tuple[Check, ...] = (
    _seats,
    _places,
    _lives,
    _turn_order,
    _scratch,
    _deck,
    _hands,
    _registers,
    _options,
    _power,
    _flags,
    _ending,
    _question,
    _turn,
)
add_checks("2005", CHECKS)


def cards_of(game: Any, r: int) -> list[int]:
    """The cards that robot r has: in the hand, in registers and on options."""
    parts = (game.hand[r], game.registers[r], game.laid_on[r])
    found = [int(card) for part in parts for card in part if card]
    return found + [int(card) for card in (game.conditional[r], game.flywheel[r]) if card]


def _programmed(game: Any, r: int) -> bool:
    return bool(game.cell[r] >= 0 and not int(game.down) >> r & 1)


def _bits(number: int) -> int:
    return (number & ALL).bit_count()
