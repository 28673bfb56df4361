"""The rows of the tables that editions share: the place of a robot, its cards, and choices by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError
from roborally_env.base.types import JsonObject
from roborally_env.core.cards import DAMAGE_NAMES, NONE
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import OPTION_NAMES
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, REGISTERS
from roborally_env.courses.tables import WIDTH
from roborally_env.scenario.keys import Check, Key, Register, Show, fixed, put_field, show_field
from roborally_env.scenario.program import Program
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.runner import Runner
from roborally_env.scenario.values import MISSING, a_list, an_object, integer, known_keys, one_of

# -- the place


def read_x(scenario: Scenario, given: Any, where: str) -> int | None:
    """The column of a robot; None without lives."""
    if scenario.value("lives") == 0:
        return None
    return scenario.read_cell(scenario.given, scenario.place())[0]


def read_y(scenario: Scenario, given: Any, where: str) -> int | None:
    """The row of a robot, on whose cell it can stand; None without lives."""
    x = scenario.value("x")
    if x is None:
        return None
    y = scenario.read_cell(scenario.given, scenario.place())[1]
    scenario.check_cell(x, y, scenario.place())
    return y


def read_facing(scenario: Scenario, given: Any, where: str) -> int:
    """The direction as a number."""
    if scenario.value("x") is None:
        return 0
    facing = "NESW"[scenario.course.start_facing] if given is MISSING else given
    if not isinstance(facing, str) or facing not in ("N", "E", "S", "W"):
        raise ScenarioError(f"{where}: expected N, E, S or W, got {shown(facing)}")
    return "NESW".index(facing)


def read_archive(scenario: Scenario, given: Any, where: str) -> tuple[int, int] | None:
    """The cell of the archive marker, or None if it is missing."""
    if given is MISSING:
        return None
    known_keys(an_object(given, where), ("x", "y"), f"{where}.")
    return scenario.read_cell(given, where)


def check_archive(scenario: Scenario, given: Any, where: str) -> None:
    """Raise unless the cell is on the course: in editions without archive markers it has no effect."""
    read_archive(scenario, given, where)


def read_checkpoint(scenario: Scenario, given: Any, where: str) -> int:
    """The last checkpoint reached. Who has reached the last one of the map has won: there is no race left (R94)."""
    last = int(scenario.tables["checkpoints"][0])
    number = integer(0 if given is MISSING else given, where, 0, last)
    if number and number == last:
        raise ScenarioError(
            f"{where}: expected a whole number from 0 to {last - 1}, as the race is over with the last checkpoint, got "
            f"{last}"
        )
    return number


def put_cell(runner: Runner, r: int, y: int | None) -> None:
    """Put a robot on its cell; without lives it has none."""
    if y is not None:
        runner.game.cell[r] = runner.game.start[r] = y * WIDTH + runner.robots[r]["x"]


def on_board(show: Callable[[Runner, int, int], Any]) -> Show:
    """A function that shows what `show(runner, robot, cell)` returns; None off the board."""
    return lambda runner, r: show(runner, r, int(runner.game.cell[r])) if runner.game.cell[r] >= 0 else None


def show_cell(field: str) -> Show:
    """A function that shows a cell of the record; None where there is none."""

    def show(runner: Runner, r: int) -> dict[str, int] | None:
        cell = int(getattr(runner.game, field)[r])
        return {"x": cell % WIDTH, "y": cell // WIDTH} if cell >= 0 else None

    return show


def check_places(scenario: Scenario) -> None:
    """Raise if two robots share a cell."""
    cells: dict[tuple[int, int], int] = {}
    for i, robot in enumerate(scenario.robots):
        if robot["x"] is None:
            continue
        j = cells.setdefault((robot["x"], robot["y"]), i)
        if j != i:
            raise ScenarioError(f"robots[{i}]: expected a cell of its own, got that of robots[{j}]")


# -- cards


def read_registers(scenario: Scenario, given: Any, where: str) -> list[Register]:
    """The list in `registers`, not longer than a program."""
    given = [] if given is MISSING else given
    if not isinstance(given, list) or len(given) > REGISTERS:
        raise ScenarioError(f"{where}: expected a list of at most {REGISTERS} cards, got {shown(given)}")
    return [scenario.form.read_register(scenario, card, f"{where}[{k}]") for k, card in enumerate(given)]


def read_cards(scenario: Scenario, given: Any, where: str) -> list[int]:
    """A list of cards."""
    found = a_list([] if given is MISSING else given, where, "a list of card names")
    return [scenario.form.read_card(scenario, card, f"{where}[{i}]") for i, card in enumerate(found)]


def read_hand(scenario: Scenario, given: Any, where: str) -> list[int]:
    """The cards of a hand, not more than it has room for."""
    most = HAND_WITH_UPGRADES if scenario.plays_upgrades else HAND if scenario.kind.has("owned") else scenario.kind.hand
    if isinstance(given, list) and len(given) > most:
        raise ScenarioError(f"{where}: expected at most {most} cards, got {len(given)}")
    return read_cards(scenario, given, where)


def read_locked(scenario: Scenario, given: Any, where: str) -> int:
    """Register numbers as bits."""
    bits = 0
    for i, number in enumerate(a_list([] if given is MISSING else given, where, "a list of register numbers")):
        bit = 1 << integer(number, f"{where}[{i}]", 1, REGISTERS) - 1
        if bits & bit:
            raise ScenarioError(f"{where}[{i}]: expected each register once, got {number} again")
        bits |= bit
    return bits


def put_registers(runner: Runner, r: int, registers: list[Register]) -> None:
    """Set the registers of a robot."""
    runner.game.registers[r, : len(registers)] = [card for card, _ in registers]


def put_hand(runner: Runner, r: int, hand: list[int]) -> None:
    """Give a robot its hand."""
    runner.game.hand[r, : len(hand)] = hand
    runner.game.held[r] = len(hand)


def names_of(runner: Runner, numbers: Iterable[int]) -> list[str]:
    """The names of cards, sorted."""
    return sorted(runner.form.card_names[card] for card in numbers if card)


def submit_by(kernel: Callable[..., Any]) -> Callable[[Runner, int, Program], None]:
    """A function that submits a program by a kernel (games, r, wish, slots, opened): hand slots `wish` [1, 5]; `slots`
    [1, 5] receives the program; `opened` has the timer's bits."""
    return lambda runner, r, found: kernel(runner.games, r, found.wish, np.zeros((1, REGISTERS), np.int8), found.opened)


