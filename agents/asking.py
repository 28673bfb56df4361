"""The protocol of bots in other languages: the line that asks, and the answers in the line that comes back.

docs/protocol.md describes it for authors of bots.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.documents import JSON, is_whole, parse_json, shown
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array, JsonObject
from roborally_env.batch import BatchRace
from roborally_env.batch.board import checkpoints_of, course_of, cubes_of, ramps_of
from roborally_env.cards.option_names import option_names
from roborally_env.core.choices import NAMES, POWER_DOWN
from roborally_env.core.state import REGISTERS
from roborally_env.courses import Course, course_as_dict
from roborally_env.scenario.position import Position

VERSION = 1
_POWER_DOWNS = ("no", "yes")  # options of the decision `power_down` beside programs


class Question(NamedTuple):
    """What a row asks, as far as its answer is checked by it."""

    slots: int  # of the hand; 0: one of `options` is asked
    options: int
    may_power_down: bool = False


class Decision(NamedTuple):
    """The answer of a row: a program, or an option by its place in the list."""

    program: list[int]
    option: int = 0
    power_down: bool = False


class Positions:
    """Rows of questions about the games of one batch; what seats share is looked up once for each game.

    Args:
        batch: whose games are asked about.
        seed: of the agent, from which the rows' random numbers come.
    """

    def __init__(self, batch: BatchRace, seed: int) -> None:
        self.batch, self.seed = batch, seed
        self.courses: dict[str, Course] = {}  # that the rows name
        self._found: dict[int, tuple[Position, str]] = {}

    def program(self, game: int, seat: int, mask: Array) -> tuple[JsonObject, Question]:
        """A row that asks for a program; `mask` [5, slots] int8."""
        batch = self.batch
        row, position = self._row(game, seat)
        closed = int(batch.closed_registers[game, seat])
        may = bool(batch.may_announce[game, seat]) and batch.announces
        if not batch.programmed[game, seat]:  # powered down: it may stay so
            options = {"decision": NAMES[POWER_DOWN], "options": list(_POWER_DOWNS), "default": 0}
            return {**row, **options}, Question(0, len(_POWER_DOWNS), may)
        legal = [[] if closed >> k & 1 else np.flatnonzero(mask[k]).tolist() for k in range(REGISTERS)]
        asked = {"decision": "program", "hand": position.hand(seat)[: mask.shape[1]], "legal": legal}
        return {**row, **asked, "may_power_down": may}, Question(mask.shape[1], 0, may)

    def choice(self, game: int, seat: int, mask: Array) -> tuple[JsonObject, Question, NDArray[np.int64]]:
        """A row that asks for a choice, and the number of each of its options; `mask` [1 + options] int8."""
        record = self.batch.games[game]
        numbers = np.flatnonzero(mask[1:])
        row, _ = self._row(game, seat)
        default = int(np.flatnonzero(numbers == int(record["ask_default"]))[0])
        names = list(option_names(self.batch.games, game))
        asked = {"decision": NAMES[int(record["ask_kind"])], "options": names, "default": default}
        return {**row, **asked}, Question(0, len(numbers)), numbers

    def position(self, game: int) -> Position:
        """The position of a game, which shows what each seat sees."""
        return self._position(game)[0]

    def _row(self, game: int, seat: int) -> tuple[JsonObject, Position]:
        """What all rows have."""
        position, name = self._position(game)
        record = self.batch.games[game]
        on_board: JsonObject = {
            "checkpoints": [list(place) for place in checkpoints_of(self.batch, game)],
            "cubes": [list(cell) for cell in cubes_of(self.batch, game)],
        }
        ramps = ramps_of(self.batch, game)
        if ramps is not None:
            on_board["ramps"] = [list(cell) for cell in ramps]
        return {
            "seat": seat,
            "round": int(record["round_number"]),
            "register": int(record["register"]) + 1,
            "position": {**position.seen_by(seat), "course": name},
            "deck": position.pile(seat),
            "board": on_board,
            "random": _random(self.seed, int(record["key"]), int(record["draws"]), seat),
        }, position

    def _position(self, game: int) -> tuple[Position, str]:
        if game not in self._found:
            batch, number = self.batch, int(self.batch.games[game]["course"])
            course = course_of(batch, game)
            turned = [int(n) for n in batch.games[game]["turned"]] if batch.kind.has("turned") else []
            name = course.slug + ("@" + "".join(map(str, turned)) if any(turned) else "")
            self.courses[name] = course
            tables, games = batch.maps.courses[number : number + 1], batch.games[game : game + 1]
            position = Position(batch.kind, batch.edition, batch.rules, batch.courses[number], tables, games)
            self._found[game] = position, name
        return self._found[game]


def _random(seed: int, key: int, draws: int, seat: int) -> int:
    """A number below 2**53 that says nothing of the numbers that the race will draw."""
    text = f"{seed} {key} {draws} {seat}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 11


def ask_line(number: int, rows: Sequence[JsonObject], courses: dict[str, Course], milliseconds: int) -> bytes:
    """The line that asks for the decisions of rows; `courses` are those that the program does not know yet."""
    maps = {name: course_as_dict(course) for name, course in courses.items()}
    ask = {"roborally": VERSION, "id": number, "milliseconds": milliseconds, "courses": maps, "rows": list(rows)}
    return json.dumps(ask, separators=(",", ":")).encode() + b"\n"


def answers_in(line: bytes, number: int, count: int) -> list[Any]:
    """The answers of a line.

    Raises:
        RoboRallyError: for a line that is not JSON, answers another line than `number`, or has no list of `count`
            answers.
    """
    found = parse_json(line, JSON)
    if not isinstance(found, dict):
        raise RoboRallyError(f"expected an object, got {shown(found)}")
    if "error" in found:
        raise RoboRallyError(f"answered with an error: {shown(found['error'])}")
    if found.get("id") != number:
        raise RoboRallyError(f"id: expected {number}, got {shown(found.get('id'))}")
    answers = found.get("answers")
    if not isinstance(answers, list) or len(answers) != count:
        raise RoboRallyError(f"answers: expected a list of {count}, got {shown(answers)}")
    return answers


def decision_in(answer: object, question: Question) -> Decision:
    """An answer, checked.

    Raises:
        RoboRallyError: for anything else than the question asks.
    """
    if question.slots == 0:
        if not is_whole(answer, 0, question.options - 1):
            raise RoboRallyError(f"expected a whole number from 0 to {question.options - 1}, got {shown(answer)}")
        assert isinstance(answer, int)
        return Decision([], answer, question.may_power_down and answer == 1)
    down: object = False
    if isinstance(answer, dict):
        given: dict[str, object] = answer
        answer, down = given.get("program"), given.get("power_down", False)
    if not isinstance(answer, list) or len(answer) != REGISTERS:
        raise RoboRallyError(f"expected five hand slots, got {shown(answer)}")
    for k, slot in enumerate(answer):
        if not is_whole(slot, 0, question.slots - 1):
            raise RoboRallyError(f"register {k + 1}: expected a slot from 0 to {question.slots - 1}, got {shown(slot)}")
    if not isinstance(down, bool):
        raise RoboRallyError(f"power_down: expected true or false, got {shown(down)}")
    return Decision(answer, 0, down and question.may_power_down)
