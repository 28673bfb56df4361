"""Where a program would take a robot if it were alone: the rules themselves, on a copy of the race without the others.

What depends on chance is left out: the way ends before a register in which a card is drawn. So nothing that the player
does not know can be read from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from roborally_env.base.text import joined
from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.core.state import NOWHERE, REGISTERS
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.races import registers_to_go
from roborally_env.play.questions import Question

_KEY = np.uint64(0x47484F5354)  # of the copy's random stream: not that of the race
_BY_CHANCE = frozenset({"draw", "shuffle", "replaced"})  # own events in a register that depend on what is drawn
_FALLS = frozenset({"fall", "lost", "destroyed", "trapdoor"})
_HEADINGS = ("north", "east", "south", "west")
_MOST_ANSWERS = 400  # of a round: a robot alone has a few choices


@dataclass(frozen=True)
class Pose:
    """A place on the way."""

    at: tuple[int, int] | None  # None: off the board
    facing: int  # 0..3 = N E S W
    register: int  # 1..5; 0 at the start
    how: str  # the kind of event that led to it; "start"


@dataclass(frozen=True)
class Fall:
    """A fall, or another way to be destroyed."""

    register: int
    at: tuple[int, int]  # the pit, or the last cell on the board
    back: tuple[int, int] | None  # where the robot comes back in this round, if it does


@dataclass(frozen=True)
class Ghost:
    """The way of a robot alone.

    Attributes:
        path: the poses, from the start on; each differs from the one before.
        registers: the way is that of registers 1 to this.
        falls: in their order.
        checkpoints: (register, number) of those reached.
        damage: damage cards or tokens that the board deals.
        chance: the register in which a card is drawn, before which the way ends; None if all is certain.
        won: whether the last checkpoint is reached.
        stopped: the registers in which something stopped the robot.
        gained: registers that the way to the last checkpoint becomes shorter; below 0: longer.
    """

    path: tuple[Pose, ...]
    registers: int
    falls: tuple[Fall, ...] = ()
    checkpoints: tuple[tuple[int, int], ...] = ()
    damage: int = 0
    chance: int | None = None
    won: bool = False
    stopped: tuple[int, ...] = ()
    gained: float = 0.0

    def as_json(self, word: str) -> JsonObject:
        """The way as a page gets it, with a sentence; `word` is what the edition calls a checkpoint."""
        return {**asdict(self), "text": sentence(self, word)}


def sentence(ghost: Ghost, word: str) -> str:
    """The way in words, for screen readers; empty without cards."""
    if ghost.chance == 1:
        return "Register 1 draws a card: its path is unknown."
    if not ghost.registers:
        return ""
    parts = [f"reaches {word} {number} in register {register}" for register, number in ghost.checkpoints]
    if rides := sorted({pose.register for pose in ghost.path if pose.how == "belt"}):
        parts.append(f"rides a belt in {_registers(rides)}")
    parts += [_falling(fall) for fall in ghost.falls]
    if ghost.stopped:
        parts.append(f"is blocked in {_registers(ghost.stopped)}")
    end = ghost.path[-1]
    if ghost.won:
        parts.append("wins")
    elif end.at is not None:
        parts.append(f"ends on {end.at[0]},{end.at[1]} facing {_HEADINGS[end.facing]}")
    if ghost.damage:
        parts.append(f"takes {ghost.damage} damage")
    until = f" (register {ghost.chance} draws a card: nobody knows where that leads)" if ghost.chance else ""
    return f"Alone, your robot {joined(parts)}{until}."


def _registers(numbers: Sequence[int]) -> str:
    """'registers 2 and 3'."""
    return f"register{'s' * (len(numbers) > 1)} {joined([str(number) for number in numbers])}"


def _falling(fall: Fall) -> str:
    back = f" and comes back on {fall.back[0]},{fall.back[1]}" if fall.back else ""
    return f"falls in register {fall.register}{back}"


def ghost_of(batch: BatchRace, question: Question, slots: Sequence[int | None]) -> Ghost:
    """The way of an unfinished program, up to the first empty register.

    Choices of the own robot are taken as `decisions="program"` takes them.

    Args:
        batch: a copy of the race's batch, which is played on; with frames.
        question: the question for the program.
        slots: a hand slot for each register; None for an empty register.
    """
    robot = question.robot
    filled = _count_filled(question, slots)
    take_others_off(batch, robot)
    before = float(registers_to_go(batch)[0, robot])
    start = batch.games[0].copy()
    way = _Way(robot, start)
    for event, frame in _events(batch, robot, _filled(question, slots)):
        if not way.goes_on(event, filled):
            break
        way.note(event, frame)
    batch.games[0] = way.frame
    gained = before - float(registers_to_go(batch)[0, robot])
    return way.ghost(filled, gained)


def take_others_off(batch: BatchRace, robot: int) -> None:
    """Take all robots but one off the board of a batch's only race, with all they own; later chance is another one."""
    game = batch.games[0]
    game["key"], game["draws"] = _KEY, 0
    others = [r for r in range(batch.players) if r != robot]
    bits = sum(1 << r for r in others)
    game["cell"][others] = NOWHERE
    gone = "destroyed" if batch.kind.has("destroyed") else "rebooted"
    game[gone] = int(game[gone]) | bits
    for mats, of_all in (("owned", "on_mats"), ("options", "on_table")):
        if batch.kind.has(mats):
            game[mats][others] = 0
            game[of_all] = game[mats][robot]


