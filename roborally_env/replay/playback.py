"""Playing a replay again, each round checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import ReplayError
from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.batch.board import checkpoints_of, course_of, cubes_of, ramps_of
from roborally_env.cards.option_names import option_name
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import POWER_DOWN as _POWER_DOWN
from roborally_env.core.options import NAMES as OPTION_CARDS
from roborally_env.core.state import REGISTERS, Kind
from roborally_env.courses import Course
from roborally_env.courses.tables import WIDTH
from roborally_env.replay.model import Replay, Round, state_hash

POWER_DOWN = DECISION_NAMES[_POWER_DOWN]


NamedPrograms = tuple[tuple[str | None, ...], ...]  # of each seat


@dataclass(frozen=True)
class Played:
    """A round of a replay, played again and checked. Tuples have one entry for each seat; round 0 is the start."""

    number: int
    course: Course
    programs: NamedPrograms  # card names; None where the timer caught the register
    choices: tuple[tuple[int, str, str], ...]  # (seat, decision, option)
    # number, x, y (None off the board), facing, checkpoint, reboots (times destroyed) so far; energy, or in 2005
    # damage, lives, archive [x, y], options, powered_down, team; by community rules energy, damage, powered_down,
    # virtual, place (0 before the goal)
    robots: tuple[JsonObject, ...]
    rebooted: tuple[int, ...]  # times in this round
    checkpoints: tuple[tuple[int, int, int], ...]  # (number, x, y) where they are now
    cubes: tuple[tuple[int, int], ...]  # (x, y) of the energy cubes that are left
    winner: int | None
    over: bool
    ramps: tuple[tuple[int, int], ...] | None = None  # (x, y) of the ramps that are on (community)


def play(replay: Replay) -> Iterator[Played]:
    """Play a replay again, round by round, beginning with round 0, the start.

    Raises:
        ReplayError: at the first round whose state is not the recorded one.
    """
    batch = replay.batch()
    _compare(batch, replay.start, "the start")
    yield _played(batch, 0, (), tuple(answer_in_turn(batch, replay.opening, "before round 1")), [0] * replay.robots)
    for number, recorded in enumerate(replay.rounds, 1):
        if batch.over[0]:
            raise ReplayError(f"replay: round {number}: the race was over after round {number - 1}")
        reboots = batch.games[0]["reboots"].tolist()
        programs = _programs_in_words(batch, recorded)
        announced = tuple((seat, POWER_DOWN, "yes") for seat in recorded.announced)
        submit(batch, recorded, f"round {number}")
        choices = (*announced, *answer_in_turn(batch, recorded.choices, f"round {number}"))
        _compare(batch, recorded.hash, f"round {number}")
        yield _played(batch, number, programs, choices, reboots)


def _compare(batch: BatchRace, expected: str, where: str) -> None:
    found = state_hash(batch.games[0])
    if found != expected:
        raise ReplayError(
            f"replay: {where}: the state is {found}, the replay has {expected}: the file was changed, or the rules were"
        )


def answer_in_turn(batch: BatchRace, answers: Sequence[tuple[int, int]], where: str) -> Iterator[tuple[int, str, str]]:
    """Give the recorded answers one by one: (seat, decision, option) after each step.

    Raises:
        ReplayError: if an answer has no open choice or is not legal, or if one is missing at the end.
    """
    for seat, option in answers:
        game = batch.games[0]
        kind = int(game["ask_kind"])
        name = option_name(game, option) if int(game["ask_options"]) >> option & 1 else ""
        if batch.programming[0] or batch.over[0] or int(game["ask_seat"]) != seat:
            raise ReplayError(f"replay: {where}: robot {seat} has an answer without a choice")
        if not int(game["ask_options"]) >> option & 1:
            raise ReplayError(f"replay: {where}: robot {seat} gives an answer that is not legal")
        choices = _no_choices(batch)
        assert choices is not None
        choices[0, seat] = 1 + option
        batch.step(np.zeros((1, batch.players, REGISTERS), np.int8), choices)
        yield seat, DECISION_NAMES[kind], name
    if not (batch.programming[0] or batch.over[0]):
        raise ReplayError(f"replay: {where}: an answer of robot {int(batch.games[0]['ask_seat'])} is missing")


def _no_choices(batch: BatchRace) -> NDArray[np.int8] | None:
    return np.zeros((1, batch.players), np.int8) if batch.asks_choices else None


def submit(batch: BatchRace, recorded: Round, where: str) -> None:
    """Submit the programs of a round, with the recorded announcements."""
    opened = np.array([recorded.opened], np.uint8) if recorded.opened else None
    batch.step(np.array([recorded.programs], np.int8), announcements(batch, recorded, where), opened)


def announcements(batch: BatchRace, recorded: Round, where: str) -> NDArray[np.int8] | None:
    """The choices beside the programs: 1 for each seat that announces a power down."""
    choices = _no_choices(batch)
    for seat in recorded.announced:
        if not batch.may_announce[0, seat]:
            raise ReplayError(f"replay: {where}: robot {seat} announces a power down and may not")
        assert choices is not None
        choices[0, seat] = 1
    return choices


def _programs_in_words(batch: BatchRace, recorded: Round) -> NamedPrograms:
    """The cards of the programs, with those in locked registers; "none" without a program."""
    game, names = batch.games[0], batch.kind.card_names
    opened = recorded.opened or (0,) * batch.players
    closed = batch.closed_registers[0].tolist()

    def card(seat: int, k: int, slot: int) -> str | None:
        if closed[seat] >> k & 1:
            return names[int(game["registers"][seat, k])]
        return None if opened[seat] >> k & 1 else names[int(game["hand"][seat, slot])]

    return tuple(
        tuple(card(seat, k, slot) for k, slot in enumerate(slots)) for seat, slots in enumerate(recorded.programs)
    )


def _played(
    batch: BatchRace,
    number: int,
    programs: NamedPrograms,
    choices: tuple[tuple[int, str, str], ...],
    reboots: Sequence[int],
) -> Played:
    game = batch.games[0]
    return Played(
        number=number,
        course=course_of(batch),
        programs=programs,
        choices=choices,
        robots=tuple(_robot(game, seat) | _own(game, seat, batch.kind) for seat in range(batch.players)),
        rebooted=tuple(int(game["reboots"][seat]) - reboots[seat] for seat in range(batch.players)),
        checkpoints=tuple(checkpoints_of(batch)),
        cubes=tuple(cubes_of(batch)),
        winner=int(game["winner"]) if game["winner"] >= 0 else None,
        over=bool(batch.over[0]),
        ramps=ramps_of(batch),
    )


def _robot(game: Record, seat: int) -> JsonObject:
    cell = int(game["cell"][seat])
    x, y = _xy(cell) if cell >= 0 else (None, None)
    return {
        "number": seat,
        "x": x,
        "y": y,
        "facing": "NESW"[int(game["facing"][seat])],
        "checkpoint": int(game["reached"][seat]),
        "reboots": int(game["reboots"][seat]),
    }


def _own(game: Record, seat: int, kind: Kind) -> JsonObject:
    """The facts about a robot that only some kinds of games have."""
    found: JsonObject = {name: int(game[name][seat]) for name in ("energy", "damage", "lives") if kind.has(name)}
    if kind.has("archive"):
        archive = int(game["archive"][seat])
        found["archive"] = list(_xy(archive)) if archive >= 0 else None
    if kind.has("options"):
        own = int(game["options"][seat])
        found["options"] = [name for option, name in enumerate(OPTION_CARDS) if option and own >> option & 1]
    states = (("powered_down", "down"), ("virtual", "virtual"))
    found |= {name: bool(int(game[field]) >> seat & 1) for name, field in states if kind.has(field)}
    return found | {name: int(game[name][seat]) for name in ("place", "team") if kind.has(name)}


def _xy(cell: int) -> tuple[int, int]:
    return cell % WIDTH, cell // WIDTH
