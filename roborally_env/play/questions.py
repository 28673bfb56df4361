"""Open questions: their text, the legal answers, and error messages for other answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.cards.option_names import option_name
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.choices import REENTRY_CELL
from roborally_env.core.state import NOBODY, REGISTERS, Kind
from roborally_env.errors import RoboRallyError
from roborally_env.play.words import answer_title, card_hint, program_sentence, programming_card, sentence

PROGRAM = "program"


class Refused(RoboRallyError):
    """Raised for a message of a page that is not accepted; the race does not change."""


@dataclass(frozen=True)
class Register:
    """One register of a robot that a player programs."""

    slots: tuple[int, ...]  # its legal hand slots; empty if it takes no card
    card: str | None = None  # the card in a locked register


@dataclass(frozen=True)
class Answer:
    """One legal answer of a choice."""

    option: int
    name: str  # the name in replays
    title: str
    hint: str = ""
    cost: int | None = None  # energy cubes
    card: bool = False  # a card that lies in hands and registers
    cell: tuple[int, int] | None = None


@dataclass(frozen=True)
class Question:
    """The question to one robot's player. `number` counts the decision points of the race from 1."""

    number: int
    round: int
    register: int  # 1..5 while registers are played, else 0
    robot: int
    kind: str  # "program", or the name of the decision
    text: str
    hand: tuple[str, ...] = ()  # of a program
    registers: tuple[Register, ...] = ()
    answers: tuple[Answer, ...] = field(default=())  # of a choice
    about: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The question as a page gets it."""
        found: dict[str, Any] = {
            name: getattr(self, name) for name in ("number", "round", "register", "robot", "kind", "text", "about")
        }
        if self.kind == PROGRAM:
            registers = [{"slots": r.slots, "card": r.card} for r in self.registers]
            return {**found, "hand": self.hand, "registers": registers}
        return {**found, "answers": [{k: v for k, v in vars(a).items() if v not in ("", None)} for a in self.answers]}

    def check_program(self, slots: Sequence[int | None]) -> tuple[int, ...]:
        """A checked program in the form of the batch: the hand slot of each register, 0 for a register without a card.

        Raises:
            Refused: for a slot that is missing, not legal, or used twice.
        """
        if self.kind != PROGRAM:
            raise Refused(f"robot {self.robot} is asked for {self.kind}, not for a program")
        if len(slots) != REGISTERS:
            raise Refused(f"program: expected {REGISTERS} registers, got {len(slots)}")
        laid: dict[int, int] = {}
        for k, slot in enumerate(slots):
            self._check_register(k, slot, laid)
            if slot is not None:
                laid[slot] = k
        return tuple(0 if slot is None else slot for slot in slots)

    def _check_register(self, k: int, slot: int | None, laid: dict[int, int]) -> None:
        legal = self.registers[k].slots
        if not legal:
            if slot is not None:
                raise Refused(f"program: register {k + 1} takes no card")
            return
        if slot is None:
            raise Refused(f"program: register {k + 1} is empty")
        if slot in laid:
            raise Refused(f"program: the card in slot {slot} lies in register {laid[slot] + 1} already")
        if slot not in legal:
            card = f" ({self.hand[slot]})" if 0 <= slot < len(self.hand) else ""
            raise Refused(f"program: slot {slot}{card} is not legal in register {k + 1}")

    def check_option(self, option: int) -> int:
        """The option, if it is legal; else raises Refused."""
        if self.kind == PROGRAM:
            raise Refused(f"robot {self.robot} is asked for a program, not for a choice")
        if option not in {answer.option for answer in self.answers}:
            legal = ", ".join(f"{a.option} ({a.name})" for a in self.answers)
            raise Refused(f"choice {option} is not legal for {self.kind}; expected {legal}")
        return option


def program_question(batch: BatchRace, robot: int, number: int) -> Question:
    """The question for a robot's program. `batch` has one race, with masks."""
    game, names = batch.games[0], batch.kind.card_names
    hand = tuple(names[int(card)] for card in game["hand"][robot][: int(game["held"][robot])])
    closed = int(batch.closed_registers[0, robot])
    masks = batch.observations["masks"][0, robot]
    registers: list[Register] = []
    left = len(hand)
    for k in range(REGISTERS):
        locked = bool(closed >> k & 1)
        fits = not locked and left > 0
        left -= fits
        slots = tuple(np.flatnonzero(masks[k]).tolist()) if fits else ()
        registers.append(Register(slots, names[int(game["registers"][robot, k])] if locked else None))
    to_fill = sum(bool(r.slots) for r in registers)
    text = program_sentence(to_fill, closed.bit_count())
    return Question(number, int(game["round_number"]), 0, robot, PROGRAM, text, hand, tuple(registers))


def choice_question(batch: BatchRace, number: int, names: Sequence[str], playing_registers: bool) -> Question:
    """The question for the open choice in the one race of a batch; `names` has the names of all robots."""
    game = batch.games[0]
    kind, robot = int(game["ask_kind"]), int(game["ask_seat"])
    about = int(game["ask_about"]) if "ask_about" in game.dtype.names else NOBODY
    whom = f"robot {about} ({names[about]})" if about not in (NOBODY, robot) else ""
    legal = int(game["ask_options"])
    return Question(
        number=number,
        round=int(game["round_number"]),
        register=int(game["register"]) + 1 if playing_registers else 0,
        robot=robot,
        kind=DECISIONS[kind],
        text=sentence(game, batch.kind, whom),
        answers=tuple(_answer(game, batch.kind, kind, o) for o in range(legal.bit_length()) if legal >> o & 1),
        about=about if about != NOBODY else None,
    )


def _answer(game: Any, kind_of_game: Kind, kind: int, option: int) -> Answer:
    name = option_name(game, option)
    hint, cost = card_hint(kind, name, kind_of_game)
    cell = tuple(map(int, name.split(","))) if kind == REENTRY_CELL and "," in name else None
    return Answer(
        option=option,
        name=name,
        title=answer_title(kind, name, kind_of_game),
        hint=hint,
        cost=cost,
        card=not hint and programming_card(name),
        cell=cell,  # type: ignore[arg-type]  # two numbers
    )