def cards_of(robot: JsonObject) -> list[int]:
    """All cards that the file names for a robot."""
    in_registers = [card for register in robot["registers"] for card in register]
    return [card for card in (*in_registers, *robot["hand"], *robot["draw"], *robot["discard"]) if card != NONE]


# -- decisions


def check_program(scenario: Scenario, choice: Any, where: str) -> None:
    """Raise unless the answer is a program: five entries, or fewer where registers are locked."""
    if not isinstance(choice, list) or len(choice) > REGISTERS:
        raise ScenarioError(f"{where}: expected a list of at most five card names, got {shown(choice)}")
    for k, card in enumerate(choice):
        scenario.form.read_register(scenario, card, f"{where}[{k}]")


def decisions_of(kinds: Iterable[int], checks: dict[int, Check]) -> dict[str, Check]:
    """Decisions by name, each with its check: by default that the choice is the name of an option."""

    def by_name(kind: int) -> Check:
        return lambda scenario, choice, where: one_of(choice, where, OPTION_NAMES[kind])

    return {DECISION_NAMES[kind]: checks.get(kind) or by_name(kind) for kind in kinds}


# the rows that the robots of every edition have, in the order of the outcome
ROBOT: dict[str, Key] = {
    "x": Key(read_x, None, on_board(lambda runner, r, cell: cell % WIDTH)),
    "y": Key(read_y, put_cell, on_board(lambda runner, r, cell: cell // WIDTH)),
    "facing": Key(read_facing, put_field("facing"), on_board(lambda runner, r, cell: "NESW"[runner.game.facing[r]])),
    "checkpoint": Key(read_checkpoint, put_field("reached"), show_field("reached")),
    "energy": fixed(5),
    "taken": fixed(dict.fromkeys(DAMAGE_NAMES, 0)),
    "damage": fixed(0),
    "lives": fixed(3),
    "rebooted": fixed(False),
    "destroyed": fixed(False),
    "active": fixed(True),
    "registers": Key(
        read_registers, put_registers, lambda runner, r: [runner.register_name(r, k) for k in range(REGISTERS)]
    ),
    "archive": Key(check_archive, None, show_cell("start")),
    "level": fixed(0),
    "hand": Key(
        read_hand,
        put_hand,
        lambda runner, r: names_of(runner, runner.game.hand[r, : runner.game.held[r]].tolist()),
        after_rounds=True,
    ),
}
