"""Checks of a scenario: every key; each error names the place and the expected value.

This module has the parts that all editions share; a subclass for each edition reads robots, answers and the shop.
"""

from abc import ABC, abstractmethod
from typing import Any

from roborally_env.base.errors import RoboRallyError, ScenarioError, listed, nearest
from roborally_env.core.rule_options import rule_values
from roborally_env.core.state import REGISTERS
from roborally_env.courses import Course, course_from_map
from roborally_env.courses.tables import WIDTH, tables_of
from roborally_env.generated.resolve import load_course
from roborally_env.scenario.values import MISSING, an_object, integer, known_keys, only, shown, text, wrong

# robot keys of all editions
ROBOT_KEYS = (
    "x", "y", "facing", "registers", "draw", "discard", "hand", "energy", "checkpoint", "upgrades", "options", "damage",
    "lives", "archive", "locked", "powered_down", "level", "team", "virtual", "collection", "carries", "holds",
    "superbot",
)  # fmt: skip
# robot keys of one edition alone -> the only value that robots of the others have for them
ONLY_2005: dict[str, Any] = {"carries": None, "holds": [], "superbot": False}
PLAY_KEYS = ("from", "to", "rounds", "order", "start")
CARD_KEYS = ("registers", "hand", "draw", "discard")  # where a robot's cards are named
# piles of cards of all players: cards known on top of the upgrade deck, its discard pile (2023); cards known on top of
# the option deck (2005)
PILE_KEYS = ("upgrade_deck", "upgrade_discard", "option_deck")
Robot = dict[str, Any]


