"""Scenarios of the 2023 edition: the 2016 race with collections, and an upgrade deck with a discard pile."""

from collections.abc import Iterator
from typing import Any, ClassVar

from roborally_env.base.errors import ScenarioError
from roborally_env.core import upgrades
from roborally_env.core.choices import BUY_UPGRADE, KINDS_2023
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.mechanics.energy import MOST_ENERGY_2023
from roborally_env.scenario.reader import Robot
from roborally_env.scenario.reader2016 import FOREIGN, MAX_ENERGY, Reader2016
from roborally_env.scenario.values import named, shown

UPGRADE_PILES = ("upgrade_deck", "upgrade_discard")


class Reader2023(Reader2016):
    """The 2023 edition."""

    decisions = (
        *(name for name in Reader2016.decisions if name != DECISION_NAMES[BUY_UPGRADE]),
        *(DECISION_NAMES[kind] for kind in KINDS_2023),
    )
    foreign: ClassVar[dict[str, Any]] = {key: value for key, value in FOREIGN.items() if key != "collection"}

    @property
    def start_energy(self) -> int:  # type: ignore[override]  # a rule option here
        """The energy of a robot if the file gives none."""
        return int(self.rules["start_energy"])

    @property
    def most_energy(self) -> int:  # type: ignore[override]  # a rule option here
        """The end of the energy track."""
        return MOST_ENERGY_2023 if self.rules["most_energy"] == MOST_ENERGY_2023 else MAX_ENERGY

    def read_shop(self, given: Any) -> list[int]:
        """There is no shop."""
        if given is not None and given != []:
            raise ScenarioError(f"shop: expected [] in edition {self.edition}, got {shown(given)}")
        return []

    def read_robot(self, robot: dict[str, Any], where: str) -> Robot:
        """A robot's keys, and its collection."""
        collection = read_upgrades(robot.get("collection", []), f"{where}.collection")
        return {**super().read_robot(robot, where), "collection": collection}

    def read_pile(self, given: Any, key: str) -> list[int]:
        """The cards known on top of the deck, the top one first, or the discard pile.

        There is one copy of each card, but as in 2016 several robots may have the same card installed.
        """
        if key not in UPGRADE_PILES:
            return super().read_pile(given, key)
        pile = read_upgrades(given, key)
        lies: dict[int, str] = {}
        for where, card in self._places(key, pile):
            if card in lies and not (where.endswith(".upgrades") and lies[card].endswith(".upgrades")):
                raise ScenarioError(
                    f"{where}: expected a card that lies nowhere else, got {upgrades.ALL_NAMES[card]!r}, which is in "
                    f"{lies[card]} too"
                )
            lies[card] = where
        return pile

    def _places(self, key: str, pile: list[int]) -> Iterator[tuple[str, int]]:
        """Each upgrade that was named, with the place where it lies."""
        for i, robot in enumerate(self.robots):
            for name in ("upgrades", "collection"):
                yield from ((f"robots[{i}].{name}", card) for card in robot[name])
        for name, cards in (*self.piles.items(), (key, pile)):
            yield from ((name, card) for card in cards)


def read_upgrades(given: Any, where: str) -> list[int]:
    """A list of upgrades, each once."""
    if not isinstance(given, list):
        raise ScenarioError(f"{where}: expected a list of upgrade names, got {shown(given)}")
    found = [named(name, f"{where}[{i}]", upgrades.NUMBERS, "an upgrade's") for i, name in enumerate(given)]
    for i, card in enumerate(found):
        if card in found[:i]:
            raise ScenarioError(f"{where}[{i}]: expected each upgrade once, got {given[i]!r} again")
    return found
