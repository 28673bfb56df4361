"""Scenarios of the 2016 edition: upgrades, piles for each robot, damage cards."""

from collections import Counter
from typing import Any, ClassVar

from roborally_env.base.errors import ScenarioError, listed
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import BUY_UPGRADE, KINDS_2016, OPTION_NAMES, REPLACE_UPGRADE
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.mechanics.energy import START_ENERGY
from roborally_env.core.rule_options import game_of
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, MAX_PLAYERS, REGISTERS, kind_of
from roborally_env.scenario.reader import CARD_KEYS, ONLY_2005, Reader, Robot
from roborally_env.scenario.values import integer, named, only, shown, wrong

# robot keys of other editions -> the only value that this one has for them
FOREIGN: dict[str, Any] = {
    "options": [], "damage": 0, "lives": 3, "locked": [], "powered_down": False, "level": 0, "team": 0,
    "virtual": False, "collection": [], **ONLY_2005,
}  # fmt: skip
MAX_ENERGY = 30_000
_LISTS = ("cache_memory", "memory_swap")  # decisions that are answered by a list of cards
_WITHOUT_UPGRADES = tuple(DECISION_NAMES[1:BUY_UPGRADE])
_SPECIAL_CARDS = cards.ALL_NAMES[cards.ENERGY_ROUTINE :]