class Reader(ABC):
    """Checks the parts in order; each method reads one key."""

    most_robots: int
    decisions: tuple[str, ...]  # the decisions that a scenario may answer

    def __init__(self, data: dict[str, Any], edition: str) -> None:
        self.edition = edition
        self.rules = rule_values(edition, data.get("rules"))
        self.course = self._course(data)
        self.tables = tables_of(self.course)
        self.play = self._play(data)
        self.robots = self._robots(data)
        self._check_order()
        self.check_cards()
        self.answers = self._answers(data)
        self.shop = self.read_shop(data.get("shop"))
        self.piles: dict[str, list[int]] = {}
        for key in PILE_KEYS:
            self.piles[key] = self.read_pile(data.get(key, []), key)
        self.seed = integer(data.get("seed", 0), "seed", 0, 2**64 - 1)
        if "expect" in data:
            an_object(data["expect"], "expect")

    # -- methods of each edition

    @abstractmethod
    def read_robot(self, robot: dict[str, Any], where: str) -> Robot:
        """A robot's keys, all of them known ones."""

    @abstractmethod
    def check_cards(self) -> None:
        """Raise unless the box has all the robots' cards together."""

    @abstractmethod
    def check_choice(self, decision: str, choice: Any, where: str) -> None:
        """Raise if a decision cannot have this answer."""

    @abstractmethod
    def check_start(self, start: Any, rounds: bool) -> None:
        """Check `play.start`."""

    @abstractmethod
    def read_shop(self, given: Any) -> list[int]:
        """The cards for sale."""

    def decisions_asked(self) -> tuple[str, ...]:
        """The decisions that may be asked by the rules of the scenario."""
        return self.decisions

    def read_pile(self, given: Any, key: str) -> list[int]:
        """A pile of cards of all players, in the edition that has such a pile."""
        only(given, key, [], self.edition)
        return []

    # -- methods of all editions

    def _course(self, data: dict[str, Any]) -> Course:
        if ("map" in data) == ("course" in data):
            raise ScenarioError('map: expected either "map" or "course"' + (", not both" if "map" in data else ""))
        if "map" in data:
            return course_from_map(an_object(data["map"], "map"), self.edition)
        try:
            return load_course(text(data["course"], "course"), self.edition)
        except RoboRallyError as error:
            raise ScenarioError(f"course: {error}") from None

    def _play(self, data: dict[str, Any]) -> dict[str, Any]:
        play = an_object(data.get("play", {"from": 1, "to": REGISTERS}), "play")
        known_keys(play, PLAY_KEYS, "play.")
        rounds = "rounds" in play
        if rounds and ("from" in play or "to" in play):
            raise ScenarioError('play: expected either "rounds" or "from" and "to", not both')
        if "start" in play:
            self.check_start(play["start"], rounds)
        if rounds:
            return {
                "rounds": integer(play["rounds"], "play.rounds", 1, 10_000),
                "order": play.get("order"),
                "start": play.get("start"),
            }
        first = integer(play.get("from", 1), "play.from", 1, REGISTERS)
        last = integer(play.get("to", first if "from" in play else REGISTERS), "play.to", first, REGISTERS)
        return {"from": first, "to": last, "order": play.get("order")}

    def _robots(self, data: dict[str, Any]) -> list[Robot]:
        robots = data.get("robots", MISSING)
        if not isinstance(robots, list) or not 1 <= len(robots) <= self.most_robots:
            raise wrong("robots", f"a list of 1 to {self.most_robots} robots", robots)
        read = []
        for i, robot in enumerate(robots):
            known_keys(an_object(robot, f"robots[{i}]"), ROBOT_KEYS, f"robots[{i}].")
            read.append(self.read_robot(robot, f"robots[{i}]"))
        self.check_places(read)
        return read

    def check_places(self, robots: list[Robot]) -> None:
        """Raise if two robots share a cell."""
        cells: dict[tuple[int, int], int] = {}
        for i, robot in enumerate(robots):
            if robot["x"] is None:
                continue
            j = cells.setdefault((robot["x"], robot["y"]), i)
            if j != i:
                raise ScenarioError(f"robots[{i}]: expected a cell of its own, got that of robots[{j}]")

    def read_cell(self, given: dict[str, Any], where: str) -> tuple[int, int]:
        """`x` and `y`, within the course."""
        x = integer(given.get("x", MISSING), f"{where}.x", 0, self.course.width - 1)
        return x, integer(given.get("y", MISSING), f"{where}.y", 0, self.course.height - 1)

    def read_archive(self, robot: dict[str, Any], where: str) -> tuple[int, int] | None:
        """The cell of the archive marker, or None if it is not given."""
        if "archive" not in robot:
            return None
        archive = an_object(robot["archive"], f"{where}.archive")
        known_keys(archive, ("x", "y"), f"{where}.archive.")
        return self.read_cell(archive, f"{where}.archive")

    def read_facing(self, robot: dict[str, Any], where: str) -> int:
        """The direction as a number."""
        facing = robot.get("facing", "NESW"[self.course.start_facing])
        if not isinstance(facing, str) or facing not in ("N", "E", "S", "W"):
            raise ScenarioError(f"{where}.facing: expected N, E, S or W, got {shown(facing)}")
        return "NESW".index(facing)

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

    def read_registers(self, robot: dict[str, Any], where: str) -> list[Any]:
        """The list in `registers`, not longer than a program."""
        given = robot.get("registers", [])
        if not isinstance(given, list) or len(given) > REGISTERS:
            raise ScenarioError(f"{where}.registers: expected a list of at most {REGISTERS} cards, got {shown(given)}")
        return given

    def read_checkpoint(self, robot: dict[str, Any], where: str) -> int:
        """The last checkpoint reached. Who has reached the last one of the map has won: there is no race left (R94)."""
        last = int(self.tables["checkpoints"][0])
        given = integer(robot.get("checkpoint", 0), f"{where}.checkpoint", 0, last)
        if given and given == last:
            raise ScenarioError(
                f"{where}.checkpoint: expected a whole number from 0 to {last - 1}, as the race is over with the last "
                f"checkpoint, got {last}"
            )
        return given

    def _check_order(self) -> None:
        order = self.play["order"]
        if order is None:
            return
        indices = list(range(len(self.robots)))
        if not isinstance(order, list) or any(type(i) is not int for i in order) or sorted(order) != indices:
            raise ScenarioError(f"play.order: expected each of {indices} once, got {shown(order)}")

    def _answers(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        given = data.get("answers", [])
        if not isinstance(given, list):
            raise ScenarioError(f"answers: expected a list, got {shown(given)}")
        for i, entry in enumerate(given):
            self._answer(entry, f"answers[{i}]")
        return given

    def _answer(self, entry: Any, where: str) -> None:
        an_object(entry, where)
        known_keys(entry, ("robot", "decision", "choice"), f"{where}.")
        integer(entry.get("robot", MISSING), f"{where}.robot", 0, len(self.robots) - 1)
        decision = entry.get("decision", MISSING)
        asked = self.decisions_asked()
        if not isinstance(decision, str) or decision not in asked:
            error = wrong(f"{where}.decision", f"one of {listed(asked)}", decision)
            raise ScenarioError(f"{error}{nearest(str(decision), asked)}")
        if "choice" not in entry:
            raise ScenarioError(f"{where}.choice: missing; expected the choice made")
        self.check_choice(decision, entry["choice"], f"{where}.choice")
