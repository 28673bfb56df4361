"""Changes of state by events of the community edition, beyond those of 2016: damage, locks, ramps, virtual mode."""

from __future__ import annotations

from typing import Any

from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.watch.state import registers_in
from roborally_env.watch.tracker import Event, Tracker, empty_registers
from roborally_env.watch.tracker2016 import Tracker2016, discard_hand


class TrackerCommunity(Tracker2016):
    """A race of the community edition."""

    @property
    def keeps_hands(self) -> bool:
        """Hands are put away after the announcements."""
        return True

    # -- the round

    def on_round(self, event: Event, robot: dict[str, Any]) -> None:
        """Registers that are not locked go to the discard piles; powered-down robots are up again."""
        Tracker.on_round(self, event, robot)
        for each in self.state["robots"]:
            each["discard"] += wipe(each)
            each |= {"down": False, "stomped": False}

    def on_register(self, event: Event, robot: dict[str, Any]) -> None:
        """Robots stomped in the last register have acted by now."""
        super().on_register(event, robot)
        for each in self.state["robots"]:
            each["stomped"] = False

    def on_announced(self, event: Event, robot: dict[str, Any]) -> None:
        """A power down is announced."""
        robot["announced"] = True

    def on_powered_down(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is powered down; the cards in its registers are discarded."""
        robot |= {"down": True, "announced": False}
        robot["discard"] += empty_registers(robot)

    def on_win(self, event: Event, robot: dict[str, Any]) -> None:
        """Somebody is at the goal first."""
        super().on_win(event, robot)
        robot["place"] = 1

    def on_finished(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is at the goal and leaves the board, as the others race on."""
        robot["place"] = event["place"]
        leave_board(robot)

    # -- damage

    def on_hurt(self, event: Event, robot: dict[str, Any]) -> None:
        """One more damage token, or the damage of a robot that comes back."""
        robot |= {"damage": event["damage"], "locked": locks(event["damage"])}

    def on_repaired(self, event: Event, robot: dict[str, Any]) -> None:
        """Less damage; cards in registers that this unlocks stay until the registers are wiped."""
        self.on_hurt(event, robot)

    def on_stomped(self, event: Event, robot: dict[str, Any]) -> None:
        """A stomper acts."""
        robot["stomped"] = True

    def on_lost(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is destroyed; all its cards are discarded."""
        robot |= {"destroyed": True, "reboots": robot["reboots"] + 1}
        leave_board(robot)

    def on_placed(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is put on the board, by this or by coming back."""
        super().on_placed(event, robot)
        robot["destroyed"] = False

    # -- places

    def on_slide(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot slides down a ramp."""
        robot["at"] = event["to"]

    def on_ramp(self, event: Event, robot: dict[str, Any]) -> None:
        """A ramp is switched."""
        others = [cell for cell in self.state["ramps"] if cell != event["cell"]]
        self.state["ramps"] = sorted([*others, event["cell"]] if event["on"] else others)

    def on_virtual(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot shares its cell."""
        robot["virtual"] = True

    def on_real(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot has its cell for itself again."""
        robot["virtual"] = False


def locks(damage: int) -> list[int]:
    """The registers that this damage locks."""
    return registers_in(int(LOCKS[min(damage, len(LOCKS) - 1)]))


def leave_board(robot: dict[str, Any]) -> None:
    """A robot is off the board, its cards are on its discard pile."""
    robot |= {"at": None, "announced": False, "virtual": False, "stomped": False}
    robot["discard"] += empty_registers(robot)
    discard_hand(robot)


def wipe(robot: dict[str, Any]) -> int:
    """Empty the registers that are not locked; returns the number of cards removed."""
    count = 0
    for k, card in enumerate(robot["registers"]):
        count += robot["laid_on"].pop(str(k), None) is not None
        if card is not None and k + 1 not in robot["locked"]:
            count += 1
            robot["registers"][k] = None
    return count
