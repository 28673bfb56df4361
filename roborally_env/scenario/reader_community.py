"""Scenarios of the community edition: 2016 cards and upgrades, damage that locks registers, levels, virtual mode."""

from typing import Any

from roborally_env.base.errors import ScenarioError
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import KINDS_2016, OPTION_NAMES, POWER_DOWN
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import WIDTH
from roborally_env.scenario.reader import ONLY_2005, Robot
from roborally_env.scenario.reader2005 import MAX_DAMAGE, register_bits
from roborally_env.scenario.reader2016 import Reader2016
from roborally_env.scenario.values import boolean, integer, one_of, shown

# robot keys of other editions -> the only value that this one has for them
FOREIGN: dict[str, Any] = {"options": [], "lives": 3, "team": 0, "collection": [], **ONLY_2005}
UNLOCKED_DAMAGE = 4  # each further token locks a register, from the last one down
CARD_NUMBERS = {
    name: card for card, name in enumerate(cards.ALL_NAMES) if name not in ("none", "spam_folder", *cards.DAMAGE_NAMES)
}
_NOT_ASKED = {"damage_kind", *upgrades.NAMES} - {"no"} - set(upgrades.numbers_of(upgrades.COMMUNITY_DECK))
_WITHOUT_UPGRADES = ("program", "reboot_facing", "power_down")


def locked_by(damage: int) -> int:
    """The registers that this damage locks, as bits."""
    count = max(0, damage - UNLOCKED_DAMAGE)
    return sum(1 << k for k in range(REGISTERS - count, REGISTERS))


class ReaderCommunity(Reader2016):
    """The community edition."""

    decisions = (*(n for n in DECISION_NAMES[1:KINDS_2016] if n not in _NOT_ASKED), "power_down")
    foreign = FOREIGN
    card_numbers = CARD_NUMBERS
    deck = upgrades.COMMUNITY_DECK

    def decisions_asked(self) -> tuple[str, ...]:
        """Without upgrades nobody is asked about them."""
        return self.decisions if self.plays_upgrades else _WITHOUT_UPGRADES

    # -- robots

    def read_robot(self, robot: dict[str, Any], where: str) -> Robot:
        """A robot's keys; keys of other editions may have their one value in this edition."""
        read = super().read_robot(robot, where)
        damage = integer(robot.get("damage", 0), f"{where}.damage", 0, MAX_DAMAGE)
        self._check_locked(robot, damage, where)
        self._check_level(robot, read, where)
        return {
            **read,
            "damage": damage,
            "powered_down": boolean(robot.get("powered_down", False), f"{where}.powered_down"),
            "virtual": boolean(robot.get("virtual", False), f"{where}.virtual"),
        }

    def _check_locked(self, robot: dict[str, Any], damage: int, where: str) -> None:
        """Raise if `locked` contradicts the damage; an empty list counts as not given."""
        given = register_bits(robot.get("locked", []), f"{where}.locked")
        locked = locked_by(damage)
        if given and given != locked:
            expected = [k + 1 for k in range(REGISTERS) if locked >> k & 1]
            raise ScenarioError(
                f"{where}.locked: expected {expected}, which {damage} damage locks, got {shown(robot['locked'])}"
            )

    def _check_level(self, robot: dict[str, Any], read: Robot, where: str) -> None:
        """Raise if `level` contradicts the cell; the level of a ramp is that of its foot."""
        x, y = read["x"], read["y"]
        level = int(self.tables["level"][0, y * WIDTH + x])
        given = integer(robot.get("level", level), f"{where}.level", 0, 3)
        if given != level:
            raise ScenarioError(f"{where}.level: expected {level}, the level of ({x}, {y}), got {given}")

    def check_places(self, robots: list[Robot]) -> None:
        """Raise if two robots that are not virtual share a cell, or a virtual one does not share its cell."""
        real: dict[tuple[int, int], int] = {}
        for i, robot in enumerate(robots):
            if robot["virtual"]:
                continue
            j = real.setdefault((robot["x"], robot["y"]), i)
            if j != i:
                raise ScenarioError(
                    f"robots[{i}]: expected a cell of its own, or virtual mode, got the cell of robots[{j}]"
                )
        for i, robot in enumerate(robots):
            if robot["virtual"] and not any(_together(robot, other) for other in robots if other is not robot):
                raise ScenarioError(f"robots[{i}].virtual: expected false, as no other robot is on its cell, got true")

    # -- cards

    def _card(self, name: Any, where: str) -> int:
        """One card by its name."""
        if name in cards.NUMBERS and name not in CARD_NUMBERS:
            raise ScenarioError(f"{where}: expected a card of edition {self.edition}, which has no {name}")
        return super()._card(name, where)

    def read_upgrade(self, name: Any, where: str) -> int:
        """One upgrade by its name."""
        if upgrades.NUMBERS.get(name, self.deck[0]) not in self.deck:
            raise ScenarioError(f"{where}: expected an upgrade of edition {self.edition}, which has no {name}")
        return super().read_upgrade(name, where)

    # -- answers

    def check_choice(self, decision: str, choice: Any, where: str) -> None:
        """Raise if a decision cannot have this answer."""
        if decision == "power_down":
            one_of(choice, where, OPTION_NAMES[POWER_DOWN])
        else:
            super().check_choice(decision, choice, where)

    def check_program(self, choice: Any, where: str) -> None:
        """Raise unless a program has five entries, null in locked registers, or one card for each open register."""
        if not isinstance(choice, list) or len(choice) > REGISTERS:
            raise ScenarioError(f"{where}: expected a list of at most five card names, got {shown(choice)}")
        for k, name in enumerate(choice):
            if name is not None:
                self._card(name, f"{where}[{k}]")


def _together(robot: Robot, other: Robot) -> bool:
    return (robot["x"], robot["y"]) == (other["x"], other["y"])
