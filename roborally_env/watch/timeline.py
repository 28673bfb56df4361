"""The timeline of a race, which the viewer plays, made from the event log during the race."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.courses import Course, turned_course
from roborally_env.courses.tables import tables_of
from roborally_env.errors import RoboRallyError
from roborally_env.watch.header import board_picture, header_of
from roborally_env.watch.moments import Group, Grouper, effects
from roborally_env.watch.state import State, state_of
from roborally_env.watch.tracker import Event, Tracker
from roborally_env.watch.tracker2005 import Tracker2005
from roborally_env.watch.tracker2016 import Tracker2016
from roborally_env.watch.tracker_community import TrackerCommunity
from roborally_env.watch.words import Words

# kinds of moments that end the turn of the robot that played its card
OF_THE_BOARD = frozenset({
    "belt", "panel", "gear", "laser", "robot_laser", "checkpoint", "flag", "archive",
    "slide", "trapdoor", "stomped", "radiation",
})  # fmt: skip


class Timeline:
    """Makes the header and the rounds that the viewer plays, step by step.

    Args:
        batch: a batch made with `events=True` and `auto_reset=False`, just begun.
        agents: a name a robot.
        index: which game of the batch.
        seat: for whom: None sees everything, a robot's number what its player sees, -1 what everybody sees.
        title: of the page; the course's, if not given.

    Attributes:
        header: what does not change in a race (docs/watch.md tells all keys).
        chunks: the rounds so far: `round`, `state` (before its first moment) and `moments`.
        corrections: how often a value was put right at the end of a step because the log does not tell it, by key.

    Raises:
        RoboRallyError: for a batch without a log of events, one that has been played, or a wrong number of names.
    """

    def __init__(
        self,
        batch: BatchRace,
        agents: Sequence[str],
        *,
        index: int = 0,
        seat: int | None = None,
        title: str = "",
    ) -> None:
        _check(batch, agents, index)
        self.batch, self.index, self.seat = batch, index, seat
        self.header = header_of(batch, agents, index=index, title=title)
        self.corrections: Counter[str] = Counter()
        words = self.header["checkpoint_word"], self.header["checkpoints"]
        self._words = Words(batch.edition, *words, self.sees)
        events = batch.events_of(index)
        self._tracker = _tracker(batch, index, events)
        self._grouper = Grouper(together="lasers" in batch.kind.step_names)
        self._boards = set(self.header["boards"])
        self._last = ""  # kind of the last moment
        self._shown = self._view()
        self.chunks: list[dict[str, Any]] = [{"round": 0, "state": copy.deepcopy(self._shown), "moments": []}]
        self._tell(events)

    def chunk(self) -> dict[str, Any]:
        """The current round so far."""
        return self.chunks[-1]

    def step_done(self) -> list[dict[str, Any]]:
        """Add the events of the batch's last step. Must be called after each step.

        Returns the new parts by round: `round`, `moments`, and the `state` if a round has begun.
        """
        round_, told = len(self.chunks) - 1, len(self.chunk()["moments"])
        laid = self.batch.programs_laid[self.index].tolist()
        self._tracker.begin_step(laid)
        self._tell(self.batch.events_of(self.index))
        current, *begun = self.chunks[round_:]
        new = {"round": current["round"], "moments": current["moments"][told:]}
        return [each for each in (new, *begun) if each["moments"]]

    def sees(self, seat: int) -> bool:
        """Whether the hidden cards of a robot are shown."""
        each = self.batch.robots_each
        return self.seat is None or (self.seat >= 0 and self.seat // each == seat // each)

    # -- inside

    def _tell(self, events: Sequence[Event]) -> None:
        """Make moments from a step's events, and correct at its end what the events do not show."""
        if _was_over(self._tracker.state):
            return
        moments = 0
        for group in self._grouper.groups(events):
            if group.kind == "round":
                state = copy.deepcopy(self._shown)
                self.chunks.append({"round": group.events[0]["round"], "state": state, "moments": []})
            self._add(group)
            moments += 1
        self._settle(moments == 0)

    def _add(self, group: Group) -> None:
        """One moment."""
        tracker = self._tracker
        before = copy.deepcopy(tracker.state)
        if group.kind in OF_THE_BOARD or (group.kind == "energy" and self._last not in ("card", "upgrade")):
            tracker.state["turn"] = None
        self._last = group.kind
        for event in group.events:
            tracker.tell(event)
        context = {"register": tracker.state["register"], "kind": group.kind, "dealt": _dealt_locked(tracker)}
        moment: dict[str, Any] = {"kind": group.kind, "text": self._words.of(group.events, context)}
        moment |= self._changes()
        shown = effects(group, before, self._ground)
        if shown:
            moment["fx"] = shown
        self.chunk()["moments"].append(moment)

    def _settle(self, silent: bool) -> None:
        """Replace the tracked state by the real one. The differences belong to the step's last moment."""
        tracker = self._tracker
        real = state_of(self.batch, self.index)
        self._count_corrections(tracker.state, real)
        tracker.state |= real
        moments = self.chunk()["moments"]
        if real["over"]:
            moments.append({"kind": "end", "text": [self._ending()]} | self._changes())
            return
        changes = self._changes()
        if not changes:
            return
        if silent or not moments:
            moments.append({"kind": "settle", "text": []} | changes)
        else:
            _merge(moments[-1], changes)

    def _ending(self) -> str:
        """How the race ended, in a sentence."""
        state = self._tracker.state
        robots = state["robots"]
        if state["winner"] is None:
            nobody = all(robot.get("lives") == 0 for robot in robots)
            return f"Nobody wins: {'nobody is left' if nobody else 'the race is cut'} after round {state['round']}."
        teams = [robot.get("team") for robot in self.header["robots"]]
        won = teams[state["winner"]]
        winners = [r for r in range(len(robots)) if r == state["winner"] or (won is not None and teams[r] == won)]
        verb = "wins" if len(winners) == 1 else "win"
        return f"{' and '.join(f'{{{r}}}' for r in winners)} {verb} in round {state['round']}."

    def _count_corrections(self, told: State, real: State) -> None:
        for key, value in real.items():
            if key != "robots" and told[key] != value and key != "over":
                self.corrections[key] += 1
        for mine, its in zip(told["robots"], real["robots"], strict=True):
            self.corrections.update(key for key, value in its.items() if mine[key] != value)

    def _changes(self) -> dict[str, Any]:
        """The changes for the viewer since the last moment: `set`, `robots`, and new `boards`."""
        now, shown = self._view(), self._shown
        self._shown = now
        found: dict[str, Any] = {}
        changed = {key: value for key, value in now.items() if key != "robots" and value != shown[key]}
        if changed:
            found["set"] = changed
        robots = {
            str(seat): {key: value for key, value in robot.items() if value != shown["robots"][seat][key]}
            for seat, robot in enumerate(now["robots"])
            if robot != shown["robots"][seat]
        }
        if robots:
            found["robots"] = robots
        if now["board"] not in self._boards:
            self._boards.add(now["board"])
            found["boards"] = {now["board"]: board_picture(self._course(now["board"]))}
        return found

    def _course(self, key: str) -> Course:
        """The course with its boards turned, by their name in `state_of`."""
        course = self.batch.courses[int(self.batch.games[self.index]["course"])]
        return course if key == "0" else turned_course(course, tuple(int(quarters) for quarters in key))

    def _ground(self) -> Any:
        return tables_of(self._course(self._shown["board"]))[0]

    def _view(self) -> State:
        """A copy of the state as the reader sees it."""
        state = self._tracker.state
        return {**state, "robots": [self._seen(seat, robot) for seat, robot in enumerate(state["robots"])]}

    def _seen(self, seat: int, robot: dict[str, Any]) -> dict[str, Any]:
        """A copy of a robot as the reader sees it: hidden hands as numbers, face-down registers as "?"."""
        found = {**robot, "registers": list(robot["registers"]), "laid_on": dict(robot["laid_on"])}
        if self.sees(seat):
            return found | {"hand": list(robot["hand"])}
        shown = set(range(self._tracker.state["register"])) | {k - 1 for k in robot.get("locked", ())}
        found["hand"] = len(robot["hand"])
        found["laid_on"] = {k: card for k, card in robot["laid_on"].items() if int(k) in shown}
        for k in range(REGISTERS):
            if found["registers"][k] is not None and k not in shown:
                found["registers"][k] = "?"
        if "collection" in robot:
            found["collection"] = len(robot["collection"])
        if "kept" in robot:
            found["kept"] = dict.fromkeys(robot["kept"], "?")
        return found


