"""Following a race event by event: each event of the log changes a state in the form of `state_of`.

A tracker uses results from the log instead of rules where it can. The editions' own trackers add what the log leaves
out (cards that are put away without an event); at the end of each step the record corrects the rest.
"""

from __future__ import annotations

from typing import Any

from roborally_env.core.state import REGISTERS
from roborally_env.watch.state import State

Event = dict[str, Any]


class Tracker:
    """The state of one race, and methods for the events that change it.

    Attributes:
        state: as `state_of`, with `register` (0 before the first of a round, else 1 to 5) and `turn` (the robot whose
            card is played, or None).
        before: the event told before this one.
    """

    def __init__(self, state: State, config: dict[str, Any] | None = None) -> None:
        self.state = state | {"register": 0, "turn": None}
        self.config = config or {}
        self.before: Event = {"kind": ""}
        self.laid: list[list[int]] = []
        self.hands: list[list[str]] = []  # as they were when the step began
        self.used: list[set[int]] = []  # slots of them that are laid

    def begin_step(self, laid: list[list[int]]) -> None:
        """Begin a step; `laid` has the hand slots of each robot's program, if programs are laid in it.

        The slots distinguish cards of the hand that have the same name in the log.
        """
        self.laid = [list(slots) for slots in laid]
        self.hands = [list(robot["hand"]) for robot in self.state["robots"]]
        self.used = [set() for _ in self.hands]

    def tell(self, event: Event) -> None:
        """Change the state by an event."""
        handle = getattr(self, f"on_{event['kind']}", None)
        if handle is not None:
            handle(event, self.robot(event))
        self.before = event

    def robot(self, event: Event) -> dict[str, Any]:
        """The robot of an event; an empty dict if there is none."""
        robots: list[dict[str, Any]] = self.state["robots"]
        return robots[event["robot"]] if "robot" in event else {}

    # -- time

    def on_round(self, event: Event, robot: dict[str, Any]) -> None:
        """A round begins."""
        self.state |= {"round": event["round"], "register": 0, "turn": None}

    def on_register(self, event: Event, robot: dict[str, Any]) -> None:
        """A register begins."""
        self.state |= {"register": event["register"], "turn": None}
        self.used = [set() for _ in self.used]

    def on_win(self, event: Event, robot: dict[str, Any]) -> None:
        """Somebody has won."""
        self.state["winner"] = event["robot"]

    # -- places

    def on_move(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot stands somewhere else."""
        robot["at"] = event["to"]

    on_push = on_panel = on_teleport = on_shift = on_move

    def on_belt(self, event: Event, robot: dict[str, Any]) -> None:
        """A belt carries, and may turn."""
        robot |= {"at": event["to"], "facing": "NESW".index(event["facing"])}

    def on_turn(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot turns."""
        robot["facing"] = "NESW".index(event["facing"])

    on_gear = on_turn

    def on_fall(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is off the board."""
        robot["at"] = None

    def on_placed(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot is put on the board."""
        robot |= {"at": event["cell"], "facing": "NESW".index(event["facing"])}

    # -- checkpoints

    def on_checkpoint(self, event: Event, robot: dict[str, Any]) -> None:
        """A robot has reached a checkpoint."""
        robot["checkpoint"] = event["number"]

    def on_checkpoint_moved(self, event: Event, robot: dict[str, Any]) -> None:
        """A checkpoint lies somewhere else, or nowhere."""
        self.put_checkpoint(event["number"], event["to"])

    def put_checkpoint(self, number: int, cell: list[int] | None) -> None:
        """Lay checkpoint `number` on a cell."""
        self.state["checkpoints"] = [cell if i == number else at for i, at in enumerate(self.state["checkpoints"], 1)]

    # -- cards

    def on_program(self, event: Event, robot: dict[str, Any]) -> None:
        """A card is laid: the one of the chosen hand slot, or a card just drawn if the hand has none left."""
        seat, k = event["robot"], event["register"] - 1
        hand, laid = self.hands[seat], self.laid[seat]
        robot["laid_on"].pop(str(k), None)
        if self.before["kind"] == "draw" and self.before["robot"] == seat:
            robot["hand"].pop()
            self.lay(robot, k, event["card"])
            return
        self.lay(robot, k, hand[laid[k]])
        self.used[seat].add(laid[k])
        robot["hand"] = [card for slot, card in enumerate(hand) if slot not in self.used[seat]]

    @property
    def now(self) -> int:
        """The register that is played, 0 to 4."""
        return max(0, int(self.state["register"]) - 1)

    @staticmethod
    def lay(robot: dict[str, Any], k: int, card: str | None) -> None:
        """Lay a card into register k, 0 to 4."""
        robot["registers"][k] = card


def remove(cards: list[str], card: str) -> bool:
    """Remove the first card of a kind from a list; returns whether there was one."""
    if card not in cards:
        return False
    cards.remove(card)
    return True


def empty_registers(robot: dict[str, Any], first: int = 0) -> int:
    """Empty the registers from number `first` (0 to 4) on; returns the number of cards removed."""
    count = 0
    for k in range(first, REGISTERS):
        count += robot["registers"][k] is not None
        robot["registers"][k] = None
        count += robot["laid_on"].pop(str(k), None) is not None
    return count
