"""`check_game`, and checks that all editions share. Each edition adds the checks of its own games (`add_checks`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from roborally_env.base.errors import RoboRallyError
from roborally_env.core.state import ASK_NOTHING, NOBODY, NOWHERE, PILE, kind_of, kind_of_record
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses import Course, turned_course
from roborally_env.courses.tables import tables_of

Check = Callable[[Any, Any], None]

_CHECKS: dict[str, tuple[Check, ...]] = {}  # by the name of the kind of record, in the order of checking


def add_checks(kind_name: str, checks: Iterable[Check]) -> None:
    """Register the invariants of a kind of record.

    A check is called with the `Fields` of a record and the tables of its course. It asserts each invariant with the
    message `broken`.

    Raises:
        RoboRallyError: if other checks are registered for that kind.
    """
    checks = tuple(checks)
    if _CHECKS.setdefault(kind_name, checks) != checks:
        raise RoboRallyError(f"other checks are registered for games of kind {kind_name!r}")


def check_game(game: Any, course: Course) -> None:
    """Check every invariant of one game's record, as after each step.

    Args:
        game: the record, `batch.games[i]`.
        course: the course that it is played on, `batch.courses[game.course]`. Boards that can turn are turned as the
            record says.

    Raises:
        AssertionError: names the invariant that is broken, with the robot and the values.
    """
    kind = kind_of(kind_of_record(game))
    if kind.has("turned") and game.turned.any():
        course = turned_course(course, tuple(int(n) for n in game.turned[: len(course.boards)]))
    tables = tables_of(course)[0]
    fields = Fields(game)
    for check in _CHECKS.get(kind.name) or [each for field, each in _BY_FIELD if not field or kind.has(field)]:
        check(fields, tables)


class Fields:
    """The fields of a record, each read once: a record looks a name up anew each time, which would take longer than the
    checks."""

    def __init__(self, record: Any) -> None:
        self.record = record
        self.dtype = record.dtype

    def __getattr__(self, name: str) -> Any:
        value = vars(self)[name] = self.record[name]
        return value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def broken(check: Check, detail: str) -> str:
    """The message of an `assert` about a broken invariant: formatting arrays takes longer than a check."""
    return f"{check.__name__.removeprefix('_')}: {check.__doc__} Broken: {detail}"


def question_is_open(game: Any, check: Check) -> bool:
    """Whether a question is open: it is put to a robot of a game that asks, with a legal default; else no trace of one
    is left."""
    if game.ask_seat == NOBODY:
        left = (int(game.ask_kind), int(game.ask_options), int(game.ask_default))
        assert left == (0, 0, 0), broken(check, f"kind, options, default {left}")
        return False
    assert game.asking != ASK_NOTHING and game.ask_seat < game.players, broken(check, f"asked is seat {game.ask_seat}")
    options, default = int(game.ask_options), int(game.ask_default)
    assert options >> default & 1, broken(check, f"default {default} of options {options:b}")
    step = kind_of(kind_of_record(game)).step_names[game.step]
    assert game.step not in (PROGRAM, OVER), broken(check, f"a question at step {step}")
    return True


# -- checks for games in which each robot has a deck of its own


def seats(game: Any, course: Any) -> None:
    """The first `players` seats are robots, the others are empty."""
    room, players = len(game.cell), int(game.players)
    assert 1 <= players <= room, broken(seats, f"{players} players in {room} seats")
    for r in range(players, room):
        assert game.cell[r] == NOWHERE, broken(seats, f"seat {r} stands on cell {game.cell[r]}")
        owned = game.held[r] + game.drawable[r] + game.discarded[r] + game.known[r]
        assert owned == 0, broken(seats, f"seat {r} owns {owned} cards")


def starts(game: Any, course: Any) -> None:
    """Each robot has a start space of its own, on a board."""
    cells = game.start[: game.players].tolist()
    assert len(set(cells)) == len(cells), broken(starts, f"start cells {cells}")
    assert all(cell >= 0 and course.on_board[cell] for cell in cells), broken(starts, f"start cells {cells}")


def scratch(game: Any, course: Any) -> None:
    """Fields that only serve within a step are zero between steps."""
    for name in ("want", "hits"):
        assert not game[name].any(), broken(scratch, f"{name} {game[name].tolist()}")


def piles(game: Any, course: Any) -> None:
    """A pile array is draw pile, discard pile, nothing, known top; a hand lies at the front of its slots."""
    for r in range(game.players):
        used, top = int(game.drawable[r]) + int(game.discarded[r]), PILE - int(game.known[r])
        assert used <= top, broken(piles, f"robot {r}: {used} cards from below, {PILE - top} from above")
        pile = game.pile[r]
        assert pile[:used].all() and not pile[used:top].any() and pile[top:].all(), broken(piles, f"robot {r}: {pile}")
        hand, held = game.hand[r], int(game.held[r])
        assert hand[:held].all() and not hand[held:].any(), broken(piles, f"robot {r}: hand {hand}, {held} held")


# of kinds of record without checks of their own, as those of editions from outside: by a field that the check needs
_BY_FIELD: tuple[tuple[str, Check], ...] = (("drawable", seats), ("", starts), ("", scratch), ("pile", piles))