def _check(batch: BatchRace, agents: Sequence[str], index: int) -> None:
    if not batch.logging or batch.auto_reset:
        raise RoboRallyError("timeline: expected a batch made with events=True and auto_reset=False")
    if len(agents) != batch.players:
        raise RoboRallyError(f"timeline: expected {batch.players} names of agents, got {len(agents)}")
    if int(batch.games[index]["round_number"]) > 1:
        raise RoboRallyError("timeline: expected a race at its start")


def _tracker(batch: BatchRace, index: int, events: Sequence[Event]) -> Tracker:
    """A tracker at the very start, before the events of the set-up."""
    state = state_of(batch, index)
    state |= {"round": 0}
    placed = {event["robot"] for event in events if event["kind"] == "placed"}
    for seat, robot in enumerate(state["robots"]):
        if "options" in robot:
            robot |= {"options": [], "at": None if seat in placed else robot["at"]}
        if "deck" in robot:
            robot["deck"] += len(robot["hand"])
        robot["hand"] = []
    if "shop" in state:
        state["shop"] = []
    if batch.collects:
        _before_upgrades(state, int(batch.rules["start_energy"]), len(batch.kind.upgrade_numbers))
    if batch.kind.has("ramps"):
        return TrackerCommunity(state)
    if batch.kind.has("pile"):
        return Tracker2016(state, {"advanced": batch.rules.get("advanced", False)})
    course = batch.courses[int(batch.games[index]["course"])]
    teams = batch.games[index]["team"][: batch.players].tolist()
    shared = "shared_flags" in course.special_rules
    return Tracker2005(state, {"team": teams, "shared": shared, "boards": len(course.boards)})


def _before_upgrades(state: State, energy: int, cards: int) -> None:
    """Reset to before the first upgrade phase of 2023, all of which is in the log if nobody is asked."""
    state |= {"upgrade_deck": cards, "upgrade_discard": []}
    for robot in state["robots"]:
        robot |= {"energy": energy, "upgrades": [], "collection": [], "discard": 0}


def _dealt_locked(tracker: Tracker) -> dict[int, list[int]]:
    """The locked registers of each robot, into which cards are dealt (community edition)."""
    if not isinstance(tracker, TrackerCommunity):
        return {}
    return {seat: robot["locked"] for seat, robot in enumerate(tracker.state["robots"])}


def _was_over(state: State) -> bool:
    return bool(state["over"])


def _merge(moment: dict[str, Any], changes: dict[str, Any]) -> None:
    """Add changes to those of a moment."""
    if "set" in changes:
        moment["set"] = {**moment.get("set", {}), **changes["set"]}
    for seat, changed in changes.get("robots", {}).items():
        robots = moment.setdefault("robots", {})
        robots[seat] = {**robots.get(seat, {}), **changed}
    if "boards" in changes:
        moment["boards"] = {**moment.get("boards", {}), **changes["boards"]}
