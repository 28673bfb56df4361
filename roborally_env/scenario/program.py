"""Programs as answers name them, found in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError
from roborally_env.core.cards import NONE
from roborally_env.core.state import REGISTERS
from roborally_env.scenario import entry_points
from roborally_env.scenario.keys import EMPTY, Register

if TYPE_CHECKING:
    from roborally_env.scenario.runner import Runner


class Sheet(NamedTuple):
    """A robot's hand and registers for programming. A locked register that is not closed, which holds no card, may be
    programmed or left empty."""

    runner: Runner
    robot: int
    hand: list[int]
    registers: list[Register]
    closed: int  # bits of the registers that take no card
    locked: int  # bits of the locked registers

    @property
    def open(self) -> list[int]:
        """The registers that take a card, from 0."""
        return [k for k in range(REGISTERS) if not self.closed >> k & 1]

    @property
    def held(self) -> int:
        """The number of cards of the hand."""
        return sum(card != NONE for card in self.hand)

    def read(self, entry: Any, where: str) -> Register:
        """The contents of a register as the answer names them."""
        scenario = self.runner.scenario
        return scenario.form.read_register(scenario, entry, where)


class Program(NamedTuple):
    """The cards of a program: first the cards of `seconds` leave the hand, then hand slots go into registers."""

    wish: np.ndarray  # [1, 5] slots of the hand without `seconds`
    opened: int = 0  # bits of the registers that the timer left open, or for which no card is left
    bare: int = 0  # bits of the locked registers that are left empty
    seconds: Sequence[tuple[int, int]] = ()  # register, slot of the rotation that shares it, last slots first
    caught: bool = False  # whether the timer places cards of the hand
    named: Mapping[int, Register] = {}  # register -> what the answer names for it
    places: Mapping[int, str] = {}  # register -> where the answer names it
    where: str = ""  # where the answer stands


def default_program(sheet: Sheet) -> Program:
    """The cards of the hand in order."""
    wish = np.zeros((1, REGISTERS), np.int8)
    wish[0, sheet.open] = range(len(sheet.open))
    return Program(wish)


def read_program(choice: list[Any], where: str, sheet: Sheet) -> Program:
    """The program of an answer: five entries, or a card for each open register."""
    entries = _by_register(choice, where, sheet)
    wanted = {k: sheet.read(entry, f"{where}[{i}]") for k, (i, entry) in entries.items()}
    places = {k: f"{where}[{i}]" for k, (i, _) in entries.items()}
    form = sheet.runner.form
    slots: dict[tuple[int, int], int] = {}
    # cards named by number first, so that a name without one takes what is left
    parts = [(k, part) for k in wanted for part in (0, 1) if wanted[k][part] != NONE]
    for k, part in sorted(parts, key=lambda at: wanted[at[0]][at[1]] >= form.unnumbered):
        slots[k, part] = _slot_of(wanted[k][part], places[k], sheet, set(slots.values()))
        if part == 0 and not entry_points.is_legal(sheet.runner.games, sheet.robot, slots[k, 0], k):
            name = form.card_names[wanted[k][0]]
            raise ScenarioError(f"{places[k]}: {name!r} cannot be programmed in register one")
    empty = [k for k in sheet.open if wanted.get(k, EMPTY) == EMPTY]
    bare = sum(1 << k for k in empty if sheet.locked >> k & 1)
    opened = sum(1 << k for k in empty) & ~bare
    left = sheet.held - len(slots)
    if opened and left and not sheet.runner.scenario.timed:
        k = next(k for k in empty if opened >> k & 1)
        raise ScenarioError(f"{places[k]}: expected a card of the hand, as register {k + 1} is open, got null")
    seconds = sorted(((k, slot) for (k, part), slot in slots.items() if part == 1), key=lambda at: -at[1])
    wish = np.zeros((1, REGISTERS), np.int8)
    for (k, part), slot in slots.items():
        if part == 0:
            wish[0, k] = slot - sum(other < slot for _, other in seconds)
    program = Program(wish, opened, bare, seconds, opened != 0 and left > 0, wanted, places, where)
    form.check_program(sheet, program)
    return program


def name_of(card_names: Sequence[str], register: Register) -> str | None:
    """The name of a register's contents, or None."""
    first, second = register
    if first == NONE:
        return None
    return card_names[first] if second == NONE else f"{card_names[first]}+{card_names[second]}"


def _by_register(choice: list[Any], where: str, sheet: Sheet) -> dict[int, tuple[int, Any]]:
    """Open register -> its place in the answer, and the entry there."""
    if len(choice) == REGISTERS:
        for k, entry in enumerate(choice):
            if sheet.closed >> k & 1:
                _check_locked(entry, f"{where}[{k}]", k, sheet)
        return {k: (k, choice[k]) for k in sheet.open}
    unlocked = [k for k in sheet.open if not sheet.locked >> k & 1]
    for registers in (unlocked, sheet.open, sheet.open[: sheet.held]):
        if len(choice) == len(registers):
            return {k: (i, choice[i]) for i, k in enumerate(registers)}
    raise ScenarioError(
        f"{where}: expected five entries, or {len(unlocked)} cards for the open registers, got {shown(choice)}"
    )


def _check_locked(entry: Any, where: str, k: int, sheet: Sheet) -> None:
    """Raise unless the entry of a locked register is null or names its card."""
    wanted, there = sheet.read(entry, where), sheet.registers[k]
    form = sheet.runner.form
    if wanted != EMPTY and not all(form.is_called(*both) for both in zip(there, wanted, strict=True)):
        raise ScenarioError(
            f"{where}: expected null or {shown(name_of(form.card_names, there))}, as the register is locked, got "
            f"{shown(entry)}"
        )


def _slot_of(card: int, where: str, sheet: Sheet, used: set[int]) -> int:
    form = sheet.runner.form
    for slot, own in enumerate(sheet.hand):
        if own != NONE and slot not in used and form.is_called(own, card):
            return slot
    held = ", ".join(form.card_names[own] for own in sheet.hand if own != NONE)
    raise ScenarioError(
        f"{where}: {form.card_names[card]!r} is not (or no longer) in the hand of robot {sheet.robot}: {held}"
    )