class Reader2016(Reader):
    """The 2016 edition, with upgrades and without."""

    most_robots = MAX_PLAYERS
    deck: ClassVar[tuple[int, ...]] = upgrades.DECK  # the numbers of its upgrades
    decisions = tuple(DECISION_NAMES[1:KINDS_2016])
    foreign: ClassVar[dict[str, Any]] = FOREIGN
    card_numbers: ClassVar[dict[str, int]] = cards.NUMBERS  # the cards that the edition has, by name
    start_energy = START_ENERGY
    most_energy = MAX_ENERGY

    @property
    def plays_upgrades(self) -> bool:
        """Whether there are upgrades."""
        return bool(self.rules.get("upgrades", kind_of(game_of(self.edition, self.rules)).has("owned")))

    def decisions_asked(self) -> tuple[str, ...]:
        """Without upgrades nobody is asked about them."""
        return self.decisions if self.plays_upgrades else _WITHOUT_UPGRADES

    def check_start(self, start: Any, rounds: bool) -> None:
        """`play.start`: "upgrade" begins with the upgrade phase."""
        if not self.plays_upgrades:
            raise ScenarioError("play.start: expected nothing here: the game is played without an upgrade phase")
        if start != "upgrade":
            raise ScenarioError(f'play.start: expected "upgrade", got {shown(start)}')
        if not rounds:
            raise ScenarioError('play.start: expected "rounds" beside it')

    def read_shop(self, given: Any) -> list[int]:
        """The upgrades for sale; checked against those that robots have."""
        if given is None:
            return []
        if not self.plays_upgrades:
            if given:
                raise ScenarioError("shop: expected nothing here: the game is played without upgrades")
            return []
        if not isinstance(given, list) or len(given) > len(self.robots):
            raise ScenarioError(f"shop: expected a list of at most a card a robot, got {shown(given)}")
        shop = [self.read_upgrade(name, f"shop[{i}]") for i, name in enumerate(given)]
        for i, card in enumerate(shop):
            if card in shop[:i]:
                raise ScenarioError(f"shop[{i}]: expected each card once, got {given[i]!r} again")
            for j, robot in enumerate(self.robots):
                if card in robot["upgrades"]:
                    raise ScenarioError(f"shop[{i}]: robots[{j}] has {given[i]!r}; there is one of each card")
        return shop

    # -- robots

    def read_robot(self, robot: dict[str, Any], where: str) -> Robot:
        """A robot's keys; keys of other editions may have their one value in this edition."""
        for key, expected in self.foreign.items():
            if key in robot:
                only(robot[key], f"{where}.{key}", expected, self.edition)
        self.read_archive(robot, where)  # the editions with archive markers use it; here it is the start cell
        x, y = self.read_cell(robot, where)
        self.check_cell(x, y, where)
        registers = self.read_registers(robot, where)
        return {
            "x": x,
            "y": y,
            "facing": self.read_facing(robot, where),
            "registers": [
                cards.NONE if c is None else self._card(c, f"{where}.registers[{i}]") for i, c in enumerate(registers)
            ],
            **{key: self._cards(robot.get(key, []), f"{where}.{key}") for key in ("draw", "discard", "hand")},
            "upgrades": self._upgrades(robot.get("upgrades", []), f"{where}.upgrades"),
            "energy": integer(robot.get("energy", self.start_energy), f"{where}.energy", 0, self.most_energy),
            "checkpoint": self.read_checkpoint(robot, where),
        }

    def _upgrades(self, given: Any, where: str) -> list[int]:
        if not self.plays_upgrades:
            if given != []:
                raise ScenarioError(f"{where}: expected [] in the game without upgrades, got {shown(given)}")
            return []
        if not isinstance(given, list):
            raise ScenarioError(f"{where}: expected a list of upgrade names, got {shown(given)}")
        owned = [self.read_upgrade(name, f"{where}[{i}]") for i, name in enumerate(given)]
        for i, card in enumerate(owned):
            if card in owned[:i]:
                raise ScenarioError(f"{where}[{i}]: expected each upgrade once, got {given[i]!r} again")
        stay = Counter(row.type for row in map(upgrades.upgrade, owned) if not row.special)
        for kind, count in stay.items():
            if count > upgrades.MOST_OF_A_TYPE:
                raise ScenarioError(f"{where}: expected at most three {kind} upgrades, got {count}")
        return owned

    def _cards(self, given: Any, where: str) -> list[int]:
        if not isinstance(given, list):
            raise ScenarioError(f"{where}: expected a list of card names, got {shown(given)}")
        most = HAND_WITH_UPGRADES if self.plays_upgrades else HAND
        if where.endswith("hand") and len(given) > most:
            raise ScenarioError(f"{where}: expected at most {most} cards, got {len(given)}")
        return [self._card(c, f"{where}[{i}]") for i, c in enumerate(given)]

    def _card(self, name: Any, where: str) -> int:
        number = named(name, where, self.card_numbers, "a card's")
        if name in _SPECIAL_CARDS and not self.plays_upgrades:
            raise ScenarioError(f"{where}: expected a card of the game without upgrades, got {name!r}")
        return number

    def check_cards(self) -> None:
        """Raise unless the box has all damage cards named, and no robot has more cards than its record has room for."""
        found: Counter[int] = Counter()
        for i, robot in enumerate(self.robots):
            own = [c for key in CARD_KEYS for c in robot[key] if c != cards.NONE]
            found.update(own)
            counts = Counter(own)
            unnamed = sum(max(0, int(cards.DECK_COUNTS[c]) - counts[c]) for c in range(cards.KINDS))
            if len(own) + unnamed > cards.MAX_OWNED:
                raise ScenarioError(
                    f"robots[{i}]: expected at most {cards.MAX_OWNED} cards in all, got {len(own) + unnamed}"
                )
        for kind, name in enumerate(cards.DAMAGE_NAMES):
            if found[cards.SPAM + kind] > cards.DAMAGE_BOX[kind]:
                raise ScenarioError(
                    f"robots: expected at most {cards.DAMAGE_BOX[kind]} {name} cards (all in the box), "
                    f"got {found[cards.SPAM + kind]}"
                )

    # -- answers

    def check_choice(self, decision: str, choice: Any, where: str) -> None:
        """Raise if a decision cannot have this answer."""
        if decision == "program":
            self.check_program(choice, where)
            return
        if decision in _LISTS and isinstance(choice, list):
            for k, card in enumerate(choice):
                self._card(card, f"{where}[{k}]")
            return
        kind = DECISION_NAMES.index(decision)
        options = (
            ("no", *upgrades.numbers_of(self.deck)) if kind in (BUY_UPGRADE, REPLACE_UPGRADE) else OPTION_NAMES[kind]
        )
        if decision in _LISTS:
            if choice != "no":
                raise ScenarioError(f'{where}: expected "no" or a list of card names, got {shown(choice)}')
        elif choice not in options:
            raise wrong(where, f"one of {listed(options)}", choice)

    def check_program(self, choice: Any, where: str) -> None:
        """Raise if the answer is no program."""
        if not isinstance(choice, list) or len(choice) != REGISTERS:
            raise ScenarioError(f"{where}: expected a list of five card names, got {shown(choice)}")
        for k, card in enumerate(choice):
            if card is not None or not self.rules["timer"]:
                self._card(card, f"{where}[{k}]")

    def read_upgrade(self, name: Any, where: str) -> int:
        """One upgrade by its name."""
        return named(name, where, upgrades.numbers_of(self.deck), "an upgrade's")
