"""Reading and checking a scenario: every key, with the place and what was expected there in each error."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.core import cards, upgrades
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import OPTION_NAMES
from roborally_env.core.rules import check_edition, rule_values
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, MAX_PLAYERS, REGISTERS
from roborally_env.courses import Course, course_from_map, load_course
from roborally_env.courses.tables import tables_of
from roborally_env.errors import RoboRallyError, nearest

TOP_KEYS = (
    "name", "edition", "rules", "map", "course", "robots", "answers", "play", "shop", "seed", "expect",
)  # fmt: skip
# robot key -> the only value that the 2016 game has for it (None: read below)
ROBOT_KEYS: dict[str, Any] = {
    "x": None, "y": None, "facing": None, "registers": None, "draw": None, "discard": None, "hand": None,
    "energy": None, "checkpoint": None,
    "upgrades": None, "options": [], "damage": 0, "lives": 3, "archive": None, "locked": [], "powered_down": False,
    "level": 0, "team": 0,
}  # fmt: skip
PLAY_KEYS = ("from", "to", "rounds", "order", "start")
MAX_ENERGY = 30_000
_LISTS = ("cache_memory", "memory_swap")  # decisions that are answered by a list of cards
_SPECIAL_CARDS = cards.NAMES[cards.ENERGY_ROUTINE :]


class Scenario:
    """One checked scenario. `run()` plays it and returns the outcome object."""

    def __init__(self, data: dict[str, Any], source: str = "") -> None:
        self.data = data
        self.source = source
        reader = _Reader(data)
        self.name: str = reader.name
        self.edition: str = reader.edition
        self.rules: dict[str, Any] = reader.rules
        self.course: Course = reader.course
        self.tables: np.ndarray = reader.tables
        self.robots: list[dict[str, Any]] = reader.robots
        self.answers: list[dict[str, Any]] = reader.answers
        self.play: dict[str, Any] = reader.play
        self.shop: list[int] = reader.shop
        self.seed: int = reader.seed
        self.expect: dict[str, Any] | None = data.get("expect")

    def run(self) -> dict[str, Any]:
        """Play it. Returns the outcome object of the scenario format; raises RoboRallyError for an unusable answer."""
        from roborally_env.scenario.run import run

        return run(self)


def load(source: str | Path | dict[str, Any]) -> Scenario:
    """A scenario from a JSON file's path or from the object itself.

    Raises RoboRallyError with the file, the key and what was expected there.
    """
    if isinstance(source, dict):
        return Scenario(source)
    path = Path(source)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise RoboRallyError(f"{path}: cannot be read: {error}; expected a scenario file (JSON)") from None
    try:
        return parse(text, str(path))
    except RoboRallyError as error:
        raise RoboRallyError(f"{path}: {error}") from None


def parse(text: str, source: str = "") -> Scenario:
    """A scenario from JSON text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RoboRallyError(f"not JSON: {error}; expected one scenario object") from None
    if not isinstance(data, dict):
        raise RoboRallyError(f"expected one scenario object, got {_shown(data)}")
    return Scenario(data, source)


