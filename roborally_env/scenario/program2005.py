"""Programs of the 2005 edition as answers name them, found in the hand."""

from typing import Any, NamedTuple

import numpy as np

from roborally_env.base.errors import ScenarioError
from roborally_env.core import cards, options
from roborally_env.core.cards2005 import NAMES
from roborally_env.core.state import REGISTERS
from roborally_env.scenario.cards2005 import (
    NONE,
    Register,
    action,
    is_called,
    is_numbered,
    read_register,
    register_name,
)
from roborally_env.scenario.values import shown

NOTHING: Register = (NONE, NONE)


class Sheet(NamedTuple):
    """A robot's hand and registers for programming. A locked register without a card may be programmed or left
    empty."""

    hand: list[int]
    registers: list[Register]
    locked: int  # bits of the registers that take no card: locked, with a card in them
    bare: int  # bits of the registers that are locked and empty
    options: int  # bit o: option o lies in front of the player
    timer: bool  # whether registers may be left to the timer

    @property
    def open(self) -> list[int]:
        """The registers that take a card, from 0."""
        return [k for k in range(REGISTERS) if not self.locked >> k & 1]


class Program(NamedTuple):
    """The cards to lay: first the cards of `seconds` leave the hand, then hand slots go into registers."""

    wish: np.ndarray  # [1, 5] slots of the hand without `seconds`
    opened: int  # bits of the registers that the timer left open, or for which no card is left
    bare: int  # bits of the locked registers that are left empty
    seconds: list[tuple[int, int]]  # register, slot of the rotation that lies with its card, last slots first
    caught: bool = False  # whether the timer lays cards of the hand


def default_program(sheet: Sheet) -> Program:
    """The cards of the hand in order."""
    wish = np.zeros((1, REGISTERS), np.int8)
    wish[0, sheet.open] = range(len(sheet.open))
    return Program(wish, 0, 0, [])


def read_program(choice: list[Any], where: str, robot: int, sheet: Sheet) -> Program:
    """The program of an answer: five entries, or a card for each open register."""
    entries = _by_register(choice, where, sheet)
    wanted = {k: read_register(entry, f"{where}[{i}]") for k, (i, entry) in entries.items()}
    bare = sum(1 << k for k in sheet.open if sheet.bare >> k & 1 and wanted.get(k, NOTHING) == NOTHING)
    slots: dict[tuple[int, int], int] = {}
    # cards named by number first, so that a name without one takes what is left
    parts = [(k, part) for k in wanted for part in (0, 1)]
    for k, part in sorted(parts, key=lambda at: not is_numbered(wanted[at[0]][at[1]])):
        card, here = wanted[k][part], f"{where}[{entries[k][0]}]"
        if card != NONE:
            slots[k, part] = _slot_of(card, here, robot, sheet, set(slots.values()))
    for k, register in wanted.items():
        if register[1] != NONE:
            _check_pair(register, f"{where}[{entries[k][0]}]", sheet)
    opened = 0
    for k in sheet.open:
        if wanted.get(k, NOTHING) == NOTHING and not bare >> k & 1:
            if not sheet.timer and len(slots) < len(sheet.hand):
                i = entries[k][0]
                raise ScenarioError(f"{where}[{i}]: expected a card of the hand, as register {k + 1} is open, got null")
            opened |= 1 << k
    seconds = sorted(((k, slot) for (k, part), slot in slots.items() if part == 1), key=lambda at: -at[1])
    gone = [slot for _, slot in seconds]
    wish = np.zeros((1, REGISTERS), np.int8)
    for (k, part), slot in slots.items():
        if part == 0:
            wish[0, k] = slot - sum(other < slot for other in gone)
    return Program(wish, opened, bare, seconds, opened != 0 and len(slots) < len(sheet.hand))


def _by_register(choice: list[Any], where: str, sheet: Sheet) -> dict[int, tuple[int, Any]]:
    """Open register -> its place in the answer, and the entry there."""
    if len(choice) == REGISTERS:
        for k, entry in enumerate(choice):
            if sheet.locked >> k & 1:
                _check_locked(entry, f"{where}[{k}]", k, sheet)
        return {k: (k, choice[k]) for k in sheet.open}
    unlocked = [k for k in sheet.open if not sheet.bare >> k & 1]
    for registers in (unlocked, sheet.open, sheet.open[: len(sheet.hand)]):
        if len(choice) == len(registers):
            return {k: (i, choice[i]) for i, k in enumerate(registers)}
    raise ScenarioError(
        f"{where}: expected five entries, or {len(unlocked)} cards for the open registers, got {shown(choice)}"
    )


def _check_locked(entry: Any, where: str, k: int, sheet: Sheet) -> None:
    """Raise unless the entry of a locked register is null or names its card."""
    wanted, there = read_register(entry, where), sheet.registers[k]
    if wanted != NOTHING and not all(is_called(*both) for both in zip(there, wanted, strict=True)):
        raise ScenarioError(
            f"{where}: expected null or {shown(register_name(there))}, as the register is locked, got {shown(entry)}"
        )


def _slot_of(card: int, where: str, robot: int, sheet: Sheet, used: set[int]) -> int:
    for slot, own in enumerate(sheet.hand):
        if slot not in used and is_called(own, card):
            return slot
    held = ", ".join(NAMES[own] for slot, own in enumerate(sheet.hand) if slot not in used)
    raise ScenarioError(f"{where}: {NAMES[card]!r} is not (or no longer) in the hand of robot {robot}: {held}")


def _check_pair(register: Register, where: str, sheet: Sheet) -> None:
    """Whether an option lets the two cards share a register."""
    move, turn = map(action, register)
    crab = sheet.options >> options.CRAB_LEGS & 1 and move == cards.MOVE_1 and turn != cards.U_TURN
    if not crab and not sheet.options >> options.DUAL_PROCESSOR & 1:
        raise ScenarioError(
            f"{where}: expected one card, got {shown(register_name(register))}; two in one register need "
            "dual_processor, or crab_legs for a move_1 with turn_left or turn_right"
        )
