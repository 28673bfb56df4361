"""What scenarios of an edition may contain: tables of keys, each with how it is read, set and shown.

An edition has one `EditionScenario`. One from outside may take the tables of another and add rows:

    SCENARIO = dataclasses.replace(e2016.SCENARIO, robot={**e2016.SCENARIO.robot, "fuel": number("fuel", 0, 9, 5)})
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from roborally_env.base.registry import Part
from roborally_env.base.types import JsonObject
from roborally_env.core.cards import NONE
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import REGISTERS, Kind
from roborally_env.scenario.values import MISSING, boolean, integer

if TYPE_CHECKING:
    from roborally_env.scenario.program import Program, Sheet
    from roborally_env.scenario.reader import Scenario
    from roborally_env.scenario.runner import Runner

Register = tuple[int, int]  # the card that counts, and the rotation that shares the register (2005) or NONE
EMPTY: Register = (NONE, NONE)
Read = Callable[["Scenario", Any, str], Any]
Put = Callable[["Runner", int, Any], None]
Show = Callable[["Runner", int], Any]
Check = Callable[["Scenario", Any, str], Any]
Bound = int | Callable[["Scenario"], int]


class Key(NamedTuple):
    """A key of a robot, or of the file itself, for which the number of the robot is -1.

    `read` takes the given value, or MISSING, and its place, and returns the value; `put` sets the value in the record;
    `show` returns its value in the outcome. Without `read` the key is only in outcomes, without `show` only in files.
    `seen` returns its value in a position (`scenario.position`), where that differs from the outcome's.
    """

    read: Read | None = None
    put: Put | None = None
    show: Show | None = None
    after_rounds: bool = False  # in outcomes of whole rounds only
    seen: Show | None = None


def fixed(value: Any, after_rounds: bool = False) -> Key:
    """A key that has the same value in all outcomes."""
    return Key(show=lambda runner, r: value, after_rounds=after_rounds)


def put_field(field: str) -> Put:
    """A function that sets a field that the record has for each robot."""
    return lambda runner, r, value: getattr(runner.game, field).__setitem__(r, value)


def put_bit(field: str) -> Put:
    """A function that sets a bit of each robot."""
    return lambda runner, r, value: setattr(runner.game, field, int(getattr(runner.game, field)) | value << r)


def show_field(field: str) -> Show:
    """A function that returns a number that the record has for each robot."""
    return lambda runner, r: int(getattr(runner.game, field)[r])


def show_bit(field: str) -> Show:
    """A function that shows a bit of each robot."""
    return lambda runner, r: bool(int(getattr(runner.game, field)) >> r & 1)


def show_locked(runner: Runner, r: int) -> list[int]:
    """The numbers of the locked registers."""
    return [k + 1 for k in range(REGISTERS) if runner.locked(r) >> k & 1]


def number(field: str, low: int, high: Bound, default: Bound) -> Key:
    """A whole number that the record has for each robot; bounds may follow from the file."""

    def read(scenario: Scenario, given: Any, where: str) -> int:
        start, most = (bound if isinstance(bound, int) else bound(scenario) for bound in (default, high))
        return integer(start if given is MISSING else given, where, low, most)

    return Key(read, put_field(field), show_field(field))


def read_flag(scenario: Scenario, given: Any, where: str) -> bool:
    """True or false; false if it is missing."""
    return given is not MISSING and boolean(given, where)


def one_card(scenario: Scenario, given: Any, where: str) -> Register:
    """The contents of a register: nothing, or a card."""
    return EMPTY if given is None else (scenario.form.read_card(scenario, given, where), NONE)


class Phases(NamedTuple):
    """The steps of a round at which the runner begins or stops."""

    prepare: int  # hands are dealt
    programmed: int  # programs are submitted
    register: int  # a register begins
    clean_up: int  # the registers are over
    begins: Sequence[int]  # a round begins, or waits for its hands
    upgrades: int = -1  # the upgrade phase
    hands: int = -1  # follows the upgrade phase


@dataclasses.dataclass(frozen=True, kw_only=True)
class EditionScenario:
    """How the scenarios of an edition are read and played.

    Attributes:
        robot: the keys of a robot by name, in the order of the outcome.
        table: the keys of the file that not all editions have, such as `shop`.
        checks: each raises a ScenarioError unless the robots fit together.
        decisions: a function that returns the decisions which answers may name, each with the check of its choice.
        read_card, read_register: a card by its name, the contents of a register.
        card_names: the names of cards by number; from `unnumbered` on they stand for any card of their type.
        seconds: the field of the record with the second card of each register, in editions with such cards.
        is_called: whether a card of the hand is the one that is wanted.
        phases: a function that returns the steps of a kind of record.
        is_programmed: whether a robot needs no program any more.
        deal: a kernel `(games, r)` that deals a hand.
        submit: submits the program of a robot.
        check_program: raises a ScenarioError for cards that must not be placed so.
        set_table: sets all that belongs to no robot, after the robots.
        carry_out: sets what the registers before the first one that is played leave behind.
        follow: looks at the events of each stretch of the play.
        leave_hand: what happens to the hand of a robot that needs no program.
        may_answer: whether the file's next choice of a robot in a decision is taken now.
        questions: decisions that are answered otherwise than by the name of an option, by number.
        face_down: the registers, as bits, whose cards the other players cannot see.
    """

    robot: Mapping[str, Key]
    table: Mapping[str, Key] = dataclasses.field(default_factory=dict)
    checks: Sequence[Callable[[Scenario], None]]
    decisions: Callable[[Scenario], Mapping[str, Check]]
    read_card: Callable[[Scenario, Any, str], int]
    read_register: Callable[[Scenario, Any, str], Register] = one_card
    card_names: Sequence[str]
    unnumbered: int = 1 << 15
    seconds: str = ""
    is_called: Callable[[int, int], bool] = lambda own, wanted: own == wanted
    phases: Callable[[Kind], Phases]
    is_programmed: Callable[[Runner, int], bool]
    deal: Callable[[Any, int], None]
    submit: Callable[[Runner, int, Program], None]
    check_program: Callable[[Sheet, Program], None] = lambda sheet, program: None
    set_table: Callable[[Runner], None]
    carry_out: Callable[[Runner, int], None] = lambda runner, given: None
    follow: Callable[[Runner, Sequence[JsonObject]], None] = lambda runner, events: None
    leave_hand: Callable[[Runner, int], None] = lambda runner, given: None
    may_answer: Callable[[Runner, int, str], bool] = lambda runner, robot, decision: True
    questions: Mapping[int, Callable[[Runner, int], object]] = dataclasses.field(default_factory=dict)
    face_down: Callable[[Runner, int], int] = lambda runner, robot: ALL & ~runner.locked(robot)


SCENARIOS: Part[EditionScenario | Callable[[], EditionScenario]] = Part("scenario")  # by edition


def form_of(edition: str) -> EditionScenario | None:
    """The scenarios of an edition; None if it has none."""
    form = SCENARIOS.get(edition)
    return form() if callable(form) else form


# keys that not all editions have -> the only value for them in the other editions
NEUTRAL_ROBOT: JsonObject = {
    "energy": 5, "upgrades": [], "options": [], "damage": 0, "lives": 3, "locked": [], "powered_down": False,
    "level": 0, "team": 0, "virtual": False, "collection": [], "carries": None, "holds": [], "superbot": False,
}  # fmt: skip
NEUTRAL_TABLE: JsonObject = {"shop": [], "upgrade_deck": [], "upgrade_discard": [], "option_deck": []}
