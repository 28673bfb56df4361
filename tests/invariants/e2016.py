"""Invariants of a game of the 2016 edition, and of editions that build on it, between two steps."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from roborally_env.core import cards, upgrades
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.editions.e2016.steps import STEP_NAMES
from roborally_env.core.mechanics.energy import most_energy
from roborally_env.core.state import (
    ASK_ALL,
    HAND,
    HAND_WITH_UPGRADES,
    NOBODY,
    REGISTERS,
    kind_of,
    kind_of_record,
)
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import HAS_MOVING
from tests.invariants.game import Check, add_checks, broken, piles, question_is_open, scratch, seats, starts


def _places(game: Any, course: Any) -> None:
    """Each robot stands alone on a cell of a board, not a pit, not the antenna, and faces one of four directions."""
    taken: dict[int, int] = {}
    for r in range(game.players):
        cell = int(game.cell[r])
        assert 0 <= cell < len(course.on_board) and bool(course.on_board[cell]), broken(
            _places, f"robot {r} on cell {cell}"
        )
        assert not course.pit[cell] and cell != course.antenna, broken(_places, f"robot {r} on cell {cell}")
        assert cell not in taken, broken(_places, f"robots {taken.get(cell)} and {r} on cell {cell}")
        assert 0 <= game.facing[r] <= 3, broken(_places, f"robot {r} faces {game.facing[r]}")
        taken[cell] = r


def _turn_order(game: Any, course: Any) -> None:
    """The turn order names each robot once, and the turn lies within it."""
    order = game.order[: game.players].tolist()
    assert sorted(order) == list(range(game.players)), broken(_turn_order, f"order {order}")
    assert 0 <= game.turn <= game.players, broken(_turn_order, f"turn {game.turn}")


def _phase(game: Any, course: Any) -> None:
    """The step, the register and the bit sets of robots are in range."""
    live = (1 << int(game.players)) - 1
    assert 0 <= game.step < len(STEP_NAMES), broken(_phase, f"step {game.step}")
    assert 0 <= game.register < REGISTERS, broken(_phase, f"register {game.register}")
    for name in ("rebooted", "acted"):
        assert int(game[name]) & ~live == 0, broken(_phase, f"{name} {int(game[name]):b} of {game.players} robots")


def _own_cards(game: Any, course: Any) -> None:
    """Each robot owns the twenty cards of its deck, no more and no less, and special cards that it bought."""
    for r in range(game.players):
        owned = cards_of(game, r)
        special = {card: owned[card] for card in range(cards.ENERGY_ROUTINE, cards.KINDS) if owned[card]}
        if _full(game):
            due = {s: 1 for u in upgrades.numbers_in(int(game.had[r])) if (s := upgrades.upgrade(u).special)}
        else:
            due = {}
        assert special == due, broken(_own_cards, f"robot {r} owns {_named(special)}, bought {_named(due)}")
        programming = {
            card: owned[card] for card in range(1, cards.ENERGY_ROUTINE) if not _is_damage(card) and owned[card]
        }
        wanted = {card: int(n) for card, n in enumerate(cards.DECK_COUNTS) if n}
        assert programming == wanted, broken(_own_cards, f"robot {r} owns {_named(programming)}")


def _damage_cards(game: Any, course: Any) -> None:
    """The damage cards in the box and in all decks are 38 SPAM, 6 Worm, 18 Virus, 12 Trojan Horse."""
    held: Counter[int] = Counter()
    for r in range(game.players):
        held.update(cards_of(game, r))
    for kind, name in enumerate(cards.DAMAGE_NAMES):
        total = int(game.damage_pile[kind]) + held[cards.SPAM + kind]
        assert total == cards.DAMAGE_BOX[kind], broken(_damage_cards, f"{total} {name}")


def _registers(game: Any, course: Any) -> None:
    """Before programming, registers are empty and hands hold nine (with upgrades ten) at most.

    Rebooted robots have nothing left to play.
    """
    for r in range(game.players):
        registers = game.registers[r]
        if game.step == PROGRAM:
            assert not registers.any(), broken(_registers, f"robot {r}: registers {registers}")
            most = HAND_WITH_UPGRADES if _full(game) else HAND
            assert game.held[r] <= most, broken(_registers, f"robot {r}: {game.held[r]} cards")
            assert not game.rebooted, broken(_registers, f"rebooted {int(game.rebooted):b}")
        elif game.rebooted >> r & 1:
            later = registers[game.register + 1 :]
            assert not later.any(), broken(_registers, f"robot {r}: registers {registers} after {game.register}")


def _actions(game: Any, course: Any) -> None:
    """What a register carried out is an action: no Again, no damage card, or nothing."""
    again = (game.done == cards.AGAIN) | (game.done >= cards.REPEAT_ROUTINE)
    damage = (game.done >= cards.SPAM) & (game.done <= cards.TROJAN_HORSE)
    assert not (again | damage).any(), broken(_actions, f"done {game.done.tolist()}")
    if not _full(game):
        assert (game.done <= cards.POWER_UP).all(), broken(_actions, f"done {game.done.tolist()}")


def _progress(game: Any, course: Any) -> None:
    """Energy and checkpoints are in range; a winner has all checkpoints, and the race is over."""
    for r in range(game.players):
        assert 0 <= game.energy[r] <= most_energy(game.record), broken(_progress, f"robot {r}: energy {game.energy[r]}")
        assert 0 <= game.reached[r] <= course.checkpoints, broken(_progress, f"robot {r}: checkpoint {game.reached[r]}")
    if game.winner != NOBODY:
        assert 0 <= game.winner < game.players, broken(_progress, f"winner {game.winner}")
        assert game.reached[game.winner] == course.checkpoints, broken(
            _progress, f"winner {game.winner}: {game.reached}"
        )
        assert game.step == OVER, broken(_progress, f"winner {game.winner} at step {STEP_NAMES[game.step]}")
    assert game.step != OVER or game.winner != NOBODY or game.cut == 1, broken(
        _progress, "over without a winner or a cut"
    )


def _board(game: Any, course: Any) -> None:
    """Cubes lie on energy spaces; checkpoints stand where robots can, on their first cell unless belts carry them."""
    assert int(game.cubes) >> int(course.energy_spaces) == 0, broken(_board, f"cubes {int(game.cubes):b}")
    checkpoints_stand(game, course, _board)


def checkpoints_stand(game: Any, course: Any, check: Check) -> None:
    """Checkpoints stand where robots can, on their first cell unless something carries them."""
    for i in range(course.checkpoints):
        cell, first = int(game.checkpoint[i]), int(course.checkpoint[i])
        if first < 0:
            continue
        assert cell == first or bool(course.has & HAS_MOVING), broken(check, f"checkpoint {i + 1} on cell {cell}")
        stands = cell >= 0 and course.on_board[cell] and not course.pit[cell] and cell != course.antenna
        assert stands, broken(check, f"checkpoint {i + 1} on cell {cell}")


def _question(game: Any, course: Any) -> None:
    """An open question is put to a robot of a game that asks, with a legal default; else no trace of one is left."""
    if question_is_open(game, _question):
        may_ask(game, _question)


def may_ask(game: Any, check: Check) -> None:
    """The open question is of a game that asks for everything, or about a purchase."""
    only = game.asking == ASK_ALL or game.ask_kind == BUY_UPGRADE
    assert only, broken(check, f"decision {game.ask_kind} in a game that asks for purchases alone")


def _mats(game: Any, course: Any) -> None:
    """Each upgrade is in the deck, in the shop, on one mat, or out of the game; three of a type at most on a mat. In
    2023 it is in the deck, the discard pile, a collection, on a mat, or a routine that was installed."""
    if not _full(game):
        return
    places: list[int] = [*(int(u) for u in game.upgrade_deck if u), *(int(u) for u in game.shop if u)]
    if _has(game, "collection"):
        places += collected(game)
    for r in range(game.players):
        places += check_mat(game, r, _mats)
    assert len(set(places)) == len(places), broken(_mats, f"cards twice among {sorted(places)}")
    on_mats = np.bitwise_or.reduce(game.owned[: game.players])
    assert on_mats == game.on_mats, broken(_mats, f"on mats {int(game.on_mats):b}, owned {int(on_mats):b}")
    left = int((game.upgrade_deck > 0).sum())
    assert left == game.upgrades_left and not game.upgrade_deck[left:].any(), broken(_mats, f"deck {game.upgrade_deck}")
    assert not game.shop[game.players :].any(), broken(_mats, f"shop {game.shop}")
    assert not game.shots.any() and not game.instead.any(), broken(_mats, f"scratch {game.shots}, {game.instead}")


CHECKS: tuple[Check, ...] = (
    seats,
    _places,
    starts,
    _turn_order,
    _phase,
    scratch,
    _own_cards,
    _damage_cards,
    piles,
    _registers,
    _actions,
    _progress,
    _board,
    _question,
    _mats,
)
for _kind in ("lighter", "complete"):
    add_checks(_kind, CHECKS)


def cards_of(game: Any, r: int) -> Counter[int]:
    """How many of each card robot r owns: in hand, registers and piles."""
    parts = (game.hand[r], game.registers[r], game.laid_on[r], game.pile[r])
    return Counter(card for part in parts for card in part.tolist() if card != cards.NONE)


def collected(game: Any) -> list[int]:
    """The upgrades in collections and in the discard pile, and the routines that were installed."""
    places = upgrades.numbers_in(int(game.upgrade_discard))
    had = 0
    for r in range(game.players):
        places += upgrades.numbers_in(int(game.collection[r]))
        had |= int(game.had[r])
    return places + [u for u in upgrades.numbers_in(had) if upgrades.upgrade(u).special]


def check_mat(game: Any, r: int, check: Any) -> list[int]:
    """The upgrades on robot r's mat: three of a type at most, no routines, none that it never got."""
    own = upgrades.numbers_in(int(game.owned[r]))
    rows = [upgrades.upgrade(u) for u in own]
    permanent = sum(row.type == upgrades.PERMANENT for row in rows)
    assert max(permanent, len(own) - permanent) <= upgrades.MOST_OF_A_TYPE, broken(check, f"robot {r} owns {own}")
    assert not any(row.special for row in rows), broken(check, f"robot {r} owns a routine: {own}")
    assert int(game.owned[r]) & ~int(game.had[r]) == 0, broken(check, f"robot {r} never got all of {own}")
    return own


def _full(game: Any) -> bool:
    """Whether it is a game with upgrades."""
    return _has(game, "owned")


def _has(game: Any, field: str) -> bool:
    return kind_of(kind_of_record(game)).has(field)


def _is_damage(card: int) -> bool:
    return cards.SPAM <= card <= cards.TROJAN_HORSE


def _named(counts: dict[int, int]) -> dict[str, int]:
    return {cards.NAMES[card]: count for card, count in counts.items()}
