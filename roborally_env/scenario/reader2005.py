"""Scenarios of the 2005 edition: damage and life tokens, archive markers, option cards, one deck."""

import re
from collections.abc import Iterator
from typing import Any

from roborally_env.base.errors import ScenarioError
from roborally_env.cards.option_names import BY_HAND
from roborally_env.core import options
from roborally_env.core.choices import KINDS_2016, LAST_2005, OPTION_NAMES, REENTRY_CELL, USE, kind_of
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.editions.e2005.fields import HAND
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.state import MAX_ROBOTS, REGISTERS
from roborally_env.courses import Course
from roborally_env.scenario.cards2005 import NONE, is_numbered, read_card, read_register
from roborally_env.scenario.reader import Reader, Robot
from roborally_env.scenario.values import boolean, integer, named, one_of, only, shown

# robot keys of other editions -> the only value that this one has for them
FOREIGN: dict[str, Any] = {"energy": 5, "upgrades": [], "level": 0, "virtual": False, "collection": []}
MAX_DAMAGE = 9  # with ten it is destroyed
MAX_LIVES = 8
START_DAMAGE = 2  # of the special rule
_CELL = re.compile(r"\d{1,2},\d{1,2}")
_TWO_TEAMS, _PAIRS = 2, 4  # how many teams there are


