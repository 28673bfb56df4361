"""Grouping the events of a log into moments: events that happen at once on the table are shown at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from roborally_env.base.types import JsonObject, Record
from roborally_env.courses.tables import EDGE, cell_of
from roborally_env.watch.state import Event

# event -> the kind of moment that it begins, if that has another name
BEGINS = {
    "deal": "hands", "shift": "move", "teleport": "move", "board_laser": "laser", "rear_laser": "robot_laser",
    "token": "damage", "protected": "damage", "hurt": "damage", "use": "upgrade", "buy": "upgrade", "handed": "upgrade",
    "upgrade_drawn": "upgrade", "installed": "upgrade", "uninstalled": "upgrade", "upgrades_shuffled": "upgrade",
    "refreshed": "upgrade", "option_used": "option", "option_gone": "option", "checkpoint_moved": "belt",
    "replaced": "draw", "play": "card", "flag_taken": "flag", "flag_dropped": "flag", "claimed": "flag",
}  # fmt: skip
# events that belong to the moment before them, unless they begin something
FOLLOWS = frozenset({
    "damage", "token", "protected", "locked", "returned",
    "hurt", "ledge", "lost", "ramp", "virtual", "real", "finished",
})  # fmt: skip
HEADINGS = frozenset({"round", "register", "hands", "program", "shop"})
MOVERS = frozenset({"move", "panel", "shift"})
SHOTS = frozenset({"robot_laser", "rear_laser"})
# kinds of moments in which the robots of one kind of event act together, each once
TOGETHER = {
    "belt": ("belt", "fall", "checkpoint_moved"),
    "gear": ("gear",),
    "repaired": ("repaired",),
    "archive": ("archive",),
    "powered_down": ("powered_down",),
    "energy": ("energy",),
    "slide": ("slide",),
}


@dataclass
class Group:
    """The events of a moment."""

    kind: str
    events: list[Event] = field(default_factory=list)


@dataclass
class Grouper:
    """Cuts the events of a step into moments.

    Attributes:
        register: 0 before the first of a round.
        together: whether board and robot lasers fire as one (2005).
    """

    register: int = 0
    together: bool = False

    def groups(self, events: Sequence[Event]) -> Iterator[Group]:
        """The moments of a step, in their order."""
        group = Group("")
        before: Event = {"kind": ""}
        for event in events:
            kind = self._begins(event, before)
            joined = self._joined(group, event, kind, before)
            if joined:
                group.kind = joined
            else:
                if group.events:
                    yield group
                group = Group(kind)
            group.events.append(event)
            self._note(event)
            before = event
        if group.events:
            yield group

    def _note(self, event: Event) -> None:
        if event["kind"] in ("round", "register"):
            self.register = event.get("register", 0)

    def _begins(self, event: Event, before: Event) -> str:
        """The kind of moment that an event begins."""
        kind = str(event["kind"])
        if kind in ("draw", "shuffle"):
            return "draw" if self.register else "hands"
        if kind == "gone":
            return "upgrade" if "robot" in event else "shop"
        if kind == "discard" and before.get("upgrade") == "scrambler":
            return "scrambled"
        return BEGINS.get(kind, kind)

    def _joined(self, group: Group, event: Event, kind: str, before: Event) -> str:
        """The kind of a moment after an event is added; "" if the event does not belong to it."""
        happened = event["kind"]
        seen = {e.get("robot") for e in group.events}
        if not group.events:
            return ""
        if happened in FOLLOWS and group.kind not in HEADINGS:
            return group.kind
        if group.kind in ("push", "fall") and (happened in MOVERS or happened in ("push", "fall", "belt")):
            return "" if event["robot"] in seen else kind if happened in MOVERS or happened == "belt" else group.kind
        if happened in TOGETHER.get(group.kind, ()) and (kind == group.kind or happened == "fall"):
            again = event["robot"] in seen if group.kind != "belt" else _place(event) <= _place(group.events[-1])
            return "" if again else group.kind
        return group.kind if self._joins(group, event, kind, before) else ""

    def _joins(self, group: Group, event: Event, kind: str, before: Event) -> bool:
        """The part of `_joined` for cards, shots and the shop."""
        happened = event["kind"]
        if group.kind in ("laser", "robot_laser") and before["kind"] in ("board_laser", *SHOTS):
            return kind == group.kind or (self.together and happened in SHOTS)
        if group.kind in ("hands", "shop", "program", "top"):
            return kind == group.kind
        if group.kind == "scrambled" or before["kind"] == "shuffle":
            return happened in ("draw", "shuffle")
        return bool(before["kind"] == "locked" and happened == "replaced")


def _place(event: Event) -> tuple[int, int]:
    """The place of an event in a step of the belts: first checkpoints are carried, then robots, by number."""
    return event.get("robot", -1), event.get("number", 0)


def effects(group: Group, before: JsonObject, ground: Callable[[], Record]) -> list[JsonObject]:
    """The effects to show in a moment beside the changes of state: beams, hits, falls, bumps, sparks.

    `before` is the state before it; `ground` returns the course's tables (`courses.tables`), for falls.
    """
    found: list[JsonObject] = []
    for event in group.events:
        make = _EFFECTS.get(event["kind"])
        if make is not None:
            found.append(make(event, before["robots"]))
        elif event["kind"] == "fall":
            found.append(_fall(event, before["robots"], group, ground))
    hit = dict.fromkeys(e["robot"] for e in group.events if e["kind"] in ("damage", "token", "hurt"))
    if group.kind == "placed":  # what a returning robot has is not a hit
        return found
    return found + [{"type": "hit", "robot": robot} for robot in hit]


def _board_beam(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    return {"type": "beam", "from": event["laser"], "to": robots[event["robot"]]["at"], "beams": event["beams"]}


def _shot(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    shooter = event["shooter"]
    return {"type": "beam", "from": robots[shooter]["at"], "to": robots[event["robot"]]["at"], "robot": shooter}


def _fall(event: Event, robots: Sequence[JsonObject], group: Group, ground: Callable[[], Record]) -> JsonObject:
    fall = {"type": "fall", "robot": event["robot"], "to": event["pit"]}
    if event["pit"] is None:
        fall["direction"] = _direction(event, robots, group, ground())
    return fall


def _direction(event: Event, robots: Sequence[JsonObject], group: Group, ground: Record) -> int:
    """The direction in which a robot leaves the board, which the log lacks: one in which the board ends at its cell.

    If there are several, that of a robot that moves with it, of the belt or the panel below it, or its own.
    """
    cell = cell_of(*event["from"])
    below = {"belt": ground.belt_out, "panel": ground.panel_push}.get(group.kind)
    facing = int(robots[event["robot"]]["facing"])
    likely = _ways(group) if below is None else [int(below[cell])]
    over = [d for d in (*likely, facing, *range(4)) if ground.next[cell, d] == EDGE]
    return over[0] if over else facing


def _ways(group: Group) -> list[int]:
    """The directions in which robots move in a moment."""
    steps = [(e["from"], e["to"]) for e in group.events if e["kind"] in ("move", "push", "panel", "shift")]
    return [1 if to_x > x else 3 if to_x < x else 2 if to_y > y else 0 for (x, y), (to_x, to_y) in steps]


def _bump(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    return {"type": "bump", "robot": event["robot"], "direction": "NESW".index(event["direction"])}


def _spark(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    return {"type": "spark", "robot": event["robot"], "kind": event["kind"]}


def _trapdoor(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    return {"type": "fall", "robot": event["robot"], "to": event["cell"]}


def _switched(event: Event, robots: Sequence[JsonObject]) -> JsonObject:
    return {"type": "flash", "at": event["cell"]}


_EFFECTS = {
    "board_laser": _board_beam,
    "robot_laser": _shot,
    "rear_laser": _shot,
    "blocked": _bump,
    "energy": _spark,
    "checkpoint": _spark,
    "repaired": _spark,
    "win": _spark,
    "trapdoor": _trapdoor,
    "ramp": _switched,
    "button": _switched,
}