def _count_filled(question: Question, slots: Sequence[int | None]) -> int:
    """How many registers from the first on have a card, or take none."""
    waits = (bool(register.slots) and slot is None for register, slot in zip(question.registers, slots, strict=True))
    return next((k for k, waiting in enumerate(waits) if waiting), REGISTERS)


def _filled(question: Question, slots: Sequence[int | None]) -> list[int]:
    """The program with any cards in the registers that still want one: they come after what is looked at."""
    filled = list(slots)
    for k, register in enumerate(question.registers):
        if filled[k] is None and register.slots:
            filled[k] = next((slot for slot in register.slots if slot not in filled), register.slots[0])
    return [slot or 0 for slot in filled]


def _events(batch: BatchRace, robot: int, program: Sequence[int]) -> Iterator[tuple[JsonObject, Record]]:
    """The events of the round with the record after each. Own choices are answered by their defaults."""
    programs = np.zeros((1, batch.players, REGISTERS), np.int8)
    programs[0, robot] = program
    choices = np.zeros((1, batch.players), np.int8)
    number = int(batch.games[0]["round_number"])
    for _ in range(_MOST_ANSWERS):
        batch.step(programs, choices)
        yield from zip(batch.events_of(0), batch.frames_of(0), strict=True)
        game = batch.games[0]
        if batch.over[0] or batch.programming[0] or int(game["round_number"]) != number:
            return
        choices[:] = 0
        choices[0, int(game["ask_seat"])] = 1 + int(game["ask_default"])


class _Way:
    """Puts the way together from events and records."""

    def __init__(self, robot: int, start: Record) -> None:
        self.robot, self.frame = robot, start
        self.register, self.damage, self.won = 0, 0, False
        self.chance: int | None = None
        self.path = [self._pose(start, "start")]
        self.falls: list[Fall] = []
        self.checkpoints: list[tuple[int, int]] = []
        self.stopped: list[int] = []

    def goes_on(self, event: JsonObject, filled: int) -> bool:
        """Whether an event still belongs to the way."""
        if event["kind"] == "register":
            self.register = int(event["register"])
            return self.register <= filled and not self.won
        if self.register and event["kind"] == "round":
            return False
        if self.register and event["kind"] in _BY_CHANCE and event.get("robot") == self.robot:
            self.chance = self.register
            return False
        return filled > 0

    def note(self, event: JsonObject, frame: Record) -> None:
        """Add an event, if it is one of the registers."""
        if not self.register:
            return
        self.frame, kind = frame.copy(), str(event["kind"])
        if event.get("robot") == self.robot:
            if kind in _FALLS:
                self._fall(event)
            elif kind in ("damage", "token", "hurt"):
                self.damage += 1
            elif kind == "checkpoint":
                self.checkpoints.append((self.register, int(event["number"])))
            elif kind == "blocked":
                self.stopped.append(self.register)
            self.won |= kind in ("win", "finished")
        pose = self._pose(frame, kind)
        if (pose.at, pose.facing) != (self.path[-1].at, self.path[-1].facing):
            self.path.append(pose)
            self._come_back(pose)

    def _fall(self, event: JsonObject) -> None:
        if self.falls and self.falls[-1].register == self.register and self.path[-1].at is None:
            return  # what follows from a fall: the loss of a life
        last = self.path[-1].at
        at = event.get("pit") or event.get("from") or last
        if at is not None:
            self.falls.append(Fall(self.register, (int(at[0]), int(at[1])), None))

    def _come_back(self, pose: Pose) -> None:
        if self.falls and pose.at is not None and self.path[-2].at is None:
            fall = self.falls.pop()
            self.falls.append(Fall(fall.register, fall.at, pose.at))

    def _pose(self, game: Record, how: str) -> Pose:
        cell = int(game["cell"][self.robot])
        at = (cell % WIDTH, cell // WIDTH) if cell >= 0 else None
        return Pose(at, int(game["facing"][self.robot]), self.register, how)

    def ghost(self, filled: int, gained: float) -> Ghost:
        """All of it."""
        registers = filled if self.chance is None else self.chance - 1
        return Ghost(
            tuple(self.path), registers, tuple(self.falls), tuple(self.checkpoints), self.damage, self.chance, self.won,
            tuple(dict.fromkeys(self.stopped)), gained,
        )  # fmt: skip
