"""Changes of state by events of the 2005 edition, beyond the common ones."""

from __future__ import annotations

from typing import Any

from roborally_env.core import options
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.watch.state import registers_in
from roborally_env.watch.tracker import Event, Tracker, empty_registers

TAKE_LEFTOVERS = {"conditional_program", "flywheel", "crab_legs", "dual_processor"}
RETURN_DAMAGE = 2  # tokens of a robot that comes back


class Tracker2005(Tracker):
    """A race of the 2005 edition. `config`: `team` (of each robot), `shared` (flags are touched for the team)."""

    # -- the turn

    def on_round(self, event: Event, robot: dict[str, Any]) -> None:
        """Registers that are not locked are wiped; announced power downs take effect."""
        super().on_round(event, robot)
        for each in self.state["robots"]:
            wipe(each)
            each |= {"down": each["announced"], "announced": False, "controller": None}
            each["kept"] = {name: card for name, card in each["kept"].items() if name == "flywheel"}

    def on_register(self, event: Event, robot: dict[str, Any]) -> None:
        """With the first register the rest of the hands is put away."""
        super().on_register(event, robot)
        if event["register"] == 1:
            for each in self.state["robots"]:
                each["hand"] = []

    def on_deal(self, event: Event, robot: dict[str, Any]) -> None:
        """A card comes into the hand."""
        robot["hand"].append(event["card"])

    def on_program(self, event: Event, robot: dict[str, Any]) -> None:
        """With the last card the hand is put away, unless an option takes one of it."""
        super().on_program(event, robot)
        if None not in robot["registers"] and not TAKE_LEFTOVERS & set(robot["options"]):
            robot["hand"] = []

    def on_play(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot plays its card."""
        self.state["turn"] = event["robot"]

    def on_replaced(self, event: Event, robot: dict[str, Any]) -> None:
        """Another card lies in a register."""
        k = event["register"] - 1
        robot["laid_on"].pop(str(k), None)
        card = event.get("card")
        self.lay(robot, k, card)
        robot["kept"] = {name: kept for name, kept in robot["kept"].items() if kept != card}

    def on_announced(self, event: Event, robot: dict[str, Any]) -> None:
        """A power down is announced."""
        robot["announced"] = True

    def on_powered_down(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is powered down."""
        robot["down"] = True

    def on_controlled(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot plays another's program."""
        robot["controller"] = event["controller"]

    # -- damage and lives

    def on_token(self, event: Event, robot: dict[str, Any]) -> None:
        """One damage token more."""
        robot["damage"] = event["damage"]
        robot["locked"] = sorted({*robot["locked"], *locked_by(event["damage"])})

    def on_locked(self, event: Event, robot: dict[str, Any]) -> None:
        """A register is locked."""
        robot["locked"] = sorted({*robot["locked"], event["register"]})

    def on_repaired(self, event: Event, robot: dict[str, Any]) -> None:
        """Fewer tokens; cards in registers that this unlocks are discarded."""
        before = robot["locked"]
        robot |= {"damage": event["damage"], "locked": locked_by(event["damage"])}
        for register in before:
            if register not in robot["locked"]:
                self.lay(robot, register - 1, None)
                robot["laid_on"].pop(str(register - 1), None)

    def on_destroyed(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is off the board, with a life less."""
        robot |= {"at": None, "destroyed": True, "lives": event["lives"], "reboots": robot["reboots"] + 1}
        robot |= {"announced": False, "controller": None}
        for each in self.state["robots"]:
            if each["controller"] == event["robot"]:
                each["controller"] = None

    def on_placed(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is put on the board; one that was destroyed has lost its program and is damaged."""
        super().on_placed(event, robot)
        if robot["destroyed"]:
            empty_registers(robot)
            damage = 0 if "superior_archive" in robot["options"] else RETURN_DAMAGE
            robot |= {"destroyed": False, "announced": False, "damage": damage, "locked": locked_by(damage)}

    def on_sent_home(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot leaves the board without loss."""
        robot["at"] = None

    def on_archive(self, event: Event, robot: dict[str, Any]) -> None:
        """The archive marker lies somewhere else."""
        robot["archive"] = event["cell"]

    # -- options

    def on_option(self, event: Event, robot: dict[str, Any]) -> None:
        """An option lies in front of a player."""
        robot["options"] = sorted({*robot["options"], event["option"]}, key=options.NUMBERS.__getitem__)

    def on_option_gone(self, event: Event, robot: dict[str, Any]) -> None:
        """An option is lost, with the cards and tokens on it."""
        gone = event["option"]
        robot["options"] = [name for name in robot["options"] if name != gone]
        robot["tokens"] = {name: count for name, count in robot["tokens"].items() if name != gone}
        robot["kept"] = {name: card for name, card in robot["kept"].items() if name != gone}

    def on_option_used(self, event: Event, robot: dict[str, Any]) -> None:
        """Mini Howitzer counts its uses; the card on Flywheel goes into the hand."""
        if event["option"] == "mini_howitzer":
            self.count_token(robot, event["option"])
        elif event["option"] == "flywheel" and "flywheel" in robot["kept"]:
            robot["hand"].append(robot["kept"]["flywheel"])
            robot["kept"] = {name: card for name, card in robot["kept"].items() if name != "flywheel"}
        elif event["option"] == "recompile":
            robot["hand"] = []

    def on_protected(self, event: Event, robot: dict[str, Any]) -> None:
        """Ablative Coat counts the damage that it stops."""
        if event["option"] == "ablative_coat":
            self.count_token(robot, event["option"])

    @staticmethod
    def count_token(robot: dict[str, Any], option: str) -> None:
        """One token more on an option."""
        robot["tokens"] = robot["tokens"] | {option: robot["tokens"].get(option, 0) + 1}

    def on_superbot(self, event: Event, robot: dict[str, Any]) -> None:
        """There is one SuperBot."""
        for each in self.state["robots"]:
            each["superbot"] = each is robot

    # -- flags

    def on_checkpoint(self, event: Event, robot: dict[str, Any]) -> None:
        """A flag is touched, in some courses for the whole team."""
        team = self.config.get("team", [])
        for seat, each in enumerate(self.state["robots"]):
            if seat == event["robot"] or (self.config.get("shared") and team[seat] == team[event["robot"]]):
                each["checkpoint"] = event["number"]

    def on_claimed(self, event: Event, robot: dict[str, Any]) -> None:
        """A flag belongs to a team, which is scored by the number of its flags."""
        team = self.config["team"]
        claims = list(self.state["claims"])
        claims[event["number"] - 1] = team[event["robot"]]
        self.state["claims"] = claims
        for seat, each in enumerate(self.state["robots"]):
            each["checkpoint"] = claims.count(team[seat])

    def on_flag_taken(self, event: Event, robot: dict[str, Any]) -> None:
        """A flag is carried."""
        self.put_checkpoint(event["number"], None)
        self.carry(event["number"], event["robot"])

    def on_flag_dropped(self, event: Event, robot: dict[str, Any]) -> None:
        """A flag is laid down."""
        self.put_checkpoint(event["number"], event["cell"])
        self.carry(event["number"], None)

    def carry(self, number: int, seat: int | None) -> None:
        """A robot carries flag `number`, or nobody does."""
        carriers = list(self.state["carriers"])
        carriers[number - 1] = seat
        self.state["carriers"] = carriers

    def on_board_turned(self, event: Event, robot: dict[str, Any]) -> None:
        """A board lies another way."""
        boards = int(self.config["boards"])
        turned = list(self.state["board"] if self.state["board"] != "0" else "0" * boards)
        turned[event["board"]] = str(event["quarters"])
        self.state["board"] = "".join(turned) if set(turned) != {"0"} else "0"


def locked_by(damage: int) -> list[int]:
    """The registers that this number of tokens locks."""
    return registers_in(int(LOCKS[min(damage, len(LOCKS) - 1)]))


def wipe(robot: dict[str, Any]) -> None:
    """Empty the registers that are not locked; all, of a robot that is destroyed."""
    for k in range(len(robot["registers"])):
        if robot["destroyed"] or k + 1 not in robot["locked"]:
            robot["registers"][k] = None
            robot["laid_on"].pop(str(k), None)
