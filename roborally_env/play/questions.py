"""Open questions: their text, the legal answers, and error messages for other answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from roborally_env.agents.learned import shipped_weights
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.cards.option_names import option_name
from roborally_env.core.choices import BUY_UPGRADE, REBOOT_FACING, REENTRY_CELL, can_decline
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.state import NOBODY, REGISTERS, Kind
from roborally_env.courses.special import NO_POWER_DOWN
from roborally_env.play.outcomes import outcomes
from roborally_env.play.text import answer_title, card_hint, lasting, program_sentence, programming_card, sentence

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
    lasts: str = ""  # of an upgrade: "permanent" or "temporary"
    card: bool = False  # a card that lies in hands and registers
    cell: tuple[int, int] | None = None
    then: str = ""  # what it leads to now, where that is known


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
    may_power_down: bool = False  # with a program: whether a power down can be announced with it
    may_rest: bool = False  # of a choice: whether it can be declined for the rest of the round
    may_hint: bool = False  # whether a hint can be had: for programs, and for purchases that a network values
    cell: tuple[int, int] | None = None  # the space that the question is about

    def as_json(self) -> JsonObject:
        """The question as a page gets it."""
        found: JsonObject = {
            name: getattr(self, name) for name in ("number", "round", "register", "robot", "kind", "text", "about")
        }
        if self.cell is not None:
            found["cell"] = self.cell
        if self.kind == PROGRAM:
            registers = [{"slots": r.slots, "card": r.card} for r in self.registers]
            return {**found, "hand": self.hand, "registers": registers, "may_power_down": self.may_power_down}
        found |= {"may_rest": self.may_rest, "may_hint": self.may_hint}
        return {**found, "answers": [{k: v for k, v in vars(a).items() if v not in ("", None)} for a in self.answers]}

    def check_asks_program(self) -> None:
        """Raises Refused for a choice."""
        if self.kind != PROGRAM:
            raise Refused(f"robot {self.robot} decides {self.kind} now, it has no program to submit")

    def check_program(self, slots: Sequence[int | None], partly: bool = False) -> tuple[int, ...]:
        """A checked program in the form of the batch: the hand slot of each register, 0 for a register without a card.

        Args:
            slots: the hand slot of each register, None for one without a card.
            partly: whether registers may still be empty.

        Raises:
            Refused: for a slot that is missing, not legal, or used twice.
        """
        self.check_asks_program()
        if len(slots) != REGISTERS:
            raise Refused(f"program: expected {REGISTERS} registers, got {len(slots)}")
        register_of: dict[int, int] = {}
        for k, slot in enumerate(slots):
            if slot is not None or not partly:
                self._check_register(k, slot, register_of)
            if slot is not None:
                register_of[slot] = k
        return tuple(0 if slot is None else slot for slot in slots)

    def _check_register(self, k: int, slot: int | None, register_of: dict[int, int]) -> None:
        legal = self.registers[k].slots
        if not legal:
            if slot is not None:
                raise Refused(f"program: register {k + 1} takes no card")
            return
        if slot is None:
            raise Refused(f"program: register {k + 1} is empty")
        if slot in register_of:
            raise Refused(f"program: the card in slot {slot} is already in register {register_of[slot] + 1}")
        if slot not in legal:
            card = f" ({self.hand[slot]})" if 0 <= slot < len(self.hand) else ""
            raise Refused(f"program: slot {slot}{card} is not legal in register {k + 1}")

    def open_registers(self, slots: Sequence[int | None]) -> int:
        """The registers of a program that still want a card, as bits."""
        return sum(1 << k for k, r in enumerate(self.registers) if r.slots and slots[k] is None)

    def check_option(self, option: int) -> int:
        """The option, if it is legal; else raises Refused."""
        if self.kind == PROGRAM:
            raise Refused(f"robot {self.robot} programs now, it has no choice to answer")
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
    return Question(
        number=number,
        round=int(game["round_number"]),
        register=0,
        robot=robot,
        kind=PROGRAM,
        text=text,
        hand=hand,
        registers=tuple(registers),
        may_power_down=may_power_down(batch, robot),
        may_hint=True,
    )


def may_power_down(batch: BatchRace, robot: int) -> bool:
    """Whether a power down of a robot that is programmed can be announced and does it any good: it is damaged, and the
    course does not forbid it (2005 R60, community)."""
    game = batch.games[0]
    if not batch.kind.has("announced") or not game["damage"][robot] or int(game["announced"]) >> robot & 1:
        return False
    return not (batch.kind.has("special") and int(game["special"]) & NO_POWER_DOWN)


def choice_question(
    batch: BatchRace, number: int, names: Sequence[str], playing_registers: bool, tries: bool = False
) -> Question:
    """The question for the open choice in the one race of a batch; `names` has the names of all robots. If it `tries`
    them, answers in a register say what they lead to."""
    game = batch.games[0]
    kind, robot = int(game["ask_kind"]), int(game["ask_seat"])
    about = int(game["ask_about"]) if "ask_about" in game.dtype.names else NOBODY
    whom = f"robot {about} ({names[about]})" if about not in (NOBODY, robot) else ""
    legal = int(game["ask_options"])
    register = int(game["register"]) + 1 if playing_registers else 0
    options = [option for option in range(legal.bit_length()) if legal >> option & 1]
    then = outcomes(batch, options) if tries and register else ("",) * len(options)
    return Question(
        number=number,
        round=int(game["round_number"]),
        register=register,
        robot=robot,
        kind=DECISIONS[kind],
        text=sentence(game, batch.kind, whom),
        answers=tuple(_answer(game, batch.kind, kind, o, t) for o, t in zip(options, then, strict=True)),
        about=about if about != NOBODY else None,
        may_rest=register > 0 and can_decline(kind, legal),
        may_hint=kind == BUY_UPGRADE and _are_valued(batch),
        cell=_space_of(batch, robot) if kind == REBOOT_FACING else None,
    )


def _are_valued(batch: BatchRace) -> bool:
    """Whether the package has a network that values the purchases of an edition."""
    try:
        shipped_weights("learned", batch.game)
    except RoboRallyError:
        return False
    return True


def _space_of(batch: BatchRace, robot: int) -> tuple[int, int]:
    """The space of a robot whose facing is being chosen. The rules find it before they ask, and the record is put
    back; so a copy of the race plays on with the default answer."""
    trial = batch.copy()
    known = len(batch.events_of(0, partial=True)) - len(batch.events_of(0))
    nothing = np.zeros((1, batch.players, REGISTERS), np.int8)
    choices = np.zeros((1, batch.players), np.int8)
    choices[0, robot] = 1 + int(batch.games[0]["ask_default"])
    trial.step(nothing, choices)
    events = trial.events_of(0, partial=True)[known:]
    x, y = next(e["cell"] for e in events if e["kind"] == "placed" and e["robot"] == robot)
    return int(x), int(y)


def _answer(game: Record, kind_of_game: Kind, kind: int, option: int, then: str) -> Answer:
    name = option_name(game, option)
    hint, cost = card_hint(kind, name, kind_of_game)
    cell = tuple(map(int, name.split(","))) if kind == REENTRY_CELL and "," in name else None
    return Answer(
        option=option,
        name=name,
        title=answer_title(kind, name, kind_of_game),
        hint=hint,
        cost=cost,
        lasts=lasting(name, kind_of_game) if cost is not None else "",
        card=not hint and programming_card(name),
        then=then,
        cell=cell,  # type: ignore[arg-type]  # two numbers
    )