class Reader2005(Reader):
    """The 2005 edition."""

    most_robots = MAX_ROBOTS
    decisions = (
        "program",
        "reboot_facing",
        *(n for n in DECISION_NAMES[KINDS_2016 : LAST_2005 + 1] if n != "reentry_row"),
    )

    def _course(self, data: dict[str, Any]) -> Course:
        course = super()._course(data)
        if "map" in data and "capture_the_flag" in course.special_rules:
            raise ScenarioError(
                "map.special_rules: expected no capture_the_flag, which needs two boards; a map is one board, a course "
                "may have two"
            )
        return course

    def has_special(self, tag: str) -> bool:
        """Whether the course has a special rule."""
        return tag in self.course.special_rules

    def check_start(self, start: Any, rounds: bool) -> None:
        """Raise for `play.start`, which only editions with an upgrade phase have."""
        raise ScenarioError(f"play.start: expected nothing here: edition {self.edition} has no upgrade phase")

    def read_shop(self, given: Any) -> list[int]:
        """Raise unless the shop is empty: the edition has none."""
        if given is not None and given != []:
            raise ScenarioError(f"shop: expected [] in edition {self.edition}, got {shown(given)}")
        return []

    # -- robots

    def read_robot(self, robot: dict[str, Any], where: str) -> Robot:
        """A robot's keys; keys of other editions may have their one value in this edition."""
        for key, expected in FOREIGN.items():
            if key in robot:
                only(robot[key], f"{where}.{key}", expected, self.edition)
        lives = integer(robot.get("lives", self.rules["lives"]), f"{where}.lives", 0, MAX_LIVES)
        x, y = self._place(robot, where) if lives else (None, None)
        archive = self._archive(robot, where)
        start_damage = START_DAMAGE if self.has_special("start_damage") else 0
        registers = self.read_registers(robot, where)
        return {
            "x": x,
            "y": y,
            "facing": self.read_facing(robot, where) if lives else 0,
            "registers": [read_register(c, f"{where}.registers[{i}]") for i, c in enumerate(registers)],
            **{key: _cards(robot.get(key, []), f"{where}.{key}") for key in ("draw", "discard", "hand")},
            "checkpoint": self.read_checkpoint(robot, where),
            "damage": integer(robot.get("damage", start_damage), f"{where}.damage", 0, MAX_DAMAGE),
            "lives": lives,
            "archive": (x, y) if archive is None else archive,
            "locked": self._locked(robot, where),
            "powered_down": boolean(robot.get("powered_down", False), f"{where}.powered_down"),
            "options": self._options(robot.get("options", []), f"{where}.options"),
            "team": self._team(robot, where),
            "carries": self._carried(robot, where),
            "holds": self._held(robot, where),
            "superbot": self._superbot(robot, where),
        }

    def _locked(self, robot: dict[str, Any], where: str) -> int:
        """Registers locked beyond those that the damage locks; by R91 each has a damage token."""
        locked = register_bits(robot.get("locked", []), f"{where}.locked")
        if self.rules["fire_control_token"]:
            damage = robot.get("damage", 0)
            more = (locked & ~int(LOCKS[damage])).bit_count()
            if more > damage:
                raise ScenarioError(
                    f"{where}.damage: expected at least {more}, a token for each register locked by Fire Control, got "
                    f"{damage}"
                )
        return locked

    def _place(self, robot: dict[str, Any], where: str) -> tuple[int, int]:
        x, y = self.read_cell(robot, where)
        self.check_cell(x, y, where)
        return x, y

    def _archive(self, robot: dict[str, Any], where: str) -> tuple[int, int] | None:
        if robot.get("archive", {}) is None:  # of a robot that is out of the game, as outcomes have it
            return None
        archive = self.read_archive(robot, where)
        if archive is not None:
            self.check_cell(*archive, f"{where}.archive")
        return archive

    def _options(self, given: Any, where: str) -> list[int]:
        if not isinstance(given, list):
            raise ScenarioError(f"{where}: expected a list of option names, got {shown(given)}")
        if given and not self.rules["options"]:
            raise ScenarioError(f"{where}: expected [] in the game without options, got {shown(given)}")
        return [named(name, f"{where}[{i}]", options.NUMBERS, "an option's") for i, name in enumerate(given)]

    def _team(self, robot: dict[str, Any], where: str) -> int | None:
        """The team; None if it follows from the seat."""
        if "team" not in robot:
            return None
        if self.has_special("two_teams"):
            return integer(robot["team"], f"{where}.team", 0, _TWO_TEAMS - 1)
        if self.has_special("shared_flags") or self.has_special("racers_and_blockers"):
            return integer(robot["team"], f"{where}.team", 0, _PAIRS - 1)
        only(robot["team"], f"{where}.team", 0, f"{self.edition} on a course without teams")
        return None

    # -- flags in robots' hands, and the SuperBot

    def read_checkpoint(self, robot: dict[str, Any], where: str) -> int:
        """The last flag touched; in Toggle Boggle the number of flags that the team holds, see `_check_claims`."""
        if self.has_special("claims"):
            return integer(robot.get("checkpoint", 0), f"{where}.checkpoint", 0, int(self.tables["checkpoints"][0]))
        return super().read_checkpoint(robot, where)

    def _carried(self, robot: dict[str, Any], where: str) -> int | None:
        """The number of the flag that the robot carries (Capture the Flag); the team follows later."""
        given = robot.get("carries")
        if given is None:
            return None
        if not self.has_special("capture_the_flag"):
            only(given, f"{where}.carries", None, f"{self.edition} on a course without capture_the_flag")
        return integer(given, f"{where}.carries", 1, _TWO_TEAMS)

    def _held(self, robot: dict[str, Any], where: str) -> list[int]:
        """The numbers of the flags that the robot's team holds (Toggle Boggle)."""
        given = robot.get("holds", [])
        if not isinstance(given, list):
            raise ScenarioError(f"{where}.holds: expected a list of numbers of flags, got {shown(given)}")
        if given and not self.has_special("claims"):
            only(given, f"{where}.holds", [], f"{self.edition} on a course without claims")
        flags = [number for number, _, _ in self.course.checkpoints]
        for i, number in enumerate(given):
            if type(number) is not int or number not in flags or number in given[:i]:
                raise ScenarioError(
                    f"{where}.holds[{i}]: expected each flag once, one of {', '.join(map(str, flags)) or 'none'}, "
                    f"got {shown(number)}"
                )
        return given

    def _superbot(self, robot: dict[str, Any], where: str) -> bool | None:
        """Whether the robot is the SuperBot; None if it is not given."""
        if "superbot" not in robot:
            return None
        if not self.has_special("superbot"):
            only(robot["superbot"], f"{where}.superbot", False, f"{self.edition} on a course without superbot")
        return boolean(robot["superbot"], f"{where}.superbot")

    def check_places(self, robots: list[Robot]) -> None:
        """Check what robots have together: a cell each, teams, flags, and one SuperBot."""
        super().check_places(robots)
        for r, robot in enumerate(robots):
            if robot["team"] is None:
                robot["team"] = self._team_of(r)
        self._check_carriers(robots)
        if self.has_special("claims"):
            self._check_claims(robots)
        given = [robot["superbot"] for robot in robots]
        if any(is_one is not None for is_one in given) and given.count(True) != 1:
            raise ScenarioError(f"robots: expected one robot with superbot true, got {given.count(True) or 'none'}")

    def _team_of(self, r: int) -> int:
        """The team of a seat: by twos, every other one, or the seat itself."""
        if self.has_special("shared_flags") or self.has_special("racers_and_blockers"):
            return r // 2
        return r % 2 if self.has_special("two_teams") else r

    def _check_carriers(self, robots: list[Robot]) -> None:
        """Raise unless each carried flag is that of the other team, and carried by one robot on the board."""
        carriers: dict[int, int] = {}
        for r, robot in enumerate(robots):
            flag = robot["carries"]
            if flag is None:
                continue
            theirs = _TWO_TEAMS - robot["team"]
            if robot["x"] is None:
                expected = "null, as the robot is out of the game"
            elif flag != theirs:
                expected = f"{theirs}, the flag of the other team"
            elif flag in carriers:
                expected = f"null, as robots[{carriers[flag]}] carries that flag"
            else:
                carriers[flag] = r
                continue
            raise ScenarioError(f"robots[{r}].carries: expected {expected}, got {flag}")

    def _check_claims(self, robots: list[Robot]) -> None:
        """Raise unless each flag is held by one team and no team holds all; a team's robots get the same `holds` and
        `checkpoint`, the number of flags."""
        held: dict[int, tuple[int, str]] = {}  # flag -> its team, and where that was given
        for r, robot in enumerate(robots):
            for flag in robot["holds"]:
                team, where = held.setdefault(flag, (robot["team"], f"robots[{r}]"))
                if team != robot["team"]:
                    raise ScenarioError(f"robots[{r}].holds: expected a flag that {where} does not hold, got {flag}")
        for r, robot in enumerate(robots):
            robot["holds"] = sorted(flag for flag, (team, _) in held.items() if team == robot["team"])
            count = len(robot["holds"])
            if count and count == len(self.course.checkpoints):
                raise ScenarioError(
                    f"robots[{r}].holds: expected at most {count - 1} flags, got all, with which the race is over"
                )
            if robot["checkpoint"] not in (0, count):
                raise ScenarioError(
                    f"robots[{r}].checkpoint: expected {count}, the number of flags that the robot's team holds, got "
                    f"{robot['checkpoint']}"
                )
            robot["checkpoint"] = count

    # -- the cards of all robots

    def check_cards(self) -> None:
        """One deck with one card of each number, one card of each option."""
        self._check_draw()
        seen: dict[int, str] = {}
        for card, where in self._named_cards():
            if is_numbered(card) and seen.setdefault(card, where) != where:
                raise ScenarioError(f"{where}: expected each numbered card once, got that of {seen[card]} again")
        seen = {}
        for i, robot in enumerate(self.robots):
            for j, option in enumerate(robot["options"]):
                where = f"robots[{i}].options[{j}]"
                if option in seen:
                    name = options.NAMES[option]
                    raise ScenarioError(f"{where}: expected each option once, got {name!r} of {seen[option]} again")
                seen[option] = where

    def read_pile(self, given: Any, key: str) -> list[int]:
        """The cards known on top of the option deck, the top one first."""
        if key != "option_deck":
            return super().read_pile(given, key)
        deck = self._options(given, key)
        for i, option in enumerate(deck):
            owner = next((r for r, robot in enumerate(self.robots) if option in robot["options"]), None)
            if owner is not None or option in deck[:i]:
                there = key if owner is None else f"robots[{owner}].options"
                raise ScenarioError(
                    f"{key}[{i}]: expected each option once, got {options.NAMES[option]!r} of {there} again"
                )
        return deck

    def _check_draw(self) -> None:
        """Check that all lists are equal, as there is one deck; robots without a list get the same."""
        given = [(i, robot["draw"]) for i, robot in enumerate(self.robots) if robot["draw"]]
        for i, draw in given:
            if draw != given[0][1]:
                raise ScenarioError(
                    f"robots[{i}].draw: expected the list of robots[{given[0][0]}] again, as there is one deck for all"
                )
        for robot in self.robots:
            robot["draw"] = given[0][1] if given else []

    def _named_cards(self) -> Iterator[tuple[int, str]]:
        """Every card that is named, with its place; the top of the deck once."""
        for i, robot in enumerate(self.robots):
            for k, register in enumerate(robot["registers"]):
                for part, card in enumerate(register):
                    if card != NONE:
                        yield card, f"robots[{i}].registers[{k}]" + " (the second card)" * part
            for key in ("hand", "discard", "draw") if i == 0 else ("hand", "discard"):
                for k, card in enumerate(robot[key]):
                    yield card, f"robots[{i}].{key}[{k}]"

    # -- answers

    def check_choice(self, decision: str, choice: Any, where: str) -> None:
        """Raise if a decision cannot have this answer."""
        if decision == "program":
            if not isinstance(choice, list) or len(choice) > REGISTERS:
                raise ScenarioError(f"{where}: expected a list of at most five cards, got {shown(choice)}")
            for k, card in enumerate(choice):
                read_register(card, f"{where}[{k}]")
            return
        kind = kind_of(decision, of_2005=True)
        if kind == REENTRY_CELL:
            if not isinstance(choice, str) or not _CELL.fullmatch(choice):
                raise ScenarioError(f'{where}: expected a cell as "x,y", got {shown(choice)}')
        elif kind in BY_HAND:
            if choice != "no" and not (choice == "yes" and len(OPTION_NAMES[kind]) > USE):
                read_card(choice, where)
        else:
            one_of(choice, where, OPTION_NAMES[kind])


def _cards(given: Any, where: str) -> list[int]:
    if not isinstance(given, list):
        raise ScenarioError(f"{where}: expected a list of card names, got {shown(given)}")
    if where.endswith("hand") and len(given) > HAND:
        raise ScenarioError(f"{where}: expected at most {HAND} cards, got {len(given)}")
    return [read_card(name, f"{where}[{i}]") for i, name in enumerate(given)]


def register_bits(given: Any, where: str) -> int:
    """Register numbers as bits."""
    if not isinstance(given, list):
        raise ScenarioError(f"{where}: expected a list of register numbers, got {shown(given)}")
    bits = 0
    for i, number in enumerate(given):
        bit = 1 << integer(number, f"{where}[{i}]", 1, REGISTERS) - 1
        if bits & bit:
            raise ScenarioError(f"{where}[{i}]: expected each register once, got {number} again")
        bits |= bit
    return bits
