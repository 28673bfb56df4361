"""Invariants of a game by community rules between two steps, in addition to those of 2016."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from roborally_env.core import cards, upgrades
from roborally_env.core.choices import POWER_DOWN
from roborally_env.core.editions.community.steps import STEP_NAMES
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, DRAW_HANDS, PREPARE_HANDS, STORE_HANDS
from roborally_env.core.mechanics.owned_upgrades import locked
from roborally_env.core.rule_options import RULE_NO_UPGRADES, RULE_RACE_ON
from roborally_env.core.state import HAND_ROOM, HAND_WITH_UPGRADES, NOBODY, NOWHERE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import CELLS
from tests.invariants.e2016 import check_mat, checkpoints_stand, may_ask
from tests.invariants.game import Check, add_checks, broken, piles, question_is_open, scratch, seats, starts

DESTRUCTION = 10
HAND = 9
_SETS = ("rebooted", "acted", "virtual", "stomped", "down", "announced", "unhurt", "shielded", "admins", "sorters")
_NO_CARDS = (*range(cards.SPAM, cards.TROJAN_HORSE + 1), cards.SPAM_FOLDER, cards.KINDS)  # of this edition


def _robots(game: Any) -> range:
    return range(int(game.players))


def _in(game: Any, name: str, r: int) -> bool:
    """Whether robot r is in a bit set of robots."""
    return bool(int(game[name]) >> r & 1)


def _phase(game: Any, course: Any) -> None:
    """The step, the register and the bit sets of robots are in range."""
    live = (1 << int(game.players)) - 1
    assert 0 <= game.step < len(STEP_NAMES), broken(_phase, f"step {game.step}")
    assert 0 <= game.register < REGISTERS, broken(_phase, f"register {game.register}")
    for name in _SETS:
        assert int(game[name]) & ~live == 0, broken(_phase, f"{name} {int(game[name]):b} of {game.players} robots")


def _turn_order(game: Any, course: Any) -> None:
    """The turn order names each robot once, and the turn lies within it; left-over cards and announcements of power
    downs are two rounds of the table."""
    order = game.order[: game.players].tolist()
    assert sorted(order) == [*_robots(game)], broken(_turn_order, f"order {order}")
    most = game.players * (2 if game.step in (STORE_HANDS, BEGIN_REGISTER) else 1)
    assert 0 <= game.turn <= most, broken(_turn_order, f"turn {game.turn} at step {STEP_NAMES[game.step]}")


def _places(game: Any, course: Any) -> None:
    """Robots stand on cells of boards, not in pits; only virtual ones share a cell with others, and always do. Those
    that are destroyed or at the goal remember the cell where they were, and nobody else is off the board."""
    on_cell: Counter[int] = Counter(int(game.cell[r]) for r in _robots(game) if game.cell[r] >= 0)
    real: Counter[int] = Counter()
    for r in _robots(game):
        cell = int(game.cell[r])
        assert 0 <= game.facing[r] <= 3, broken(_places, f"robot {r} faces {game.facing[r]}")
        if cell < 0:
            assert -2 - CELLS < cell < NOWHERE, broken(_places, f"robot {r} on cell {cell}")
            assert _in(game, "rebooted", r), broken(
                _places, f"robot {r} is off the board, destroyed {int(game.rebooted):b}"
            )
            assert not _in(game, "virtual", r), broken(_places, f"robot {r} is off the board and virtual")
            continue
        assert not _in(game, "rebooted", r), broken(_places, f"destroyed robot {r} on cell {cell}")
        stands = cell < CELLS and course.on_board[cell] and cell != course.antenna
        hovers = _hovers(game, r) and BEGIN_REGISTER <= game.step < OVER
        assert bool(stands) and (not course.pit[cell] or hovers), broken(_places, f"robot {r} on cell {cell}")
        if _in(game, "virtual", r):
            assert on_cell[cell] > 1, broken(_places, f"virtual robot {r} is alone on cell {cell}")
        else:
            real[cell] += 1
            assert real[cell] == 1, broken(_places, f"two real robots on cell {cell}")


def _hovers(game: Any, r: int) -> bool:
    return bool(int(game.owned[r]) >> upgrades.HOVER_UNIT & 1)


def _health(game: Any, course: Any) -> None:
    """Damage is 0 to 9 on the board and 10 at most; robots come back when a round ends, and only those at the goal of a
    race that goes on stay away."""
    for r in _robots(game):
        assert 0 <= game.damage[r] <= DESTRUCTION, broken(_health, f"robot {r}: {game.damage[r]} damage")
        assert game.cell[r] < 0 or game.damage[r] < DESTRUCTION, broken(_health, f"robot {r}: ten damage on the board")
        if game.step in (DRAW_HANDS, PREPARE_HANDS, PROGRAM):
            away = game.cell[r] < 0
            assert not away or game.place[r] > 0, broken(_health, f"robot {r} is off the board before programming")
    assert int(game.unhurt) & ~int(game.rebooted) == 0, broken(_health, f"unhurt {int(game.unhurt):b} on the board")


def _power(game: Any, course: Any) -> None:
    """A robot that is powered down has no cards in hand; an announcement lapses off the board."""
    for r in _robots(game):
        away = game.cell[r] < 0
        assert not (away and _in(game, "announced", r)), broken(_power, f"robot {r} announced, off the board")
        if _in(game, "down", r) and game.step != OVER:
            assert game.held[r] == 0, broken(_power, f"robot {r} is powered down, hand {game.hand[r]}")
            assert not game.registers[r].any(), broken(
                _power, f"robot {r} is powered down, registers {game.registers[r]}"
            )


def _own_cards(game: Any, course: Any) -> None:
    """Each robot owns the twenty cards of its deck, no more and no less, and special cards that it bought."""
    for r in _robots(game):
        owned = _cards_of(game, r)
        due = Counter({card: int(count) for card, count in enumerate(cards.DECK_COUNTS) if count})
        due.update(s for u in upgrades.numbers_in(int(game.had[r])) if (s := upgrades.upgrade(u).special))
        extra, missing = owned - due, due - owned
        assert not extra and not missing, broken(
            _own_cards, f"robot {r}: too many {_named(extra)}, missing {_named(missing)}"
        )


def _cards_of(game: Any, r: int) -> Counter[int]:
    parts = (game.hand[r], game.registers[r], game.laid_on[r], game.pile[r])
    return Counter(card for part in parts for card in part.tolist() if card != cards.NONE)


def _named(counts: Counter[int]) -> dict[str, int]:
    return {cards.ALL_NAMES[card]: count for card, count in counts.items()}


def _registers(game: Any, course: Any) -> None:
    """When programs are wanted a robot has nine cards less its damage (ten with Memory Stick), a card in each locked
    register, and none in the others; one that is off the board has nothing."""
    for r in _robots(game):
        registers, locks, held = game.registers[r], locked(game.record, r), int(game.held[r])
        if game.cell[r] < 0:
            assert not registers.any() and not held, broken(
                _registers, f"robot {r} is away: {registers}, hand {game.hand[r]}"
            )
            continue
        assert held <= HAND_ROOM, broken(_registers, f"robot {r}: {held} cards")
        if game.step != PROGRAM or _in(game, "down", r):
            continue
        for k in range(REGISTERS):
            assert bool(registers[k]) == bool(locks >> k & 1), broken(
                _registers, f"robot {r}: locked {locks:05b}, {registers}"
            )
        most = HAND_WITH_UPGRADES - int(game.damage[r])
        free = REGISTERS - locks.bit_count()
        assert free <= held <= most, broken(_registers, f"robot {r}: {held} cards, {game.damage[r]} damage")


def _actions(game: Any, course: Any) -> None:
    """What a register carried out is an action of this edition and no Again; no card of the other editions is about."""
    again = (game.done == cards.AGAIN) | (game.done == cards.REPEAT_ROUTINE)
    assert not again.any(), broken(_actions, f"done {game.done.tolist()}")
    assert not any((game.done == card).any() for card in _NO_CARDS), broken(_actions, f"done {game.done.tolist()}")
    assert not game.damage_pile.any() and not game.taken.any() and not game.damaged.any(), broken(
        _actions, "damage cards"
    )


def _progress(game: Any, course: Any) -> None:
    """Energy and checkpoints are in range; those who reached the last checkpoint have places 1, 2, .. in a row, and the
    race is over with the first of them, or where it goes on when at most one is left."""
    for r in _robots(game):
        assert game.energy[r] >= 0, broken(_progress, f"robot {r}: energy {game.energy[r]}")
        assert 0 <= game.reached[r] <= course.checkpoints, broken(_progress, f"robot {r}: checkpoint {game.reached[r]}")
        at_goal = game.reached[r] == course.checkpoints
        assert at_goal == (game.place[r] > 0), broken(
            _progress, f"robot {r}: checkpoint {game.reached[r]}, place {game.place[r]}"
        )
    places = sorted(int(place) for place in game.place[: game.players] if place)
    assert places == list(range(1, len(places) + 1)), broken(_progress, f"places {places}")
    assert (game.winner != NOBODY) == bool(places), broken(_progress, f"winner {game.winner}, places {places}")
    assert game.winner == NOBODY or game.place[game.winner] == 1, broken(
        _progress, f"winner {game.winner}: {game.place}"
    )
    races_on = bool(int(game.rules) & RULE_RACE_ON)
    decided = len(places) >= game.players - 1 if races_on else bool(places)
    assert not decided or game.step == OVER, broken(_progress, f"places {places} at step {STEP_NAMES[game.step]}")
    assert game.step != OVER or decided or game.cut == 1, broken(_progress, "over without a winner or a cut")


def _board(game: Any, course: Any) -> None:
    """Cubes lie on energy spaces, ramps that are on exist, and change only by buttons; checkpoints stand where robots
    can, on their first cell unless something carries them, and never change their level."""
    assert int(game.cubes) >> int(course.energy_spaces) == 0, broken(_board, f"cubes {int(game.cubes):b}")
    linked = int(np.bitwise_or.reduce(course.button))
    changed = int(game.ramps) ^ int(course.ramps_on)
    assert changed & ~linked == 0, broken(_board, f"ramps {int(game.ramps):b}, at the start {int(course.ramps_on):b}")
    checkpoints_stand(game, course, _board)
    for i in range(course.checkpoints):
        cell, first = int(game.checkpoint[i]), int(course.checkpoint[i])
        assert first < 0 or course.level[cell] == course.level[first], broken(
            _board, f"checkpoint {i + 1}: level changed"
        )


def _question(game: Any, course: Any) -> None:
    """An open question is put to a robot of a game that asks, with a legal default; else no trace of one is left."""
    if question_is_open(game, _question):
        may_ask(game, _question)
        assert game.ask_kind <= POWER_DOWN, broken(_question, f"decision {game.ask_kind}")


def _mats(game: Any, course: Any) -> None:
    """Each upgrade of this edition is in the deck, in the shop, on one mat, or out of the game; three of a type at most
    on a mat. Without an upgrade phase nothing is for sale."""
    places: list[int] = [*(int(u) for u in game.upgrade_deck if u), *(int(u) for u in game.shop if u)]
    on_mats = 0
    for r in _robots(game):
        places += check_mat(game, r, _mats)
        on_mats |= int(game.owned[r])
    assert len(set(places)) == len(places), broken(_mats, f"cards twice among {sorted(places)}")
    strange = set(places) - set(upgrades.COMMUNITY_DECK)
    assert not strange, broken(_mats, f"cards of other editions: {sorted(strange)}")
    assert on_mats == int(game.on_mats), broken(_mats, f"on mats {int(game.on_mats):b}, owned {on_mats:b}")
    left = int((game.upgrade_deck > 0).sum())
    assert left == game.upgrades_left and not game.upgrade_deck[left:].any(), broken(_mats, f"deck {game.upgrade_deck}")
    closed = bool(int(game.rules) & RULE_NO_UPGRADES)
    assert not game.shop[0 if closed else game.players :].any(), broken(_mats, f"shop {game.shop}")
    assert not game.shots.any() and not game.instead.any(), broken(_mats, f"scratch {game.shots}, {game.instead}")


def _turn(game: Any, course: Any) -> None:
    """Within a register nobody has cards left in hand."""
    if (BEGIN_REGISTER <= game.step < OVER or game.step > OVER) and game.step != STORE_HANDS:
        for r in _robots(game):
            assert game.held[r] == 0, broken(_turn, f"robot {r}: hand {game.hand[r]} at step {STEP_NAMES[game.step]}")


CHECKS: tuple[Check, ...] = (
    _phase,
    _turn_order,
    _places,
    _health,
    _power,
    _own_cards,
    _registers,
    _actions,
    _progress,
    _board,
    _question,
    _mats,
    _turn,
)
add_checks("community", (seats, starts, scratch, piles, *CHECKS))
