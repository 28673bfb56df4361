"""Changes of state by events of the 2016 edition, beyond the common ones."""

from __future__ import annotations

from typing import Any

from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_NAMES
from roborally_env.watch.tracker import Event, Tracker, empty_registers, remove

# upgrades that cost a cube whenever they are used
FOR_A_CUBE = ("deflector_shield", "teleporter", "mini_howitzer")
ENERGY_CARDS = ("power_up", "energy_routine")


class Tracker2016(Tracker):
    """A race of the lighter or the complete game."""

    def __init__(self, state: Any, config: Any = None) -> None:
        super().__init__(state, config)
        self.acted: set[int] = set()  # robots that have begun their turn of this register
        self.last_action: dict[int, str] = {}  # what a robot carried out last
        self.scrambled: int | None = None  # the robot that draws for its next register

    def on_round(self, event: Event, robot: dict[str, Any]) -> None:
        """The registers of the last round go to the discard piles; rebooted robots take part again."""
        super().on_round(event, robot)
        for each in self.state["robots"]:
            each["discard"] += empty_registers(each)
            each["rebooted"] = False

    def on_register(self, event: Event, robot: dict[str, Any]) -> None:
        """With the first register all hands are put away, unless cards are kept."""
        super().on_register(event, robot)
        self.acted, self.scrambled = set(), None
        if event["register"] == 1 and not self.config.get("advanced"):
            for each in self.state["robots"]:
                discard_hand(each)

    def on_program(self, event: Event, robot: dict[str, Any]) -> None:
        """With the last card the hand is put away, unless it may still be of use."""
        super().on_program(event, robot)
        if None not in robot["registers"] and not self.keeps_hands:
            discard_hand(robot)

    @property
    def keeps_hands(self) -> bool:
        """Whether hands are not put away with the program."""
        if self.config.get("advanced"):
            return True
        return any("cache_memory" in robot.get("upgrades", ()) for robot in self.state["robots"])

    # -- cards

    def on_draw(self, event: Event, robot: dict[str, Any]) -> None:
        """A card goes from the deck to the hand, or during registers to the place that needs a card."""
        if self.state["register"] == 0 and self.used and self.used[event["robot"]]:
            discard_hand(robot)  # the timer has caught it in the middle of its program
        robot["deck"] -= 1
        if self.state["register"] == 0:
            robot["hand"].append(event["card"])
        elif self.scrambled == event["robot"]:
            self.lay(robot, self.now + 1, event["card"])
            self.scrambled = None
        elif robot["registers"][self.now] in ("again", "repeat_routine"):
            robot["laid_on"][str(self.now)] = event["card"]
        else:
            self.lay(robot, self.now, event["card"])

    def on_shuffle(self, event: Event, robot: dict[str, Any]) -> None:
        """The discard pile becomes the deck."""
        robot |= {"deck": event["cards"], "discard": 0}

    def on_top(self, event: Event, robot: dict[str, Any]) -> None:
        """A card of the hand goes on top of the deck."""
        remove(robot["hand"], event["card"])
        robot["deck"] += 1

    def on_card(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot plays its card."""
        self.state["turn"] = event["robot"]
        self.acted.add(event["robot"])
        self.last_action[event["robot"]] = event["action"]

    def on_discard(self, event: Event, robot: dict[str, Any]) -> None:
        """A card of a register is put away for another: one that may not be there, or by Scrambler."""
        robot["discard"] += 1
        if self.before["kind"] == "use" and self.before["upgrade"] == "scrambler":
            self.scrambled = event["robot"]
            self.lay(robot, self.now + 1, None)
            return
        self.acted.add(event["robot"])
        if robot["laid_on"].pop(str(self.now), None) is None:
            self.lay(robot, self.now, None)

    def on_damage(self, event: Event, robot: dict[str, Any]) -> None:
        """A damage card is dealt onto the discard pile."""
        robot["discard"] += 1
        self.count_damage(robot, event["card"], 1)

    def on_returned(self, event: Event, robot: dict[str, Any]) -> None:
        """A damage card goes back into the box: out of the hand, the register or, by SPAM Folder, the discard pile."""
        card, key = event["card"], str(self.now)
        self.count_damage(robot, card, -1)
        if self.state["register"] == 0:
            remove(robot["hand"], card)
        elif robot["laid_on"].get(key) == card:
            del robot["laid_on"][key]
        elif robot["registers"][self.now] == card:
            self.lay(robot, self.now, None)
        else:
            robot["discard"] -= 1

    @staticmethod
    def count_damage(robot: dict[str, Any], card: str, more: int) -> None:
        """Add a number of damage cards of a kind."""
        robot["damage_cards"] = {name: robot["damage_cards"][name] + more * (name == card) for name in DAMAGE_NAMES}

    # -- rebooting, energy

    def on_reboot(self, event: Event, robot: dict[str, Any]) -> None:
        """The rest of the program and the hand is discarded."""
        robot |= {"at": None, "rebooted": True, "reboots": robot["reboots"] + 1}
        robot["discard"] += empty_registers(robot, self.now + (event["robot"] in self.acted))
        discard_hand(robot)

    def on_energy(self, event: Event, robot: dict[str, Any]) -> None:
        """Energy cubes; if no card gave them, the cube of the robot's space."""
        robot["energy"] += event["cubes"]
        if not self.by_card(event["robot"]):
            self.state["cubes"] = [cube for cube in self.state["cubes"] if cube != robot["at"]]

    def by_card(self, seat: int) -> bool:
        """Whether the event before this one was that robot's card or upgrade that gives energy."""
        before = self.before
        if before.get("robot") != seat:
            return False
        if before["kind"] == "card":
            return before["action"] in ENERGY_CARDS
        if before["kind"] != "use":
            return False
        hacked = before["upgrade"] == "hack" and self.last_action.get(seat) in ENERGY_CARDS
        return before["upgrade"] == "recharge" or hacked

    # -- upgrades

    def on_shop(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade is for sale."""
        self.state["shop"] = in_order({*self.state["shop"], event["upgrade"]})

    def on_gone(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade leaves the shop, or a mat."""
        if robot:
            self.lose(robot, event["upgrade"])
        else:
            self.state["shop"] = [name for name in self.state["shop"] if name != event["upgrade"]]

    def on_buy(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade goes from the shop to a mat, a routine's card to the discard pile."""
        self.state["shop"] = [name for name in self.state["shop"] if name != event["upgrade"]]
        robot["energy"] -= event["cubes"]
        if _row(event["upgrade"]).special:
            robot["discard"] += 1
        else:
            self.gain(robot, event["upgrade"])

    def on_use(self, event: Event, robot: dict[str, Any]) -> None:
        """Temporary upgrades are gone when used; some cost a cube; Recompile puts the hand away."""
        upgrade = event["upgrade"]
        if _row(upgrade).type == upgrades.TEMPORARY:
            self.lose(robot, upgrade)
            self.discard_upgrade(upgrade)
        if upgrade in FOR_A_CUBE:
            robot["energy"] -= 1
        if upgrade == "recompile":
            discard_hand(robot)

    def on_handed(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade goes from one mat to another."""
        self.lose(self.state["robots"][event["giver"]], event["upgrade"])
        self.gain(robot, event["upgrade"])

    # -- collections (2023)

    def on_upgrade_drawn(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade goes from the deck to a collection, for one energy."""
        self.state["upgrade_deck"] -= 1
        robot["energy"] -= 1
        robot["collection"] = in_order({*robot["collection"], event["upgrade"]})

    def on_installed(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade goes from a collection to a mat, a routine's card to the discard pile."""
        robot["collection"] = [name for name in robot["collection"] if name != event["upgrade"]]
        robot["energy"] -= event["cubes"]
        if _row(event["upgrade"]).special:
            robot["discard"] += 1
        else:
            self.gain(robot, event["upgrade"])

    def on_uninstalled(self, event: Event, robot: dict[str, Any]) -> None:
        """An upgrade goes from a mat to the upgrade discard pile."""
        self.lose(robot, event["upgrade"])
        self.discard_upgrade(event["upgrade"])

    def on_upgrades_shuffled(self, event: Event, robot: dict[str, Any]) -> None:
        """The upgrade discard pile becomes the deck."""
        self.state |= {"upgrade_deck": event["cards"], "upgrade_discard": []}

    def discard_upgrade(self, upgrade: str) -> None:
        """An upgrade goes to the upgrade discard pile, where there is one."""
        if "upgrade_discard" in self.state:
            self.state["upgrade_discard"] = in_order({*self.state["upgrade_discard"], upgrade})

    @staticmethod
    def gain(robot: dict[str, Any], upgrade: str) -> None:
        """Lay an upgrade on a mat, in printed order."""
        robot["upgrades"] = in_order({*robot["upgrades"], upgrade})

    @staticmethod
    def lose(robot: dict[str, Any], upgrade: str) -> None:
        """Take an upgrade off a mat."""
        robot["upgrades"] = [name for name in robot["upgrades"] if name != upgrade]


def in_order(names: set[str]) -> list[str]:
    """Upgrades in printed order."""
    return sorted(names, key=upgrades.ALL_NAMES.index)


def discard_hand(robot: dict[str, Any]) -> None:
    """Put a robot's hand on its discard pile."""
    robot["discard"] += len(robot["hand"])
    robot["hand"] = []


def _row(name: str) -> upgrades.Upgrade:
    return upgrades.upgrade(upgrades.ALL_NAMES.index(name))
