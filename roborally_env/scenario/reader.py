"""Checks of a scenario: every key; each error names the place and the expected value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roborally_env.base.documents import shown
from roborally_env.base.errors import RoboRallyError, ScenarioError, listed, nearest
from roborally_env.base.types import JsonObject
from roborally_env.core.rule_options import check_edition, game_of, rule_values
from roborally_env.core.state import REGISTERS, kind_of
from roborally_env.courses import Course, course_from_map
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.courses.tables import WIDTH, tables_of
from roborally_env.generated.resolve import load_course
from roborally_env.scenario.keys import NEUTRAL_ROBOT, NEUTRAL_TABLE, SCENARIOS, Key, form_of
from roborally_env.scenario.values import (
    LONGEST,
    MISSING,
    a_list,
    an_object,
    integer,
    known_keys,
    only,
    short,
    text,
    wrong,
)

TOP_KEYS = ("name", "edition", "rules", "map", "course", "robots", "answers", "play", "seed", "expect")
PLAY_KEYS = ("from", "to", "rounds", "order", "start")
Robot = JsonObject


class Scenario:
    """One checked scenario. `run()` plays it and returns the outcome object.

    The parts are read in order, by the tables of the edition (`form`).
    """

    def __init__(self, data: JsonObject, source: str = "") -> None:
        self.data, self.source = data, source
        with short(LONGEST - len(source)):
            self._read(data)

    def run(self) -> JsonObject:
        """Play the scenario and return its outcome object; raises ScenarioError for an unusable answer."""
        from roborally_env.scenario.runner import Runner

        with short(LONGEST - len(self.source)):
            return Runner(self).run()

    def _read(self, data: JsonObject) -> None:
        form = form_of(str(data.get("edition")))
        known_keys(data, tuple(dict.fromkeys((*TOP_KEYS, *NEUTRAL_TABLE, *(form.table if form else ())))), "")
        self.name = text(data.get("name", ""), "name")
        if "edition" not in data:
            raise ScenarioError(f'edition: missing; expected an edition\'s name such as "{DEFAULT_EDITION}"')
        name = text(data["edition"], "edition")
        try:
            self.edition = edition = check_edition(name)
        except RoboRallyError as error:
            raise ScenarioError(f"edition: {error}") from None
        if form is None:
            raise ScenarioError(
                f"edition: scenarios of {edition!r} cannot be read; expected one of {', '.join(SCENARIOS)}"
            )
        self.form = form
        self.rules = rule_values(edition, data.get("rules"))
        self.kind = kind_of(game_of(edition, self.rules))
        self.plays_upgrades = bool(self.rules.get("upgrades", self.kind.has("owned")))
        self.course = _course(data, edition)
        self.tables: np.ndarray = tables_of(self.course)
        self.timed = bool(self.rules.get("timer")) or self.has_special("program_time_30", "program_time_60")
        self.play = self._play(data)
        self.robots: list[Robot] = self._robots(data)
        self._check_order()
        for check in form.checks:
            check(self)
        self.decisions = form.decisions(self)
        self.answers = self._answers(data)
        self._begin(data, form.table, NEUTRAL_TABLE, "")
        self.table = self._values()
        self.seed = integer(data.get("seed", 0), "seed", 0, 2**64 - 1)
        self.expect = an_object(data["expect"], "expect") if "expect" in data else None

    # -- keys of the tables

    def _begin(self, given: JsonObject, keys: Mapping[str, Key], neutral: JsonObject, prefix: str) -> None:
        """Begin to read an object; keys of other editions must have the one value that this edition has for them."""
        for name, expected in neutral.items():
            if (
                name in given
                and (name not in keys or keys[name].read is None)
                and (name, given[name]) != ("shop", None)
            ):
                only(given[name], f"{prefix}{name}", expected, self.edition)
        self.given, self.keys, self.prefix = given, keys, prefix
        self.found: JsonObject = {}

    def _values(self) -> JsonObject:
        """The values of all keys of the object that is read."""
        for name in self.keys:
            self.value(name)
        return self.found

    def value(self, name: str) -> Any:
        """The value of a key of the object that is being read, for keys that depend on it; None if it is not read."""
        read = self.keys[name].read
        if read is None:
            return None
        if name not in self.found:
            self.found[name] = read(self, self.given.get(name, MISSING), f"{self.prefix}{name}")
        return self.found[name]

    def place(self) -> str:
        """Where the object that is being read stands."""
        return self.prefix.removesuffix(".")

    def has_special(self, *tags: str) -> bool:
        """Whether the course has one of the special rules."""
        return not set(tags).isdisjoint(self.course.special_rules)

    # -- keys of all editions

    def _play(self, data: JsonObject) -> JsonObject:
        play = an_object(data.get("play", {"from": 1, "to": REGISTERS}), "play")
        known_keys(play, PLAY_KEYS, "play.")
        rounds = "rounds" in play
        if rounds and ("from" in play or "to" in play):
            raise ScenarioError('play: expected either "rounds" or "from" and "to", not both')
        if "start" in play:
            self._check_start(play["start"], rounds)
        if rounds:
            return {
                "rounds": integer(play["rounds"], "play.rounds", 1, 10_000),
                "order": play.get("order"),
                "start": play.get("start"),
            }
        first = integer(play.get("from", 1), "play.from", 1, REGISTERS)
        last = integer(play.get("to", first if "from" in play else REGISTERS), "play.to", first, REGISTERS)
        return {"from": first, "to": last, "order": play.get("order"), "start": None}

    def _check_start(self, start: Any, rounds: bool) -> None:
        if not self.plays_upgrades:
            raise ScenarioError("play.start: expected nothing here: the game is played without an upgrade phase")
        if start != "upgrade":
            raise ScenarioError(f'play.start: expected "upgrade", got {shown(start)}')
        if not rounds:
            raise ScenarioError('play.start: expected "rounds" beside it')

    def _robots(self, data: JsonObject) -> list[Robot]:
        robots, most = data.get("robots", MISSING), self.kind.seats
        if not isinstance(robots, list) or not 1 <= len(robots) <= most:
            raise wrong("robots", f"a list of 1 to {most} robots", robots)
        read = []
        known = tuple(dict.fromkeys((*(name for name, key in self.form.robot.items() if key.read), *NEUTRAL_ROBOT)))
        for i, robot in enumerate(robots):
            known_keys(an_object(robot, f"robots[{i}]"), known, f"robots[{i}].")
            self._begin(robot, self.form.robot, NEUTRAL_ROBOT, f"robots[{i}].")
            read.append(self._values())
        return read

    def _check_order(self) -> None:
        order = self.play["order"]
        if order is None:
            return
        indices = list(range(len(self.robots)))
        if not isinstance(order, list) or any(type(i) is not int for i in order) or sorted(order) != indices:
            raise ScenarioError(f"play.order: expected each of {indices} once, got {shown(order)}")

    def _answers(self, data: JsonObject) -> list[JsonObject]:
        given = a_list(data.get("answers", []), "answers", "a list")
        for i, entry in enumerate(given):
            self._answer(entry, f"answers[{i}]")
        return given

    def _answer(self, entry: Any, where: str) -> None:
        an_object(entry, where)
        known_keys(entry, ("robot", "decision", "choice"), f"{where}.")
        integer(entry.get("robot", MISSING), f"{where}.robot", 0, len(self.robots) - 1)
        decision = entry.get("decision", MISSING)
        if not isinstance(decision, str) or decision not in self.decisions:
            error = wrong(f"{where}.decision", f"one of {listed(self.decisions)}", decision)
            raise ScenarioError(f"{error}{nearest(str(decision), self.decisions)}")
        if "choice" not in entry:
            raise ScenarioError(f"{where}.choice: missing; expected the choice made")
        self.decisions[decision](self, entry["choice"], f"{where}.choice")

    # -- cells, for readers of keys

    def read_cell(self, given: JsonObject, where: str) -> tuple[int, int]:
        """`x` and `y`, within the course."""
        x = integer(given.get("x", MISSING), f"{where}.x", 0, self.course.width - 1)
        return x, integer(given.get("y", MISSING), f"{where}.y", 0, self.course.height - 1)

    def check_cell(self, x: int, y: int, where: str) -> None:
        """Raise if a robot cannot stand there."""
        cell = y * WIDTH + x
        t = self.tables
        if not t["on_board"][0, cell]:
            raise ScenarioError(f"{where}: expected a cell of a board, got ({x}, {y}), which lies off the boards")
        pit = t["pit"][0, cell]
        if pit or cell == t["antenna"][0]:
            raise ScenarioError(
                f"{where}: expected a cell to stand on, got ({x}, {y}), which is {'a pit' if pit else 'the antenna'}"
            )


def _course(data: JsonObject, edition: str) -> Course:
    if ("map" in data) == ("course" in data):
        raise ScenarioError('map: expected either "map" or "course"' + (", not both" if "map" in data else ""))
    if "course" in data:
        try:
            return load_course(text(data["course"], "course"), edition)
        except RoboRallyError as error:
            raise ScenarioError(f"course: {error}") from None
    course = course_from_map(an_object(data["map"], "map"), edition)
    if "capture_the_flag" in course.special_rules:
        raise ScenarioError(
            "map.special_rules: expected no capture_the_flag, which needs two boards; a map is one board, a course may "
            "have two"
        )
    return course
