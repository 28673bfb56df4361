"""A slow check of everything that must be true of a game between two steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from roborally_env.core import cards
from roborally_env.core.editions.race2016 import OVER, PROGRAM, STEP_NAMES
from roborally_env.core.state import HAND, NOBODY, NOWHERE, PILE, REGISTERS
from roborally_env.courses import Course
from roborally_env.courses.tables import HAS_MOVING, tables_of

Check = Callable[[Any, Any], None]


def check_game(game: Any, course: Course) -> None:
    """Check every invariant of one game's record, as after each step.

    Args:
        game: the record, `batch.games[i]`.
        course: the course that it is played on, `batch.courses[game.course]`.

    Raises:
        AssertionError: names the invariant that is broken, with the robot and the values.
    """
    tables = tables_of(course)[0]
    for check in CHECKS:
        check(game, tables)


def _must(holds: bool, check: Check, detail: str) -> None:
    if not holds:
        raise AssertionError(f"{check.__name__.removeprefix('_')}: {check.__doc__} Broken: {detail}")


def _seats(game: Any, course: Any) -> None:
    """The first `players` seats are robots, the others are empty."""
    seats, players = len(game.cell), int(game.players)
    _must(1 <= players <= seats, _seats, f"{players} players in {seats} seats")
    for r in range(players, seats):
        _must(game.cell[r] == NOWHERE, _seats, f"seat {r} stands on cell {game.cell[r]}")
        owned = game.held[r] + game.drawable[r] + game.discarded[r] + game.known[r]
        _must(owned == 0, _seats, f"seat {r} owns {owned} cards")


def _places(game: Any, course: Any) -> None:
    """Each robot stands alone on a cell of a board, not a pit, not the antenna, and faces one of four directions."""
    taken: dict[int, int] = {}
    for r in range(game.players):
        cell = int(game.cell[r])
        _must(0 <= cell < len(course.on_board) and bool(course.on_board[cell]), _places, f"robot {r} on cell {cell}")
        _must(not course.pit[cell] and cell != course.antenna, _places, f"robot {r} on cell {cell}")
        _must(cell not in taken, _places, f"robots {taken.get(cell)} and {r} on cell {cell}")
        _must(0 <= game.facing[r] <= 3, _places, f"robot {r} faces {game.facing[r]}")
        taken[cell] = r


def _starts(game: Any, course: Any) -> None:
    """Each robot has a start space of its own, on a board."""
    starts = game.start[: game.players].tolist()
    _must(len(set(starts)) == len(starts), _starts, f"start cells {starts}")
    _must(all(start >= 0 and course.on_board[start] for start in starts), _starts, f"start cells {starts}")


def _turn_order(game: Any, course: Any) -> None:
    """The turn order names each robot once, and the turn lies within it."""
    order = game.order[: game.players].tolist()
    _must(sorted(order) == list(range(game.players)), _turn_order, f"order {order}")
    _must(0 <= game.turn <= game.players, _turn_order, f"turn {game.turn}")


def _phase(game: Any, course: Any) -> None:
    """The step, the register and the bit sets of robots are in range."""
    live = (1 << int(game.players)) - 1
    _must(0 <= game.step < len(STEP_NAMES), _phase, f"step {game.step}")
    _must(0 <= game.register < REGISTERS, _phase, f"register {game.register}")
    for name in ("rebooted", "acted"):
        _must(int(game[name]) & ~live == 0, _phase, f"{name} {int(game[name]):b} of {game.players} robots")


def _scratch(game: Any, course: Any) -> None:
    """Fields that only serve within a step are zero between steps."""
    for name in ("want", "hits"):
        _must(not game[name].any(), _scratch, f"{name} {game[name].tolist()}")


def _own_cards(game: Any, course: Any) -> None:
    """Each robot owns the twenty cards of its deck, no more and no less."""
    for r in range(game.players):
        owned = cards_of(game, r)
        programming = {card: owned[card] for card in range(1, cards.KINDS) if not _is_damage(card) and owned[card]}
        wanted = {card: int(n) for card, n in enumerate(cards.DECK_COUNTS) if n}
        _must(programming == wanted, _own_cards, f"robot {r} owns {_named(programming)}")


def _damage_cards(game: Any, course: Any) -> None:
    """The damage cards in the box and in all decks are 38 SPAM, 6 Worm, 18 Virus, 12 Trojan Horse."""
    held: Counter[int] = Counter()
    for r in range(game.players):
        held.update(cards_of(game, r))
    for kind, name in enumerate(cards.DAMAGE_NAMES):
        total = int(game.damage_pile[kind]) + held[cards.SPAM + kind]
        _must(total == cards.DAMAGE_BOX[kind], _damage_cards, f"{total} {name}")


def _piles(game: Any, course: Any) -> None:
    """A pile array is draw pile, discard pile, nothing, known top; a hand lies at the front of its slots."""
    for r in range(game.players):
        used, top = int(game.drawable[r]) + int(game.discarded[r]), PILE - int(game.known[r])
        _must(used <= top, _piles, f"robot {r}: {used} cards from below, {PILE - top} from above")
        pile = game.pile[r]
        _must(bool(pile[:used].all() and not pile[used:top].any() and pile[top:].all()), _piles, f"robot {r}: {pile}")
        hand, held = game.hand[r], int(game.held[r])
        _must(bool(hand[:held].all() and not hand[held:].any()), _piles, f"robot {r}: hand {hand}, {held} held")


def _registers(game: Any, course: Any) -> None:
    """Before programming, registers are empty and hands hold nine at most.

    Rebooted robots have nothing left to play.
    """
    for r in range(game.players):
        registers = game.registers[r]
        if game.step == PROGRAM:
            _must(not registers.any(), _registers, f"robot {r}: registers {registers}")
            _must(game.held[r] <= HAND, _registers, f"robot {r}: {game.held[r]} cards")
            _must(not game.rebooted, _registers, f"rebooted {int(game.rebooted):b}")
        elif game.rebooted >> r & 1:
            later = registers[game.register + 1 :]
            _must(not later.any(), _registers, f"robot {r}: registers {registers} after {game.register}")


def _actions(game: Any, course: Any) -> None:
    """What a register carried out is an action on the board: one of the first eight cards, or nothing."""
    _must(bool((game.done <= cards.POWER_UP).all()), _actions, f"done {game.done.tolist()}")


def _progress(game: Any, course: Any) -> None:
    """Energy and checkpoints are in range; a winner has all checkpoints, and the race is over."""
    for r in range(game.players):
        _must(game.energy[r] >= 0, _progress, f"robot {r}: energy {game.energy[r]}")
        _must(0 <= game.reached[r] <= course.checkpoints, _progress, f"robot {r}: checkpoint {game.reached[r]}")
    if game.winner != NOBODY:
        _must(0 <= game.winner < game.players, _progress, f"winner {game.winner}")
        _must(game.reached[game.winner] == course.checkpoints, _progress, f"winner {game.winner}: {game.reached}")
        _must(game.step == OVER, _progress, f"winner {game.winner} at step {STEP_NAMES[game.step]}")
    _must(game.step != OVER or game.winner != NOBODY or game.cut == 1, _progress, "over without a winner or a cut")


def _board(game: Any, course: Any) -> None:
    """Cubes lie on energy spaces; checkpoints stand where robots can, on their first cell unless belts carry them."""
    _must(int(game.cubes) >> int(course.energy_spaces) == 0, _board, f"cubes {int(game.cubes):b}")
    for i in range(course.checkpoints):
        cell, first = int(game.checkpoint[i]), int(course.checkpoint[i])
        if first < 0:
            continue
        _must(cell == first or bool(course.has & HAS_MOVING), _board, f"checkpoint {i + 1} on cell {cell}")
        stands = cell >= 0 and course.on_board[cell] and not course.pit[cell] and cell != course.antenna
        _must(bool(stands), _board, f"checkpoint {i + 1} on cell {cell}")


def _question(game: Any, course: Any) -> None:
    """An open question is put to a robot of a game that asks, with a legal default; else no trace of one is left."""
    if game.ask_seat == NOBODY:
        left = (int(game.ask_kind), int(game.ask_options), int(game.ask_default))
        _must(left == (0, 0, 0), _question, f"kind, options, default {left}")
        return
    _must(game.asking == 1 and game.ask_seat < game.players, _question, f"asked is seat {game.ask_seat}")
    options, default = int(game.ask_options), int(game.ask_default)
    _must(bool(options >> default & 1), _question, f"default {default} of options {options:b}")
    _must(game.step not in (PROGRAM, OVER), _question, f"a question at step {STEP_NAMES[game.step]}")


CHECKS: tuple[Check, ...] = (
    _seats,
    _places,
    _starts,
    _turn_order,
    _phase,
    _scratch,
    _own_cards,
    _damage_cards,
    _piles,
    _registers,
    _actions,
    _progress,
    _board,
    _question,
)


def cards_of(game: Any, r: int) -> Counter[int]:
    """How many of each card robot r owns: in hand, registers and piles."""
    parts = (game.hand[r], game.registers[r], game.laid_on[r], game.pile[r])
    return Counter(card for part in parts for card in part.tolist() if card != cards.NONE)


def _is_damage(card: int) -> bool:
    return cards.SPAM <= card <= cards.TROJAN_HORSE


def _named(counts: dict[int, int]) -> dict[str, int]:
    return {cards.NAMES[card]: count for card, count in counts.items()}