class _Reader:
    """Checks the parts in order; each method reads one key."""

    def __init__(self, data: dict[str, Any]) -> None:
        _known_keys(data, TOP_KEYS, "")
        self.name = _text(data.get("name", ""), "name")
        if "edition" not in data:
            raise RoboRallyError('edition: missing; expected an edition\'s name such as "2016"')
        self.edition = check_edition(_text(data["edition"], "edition"))
        self.rules = rule_values(self.edition, data.get("rules"))
        self.course = self._course(data)
        self.tables = tables_of(self.course)
        self.play = self._play(data)
        self.robots = self._robots(data)
        self._check_order()
        self._check_damage_cards()
        self.answers = self._answers(data)
        self.shop = self._shop(data)
        self.seed = _integer(data.get("seed", 0), "seed", 0, 2**64 - 1)
        if "expect" in data:
            _object(data["expect"], "expect")

    def _course(self, data: dict[str, Any]) -> Course:
        if ("map" in data) == ("course" in data):
            raise RoboRallyError('map: expected either "map" or "course"' + (", not both" if "map" in data else ""))
        if "map" in data:
            return course_from_map(_object(data["map"], "map"), self.edition)
        try:
            return load_course(_text(data["course"], "course"), self.edition)
        except RoboRallyError as error:
            raise RoboRallyError(f"course: {error}") from None

    def _play(self, data: dict[str, Any]) -> dict[str, Any]:
        play = _object(data.get("play", {"from": 1, "to": 5}), "play")
        _known_keys(play, PLAY_KEYS, "play.")
        rounds = "rounds" in play
        if rounds and ("from" in play or "to" in play):
            raise RoboRallyError('play: expected either "rounds" or "from" and "to", not both')
        if "start" in play:
            self._check_start(play["start"], rounds)
        if rounds:
            return {
                "rounds": _integer(play["rounds"], "play.rounds", 1, 10_000),
                "order": play.get("order"),
                "start": play.get("start"),
            }
        first = _integer(play.get("from", 1), "play.from", 1, REGISTERS)
        last = _integer(play.get("to", first if "from" in play else REGISTERS), "play.to", first, REGISTERS)
        return {"from": first, "to": last, "order": play.get("order")}

    def _check_start(self, start: Any, rounds: bool) -> None:
        if not self.rules["upgrades"]:
            raise RoboRallyError("play.start: expected nothing here: the game is played without an upgrade phase")
        if start != "upgrade":
            raise RoboRallyError(f'play.start: expected "upgrade", got {_shown(start)}')
        if not rounds:
            raise RoboRallyError('play.start: expected "rounds" beside it')

    def _shop(self, data: dict[str, Any]) -> list[int]:
        """The upgrades for sale; checked against those that robots have."""
        given = data.get("shop")
        if given is None:
            return []
        if not self.rules["upgrades"]:
            if given:
                raise RoboRallyError("shop: expected nothing here: the game is played without upgrades")
            return []
        if not isinstance(given, list) or len(given) > len(self.robots):
            raise RoboRallyError(f"shop: expected a list of at most a card a robot, got {_shown(given)}")
        shop = [_upgrade(name, f"shop[{i}]") for i, name in enumerate(given)]
        for i, card in enumerate(shop):
            if card in shop[:i]:
                raise RoboRallyError(f"shop[{i}]: expected each card once, got {given[i]!r} again")
            for j, robot in enumerate(self.robots):
                if card in robot["upgrades"]:
                    raise RoboRallyError(f"shop[{i}]: robots[{j}] has {given[i]!r}; there is one of each card")
        return shop

    def _upgrades(self, given: Any, where: str) -> list[int]:
        if not self.rules["upgrades"]:
            if given != []:
                raise RoboRallyError(f"{where}: expected [] in the game without upgrades, got {_shown(given)}")
            return []
        if not isinstance(given, list):
            raise RoboRallyError(f"{where}: expected a list of upgrade names, got {_shown(given)}")
        owned = [_upgrade(name, f"{where}[{i}]") for i, name in enumerate(given)]
        for i, card in enumerate(owned):
            if card in owned[:i]:
                raise RoboRallyError(f"{where}[{i}]: expected each upgrade once, got {given[i]!r} again")
        stay = [card for card in owned if not upgrades.ROUTINES >> card & 1]
        for kind, count in (
            ("permanent", sum(card <= upgrades.PERMANENT for card in stay)),
            ("temporary", sum(card > upgrades.PERMANENT for card in stay)),
        ):
            if count > upgrades.MOST_OF_A_TYPE:
                raise RoboRallyError(f"{where}: expected at most three {kind} upgrades, got {count}")
        return owned

    def _robots(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        robots = data.get("robots")
        if not isinstance(robots, list) or not 1 <= len(robots) <= MAX_PLAYERS:
            raise RoboRallyError(f"robots: expected a list of 1 to {MAX_PLAYERS} robots, got {_shown(robots)}")
        read = [self._robot(robot, f"robots[{i}]") for i, robot in enumerate(robots)]
        for i, robot in enumerate(read):
            for j in range(i):
                if (robot["x"], robot["y"]) == (read[j]["x"], read[j]["y"]):
                    raise RoboRallyError(f"robots[{i}]: expected a cell of its own, got that of robots[{j}]")
        return read

    def _robot(self, robot: Any, where: str) -> dict[str, Any]:
        _object(robot, where)
        _known_keys(robot, tuple(ROBOT_KEYS), f"{where}.")
        for key, only in ROBOT_KEYS.items():
            if only is not None and key in robot and (robot[key] != only or type(robot[key]) is not type(only)):
                raise RoboRallyError(
                    f"{where}.{key}: expected {json.dumps(only)} in edition {self.edition}, got {_shown(robot[key])}"
                )
        course = self.course
        if "archive" in robot:  # the editions with archive markers read it; here it is the start cell
            archive = _object(robot["archive"], f"{where}.archive")
            _known_keys(archive, ("x", "y"), f"{where}.archive.")
            _integer(archive.get("x"), f"{where}.archive.x", 0, course.width - 1)
            _integer(archive.get("y"), f"{where}.archive.y", 0, course.height - 1)
        x = _integer(robot.get("x"), f"{where}.x", 0, course.width - 1)
        y = _integer(robot.get("y"), f"{where}.y", 0, course.height - 1)
        self._check_cell(x, y, where)
        return {
            "x": x,
            "y": y,
            "facing": self._facing(robot, where),
            "registers": self._registers(robot, where),
            **{key: self._cards(robot.get(key, []), f"{where}.{key}") for key in ("draw", "discard", "hand")},
            "upgrades": self._upgrades(robot.get("upgrades", []), f"{where}.upgrades"),
            "energy": _integer(robot.get("energy", 5), f"{where}.energy", 0, MAX_ENERGY),
            "checkpoint": _integer(
                robot.get("checkpoint", 0), f"{where}.checkpoint", 0, int(self.tables[0].checkpoints)
            ),
        }

    def _facing(self, robot: dict[str, Any], where: str) -> int:
        facing = robot.get("facing", "NESW"[self.course.start_facing])
        if not isinstance(facing, str) or facing not in ("N", "E", "S", "W"):
            raise RoboRallyError(f"{where}.facing: expected N, E, S or W, got {_shown(facing)}")
        return "NESW".index(facing)

    def _check_cell(self, x: int, y: int, where: str) -> None:
        cell = y * 32 + x
        t = self.tables[0]
        if not t.on_board[cell]:
            raise RoboRallyError(f"{where}: expected a cell of a board, got ({x}, {y}), which lies off the boards")
        if t.pit[cell] or cell == t.antenna:
            raise RoboRallyError(
                f"{where}: expected a cell to stand on, got ({x}, {y}), "
                f"which is {'a pit' if t.pit[cell] else 'the antenna'}"
            )

    def _registers(self, robot: dict[str, Any], where: str) -> list[int]:
        given = robot.get("registers", [])
        if not isinstance(given, list) or len(given) > REGISTERS:
            raise RoboRallyError(
                f"{where}.registers: expected a list of at most {REGISTERS} cards, got {_shown(given)}"
            )
        return [cards.NONE if c is None else self._card(c, f"{where}.registers[{i}]") for i, c in enumerate(given)]

    def _cards(self, given: Any, where: str) -> list[int]:
        if not isinstance(given, list):
            raise RoboRallyError(f"{where}: expected a list of card names, got {_shown(given)}")
        most = HAND_WITH_UPGRADES if self.rules["upgrades"] else HAND
        if where.endswith("hand") and len(given) > most:
            raise RoboRallyError(f"{where}: expected at most {most} cards, got {len(given)}")
        return [self._card(c, f"{where}[{i}]") for i, c in enumerate(given)]

    def _card(self, name: Any, where: str) -> int:
        number = _card(name, where)
        if name in _SPECIAL_CARDS and not self.rules["upgrades"]:
            raise RoboRallyError(f"{where}: expected a card of the game without upgrades, got {name!r}")
        return number

    def _check_order(self) -> None:
        order = self.play["order"]
        if order is None:
            return
        indices = list(range(len(self.robots)))
        if not isinstance(order, list) or any(type(i) is not int for i in order) or sorted(order) != indices:
            raise RoboRallyError(f"play.order: expected each of {indices} once, got {_shown(order)}")

    def _check_damage_cards(self) -> None:
        named: Counter[int] = Counter()
        for i, robot in enumerate(self.robots):
            own = [c for key in ("registers", "hand", "draw", "discard") for c in robot[key] if c != cards.NONE]
            named.update(own)
            counts = Counter(own)
            unnamed = sum(max(0, int(cards.DECK_COUNTS[c]) - counts[c]) for c in range(cards.KINDS))
            if len(own) + unnamed > cards.MAX_OWNED:
                raise RoboRallyError(
                    f"robots[{i}]: expected at most {cards.MAX_OWNED} cards in all, got {len(own) + unnamed}"
                )
        for kind, name in enumerate(cards.DAMAGE_NAMES):
            if named[cards.SPAM + kind] > cards.DAMAGE_BOX[kind]:
                raise RoboRallyError(
                    f"robots: expected at most {cards.DAMAGE_BOX[kind]} {name} cards (all in the box), "
                    f"got {named[cards.SPAM + kind]}"
                )

    def _answers(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        given = data.get("answers", [])
        if not isinstance(given, list):
            raise RoboRallyError(f"answers: expected a list, got {_shown(given)}")
        for i, entry in enumerate(given):
            self._answer(entry, f"answers[{i}]")
        return given

    def _answer(self, entry: Any, where: str) -> None:
        _object(entry, where)
        _known_keys(entry, ("robot", "decision", "choice"), f"{where}.")
        _integer(entry.get("robot"), f"{where}.robot", 0, len(self.robots) - 1)
        decision = entry.get("decision")
        known = DECISION_NAMES[1:]
        if decision not in known:
            raise RoboRallyError(
                f"{where}.decision: expected one of {', '.join(known)}, "
                f"got {_shown(decision)}{nearest(str(decision), known)}"
            )
        if "choice" not in entry:
            raise RoboRallyError(f"{where}.choice: missing; expected the choice made")
        choice = entry["choice"]
        if decision == "program":
            if not isinstance(choice, list) or len(choice) != REGISTERS:
                raise RoboRallyError(f"{where}.choice: expected a list of five card names, got {_shown(choice)}")
            for k, card in enumerate(choice):
                if card is not None or not self.rules["timer"]:
                    self._card(card, f"{where}.choice[{k}]")
            return
        if decision in _LISTS and isinstance(choice, list):
            for k, card in enumerate(choice):
                self._card(card, f"{where}.choice[{k}]")
            return
        options = OPTION_NAMES[DECISION_NAMES.index(decision)]
        if decision in _LISTS:
            if choice != "no":
                raise RoboRallyError(f'{where}.choice: expected "no" or a list of card names, got {_shown(choice)}')
        elif choice not in options:
            raise RoboRallyError(f"{where}.choice: expected one of {', '.join(options)}, got {_shown(choice)}")


def _card(name: Any, where: str) -> int:
    if not isinstance(name, str) or name not in cards.NUMBERS:
        raise RoboRallyError(f"{where}: expected a card's name, got {_shown(name)}{nearest(str(name), cards.NUMBERS)}")
    return cards.NUMBERS[name]


def _upgrade(name: Any, where: str) -> int:
    if not isinstance(name, str) or name not in upgrades.NUMBERS:
        raise RoboRallyError(
            f"{where}: expected an upgrade's name, got {_shown(name)}{nearest(str(name), upgrades.NUMBERS)}"
        )
    return upgrades.NUMBERS[name]


def _known_keys(data: dict[str, Any], known: tuple[str, ...], prefix: str) -> None:
    for key in data:
        if key not in known:
            raise RoboRallyError(f"{prefix}{key}: unknown key{nearest(key, known)}; expected one of {', '.join(known)}")


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RoboRallyError(f"{where}: expected an object, got {_shown(value)}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RoboRallyError(f"{where}: expected text, got {_shown(value)}")
    return value


def _integer(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise RoboRallyError(f"{where}: expected a whole number from {low} to {high}, got {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
